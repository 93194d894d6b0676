"""Random requests, drawn so that most mean something: conditions near what is stored, paths that
exist, pages that go on.  A share is wrong on purpose (wrong.py)."""
from decimal import Decimal

from expression import (Arithmetic, Between, Compare, Function, IfNotExists, In, ListAppend, Logic, Not,
                        Path, Size, Text, Update, Value, condition_text, look_up, overlaps)
from legacy import turned
from pools import HABITS, INDEX_TYPES, PATHS, TYPES, Pool
from schema import index_body, random_index, random_index_key
from step import KeyTest, Step, key_condition_text
from value import item_to_wire, order_key
from wrong import wrong_step

WEIGHTS = {"PutItem": 22, "UpdateItem": 22, "DeleteItem": 3, "GetItem": 10, "Query": 20, "Scan": 7,
           "BatchGetItem": 4, "BatchWriteItem": 4, "TransactWriteItems": 6, "TransactGetItems": 3}
OLDER = ("PutItem", "UpdateItem", "DeleteItem", "GetItem", "Query", "Scan")
COMPARISONS = ["=", "=", "<>", "<", "<=", ">", ">="]


class Generator:
    def __init__(self, rng, model, operations, reserved, wrong_share=0.1, pad=3000):
        self.rng, self.model, self.reserved, self.pad = rng, model, reserved, pad
        self.pool = Pool(rng)
        self.tables = list(model.tables.values())
        self.able = operations
        self.operations = [o for o in WEIGHTS if o in operations]
        self.weights = [WEIGHTS[o] for o in self.operations]
        self.wrong_share = wrong_share
        self.cursors, self.again, self.tokens = [], None, 0
        self.arns = True            # an ARN may stand for a table's name
        self.filling = 100          # steps that only put, so that there is something to ask for
        self.simple = False         # only what the older parameters can say
        self.indexes_made = 0

    def next(self):
        step = self.drawn()
        if self.arns and "TableName" in step.body and self.chance(0.02) and \
                "ReturnConsumedCapacity" not in step.body and not step.refusal and \
                not step.body["TableName"].startswith("arn:"):
            step.body["TableName"] = ("arn:aws:dynamodb:us-east-1:000000000000:table/"
                                      + step.body["TableName"])
        return step

    def drawn(self):
        if self.again:
            step, self.again = self.again, None
            return step
        if self.filling:
            self.filling -= 1
            return self.make_PutItem(conditions=0)
        if self.rng.random() < self.wrong_share:
            return wrong_step(self)
        if self.cursors and self.rng.random() < 0.12:
            return self.continued()
        if "UpdateTable" in self.able and self.chance(0.004):
            return self.make_UpdateTable()
        if self.chance(0.1) and (step := self.older()) is not None:
            return step
        op = self.rng.choices(self.operations, self.weights)[0]
        return getattr(self, "make_" + op)()

    def older(self):
        op = self.rng.choice([o for o in OLDER if o in self.operations])
        self.simple = True
        step = getattr(self, "make_" + op)()
        self.simple = False
        return turned(step, self.rng)

    def note(self, step, answer):
        """What the model answered, to go on from."""
        if "LastEvaluatedKey" in answer:
            self.cursors.append((step, answer["LastEvaluatedKey"]))
            del self.cursors[:-6]
        if step.op == "TransactWriteItems" and step.args.get("token") and self.rng.random() < 0.3:
            self.again = self.replay(step)

    # ---- pieces

    def chance(self, p):
        return self.rng.random() < p

    def text(self):
        return Text(self.rng, self.reserved)

    def key(self, table, there=0.6):
        """A key, with this chance of an item that is there."""
        if table.items and self.chance(there):
            return table.key_item(self.rng.choice(list(table.items)))
        key = {table.hash: self.pool.key(table.types[table.hash], 3 if table.range else None)}
        if table.range:
            key[table.range] = self.pool.key(table.types[table.range])
        return key

    def item(self, table, key=None):
        r, item = self.rng, dict(key or self.key(table, 0.35))
        keyed = table.index_key_names()
        for name in sorted(INDEX_TYPES):
            if r.random() < (0.65 if name in keyed else 0.15):
                item[name] = self.pool.index(INDEX_TYPES[name])
        for name in r.sample(sorted(HABITS), r.choice([0, 2, 4, 6, 9])):
            item.setdefault(name, self.pool.habit(HABITS[name]))
        if r.random() < 0.12:
            item["pad"] = "S", "-" * r.randrange(self.pad)
        return item

    def some_item(self, table, key=None):
        if key is not None and (found := table.get(key)) is not None:
            return found
        return self.rng.choice(list(table.items.values())) if table.items else {}

    def paths_in(self, item):
        out = []

        def walk(path, value):
            out.append(path)
            kind, payload = value
            if len(path) < 4 and kind in ("L", "M"):
                inner = payload.items() if kind == "M" else enumerate(payload)
                for step, below in inner:
                    walk((*path, step), below)

        for name, value in item.items():
            walk((name,), value)
        return out

    def path(self, item, allowed=None):
        """A path, mostly one that leads somewhere; its name one of `allowed`."""
        if allowed is not None:
            item = {n: v for n, v in item.items() if n in allowed}
        if self.simple:
            return (self.rng.choice(sorted(allowed or HABITS)),)
        if item and self.chance(0.8):
            # Every attribute as often as the next, however many paths lead into it.
            names = [n for n in item if n in HABITS] if self.chance(0.8) else list(item)
            name = self.rng.choice(names or list(item))
            if self.chance(0.5):
                return (name,)
            return self.rng.choice(self.paths_in({name: item[name]}))
        if allowed is None:
            return self.rng.choice(PATHS)
        fitting = [p for p in PATHS if p[0] in allowed]
        return self.rng.choice(fitting) if fitting else (self.rng.choice(sorted(allowed)),)

    def capacity(self, body, args):
        mode = self.rng.choice([None, None, "TOTAL", "INDEXES", "INDEXES", "NONE"])
        self.put(body, args, "ReturnConsumedCapacity", "capacity", mode)

    def put(self, body, args, member, name, value):
        if value is not None:
            body[member] = args[name] = value

    # ---- conditions

    def condition(self, item, allowed=None, depth=0):
        pick = self.rng.random()
        if depth < (1 if self.simple else 3) and pick < 0.3 - 0.08 * depth:
            count = self.rng.choice([2, 2, 2, 3])
            parts = [self.condition(item, allowed, depth + 1) for _ in range(count)]
            return Logic(self.rng.choice(["AND", "OR"]), *parts)
        if depth < 4 and pick < 0.38 - 0.08 * depth and not self.simple:
            return Not(self.condition(item, allowed, depth + 1))
        return self.leaf(item, allowed)

    def leaf(self, item, allowed):
        pick = self.rng.random()
        path = self.path(item, allowed)
        found = look_up(item, path)
        if found and found[0] in ("L", "SS", "NS", "BS") and self.chance(0.3):
            return Function("contains", Path(path), Value(self.member(found)))
        if pick < 0.4:
            return self.compare(item, path, found, allowed)
        if pick < 0.48:
            return self.between(path, found)
        if pick < 0.57:
            among = [Value(self.pool.any()) for _ in range(self.rng.choice([1, 2, 3]))]
            if found and self.chance(0.6):
                among.insert(self.rng.randrange(len(among) + 1), Value(found))
            return In(Path(path), among)
        if pick < 0.74:
            name = "attribute_exists" if self.chance(0.6) else "attribute_not_exists"
            return Function(name, Path(path))
        if pick < 0.80:
            kind = found[0] if found and self.chance(0.5) else self.rng.choice(TYPES)
            return Function("attribute_type", Path(path), Value(("S", kind)))
        if pick < 0.86:
            prefix = self.pool.scalar("SB")
            if found and found[0] in ("S", "B") and self.chance(0.6):
                prefix = found[0], found[1][:self.rng.randrange(len(found[1]) + 1)]
            return Function("begins_with", Path(path), Value(prefix))
        if pick < 0.94:
            return Function("contains", Path(path), Value(self.member(found)))
        length = "N", Decimal(self.rng.choice([0, 1, 2, 3, 5]))
        return Compare(self.rng.choice(COMPARISONS), Size(path), Value(length))

    def compare(self, item, path, found, allowed):
        op = self.rng.choice(COMPARISONS)
        if self.chance(0.12):
            other = self.path(item, allowed)
            if other != path:
                return Compare(op, Path(path), Path(other))
        value = found if found and self.chance(0.6) else self.pool.any()
        if op not in ("=", "<>") and value[0] not in ("S", "N", "B"):
            value = self.pool.scalar()
        pair = [Path(path), Value(value)]
        if self.chance(0.1):
            pair.reverse()
        return Compare(op, *pair)

    def between(self, path, found):
        kind = found[0] if found and found[0] in ("S", "N", "B") else self.rng.choice("SNB")
        bounds = [self.pool.value(kind), self.pool.value(kind)]
        if found and found[0] == kind and self.chance(0.6):
            bounds[0] = found
        low, high = sorted(bounds, key=order_key)
        return Between(Path(path), Value(low), Value(high))

    def member(self, found):
        """Something the found value may contain."""
        if found and self.chance(0.6):
            kind, payload = found
            if kind in ("SS", "NS", "BS"):
                return kind[0], self.rng.choice(sorted(payload))
            if kind == "L" and payload:
                value = self.rng.choice(payload)
                if value[0] in ("S", "N", "B", "BOOL", "NULL"):
                    return value
            if kind in ("S", "B"):
                at = self.rng.randrange(len(payload) + 1)
                return kind, payload[at:at + 2]
        return self.pool.scalar(["S", "N", "B", "BOOL", "NULL"])

    # ---- updates

    def update(self, table, item):
        update = self.list_update(item) if self.chance(0.06) and not self.simple else Update()
        taken = update.paths()
        for _ in range(self.rng.choice([1, 1, 2, 3, 4])):
            path = self.target(table, item)
            if any(overlaps(path, p) for p in taken):
                continue
            self.add_action(update, table, item, path)
            taken = update.paths()
        return update if taken else self.update(table, item)

    def list_update(self, item):
        """Several elements of one list at once: set, removed, appended."""
        update = Update()
        lists = [p for p in self.paths_in(item) if look_up(item, p)[0] == "L"]
        if lists:
            path = self.rng.choice(lists)
            length = len(look_up(item, path)[1])
            for i in self.rng.sample(range(length + 4), self.rng.choice([2, 3])):
                if i < length and self.chance(0.5):
                    update.removes.append((*path, i))
                else:
                    update.sets.append(((*path, i), Value(self.pool.any(2))))
        return update

    def target(self, table, item):
        """A path an update may change: never a key, an index key only whole."""
        fixed = set(table.keys)
        # What an index is keyed by, or may be later, keeps its type.
        whole = set(INDEX_TYPES)
        while True:
            if self.chance(0.2):
                return (self.rng.choice(sorted(table.index_key_names() or whole)),)
            path = self.path(item) if self.chance(0.65) else (self.rng.choice(sorted(HABITS)),)
            if path[0] not in fixed and path[0] != "pad" and (len(path) == 1 or path[0] not in whole):
                return path

    def add_action(self, update, table, item, path):
        found, pick = look_up(item, path), self.rng.random()
        if path[0] in INDEX_TYPES:
            if pick < 0.3:
                update.removes.append(path)
            else:
                update.sets.append((path, Value(self.pool.index(INDEX_TYPES[path[0]]))))
        elif found and found[0] in ("SS", "NS", "BS") and pick < 0.4:
            pairs = update.deletes if self.chance(0.6) else update.adds
            pairs.append((path, self.other_set(found)))
        elif pick < 0.55:
            update.sets.append((path, self.operand(item, path, found)))
        elif pick < 0.7:
            update.removes.append(path)
        elif pick < 0.87:
            kind = found[0] if found and found[0] in ("N", "SS", "NS", "BS") else \
                self.rng.choice(["N", "N", "SS", "NS", "BS"])
            if found and found[0] != kind and self.chance(0.8):
                update.sets.append((path, Value(self.pool.any())))
            else:
                update.adds.append((path, self.pool.value(kind)))
        elif found and found[0] in ("SS", "NS", "BS") or self.chance(0.2):
            kind = found[0] if found and found[0] in ("SS", "NS", "BS") else self.rng.choice(
                ["SS", "NS", "BS"])
            update.deletes.append((path, self.pool.value(kind)))
        else:
            update.sets.append((path, Value(self.pool.any())))

    def other_set(self, found):
        """A set that mostly shares members with the one found."""
        kind, members = found
        new = set(self.pool.value(kind)[1]) if self.chance(0.4) else set()
        shared = self.rng.sample(sorted(members), self.rng.randrange(len(members) + 1))
        return kind, frozenset(new | set(shared) or members)

    def operand(self, item, path, found):
        pick = self.rng.random()
        if pick < 0.45:
            return Value(self.pool.habit(HABITS.get(path[0], "S")))
        if pick < 0.57:
            return Path(self.path(item))
        if pick < 0.7:
            return IfNotExists(self.path(item), Value(self.pool.any()))
        if pick < 0.88:
            left = self.number_operand(item)
            right = Value(self.pool.value("N"))
            return Arithmetic(self.rng.choice("+-"), *self.turned(left, right))
        return ListAppend(*self.turned(self.list_operand(item), Value(self.pool.value("L"))))

    def turned(self, left, right):
        return (right, left) if self.chance(0.3) else (left, right)

    def number_operand(self, item):
        return self.typed_operand(item, "N")

    def list_operand(self, item):
        return self.typed_operand(item, "L")

    def typed_operand(self, item, kind):
        fitting = [p for p in self.paths_in(item) if look_up(item, p)[0] == kind]
        if fitting and self.chance(0.8):
            return Path(self.rng.choice(fitting))
        if self.chance(0.8):
            return IfNotExists(self.path(item), Value(self.pool.value(kind)))
        return Path(self.path(item))

    # ---- projections

    def projection(self, item, allowed=None):
        paths = []
        for _ in range(self.rng.choice([1, 2, 3, 4])):
            path = self.path(item, allowed)
            if not any(overlaps(path, p) for p in paths):
                paths.append(path)
        return paths

    def add_projection(self, body, args, text, item, share=0.3, allowed=None):
        if self.chance(share):
            args["projection"] = self.projection(item, allowed)
            body["ProjectionExpression"] = text.list([text.path(p) for p in args["projection"]])

    # ---- single items

    def start(self, table, name="table"):
        return {"TableName": table.name}, {name: table.name}

    def make_GetItem(self):
        table = self.rng.choice(self.tables)
        body, args = self.start(table)
        args["key"] = self.key(table)
        body["Key"] = item_to_wire(args["key"], self.rng)
        text = self.text()
        self.add_projection(body, args, text, self.some_item(table, args["key"]))
        self.put(body, args, "ConsistentRead", "consistent", self.rng.choice([None, True, False]))
        self.capacity(body, args)
        text.attach(body)
        return Step("GetItem", body, args)

    def add_condition(self, body, args, text, item, share):
        if self.chance(share):
            args["condition"] = self.condition(item)
            body["ConditionExpression"] = condition_text(args["condition"], text)
            mode = self.rng.choice([None, "NONE", "ALL_OLD"])
            self.put(body, args, "ReturnValuesOnConditionCheckFailure", "on_failure", mode)

    def finish_write(self, op, body, args, returns):
        self.put(body, args, "ReturnValues", "returns", self.rng.choice(returns))
        if op != "DeleteItem" and self.chance(0.1):
            body["ReturnItemCollectionMetrics"], args["metrics"] = "SIZE", True
        self.capacity(body, args)
        return Step(op, body, args)

    def make_PutItem(self, conditions=0.45):
        table = self.rng.choice(self.tables)
        body, args = self.start(table)
        args["item"] = self.item(table)
        body["Item"] = item_to_wire(args["item"], self.rng)
        text = self.text()
        self.add_condition(body, args, text, self.some_item(table, args["item"]), conditions)
        text.attach(body)
        return self.finish_write("PutItem", body, args, [None, "NONE", "ALL_OLD"])

    def make_DeleteItem(self):
        table = self.rng.choice(self.tables)
        body, args = self.start(table)
        args["key"] = self.key(table)
        body["Key"] = item_to_wire(args["key"], self.rng)
        text = self.text()
        self.add_condition(body, args, text, self.some_item(table, args["key"]), 0.7)
        text.attach(body)
        return self.finish_write("DeleteItem", body, args, [None, "NONE", "ALL_OLD"])

    def make_UpdateItem(self):
        table = self.rng.choice(self.tables)
        body, args = self.start(table)
        args["key"] = self.key(table)
        body["Key"] = item_to_wire(args["key"], self.rng)
        item, text = self.some_item(table, args["key"]), self.text()
        if self.chance(0.97):
            args["update"] = self.update(table, item)
            body["UpdateExpression"] = args["update"].text(text)
        self.add_condition(body, args, text, item, 0.45)
        text.attach(body)
        return self.finish_write("UpdateItem", body, args, [
            None, "NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"])

    # ---- pages

    def source(self, table):
        if table.indexes and self.chance(0.65):
            return self.rng.choice(table.indexes)
        return table

    def make_Query(self):
        table = self.rng.choice(self.tables)
        source = self.source(table)
        body, args = self.start(table)
        text = self.text()
        self.key_condition(table, source, body, args, text)
        forward = self.rng.choice([None, True, False])
        if forward is not None:
            body["ScanIndexForward"], args["backward"] = forward, not forward
        outside = set(source.keys)
        return self.paged("Query", table, source, body, args, text, outside)

    def key_condition(self, table, source, body, args, text):
        held = [i for i in table.items.values() if source.entry(i) is not None]
        example = self.rng.choice(held) if held and self.chance(0.85) else None
        args["hash"] = {n: example[n] if example else self.key_value(table, n, None)
                        for n in source.hashes}
        args["ranges"] = []
        names = source.ranges[:self.rng.randrange(len(source.ranges) + 1)]
        for i, name in enumerate(names):
            op = self.range_op(table.types[name]) if i == len(names) - 1 else "="
            args["ranges"].append(self.key_test(table, name, op, example))
        body["KeyConditionExpression"] = key_condition_text(args["hash"], args["ranges"], text)

    def range_op(self, kind):
        ops = ["=", "<", "<=", ">", ">=", "BETWEEN"] + (["begins_with"] * 2 if kind != "N" else [])
        return self.rng.choice(ops)

    def key_value(self, table, name, example):
        if example is not None and self.chance(0.85):
            return example[name]
        kind = table.types[name]
        return self.pool.index(kind) if name in INDEX_TYPES else self.pool.key(kind)

    def key_test(self, table, name, op, example):
        value = self.key_value(table, name, example)
        if op == "BETWEEN":
            pair = sorted((value, self.key_value(table, name, None)), key=order_key)
            return KeyTest(name, op, *pair)
        if op == "begins_with":
            value = value[0], value[1][:self.rng.choice([1, 1, 2])]
        return KeyTest(name, op, value)

    def make_Scan(self):
        table = self.rng.choice(self.tables)
        source = self.source(table)
        body, args = self.start(table)
        text = self.text()
        if self.chance(0.25):
            total = self.rng.choice([1, 2, 3, 5])
            self.put(body, args, "TotalSegments", "total", total)
            self.put(body, args, "Segment", "segment", self.rng.randrange(total))
        return self.paged("Scan", table, source, body, args, text, set())

    def paged(self, op, table, source, body, args, text, outside):
        r, item = self.rng, self.some_item(table)
        kind = getattr(source, "kind", None)
        if kind:
            self.put(body, args, "IndexName", "index", source.name)
        visible = None
        if kind and source.projection != "ALL" or outside:
            everything = set(HABITS) | set(table.types) | {"none", "pad"}
            visible = {n for n in everything if source.projected(n)}
        filterable = visible - outside if visible is not None else None
        if self.chance(0.5) and (filterable is None or filterable):
            args["filter"] = self.condition(item, filterable)
            body["FilterExpression"] = condition_text(args["filter"], text)
        asked = visible if kind == "GSI" else None
        self.add_projection(body, args, text, item, 0.2, asked)
        self.put(body, args, "Select", "select", self.select(source, kind, args))
        if self.chance(0.5):
            self.put(body, args, "Limit", "limit", r.choice([1, 1, 2, 3, 5, 10]))
        if kind != "GSI":
            self.put(body, args, "ConsistentRead", "consistent", r.choice([None, True, False]))
        self.capacity(body, args)
        text.attach(body)
        return Step(op, body, args)

    def select(self, source, kind, args):
        if args.get("projection"):
            return self.rng.choice([None, None, "SPECIFIC_ATTRIBUTES"])
        choices = [None, None, None, "COUNT"]
        if kind != "GSI" or source.projection == "ALL":
            choices.append("ALL_ATTRIBUTES")
        if kind:
            choices.append("ALL_PROJECTED_ATTRIBUTES")
        return self.rng.choice(choices)

    def continued(self):
        step, start = self.cursors.pop(self.rng.randrange(len(self.cursors)))
        body, args = dict(step.body), dict(step.args)
        body["ExclusiveStartKey"], args["start"] = item_to_wire(start), start
        return Step(step.op, body, args)

    # ---- indexes that come and go

    def make_UpdateTable(self):
        table = self.rng.choice(self.tables)
        global_ones = [i for i in table.indexes if i.kind == "GSI"]
        if global_ones and self.chance(0.5):
            index = self.rng.choice(global_ones)
            change = {"Delete": {"IndexName": index.name}}
            args = {"table": table.name, "drop": index.name}
        else:
            hashes, ranges = random_index_key(self.rng, bool(table.range), True)
            self.indexes_made += 1
            index = random_index(self.rng, f"late{self.indexes_made}", "GSI", hashes, ranges)
            change = {"Create": index_body(index, table.billing)}
            args = {"table": table.name, "index": index}
        types = {**table.types, **{n: INDEX_TYPES[n] for n in index.keys if n in INDEX_TYPES}}
        body = {"TableName": table.name, "GlobalSecondaryIndexUpdates": [change]}
        if "index" in args:
            body["AttributeDefinitions"] = [{"AttributeName": n, "AttributeType": types[n]}
                                            for n in [*table.keys, *index.keys]]
            body["AttributeDefinitions"] = unique(body["AttributeDefinitions"])
        self.cursors = [c for c in self.cursors if c[0].args["table"] != table.name]
        return Step("UpdateTable", body, args)

    # ---- batches

    def distinct_keys(self, table, most):
        keys = {}
        for _ in range(self.rng.randrange(1, most)):
            key = self.key(table)
            keys[table.key_of(key)] = key
        return list(keys.values())

    def some_tables(self):
        return self.rng.sample(self.tables, self.rng.choice([1, 1, 2, 3]))

    def make_BatchGetItem(self):
        requests, asks = {}, []
        for table in self.some_tables():
            ask = {"table": table.name, "keys": self.distinct_keys(table, 12)}
            entry = {"Keys": [item_to_wire(k, self.rng) for k in ask["keys"]]}
            text = self.text()
            self.add_projection(entry, ask, text, self.some_item(table))
            self.put(entry, ask, "ConsistentRead", "consistent", self.rng.choice([None, True, False]))
            text.attach(entry)
            # Names are shared by the entry, values are of no use there.
            requests[table.name] = entry
            asks.append(ask)
        body, args = {"RequestItems": requests}, {"asks": asks}
        self.capacity(body, args)
        return Step("BatchGetItem", body, args)

    def make_BatchWriteItem(self):
        requests, writes = {}, []
        for table in self.some_tables():
            entries = []
            for key in self.distinct_keys(table, 8):
                if self.chance(0.8):
                    item = self.item(table, key)
                    entries.append({"PutRequest": {"Item": item_to_wire(item, self.rng)}})
                    writes.append((table.name, "put", item))
                else:
                    entries.append({"DeleteRequest": {"Key": item_to_wire(key, self.rng)}})
                    writes.append((table.name, "delete", key))
            requests[table.name] = entries
        body, args = {"RequestItems": requests}, {"writes": writes}
        self.capacity(body, args)
        return Step("BatchWriteItem", body, args)

    # ---- transactions

    def make_TransactGetItems(self):
        items, gets = [], []
        for table in self.some_tables():
            for key in self.distinct_keys(table, 5):
                get = {"table": table.name, "key": key}
                entry = {"TableName": table.name, "Key": item_to_wire(key, self.rng)}
                text = self.text()
                self.add_projection(entry, get, text, self.some_item(table, key))
                text.attach(entry)
                items.append({"Get": entry})
                gets.append(get)
        order = list(range(len(gets)))
        self.rng.shuffle(order)
        body = {"TransactItems": [items[i] for i in order]}
        args = {"gets": [gets[i] for i in order]}
        self.capacity(body, args)
        return Step("TransactGetItems", body, args)

    def make_TransactWriteItems(self):
        pairs = []
        for table in self.some_tables():
            pairs += [self.action(table, key) for key in self.distinct_keys(table, 5)]
        self.rng.shuffle(pairs)
        body = {"TransactItems": [e for e, _ in pairs]}
        args = {"actions": [a for _, a in pairs]}
        self.capacity(body, args)
        if self.chance(0.15):
            self.tokens += 1
            body["ClientRequestToken"] = args["token"] = f"token-{self.tables[0].name}-{self.tokens}"
            args["payload"] = body["TransactItems"]
        return Step("TransactWriteItems", body, args)

    def action(self, table, key):
        what = self.rng.choice(["Put"] * 3 + ["Update"] * 3 + ["Delete", "ConditionCheck"])
        entry, action = self.start(table)
        action |= {"what": what, "key": key}
        item, text = self.some_item(table, key), self.text()
        if what == "Put":
            action["item"] = self.item(table, key)
            entry["Item"] = item_to_wire(action["item"], self.rng)
        else:
            entry["Key"] = item_to_wire(key, self.rng)
        if what == "Update":
            action["update"] = self.update(table, item)
            entry["UpdateExpression"] = action["update"].text(text)
        share = 1 if what == "ConditionCheck" else 0.2
        if share == 1 and self.chance(0.8):
            exists = table.get(key) is not None
            name = "attribute_exists" if exists else "attribute_not_exists"
            action["condition"] = Function(name, Path((table.hash,)))
            entry["ConditionExpression"] = condition_text(action["condition"], text)
        else:
            self.add_condition(entry, action, text, item, share)
        text.attach(entry)
        return {what: entry}, action

    def replay(self, step):
        """The same transaction again, or another under its token."""
        body, args = dict(step.body), dict(step.args)
        if self.chance(0.3):
            other = self.make_TransactWriteItems()
            body, args = dict(other.body), dict(other.args)
            body["ClientRequestToken"] = args["token"] = step.args["token"]
            args["payload"] = body["TransactItems"]
        return Step("TransactWriteItems", body, args, note="replay")


def unique(definitions):
    return list({d["AttributeName"]: d for d in definitions}.values())
