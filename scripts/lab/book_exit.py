#!/usr/bin/env python3
"""How the engine stands where its book ends, in games against another engine.

    python3 scripts/lab/book_exit.py [--opponent /usr/games/fairy-stockfish] [--games 100] [--nodes 2000000] [--book FILE]

Both colours in turn, from the start position or `--start`. The opponent thinks `--movetime` ms a move. The engine plays
from its book as long as it can, each game with another seed; then it searches `--nodes`, and the score of that is what
counts. Prints a line for each game, and for each colour how many scores are level (0) or better, and the mean.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from statistics import mean

from usi import ENGINE, STARTS, EngineError, UsiEngine

MATE = 30_000


def score_of(lines: Sequence[str]) -> int | None:
    """The last score of a search, in centipawns; none if there was no search."""
    found = None
    for line in lines:
        if match := re.search(r" depth \d+ .*score (cp|mate) (\S+)", line):
            kind, value = match.groups()
            found = int(value) if kind == "cp" else (-MATE if value.startswith("-") else MATE)
    return found


def answer(engine: UsiEngine, sfen: str, moves: list[str], go: str) -> tuple[str, int | None]:
    """The move and the score of a position."""
    engine.send(f"position sfen {sfen} moves {' '.join(moves)}" if moves else f"position sfen {sfen}")
    engine.send(go)
    lines = engine.read_until("bestmove", 120.0)
    return lines[-1].split()[1], score_of(lines)


def leave(engine: UsiEngine, opponent: UsiEngine, sfen: str, own: int, arguments: argparse.Namespace) -> tuple[int, list[str]]:
    """Plays until the engine searches. Returns its score and the moves before."""
    moves: list[str] = []
    for player in (engine, opponent):
        player.send("usinewgame")
    while True:
        if len(moves) % 2 == own:
            move, score = answer(engine, sfen, moves, f"go nodes {arguments.nodes}")
            if score is not None:
                return score, moves
        else:
            move, _ = answer(opponent, sfen, moves, f"go movetime {arguments.movetime}")
        if move in ("resign", "win", "(none)"):
            return (-MATE if len(moves) % 2 == own else MATE), moves
        moves.append(move)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=ENGINE)
    parser.add_argument("--opponent", default="/usr/games/fairy-stockfish")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=2_000_000)
    parser.add_argument("--movetime", type=int, default=100)
    parser.add_argument("--start", choices=STARTS, default="startpos")
    parser.add_argument("--book", help="the book to play from [default: the one built in]")
    arguments = parser.parse_args()
    sfen = STARTS[arguments.start]
    results: list[list[tuple[int, int]]] = [[], []]
    try:
        with UsiEngine(arguments.engine) as engine, UsiEngine(arguments.opponent) as opponent:
            engine.send("setoption name USI_OwnBook value true")
            engine.send("setoption name USI_Hash value 256")
            if arguments.book:
                engine.send(f"setoption name BookFile value {arguments.book}")
            for game in range(arguments.games):
                own = game % 2
                engine.send(f"setoption name BookSeed value {game + 1}")
                score, moves = leave(engine, opponent, sfen, own, arguments)
                results[own].append((score, len(moves)))
                print(f"{game + 1}: {'first' if own == 0 else 'second'}, {score:+} after {' '.join(moves)}", flush=True)
    except EngineError as error:
        print(error, file=sys.stderr)
        return 1
    for own, name in enumerate(("first", "second")):
        if results[own]:
            level = sum(score >= 0 for score, _ in results[own])
            scores, plies = zip(*results[own], strict=True)
            print(f"moving {name}: {level} of {len(scores)} level or better, mean {mean(scores):+.0f}, {mean(plies):.1f} plies")
    return 0


if __name__ == "__main__":
    sys.exit(main())
