"""Shared by the scripts in this folder: USI engines as child processes, and pyffish for Judkins shogi.

Positions are kept as pyffish's FEN and moves in its UCI-like notation (`e1d2`, `b5b6+`, `P@d4`); engines get and give
SFEN and USI (`2f3e`, `5b5a+`, `P*3c`). Both count the board the same way up, but FEN calls the side that moves first
(Black in shogi) `w`.
"""

from __future__ import annotations

import contextlib
import queue
import re
import shlex
import subprocess
import threading
import time
from pathlib import Path

import pyffish

VARIANT = "judkins"
START = "rbnsgk/5p/6/6/P5/KGSNBR b - 1"
HANDICAPS = ["r1nsgk/5p/6/6/P5/KGSNBR w - 1", "1bnsgk/5p/6/6/P5/KGSNBR w - 1", "2nsgk/5p/6/6/P5/KGSNBR w - 1"]
STARTS = dict(zip(["startpos", "bishop", "rook", "two-pieces"], [START, *HANDICAPS], strict=True))
ENGINE = str(Path(__file__).resolve().parents[2] / "target/release/judkins")
HAND_ORDER = "RBGSNPrbgsnp"

TO_USI = str.maketrans("abcdef123456", "654321fedcba")
TO_FFISH = str.maketrans("654321fedcba", "abcdef123456")


# Notation


def usi_move(move: str) -> str:
    """`e1d2` -> `2f3f`, `P@d4` -> `P*3c`."""
    return move.replace("@", "*").translate(TO_USI)


def ffish_move(move: str) -> str:
    """`2f3f` -> `e1d1`, `P*3c` -> `P@d4`. The move must be well formed."""
    return move.replace("*", "@").translate(TO_FFISH)


def fen_from_sfen(sfen: str) -> str:
    """FEN counts pairs of moves and SFEN moves, so the move number of a game that White begins comes back one higher.
    Nothing depends on it."""
    board, side, hands, *number = sfen.split()
    pieces = "".join(piece * int(count or 1) for count, piece in re.findall(r"(\d*)([A-Za-z])", hands))
    full_move = (int(number[0]) + 1) // 2 if number else 1
    return f"{board}[{pieces}] {'w' if side == 'b' else 'b'} - - 0 {full_move}"


def sfen_from_fen(fen: str) -> str:
    placement, side, *_, full_move = fen.split()
    board, _, pieces = placement.rstrip("]").partition("[")
    counts = [(pieces.count(piece), piece) for piece in HAND_ORDER]
    hands = "".join(f"{count if count > 1 else ''}{piece}" for count, piece in counts if count)
    number = 2 * int(full_move) - (side == "w")
    return f"{board} {'b' if side == 'w' else 'w'} {hands or '-'} {number}"


# Referee


def play(fen: str, move: str) -> str:
    return str(pyffish.get_fen(VARIANT, fen, [move]))


def in_check(fen: str) -> bool:
    """Whether the side to move is in check."""
    return bool(pyffish.gives_check(VARIANT, fen, []))


def pieces(fen: str) -> dict[str, str]:
    """The letter of the piece on each occupied square; promotion is left out."""
    board: dict[str, str] = {}
    for rank, row in zip("654321", fen.partition("[")[0].replace("+", "").split("/")):
        cells = re.sub(r"\d", lambda digit: " " * int(digit[0]), row)
        board |= {file + rank: cell for file, cell in zip("abcdef", cells) if cell != " "}
    return board


def is_pawn_drop_mate(fen: str, move: str) -> bool:
    """Whether a move that pyffish lists is a pawn drop that mates: pyffish takes those for legal, the rules do not.
    The reply cannot be such a drop itself: nothing can be dropped between a pawn and the king it checks."""
    if not move.startswith("P@"):
        return False
    step, king = (1, "k") if fen.split()[1] == "w" else (-1, "K")
    # pyffish takes milliseconds for each answer, and a pawn checks from one square only.
    if pieces(fen).get(f"{move[2]}{int(move[3]) + step}") != king:
        return False
    return pyffish.gives_check(VARIANT, fen, [move]) and not pyffish.legal_moves(VARIANT, fen, [move])


# Engines


class EngineError(Exception):
    """The engine died, fell silent, or broke the protocol."""


class UsiEngine:
    """A USI engine as a child process. Use it in a `with` block; its standard error is left to show."""

    def __init__(self, command: str, timeout: float = 20.0) -> None:
        try:
            self.process = subprocess.Popen(
                [command] if Path(command).is_file() else shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise EngineError(f"cannot start {command}: {error}") from error
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        try:
            self._handshake(timeout)
        except EngineError:
            self.close()
            raise

    def __enter__(self) -> UsiEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def _handshake(self, timeout: float) -> None:
        self.send("usi")
        for line in self.read_until("usiok", timeout):
            # Engines of many variants must be told which; older ones name the option UCI_Variant even here.
            if (match := re.match(r"option name (U[CS]I_Variant) type combo", line)) and VARIANT in line.split():
                self.send(f"setoption name {match[1]} value {VARIANT}")
        self.send("isready")
        self.read_until("readyok", timeout)

    def send(self, line: str) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError) as error:
            raise EngineError(self._death()) from error

    def read(self, deadline: float) -> str:
        try:
            line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise EngineError("no answer") from None
        if line is None:
            raise EngineError(self._death())
        return line

    def read_until(self, prefixes: str | tuple[str, ...], timeout: float) -> list[str]:
        """All lines up to the first that begins with one of `prefixes`."""
        deadline = time.monotonic() + timeout
        lines: list[str] = []
        while not lines or not lines[-1].startswith(prefixes):
            lines.append(self.read(deadline))
        return lines

    def perft_moves(self, sfen: str, timeout: float = 20.0) -> list[str]:
        """The moves `go perft 1` lists."""
        try:
            self.send(f"position sfen {sfen}")
            self.send("go perft 1")
            lines = self.read_until(("Nodes searched", "bestmove", "info string error"), timeout)
        except EngineError as error:
            raise EngineError(f"{error}, at sfen {sfen}") from error
        if not lines[-1].startswith("Nodes searched"):
            raise EngineError(f"{lines[-1]}, at sfen {sfen}")
        return [match[1] for line in lines if (match := re.fullmatch(r"(\S+): 1", line))]

    def close(self) -> None:
        """Asks the engine to quit, and ends it if it does not."""
        assert self.process.stdin and self.process.stdout
        try:
            self.send("quit")
            self.process.wait(2.0)
        except (EngineError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.reader.join(2.0)
        if not self.reader.is_alive():
            self.process.stdout.close()

    def _death(self) -> str:
        try:
            return f"died with status {self.process.wait(1.0)}"
        except subprocess.TimeoutExpired:
            return "closed its output"
