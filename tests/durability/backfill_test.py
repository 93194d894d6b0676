#!/usr/bin/env python3
"""Indexes that are added to a full table while four clients write and the server is killed.

usage: backfill_test.py [--program build/stator] [--cycles 3] [--items 20000] [--seed N]

A cycle deletes the index of the one before, adds another, and kills the server up to three times
while the index is being filled.  When the index has become ACTIVE: it holds what the table holds and
nothing else, no acknowledged write is lost, the counts are right, and `stator check` is clean.  At
least one kill must have come while an index was being filled.
"""
import argparse
import random
import shutil
import sys
import tempfile
import threading
import time

import program
from endpoint import Connection, Lost, error_text, error_type

TABLE = "full"
CLIENTS = 4
BATCH = 25
GROUPS = 50          # values of each attribute that an index is on
ACTIVE_SECONDS = 120
KILLS = 3            # the most in one cycle


def key_of(number):
    return f"{number:07d}"


def item_of(number, version, rng):
    """Some items are in the index, some not; every write may move them."""
    item = {"pk": {"S": key_of(number)}, "version": {"N": str(version)},
            "text": {"S": "x" * rng.randrange(20, 200)}}
    for attribute in ("even", "odd"):
        if rng.random() < 0.9:
            item[attribute] = {"S": f"{attribute}-{rng.randrange(GROUPS)}"}
    return item


def same(a, b):
    return a == b or (a is not None and b is not None and sorted(a) == sorted(b) and
                      all(a[name] == b[name] for name in a))


class Client(threading.Thread):
    """Writes to every CLIENTSth item.  `books` maps an item's number to all that may be stored: one
    value, or two after a write whose outcome is unknown; None stands for no item."""

    def __init__(self, number, seed, items):
        super().__init__()
        self.random = random.Random(f"{seed}/{number}")
        self.own = range(number, items, CLIENTS)
        self.books = {}
        self.version = 0
        self.acknowledged = 0
        self.refused = None

    def fill(self, port):
        """The items that are there before the first index."""
        connection = Connection(port)
        for at in range(0, len(self.own), BATCH):
            items = {n: item_of(n, 0, self.random) for n in self.own[at:at + BATCH]}
            status, reply = connection.call("BatchWriteItem", {"RequestItems": {
                TABLE: [{"PutRequest": {"Item": item}} for item in items.values()]}})
            if status != 200 or reply.get("UnprocessedItems"):
                raise RuntimeError(f"BatchWriteItem: {status} {reply}")
            self.books.update((n, [item]) for n, item in items.items())
        connection.close()

    def run_against(self, server, stop):
        try:
            connection = server.connect()
            while not stop.is_set():
                self.write(connection)
        except Lost:
            pass

    def write(self, connection):
        number = self.random.choice(self.own)
        self.version += 1
        item = None if self.random.random() < 0.15 else item_of(number, self.version, self.random)
        before, self.books[number] = self.books[number], self.books[number] + [item]
        if item is None:
            status, reply = connection.call("DeleteItem", {
                "TableName": TABLE, "Key": {"pk": {"S": key_of(number)}}})
        else:
            status, reply = connection.call("PutItem", {"TableName": TABLE, "Item": item})
        if status == 200:
            self.books[number] = [item]
            self.acknowledged += 1
        else:
            self.books[number] = before
            self.refused = f"{error_type(reply)}: {error_text(reply)}"


class Load:
    """All clients at once, for as long as the server lives."""

    def __init__(self, clients, server):
        self.stop = threading.Event()
        self.threads = [threading.Thread(target=client.run_against, args=(server, self.stop))
                        for client in clients]
        for thread in self.threads:
            thread.start()

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()


# --- The index -----------------------------------------------------------------------------------


def create_table(connection):
    status, reply = connection.call("CreateTable", {
        "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})
    if status != 200:
        raise RuntimeError(f"CreateTable: {reply}")


def attribute_of(cycle):
    return "odd" if cycle % 2 else "even"


def add_index(connection, cycle):
    attribute = attribute_of(cycle)
    return connection.call("UpdateTable", {
        "TableName": TABLE,
        "AttributeDefinitions": [{"AttributeName": attribute, "AttributeType": "S"},
                                 {"AttributeName": "version", "AttributeType": "N"}],
        "GlobalSecondaryIndexUpdates": [{"Create": {
            "IndexName": f"index-{cycle}",
            "KeySchema": [{"AttributeName": attribute, "KeyType": "HASH"},
                          {"AttributeName": "version", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "ALL"}}}]})


def delete_index(connection, cycle):
    return connection.call("UpdateTable", {
        "TableName": TABLE,
        "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": f"index-{cycle}"}}]})


def index_description(connection):
    _, reply = connection.call("DescribeTable", {"TableName": TABLE})
    indexes = reply["Table"].get("GlobalSecondaryIndexes") or [{}]
    return indexes[-1]


def index_status(connection):
    return index_description(connection).get("IndexStatus")


def wait_active(connection):
    end = time.monotonic() + ACTIVE_SECONDS
    while time.monotonic() < end:
        status = index_status(connection)
        if status == "ACTIVE":
            return []
        time.sleep(0.01)
    return [f"the index is {status} after {ACTIVE_SECONDS} s"]


# --- What must be true ---------------------------------------------------------------------------


def scan(connection, index=None):
    """All items by their key."""
    items, request = {}, {"TableName": TABLE, **({"IndexName": index} if index else {})}
    while True:
        status, reply = connection.call("Scan", request)
        if status != 200:
            raise RuntimeError(f"Scan: {reply}")
        for item in reply["Items"]:
            items[item["pk"]["S"]] = item
        if "LastEvaluatedKey" not in reply:
            return items
        request["ExclusiveStartKey"] = reply["LastEvaluatedKey"]


def lost_writes(clients, table):
    faults = []
    for client in clients:
        for number, values in client.books.items():
            there = table.get(key_of(number))
            if not any(same(there, value) for value in values):
                faults.append(f"item {number} is {there}, not one of {values}")
            client.books[number] = [there]
    return faults


def index_faults(connection, cycle, table):
    attribute = attribute_of(cycle)
    want = {key: item for key, item in table.items() if attribute in item}
    index = scan(connection, f"index-{cycle}")
    faults = [f"{key} is missing" for key in want.keys() - index.keys()]
    faults += [f"{key} should not be there" for key in index.keys() - want.keys()]
    faults += [f"{key} is {index[key]}, not {want[key]}" for key in want.keys() & index.keys()
               if not same(want[key], index[key])]
    counted = index_description(connection)["ItemCount"]
    return faults + ([] if counted == len(want) else [f"counted {counted}, there are {len(want)}"])


def query_faults(connection, cycle, table):
    """A group of the index, by Query, in order."""
    attribute = attribute_of(cycle)
    value = f"{attribute}-7"
    status, reply = connection.call("Query", {
        "TableName": TABLE, "IndexName": f"index-{cycle}",
        "KeyConditionExpression": f"{attribute} = :v", "ExpressionAttributeValues": {":v": {"S": value}}})
    if status != 200:
        return [f"Query: {reply}"]
    versions = [int(item["version"]["N"]) for item in reply["Items"]]
    want = sorted(int(item["version"]["N"]) for item in table.values()
                  if item.get(attribute) == {"S": value})
    return [] if versions == want else [f"{len(versions)} in the order {versions[:9]}…, "
                                        f"not {len(want)}: {want[:9]}…"]


# --- A cycle -------------------------------------------------------------------------------------


class Test:
    def __init__(self, options, folder):
        self.options = options
        self.data = folder + "/data"
        self.report = program.Report()
        self.random = random.Random(options.seed)
        self.clients = [Client(n, options.seed, options.items) for n in range(CLIENTS)]
        self.kills = self.kills_while_filling = 0

    def start(self):
        return program.Server(self.options.program, self.data)

    def fill(self, server):
        create_table(server.connect())
        threads = [threading.Thread(target=c.fill, args=(server.port,)) for c in self.clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def begin(self, server, cycle):
        """The old index goes, the new one comes; both answer before it is filled."""
        connection = server.connect()
        if cycle:
            status, reply = delete_index(connection, cycle - 1)
            self.report.expect(f"cycle {cycle}: the index is deleted", [] if status == 200 else [reply])
        started = time.monotonic()
        status, reply = add_index(connection, cycle)
        took = time.monotonic() - started
        self.report.expect(f"cycle {cycle}: the index is added", [] if status == 200 else [reply])
        self.report.expect(f"cycle {cycle}: the answer does not wait for the index",
                           [] if took < 5 else [f"{took:.1f} s"])

    def kill(self, server, load):
        """Some time later."""
        time.sleep(self.random.random() ** 2 * 0.6)
        server.kill()
        load.end()
        self.kills += 1

    def kill_again_and_again(self, server, load, cycle):
        for _ in range(self.random.randrange(1, KILLS + 1)):
            self.kill(server, load)
            server = self.start()
            if index_status(server.connect()) == "CREATING":
                self.kills_while_filling += 1
            load = Load(self.clients, server)
        return server, load

    def verify(self, server, cycle):
        connection = server.connect()
        table = scan(connection)
        expect = self.report.expect
        expect(f"cycle {cycle}: no acknowledged write is lost", lost_writes(self.clients, table))
        expect(f"cycle {cycle}: the index equals the table", index_faults(connection, cycle, table))
        expect(f"cycle {cycle}: a query finds its group", query_faults(connection, cycle, table))
        expect(f"cycle {cycle}: no errors", [c.refused for c in self.clients if c.refused])

    def run_cycle(self, cycle):
        server = self.start()
        try:
            if cycle == 0:
                self.fill(server)
            load = Load(self.clients, server)
            self.begin(server, cycle)
            server, load = self.kill_again_and_again(server, load, cycle)
            self.report.expect(f"cycle {cycle}: the index becomes ACTIVE", wait_active(server.connect()))
            load.end()
            self.verify(server, cycle)
        finally:
            server.kill()
        self.report.expect(f"cycle {cycle}: check", program.check(self.options.program, self.data))

    def unfinished_check(self):
        """What a kill leaves unfinished is not a fault to `stator check`."""
        server = self.start()
        try:
            load = Load(self.clients, server)
            self.begin(server, self.options.cycles)
            time.sleep(0.05)
        finally:
            server.kill()
        load.end()
        self.report.expect("check of an unfinished index", program.check(self.options.program, self.data))

    def run(self):
        for cycle in range(self.options.cycles):
            self.run_cycle(cycle)
        self.unfinished_check()
        self.report.expect("kills while an index was being filled", [] if self.kills_while_filling
                           else [f"none of {self.kills}"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=program.default_path())
    parser.add_argument("--cycles", type=int, default=3)
    parser.add_argument("--items", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    print(f"backfill test: {options.cycles} cycles, {options.items} items, seed {options.seed}")
    folder = tempfile.mkdtemp(prefix="stator-backfill-")
    test = Test(options, folder)
    try:
        test.run()
    except Exception as fault:  # a server that does not start again is a failure like any other
        test.report.expect("the program goes on", [f"{type(fault).__name__}: {fault}"])
    if test.report.failed:
        print(f"the data folder is kept: {folder}")
    else:
        shutil.rmtree(folder)
    writes = sum(client.acknowledged for client in test.clients)
    print(f"{writes} acknowledged writes, {test.kills} kills, {test.kills_while_filling} of them while "
          "an index was being filled")
    return test.report.end()


if __name__ == "__main__":
    sys.exit(main())
