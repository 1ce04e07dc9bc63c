/** Where the engine's files are, for pages that do not leave them beside this one, or have loaded them already. */
export interface Files {
    /** The address of judkins.js, beside judkins.wasm, judkins.net, worker.js and wasm.js. Of the page's own origin. */
    url?: string | URL;
    /** judkins.wasm, compiled: the Worker fetches it if absent. */
    module?: WebAssembly.Module;
    /** judkins.net: the Worker fetches it if absent. */
    network?: ArrayBuffer;
}

/** The engine in a Worker. It speaks USI, or UCI if the first line is `uci`. */
export class Engine {
    private constructor();

    /**
     * Starts a Worker: in a page, or a thread in Node. A file that cannot be loaded rejects the promises of `ask` and
     * `move`.
     */
    static start(files?: Files): Promise<Engine>;

    /** Sends a line. A search goes on meanwhile, unless the line ends it. */
    send(line: string): void;

    /** Calls a function with each line of the engine. Returns a function that ends this. */
    listen(listener: (line: string) => void): () => void;

    /**
     * Sends a line, and returns the lines that follow, up to the first that begins with the word `answer`. If that is
     * `bestmove` or `checkmate`, the lines begin after the answers to earlier searches. Rejects if the engine fails,
     * quits or is closed.
     */
    ask(line: string, answer: string): Promise<string[]>;

    /**
     * The move that the engine plays, or `resign` or `win`. Ends a search that runs. Not under UCI.
     * Rejects if the position is refused, with the engine's reason, and as `ask` does.
     * @param position As after USI's `position`: `startpos moves 6e6d`, or `sfen …`. The start position if absent.
     * @param limits As after USI's `go`: `movetime 1000` if absent. The search must end by itself: no `infinite`,
     * `ponder` or `mate`.
     */
    move(position?: string, limits?: string): Promise<string>;

    /** Ends the Worker at once. A program in Node runs until then. */
    close(): void;
}
