#!/usr/bin/env python3
"""Properties of pages: whatever the page size, direction, filter and index, following the pages
meets every item exactly once, in order.

usage: paging.py [--runs N] [--seed S] [--server PROGRAM]

The quiet items never change.  Many share their index keys, so that pages end between equals.  In
the second half writers put, move and delete noise among them, in the same partitions and index
partitions; then the quiet items must still be met exactly once.  A page over 1 MB must end early and
go on.  Each run is one test.
"""
import argparse
import os
import random
import sys
import threading
import time
from decimal import Decimal

from model import Index, Table, range_order
from schema import create_table_body
from value import item_from_wire, item_to_wire, to_wire
from wire import Lost, start_stator, wait_active

HERE = os.path.dirname(os.path.abspath(__file__))
QUIET = 240
PAGES_AT_MOST = 4000


class Broken(Exception):
    pass


def make_table():
    indexes = [
        Index("lsi-all", "LSI", ["pk"], ["g1"], "ALL"),
        Index("lsi-keys", "LSI", ["pk"], ["g2"], "KEYS_ONLY"),
        Index("gsi-hash", "GSI", ["g1"], [], "ALL"),
        Index("gsi-pair", "GSI", ["g1"], ["g2"], "KEYS_ONLY"),
        Index("gsi-some", "GSI", ["g2"], ["g1"], "INCLUDE", ["n"]),
        Index("gsi-wide", "GSI", ["g1", "g3"], ["g2", "sk"], "ALL"),
        Index("gsi-turned", "GSI", ["sk"], ["pk"], "KEYS_ONLY")]
    types = {"pk": "S", "sk": "N", "g1": "S", "g2": "N", "g3": "B"}
    return Table("paging", "pk", "sk", types, indexes)


def quiet_item(i, rng):
    item = {"pk": ("S", f"p{i % 3}"), "sk": ("N", Decimal(2 * i)), "quiet": ("BOOL", True),
            "n": ("N", Decimal(i))}
    return item | index_keys(rng)


def index_keys(rng):
    item = {}
    if rng.random() < 0.9:
        item["g1"] = "S", rng.choice(["x", "y"])
    if rng.random() < 0.9:
        item["g2"] = "N", Decimal(rng.choice([1, 2, 3]))
    if rng.random() < 0.9:
        item["g3"] = "B", rng.choice([b"\x00", b"\x00\x01"])
    return item


def call(connection, op, body):
    status, reply = connection.call(op, body)
    if status != 200:
        raise Broken(f"{op} {body} answers {status} {reply}")
    return reply


class Noise(threading.Thread):
    """Puts, moves and deletes items with odd sort keys, next to the quiet ones."""

    def __init__(self, server, table, seed):
        super().__init__(daemon=True)
        self.connection, self.table, self.rng = server.connection(), table, random.Random(seed)
        self.ends, self.writes, self.fault = threading.Event(), 0, None

    def run(self):
        try:
            while not self.ends.is_set():
                self.write()
                self.writes += 1
        except (Broken, Lost) as fault:
            self.fault = fault

    def write(self):
        key = {"pk": ("S", f"p{self.rng.randrange(3)}"),
               "sk": ("N", Decimal(2 * self.rng.randrange(QUIET) + 1))}
        if self.rng.random() < 0.3:
            call(self.connection, "DeleteItem", {"TableName": self.table.name,
                                                 "Key": item_to_wire(key)})
        else:
            call(self.connection, "PutItem", {"TableName": self.table.name,
                                              "Item": item_to_wire(key | index_keys(self.rng))})


class Paging:
    def __init__(self, server, rng, scans):
        self.server, self.connection, self.rng = server, server.connection(), rng
        self.table, self.scans = make_table(), scans
        call(self.connection, "CreateTable", create_table_body(self.table))
        wait_active(self.connection, self.table.name)
        for i in range(QUIET):
            item = quiet_item(i, rng)
            self.table.set(item, item)
            call(self.connection, "PutItem", {"TableName": self.table.name,
                                              "Item": item_to_wire(item)})

    def follow(self, op, body, backward, limit, filtered):
        """The base keys that all pages show, in order."""
        keys, pages, scanned, body = [], 0, 0, dict(body)
        while True:
            reply = call(self.connection, op, body)
            pages += 1
            scanned += reply["ScannedCount"]
            if limit and reply["ScannedCount"] > limit:
                raise Broken(f"a page of {limit} read {reply['ScannedCount']}")
            if reply["Count"] != len(reply["Items"]) or not filtered and \
                    reply["Count"] != reply["ScannedCount"]:
                raise Broken(f"counts do not fit: {reply['Count']}, {reply['ScannedCount']}, "
                             f"{len(reply['Items'])} items")
            keys += [self.table.key_of(item_from_wire(i)) for i in reply["Items"]]
            if "LastEvaluatedKey" not in reply:
                return keys, scanned
            if reply["ScannedCount"] == 0:
                raise Broken("an empty page that goes on")
            if pages > PAGES_AT_MOST:
                raise Broken("pages without end")
            body["ExclusiveStartKey"] = reply["LastEvaluatedKey"]

    def draw(self):
        """A random Query or Scan: (what, body, source, test of an item that it should find)."""
        r, table = self.rng, self.table
        source = r.choice([table, *table.indexes])
        body = {"TableName": table.name}
        if source is not table:
            body["IndexName"] = source.name
        tests = [lambda i: source.entry(i) is not None]
        if self.scans and r.random() < 0.4:
            op = "Scan"
        else:
            op = "Query"
            self.add_key_condition(body, source, tests)
        if r.random() < 0.3 and source.projected("n"):
            step = r.choice([2, 7, 1000])
            body["FilterExpression"] = "n < :most"
            most = "N", Decimal(QUIET // step)
            body.setdefault("ExpressionAttributeValues", {})[":most"] = to_wire(most)
            tests.append(lambda i: "n" in i and i["n"][1] < most[1])
        return op, body, source, lambda i: all(t(i) for t in tests)

    def add_key_condition(self, body, source, tests):
        example = self.rng.choice([i for i in self.table.items.values()
                                   if source.entry(i) is not None])
        parts, values = [], {}
        for n, name in enumerate(source.hashes):
            parts.append(f"{name} = :h{n}")
            values[f":h{n}"] = to_wire(example[name])
            tests.append(lambda i, name=name: i[name] == example[name])
        if source.ranges and self.rng.random() < 0.4:
            name, op = source.ranges[0], self.rng.choice(["<=", ">=", "="])
            parts.append(f"{name} {op} :r")
            values[":r"] = to_wire(example[name])
            tests.append(lambda i: {"<=": i[name][1] <= example[name][1], "=": i[name] == example[name],
                                    ">=": i[name][1] >= example[name][1]}[op])
        body["KeyConditionExpression"] = " AND ".join(parts)
        body["ExpressionAttributeValues"] = values

    def run(self, noisy):
        r = self.rng
        op, body, source, test = self.draw()
        limit = r.choice([None, 1, 2, 3, 5, 7, 10, 50, 1000])
        if limit:
            body["Limit"] = limit
        backward = op == "Query" and r.random() < 0.5
        if backward:
            body["ScanIndexForward"] = False
        if getattr(source, "kind", "") != "GSI" and r.random() < 0.5:
            body["ConsistentRead"] = True
        filtered = "FilterExpression" in body
        parts = [{}]
        if op == "Scan" and r.random() < 0.5:
            total = r.choice([1, 2, 4, 7])
            parts = [{"Segment": s, "TotalSegments": total} for s in range(total)]
        found, scanned = [], 0
        for part in parts:
            keys, read = self.follow(op, body | part, backward, limit, filtered)
            found += keys
            scanned += read
        self.check(op, body, source, test, found, scanned, noisy, backward)

    def check(self, op, body, source, test, found, scanned, noisy, backward):
        items = self.table.items
        want = {k for k, i in items.items() if test(i)}
        quiet = [k for k in found if k in items]
        if not noisy and len(quiet) != len(found):
            raise Broken(f"{op} {body} invents items")
        lost, doubled = want - set(quiet), len(quiet) - len(set(quiet))
        if lost or doubled or set(quiet) - want:
            raise Broken(f"{op} {body}: {len(lost)} lost, {doubled} doubled, "
                         f"{len(set(quiet) - want)} too many of {len(want)}")
        if op == "Query":
            places = [range_order(source, items[k]) for k in quiet]
            if places != sorted(places, reverse=backward):
                raise Broken(f"{op} {body}: out of order")
        if not noisy and not ("FilterExpression" in body) and scanned != len(want):
            raise Broken(f"{op} {body}: {scanned} read for {len(want)}")

    def turned(self):
        """A partition read backward is exactly the partition read forward, turned round."""
        source = self.rng.choice(self.table.indexes)
        body = {"TableName": self.table.name, "IndexName": source.name}
        self.add_key_condition(body, source, [])
        forward, _ = self.follow("Query", body, False, None, False)
        limit = self.rng.choice([1, 3, 8])
        backward, _ = self.follow("Query", body | {"ScanIndexForward": False, "Limit": limit}, True,
                                  limit, False)
        if forward != backward[::-1]:
            raise Broken(f"{body}: backward is not forward turned round")

    def large(self):
        """Pages end at 1 MB, before the filter, and go on."""
        table = Table("paging-large", "pk", "sk", {"pk": "S", "sk": "N"}, [])
        call(self.connection, "CreateTable", create_table_body(table))
        wait_active(self.connection, table.name)
        sizes = [self.rng.choice([300, 100_000, 390_000]) for _ in range(24)]
        for i, size in enumerate(sizes):
            call(self.connection, "PutItem", {"TableName": table.name, "Item": {
                "pk": {"S": "p"}, "sk": {"N": str(i)}, "filler": {"S": "x" * size}}})
        for extra in ({}, {"Select": "COUNT"}, {"ScanIndexForward": False},
                      {"FilterExpression": "attribute_not_exists(filler)"}):
            self.large_pages(table, sizes, extra)

    def large_pages(self, table, sizes, extra):
        body = {"TableName": table.name, "KeyConditionExpression": "pk = :p",
                "ExpressionAttributeValues": {":p": {"S": "p"}}, **extra}
        at, pages = 0, 0
        order = sizes[::-1] if extra.get("ScanIndexForward") is False else sizes
        while True:
            reply = call(self.connection, "Query", body)
            pages += 1
            read = order[at:at + reply["ScannedCount"]]
            at += len(read)
            if sum(read[:-1]) > 1 << 20:
                raise Broken(f"a page of {sum(read)} bytes")
            if "LastEvaluatedKey" not in reply:
                break
            if sum(read) + (order[at] if at < len(order) else 0) < (1 << 20) - 24 * 20:
                raise Broken(f"a page of {sum(read)} bytes ends though {order[at]} more would fit")
            body["ExclusiveStartKey"] = reply["LastEvaluatedKey"]
        if at != len(sizes):
            raise Broken(f"{at} of {len(sizes)} large items read")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--runs", type=int, default=600)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--server", default=os.path.join(HERE, "../../build/stator"))
    options = p.parse_args()
    server = start_stator(options.server)
    passed = failed = 0
    began = time.time()
    noises = []

    def test(what):
        nonlocal passed, failed
        try:
            what()
            passed += 1
        except Broken as fault:
            failed += 1
            print(f"FAIL seed {options.seed}: {str(fault)[:600]}")

    try:
        _, reply = server.connection().call("Scan", {})
        scans = "UnknownOperation" not in str(reply.get("__type"))
        if not scans:
            print("note: Scan is not built, and left out")
        paging = Paging(server, random.Random(options.seed), scans)
        test(paging.large)
        for _ in range(options.runs // 2):
            test(lambda: paging.run(False))
        for _ in range(options.runs // 10):
            test(paging.turned)
        noises = [Noise(server, paging.table, seed) for seed in range(2)]
        for noise in noises:
            noise.start()
        for _ in range(options.runs // 2):
            test(lambda: paging.run(True))
    finally:
        for noise in noises:
            noise.ends.set()
        for noise in noises:
            noise.join()
        server.stop()
    for noise in noises:
        if noise.fault or not noise.writes:
            failed += 1
            print(f"a writer failed: {noise.fault or 'it wrote nothing'}")
    print(f"{sum(n.writes for n in noises)} writes beside the pages, {time.time() - began:.0f} s")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
