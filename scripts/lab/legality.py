#!/usr/bin/env python3
"""Compares the engine's legal moves with pyffish's on thousands of positions from random play.

    python3 scripts/lab/legality.py [--engine PATH] [--positions 10000] [--seed 1]

The sets must be equal but for pawn drops that mate at once, which pyffish lists and the rules forbid. Exits with
status 1 at the first difference.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections import Counter

import pyffish

from usi import ENGINE, HANDICAPS, START, VARIANT, EngineError, UsiEngine, fen_from_sfen, ffish_move, in_check
from usi import is_pawn_drop_mate, pieces, play, sfen_from_fen, usi_move

MAX_PLIES = 150


class Difference(Exception):
    """A position where the two lists of moves differ."""


def compare(engine: UsiEngine, fen: str, tally: Counter[str]) -> list[str]:
    """Compares the two lists of moves at `fen` and returns the legal ones, in pyffish's notation."""
    sfen = sfen_from_fen(fen)
    listed = pyffish.legal_moves(VARIANT, fen, [])
    mates = [move for move in listed if is_pawn_drop_mate(fen, move)]
    ours, theirs = engine.perft_moves(sfen), [usi_move(move) for move in listed if move not in mates]
    if sorted(ours) != sorted(theirs):
        raise Difference(
            f"sfen {sfen}\n"
            f"engine:  {len(ours):3} {' '.join(sorted(ours))}\n"
            f"pyffish: {len(theirs):3} {' '.join(sorted(theirs))}\n"
            f"and pawn drops that mate: {' '.join(map(usi_move, mates)) or 'none'}\n"
            f"only engine:  {' '.join(sorted((Counter(ours) - Counter(theirs)).elements()))}\n"
            f"only pyffish: {' '.join(sorted((Counter(theirs) - Counter(ours)).elements()))}"
        )
    tally["positions"] += 1
    tally["moves"] += len(ours)
    tally["drops"] += sum("*" in move for move in ours)
    tally["promotions"] += sum(move.endswith("+") for move in ours)
    tally["pawn drops that mate"] += len(mates)
    tally["positions in check"] += (checked := in_check(fen))
    tally["mates"] += checked and not ours
    return sorted(ffish_move(move) for move in ours)


def choose(fen: str, moves: list[str], rng: random.Random) -> str:
    """A random move, more often than by even chance a capture, a promotion or a move on the board: with full hands
    nearly all moves are drops, and promoted pieces would seldom be seen."""
    taken = pieces(fen)
    board = [move for move in moves if "@" not in move]
    captures = [move for move in board if move[2:4] in taken]
    promotions = [move for move in board if move.endswith("+")]
    kind = rng.choice([captures, promotions, board, moves, moves, moves])
    return rng.choice(kind or moves)


def random_play(engine: UsiEngine, positions: int, rng: random.Random, tally: Counter[str]) -> None:
    # A position is the board, the hands and the side to move. Games may pass through positions seen before.
    seen: dict[str, list[str]] = {}
    for start in itertools.cycle([START, START, START, *HANDICAPS]):
        tally["games"] += 1
        fen = fen_from_sfen(start)
        for _ in range(MAX_PLIES):
            position = " ".join(fen.split()[:2])
            if position not in seen:
                if len(seen) >= positions:
                    return
                seen[position] = compare(engine, fen, tally)
            if not seen[position]:
                break
            fen = play(fen, choose(fen, seen[position], rng))


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the engine's legal moves with pyffish's.")
    parser.add_argument("--engine", default=ENGINE, metavar="PATH", help="engine command (default: %(default)s)")
    parser.add_argument("--positions", type=int, default=10_000, metavar="N", help="distinct positions to compare")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the random play")
    args = parser.parse_args()

    tally: Counter[str] = Counter()
    begin = time.monotonic()
    try:
        with UsiEngine(args.engine) as engine:
            random_play(engine, args.positions, random.Random(args.seed), tally)
    except (Difference, EngineError) as error:
        print(f"FAILED after {tally['positions']} positions\n{error}")
        return 1
    counts = ", ".join(f"{count} {name}" for name, count in tally.items())
    print(f"same moves everywhere: {counts}; {time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
