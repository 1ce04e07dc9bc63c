#!/usr/bin/env python3
"""Matches, sequential tests, tuning, training games and books spread over machines with Dask (`pip install distributed`).

    scripts/cluster.py match --engine cmd=A,name=a --engine cmd=B,name=b --each nodes=4000 --games 1000 \\
        --record games.jsonl [--sprt elo0=0 elo1=5]
    scripts/cluster.py tune --params tune.toml --each nodes=4000 --iterations 2000 --out tuning
    scripts/cluster.py datagen --out games --shards 1000 [-- --nodes 400 --seed 5]
    scripts/cluster.py rescore games --out rescored [-- --nodes 2000]
    scripts/cluster.py book main.book --positions 50000 [--size 4] [-- --nodes 500000 --batch 128]
    scripts/cluster.py scale --engine cmd=A,name=a --engine cmd=B,name=b --each nodes=4000

`scale` measures jobs a second with 1, 2 and 4 workers of this machine, what a job and the scheduler's part in it cost, and
simulates from these how far more workers would help.

A job of `datagen` and `rescore` is a shard, which its number or its games decide: the shards are, byte for byte, those of
`judkins datagen` and `judkins data rescore` with the options behind `--`. Shards that are there already are kept.

Without `--scheduler ADDRESS` the workers are `--workers N` processes of this machine. The programs that `cmd=` names, and
this one (`--judkins`), must have the same path on every machine. What to play, what it proves and what to learn from it the
program itself says; this script only carries jobs about. A worker that is lost in the middle of a job costs that job's time:
another does it again. With engines that are limited by `nodes=` the games are those of the plain command with the same seed,
and a book is always that of `judkins book grow` with the same options.
"""

from __future__ import annotations

import argparse
import fcntl
import heapq
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

from distributed import Client, LocalCluster, as_completed

ROOT = Path(__file__).resolve().parent.parent

# Seconds between two looks at a sequential test.
SPRT_INTERVAL = 5


def run(command: list[str], text: str = "") -> str:
    """What a command prints; its own words if it fails."""
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[:2])}: {done.stderr.strip()}")
    return done.stdout


def play(judkins: str, job: dict) -> dict:
    """Done by a worker: a job for its result."""
    return json.loads(run([judkins, "match", "--job", "-"], json.dumps(job)))


def client(arguments: argparse.Namespace) -> Client:
    if arguments.scheduler:
        return Client(arguments.scheduler)
    # A worker is a process with one job at a time: a crash takes nothing else along.
    cluster = LocalCluster(n_workers=arguments.workers, threads_per_worker=1, processes=True, dashboard_address=None)
    return Client(cluster)


def shown(arguments: argparse.Namespace) -> str:
    """What the program says of the games so far."""
    sprt = ["--sprt", *arguments.sprt] if arguments.sprt else []
    return run([arguments.judkins, "match", "--record", arguments.record, *sprt])


def decided(arguments: argparse.Namespace) -> bool:
    """Whether the sequential test over the games so far has ended."""
    return any(line.startswith("  SPRT") and line.endswith("accepted") for line in shown(arguments).splitlines())


def locked(file: IO[str]) -> IO[str]:
    """Locks a file until it is closed, as the program itself does: two writers would do everything twice."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(f"another program writes {file.name}") from None
    return file


def match(arguments: argparse.Namespace, dask: Client) -> None:
    command = [arguments.judkins, "match", "--games", str(arguments.games), "--seed", str(arguments.seed)]
    for engine in arguments.engine:
        command += ["--engine", engine]
    for each in arguments.each:
        command += ["--each", each]
    record = Path(arguments.record)
    if arguments.sprt and record.exists() and decided(arguments):
        return print(shown(arguments), end="")
    # The program knows whether the record is of this match, and which jobs it does not hold whole.
    command += ["--record", arguments.record, "--resume", "--jobs", str(arguments.pairs)]
    todo = [json.loads(line) for line in run(command).splitlines()]
    # What it holds of these jobs is played again.
    again = {game for job in todo for game in range(job["first"], job["first"] + 2 * len(job["job"]["openings"]))}
    whole = record.with_name(record.name + ".new")
    with locked(record.open()) as old, locked(whole.open("a")) as file:
        file.truncate(0)
        file.writelines(line for line in old if json.loads(line)["game"] not in again)
        file.flush()
        whole.replace(record)
        futures = {dask.submit(play, arguments.judkins, job["job"], pure=False, retries=3): job for job in todo}
        asked = time.monotonic()
        for done, (future, result) in enumerate(as_completed(futures, with_results=True), 1):
            first = futures[future]["first"]
            for game in result["games"]:
                game["game"] += first - 1
            file.write("".join(json.dumps(game) + "\n" for game in result["games"]))
            file.flush()
            print(f"{done}/{len(todo)} jobs", file=sys.stderr)
            # The answer goes through all games so far, so it is not asked for after every job.
            if arguments.sprt and time.monotonic() - asked >= SPRT_INTERVAL:
                if decided(arguments):
                    dask.cancel(list(futures))
                    break
                asked = time.monotonic()
    print(shown(arguments), end="")


def tune(arguments: argparse.Namespace, dask: Client) -> None:
    command = [arguments.judkins, "tune", "--params", arguments.params, "--iterations", str(arguments.iterations)]
    command += ["--batch", str(arguments.batch), "--seed", str(arguments.seed), "--out", arguments.out, "--jobs"]
    if arguments.engine:
        command += ["--engine", arguments.engine[0]]
    for each in arguments.each:
        command += ["--each", each]
    while pairs := [json.loads(line) for line in run(command).splitlines()]:
        futures = [dask.submit(play, arguments.judkins, pair["job"], pure=False, retries=3) for pair in pairs]
        for pair, result in zip(pairs, dask.gather(futures)):
            pair["lead"] = result["leads"][0]
        said = run([arguments.judkins, "tune", "take", arguments.out], "\n".join(map(json.dumps, pairs)))
        print(time.strftime("%H:%M:%S"), said, end="", file=sys.stderr)


def make_shard(command: list[str], name: str, games: bytes | None) -> bytes:
    """Done by a worker: the shard of this name that a command makes, in a folder of its own. `games` are a shard that the
    command reads."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        if games is not None:
            (Path(folder) / name).write_bytes(games)
            command = [*command, str(Path(folder) / name)]
        run([*command, "--out", str(out)])
        return (out / name).read_bytes()


def write_shards(out: Path, dask: Client, jobs: dict[str, tuple[list[str], Path | None]]) -> None:
    """Has shards made, and writes each to the folder as soon as it is there. `jobs` has the command for each name, and the
    shard that it reads."""
    with locked((out / "lock").open("w")):
        futures = {}
        for name, (command, games) in jobs.items():
            read = games.read_bytes() if games else None
            futures[dask.submit(make_shard, command, name, read, pure=False, retries=3)] = name
        for done, (future, shard) in enumerate(as_completed(futures, with_results=True), 1):
            unfinished = out / (futures[future] + ".unfinished")
            unfinished.write_bytes(shard)
            unfinished.replace(out / futures[future])
            future.release()
            print(f"{done}/{len(futures)} shards", file=sys.stderr)


def datagen(arguments: argparse.Namespace, dask: Client) -> None:
    out, command = Path(arguments.out), [arguments.judkins, "datagen", "--threads", "1", *arguments.options]
    # The program makes the folder, or says why other shards in it are in the way.
    run([*command, "--out", arguments.out, "--shards", "0"])
    names = {f"{number:06}.games": number for number in range(arguments.shards)}
    missing = {name: number for name, number in names.items() if not (out / name).exists()}
    jobs = {name: ([*command, "--first", str(n), "--shards", str(n + 1)], None) for name, n in missing.items()}
    write_shards(out, dask, jobs)


def rescore(arguments: argparse.Namespace, dask: Client) -> None:
    out, command = Path(arguments.out), [arguments.judkins, "data", "rescore", *arguments.options]
    shards = sorted(Path(arguments.games).glob("*.games"))
    if not shards:
        raise SystemExit(f"no shards of games (*.games) in {arguments.games}")
    # One shard by the plain command: it makes the folder, or says why other shards in it are in the way.
    run([*command, str(shards[0]), "--out", arguments.out])
    write_shards(out, dask, {path.name: (command, path) for path in shards if not (out / path.name).exists()})


def search(judkins: str, job: dict) -> list:
    """Done by a worker: the positions of a job for what was found."""
    return json.loads(run([judkins, "book", "--job", "-"], json.dumps(job)))["found"]


def book(arguments: argparse.Namespace, dask: Client) -> None:
    command = [arguments.judkins, "book", "grow", arguments.file, "--positions", str(arguments.positions)]
    command += [*arguments.options, "--jobs", str(arguments.size)]
    while parts := [json.loads(line) for line in run(command).splitlines()]:
        futures = [dask.submit(search, arguments.judkins, part.pop("job"), pure=False, retries=3) for part in parts]
        for part, found in zip(parts, dask.gather(futures)):
            part["found"] = found
        said = run([arguments.judkins, "book", "take", arguments.file], "\n".join(map(json.dumps, parts)))
        print(time.strftime("%H:%M:%S"), said, end="", file=sys.stderr)


def nothing(number: int) -> int:
    """The shortest job there is: what it takes is Dask's part."""
    return number


def simulate(workers: int, jobs: int, length: float, start: float, handling: float) -> float:
    """Jobs a second: every worker takes `start` seconds to come up and `length` for a job; the scheduler hands jobs out one
    after the other, `handling` seconds each."""
    free = [start] * workers
    scheduler = done = 0.0
    for _ in range(jobs):
        asked = heapq.heappop(free)
        scheduler = max(scheduler, asked) + handling
        heapq.heappush(free, scheduler + length)
        done = max(done, scheduler + length)
    return jobs / done


def scale(arguments: argparse.Namespace) -> None:
    command = [arguments.judkins, "match", "--games", str(arguments.games), "--seed", str(arguments.seed)]
    for name, values in (("--engine", arguments.engine), ("--each", arguments.each)):
        for value in values:
            command += [name, value]
    jobs = [json.loads(line)["job"] for line in run([*command, "--jobs", str(arguments.pairs)]).splitlines()]
    length = start = handling = 0.0
    print(f"{len(jobs)} jobs of {arguments.pairs} pairs")
    for workers in (1, 2, 4):
        begun = time.monotonic()
        with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as dask:
            up = time.monotonic() - begun
            begun = time.monotonic()
            dask.gather(dask.map(nothing, range(2_000), pure=False))
            empty = (time.monotonic() - begun) / 2_000
            begun = time.monotonic()
            dask.gather([dask.submit(play, arguments.judkins, job, pure=False) for job in jobs])
            took = time.monotonic() - begun
        if workers == 1:
            length, start = took / len(jobs), up
        handling = empty
        print(f"{workers} workers: {len(jobs) / took:.2f} jobs/s, up after {up:.1f} s, {1000 * empty:.2f} ms an empty job")
    print(f"simulated, with jobs of {length:.2f} s:")
    for workers in (1, 10, 100, 300, 1_000, 3_000):
        rate = simulate(workers, 50 * workers, length, start, handling)
        print(f"{workers:>6} workers: {rate:>9.1f} jobs/s, {100 * rate * length / workers:>5.1f} % of their time")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--judkins", default=str(ROOT / "target/release/judkins"), help="the program [the release build]")
    common.add_argument("--engine", action="append", default=[], help="as judkins match takes it")
    common.add_argument("--each", action="append", default=[], help="as judkins match takes it")
    common.add_argument("--seed", type=int, default=1)
    workers = argparse.ArgumentParser(add_help=False)
    workers.add_argument("--scheduler", help="the address of a Dask scheduler [a cluster on this machine]")
    workers.add_argument("--workers", type=int, default=4, help="workers of a cluster on this machine [4]")
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("match", parents=[common, workers], help="a match, or a sequential test")
    games.add_argument("--games", type=int, default=100)
    games.add_argument("--pairs", type=int, default=4, help="pairs of games in a job [4]")
    games.add_argument("--record", required=True, help="every game, a line of JSON each; a match that is there goes on")
    games.add_argument("--sprt", nargs="+", default=[], metavar="KEY=VALUE", help="as judkins match takes it")
    scaling = commands.add_parser("scale", parents=[common], help="how far more workers help")
    scaling.add_argument("--games", type=int, default=80)
    scaling.add_argument("--pairs", type=int, default=2, help="pairs of games in a job [2]")
    tuning = commands.add_parser("tune", parents=[common, workers], help="tuning")
    tuning.add_argument("--params", required=True)
    tuning.add_argument("--iterations", type=int, required=True)
    tuning.add_argument("--batch", type=int, default=8)
    tuning.add_argument("--out", required=True)
    making = commands.add_parser("datagen", parents=[common, workers], help="games for training")
    making.add_argument("--out", required=True, help="a folder for the shards")
    making.add_argument("--shards", type=int, default=100, help="how many there are to be in the end [100]")
    scoring = commands.add_parser("rescore", parents=[common, workers], help="new scores for such games")
    scoring.add_argument("games", help="the folder with the shards")
    scoring.add_argument("--out", required=True, help="a folder for the new shards")
    growing = commands.add_parser("book", parents=[common, workers], help="a book made by search")
    growing.add_argument("file", help="the book; one that is there goes on")
    growing.add_argument("--positions", type=int, required=True, help="end at so many positions in the book")
    growing.add_argument("--size", type=int, default=4, help="positions in a job [4]")
    # What stands behind `--` is for the program.
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:end])
    arguments.options = words[end + 1 :]
    if arguments.command == "scale":
        return scale(arguments)
    run_command = {"match": match, "tune": tune, "datagen": datagen, "rescore": rescore, "book": book}[arguments.command]
    with client(arguments) as dask:
        run_command(arguments, dask)


if __name__ == "__main__":
    main()
