#!/usr/bin/env python3
"""Consumed capacity of random writes, with every transition of an index.

usage: capacity.py [--writes N] [--seed S] [--server PROGRAM]

Puts, updates and deletes, plain and in transactions, on tables with local and global indexes of
each projection.  Each write is drawn for a transition (an entry appears, goes, stays the same,
changes in place, moves; projected or not), with sizes on both sides of a unit.  What the server
says it consumed must equal the rules of charge.py, and what it then reads must cost what the item's
size says.  Fails as well when a transition was never met.
"""
import argparse
import collections
import os
import random
import sys
import time
from decimal import Decimal

from charge import Charge, index_units, read_units
from model import Index, Table
from replies import Difference, Differences, compare
from schema import create_table_body
from value import item_size, item_to_wire
from wire import start_stator, wait_active

HERE = os.path.dirname(os.path.abspath(__file__))
BLOCK = 100


def make_tables():
    types = {"pk": "S", "g1": "S", "g2": "N"}
    kinds = [("all", "ALL", ()), ("keys", "KEYS_ONLY", ()), ("some", "INCLUDE", ("a", "m"))]
    ranged, plain = [], []
    for name, projection, include in kinds:
        ranged.append(Index("l-" + name, "LSI", ["pk"], ["g1"], projection, include))
        ranged.append(Index("g-" + name, "GSI", ["g1"], ["g2"], projection, include))
        plain.append(Index("g-" + name, "GSI", ["g3"], [], projection, include))
    plain.append(Index("wide", "GSI", ["g1", "g3"], ["g2", "pk"], "INCLUDE", ("n",)))
    return [Table("cap-ranged", "pk", "sk", {**types, "sk": "N"}, ranged),
            Table("cap-plain", "pk", None, {**types, "g3": "B"}, plain),
            Table("cap-bare", "pk", None, {"pk": "S"}, [])]


def equal(want, got, field):
    if found := compare(want, got, field):
        raise Differences(*found)


class Writer:
    """Draws writes as (operation, key, new item or None) with the request that makes them."""

    def __init__(self, rng):
        self.rng = rng

    def key(self, table):
        key = {"pk": ("S", self.rng.choice("abcdefgh"))}
        if table.range:
            key["sk"] = "N", Decimal(self.rng.choice([0, 1, 120, -15]))
        return key

    def text(self):
        edge = self.rng.choice([0, 5, 300, 900, 950, 1000, 1024, 1100, 2000, 2048, 4100, 9000])
        return "S", "x" * max(0, edge + self.rng.randrange(-30, 30))

    def attribute(self, name):
        r = self.rng
        return {"g1": lambda: ("S", r.choice(["x", "y", "z" * 40])),
                "g2": lambda: ("N", r.choice([Decimal(1), Decimal("123456789.5"), Decimal("-0.12")])),
                "g3": lambda: ("B", r.choice([b"\x00", b"\xff\xfe" * 30])),
                "a": self.text, "u": self.text,
                "n": lambda: ("N", Decimal(r.randrange(-10 ** 6, 10 ** 6)).scaleb(r.randrange(-9, 9))),
                "m": lambda: ("M", {"k\u00e9": ("L", (self.text(), ("NULL", True), ("BOOL", False))),
                                    "s": ("NS", frozenset(Decimal(r.randrange(999)) for _ in "123"))}),
                }[name]()

    def changed(self, old):
        """An item near `old`: now and then itself, mostly with a few attributes changed."""
        item = dict(old)
        names = ["g1", "g2", "g3", "a", "u", "n", "m"]
        for name in self.rng.sample(names, self.rng.choice([0, 1, 1, 2, 3])):
            if name in item and self.rng.random() < 0.4:
                del item[name]
            else:
                item[name] = self.attribute(name)
        return item


def update_members(old, new):
    """An update that makes `new` of `old`, and touches all that is there."""
    names, values, sets, removes = {}, {}, [], []
    for i, name in enumerate(sorted(set(old) | set(new))):
        if name in ("pk", "sk"):
            continue
        names[f"#{i}"] = name
        if name in new:
            values[f":{i}"] = new[name]
            sets.append(f"#{i} = :{i}")
        else:
            removes.append(f"#{i}")
    text = (" SET " + ", ".join(sets) if sets else "") + (" REMOVE " + ", ".join(removes) if removes
                                                            else "")
    body = {}
    if text:
        body = {"UpdateExpression": text, "ExpressionAttributeNames": names}
    if values:
        body["ExpressionAttributeValues"] = item_to_wire(values)
    return body


class Capacity:
    def __init__(self, connection, rng):
        self.connection, self.rng, self.writer = connection, rng, Writer(rng)
        self.tables, self.met = make_tables(), collections.Counter()
        for table in self.tables:
            self.expect("CreateTable", create_table_body(table))
        for table in self.tables:
            wait_active(connection, table.name)

    def expect(self, op, body):
        status, reply = self.connection.call(op, body)
        if status != 200:
            raise Differences(Difference("status", 200, f"{status} {reply} for {op} {body}"))
        return reply

    def draw(self, table, key):
        """(what, new item) for an item at `key`."""
        old = table.get(key)
        what = self.rng.choices(["Put", "Update", "Delete"], [5, 5, 2])[0]
        if what == "Delete":
            return what, None
        base = old if old is not None and self.rng.random() < 0.85 else dict(key)
        new = self.writer.changed(base)
        if what == "Update" and old is None and set(new) <= {"pk", "sk"}:
            what = "Put"
        return what, new

    def entry(self, table, key, what, new):
        body = {"TableName": table.name}
        if what == "Put":
            return {**body, "Item": item_to_wire(new)}
        body["Key"] = item_to_wire(key)
        if what == "Update":
            body |= update_members(table.get(key) or {}, new)
        return body

    def count(self, table, old, new, what):
        for index in table.indexes:
            self.met[index.kind, index.projection, what, transition(index, old, new)] += 1

    def write(self):
        if self.rng.random() < 0.3:
            return self.transaction()
        table = self.rng.choice(self.tables)
        key = self.writer.key(table)
        what, new = self.draw(table, key)
        old = table.get(key)
        body = self.entry(table, key, what, new) | {"ReturnConsumedCapacity": "INDEXES"}
        reply = self.expect(what + "Item", body)
        equal(Charge(table).write(table, old, new).reply("INDEXES"),
                reply["ConsumedCapacity"], "ConsumedCapacity")
        self.count(table, old, new, what)
        table.set(key, new)
        self.read(table, key)
        return 1

    def transaction(self):
        actions, charges, after = [], {}, []
        targets = {}
        for _ in range(self.rng.choice([1, 2, 3, 5])):
            table = self.rng.choice(self.tables)
            key = self.writer.key(table)
            targets[table.name, table.key_of(key)] = table, key
        for table, key in targets.values():
            what, new = self.draw(table, key)
            if what == "Update" and "UpdateExpression" not in self.entry(table, key, what, new):
                what = "Put"
            old = table.get(key)
            actions.append({what: self.entry(table, key, what, new)})
            charge = charges.setdefault(table.name, Charge(table))
            charge.write(table, old, new, transaction=True)
            self.count(table, old, new, what)
            after.append((table, key, new))
        reply = self.expect("TransactWriteItems", {"TransactItems": actions,
                                                   "ReturnConsumedCapacity": "INDEXES"})
        want = sorted((c.reply("INDEXES", "WriteCapacityUnits") for c in charges.values()),
                      key=lambda c: c["TableName"])
        got = sorted(reply["ConsumedCapacity"], key=lambda c: c["TableName"])
        equal(want, got, "ConsumedCapacity")
        for table, key, new in after:
            table.set(key, new)
        return len(after)

    def read(self, table, key):
        """The size the server holds the item for shows in what a read costs."""
        item = table.get(key)
        reply = self.expect("GetItem", {"TableName": table.name, "Key": item_to_wire(key),
                                        "ConsistentRead": True, "ReturnConsumedCapacity": "TOTAL"})
        equal(read_units(item_size(item or {}), True),
                reply["ConsumedCapacity"]["CapacityUnits"], "read units")

    def edges(self):
        """Item sizes to the byte: a padding fills the item to a unit's edge, and one byte over."""
        table = self.tables[2]
        for i in range(120):
            item = self.writer.changed({"pk": ("S", f"edge{i}")})
            item.pop("u", None)
            item["p"] = "S", ""
            for unit in (1024, 4096):
                free = -item_size(item) % unit or unit
                for extra, more in ((free, 0), (free + 1, 1)):
                    full = {**item, "p": ("S", "x" * extra)}
                    units = float((item_size(full) + 1023) // 1024)
                    reply = self.expect("PutItem", {"TableName": table.name, "Item": item_to_wire(full),
                                                    "ReturnConsumedCapacity": "TOTAL"})
                    old = table.get(full)
                    want = max(units, float((item_size(old or {}) + 1023) // 1024))
                    equal(want, reply["ConsumedCapacity"]["CapacityUnits"],
                            f"units of {item_size(full)} bytes")
                    table.set(full, full)
                    self.read(table, {"pk": full["pk"]})
                    self.expect("DeleteItem", {"TableName": table.name,
                                               "Key": item_to_wire({"pk": full["pk"]})})
                    table.set(full, None)

    def numbers(self):
        """Each number whose size was measured on AWS, in an item that it fills to 1,024 bytes."""
        table = self.tables[2]
        with open(os.path.join(HERE, "number_size.tsv"), encoding="utf-8") as f:
            vectors = [line.split("\t") for line in f if not line.startswith("#")]
        for text, size in vectors:
            free = 1024 - len("pk" + "v" + "n" + "p") - int(size)
            for extra, units in ((free, 1.0), (free + 1, 2.0)):
                item = {"pk": {"S": "v"}, "n": {"N": text}, "p": {"S": "x" * extra}}
                reply = self.expect("PutItem", {"TableName": table.name, "Item": item,
                                                "ReturnConsumedCapacity": "TOTAL"})
                equal(units, reply["ConsumedCapacity"]["CapacityUnits"], f"units with number {text}")
                self.expect("DeleteItem", {"TableName": table.name, "Key": {"pk": {"S": "v"}}})

    def refused(self, op, body, message):
        status, reply = self.connection.call(op, body)
        if status != 400 or message is not None and reply.get("message") != message:
            raise Differences(Difference(op, f"400 {message}", f"{status} {reply}"[:300]))

    def largest(self):
        """The limit of an item: 409,600 bytes. An update has a ceiling of its own (measured on
        AWS): the new item without its key, 3, 19 for each SET and ADD, 2 for each REMOVE and
        DELETE."""
        name = self.tables[2].name
        key = {"pk": {"S": "large"}}

        def put(size):
            return {"TableName": name, "Item": {**key, "p": {"S": "x" * (size - 8)}}}

        def update(size, extra=""):
            return {"TableName": name, "Key": key, "UpdateExpression": "SET p = :p" + extra,
                    "ExpressionAttributeValues": {":p": {"S": "x" * (size - 8)}}}

        over = "Item size has exceeded the maximum allowed size"
        update_over = "Item size to update has exceeded the maximum allowed size"
        self.expect("PutItem", put(409600))
        self.refused("PutItem", put(409601), over)
        # new - 7 bytes of key + 3 + 19 a SET, + 2 a REMOVE
        self.expect("UpdateItem", update(409600 + 7 - 3 - 19))
        self.refused("UpdateItem", update(409601 + 7 - 3 - 19), update_over)
        self.expect("UpdateItem", update(409600 + 7 - 3 - 21, " REMOVE q"))
        self.refused("UpdateItem", update(409601 + 7 - 3 - 21, " REMOVE q"), update_over)
        self.expect("TransactWriteItems", {"TransactItems": [{"Update": update(409600)}]})
        self.refused("TransactWriteItems", {"TransactItems": [{"Update": update(409601)}]}, None)


def transition(index, old, new):
    before = index.entry(old) if old is not None else None
    after = index.entry(new) if new is not None else None
    if before is None:
        return "absent-absent" if after is None else "appears"
    if after is None:
        return "goes"
    if index_units(index, old, new) is None:
        return "same" if old == new else "same though the item changed"
    return "changes" if index.key_of(before) == index.key_of(after) else "moves"


def unmet(met):
    """Transitions that never happened."""
    out = []
    for kind in ("LSI", "GSI"):
        for projection in ("ALL", "KEYS_ONLY", "INCLUDE"):
            for what in ("Put", "Update"):
                ways = {"absent-absent", "appears", "goes", "same", "moves"}
                if projection != "KEYS_ONLY":
                    ways.add("changes")
                if projection != "ALL":
                    ways.add("same though the item changed")
                out += [(kind, projection, what, w) for w in ways
                        if not met[kind, projection, what, w]]
            if not met[kind, projection, "Delete", "goes"]:
                out.append((kind, projection, "Delete", "goes"))
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--writes", type=int, default=10000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--server", default=os.path.join(HERE, "../../build/stator"))
    options = p.parse_args()
    server = start_stator(options.server)
    passed = failed = done = 0
    began = time.time()
    try:
        run = Capacity(server.connection(), random.Random(options.seed))
        while done < options.writes and failed < 5:
            try:
                for _ in range(BLOCK):
                    done += run.write()
                passed += 1
            except Differences as d:
                failed += 1
                print(f"after {done} writes: {d}")
                server.stop()
                server = start_stator(options.server)
                run_before, run = run, Capacity(server.connection(), random.Random(done))
                run.met += run_before.met
        for test in (run.edges, run.numbers, run.largest):
            try:
                test()
                passed += 1
            except Differences as d:
                failed += 1
                print(f"{test.__name__}: {d}")
    finally:
        server.stop()
    for missing in unmet(run.met):
        failed += 1
        print("never met:", *missing)
    print(f"{done} writes in {time.time() - began:.0f} s, {sum(run.met.values())} index transitions")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
