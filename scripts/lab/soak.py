#!/usr/bin/env python3
"""Lets the program play for hours, and looks for one thing that is wrong.

    python3 scripts/lab/soak.py games [--games 100000] [--nodes 200]     # every impasse rule, USI against UCI
    python3 scripts/lab/soak.py sessions [--minutes 60] [--threads 1 2 8]

`games` plays matches of the engine in USI against the engine in UCI, every impasse rule in turn, at `--nodes` positions a
move and some more or less, so that no two chunks play the same games. An engine's fault ends the run. pyffish replays every
game: each move must be legal, and the referee's verdict its own where the rules are the same (mate, no legal move, fourfold
repetition, perpetual check; and nothing of these unnoticed at the end of other games).

`sessions` sends `go infinite`, `go ponder`, `go movetime` and their ends at random moments, and prints how long the longest
answer to `stop` took and how much memory the engine had; then 10,000 times `usinewgame`.

`--program` names another program, `--seed` other games. Exits with status 1 at the first fault.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pyffish

from usi import ENGINE, VARIANT, EngineError, UsiEngine, fen_from_sfen, ffish_move, is_pawn_drop_mate, sfen_from_fen
from usi import START

RULES = ["Points12", "Declaration", "Try", "None", "CuteChess"]
# Games of a chunk, whose records are checked before the next.
CHUNK = 1_000
PERPETUAL = "perpetual-check"
# How a game ends by an engine's fault.
FAULTS = {
    *("wrong-declaration", "illegal-move", "time", "hang", "crash", "no-start", "closed-output", "flood", "nonsense"),
    "unasked-move",
}


class Fault(Exception):
    """Something that must not be."""


# Games


def play(program: str, rule: str, nodes: int, games: int, seed: int, record: Path) -> None:
    """Plays a chunk of games to a record."""
    engines = [f"cmd={program},name={name},proto={name}" for name in ("usi", "uci")]
    command = [program, "match", "--engine", engines[0], "--engine", engines[1], "--impasse-rule", rule]
    command += ["--each", f"nodes={nodes},option.MateNodes=0,init=setoption name Threads value 1"]
    command += ["--games", str(games), "--seed", str(seed), "--record", str(record)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise Fault(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")


def start_and_moves(game: dict) -> tuple[str, list[str]]:
    """Where a game began, as FEN, and all its moves in pyffish's notation, those of the opening first."""
    opening, _, before = game["opening"].partition(" moves ")
    sfen = START if opening == "startpos" else opening.removeprefix("sfen ")
    return fen_from_sfen(sfen), [ffish_move(move) for move in before.split() + game["moves"]]


def check(game: dict, tally: Counter[str]) -> None:
    """Compares the verdict of a game with pyffish's.

    pyffish has mates by dropped pawns as legal moves, and ends no game by points or by the zone.
    """
    fen, moves = start_and_moves(game)
    reason, result = game["reason"], game["result"]
    if reason in FAULTS:
        raise Fault(f"a game ended by {reason}: {json.dumps(game)}")
    tally[reason] += 1
    tally["plies"] += len(moves)
    try:
        end = pyffish.get_fen(VARIANT, fen, moves)
        listed = pyffish.legal_moves(VARIANT, fen, moves)
        repeated, value = pyffish.is_optional_game_end(VARIANT, fen, moves)
    except (SystemError, ValueError) as error:
        raise Fault(f"pyffish does not take a move of {json.dumps(game)}: {error}") from error
    is_stuck = not [move for move in listed if not is_pawn_drop_mate(end, move)]
    is_checked = pyffish.gives_check(VARIANT, fen, moves)
    mover_loses = "0-1" if end.split()[1] == "w" else "1-0"
    expected: tuple[str, str] | None = None
    if is_stuck:
        expected = ("checkmate" if is_checked else "no-legal-move", mover_loses)
    elif repeated and value == 0:
        expected = ("sennichite", "1/2-1/2")
    elif repeated:
        # The value is that of the side to move.
        expected = (PERPETUAL, mover_loses if value < 0 else {"0-1": "1-0", "1-0": "0-1"}[mover_loses])
    shared = {"checkmate", "no-legal-move", "sennichite", PERPETUAL}
    if expected != ((reason, result) if reason in shared else None):
        raise Fault(f"{reason} {result} here, {expected} of pyffish, at sfen {sfen_from_fen(end)}: {json.dumps(game)}")


def games(args: argparse.Namespace) -> None:
    tally: Counter[str] = Counter()
    rng = random.Random(args.seed)
    played, begin = 0, time.monotonic()
    while played < args.games:
        rule, nodes = RULES[played // CHUNK % len(RULES)], args.nodes + rng.randint(-args.nodes // 4, args.nodes // 4)
        count = min(CHUNK, args.games - played)
        with tempfile.TemporaryDirectory() as folder:
            record = Path(folder) / "games.jsonl"
            play(args.program, rule, nodes, count, rng.randrange(1 << 32), record)
            lines = record.read_text("utf-8").splitlines()
        if len(lines) != count:
            raise Fault(f"{len(lines)} of {count} games were recorded")
        for line in lines:
            check(json.loads(line), tally)
        played += count
        ends = ", ".join(f"{reason} {number}" for reason, number in tally.most_common() if reason != "plies")
        print(f"{played} games, {tally['plies']} plies, {time.monotonic() - begin:.0f} s: {ends}", flush=True)


# Sessions


def resident(engine: UsiEngine) -> int:
    """The memory of an engine, in KiB."""
    status = Path(f"/proc/{engine.process.pid}/status").read_text("utf-8")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")))


def answer(engine: UsiEngine, after: str, longest: dict[str, float]) -> str:
    """Waits for the answer to what was sent just now, and returns the move."""
    sent = time.monotonic()
    lines = engine.read_until(("bestmove", "info string error"), 20.0)
    if not lines[-1].startswith("bestmove "):
        raise Fault(lines[-1])
    longest[after] = max(longest.get(after, 0.0), time.monotonic() - sent)
    return lines[-1].split()[1]


def step(engine: UsiEngine, moves: list[str], rng: random.Random, longest: dict[str, float]) -> str:
    """One search that is ended at a random moment; its move."""
    engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
    clocks = f"btime {rng.randint(0, 5_000)} wtime {rng.randint(0, 5_000)} byoyomi {rng.randint(1, 100)}"
    kind = rng.choice(["infinite", "ponderhit", "ponder", "clocks"])
    engine.send({"infinite": "go infinite", "clocks": f"go {clocks}"}.get(kind, f"go ponder {clocks}"))
    time.sleep(rng.choice([0.0, 0.0, rng.uniform(0, 0.01), rng.uniform(0, 0.3)]))
    if rng.random() < 0.2:
        engine.send("isready")
    if kind == "ponderhit":
        engine.send("ponderhit")
        time.sleep(rng.uniform(0, 0.05))
    engine.send("stop")
    return answer(engine, "stop", longest)


def session(program: str, threads: int, seconds: float, rng: random.Random) -> None:
    with UsiEngine(program) as engine:
        engine.send(f"setoption name Threads value {threads}")
        engine.send("isready")
        engine.read_until("readyok", 20.0)
        longest: dict[str, float] = {}
        moves: list[str] = []
        searches, memory, end = 0, [], time.monotonic() + seconds
        while time.monotonic() < end:
            move = step(engine, moves, rng, longest)
            searches += 1
            moves = [] if move in ("resign", "win") or len(moves) > 150 else [*moves, move]
            if not moves:
                engine.send("usinewgame")
                engine.send("isready")
                engine.read_until("readyok", 20.0)
            if searches % 100 == 0:
                memory.append(resident(engine))
        # A late answer from a search that had ended would stand in the way here.
        time.sleep(0.2)
        if any(line and line.startswith("bestmove") for line in list(engine.lines.queue)):
            raise Fault("a search was answered twice")
        print(
            f"{threads} threads: {searches} searches, the longest answer to stop after {longest['stop'] * 1000:.0f} ms, "
            f"{min(memory, default=0) // 1024} to {max(memory, default=0) // 1024} MiB",
            flush=True,
        )


def new_games(program: str, count: int) -> None:
    """Memory must not grow with the number of games. Tables are small: pages of large ones count once they are touched."""
    with UsiEngine(program) as engine:
        engine.send("setoption name USI_Hash value 1")
        engine.send("setoption name MateHash value 1")
        memory = []
        for number in range(count):
            engine.send("usinewgame")
            engine.send("go nodes 100")
            answer(engine, "nodes", {})
            if number % (count // 10) == 0:
                memory.append(resident(engine))
        print(f"{count} times usinewgame: {', '.join(f'{kib / 1024:.1f}' for kib in memory)} MiB", flush=True)
        if memory[-1] > memory[1] + 1024:
            raise Fault("memory grows")


def sessions(args: argparse.Namespace) -> None:
    rng = random.Random(args.seed)
    for threads in args.threads:
        session(args.program, threads, args.minutes * 60 / len(args.threads), rng)
    new_games(args.program, 10_000)


def main() -> int:
    parser = argparse.ArgumentParser(description="Let the program play for hours.")
    parser.add_argument("what", choices=["games", "sessions"])
    parser.add_argument("--program", default=ENGINE, metavar="PATH", help="the program (default: %(default)s)")
    parser.add_argument("--games", type=int, default=100_000, metavar="N", help="games to play")
    parser.add_argument("--nodes", type=int, default=200, metavar="N", help="positions searched for a move, about")
    parser.add_argument("--minutes", type=float, default=60, metavar="N", help="how long sessions run, in all")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 8], metavar="N", help="threads of the sessions")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of everything random")
    args = parser.parse_args()
    try:
        {"games": games, "sessions": sessions}[args.what](args)
    except (Fault, EngineError) as fault:
        print(f"FAILED: {fault}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
