#!/usr/bin/env python3
"""SIGKILL during the writes of eight clients, again and again on the same folder.

usage: kill_test.py [--program build/stator] [--cycles 3] [--seed N]

After each kill: no acknowledged write lost, no transaction half applied (its edge and its counters
agree), every index equal to the table, counters equal to edges, a repeated token done once, and
`stator check` clean.  Half of the cycles run with --sync interval: what has reached the operating
system survives a killed process there too.  What a kill cannot show (fsync) is fsync_test.py's.
"""
import argparse
import random
import shutil
import sys
import tempfile
import time

import program
from follow_graph import Graph, create_table

LEAST_WRITES = 50  # in a cycle; fewer would prove nothing


def run_cycle(graph, server, rng):
    """Lets the clients write for a moment, then kills; the number of acknowledged writes."""
    before = graph.acknowledged()
    running = graph.start(server)
    end = time.monotonic() + 20
    wanted = before + rng.randrange(LEAST_WRITES, 1500)
    while graph.acknowledged() < wanted and server.is_running() and time.monotonic() < end:
        time.sleep(0.001)
    time.sleep(rng.random() * 0.01)
    server.kill()
    graph.finish(running)
    return graph.acknowledged() - before


def cycle(report, graph, options, data, number, rng):
    sync = "interval" if number % 2 else "commit"
    server = program.Server(options.program, data, sync=sync)
    try:
        if number == 0:
            create_table(server.connect())
        writes = run_cycle(graph, server, rng)
    finally:
        server.kill()
    report.expect(f"cycle {number}: enough writes", [] if writes >= LEAST_WRITES else
                  [f"{writes} writes; last error: {graph.last_refusal()}; {server.log_end()}"])
    report.expect(f"cycle {number}: no errors before the kill", [graph.last_refusal()]
                  if graph.refusals() else [])
    # Who opens the folder first recovers it: by turns the check and the server.
    if number % 3 == 0:
        report.expect(f"cycle {number}: check after the kill", program.check(options.program, data))

    server = program.Server(options.program, data)
    try:
        for promise, faults in graph.verify(server.connect()).items():
            report.expect(f"cycle {number}: {promise}", faults)
        faults = graph.verify(server.connect())["counters equal edges"]
        report.expect(f"cycle {number}: counters equal edges after repeated tokens", faults)
    finally:
        if number % 2:
            server.kill()
        else:
            report.expect(f"cycle {number}: SIGTERM ends with 0",
                          [s for s in [server.stop()] if s != 0])
    report.expect(f"cycle {number}: check", program.check(options.program, data))
    return writes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=program.default_path())
    parser.add_argument("--cycles", type=int, default=3)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    print(f"kill test: {options.cycles} cycles, seed {options.seed}")
    report, rng, graph = program.Report(), random.Random(options.seed), Graph(options.seed)
    folder, writes = tempfile.mkdtemp(prefix="stator-kill-"), 0
    try:
        for number in range(options.cycles):
            writes += cycle(report, graph, options, folder + "/data", number, rng)
    except Exception as fault:  # a server that does not start again is a failure like any other
        report.expect("the program goes on", [f"{type(fault).__name__}: {fault}"])
    if report.failed:
        print(f"the data folder is kept: {folder}")
    else:
        shutil.rmtree(folder)
    print(f"{writes} acknowledged writes over {options.cycles} kills")
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
