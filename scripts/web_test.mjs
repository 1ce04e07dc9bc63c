// Tests the package that scripts/web.sh has written: installed by npm, in Node, and in Chromium, if there is a
// chromedriver.
//
//   node scripts/web_test.mjs PACKAGE --signature NODES [--moments N]
//
// The signature is what the native program's bench prints. N random moments of a search are interrupted: 60 if not said.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
    options: { signature: { type: "string" }, moments: { type: "string", default: "60" } },
    allowPositionals: true,
});
const folder = resolve(positionals[0]);

/** Runs in Node and, as text, in a page: what it uses is in its argument. */
async function examine({ Engine, signature, moments }) {
    const told = {};
    const check = (is, what) => {
        if (!is) {
            throw new Error(what);
        }
    };
    const engine = await Engine.start();
    const hello = await engine.ask("usi", "usiok");
    check(hello[0].startsWith("id name judkins"), hello[0]);
    const options = hello.filter((line) => line.startsWith("option name ")).map((line) => line.split(" ")[2]);
    check(options.includes("USI_Hash") && options.includes("SkillLevel"), `options: ${options}`);
    check(!["EvalFile", "BookFile", "DebugLogFile"].some((name) => options.includes(name)), `options: ${options}`);
    check(hello.some((line) => line.includes("name Threads type spin default 1 min 1 max 1")), "one thread");
    const began = performance.now();
    await engine.ask("isready", "readyok");
    told.ready = performance.now() - began;

    // The answers to lines that come in a search, with the word that ends each.
    const interruptions = [
        ["stop", "bestmove"],
        ["isready", "readyok"],
        ["position startpos moves 6e6d", "bestmove"],
        ["setoption name USI_MultiPV value 1", "bestmove"],
        ["usinewgame", "bestmove"],
        ["gameover draw", "bestmove"],
        ["ponderhit", "bestmove"],
    ];
    const latencies = [];
    for (let moment = 0; moment < moments; moment++) {
        const [line, answer] = interruptions[moment % interruptions.length];
        const ponders = line === "ponderhit";
        engine.send("position startpos moves 6e6d");
        let answers = 0;
        const end = engine.listen((reply) => { answers += reply.startsWith("bestmove"); });
        engine.send(ponders ? "go ponder btime 0 wtime 0 byoyomi 1" : moment % 2 ? "go infinite" : "go movetime 60000");
        await new Promise((done) => setTimeout(done, Math.random() * 200));
        const sent = performance.now();
        await engine.ask(line, answer);
        latencies.push(performance.now() - sent);
        if (answer === "readyok") {
            await engine.ask("stop", "bestmove");
        }
        await engine.ask("isready", "readyok");
        end();
        check(answers === 1, `${answers} answers to 'go' and '${line}'`);
    }
    latencies.sort((a, b) => a - b);
    told.median = latencies[latencies.length >> 1];
    told.late = latencies[Math.floor(latencies.length * 0.99)];
    told.longest = latencies.at(-1);

    // Lines that waited for the end of one search end the next one.
    const burst = performance.now();
    let answers = 0;
    const end = engine.listen((reply) => { answers += reply.startsWith("bestmove"); });
    for (let pair = 0; pair < 20; pair++) {
        ["position startpos", "go movetime 10000", "stop"].forEach((line) => engine.send(line));
    }
    await engine.ask("isready", "readyok");
    while (answers < 20) {
        check(performance.now() - burst < 9000, `${answers} answers to 20 pairs of 'go' and 'stop'`);
        await new Promise((done) => setTimeout(done, 10));
    }
    end();

    // Held back until it is released, though the game is over.
    engine.send("position sfen 5k/6/5P/6/6/K5 b G 1");
    engine.send("go infinite");
    await new Promise((done) => setTimeout(done, 300));
    const [...mate] = await engine.ask("stop", "bestmove");
    check(mate.at(-1) === "bestmove G*1b", mate.at(-1));
    for (const [line, words] of [
        ["setoption name EvalFile value x", "no option is called 'EvalFile'"],
        ["position startpos moves 1a1b", "illegal move 1a1b"],
    ]) {
        engine.send(line);
        const [error] = await engine.ask("isready", "readyok");
        check(error.includes(words), error);
    }
    // Moves that are asked for at once, in a search, and in a listener are those of their positions.
    engine.send("go infinite");
    const asked = [...Array(6)].map((_, index) =>
        engine.move(index % 2 ? "startpos moves 6e6d" : "startpos", "nodes 500"));
    (await Promise.all(asked)).forEach((move, index) =>
        check(/^[1-6][ef]/.test(move) === (index % 2 === 0), `move ${index} is ${move}`));
    let inListener;
    const endListener = engine.listen((reply) => {
        if (reply.startsWith("bestmove")) inListener ??= engine.move("startpos moves 6e6d", "nodes 500");
    });
    await engine.move("startpos", "nodes 500");
    endListener();
    check(/^[1-6][ab]/.test(await inListener), `${await inListener} is the move of the search before`);
    for (const [position, limits, reason] of [
        ["startpos moves 1a1b", "nodes 500", "position refused: illegal move 1a1b"],
        ["6e6d", "nodes 500", "position refused: 'startpos' or 'sfen' expected, not '6e6d'"],
        ["startpos", "mate 1000", "'go mate 1000' looks for a mate, not for a move"],
    ]) {
        const refused = await engine.move(position, limits).then((move) => move, ({ message }) => message);
        check(refused === reason, `${refused}: not ${reason}`);
    }
    // A refusal concerns one of two calls.
    const both = await Promise.allSettled(
        ["startpos moves 1a1b", "startpos"].map((position) => engine.move(position, "nodes 500")));
    check(both.map(({ status }) => status).join() === "rejected,fulfilled", `${both[1].reason}`);
    engine.send("usinewgame");
    await engine.ask("isready", "readyok");
    const bench = await engine.ask("bench", signature);
    told.bench = bench.at(-1);
    const start = performance.now();
    engine.send("position startpos");
    const nodes = 1_000_000;
    await engine.ask(`go nodes ${nodes}`, "bestmove");
    told.nps = Math.round(nodes / (performance.now() - start) * 1000);
    const never = engine.ask("isready", "never");
    engine.close();
    const reason = await never.catch(({ message }) => message);
    check(reason === "the engine was closed", reason);
    return told;
}

/** Starts the engine with files that are missing or damaged: what is asked of it must fail. */
async function examineFailures({ Engine }) {
    for (const files of [
        { url: new URL("missing.js", globalThis.location ?? "file:///") },
        { network: new ArrayBuffer(8) },
    ]) {
        const engine = await Engine.start(files);
        const answer = await engine.ask("isready", "readyok").catch(({ message }) => message);
        if (!String(answer).startsWith("the engine failed: ")) {
            throw new Error(`${Object.keys(files)}: ${answer}`);
        }
        engine.close();
    }
}

/** Starts the engine from a server that knows no type for WebAssembly, and as a classic Worker without index.js. */
async function examineWorkers({ Engine }) {
    const engine = await Engine.start({ url: "/untyped/judkins.js" });
    await engine.move();
    const quit = await engine.ask("quit", "never").catch(({ message }) => message);
    if (quit !== "the engine has quit") {
        throw new Error(quit);
    }
    engine.close();
    const worker = new Worker("/judkins.js");
    await new Promise((done) => {
        worker.onmessage = ({ data }) => data === "usiok" && done();
        worker.postMessage("usi");
    });
    worker.terminate();
}

function tell(where, told) {
    const { ready, median, late, longest, bench, nps } = told;
    console.log(`${where}: bench ${bench}; then ${nps} nps; ready in ${ready.toFixed(0)} ms; ` +
        `interrupted in ${median.toFixed(1)} ms (median), ${longest.toFixed(1)} ms at most`);
    // One in a hundred may have met a busy machine.
    assert(median < 20 && late < 100, `${where}: too late`);
}

const moments = Number(values.moments);
const signature = values.signature;
assert(signature, "--signature NODES is missing");
const { Engine } = await import(join(folder, "index.js"));
tell("Node", await examine({ Engine, signature, moments }));
await examineFailures({ Engine });
console.log("test Node ... ok");

// The program of the README in an empty project, and the types.
const project = await mkdtemp(join(tmpdir(), "judkins-web-"));
try {
    const run = (program, ...words) => execFileSync(program, words, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
    await writeFile(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }');
    const tarball = run("npm", "pack", "--silent", folder).trim();
    run("npm", "install", "--silent", `./${tarball}`, "typescript@5.9.3", "@types/node@20");
    const [, program] = /```js\n(.*?)```/s.exec(await readFile(join(folder, "README.md"), "utf8"));
    await writeFile(join(project, "moves.ts"), program.replace("moves = []", "moves: string[] = []"));
    run("npx", "tsc", "--strict", "--target", "es2022", "--module", "nodenext", "moves.ts");
    const moves = run("node", "moves.js");
    assert.match(moves, /^([1-6][a-f]|[PNSGBR]\*)([1-6][a-f]\+? ?|[1-6][a-f]\+?\n)/);
    console.log(`installed by npm, the program of the README plays ${moves.trim()}`);
    console.log("test package ... ok");
} finally {
    await rm(project, { recursive: true });
}

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".net": "application/octet-stream" };
const server = createServer(async (request, response) => {
    try {
        const path = request.url.replace(/^\/untyped/, "");
        const body = path === "/" ? "<!doctype html><title>judkins</title>" : await readFile(join(folder, path));
        const type = types[path !== request.url && path.endsWith(".wasm") ? ".net" : extname(path) || ".html"];
        response.writeHead(200, { "content-type": type }).end(body);
    } catch {
        response.writeHead(404).end();
    }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const page = `http://127.0.0.1:${server.address().port}/`;

const port = 20000 + process.pid % 20000;
const driver = spawn("chromedriver", [`--port=${port}`], { stdio: "ignore" });
const started = await new Promise((done) => {
    driver.on("spawn", () => done(true));
    driver.on("error", () => done(false));
});
driver.unref();
process.on("exit", () => driver.kill());
if (started) {
    const ask = async (path, body, method = "POST") => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
        const { value } = await answer.json();
        assert(answer.ok, value?.message);
        return value;
    };
    for (let attempt = 0; attempt < 50; attempt++) {
        const up = await ask("/status", undefined, "GET").catch(() => undefined);
        if (up?.ready) {
            break;
        }
        await new Promise((done) => setTimeout(done, 100));
    }
    const { sessionId } = await ask("/session", { capabilities: { alwaysMatch: {
        browserName: "chrome",
        "goog:chromeOptions": { args: ["--headless=new", "--no-sandbox", "--disable-gpu"] },
        "goog:loggingPrefs": { browser: "ALL" },
    } } });
    const session = `/session/${sessionId}`;
    try {
        await ask(`${session}/timeouts`, { script: 600_000 });
        await ask(`${session}/url`, { url: page });
        const inPage = async (examination) => {
            const script = `const done = arguments[0]; const examination = ${examination};
                import("./index.js").then(({ Engine }) => examination({ Engine, signature: ${JSON.stringify(signature)}, moments: ${moments} }))
                    .then((told) => done({ told }), (error) => done({ error: String(error) }));`;
            const { told, error } = await ask(`${session}/execute/async`, { script, args: [] });
            assert(!error, error);
            return told;
        };
        tell("Chromium", await inPage(examine));
        await inPage(examineWorkers);
        const log = await ask(`${session}/se/log`, { type: "browser" });
        assert.deepEqual(log.filter(({ message }) => !message.includes("favicon")), []);
        await inPage(examineFailures);
        console.log("test Chromium ... ok");
    } finally {
        await ask(session, undefined, "DELETE");
    }
} else {
    console.log("skipped: no chromedriver here (apt-get install chromium chromium-driver)");
}
server.close();
