#!/usr/bin/env python3
"""Tests cluster.py with Dask on this machine: from nothing, with workers killed on the way, it makes what the plain commands make.

    scripts/cluster_test.py PROGRAM
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

CLUSTER = Path(__file__).with_name("cluster.py")
PROGRAM = str(Path(sys.argv[1]).resolve())

# No condition takes that long, however slow the machine.
PATIENCE = 120


def wait_for(condition):
    """The first result of a condition that holds."""
    begun = time.monotonic()
    while not (result := condition()):
        assert time.monotonic() - begun < PATIENCE, "nothing comes of waiting"
        time.sleep(0.01)
    return result


def plain(*arguments):
    subprocess.run([PROGRAM, *arguments], check=True, stdout=subprocess.DEVNULL)


def begin(*arguments):
    command = [sys.executable, str(CLUSTER), arguments[0], "--judkins", PROGRAM, "--workers", "2", *arguments[1:]]
    # A session of its own gets an interrupt as that of a terminal does: every process.
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def end(process, status=0):
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == status and "Traceback" not in errors, f"status {process.returncode}: {errors}"
    assert not os.listdir(os.environ["TMPDIR"]), os.listdir(os.environ["TMPDIR"])
    return out, errors


def job_of(process):
    """A worker of a cluster that has a child at work, and the child with all of its own; nothing yet."""
    try:
        for worker in psutil.Process(process.pid).children():
            children = worker.children(recursive=True)
            if any(child.exe() == PROGRAM for child in children):
                return worker, children
    except psutil.NoSuchProcess:
        pass
    assert process.poll() is None, f"it ended before it had a job: {process.communicate()}"
    return None


def cluster(*arguments, kill=False):
    process = begin(*arguments)
    if kill:
        worker, children = wait_for(lambda: job_of(process))
        worker.kill()
        assert not psutil.wait_procs(children, timeout=PATIENCE)[1], "a child outlives its worker"
    return end(process)


def games(record):
    played = [json.loads(line) for line in Path(record).read_text().splitlines()]
    return sorted((game["game"], game["opening"], game["moves"], game["result"]) for game in played)


def files(folder, pattern):
    found = {path.name: path.read_bytes() for path in Path(folder).glob(pattern)}
    assert found
    return found


def test_match():
    play = ["--engine", f"cmd={PROGRAM},name=a", "--engine", f"cmd={PROGRAM},name=b", "--games", "12", "--seed", "3"]
    play += ["--each", "nodes=1000,option.USI_Hash=1,option.MateNodes=0"]
    rules = ["--handicap", "bishop", "--max-moves", "60"]
    plain("match", *play, *rules, "--record", "plain.jsonl")
    out, _ = cluster("match", *play, "--pairs", "2", "--record", "a.jsonl", "--", *rules, kill=True)
    assert games("a.jsonl") == games("plain.jsonl") and "a against b: 12 games" in out, out
    out, _ = cluster("match", *play, "--record", "b.jsonl", "--sprt", "elo0=0", "elo1=1", "--", "--max-moves", "20")
    assert "SPRT" in out and len(games("b.jsonl")) == 12, out
    # A truncated game is played again.
    lines = Path("a.jsonl").read_text().splitlines(keepends=True)
    Path("a.jsonl").write_text("".join(lines[:5]) + lines[5][:40])
    cluster("match", *play, "--pairs", "2", "--record", "a.jsonl", "--", *rules)
    assert games("a.jsonl") == games("plain.jsonl")


def test_tune():
    Path("tune.toml").write_text("[parameters]\nRfpMargin = {}\n")
    tune = ["--params", "tune.toml", "--each", "nodes=200", "--iterations", "4", "--batch", "2", "--seed", "5"]
    plain("tune", *tune, "--out", "plain-tuning", "--max-moves", "40")
    cluster("tune", *tune, "--out", "tuning", "--", "--max-moves", "40")
    assert files("tuning", "values.csv") == files("plain-tuning", "values.csv")


def test_shards():
    options = ["--games", "45", "--nodes", "60", "--hash", "1", "--seed", "7"]
    plain("datagen", "--out", "plain-games", "--shards", "3", *options)
    cluster("datagen", "--out", "games", "--shards", "3", "--", *options, kill=True)
    assert files("games", "*") == files("plain-games", "*")
    _, errors = end(begin("datagen", "--out", "games", "--shards", "4", "--", "--nodes", "61"), status=1)
    assert errors.startswith("cluster.py: ") and "nodes 60 there, 61 here" in errors and len(errors.splitlines()) == 1, errors
    options = ["--nodes", "40", "--hash", "1"]
    plain("data", "rescore", "games", "--out", "plain-rescored", *options)
    cluster("rescore", "games", "--out", "rescored", "--", *options)
    assert files("rescored", "*") == files("plain-rescored", "*")


def test_book():
    options = ["--nodes", "200", "--lines", "2", "--hash", "1", "--batch", "8"]
    plain("book", "grow", "plain.book", "--positions", "30", *options)
    cluster("book", "a.book", "--positions", "30", "--size", "3", "--", *options)
    assert files(".", "a.book")["a.book"] == files(".", "plain.book")["plain.book"]


def test_interrupt():
    process = begin("datagen", "--out", "more", "--shards", "9", "--", "--nodes", "20000")
    _, children = wait_for(lambda: job_of(process))
    os.killpg(process.pid, signal.SIGINT)
    _, errors = end(process, status=130)
    assert errors == "cluster.py: interrupted: the same command goes on\n", errors
    assert not psutil.wait_procs(children, timeout=PATIENCE)[1], "a child outlives the cluster"


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir("temporary")
        os.environ["TMPDIR"] = str(Path(folder) / "temporary")
        for test in (test_match, test_tune, test_shards, test_book, test_interrupt):
            begun = time.monotonic()
            test()
            print(f"{test.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
        os.chdir("/")


if __name__ == "__main__":
    main()
