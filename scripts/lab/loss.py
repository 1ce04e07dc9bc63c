#!/usr/bin/env python3
"""How much win chance the moves of several settings lose, by the verdict of a deep search.

    python3 scripts/lab/loss.py games.jsonl --setting "one: Threads=1" --setting "two: Threads=2" [--go "movetime 30"]

Takes positions from the records of matches (`judkins match --record`), and has each setting choose a move in each, from an
empty table. Where the choices differ, a search of the position after each judges it. Prints the mean loss of each setting
against the best choice of any, and its difference from the first setting's with one standard error. Every position is
asked of every setting, so this tells settings apart sooner than games do. It says nothing of what a setting does with its
clock, and games decide.

A setting is a name and options of the engine; `program=PATH` among them names another build of it, and `go=LIMIT` another
limit. Parameters of the search count as options (`--tune`). A setting is alone on the machine while it searches; the judges
run on all cores after that.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import queue
import random
import shlex
import sys
import threading
from pathlib import Path

from usi import ENGINE, EngineError, UsiEngine

# Centipawns for odds of e to 1: src/review/chance.rs.
SCALE = 215.0
# Longer than any search here takes, in seconds.
PATIENCE = 600.0
# Plies between two positions of a game, so that they differ.
STRIDE = 4
# The chance to win by an answer that is not a move, before which an engine may state no score.
VERDICTS = {"win": 1.0, "resign": 0.0}


def positions(records: list[Path], count: int, seed: int) -> list[str]:
    """Positions of games, as `position` takes them; not the last plies, where nothing is left to choose."""
    found = []
    for record in records:
        for line in record.read_text("utf-8").splitlines():
            game = json.loads(line)
            if "moves" not in game:
                continue
            start, _, before = game["opening"].partition(" moves ")
            for ply in range(2, len(game["moves"]) - 6, STRIDE):
                found.append(" ".join([start, "moves", *before.split(), *game["moves"][:ply]]))
    random.Random(seed).shuffle(found)
    return found[:count]


class Player:
    """An engine with its options and its limit."""

    def __init__(self, setting: dict[str, str], limit: str) -> None:
        options = dict(setting)
        program = options.pop("program", ENGINE)
        self.limit = options.pop("go", limit)
        self.engine = UsiEngine(f"{shlex.quote(program)} --tune")
        for option, value in options.items():
            self.engine.send(f"setoption name {option} value {value}")
        self.engine.send("isready")
        refused = [line for line in self.engine.read_until("readyok", PATIENCE) if line.startswith("info string error")]
        if refused:
            self.engine.close()
            raise EngineError(refused[0])

    def search(self, position: str) -> tuple[str, float]:
        """The move chosen, and the chance to win by the last score; from an empty table."""
        self.engine.send("usinewgame")
        self.engine.send("isready")
        self.engine.read_until("readyok", PATIENCE)
        self.engine.send(f"position {position}")
        self.engine.send(f"go {self.limit}")
        lines = self.engine.read_until(("bestmove", "info string error"), PATIENCE)
        if not lines[-1].startswith("bestmove"):
            raise EngineError(f"{lines[-1]}, at {position}")
        answer = lines[-1].split()[1]
        chance = VERDICTS.get(answer, 0.5)
        for kind, value in (line.split(" score ")[1].split()[:2] for line in lines if " score " in line):
            mates = 0.0 if value.startswith("-") else 1.0
            chance = mates if kind == "mate" else 1 / (1 + math.exp(-int(value) / SCALE))
        return answer, chance


def judge(choices: list[tuple[str, str]], nodes: int) -> dict[tuple[str, str], float]:
    """The chance to win after each move, on all cores."""
    waiting: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
    for choice in choices:
        waiting.put(choice)
    chances: dict[tuple[str, str], float] = {}
    failures: list[EngineError] = []

    def work() -> None:
        try:
            player = Player({"Threads": "1", "USI_Hash": "16"}, f"nodes {nodes}")
            with player.engine:
                while not failures:
                    try:
                        position, move = waiting.get_nowait()
                    except queue.Empty:
                        return
                    known = VERDICTS.get(move)
                    chances[position, move] = 1 - player.search(f"{position} {move}")[1] if known is None else known
        except EngineError as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(os.cpu_count() or 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return chances


def setting(text: str) -> tuple[str, dict[str, str]]:
    name, colon, options = text.partition(":")
    pairs = [pair.strip().partition("=") for pair in options.split(",") if pair.strip()]
    if not colon or not all(equals for _, equals, _ in pairs):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME: OPTION=VALUE, …")
    return name.strip(), {option: value for option, _, value in pairs}


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare settings by what their moves lose.")
    parser.add_argument("records", type=Path, nargs="+", metavar="RECORD", help="records of matches")
    parser.add_argument("--setting", type=setting, action="append", required=True, metavar="NAME: OPTION=VALUE, …")
    parser.add_argument("--go", default="movetime 30", metavar="LIMIT", help="limit of a search (default: %(default)s)")
    parser.add_argument("--positions", type=int, default=1_000, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument("--nodes", type=int, default=150_000, metavar="N", help="of the judge (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the choice of positions")
    args = parser.parse_args()
    asked = positions(args.records, args.positions, args.seed)
    if not asked:
        print("FAILED: no positions in these records", file=sys.stderr)
        return 1
    if len({name for name, _ in args.setting}) < len(args.setting):
        parser.error("two settings have the same name")
    chosen: dict[str, list[str]] = {}
    try:
        for name, options in args.setting:
            player = Player({"USI_Hash": "16", **options}, args.go)
            with player.engine:
                chosen[name] = [player.search(position)[0] for position in asked]
        moves = [{choices[index] for choices in chosen.values()} for index in range(len(asked))]
        differing = [(position, move) for position, those in zip(asked, moves) if len(those) > 1 for move in those]
        chances = judge(differing, args.nodes)
    except EngineError as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    lost: dict[str, list[float]] = {name: [] for name in chosen}
    for index, (position, those) in enumerate(zip(asked, moves)):
        best = max((chances[position, move] for move in those), default=0.0) if len(those) > 1 else 0.0
        for name, choices in chosen.items():
            lost[name].append(best - chances[position, choices[index]] if len(those) > 1 else 0.0)
    first = next(iter(lost.values()))
    for name, losses in lost.items():
        more = [loss - other for loss, other in zip(losses, first)]
        mean = sum(more) / len(more)
        error = math.sqrt(sum((loss - mean) ** 2 for loss in more)) / len(more)
        print(f"{name:16} loses {100 * sum(losses) / len(losses):.3f} %, {100 * mean:+.3f} ± {100 * error:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
