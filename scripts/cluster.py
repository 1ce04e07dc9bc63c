#!/usr/bin/env python3
"""Matches, sequential tests, tuning, training games, rescoring and books over machines with Dask (`pip install distributed`).

    scripts/cluster.py match --engine cmd=A,name=a --engine cmd=B,name=b --each nodes=4000 --games 1000 \\
        --record games.jsonl [--sprt elo0=0 elo1=5] [-- --openings file.sfen --draw movecount=8 score=10]
    scripts/cluster.py tune --params tune.toml --each nodes=4000 --iterations 2000 --out tuning [-- --max-moves 200]
    scripts/cluster.py datagen --out games --shards 1000 [-- --nodes 400 --seed 5]
    scripts/cluster.py rescore games --out rescored [-- --nodes 2000]
    scripts/cluster.py book main.book --positions 50000 [--size 4] [-- --nodes 500000 --batch 128]
    scripts/cluster.py scale --engine cmd=A,name=a --engine cmd=B,name=b --each nodes=4000

The options behind `--` are those of `judkins match`, `tune`, `datagen`, `data rescore` and `book grow`.

`scale` measures jobs a second with 1, 2 and 4 workers of this machine, what a job and the scheduler's part in it cost, and
simulates from these how far more workers would help.

Without `--scheduler ADDRESS` the workers are `--workers N` processes of this machine. The programs that `cmd=` names, and
this one (`--judkins`), must have the same path on every machine. The program itself decides
what to play, and evaluates the results; this script only distributes jobs. A worker that is lost in the middle of a job costs that job's time:
another does it again. With engines that are limited by `nodes=` the games are those of the plain command with the same seed.
Shards and books always are, byte for byte, those of the plain command with the same options.

An interrupt (Ctrl-C) costs the jobs under way, of `tune` and `book` the batch: the same command goes on.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import heapq
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import resource_tracker
from pathlib import Path
from typing import IO

try:
    from dask import config as dask_config
    from distributed import Client, KilledWorker, LocalCluster, as_completed
except ImportError as missing:
    sys.exit(f"cluster.py: {missing}: pip install distributed")

ROOT = Path(__file__).resolve().parent.parent

# Seconds between two looks at a sequential test.
SPRT_INTERVAL = 5


def run(command: list[str], data: bytes = b"", warnings: IO[str] | None = None) -> bytes:
    """A command's output, or its error message. With Linux's setpriv it ends together with this process."""
    with_parent = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
    done = subprocess.run([*with_parent, *command], input=data, capture_output=True)
    if done.returncode != 0:
        words = done.stderr.decode(errors="replace").strip() or f"it ended with status {done.returncode}"
        raise RuntimeError(f"{' '.join(command[:2])}: {words}")
    if warnings:
        print(done.stderr.decode(errors="replace"), end="", file=warnings)
    return done.stdout


def lines(command: list[str]) -> list[dict]:
    """The lines of JSON that a command prints; its warnings are passed on."""
    return [json.loads(line) for line in run(command, warnings=sys.stderr).splitlines()]


def play(judkins: str, job: dict) -> dict:
    """Done by a worker: a job for its result."""
    return json.loads(run([judkins, "match", "--job", "-"], json.dumps(job).encode()))


@contextlib.contextmanager
def client(arguments: argparse.Namespace, workers: int) -> Iterator[Client]:
    """A client of the scheduler that was named, or of a cluster on this machine."""
    if arguments.scheduler:
        with Client(arguments.scheduler) as dask:
            yield dask
        return
    # Ctrl-C reaches every process of a terminal. Threads and processes that begin now leave it to this one; that of
    # multiprocessing begins before, since the thread that begins it would heed signals again.
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    # A worker is a process with one job at a time: a crash takes nothing else along.
    options = {"threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": "CRITICAL"}
    with tempfile.TemporaryDirectory(prefix="judkins-cluster-", ignore_cleanup_errors=True) as scratch:
        dask_config.set(temporary_directory=scratch)
        with LocalCluster(n_workers=workers, **options) as cluster, Client(cluster) as dask:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            yield dask


def locked(file: IO[str]) -> IO[str]:
    """Locks a file until it is closed, as the program itself does: two writers would do everything twice."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RuntimeError(f"another program writes {file.name}") from None
    return file


def shown(arguments: argparse.Namespace) -> str:
    """The program's summary of the games so far."""
    return run([arguments.judkins, "match", "--record", arguments.record, *sprt(arguments)]).decode()


def decided(arguments: argparse.Namespace) -> bool:
    """Whether the sequential test over the games so far has ended."""
    return any(line.startswith("  SPRT") and line.endswith("accepted") for line in shown(arguments).splitlines())


def sprt(arguments: argparse.Namespace) -> list[str]:
    return ["--sprt", *arguments.sprt] if getattr(arguments, "sprt", None) else []


def match_command(arguments: argparse.Namespace) -> list[str]:
    """The match, to be printed as jobs."""
    command = [arguments.judkins, "match", "--games", str(arguments.games), "--seed", str(arguments.seed)]
    for name, values in (("--engine", arguments.engine), ("--each", arguments.each)):
        for value in values:
            command += [name, value]
    return [*command, *sprt(arguments), "--jobs", str(arguments.pairs), *arguments.options]


def match(arguments: argparse.Namespace, dask: Client) -> None:
    record = Path(arguments.record).resolve()
    if arguments.sprt and record.exists() and record.stat().st_size and decided(arguments):
        return print(shown(arguments), end="")
    # The program knows whether the record is of this match, and which jobs it does not hold whole.
    todo = lines([*match_command(arguments), "--record", arguments.record, "--resume"])
    # Games of these jobs in the record are played again.
    again = {game for job in todo for game in range(job["first"], job["first"] + 2 * len(job["job"]["openings"]))}
    whole = record.with_name(record.name + ".new")
    with locked(record.open("a+")) as old, locked(whole.open("a")) as file:
        old.seek(0)
        file.truncate(0)
        # As the program reads it: blank lines and a byte order mark may be there.
        kept = (line.removeprefix("\ufeff") for line in old)
        file.writelines(line for line in kept if line.strip() and json.loads(line)["game"] not in again)
        file.flush()
        os.fsync(file.fileno())
        whole.replace(record)
        futures = {dask.submit(play, arguments.judkins, job["job"], pure=False, retries=3): job for job in todo}
        asked = time.monotonic()
        try:
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
        finally:
            if not record.stat().st_size:
                record.unlink()
    print(shown(arguments), end="")


def tune(arguments: argparse.Namespace, dask: Client) -> None:
    command = [arguments.judkins, "tune", "--params", arguments.params, "--iterations", str(arguments.iterations)]
    command += ["--batch", str(arguments.batch), "--seed", str(arguments.seed), "--out", arguments.out, "--jobs"]
    if arguments.engine:
        command += ["--engine", arguments.engine]
    for each in arguments.each:
        command += ["--each", each]
    while pairs := lines([*command, *arguments.options]):
        futures = [dask.submit(play, arguments.judkins, pair["job"], pure=False, retries=3) for pair in pairs]
        for pair, result in zip(pairs, dask.gather(futures)):
            pair["result"] = result
        take([arguments.judkins, "tune", "take", arguments.out], pairs)


def take(command: list[str], done: list[dict]) -> None:
    """Has the program add what came of a batch, and says what it says."""
    said = run(command, "\n".join(map(json.dumps, done)).encode()).decode()
    print(time.strftime("%H:%M:%S"), said, end="", file=sys.stderr)


def write_shards(out: Path, dask: Client, jobs: dict[str, tuple[list[str], Path | None]]) -> None:
    """Has shards made, and writes each to the folder as soon as it is there. `jobs` has for each name the command that
    prints the shard, and the shard that it reads."""
    with locked((out / "lock").open("w")):
        futures = {}
        for name, (command, games) in jobs.items():
            read = games.read_bytes() if games else b""
            futures[dask.submit(run, command, read, pure=False, retries=3)] = name
        for done, (future, shard) in enumerate(as_completed(futures, with_results=True), 1):
            unfinished = out / (futures[future] + ".unfinished")
            unfinished.write_bytes(shard)
            unfinished.replace(out / futures[future])
            # A part that the plain command may have begun.
            (out / futures[future]).with_suffix(".part").unlink(missing_ok=True)
            future.release()
            print(f"{done}/{len(futures)} shards", file=sys.stderr)


def datagen(arguments: argparse.Namespace, dask: Client) -> None:
    command = [arguments.judkins, "datagen", *arguments.options]
    jobs = {}
    listed = [*command, "--first", str(arguments.first), "--shards", str(arguments.shards), "--out", arguments.out]
    for shard in lines([*listed, "--jobs"]):
        first = shard["number"]
        jobs[shard["name"]] = ([*command, "--first", str(first), "--shards", str(first + 1), "--out", "-"], None)
    write_shards(Path(arguments.out), dask, jobs)


def rescore(arguments: argparse.Namespace, dask: Client) -> None:
    command = [arguments.judkins, "data", "rescore", *arguments.options]
    missing = lines([*command, *arguments.games, "--out", arguments.out, "--jobs"])
    jobs = {shard["name"]: ([*command, "-", "--out", "-"], Path(shard["games"])) for shard in missing}
    write_shards(Path(arguments.out), dask, jobs)


def search(judkins: str, job: dict) -> list:
    """Done by a worker: the positions of a job for what was found."""
    return json.loads(run([judkins, "book", "--job", "-"], json.dumps(job).encode()))["found"]


def book(arguments: argparse.Namespace, dask: Client) -> None:
    command = [arguments.judkins, "book", "grow", arguments.file, "--positions", str(arguments.positions)]
    command += [*arguments.options, "--jobs", str(arguments.size)]
    while parts := lines(command):
        futures = [dask.submit(search, arguments.judkins, part.pop("job"), pure=False, retries=3) for part in parts]
        for part, found in zip(parts, dask.gather(futures)):
            part["found"] = found
        take([arguments.judkins, "book", "take", arguments.file], parts)


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
    jobs = [line["job"] for line in lines(match_command(arguments))]
    length = start = handling = 0.0
    print(f"{len(jobs)} jobs of {arguments.pairs} pairs")
    for workers in (1, 2, 4):
        begun = time.monotonic()
        with client(arguments, workers) as dask:
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


def program() -> str:
    """The release build beside this script, the program of the release that it lies in, or the one that is installed."""
    beside = [ROOT / "target/release/judkins", ROOT.parent / "judkins"]
    return next((str(path) for path in beside if path.is_file()), "judkins")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--judkins", default=program(), help="the program [%(default)s]")
    games = argparse.ArgumentParser(add_help=False)
    games.add_argument("--each", action="append", default=[], help="as the program takes it")
    games.add_argument("--seed", type=int, default=1)
    engines = argparse.ArgumentParser(add_help=False)
    engines.add_argument("--engine", action="append", required=True, help="as judkins match takes it; give it twice")
    workers = argparse.ArgumentParser(add_help=False)
    workers.add_argument("--scheduler", help="the address of a Dask scheduler [a cluster on this machine]")
    workers.add_argument("--workers", type=int, default=4, help="workers of a cluster on this machine [4]")
    commands = parser.add_subparsers(dest="command", required=True)
    matches = commands.add_parser("match", parents=[common, engines, games, workers], help="a match, or a sequential test")
    matches.add_argument("--games", type=int, default=100)
    matches.add_argument("--pairs", type=int, default=4, help="pairs of games in a job [4]")
    matches.add_argument("--record", required=True, help="every game, a line of JSON each; a match that is there goes on")
    matches.add_argument("--sprt", nargs="+", default=[], metavar="KEY=VALUE", help="as judkins match takes it")
    scaling = commands.add_parser("scale", parents=[common, engines, games], help="how far more workers help")
    scaling.add_argument("--games", type=int, default=80)
    scaling.add_argument("--pairs", type=int, default=2, help="pairs of games in a job [2]")
    scaling.set_defaults(scheduler=None)
    tuning = commands.add_parser("tune", parents=[common, games, workers], help="tuning")
    tuning.add_argument("--engine", help="as judkins tune takes it")
    tuning.add_argument("--params", required=True)
    tuning.add_argument("--iterations", type=int, required=True)
    tuning.add_argument("--batch", type=int, default=4, help="pairs of games before an update [4]")
    tuning.add_argument("--out", required=True, help="a folder; a run that is there goes on")
    making = commands.add_parser("datagen", parents=[common, workers], help="games for training")
    making.add_argument("--out", required=True, help="a folder for the shards; those that are there are kept")
    making.add_argument("--shards", type=int, default=100, help="how many there are to be in the end [100]")
    making.add_argument("--first", type=int, default=0, help="the number of the first shard to make [0]")
    scoring = commands.add_parser("rescore", parents=[common, workers], help="new scores for such games")
    scoring.add_argument("games", nargs="+", help="shards, or folders of them")
    scoring.add_argument("--out", required=True, help="a folder for the new shards; those that are there are kept")
    growing = commands.add_parser("book", parents=[common, workers], help="a book made by search")
    growing.add_argument("file", help="the book; one that is there goes on")
    growing.add_argument("--positions", type=int, required=True, help="end at this many positions in the book")
    growing.add_argument("--size", type=int, default=4, help="positions in a job [4]")
    # Arguments after `--` are for the program.
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:end])
    arguments.options = words[end + 1 :]
    if arguments.command == "scale":
        return scale(arguments)
    run_command = {"match": match, "tune": tune, "datagen": datagen, "rescore": rescore, "book": book}[arguments.command]
    with client(arguments, arguments.workers) as dask:
        run_command(arguments, dask)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        main()
    except KeyboardInterrupt:
        print("cluster.py: interrupted: the same command goes on", file=sys.stderr)
        sys.exit(130)
    except (RuntimeError, OSError, KilledWorker) as error:
        sys.exit(f"cluster.py: {error}")
