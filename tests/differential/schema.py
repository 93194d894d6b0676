"""Random tables: keys, local and global indexes of every projection, and their CreateTable."""
from model import Index, Table
from pools import INDEX_TYPES

INCLUDABLE = ["n", "s", "l", "m", "ss", "z", "pad"]


def random_tables(rng, prefix, wide_indexes=True):
    shapes = [("h", "S", None), ("p", "S", "N"), ("q", "B", "S"), ("w", "N", "B"), ("x", "S", "S")]
    tables = []
    for name, hash_type, range_type in shapes:
        tables.append(random_table(rng, prefix + name, hash_type, range_type, wide_indexes))
    return tables


def random_table(rng, name, hash_type, range_type, wide_indexes):
    types = {"pk": hash_type}
    if range_type:
        types["sk"] = range_type
    indexes = []
    if range_type:
        for i in range(rng.choice([0, 1, 2, 3])):
            key = rng.choice(sorted(INDEX_TYPES))
            indexes.append(random_index(rng, f"lsi{i}", "LSI", ["pk"], [key]))
    for i in range(rng.choice([0, 1, 2, 3])):
        hashes, ranges = random_index_key(rng, bool(range_type), wide_indexes)
        indexes.append(random_index(rng, f"gsi{i}", "GSI", hashes, ranges))
    for index in indexes:
        for key in index.keys:
            types.setdefault(key, INDEX_TYPES.get(key))
    billing = "PROVISIONED" if rng.random() < 0.2 else "PAY_PER_REQUEST"
    return Table(name, "pk", "sk" if range_type else None, types, indexes, billing)


def random_index_key(rng, has_range, wide):
    if has_range and rng.random() < 0.25:
        return ["sk"], ["pk"]
    if rng.random() < 0.15:
        return ["pk"], [rng.choice(sorted(INDEX_TYPES))]
    hashes = rng.choice([1, 1, 1, 2, 3, 4]) if wide else 1
    ranges = rng.choice([0, 1, 1, 2, 3, 4]) if wide else rng.choice([0, 1])
    names = rng.sample(sorted(INDEX_TYPES), hashes + ranges)
    return names[:hashes], names[hashes:]


def random_index(rng, name, kind, hashes, ranges):
    projection = rng.choice(["ALL", "KEYS_ONLY", "INCLUDE"])
    include = rng.sample(INCLUDABLE, rng.choice([1, 2, 3])) if projection == "INCLUDE" else ()
    return Index(name, kind, hashes, ranges, projection, include)


def key_schema(source):
    return ([{"AttributeName": n, "KeyType": "HASH"} for n in source.hashes]
            + [{"AttributeName": n, "KeyType": "RANGE"} for n in source.ranges])


def index_body(index, billing):
    projection = {"ProjectionType": index.projection}
    if index.projection == "INCLUDE":
        projection["NonKeyAttributes"] = index.include
    body = {"IndexName": index.name, "KeySchema": key_schema(index), "Projection": projection}
    if index.kind == "GSI" and billing == "PROVISIONED":
        body["ProvisionedThroughput"] = {"ReadCapacityUnits": 5000, "WriteCapacityUnits": 5000}
    return body


def create_table_body(table):
    body = {"TableName": table.name, "KeySchema": key_schema(table), "BillingMode": table.billing,
            "AttributeDefinitions": [{"AttributeName": n, "AttributeType": t}
                                     for n, t in sorted(table.types.items())]}
    if table.billing == "PROVISIONED":
        body["ProvisionedThroughput"] = {"ReadCapacityUnits": 5000, "WriteCapacityUnits": 5000}
    for kind, member in (("LSI", "LocalSecondaryIndexes"), ("GSI", "GlobalSecondaryIndexes")):
        found = [index_body(i, table.billing) for i in table.indexes if i.kind == kind]
        if found:
            body[member] = found
    return body
