#!/usr/bin/env python3
"""How the search uses cores, asked of the real program.

    scripts/lab/threads.py scale [--threads 2] [--depth 15] [--positions 30]
    scripts/lab/threads.py stop  [--threads 10] [--minutes 60]

`scale` searches positions to a depth with one thread and with several, by turns, from empty tables, and prints how many
times as fast the depth is reached and positions are visited (geometric means). `stop` analyses without end, sends `stop`
at random moments, and prints how long the answer took and how the program's memory grew. Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import math
import random
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "target/release/judkins"
OPENINGS = ROOT / "src/contest/openings.txt"


class Engine:
    def __init__(self, command: str, threads: int, hash_mib: int) -> None:
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("usi", "usiok")
        self.send(f"setoption name Threads value {threads}")
        self.send(f"setoption name USI_Hash value {hash_mib}")
        self.ask("isready", "readyok")

    def send(self, line: str) -> None:
        self.process.stdin.write(line + "\n")

    def ask(self, line: str, answer: str) -> list[str]:
        """Sends a line; returns all that is said up to the line that begins with the answer."""
        self.send(line)
        said = []
        for reply in self.process.stdout:
            said.append(reply.strip())
            if reply.startswith(answer):
                return said
        raise SystemExit(f"the engine ended after '{line}'")

    def resident_mib(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def to_depth(self, position: str, depth: int) -> tuple[float, int]:
        """Seconds and positions visited, from an empty table."""
        self.send("usinewgame")
        self.ask("isready", "readyok")
        self.send(f"position {position}")
        start = time.monotonic()
        said = self.ask(f"go depth {depth}", "bestmove")
        seconds = time.monotonic() - start
        nodes = [int(line.split(" nodes ")[1].split()[0]) for line in said if " nodes " in line]
        return seconds, nodes[-1]


def openings() -> list[str]:
    return [line.strip() for line in OPENINGS.read_text().splitlines() if line.startswith("startpos")]


def scale(args: argparse.Namespace) -> None:
    one, many = Engine(args.engine, 1, 256), Engine(args.engine, args.threads, 256)
    times, speeds = [], []
    for position in random.Random(args.seed).sample(openings(), args.positions):
        (time_one, nodes_one), (time_many, nodes_many) = (engine.to_depth(position, args.depth) for engine in (one, many))
        times.append(math.log(time_one / time_many))
        speeds.append(math.log((nodes_many / time_many) / (nodes_one / time_one)))
    error = math.sqrt(sum((t - sum(times) / len(times)) ** 2 for t in times)) / len(times)
    print(f"{args.threads} threads against one, depth {args.depth}, {len(times)} positions:")
    print(f"  time to depth    {math.exp(sum(times) / len(times)):.2f} times as fast (one standard error {100 * error:.0f} %)")
    print(f"  nodes a second   {math.exp(sum(speeds) / len(speeds)):.2f} times as many")


def stop(args: argparse.Namespace) -> None:
    rng = random.Random(args.seed)
    engine = Engine(args.engine, args.threads, 256)
    end = time.monotonic() + 60 * args.minutes
    waits, memory = [], []
    while time.monotonic() < end:
        engine.send(f"position {rng.choice(openings())}")
        engine.send("go infinite")
        time.sleep(rng.choice([0, 0.01, 0.1, 1, 5]) * rng.random())
        start = time.monotonic()
        engine.ask("stop", "bestmove")
        waits.append(1000 * (time.monotonic() - start))
        memory.append(engine.resident_mib())
    waits.sort()
    tenth = max(1, len(memory) // 10)
    print(f"{len(waits)} stops of {args.threads} threads in {args.minutes:g} min: median {waits[len(waits) // 2]:.1f} ms,")
    print(f"  99 % within {waits[len(waits) * 99 // 100]:.1f} ms, the longest {waits[-1]:.1f} ms")
    print(f"  memory: {max(memory[:tenth]):.1f} MiB at most in the first tenth, {max(memory[-tenth:]):.1f} MiB in the last")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=str(ENGINE), help="the program [default: the release build]")
    parser.add_argument("--seed", type=int, default=1)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("scale", help="several threads against one")
    command.add_argument("--threads", type=int, default=2)
    command.add_argument("--depth", type=int, default=15)
    command.add_argument("--positions", type=int, default=30)
    command.set_defaults(run=scale)
    command = commands.add_parser("stop", help="how long stop takes")
    command.add_argument("--threads", type=int, default=10)
    command.add_argument("--minutes", type=float, default=60)
    command.set_defaults(run=stop)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
