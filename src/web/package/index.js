// The engine as an object, in a page or in Node: see index.d.ts.

/** A Worker in Node, with the interface of one in a page. */
async function nodeWorker(url) {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(url);
    worker.addEventListener = (event, listener) => worker.on(event, (data) => listener({ data, error: data }));
    return worker;
}

export class Engine {
    #worker;
    #listeners = new Set();

    static async start(files = {}) {
        const url = new URL("./judkins.js", import.meta.url);
        const engine = new Engine();
        engine.#worker = typeof Worker === "function" ? new Worker(url, { type: "module" }) : await nodeWorker(url);
        engine.#worker.addEventListener("message", ({ data }) => engine.#listeners.forEach((listener) => listener(data)));
        engine.#worker.postMessage(files);
        return engine;
    }

    send(line) {
        this.#worker.postMessage(line);
    }

    listen(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }

    ask(line, answer) {
        return new Promise((resolve) => {
            const lines = [];
            const end = this.listen((reply) => {
                lines.push(reply);
                if (reply.split(" ", 1)[0] === answer) {
                    end();
                    resolve(lines);
                }
            });
            this.send(line);
        });
    }

    async move(position = "startpos", limits = "movetime 1000") {
        this.send(`position ${position}`);
        const [, move] = (await this.ask(`go ${limits}`, "bestmove")).at(-1).split(" ");
        return move;
    }

    close() {
        this.#worker.terminate();
    }
}
