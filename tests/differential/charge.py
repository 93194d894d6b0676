"""Capacity units, computed from the published and measured rules alone.

Reads: a unit is 4,096 bytes, half when eventual, double in a transaction, at least one.
Writes: a unit is 1,024 bytes of the larger of the images before and after, double in a
transaction.  An index is charged on its projected entry: nothing while absent or unchanged, the new
or old entry when one appears or goes, the larger when it changes in place, both when its key moves.
A transaction does not double the units of an index.
"""
from value import item_size


def read_units(size, consistent=False, transaction=False):
    units = max(1, -(-size // 4096))
    if transaction:
        return 2.0 * units
    return float(units) if consistent else units / 2


def write_units(size):
    return float(max(1, -(-size // 1024)))


def index_units(index, old, new):
    """Units of one index for an item's change, None when its entry stays as it is."""
    before = index.entry(old) if old is not None else None
    after = index.entry(new) if new is not None else None
    if before == after:
        return None
    if before is None:
        return write_units(item_size(after))
    if after is None:
        return write_units(item_size(before))
    if index.key_of(before) == index.key_of(after):
        return max(write_units(item_size(before)), write_units(item_size(after)))
    return write_units(item_size(before)) + write_units(item_size(after))


class Charge:
    """What a request consumed of one table."""

    def __init__(self, table):
        self.table_name = table.name
        self.kinds = {i.name: i.kind for i in table.indexes}
        self.table, self.indexes = 0.0, {}

    def write(self, table, old, new, transaction=False):
        size = max(item_size(i) if i is not None else 0 for i in (old, new))
        self.table += write_units(size) * (2 if transaction else 1)
        for index in table.indexes:
            units = index_units(index, old, new)
            if units is not None:
                self.add_index(index, units)
        return self

    def add_index(self, index, units):
        self.indexes[index.name] = self.indexes.get(index.name, 0.0) + units

    def reply(self, mode, repeat=None):
        """The ConsumedCapacity of a reply; `repeat` names the member a transaction adds."""
        def units(n):
            return {"CapacityUnits": n, repeat: n} if repeat else {"CapacityUnits": n}

        out = {"TableName": self.table_name, **units(self.table + sum(self.indexes.values()))}
        if mode != "INDEXES":
            return out
        out["Table"] = units(self.table)
        for kind, member in (("GSI", "GlobalSecondaryIndexes"), ("LSI", "LocalSecondaryIndexes")):
            arms = {n: units(u) for n, u in self.indexes.items() if self.kinds[n] == kind}
            if arms:
                out[member] = arms
        return out
