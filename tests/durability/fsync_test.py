#!/usr/bin/env python3
"""Acknowledged means synced: what a power loss leaves holds every acknowledged write.

usage: fsync_test.py [--program build/stator] [--rounds 10] [--seed N]

Each round runs the server under fsync_shim.c while eight clients write, lets it die in a random
call (in the middle of a write, before a sync, before a rename …), takes away what was not synced
(power_loss.py), starts it again and compares everything with the books.  Where the folder was left
by a kill, the recovery of the next round's start is under the shim too.

Two rounds show that the test can fail and that it fails only where something was promised:
* with syncs that do nothing the loss must be seen;
* with --sync interval, where the newest writes may go, transactions are still whole and indexes
  and counters right.
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

ROUND_SECONDS = 10
LEAST_WRITES = 20


class Bench:
    """A folder, its books and what is needed to lose power."""

    def __init__(self, options, seed, parent, name):
        self.program = options.program
        self.folder = os.path.join(parent, name)
        self.data = os.path.join(self.folder, "data")
        self.side = os.path.join(self.folder, "side")
        os.makedirs(self.data)
        os.makedirs(self.side)
        self.library = build_shim(self.folder)
        self.rng = random.Random(seed)
        self.graph = Graph(seed)

    def make_table(self):
        server = program.Server(self.program, self.data)
        try:
            create_table(server.connect())
        finally:
            server.kill()

    def lose_power(self, die_at, sync="commit", ignore_sync=False):
        """Writes until the server dies; (acknowledged writes, what was taken away)."""
        watch = Watch(self.library, self.data, self.side, ignore_sync)
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
    die_at = bench.rng.randint(1, 60) if early else bench.rng.randint(100, 2500)
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


def loss_is_seen(bench):
    """Whether a round without syncs is found out; what was seen."""
    bench.make_table()
    for _ in range(5):
        writes, _ = bench.lose_power(bench.rng.randint(400, 1500), ignore_sync=True)
        try:
            faults = [f for found in bench.verify().values() for f in found]
        except (program.NotReady, RuntimeError) as fault:
            faults = [str(fault)]
        if faults:
            return f"{writes} acknowledged writes, {len(faults)} faults, such as: {faults[0]}"
    return None


def interval_round(report, bench, number):
    writes, _ = bench.lose_power(bench.rng.randint(200, 2000), sync="interval")
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
    try:
        bench = Bench(options, options.seed, folder, "honest")
        bench.make_table()
        for number in range(options.rounds):
            honest_round(report, bench, number)
        seen = loss_is_seen(Bench(options, options.seed, folder, "ignored"))
        print(f"with syncs that do nothing: {seen}")
        report.expect("a loss of power without syncs is seen", [] if seen else ["nothing was lost"])
        bench = Bench(options, options.seed, folder, "interval")
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
