#!/usr/bin/env node
// The engine on standard input and output, for programs that start one.
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";

const worker = new Worker(new URL("./judkins.js", import.meta.url));
worker.on("message", (line) => process.stdout.write(`${line}\n`));
worker.on("exit", (status) => process.exit(status));
process.stdout.on("error", () => process.exit());
createInterface({ input: process.stdin, crlfDelay: Infinity })
    .on("line", (line) => worker.postMessage(line))
    .on("close", () => worker.postMessage("quit"));
