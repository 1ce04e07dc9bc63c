#!/usr/bin/env node
// The engine on standard input and output, for programs that start one.
import { Worker } from "node:worker_threads";

const worker = new Worker(new URL("./judkins.js", import.meta.url));
worker.on("message", (line) => process.stdout.write(`${line}\n`));
worker.on("exit", (status) => {
    // `process.exit` would cut off lines that are still to be written.
    process.exitCode = status;
    process.stdin.destroy();
});
process.stdout.on("error", () => process.exit());
let rest = "";
process.stdin.setEncoding("utf8")
    .on("data", (text) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        lines.forEach((line) => worker.postMessage(line));
    })
    .on("end", () => [rest, "quit"].forEach((line) => worker.postMessage(line)));
