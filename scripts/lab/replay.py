#!/usr/bin/env python3
"""Replays a proof with pyffish: every reply to every move of the winner has an answer that is nearer to mate.

    judkins prove my.proof --check --export my.db
    python3 scripts/lab/replay.py my.db [--start two-pieces] [--winner black]

Reads what `judkins prove --export` wrote. Nothing of this project says which moves are legal here. Exits with status 1 at
the first fault.
"""

from __future__ import annotations

import argparse
import sys
import time

import pyffish

from usi import HANDICAPS, START, VARIANT, fen_from_sfen, ffish_move, is_pawn_drop_mate, play, sfen_from_fen

MATE = 32_000
STARTS = dict(zip(["startpos", "bishop", "rook", "two-pieces"], [START, *HANDICAPS], strict=True))


class Fault(Exception):
    """Something that must not be."""


def identity(sfen: str) -> str:
    """A position without its move number."""
    return " ".join(sfen.split()[:3])


def read(path: str) -> dict[str, tuple[str, int]]:
    """For each position the winner's move, and the plies to mate at most."""
    answers: dict[str, tuple[str, int]] = {}
    position = ""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("sfen "):
                position = identity(line.removeprefix("sfen "))
            elif not line.startswith("#"):
                move, _, score, *_ = line.split()
                answers[position] = (move, MATE - int(score))
    return answers


def replies(fen: str) -> list[str]:
    """The positions after every legal move."""
    moves = pyffish.legal_moves(VARIANT, fen, [])
    return [play(fen, move) for move in moves if not is_pawn_drop_mate(fen, move)]


def replay(answers: dict[str, tuple[str, int]], start: str, winner: str) -> tuple[int, int]:
    """The positions in which the winner moves, and the plies from the start to mate at most."""
    start_fen = fen_from_sfen(start)
    open_positions = [start_fen] if start.split()[1] == winner else replies(start_fen)
    longest = max((answers.get(identity(sfen_from_fen(fen)), ("", 0))[1] for fen in open_positions), default=0)
    seen: set[str] = set()
    while open_positions:
        fen = open_positions.pop()
        sfen = sfen_from_fen(fen)
        if identity(sfen) in seen:
            continue
        seen.add(identity(sfen))
        if identity(sfen) not in answers:
            raise Fault(f"no answer in {sfen}")
        move, plies = answers[identity(sfen)]
        if ffish_move(move) not in pyffish.legal_moves(VARIANT, fen, []) or is_pawn_drop_mate(fen, ffish_move(move)):
            raise Fault(f"{move} is not legal in {sfen}")
        after = replies(play(fen, ffish_move(move)))
        for next_fen in after:
            _, left = answers.get(identity(sfen_from_fen(next_fen)), ("", plies))
            if left > plies - 2:
                raise Fault(f"{move} in {sfen}: nothing nearer to mate after {sfen_from_fen(next_fen)}")
        open_positions += after
    return len(seen), longest + (start.split()[1] != winner)


def main() -> int:
    parser = argparse.ArgumentParser(description="Replay a proof of `judkins prove --export` with pyffish.")
    parser.add_argument("book", metavar="FILE", help="what was exported")
    parser.add_argument("--start", default="two-pieces", metavar="SFEN", help="an SFEN, startpos or a handicap")
    parser.add_argument("--winner", choices=["black", "white"], default="black")
    args = parser.parse_args()

    begin = time.monotonic()
    try:
        positions, plies = replay(read(args.book), STARTS.get(args.start, args.start), args.winner[0])
    except Fault as error:
        print(f"FAILED: {error}")
        return 1
    print(f"{args.winner} wins: {positions} positions, mate in {plies} plies at most; {time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
