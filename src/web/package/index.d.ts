/** Files that the page has already: without them the Worker fetches both from its own folder. */
export interface Files {
    /** judkins.wasm, compiled. */
    module?: WebAssembly.Module;
    /** judkins.net. */
    network?: ArrayBuffer;
}

/** The engine in a Worker. It speaks USI, or UCI if the first line is `uci`. */
export class Engine {
    private constructor();

    /** Starts a Worker: in a page, or a thread in Node. */
    static start(files?: Files): Promise<Engine>;

    /** Sends a line. A search goes on meanwhile, unless the line ends it. */
    send(line: string): void;

    /** Calls a function with each line of the engine. Returns a function that ends this. */
    listen(listener: (line: string) => void): () => void;

    /** Sends a line, and returns the lines that follow, up to the first that begins with the word `answer`. */
    ask(line: string, answer: string): Promise<string[]>;

    /**
     * The move that the engine plays, or `resign` or `win`.
     * @param position As after USI's `position`: `startpos moves 6e6d`, or `sfen …`. The start position if absent.
     * @param limits As after USI's `go`: `movetime 1000` if absent.
     */
    move(position?: string, limits?: string): Promise<string>;

    /** Ends the Worker at once. */
    close(): void;
}
