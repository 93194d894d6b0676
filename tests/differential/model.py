"""The model: tables, their indexes, and what each operation answers.

It takes a step (an operation with its arguments as trees and values, see step.py), never the
request's text, and answers what the server must answer.  All is done the plainest way: an index is
found by looking at every item each time.
"""
import copy

from charge import Charge, read_units, write_units
from expression import Refusal, Unknown, invalid, look_up, paths_of, project
from pools import INDEX_TYPES
from value import canonical, item_size, order_key, unordered

PAGE_BYTES = 1024 * 1024
CONDITION_FAILED = "The conditional request failed"


class Index:
    def __init__(self, name, kind, hashes, ranges, projection, include=()):
        self.name, self.kind, self.hashes, self.ranges = name, kind, list(hashes), list(ranges)
        self.projection, self.include = projection, list(include)
        self.table = None

    @property
    def keys(self):
        return self.hashes + self.ranges

    def holds(self, item):
        return all(k in item and item[k][0] == self.table.types[k] for k in self.keys)

    def projected(self, name):
        return (self.projection == "ALL" or name in self.keys or name in self.table.keys
                or name in self.include)

    def entry(self, item):
        """The item as the index holds it, or None where it is not in the index."""
        if not self.holds(item):
            return None
        if self.projection == "ALL":
            return item
        return {n: v for n, v in item.items() if self.projected(n)}

    def key_of(self, entry):
        return tuple(entry[k] for k in self.keys)


class Table:
    def __init__(self, name, hash_key, range_key, types, indexes, billing="PAY_PER_REQUEST"):
        self.name, self.hash, self.range, self.types = name, hash_key, range_key, dict(types)
        self.indexes, self.billing = list(indexes), billing
        self.items = {}
        for index in self.indexes:
            index.table = self

    @property
    def keys(self):
        return [self.hash] + ([self.range] if self.range else [])

    @property
    def hashes(self):
        return [self.hash]

    @property
    def ranges(self):
        return [self.range] if self.range else []

    def index(self, name):
        return next(i for i in self.indexes if i.name == name)

    def key_of(self, item):
        return tuple(item[k] for k in self.keys)

    def key_item(self, key):
        return dict(zip(self.keys, key))

    def entry(self, item):
        return item

    def projected(self, name):
        return True

    def index_key_names(self):
        return {k for i in self.indexes for k in i.keys} - set(self.keys)

    def get(self, key):
        return self.items.get(self.key_of(key))

    def set(self, key, item):
        if item is None:
            self.items.pop(self.key_of(key), None)
        else:
            self.items[self.key_of(key)] = item

    def local(self):
        return any(i.kind == "LSI" for i in self.indexes)


def range_order(source, item):
    return tuple(order_key(item[k]) for k in source.ranges)


class Model:
    """`orders` tells what AWS leaves open: the order of partitions in a Scan, of entries with equal
    index keys, and which segment holds what.  The runner learns it from the server."""

    def __init__(self, orders=None):
        self.tables, self.tokens, self.orders = {}, {}, orders

    def run(self, step):
        if step.refusal:
            raise step.refusal
        return getattr(self, "run_" + step.op)(step.args)

    def table(self, name):
        if name not in self.tables:
            raise Refusal("ResourceNotFoundException", "Requested resource not found")
        return self.tables[name]

    # ---- indexes that come and go

    def run_UpdateTable(self, a):
        table = self.table(a["table"])
        if "drop" in a:
            table.indexes = [i for i in table.indexes if i.name != a["drop"]]
        else:
            new = copy.copy(a["index"])
            new.table = table
            table.indexes.append(new)
            table.types.update({n: INDEX_TYPES[n] for n in new.keys if n in INDEX_TYPES})
        return {}

    # ---- single items

    def run_GetItem(self, a):
        table = self.table(a["table"])
        item = table.get(a["key"])
        answer = {}
        if item is not None:
            answer["Item"] = shown(item, a.get("projection"))
        charge = Charge(table)
        charge.table = read_units(item_size(item or {}), a.get("consistent", False))
        return with_capacity(answer, charge, a)

    def run_PutItem(self, a):
        table = self.table(a["table"])
        old = self.checked(table, a["item"], a)
        check_item(table, a["item"])
        return self.written(table, a["item"], old, a["item"], a)

    def run_DeleteItem(self, a):
        table = self.table(a["table"])
        old = self.checked(table, a["key"], a)
        return self.written(table, a["key"], old, None, a)

    def run_UpdateItem(self, a):
        table = self.table(a["table"])
        check_update_paths(table, a.get("update"))
        old = self.checked(table, a["key"], a)
        new = updated(table, a["key"], old, a.get("update"))
        return self.written(table, a["key"], old, new, a)

    def checked(self, table, key, a):
        """The item at `key`, when the condition holds on it."""
        old = table.get(key)
        condition = a.get("condition")
        if condition is not None and not condition.holds(old or {}):
            fields = {}
            if a.get("on_failure") == "ALL_OLD" and old is not None:
                fields["Item"] = old
            raise Refusal("ConditionalCheckFailedException", CONDITION_FAILED, **fields)
        return old

    def written(self, table, key, old, new, a):
        attributes = returned(a, old, new)
        charge = Charge(table).write(table, old, new)
        table.set(key, new)
        answer = with_capacity({}, charge, a)
        if attributes:
            answer["Attributes"] = attributes
        if a.get("metrics") and table.local():
            answer["ItemCollectionMetrics"] = {
                "ItemCollectionKey": {table.hash: key[table.hash]}, "SizeEstimateRangeGB": [0.0, 1.0]}
        return answer

    # ---- pages

    def run_Query(self, a):
        table = self.table(a["table"])
        source = table.index(a["index"]) if a.get("index") else table
        if a.get("filter") is not None:
            for path in paths_of(a["filter"]):
                if path[0] in source.keys:
                    raise invalid("Filter Expression can only contain non-primary key attributes: "
                                  f"Primary key attribute: {path[0]}")
        order = self.partition_order(table, source, a["hash"])
        order = [k for k in order if all(c.holds(table.items[k]) for c in a["ranges"])]
        if a.get("backward"):
            order.reverse()
        start = self.start_of_query(table, source, order, a)
        return self.page(table, source, order[start:], a)

    def partition_order(self, table, source, hashes):
        """Base keys of a partition's entries, forward."""
        inside = [(range_order(source, item), key) for key, item in table.items.items()
                  if source.entry(item) is not None
                  and all(item[n] == v for n, v in hashes.items())]
        inside.sort(key=lambda pair: pair[0])
        if any(a[0] == b[0] for a, b in zip(inside, inside[1:])):
            learned = self.orders.of_query(table, source, hashes)
            check_order(inside, learned)
            return learned
        return [key for _, key in inside]

    def start_of_query(self, table, source, order, a):
        after = a.get("start")
        if after is None:
            return 0
        key = table.key_of(after)
        if key in order and all(table.items[key][n] == v for n, v in after.items()):
            return order.index(key) + 1
        place, passed = range_order(source, after), 0
        for k in order:
            here = range_order(source, table.items[k])
            if here == place and source is not table:
                raise Unknown("a start between entries with equal index keys")
            if here > place if a.get("backward") else here < place:
                passed += 1
        return passed

    def run_Scan(self, a):
        table = self.table(a["table"])
        source = table.index(a["index"]) if a.get("index") else table
        inside = [k for k, item in table.items.items() if source.entry(item) is not None]
        order = self.orders.of_scan(table, source, a.get("segment"), a.get("total"))
        check_scan_order(table, source, inside, order, a.get("total"))
        start = start_of_scan(table, source, order, a.get("start"))
        return self.page(table, source, order[start:], a)

    def page(self, table, source, order, a):
        consistent = a.get("consistent", False)
        limit, paths = a.get("limit"), a.get("projection")
        fetches = reads_base(source, a)
        scanned = size = 0
        base_units, found, last = 0.0, [], None
        for key in order:
            item = table.items[key]
            entry = source.entry(item)
            scanned += 1
            size += item_size(entry)
            last = key
            if a.get("filter") is None or a["filter"].holds(entry):
                found.append(item if fetches else entry)
                if fetches:
                    base_units += read_units(item_size(item), consistent)
            if scanned == limit or size >= PAGE_BYTES:
                break
        answer = {"Count": len(found), "ScannedCount": scanned}
        if a.get("select") != "COUNT":
            answer["Items"] = [shown(i, paths) for i in found]
        if last is not None and (scanned == limit or size >= PAGE_BYTES):
            names = list(dict.fromkeys(source.keys + table.keys))
            answer["LastEvaluatedKey"] = {n: table.items[last][n] for n in names}
        charge = Charge(table)
        units = read_units(size, consistent)
        if source is table:
            charge.table = units
        else:
            charge.add_index(source, units)
            charge.table = base_units
        return with_capacity(answer, charge, a)

    # ---- batches

    def run_BatchGetItem(self, a):
        responses, charges = {}, []
        for ask in a["asks"]:
            table = self.table(ask["table"])
            charge, found = Charge(table), []
            for key in ask["keys"]:
                item = table.get(key)
                charge.table += read_units(item_size(item or {}), ask.get("consistent", False))
                if item is not None:
                    found.append(shown(item, ask.get("projection")))
            responses[table.name] = unordered(found)
            charges.append(charge)
        answer = {"Responses": responses, "UnprocessedKeys": {}}
        return with_capacities(answer, charges, a)

    def run_BatchWriteItem(self, a):
        for table, what, body in a["writes"]:
            if what == "put":
                check_item(self.table(table), body)
        charges = {}
        for name, what, body in a["writes"]:
            table = self.table(name)
            charge = charges.setdefault(name, Charge(table))
            old, new = table.get(body), body if what == "put" else None
            charge.write(table, old, new)
            table.set(body, new)
        return with_capacities({"UnprocessedItems": {}}, list(charges.values()), a)

    # ---- transactions

    def run_TransactGetItems(self, a):
        responses, charges = [], {}
        for get in a["gets"]:
            table = self.table(get["table"])
            charge = charges.setdefault(table.name, Charge(table))
            item = table.get(get["key"])
            charge.table += read_units(item_size(item or {}), transaction=True)
            response = {}
            if item is not None:
                visible = shown(item, get.get("projection"))
                # AWS: an item of which nothing is asked for is left out here, unlike GetItem's.
                if visible:
                    response["Item"] = visible
            responses.append(response)
        answer = {"Responses": responses}
        return with_capacities(answer, list(charges.values()), a, "ReadCapacityUnits")

    def run_TransactWriteItems(self, a):
        if a.get("token") in self.tokens:
            return self.replayed(a)
        charges, changes, reasons, sizes = {}, [], [], []
        for action in a["actions"]:
            table = self.table(action["table"])
            charge = charges.setdefault(table.name, Charge(table))
            sizes.append(item_size(table.get(action["key"]) or {}))
            try:
                changes.append(self.acted(table, action, charge))
                reasons.append({"Code": "None"})
            except Refusal as fault:
                reasons.append(reason_of(fault))
        if any(r["Code"] != "None" for r in reasons):
            raise cancelled(reasons)
        for table, key, new in filter(None, changes):
            table.set(key, new)
        if a.get("token"):
            self.tokens[a["token"]] = a["payload"], sizes
        return with_capacities({}, list(charges.values()), a, "WriteCapacityUnits")

    def acted(self, table, action, charge):
        what, key = action["what"], action["key"]
        if what == "Update":
            check_update_paths(table, action["update"])
        old = self.checked(table, key, action)
        if what == "ConditionCheck":
            charge.table += 2 * write_units(item_size(old or {}))
            return None
        if what == "Put":
            new = action["item"]
            check_item(table, new)
        else:
            new = updated(table, key, old, action["update"]) if what == "Update" else None
        charge.write(table, old, new, transaction=True)
        return table, key, new

    def replayed(self, a):
        payload, sizes = self.tokens[a["token"]]
        if payload != a["payload"]:
            raise Refusal("IdempotentParameterMismatchException")
        charges = {}
        for action, before in zip(a["actions"], sizes):
            table = self.table(action["table"])
            charge = charges.setdefault(table.name, Charge(table))
            units = read_units(item_size(table.get(action["key"]) or {}), transaction=True)
            if units != read_units(before, transaction=True):
                raise Unknown("whether a replay reads the item from before or after")
            charge.table += units
        return with_capacities({}, list(charges.values()), a, "ReadCapacityUnits")


def with_capacity(answer, charge, a):
    if a.get("capacity") in ("TOTAL", "INDEXES"):
        answer["ConsumedCapacity"] = charge.reply(a["capacity"])
    return answer


def with_capacities(answer, charges, a, repeat=None):
    if a.get("capacity") in ("TOTAL", "INDEXES"):
        replies = [c.reply(a["capacity"], repeat) for c in charges]
        answer["ConsumedCapacity"] = sorted(replies, key=lambda r: r["TableName"])
    return answer


def shown(item, paths):
    return item if paths is None else project(item, paths)


def reads_base(source, a):
    """Whether a local index has to read the items themselves."""
    if getattr(source, "kind", "") != "LSI" or source.projection == "ALL":
        return False
    wanted = {p[0] for p in a.get("projection") or ()}
    fetches = a.get("select") == "ALL_ATTRIBUTES" or any(not source.projected(n) for n in wanted)
    if fetches and (a.get("filter") is not None or a.get("select") == "COUNT"):
        raise Unknown("what a filter over a local index reads of the table")
    return fetches


def returned(a, old, new):
    """The Attributes of a write's answer."""
    how, update = a.get("returns", "NONE"), a.get("update")
    if how == "ALL_OLD":
        return old
    if how == "NONE" or how in ("UPDATED_OLD", "UPDATED_NEW") and update is None:
        return None
    if how == "ALL_NEW":
        if new is None:
            raise Unknown("ALL_NEW of an item that was not made")
        return new
    if how == "UPDATED_OLD":
        return project(old or {}, update.paths())
    if moves_elements(old or {}, update):
        raise Unknown("UPDATED_NEW where elements of a list change places")
    return project(new or {}, update.paths())


def moves_elements(old, update):
    for path in update.paths():
        for i, step in enumerate(path):
            if isinstance(step, int) and (path in update.removes
                                          or look_up(old, path[:i + 1]) is None):
                return True
    return False


def check_item(table, item):
    """Index keys of a whole item: the right type, and not empty."""
    faults = []
    for index in table.indexes:
        for name in index.keys:
            if name not in item or name in table.keys:
                continue
            kind, payload = item[name]
            if kind != table.types[name]:
                faults.append("One or more parameter values were invalid: Type mismatch for Index "
                              f"Key {name} Expected: {table.types[name]} Actual: {kind} "
                              f"IndexName: {index.name}")
            elif kind in ("S", "B") and not payload:
                faults.append(None)
    if faults:
        raise invalid(faults[0] if len(faults) == 1 else None)


def check_update_paths(table, update):
    for path in update.paths() if update else ():
        if path[0] in table.keys:
            text = ("One or more parameter values were invalid: Cannot update attribute "
                    f"{path[0]}. This attribute is part of the key")
            raise invalid(text if len(path) == 1 else None)
        if len(path) > 1 and path[0] in table.index_key_names():
            raise invalid()


def updated(table, key, old, update):
    if update is None:
        return old if old is not None else dict(key)
    if old is None and update.only_removes():
        return None
    if old is None and not (update.sets or update.adds):
        raise Unknown("whether DELETE alone makes an item")
    base = old if old is not None else dict(key)
    new = update.apply(base)
    try:
        check_item(table, {n: v for n, v in new.items() if base.get(n) != v})
    except Refusal:
        raise invalid() from None
    return new


def reason_of(fault):
    if fault.kind == "ConditionalCheckFailedException":
        return {"Code": "ConditionalCheckFailed", "Message": fault.message, **fault.fields}
    if fault.kind == "ValidationException":
        return {"Code": "ValidationError", "Message": fault.message}
    raise fault


def cancelled(reasons):
    codes = {r["Code"] for r in reasons} - {"None"}
    if len(codes) > 1:
        # Which of two kinds of fault AWS finds first is not known.
        return Refusal("TransactionCanceledException")
    listed = ", ".join(r["Code"] for r in reasons)
    return Refusal("TransactionCanceledException", "Transaction cancelled, please refer cancellation "
                   f"reasons for specific reasons [{listed}]", CancellationReasons=reasons)


# ---- what the server leaves open

class BadOrder(Exception):
    """The server's own order breaks a rule."""


def check_order(inside, learned):
    place = {key: order for order, key in inside}
    if len(learned) != len(set(learned)) or set(learned) != set(place):
        raise BadOrder(f"an index partition of {len(place)} entries answers {len(learned)}, or "
                       "others")
    if any(place[a] > place[b] for a, b in zip(learned, learned[1:])):
        raise BadOrder("entries of an index out of order")


def check_scan_order(table, source, inside, order, total):
    if len(order) != len(set(order)) or not set(order) <= set(inside):
        raise BadOrder(f"a scan repeats an item, or invents one: {set(order) - set(inside)}")
    if total is None and len(order) != len(inside):
        raise BadOrder(f"a scan of {len(inside)} entries finds {len(order)}")
    done, before = set(), None
    for key in order:
        item = table.items[key]
        here = tuple(canonical(item[n]) for n in source.hashes)
        if here != before:
            if here in done:
                raise BadOrder("a scan comes back to a partition")
            done.add(here)
        elif range_order(source, item) < place:
            raise BadOrder("a scan leaves the order of the sort key")
        before, place = here, range_order(source, item)


def start_of_scan(table, source, order, after):
    if after is None:
        return 0
    key = table.key_of(after)
    if key in order and all(table.items[key][n] == v for n, v in after.items()):
        return order.index(key) + 1
    if source is not table or not table.range:
        raise Unknown("a scan's start at an entry that is gone")
    beside = [i for i, k in enumerate(order) if k[0] == key[0]]
    if not beside:
        raise Unknown("a scan's start in a partition that is gone")
    place = order_key(key[1])
    return beside[0] + sum(1 for i in beside if order_key(order[i][1]) < place)
