"""The requests that are measured, and the data that they find.

Marks such as <random> are filled in by load.c.  The items are typical for a web application: a user
of seven attributes, and a list of 50 short entries in one partition.
"""
import json
import os
import time

from servers import ROOT, Connection

CONNECTIONS = (1, 8, 32)
FULL_LOAD = 32
USERS = 10_000
COUNTERS = 1_000
BATCH = 25
SCAN_ITEMS = 100
LISTS = 200
LIST_ITEMS = 50
FIRST_PAIR = 2000  # the first run of pairs has a source that is its own target


def _user(number):
    return {
        "PK": {"S": f"USER#{number}"}, "SK": {"S": "PROFILE"},
        "name": {"S": "Ada Lovelace"}, "email": {"S": f"ada.{number}@example.com"},
        "joined": {"S": "2026-01-05T10:00:00Z"}, "following": {"N": "128"},
        "tags": {"SS": ["analyst", "poet"]}}


def _list_item(number, position):
    return {
        "PK": {"S": f"LIST#{number}"}, "SK": {"S": f"ENTRY#{position:04d}"},
        "title": {"S": "Notes on the analytical engine"}, "price": {"N": "12.50"},
        "open": {"BOOL": True}}


class Operation:
    """One kind of request: its name, body, the keys that it draws from, the least size of a right
    reply, and at how many connections it is measured."""

    def __init__(self, name, operation, body, keys=1, min_bytes=0, connections=CONNECTIONS):
        self.name, self.operation, self.keys, self.min_bytes = name, operation, keys, min_bytes
        self.body, self.connections = body, connections


GET = Operation("GetItem", "GetItem", {
    "TableName": "bench", "Key": {"PK": {"S": "USER#<random>"}, "SK": {"S": "PROFILE"}}},
                USERS, 150)
PUT = Operation("PutItem", "PutItem", {"TableName": "bench", "Item": _user("<random>")}, USERS)
QUERY = Operation(f"Query of {LIST_ITEMS}", "Query", {
    "TableName": "bench", "KeyConditionExpression": "PK = :list",
    "ExpressionAttributeValues": {":list": {"S": "LIST#<random>"}}}, LISTS, 50 * LIST_ITEMS)
FOLLOW = Operation("follow", "TransactWriteItems", {"TransactItems": [
    {"Put": {"TableName": "follow", "ConditionExpression": "attribute_not_exists(PK)", "Item": {
        "PK": {"S": "ACTOR#<source>"}, "SK": {"S": "TARGET#<target>"},
        "GSI1PK": {"S": "TARGET#<target>"}, "GSI1SK": {"S": "ACTOR#<source>"},
        "since": {"S": "2026-01-05"}}}},
    *({"Update": {"TableName": "follow", "Key": {"PK": {"S": f"ACTOR#<{side}>"},
                                                 "SK": {"S": "PROFILE"}},
                  "UpdateExpression": f"ADD {counter} :one",
                  "ExpressionAttributeValues": {":one": {"N": "1"}}}}
      for side, counter in (("source", "following"), ("target", "followers")))]})


# --- At full load only ---

BATCH_WRITE = Operation(f"BatchWrite of {BATCH}", "BatchWriteItem", {"RequestItems": {"bench": [
    {"PutRequest": {"Item": {**_user("<random>"), "PK": {"S": "BATCH#<random>"},
                             "SK": {"S": f"PART#{position:02d}"}}}} for position in range(BATCH)]}},
                        USERS, connections=(FULL_LOAD,))
SCAN = Operation(f"Scan of {SCAN_ITEMS}", "Scan", {"TableName": "bench", "Limit": SCAN_ITEMS},
                 1, 50 * SCAN_ITEMS, (FULL_LOAD,))
INDEX_PAGE = Operation(f"GSI page of {LIST_ITEMS}", "Query", {
    "TableName": "entries", "IndexName": "GSI1", "KeyConditionExpression": "GSI1PK = :list",
    "ExpressionAttributeValues": {":list": {"S": "LIST#<random>"}}},
                       LISTS, 50 * LIST_ITEMS, (FULL_LOAD,))


def _add(name, counters):
    return Operation(name, "UpdateItem", {
        "TableName": "bench", "Key": {"PK": {"S": "COUNTER#<random>"}, "SK": {"S": "COUNTER"}},
        "UpdateExpression": "ADD times :one", "ExpressionAttributeValues": {":one": {"N": "1"}}},
                     counters, connections=(FULL_LOAD,))


HOT = _add("ADD, one item", 1)
SPREAD = _add(f"ADD, {COUNTERS:,}", COUNTERS)
EXTENDED = (BATCH_WRITE, SCAN, INDEX_PAGE, HOT, SPREAD)


def loads():
    """(operation, number of requests) that fill `bench` and `entries`; their serials start at 0."""
    yield Operation("users", "PutItem", {"TableName": "bench", "Item": _user("<serial>")}), USERS
    for position in range(LIST_ITEMS):
        yield Operation("lists", "PutItem", {
            "TableName": "bench", "Item": _list_item("<serial>", position)}), LISTS
        yield Operation("entries", "PutItem", {"TableName": "entries", "Item": {
            **_list_item("<serial>", position), "PK": {"S": f"ENTRY#<serial>#{position:04d}"},
            "GSI1PK": {"S": "LIST#<serial>"}, "GSI1SK": {"S": f"ENTRY#{position:04d}"}}}), LISTS


def create_tables(server):
    connection = server_connection(server)
    with open(os.path.join(ROOT, "examples", "follow", "table.json"), encoding="utf-8") as f:
        follow = json.load(f)
    bench = {**follow, "TableName": "bench", "AttributeDefinitions":
             follow["AttributeDefinitions"][:2]}
    del bench["GlobalSecondaryIndexes"]
    for table in (bench, follow, {**follow, "TableName": "entries"}):
        status, reply = connection.call("CreateTable", table)
        if status != 200:
            raise RuntimeError(f"CreateTable: {reply}")
        while connection.call("DescribeTable", {"TableName": table["TableName"]})[1]["Table"][
                "TableStatus"] != "ACTIVE":
            time.sleep(0.02)
    connection.close()


def server_connection(server):
    return Connection(server.port)


def sample_reply(server):
    """The JSON of a GetItem as the server writes it, for a fixed reply of the same size."""
    body = json.loads(json.dumps(GET.body).replace("<random>", f"{7:08d}"))
    status, reply = server_connection(server).call("GetItem", body)
    if status != 200 or "Item" not in reply:
        raise RuntimeError(f"GetItem: HTTP {status} {reply}")
    return json.dumps(reply, separators=(",", ":"))


def write_request(operation, port, folder):
    """The files that load.c takes; their paths."""
    now = time.gmtime()
    head = (
        f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        "Content-Type: application/x-amz-json-1.0\r\n"
        f"X-Amz-Target: DynamoDB_20120810.{operation.operation}\r\n"
        f"X-Amz-Date: {time.strftime('%Y%m%dT%H%M%SZ', now)}\r\n"
        f"Authorization: AWS4-HMAC-SHA256 Credential=bench/{time.strftime('%Y%m%d', now)}"
        "/us-east-1/dynamodb/aws4_request, "
        f"SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature={'0' * 64}\r\n")
    paths = os.path.join(folder, "head"), os.path.join(folder, "body")
    for path, text in zip(paths, (head, json.dumps(operation.body, separators=(",", ":")))):
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write(text)
    return paths
