#!/usr/bin/env python3
"""Compares `judkins convert` with pyffish's algebraic notation (SAN) on games of random play.

    python3 scripts/lab/records.py [--program PATH] [--games 100] [--seed 1]

Each game is written as PGN of Fairy-Stockfish, whose moves must be pyffish's own, and read from PGN that is made of
pyffish's moves, which must give the game again. Exits with status 1 at the first difference.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import time

import pyffish

from usi import ENGINE, HANDICAPS, START, VARIANT, fen_from_sfen, is_pawn_drop_mate, pieces, play, usi_move

MAX_PLIES = 120
# Late positions, so that promoted pieces that share a letter come into each other's way.
STARTS = [START, *HANDICAPS, "5k/6/1+P+N+S+B1/1+p+n+s2/6/K5 b 2R2Gb 1", "1k4/1+s1+n2/6/2+S1+N1/3+P2/K4G w RBrbgp 8"]


class Difference(Exception):
    """A game that the two write differently."""


def convert(program: str, text: str, target: str) -> str:
    command = [program, "convert", "-", "--to", target]
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise Difference(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}\n{text}")
    return done.stdout


def random_game(start: str, rng: random.Random) -> list[str]:
    """Moves of random play, in pyffish's notation; more often than by even chance captures and promotions."""
    fen, moves = fen_from_sfen(start), []
    while len(moves) < MAX_PLIES:
        taken = pieces(fen)
        legal = [move for move in pyffish.legal_moves(VARIANT, fen, []) if not is_pawn_drop_mate(fen, move)]
        if not legal:
            break
        board = [move for move in legal if "@" not in move]
        captures = [move for move in board if move[2:4] in taken]
        promotions = [move for move in board if move.endswith("+")]
        moves.append(rng.choice(rng.choice([captures, promotions, board, legal]) or legal))
        fen = play(fen, moves[-1])
    return moves


def usi_line(start: str, moves: list[str]) -> str:
    line = "startpos" if start == START else f"sfen {start}"
    return line + (" moves " + " ".join(map(usi_move, moves)) if moves else "")


def pgn(start: str, san: list[str]) -> str:
    """A game as pychess writes it."""
    tags = f'[Variant "Judkinsshogi"]\n[FEN "{fen_from_sfen(start)}"]\n[SetUp "1"]\n\n'
    first = 0 if start.split()[1] == "b" else 1
    numbered = [
        f"{ply // 2 + 1}. {move}" if ply % 2 == 0 else f"1... {move}" if ply == first else move
        for ply, move in enumerate(san, first)
    ]
    return f"{tags}{' '.join(numbered)} *\n\n"


def moves_of(text: str) -> list[list[str]]:
    """The moves of each game of a PGN file without comments."""
    games = re.split(r"\n\n(?=\[)", text.strip())
    movetexts = [game.partition("\n\n")[2] for game in games]
    return [[word for word in movetext.split() if not re.fullmatch(r"\d+\.+|\*", word)] for movetext in movetexts]


def compare(program: str, games: list[tuple[str, list[str]]]) -> int:
    """Compares what both write and read; the number of moves."""
    lines = [usi_line(start, moves) for start, moves in games]
    theirs = [
        list(pyffish.get_san_moves(VARIANT, fen_from_sfen(start), moves, False, pyffish.NOTATION_SAN))
        for start, moves in games
    ]
    ours = moves_of(convert(program, "\n".join(lines), "pgn-fairy"))
    for line, our, their in zip(lines, ours, theirs, strict=True):
        for number, (one, other) in enumerate(zip(our, their, strict=True), 1):
            if one != other:
                raise Difference(f"{line}\nmove {number}: {one} here, {other} of pyffish")
    text = "".join(pgn(start, san) for (start, _), san in zip(games, theirs))
    for line, read in zip(lines, convert(program, text, "usi").splitlines(), strict=True):
        # FEN numbers pairs of moves: which of the two a game begins with, it does not say.
        if re.sub(r" \d+( moves|$)", r"\1", line) != re.sub(r" \d+( moves|$)", r"\1", read):
            raise Difference(f"{line}\nis read from PGN as\n{read}")
    for target in ["pgn", "pgn-cutechess", "kif", "ki2"]:
        if convert(program, convert(program, "\n".join(lines), target), "usi").splitlines() != lines:
            raise Difference(f"{target} does not give back\n" + "\n".join(lines))
    return sum(map(len, theirs))


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare judkins convert with pyffish's algebraic notation.")
    parser.add_argument("--program", default=ENGINE, metavar="PATH", help="the program (default: %(default)s)")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="games to compare")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the random play")
    args = parser.parse_args()

    rng = random.Random(args.seed)
    begin = time.monotonic()
    starts = [STARTS[index % len(STARTS)] for index in range(args.games)]
    games = [(start, random_game(start, rng)) for start in starts]
    try:
        moves = compare(args.program, games)
    except Difference as difference:
        print(f"FAILED: {difference}")
        return 1
    print(f"the same in {len(games)} games of {moves} moves; {time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
