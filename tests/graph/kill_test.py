#!/usr/bin/python3
"""SIGKILL of the server while 8 clients put and delete edges: no acknowledged edge is lost, none
comes back, every count equals the edges.

    kill_test.py [--cycles N] [--writes N] [--churn PROGRAM]

Each cycle goes on with the same folder until as many writes as asked for were acknowledged, kills,
starts again and checks.  Ends with "N passed, N failed".
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.path.abspath(os.environ.get("STATOR_PROGRAM", ROOT / "build" / "stator"))
TABLE = "churn"
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from stator import Stator


def graph(endpoint, *words):
    done = subprocess.run([PROGRAM, "graph", *words, "--table", TABLE, "--endpoint", endpoint,
                           "--json"], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def follow(history, line):
    """What may be true of a pair after this line: {True}, {False} or both."""
    mark, verb, src, dst = line.split()
    now = verb == "put"
    before = history.get((src, dst), {False})
    history[src, dst] = {now} if mark == "!" else before | {now}


def churn(program, stator, seed, writes, history):
    """Kills the server once enough is acknowledged; returns how much was."""
    process = subprocess.Popen([program, stator.endpoint, TABLE, str(seed)],
                               stdout=subprocess.PIPE, text=True)
    acknowledged = 0
    killed = False
    for line in process.stdout:
        follow(history, line)
        acknowledged += line.startswith("!")
        if acknowledged >= writes and not killed:
            os.kill(stator.process.pid, signal.SIGKILL)
            killed = True
    process.wait()
    return acknowledged, killed


def faults(endpoint, history):
    code, text, error = graph(endpoint, "fsck")
    if code != 0:
        return [f"fsck: {text or error}"]
    code, text, error = graph(endpoint, "export")
    if code != 0:
        return [f"export: {error}"]
    there = {(edge["src"], edge["dst"]) for edge in map(json.loads, text.splitlines())}
    wrong = []
    for pair, allowed in history.items():
        if (pair in there) not in allowed:
            wrong.append(f"{pair} is {'there' if pair in there else 'lost'}")
        history[pair] = {pair in there}
    return wrong


def cycle(program, folder, seed, writes, history):
    with Stator(data=folder) as stator:
        acknowledged, killed = churn(program, stator, seed, writes, history)
    if not killed:
        return [f"the churn ended by itself after {acknowledged} writes"]
    with Stator(data=folder) as stator:
        return faults(stator.endpoint, history)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cycles", type=int, default=3)
    parser.add_argument("--writes", type=int, default=500)
    parser.add_argument("--churn", default=str(ROOT / "build/tests/unit/graph/graph_churn"))
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="stator-graph-kill-")
    failed, history = 0, {}
    seed = int(time.time())
    try:
        with Stator(data=folder) as stator:
            code, _, error = graph(stator.endpoint, "init", "follow")
            if code != 0:
                print(error)
                failed = options.cycles
        for number in range(options.cycles if not failed else 0):
            wrong = cycle(options.churn, folder, seed + number, options.writes, history)
            failed += bool(wrong)
            for fault in wrong[:10]:
                print(f"cycle {number} (seed {seed + number}): {fault}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{options.cycles - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
