#!/usr/bin/env python3
"""Makes a file of level openings: random moves from the start position, kept where the engine sees no advantage.

    cargo build --release
    python3 scripts/lab/make_openings.py --count 4000 > src/contest/openings.txt

Few random positions of this game are level, so each is looked at three times, a little and then longer: a line is kept
only if every look is within its limit. One thread and fixed node counts: the same seed and the same engine give the same
file.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[2] / "target/release/judkins"
# Nodes to search, and the most that the score may be away from zero then, in centipawns.
LOOKS = [(2_000, 200), (20_000, 120), (200_000, 60)]


class Engine:
    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("usi", "usiok")

    def ask(self, command: str, last: str) -> list[str]:
        """The lines of the answer, up to the one that begins with `last`."""
        assert self.process.stdin and self.process.stdout
        print(command, file=self.process.stdin, flush=True)
        lines = []
        for line in self.process.stdout:
            lines.append(line.strip())
            if line.startswith(last):
                return lines
        raise SystemExit("the engine ended")

    def legal_moves(self, moves: list[str]) -> list[str]:
        lines = self.ask(f"position startpos moves {' '.join(moves)}\nperft 1", "Nodes searched")
        return [line.split(":")[0] for line in lines if re.match(r"\S+: 1$", line)]

    def score(self, moves: list[str], nodes: int) -> int:
        """Centipawns; a mate is a large number of them."""
        lines = self.ask(f"usinewgame\nposition startpos moves {' '.join(moves)}\ngo nodes {nodes}", "bestmove")
        scores = [match for line in lines if (match := re.search(r" score (cp|mate) (-?\d+)", line))]
        return int(scores[-1][2]) if scores[-1][1] == "cp" else 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="lines to write")
    parser.add_argument("--plies", type=int, nargs=2, default=(4, 8), metavar=("MIN", "MAX"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", type=Path, default=ENGINE)
    arguments = parser.parse_args()

    chance = random.Random(arguments.seed)
    engine = Engine(arguments.engine)
    seen: set[str] = set()
    tried = 0
    while len(seen) < arguments.count:
        tried += 1
        moves: list[str] = []
        for _ in range(chance.randint(*arguments.plies)):
            if legal := engine.legal_moves(moves):
                moves.append(chance.choice(legal))
        opening = " ".join(moves)
        if not engine.legal_moves(moves) or not all(abs(engine.score(moves, nodes)) <= most for nodes, most in LOOKS):
            continue
        # The position without its move number: two orders of the same moves would give the same game.
        lines = engine.ask(f"position startpos moves {opening}\nd\nisready", "readyok")
        sfen = next(line for line in lines if line.startswith("SFEN:")).rsplit(" ", 1)[0]
        if sfen not in seen:
            seen.add(sfen)
            print(f"startpos moves {opening}", flush=True)
            if len(seen) % 100 == 0:
                print(f"{len(seen)} of {tried} tried", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
