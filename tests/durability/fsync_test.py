#!/usr/bin/env python3
"""Acknowledged means synced: what a power loss leaves holds every acknowledged write.

usage: fsync_test.py [--program build/stator] [--rounds 10] [--seed N]

Each round runs the server under fsync_shim.c while eight clients write, lets it die in a random
call (in the middle of a write, before a sync, before a rename …), takes away what was not synced
(power_loss.py), starts it again and compares everything with the books.  Where the folder was left
by a kill, the recovery of the next round's start is under the shim too.

Further rounds show that the test can fail, and that it fails only where something was promised:
* with syncs that do nothing, of all files or of the log alone, the loss must be seen;
* with --sync interval, where the newest writes may go, it must be seen too, but transactions are
  still whole and indexes and counters right.
"""
import argparse
import os
import random
import shutil
import sys
import tempfile
import time

import program
from follow_graph import Graph, create_table
from power_loss import Watch, build_shim

ROUND_SECONDS = 4
LEAST_WRITES = 20


class Bench:
    """A folder, its books and what is needed to lose power."""

    def __init__(self, options, seed, folder):
        self.program = options.program
        self.folder = folder
        self.data = os.path.join(self.folder, "data")
        self.side = os.path.join(self.folder, "side")
        os.makedirs(self.data)
        os.makedirs(self.side)
        self.library = build_shim(self.folder)
        self.rng = random.Random(seed)
        self.graph = Graph(seed)
        self.has_table = False

    def make_table(self):
        """Where the folder's making is not under the shim."""
        server = program.Server(self.program, self.data)
        try:
            self._ensure_table(server)
        finally:
            server.kill()

    def _ensure_table(self, server):
        if not self.has_table:
            create_table(server.connect())
            self.has_table = True

    def lose_power(self, die_at, sync="commit", ignore_sync=False, faulty=None):
        """Writes until the server dies; (acknowledged writes, what was taken away)."""
        watch = Watch(self.library, self.data, self.side, ignore_sync, faulty)
        watch.die_at_call(die_at)
        before = self.graph.acknowledged()
        try:
            server = program.Server(self.program, self.data, sync=sync, env=watch.env)
        except program.NotReady as fault:
            if "exit status -9" not in str(fault):
                raise
            return 0, f"died while starting; {watch.cut(self.rng)}"
        self._write_until_dead(server)
        writes = self.graph.acknowledged() - before
        if watch.state.mappings:
            raise RuntimeError("the server writes through a mapping, which cannot be watched")
        if not watch.state.syncs:
            raise RuntimeError("the shim saw no sync: is the program linked statically?")
        return writes, watch.cut(self.rng)

    def _write_until_dead(self, server):
        self._ensure_table(server)
        running = self.graph.start(server)
        end = time.monotonic() + ROUND_SECONDS
        while server.is_running() and time.monotonic() < end:
            time.sleep(0.002)
        server.kill()
        self.graph.finish(running)

    def verify(self, books=True):
        """Starts without the shim and compares; the next round begins with what this one left."""
        server = program.Server(self.program, self.data)
        try:
            return self.graph.verify(server.connect(), books)
        finally:
            if self.rng.random() < 0.5:
                server.kill()
            else:
                server.stop()


def honest_round(report, bench, number):
    early = number % 4 == 3  # dies while it recovers or soon after
    die_at = bench.rng.randint(1, 60) if early else bench.rng.randint(200, 2000)
    writes, taken = bench.lose_power(die_at)
    print(f"round {number}: {writes} acknowledged writes, then {taken}", flush=True)
    if not early:
        report.expect(f"round {number}: enough writes", [] if writes >= LEAST_WRITES else
                      [f"{writes} writes; last error: {bench.graph.last_refusal()}"])
    report.expect(f"round {number}: no errors", [bench.graph.last_refusal()]
                  if bench.graph.refusals() else [])
    if number % 3 == 0:
        report.expect(f"round {number}: check", program.check(bench.program, bench.data))
    for promise, faults in bench.verify().items():
        report.expect(f"round {number}: {promise}", faults)


def loss_is_seen(bench, **fault):
    """Whether rounds with this fault are found out, and what was seen."""
    bench.make_table()
    for _ in range(6):
        writes, _ = bench.lose_power(bench.rng.randint(400, 1500), **fault)
        try:
            faults = [f for found in bench.verify().values() for f in found]
        except (program.NotReady, RuntimeError) as stopped:
            faults = [str(stopped).strip().splitlines()[-1]]
        if faults:
            return f"{writes} acknowledged writes, {len(faults)} faults, such as: {faults[0]}"
    return None


def prove_failures(report, make_bench):
    for name, fault in (("syncs that do nothing", {"ignore_sync": True}),
                        ("syncs of the log that do nothing",
                         {"ignore_sync": True, "faulty": ".log"}),
                        ("--sync interval", {"sync": "interval"})):
        seen = loss_is_seen(make_bench(), **fault)
        print(f"with {name}: {seen}", flush=True)
        report.expect(f"with {name} a loss of power is seen",
                      [] if seen else ["nothing was lost"])


def interval_round(report, bench, number):
    writes, _ = bench.lose_power(bench.rng.randint(400, 2000), sync="interval")
    report.expect(f"interval {number}: enough writes", [] if writes >= LEAST_WRITES else [writes])
    for promise, faults in bench.verify(books=False).items():
        report.expect(f"interval {number}: {promise}", faults)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=program.default_path())
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    print(f"fsync test: {options.rounds} rounds, seed {options.seed}")
    report, folder = program.Report(), tempfile.mkdtemp(prefix="stator-fsync-")

    def make_bench():
        return Bench(options, options.seed, tempfile.mkdtemp(dir=folder))

    try:
        bench = make_bench()
        for number in range(options.rounds):
            honest_round(report, bench, number)
        prove_failures(report, make_bench)
        bench = make_bench()
        bench.make_table()
        for number in range(max(1, options.rounds // 4)):
            interval_round(report, bench, number)
    except Exception as fault:  # a server that does not start again is a failure like any other
        report.expect("the program goes on", [f"{type(fault).__name__}: {fault}"])
    if report.failed:
        print(f"the data folders are kept: {folder}")
    else:
        shutil.rmtree(folder)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
