// The engine as an object, in a page or in Node: see index.d.ts.

/** A Worker in Node, with the interface of one in a page. */
async function nodeWorker(url) {
    // Bundlers must not look for this module, which pages do not have: hence the variable and the comments.
    const name = "node:worker_threads";
    const { Worker } = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
    const worker = new Worker(url);
    worker.addEventListener = (event, listener) =>
        worker.on(event, (data) => listener({ data, message: data?.message }));
    return worker;
}

const ERROR = "info string error: ";
/** The engine answers each search with one of them. */
const ANSWERS = ["bestmove", "checkmate"];
const firstWord = (line) => line.split(" ", 1)[0];
const startsSearch = (line) => /^\s*go\b(?!\s+perft\b)/.test(line);

export class Engine {
    #worker;
    #listeners = new Set();
    /** The `reject` functions of the promises that wait for a line. */
    #waiting = new Set();
    /** The number of searches without an answer yet. */
    #searches = 0;
    #failure;

    static async start({ url = new URL("./judkins.js", import.meta.url), ...files } = {}) {
        const engine = new Engine();
        const worker = typeof Worker === "function" ? new Worker(url, { type: "module" }) : await nodeWorker(url);
        engine.#worker = worker;
        worker.addEventListener("message", ({ data }) => engine.#hear(data));
        worker.addEventListener("error", ({ message }) => engine.#fail(`the engine failed: ${message ?? url}`));
        worker.addEventListener("exit", () => engine.#fail("the engine has ended"));
        worker.postMessage(files);
        return engine;
    }

    send(line) {
        this.#searches += line.split("\n").filter(startsSearch).length;
        this.#worker.postMessage(line);
        // A page does not hear of a Worker's end.
        if (/^\s*quit\b/m.test(line)) this.#fail("the engine has quit");
    }

    listen(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }

    ask(line, answer) {
        return this.#ask(line, [answer]);
    }

    async move(position = "startpos", limits = "movetime 1000") {
        const lines = await this.#ask(`position ${position}\ngo ${limits}`, ANSWERS);
        const refusal = lines.find((line) => line.startsWith(`${ERROR}position refused`));
        if (refusal) throw new Error(refusal.slice(ERROR.length));
        const [answer, move] = lines.at(-1).split(" ");
        if (answer !== "bestmove") throw new Error(`'go ${limits}' looks for a mate, not for a move`);
        return move;
    }

    close() {
        this.#worker.terminate();
        this.#fail("the engine was closed");
    }

    /**
     * Sends a line, and returns the lines that follow, up to one that begins with one of these words; without those of
     * earlier searches, if the words are the answers to searches.
     */
    #ask(line, answers) {
        return new Promise((resolve, reject) => {
            if (this.#failure) {
                reject(this.#failure);
                return;
            }
            this.#waiting.add(reject);
            this.send(line);
            let earlier = ANSWERS.some((word) => answers.includes(word)) ? this.#searches - 1 : 0;
            const lines = [];
            const end = this.listen((reply) => {
                lines.push(reply);
                const word = firstWord(reply);
                if (earlier > 0 && ANSWERS.includes(word)) {
                    earlier--;
                    lines.length = 0;
                } else if (answers.includes(word)) {
                    end();
                    this.#waiting.delete(reject);
                    resolve(lines);
                }
            });
        });
    }

    #hear(line) {
        if (ANSWERS.includes(firstWord(line))) this.#searches--;
        // Listeners that are added meanwhile hear the next line, and the error of one does not concern the others.
        for (const listener of [...this.#listeners]) {
            try {
                listener(line);
            } catch (error) {
                queueMicrotask(() => {
                    throw error;
                });
            }
        }
    }

    #fail(reason) {
        this.#failure ??= new Error(reason);
        for (const reject of this.#waiting) reject(this.#failure);
        this.#waiting.clear();
    }
}
