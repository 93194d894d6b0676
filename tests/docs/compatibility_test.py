#!/usr/bin/env python3
"""docs/compatibility.md says what the program does.

Every operation stands on the page once, in order; calling it by name shows whether it works or is refused as
the page says; every file that is named exists; and what the page says of the differences from AWS is
so.  Ends with "N passed, N failed".

usage: compatibility_test.py [--program build/stator]
"""

import argparse
import http.client
import json
import pathlib
import re
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

import stator as program  # noqa: E402

PAGE = ROOT / "docs" / "compatibility.md"
SERVICES = {"DYNAMODB": "DynamoDB_20120810.", "STREAMS": "DynamoDBStreams_20120810."}
SECONDS = 60  # for what takes a moment

passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {name}: {str(detail)[:600]}", flush=True)


class Endpoint:
    def __init__(self, server, region="us-east-1", key="anybody"):
        self.http = http.client.HTTPConnection(server.host, server.port, timeout=SECONDS)
        self.region, self.key = region, key

    def call(self, operation, request, service="DYNAMODB"):
        now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        self.http.request("POST", "/", json.dumps(request), {
            "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": SERVICES[service] + operation,
            "X-Amz-Date": now,
            "Authorization": f"AWS4-HMAC-SHA256 Credential={self.key}/{now[:8]}/{self.region}/dynamodb/aws4_request, "
                             f"SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature={'0' * 64}"})
        response = self.http.getresponse()
        return response.status, json.loads(response.read())

    def done(self, operation, request):
        status, reply = self.call(operation, request)
        if status != 200:
            raise RuntimeError(f"{operation}: {reply}")
        return reply

    def table(self, name):
        return self.done("DescribeTable", {"TableName": name})["Table"]


# --- The page and the operations -----------------------------------------------------------------


def operations():
    """(name, service) of every line of the list that the program is made of."""
    text = (ROOT / "src" / "ops" / "op_list.h").read_text().split("#define OP_LIST", 1)[1]
    return re.findall(r"(?:BUILT\(\w+, |REFUSED\()(\w+), (\w+)\) *(?:\\|$)", text, re.M)


def claims(page):
    """(operation, what is said of it) of the first table."""
    return [(name, said) for name, said in re.findall(r"^\| ([A-Z]\w+) \| ([^|]+) \| `", page, re.M)]


def check_page(page):
    stated = claims(page)
    known = [name for name, _ in operations()]
    check("all 66 operations, in order", [name for name, _ in stated] == known and len(known) == 66,
          set(known) ^ {name for name, _ in stated})
    for name, said in stated:
        check(f"{name}: a known word", said == "refused" or re.match(r"works(;|$)", said), said)
    for path in sorted(set(re.findall(r"`(tests/[^`]+)`", page))):
        check(f"{path} exists", (ROOT / path).is_file())


def check_operations(page, endpoint):
    said = dict(claims(page))
    for name, service in operations():
        status, reply = endpoint.call(name, {}, service)
        refused = reply.get("__type", "").endswith("#UnknownOperationException")
        check(f"{name}: {said.get(name)}", refused == (said.get(name) == "refused"), reply)
        if refused:
            check(f"{name}: the refusal names it", status == 400 and name in reply.get("message", ""), reply)


# --- The differences -----------------------------------------------------------------------------


def key_schema(hash_name, range_name=None):
    names = [(hash_name, "HASH")] + ([(range_name, "RANGE")] if range_name else [])
    return [{"AttributeName": name, "KeyType": kind} for name, kind in names]


def index(name, schema):
    return {"IndexName": name, "KeySchema": schema, "Projection": {"ProjectionType": "ALL"}}


TABLE = {
    "TableName": "differs", "BillingMode": "PROVISIONED",
    "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "far")],
    "KeySchema": key_schema("pk", "sk"),
    "LocalSecondaryIndexes": [index("local", key_schema("pk", "far"))],
    "GlobalSecondaryIndexes": [{**index("global", key_schema("far")), "ProvisionedThroughput": {
        "ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}}


def item(number):
    return {"pk": {"S": "p"}, "sk": {"S": f"{number:04d}"}, "far": {"S": "o"}, "gone": {"N": "1"},
            "pad": {"S": "x" * 4000}}


def check_statuses(endpoint):
    made = endpoint.done("CreateTable", TABLE)["TableDescription"]
    check("CREATING is said", made["TableStatus"] == "CREATING", made)
    check("and ACTIVE found", endpoint.table("differs")["TableStatus"] == "ACTIVE")
    check("the stream has an ARN", "/stream/" in made.get("LatestStreamArn", ""), made)


def check_writes(endpoint):
    """One write unit a second, and 100 writes of 4 units each at once."""
    for number in range(100):
        reply = endpoint.done("PutItem", {"TableName": "differs", "Item": item(number),
                                          "ReturnItemCollectionMetrics": "SIZE"})
        check("SizeEstimateRangeGB", reply["ItemCollectionMetrics"]["SizeEstimateRangeGB"] == [0, 1], reply)
        found = endpoint.done("Query", {
            "TableName": "differs", "IndexName": "global", "KeyConditionExpression": "far = :o",
            "ExpressionAttributeValues": {":o": {"S": "o"}}, "Select": "COUNT"})
        check("a global index is up to date", found["Count"] == number + 1, found)
    table = endpoint.table("differs")
    size = 100 * sum(len(name) + len(*value.values()) for name, value in item(0).items())
    size += 100 * (1 - len(item(0)["gone"]["N"]) + 1)  # a number of one digit takes two bytes
    check("ItemCount is exact", table["ItemCount"] == 100, table)
    check("TableSizeBytes is exact", table["TableSizeBytes"] == size, (size, table))


def check_updates(endpoint):
    for units in (9, 8, 7, 6, 5):
        said = endpoint.done("UpdateTable", {"TableName": "differs", "ProvisionedThroughput": {
            "ReadCapacityUnits": units, "WriteCapacityUnits": 1}})["TableDescription"]
        check("UPDATING is said", said["TableStatus"] == "UPDATING", said)
        table = endpoint.table("differs")
        check("and ACTIVE found", table["TableStatus"] == "ACTIVE", table)
        check("throughput is kept", table["ProvisionedThroughput"]["ReadCapacityUnits"] == units, table)
    check("decreases are not counted", table["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 0, table)
    endpoint.done("UpdateTable", {"TableName": "differs", "SSESpecification": {"Enabled": True, "SSEType": "KMS"}})
    endpoint.done("UpdateTable", {"TableName": "differs", "TableClass": "STANDARD_INFREQUENT_ACCESS"})
    table = endpoint.table("differs")
    check("encryption is described", table["SSEDescription"]["Status"] == "ENABLED", table)
    check("the class is described", table["TableClassSummary"]["TableClass"] == "STANDARD_INFREQUENT_ACCESS", table)
    for member in ("ReplicaUpdates", "GlobalTableWitnessUpdates"):
        status, reply = endpoint.call("UpdateTable", {"TableName": "differs", member: [
            {"Create": {"RegionName": "eu-west-1"}}]})
        check(f"{member} is refused by name", status == 400 and member in reply.get("message", ""), reply)


def check_time_to_live(endpoint):
    endpoint.done("UpdateTimeToLive", {"TableName": "differs", "TimeToLiveSpecification": {
        "Enabled": True, "AttributeName": "gone"}})
    said = endpoint.done("DescribeTimeToLive", {"TableName": "differs"})["TimeToLiveDescription"]
    check("time to live is ENABLED at once", said == {"TimeToLiveStatus": "ENABLED", "AttributeName": "gone"}, said)
    time.sleep(1.5)
    check("nothing expires", endpoint.table("differs")["ItemCount"] == 100)


def check_one_account(server):
    other = Endpoint(server, "eu-west-1", "somebody-else")
    table = other.table("differs")
    check("one set of tables for all keys and regions",
          table["TableArn"] == "arn:aws:dynamodb:eu-west-1:000000000000:table/differs", table)


def check_end(endpoint):
    said = endpoint.done("DeleteTable", {"TableName": "differs"})["TableDescription"]
    check("DELETING is said", said["TableStatus"] == "DELETING", said)
    status, reply = endpoint.call("DescribeTable", {"TableName": "differs"})
    check("and nothing found", status == 400 and "ResourceNotFound" in reply["__type"], reply)


def check_lag(endpoint):
    """The index is late, and not for ever."""
    endpoint.done("CreateTable", TABLE)
    request = {"TableName": "differs", "IndexName": "global", "KeyConditionExpression": "far = :o",
               "ExpressionAttributeValues": {":o": {"S": "o"}}, "Select": "COUNT"}
    time.sleep(1.5)
    endpoint.done("PutItem", {"TableName": "differs", "Item": item(0)})
    check("--gsi-lag: the index is late", endpoint.done("Query", request)["Count"] == 0)
    until = time.monotonic() + SECONDS
    while endpoint.done("Query", request)["Count"] == 0 and time.monotonic() < until:
        time.sleep(0.05)
    check("--gsi-lag: and comes", endpoint.done("Query", request)["Count"] == 1)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", default=program.BINARY)
    program.BINARY = arguments.parse_args().program
    page = PAGE.read_text()
    check_page(page)
    with program.Stator() as server:
        endpoint = Endpoint(server)
        check_operations(page, endpoint)
        check_statuses(endpoint)
        check_writes(endpoint)
        check_updates(endpoint)
        check_time_to_live(endpoint)
        check_one_account(server)
        check_end(endpoint)
    with program.Stator("--gsi-lag", "1000") as server:
        check_lag(Endpoint(server))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
