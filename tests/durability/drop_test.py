#!/usr/bin/env python3
"""Dropping a table of many items answers in milliseconds, and its space comes back.

usage: drop_test.py [--program build/stator] [--items 50000] [--seed N]

The table has two global indexes.  While its data is being removed another table goes on as before,
and a table of the same name is there at once, empty.  A kill during the removal loses nothing of
it: the next start goes on.  (A million items: --items 1000000.)
"""
import argparse
import os
import random
import shutil
import sys
import tempfile
import threading
import time

import program
from endpoint import Connection

BATCH = 25
LOADERS = 4
ITEM_BYTES = 400
DROP_SECONDS = 0.5       # AWS's own answer takes some tens of milliseconds; the machine may be busy
SPACE_SECONDS = 120
WRITE_SECONDS = 2        # the longest that a write of another table may wait


def key_schema(name):
    return [{"AttributeName": name, "KeyType": "HASH"}]


def create_table(connection, name):
    status, reply = connection.call("CreateTable", {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "a", "b")],
        "KeySchema": key_schema("pk"),
        "GlobalSecondaryIndexes": [
            {"IndexName": "by-a", "KeySchema": key_schema("a"), "Projection": {"ProjectionType": "ALL"}},
            {"IndexName": "by-b", "KeySchema": key_schema("b"),
             "Projection": {"ProjectionType": "KEYS_ONLY"}}]})
    if status != 200:
        raise RuntimeError(f"CreateTable: {reply}")


def item_of(number, rng):
    """Random bytes, so that compression does not hide the space."""
    return {"pk": {"S": f"{number:08d}"}, "a": {"S": f"a{number % 1000}"}, "b": {"S": f"b{number % 7}"},
            "data": {"S": rng.randbytes(ITEM_BYTES // 2).hex()}}


def load(port, name, numbers, seed):
    rng, connection = random.Random(seed), Connection(port)
    for at in range(0, len(numbers), BATCH):
        status, reply = connection.call("BatchWriteItem", {"RequestItems": {
            name: [{"PutRequest": {"Item": item_of(n, rng)}} for n in numbers[at:at + BATCH]]}})
        if status != 200 or reply.get("UnprocessedItems"):
            raise RuntimeError(f"BatchWriteItem: {status} {reply}")
    connection.close()


def load_all(server, name, items, seed):
    threads = [threading.Thread(target=load, args=(server.port, name, range(n, items, LOADERS),
                                                   f"{seed}/{n}")) for n in range(LOADERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def item_count(connection, name):
    return connection.call("DescribeTable", {"TableName": name})[1]["Table"]["ItemCount"]


def folder_bytes(data):
    """What the files hold, not the room that RocksDB sets aside for its log.  A file may go while it is
    looked at."""
    total = 0
    for folder, _, names in os.walk(data):
        for name in names:
            try:
                total += os.stat(os.path.join(folder, name)).st_size
            except FileNotFoundError:
                pass
    return total


def wait_for_space(data, most):
    end = time.monotonic() + SPACE_SECONDS
    while time.monotonic() < end:
        if folder_bytes(data) <= most:
            return []
        time.sleep(0.1)
    return [f"{folder_bytes(data)} bytes after {SPACE_SECONDS} s, not {most}"]


class Neighbour(threading.Thread):
    """Writes to another table all the time, and notes the longest wait."""

    def __init__(self, server):
        super().__init__()
        self.connection = server.connect()
        self.stop = threading.Event()
        self.longest = 0.0
        self.writes = 0

    def run(self):
        while not self.stop.is_set():
            started = time.monotonic()
            status, _ = self.connection.call("PutItem", {
                "TableName": "other", "Item": item_of(self.writes % 100, random.Random(self.writes))})
            self.longest = max(self.longest, time.monotonic() - started)
            self.writes += status == 200

    def end(self):
        self.stop.set()
        self.join()


def drop(report, server, name, what):
    started = time.monotonic()
    status, reply = server.connect().call("DeleteTable", {"TableName": name})
    took = time.monotonic() - started
    report.expect(f"{what}: the table is deleted", [] if status == 200 else [reply])
    report.expect(f"{what}: at once", [] if took < DROP_SECONDS else [f"{took:.3f} s"])
    return took


def space_comes_back(report, server, options, data):
    """Fills, drops, and looks how much is left; under writes to another table."""
    connection = server.connect()
    create_table(connection, "other")
    before = folder_bytes(data)
    create_table(connection, "many")
    load_all(server, "many", options.items, options.seed)
    counted = item_count(connection, "many")
    report.expect("all items are there", [] if counted == options.items else [counted])
    full = folder_bytes(data)
    neighbour = Neighbour(server)
    neighbour.start()
    took = drop(report, server, "many", "a full table")
    create_table(connection, "many")
    counted = item_count(connection, "many")
    report.expect("a new table of the name is empty", [] if counted == 0 else [counted])
    report.expect("the space comes back", wait_for_space(data, before + (full - before) // 5))
    neighbour.end()
    report.expect("another table goes on", [] if neighbour.writes and neighbour.longest < WRITE_SECONDS
                  else [f"{neighbour.writes} writes, the longest {neighbour.longest:.3f} s"])
    print(f"{options.items} items, {full >> 20} MB: dropped in {took * 1000:.1f} ms, "
          f"{folder_bytes(data) >> 20} MB left; the longest write meanwhile {neighbour.longest * 1000:.0f} ms")


def a_kill_delays_it(report, options, data):
    items = options.items // 5
    server = program.Server(options.program, data)
    try:
        before = folder_bytes(data)
        load_all(server, "many", items, options.seed)
        full = folder_bytes(data)
        drop(report, server, "many", "before a kill")
    finally:
        server.kill()
    server = program.Server(options.program, data)
    try:
        _, reply = server.connect().call("ListTables", {})
        report.expect("the table is gone after the kill",
                      [] if reply.get("TableNames") == ["other"] else [reply])
        report.expect("the space comes back after the kill",
                      wait_for_space(data, before + max(full - before, 0) // 2))
    finally:
        server.kill()
    report.expect("check", program.check(options.program, data))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=program.default_path())
    parser.add_argument("--items", type=int, default=50000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    print(f"drop test: {options.items} items, seed {options.seed}")
    folder = tempfile.mkdtemp(prefix="stator-drop-")
    data, report = folder + "/data", program.Report()
    try:
        server = program.Server(options.program, data)
        try:
            space_comes_back(report, server, options, data)
        finally:
            server.kill()
        a_kill_delays_it(report, options, data)
    except Exception as fault:  # a server that does not start again is a failure like any other
        report.expect("the program goes on", [f"{type(fault).__name__}: {fault}"])
    if report.failed:
        print(f"the data folder is kept: {folder}")
    else:
        shutil.rmtree(folder)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
