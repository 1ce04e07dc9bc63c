#!/usr/bin/env python3
"""Replays a proof with pyffish: every reply to every move of the winner has an answer that is nearer to mate.

    judkins prove my.proof --check --export my.db
    python3 scripts/lab/replay.py my.db [--start two-pieces] [--winner black] [--piece 1/100]

Reads what `judkins prove --export` wrote. Nothing of this project says which moves are legal here. The plies to mate become
fewer with each answer, so each position can be checked alone: 100 runs with `--piece 1/100` to `--piece 100/100` check the
same as one run without, on several cores or on several days. Exits with status 1 at the first fault.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

import pyffish

from usi import STARTS, VARIANT, fen_from_sfen, ffish_move, is_pawn_drop_mate, sfen_from_fen

MATE = 32_000


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


def replies(fen: str, moves: list[str]) -> Iterator[str]:
    """The positions after these moves and every legal reply. pyffish takes milliseconds for each answer."""
    here = ""
    for reply in pyffish.legal_moves(VARIANT, fen, moves):
        if reply.startswith("P@"):
            here = here or pyffish.get_fen(VARIANT, fen, moves)
            if is_pawn_drop_mate(here, reply):
                continue
        yield pyffish.get_fen(VARIANT, fen, [*moves, reply])


def check(sfen: str, answers: dict[str, tuple[str, int]]) -> None:
    """Checks that after the winner's move every reply has an answer that is nearer to mate, or that the move mates."""
    usi, plies = answers[sfen]
    fen, move = fen_from_sfen(sfen), ffish_move(usi)
    if is_pawn_drop_mate(fen, move):
        raise Fault(f"{usi} is not legal in {sfen}")
    try:
        for after in replies(fen, [move]):
            _, left = answers.get(identity(sfen_from_fen(after)), ("", plies))
            if left > plies - 2:
                raise Fault(f"{usi} in {sfen}: nothing nearer to mate after {sfen_from_fen(after)}")
    except SystemError as error:
        # pyffish raises this error for an illegal move.
        raise Fault(f"{usi} is not legal in {sfen}") from error


def plies_to_mate(answers: dict[str, tuple[str, int]], start: str, winner: str) -> int:
    """The plies from the start to mate at most."""
    fen = fen_from_sfen(start)
    is_winners = start.split()[1] == winner
    first = [identity(sfen_from_fen(fen)) for fen in ([fen] if is_winners else replies(fen, []))]
    if missing := [sfen for sfen in first if sfen not in answers]:
        raise Fault(f"no answer in {missing[0]}")
    return max((answers[sfen][1] for sfen in first), default=0) + (not is_winners)


def piece(text: str) -> tuple[int, int]:
    number, count = map(int, text.split("/"))
    if not 1 <= number <= count:
        raise ValueError(text)
    return number, count


def main() -> int:
    parser = argparse.ArgumentParser(description="Replay a proof of `judkins prove --export` with pyffish.")
    parser.add_argument("book", metavar="FILE", help="what was exported")
    parser.add_argument("--start", default="two-pieces", metavar="SFEN", help="an SFEN, startpos or a handicap")
    parser.add_argument("--winner", choices=["black", "white"], default="black")
    parser.add_argument("--piece", type=piece, default=(1, 1), metavar="N/COUNT", help="check one position of COUNT")
    args = parser.parse_args()

    begin = time.monotonic()
    answers = read(args.book)
    number, count = args.piece
    positions = sorted(answers)[number - 1 :: count]
    try:
        plies = plies_to_mate(answers, STARTS.get(args.start, args.start), args.winner[0])
        for sfen in positions:
            check(sfen, answers)
    except Fault as error:
        print(f"FAILED: {error}")
        return 1
    print(
        f"{args.winner} wins in {plies} plies at most: piece {number} of {count}, {len(positions)} of {len(answers)} positions, "
        f"{time.monotonic() - begin:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
