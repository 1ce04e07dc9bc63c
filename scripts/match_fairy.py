#!/usr/bin/env python3
"""Plays a match between two USI engines, by default this one against Fairy-Stockfish.

    python3 scripts/match_fairy.py --games 100 --movetime 100 --concurrency 2 --save match.jsonl
    python3 scripts/match_fairy.py --games 20 --nodes 20000 --opponent 'old/judkins' --engine-options Threads=1

Each opening is played twice, the engines changing sides. pyffish referees. A game ends by mate (or no move), by the
fourth repetition (a draw, or lost for a side that only gave check), after 400 plies (a draw), by resignation, by an
illegal move, or when an engine dies or falls silent. A late move is reported but does not end the game. Impasse is not
adjudicated. Exits with status 1 if the first engine moved illegally, crashed or was late.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from usi import ENGINE, OTHER, START, Answer, EngineError, Record, UsiEngine, fen_from_sfen, ffish_move
from usi import has_legal_move, is_legal, usi_move

FAIRY = "/usr/games/fairy-stockfish"
OPENINGS = Path(__file__).resolve().parent.parent / "tests/data/openings.txt"
MAX_PLIES = 400
SILENCE = 10.0  # seconds past its time after which an engine counts as hung
NODES_TIMEOUT = 300.0


@dataclass
class Player:
    """One side of the match, and how it searches."""

    name: str
    command: str
    options: list[str]
    go: str
    movetime: float | None  # seconds; none when nodes are the limit
    margin: float

    def timeout(self) -> float:
        return NODES_TIMEOUT if self.movetime is None else self.movetime + SILENCE

    def is_late(self, answer: Answer) -> bool:
        return self.movetime is not None and answer.seconds > self.movetime + self.margin


@dataclass
class Game:
    """A game as it was played. `faults` counts (player name, kind of fault)."""

    number: int
    opening: str
    black: Player
    white: Player
    moves: list[str] = field(default_factory=list)
    winner: str = ""  # "black", "white", or "" for a draw
    reason: str = ""
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    answers: list[tuple[str, Answer]] = field(default_factory=list)

    def finish(self, winner: str, reason: str) -> None:
        self.winner, self.reason = winner, reason

    def score(self, player: Player) -> float:
        return 0.5 if not self.winner else float(getattr(self, self.winner) is player)

    def result(self) -> str:
        return {"black": "1-0", "white": "0-1", "": "1/2-1/2"}[self.winner]


def read_opening(line: str) -> tuple[str, list[str]]:
    """The FEN an opening starts from, and its moves."""
    start, _, moves = line.partition(" moves ")
    return fen_from_sfen(START if start == "startpos" else start.removeprefix("sfen ")), moves.split()


def play_game(game: Game) -> Game:
    start, opening = read_opening(game.opening)
    record = Record(start)
    for move in opening:
        if not is_legal(record.fen, ffish_move(move)):
            raise ValueError(f"illegal move {move} in the opening: {game.opening}")
        record.play(ffish_move(move))
    game.moves = list(opening)

    engines: dict[str, UsiEngine] = {}
    try:
        for side, player in (("black", game.black), ("white", game.white)):
            try:
                engines[side] = UsiEngine(player.command, player.options)
                engines[side].send("usinewgame")
            except EngineError as error:
                game.faults[player.name, "crashes"] += 1
                game.finish(OTHER[side], f"{player.name} failed to start: {error}")
                return game
        while not game.reason:
            play_ply(game, record, engines)
    finally:
        for engine in engines.values():
            engine.close()
    return game


def play_ply(game: Game, record: Record, engines: dict[str, UsiEngine]) -> None:
    """Ends the game if it is over, else has the side to move make its move."""
    side = record.side()
    if not has_legal_move(record.fen):
        return game.finish(OTHER[side], "checkmate" if record.checks[-1] else "no legal move")
    if verdict := record.repetition():
        return game.finish(*verdict)
    if len(game.moves) >= MAX_PLIES:
        return game.finish("", f"{MAX_PLIES} plies")

    player: Player = getattr(game, side)
    position = f"position {game.opening.partition(' moves ')[0]} moves {' '.join(game.moves)}".removesuffix(" moves ")
    try:
        answer = engines[side].search(position, player.go, player.timeout())
    except EngineError as error:
        game.faults[player.name, "crashes"] += 1
        return game.finish(OTHER[side], f"{player.name} {error}")
    game.answers.append((player.name, answer))
    if player.is_late(answer):
        game.faults[player.name, "overruns"] += 1
        print(f"game {game.number}: {player.name} took {answer.seconds * 1000:.0f} ms at ply {len(game.moves)}")
    if answer.move == "resign":
        return game.finish(OTHER[side], "resignation")

    # A word that is no move at all comes out of the conversion as something illegal.
    move = ffish_move(answer.move)
    if usi_move(move) != answer.move or not is_legal(record.fen, move):
        game.faults[player.name, "illegal moves"] += 1
        return game.finish(OTHER[side], f"{player.name} made the illegal move {answer.move!r}")
    game.moves.append(answer.move)
    record.play(move)


def elo(score: float) -> float:
    if score <= 0.0 or score >= 1.0:
        return math.copysign(math.inf, score - 0.5)
    return 400.0 * math.log10(score / (1.0 - score))


def interval(wins: int, draws: int, losses: int) -> tuple[float, float]:
    """The 95 % interval of the expected score: Wilson's, with draws taking their part off the variance. Unlike the
    usual normal one it stays sensible when one side wins every game."""
    games = wins + draws + losses
    score, c = (wins + draws / 2) / games, 1.96**2 / games
    half = 2 * score + c
    root = math.sqrt(max(0.0, half**2 - 4 * (1 + c) * (score**2 + c * draws / games / 4)))
    return (half - root) / (2 * (1 + c)), (half + root) / (2 * (1 + c))


def speed(answers: list[Answer]) -> str:
    """Mean depth and nodes per second; once a mate is found the depth says nothing."""
    depths = [answer.info["depth"] for answer in answers if "depth" in answer.info and not answer.is_mate_score]
    timed = [answer.info for answer in answers if answer.info.get("time") and "nodes" in answer.info]
    nps = 1000 * sum(info["nodes"] for info in timed) / max(1, sum(info["time"] for info in timed))
    return f"mean depth {sum(depths) / max(1, len(depths)):.1f}, {nps:,.0f} nodes/s"


def report(games: list[Game], engine: Player, opponent: Player) -> int:
    """Prints what the match came to and returns the exit status."""
    scores = Counter(game.score(engine) for game in games)
    wins, draws, losses = scores[1.0], scores[0.5], scores[0.0]
    score, (low, high) = (wins + draws / 2) / len(games), interval(wins, draws, losses)
    print(f"\n{engine.name} ({engine.command}) against {opponent.name} ({opponent.command}), {len(games)} games")
    bounds = f"[{elo(low):+.0f}, {elo(high):+.0f}]"
    print(f"W/D/L {wins}/{draws}/{losses}, score {score:.3f}, Elo {elo(score):+.0f} {bounds}")
    faults: Counter[tuple[str, str]] = sum((game.faults for game in games), Counter())
    for player in (engine, opponent):
        kinds = ", ".join(f"{kind} {faults[player.name, kind]}" for kind in ("overruns", "illegal moves", "crashes"))
        answers = [answer for game in games for name, answer in game.answers if name == player.name]
        print(f"{player.name}: {kinds}; {speed(answers)}")
    return int(any(name == engine.name for name, _ in faults))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play a match between two USI engines.")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--movetime", type=int, default=100, metavar="MS")
    parser.add_argument("--their-movetime", type=int, metavar="MS", help="the opponent's, if it differs")
    parser.add_argument("--nodes", type=int, help="search by nodes; the opponent too, unless it has --their-movetime")
    parser.add_argument("--openings", type=Path, default=OPENINGS, metavar="FILE", help="lines of `startpos moves ...`")
    parser.add_argument("--engine", default=ENGINE, metavar="CMD")
    parser.add_argument("--opponent", default=FAIRY, metavar="CMD")
    parser.add_argument("--engine-options", nargs="+", default=[], metavar="K=V")
    parser.add_argument("--opponent-options", nargs="+", default=[], metavar="K=V", help="the variant is set by itself")
    parser.add_argument("--concurrency", type=int, default=1, metavar="N", help="games at a time")
    parser.add_argument("--seed", type=int, help="shuffle the openings by this seed (default: in their order)")
    parser.add_argument("--margin", type=int, default=50, metavar="MS", help="a move later than this is an overrun")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write a line of JSON for each game")
    args = parser.parse_args()
    if args.games < 1 or args.concurrency < 1:
        parser.error("--games and --concurrency must be at least 1")
    return args


def main() -> int:
    args = parse_arguments()
    openings = [line.strip() for line in args.openings.read_text().splitlines() if line.strip()]
    if args.seed is not None:
        random.Random(args.seed).shuffle(openings)

    def player(name: str, command: str, options: list[str], movetime: int | None) -> Player:
        go = f"go nodes {args.nodes}" if movetime is None else f"go movetime {movetime}"
        return Player(name, command, options, go, movetime and movetime / 1000, args.margin / 1000)

    own_time = None if args.nodes else args.movetime
    engine = player("engine", args.engine, args.engine_options, own_time)
    opponent = player("opponent", args.opponent, args.opponent_options, args.their_movetime or own_time)

    def schedule(index: int) -> Game:
        black, white = (engine, opponent) if index % 2 == 0 else (opponent, engine)
        return Game(index + 1, openings[index // 2 % len(openings)], black, white)

    games: list[Game] = []
    with ThreadPoolExecutor(args.concurrency) as pool:
        futures = [pool.submit(play_game, schedule(index)) for index in range(args.games)]
        save = args.save.open("w") if args.save else None
        try:
            for future in as_completed(futures):
                games.append(game := future.result())
                outcome = f"{game.black.name} - {game.white.name} {game.result()}"
                print(f"game {game.number}: {outcome}, {len(game.moves)} plies, {game.reason}", flush=True)
                if save:
                    fields = {"game": game.number, "black": game.black.name, "white": game.white.name}
                    fields |= {"opening": game.opening, "moves": game.moves, "result": game.result()}
                    print(json.dumps(fields | {"reason": game.reason}), file=save, flush=True)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if save:
                save.close()
    return report(games, engine, opponent)


if __name__ == "__main__":
    sys.exit(main())
