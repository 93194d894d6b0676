#!/usr/bin/env python3
"""What a client can make the server hold, and for how long: everything is bounded.

Sixty-four connections at once send the largest bodies there are, or ask for the largest replies; the
process must stay under the budget that it was given plus what it needs for itself, refuse the rest
by a clear error, and go on serving.  Then one request after the other that is made to explode:
nesting, expressions, compression, numbers of members.

usage: memory_test.py [--program build/stator]          ends with "N passed, N failed"
"""

import argparse
import gzip
import json
import os
import pathlib
import sys
import threading
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "durability"))
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

import stator as program  # noqa: E402
from endpoint import Connection, Lost, error_text, error_type  # noqa: E402

MB = 1024 * 1024
CONNECTIONS = 64
BUDGET_MB = 512  # the default of --memory-budget
# The program, its caches and write buffers, the requests being looked at (one a thread), and what
# the allocator keeps of memory that has been given back.
OWN_MB = 448
BOMB_SECONDS = 10
BODY_BYTES = 16 * MB

passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {name}: {detail}"[:600], flush=True)


# --- The server's memory -------------------------------------------------------------------------


def reset_peak(pid):
    with open(f"/proc/{pid}/clear_refs", "w", encoding="ascii") as f:
        f.write("5")


def peak_mb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return next(int(line.split()[1]) / 1024 for line in f if line.startswith("VmHWM:"))


# --- Asking --------------------------------------------------------------------------------------


class Raw(Connection):
    """Sends a body as it is, and reads a reply that may come before the body is whole."""

    def head(self, operation, length, encoding=None):
        extra = f"Content-Encoding: {encoding}\r\n" if encoding else ""
        return self._request(operation, b"").replace(
            b"Content-Length: 0\r\n", f"{extra}Content-Length: {length}\r\n".encode())

    def send(self, operation, body, encoding=None):
        try:
            self.socket.sendall(self.head(operation, len(body), encoding))
            self.socket.sendall(body)
        except OSError:
            pass  # refused while we send: the reply is there
        return self.reply()

    def reply(self):
        """(status, error as an object): what is in a good reply does not matter here."""
        try:
            with self.socket.makefile("rb", 1 << 18) as reader:
                status = int(reader.readline().split()[1])
                length = 0
                for line in iter(reader.readline, b"\r\n"):
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                body = reader.read(length)
        except (OSError, IndexError) as fault:
            raise Lost(repr(fault)) from fault
        if len(body) < length:
            raise Lost("the reply is cut off")
        if status == 200:
            return status, {}
        return status, {"message": body.decode()} if status == 413 else json.loads(body)


def ask(port, operation, body, encoding=None, timeout=60):
    """(status, error); (0, what happened) when the connection ended without a reply."""
    try:
        connection = Raw(port, timeout)
        try:
            return connection.send(operation, body if isinstance(body, bytes) else json.dumps(body).encode(),
                                   encoding)
        finally:
            connection.close()
    except (Lost, ValueError) as fault:
        return 0, {"message": repr(fault)}


def create_table(port, name):
    status, reply = ask(port, "CreateTable", {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}]})
    assert status == 200, reply


# --- Many at once --------------------------------------------------------------------------------


def at_once(port, operation, body, encoding=None):
    """The replies to the same request from all connections at the same time."""
    replies, start = [], threading.Barrier(CONNECTIONS)

    def one():
        start.wait()
        replies.append(ask(port, operation, body, encoding, timeout=120))

    threads = [threading.Thread(target=one) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return replies


def is_clear(status, reply):
    if status == 503:
        return error_type(reply) == "ServiceUnavailableException" and "try again" in error_text(reply)
    if status == 413:
        return error_text(reply) == "body too large"
    return status == 400 and error_type(reply) in ("ValidationException", "SerializationException")


def check_flood(server, name, operation, body, encoding=None, some_succeed=True):
    pid, port = server.process.pid, server.port
    reset_peak(pid)
    started = time.monotonic()
    replies = at_once(port, operation, body, encoding)
    seconds, peak = time.monotonic() - started, peak_mb(pid)
    done = sum(status == 200 for status, _ in replies)
    unclear = [reply for reply in replies if reply[0] != 200 and not is_clear(*reply)]
    print(f"{name}: {done} of {CONNECTIONS} done, {seconds:.1f} s, at most {peak:.0f} MB", flush=True)
    check(f"{name}: memory", peak <= BUDGET_MB + OWN_MB, f"{peak:.0f} MB")
    check(f"{name}: every refusal is clear", not unclear, unclear[:1])
    if some_succeed:
        check(f"{name}: some are served", done > 0)
    check(f"{name}: goes on serving", ask(port, "ListTables", {})[0] == 200)
    return replies


def batch_of(items):
    return json.dumps({"RequestItems": {"flood": [{"PutRequest": {"Item": item}} for item in items]}},
                      separators=(",", ":")).encode()


def padded(body, size=BODY_BYTES):
    """The same JSON with white space up to the size."""
    return body[:-1] + b" " * (size - len(body)) + body[-1:]


def floods(server):
    # 25 items of 400 KB less a little: 10 MB, filled up to the greatest body.
    large = [{"k": {"S": f"large{n}"}, "v": {"S": "x" * (400 * 1024 - 100)}} for n in range(25)]
    check_flood(server, "BatchWriteItem, 25 items of 400 KB", "BatchWriteItem", padded(batch_of(large)))

    # The most members that a body of 16 MB can have: the tree is many times the text.
    fine = [{"k": {"S": f"fine{n}"}, "v": {"L": [{"BOOL": True}] * 40000}} for n in range(24)]
    check_flood(server, "BatchWriteItem, a million members", "BatchWriteItem", batch_of(fine))

    keys = [{"k": {"S": f"large{n}"}} for n in range(25)]
    body = json.dumps({"RequestItems": {"flood": {"Keys": keys}}}).encode()
    check_flood(server, "BatchGetItem of 10 MB, bodies of 16 MB", "BatchGetItem", padded(body))
    check_flood(server, "BatchGetItem of 10 MB, small bodies", "BatchGetItem", body)

    bomb = gzip.compress(b'{"TableName":"flood","x":' + b" " * (BODY_BYTES - 100) + b'1}', 9)
    check_flood(server, "gzip, 16 MB each", "GetItem", bomb, "gzip", some_succeed=False)


# --- One bomb after the other --------------------------------------------------------------------


def deep_value(depth):
    return '{"L":[' * depth + '{"S":"x"}' + "]}" * depth


def bombs():
    """(name, operation, body, encoding)"""
    deep = 100000
    for name, text in (("arrays", "[" * deep + "]" * deep), ("arrays left open", "[" * deep),
                       ("objects", '{"a":' * deep + "1" + "}" * deep),
                       ("arrays, 16 MB", "[" * BODY_BYTES)):
        yield f"JSON {deep} deep, {name}", "PutItem", text.encode(), None
    yield ("an item 33 deep", "PutItem",
           f'{{"TableName":"flood","Item":{{"k":{{"S":"a"}},"v":{deep_value(33)}}}}}'.encode(), None)
    yield ("an item 150 deep", "PutItem",
           f'{{"TableName":"flood","Item":{{"k":{{"S":"a"}},"v":{deep_value(150)}}}}}'.encode(), None)
    yield ("an array of a million numbers", "PutItem",
           b'{"TableName":"flood","Item":[' + b",".join([b"1"] * 1000000) + b"]}", None)
    yield ("an array of four million numbers", "PutItem",
           b'{"TableName":"flood","Item":[' + b",".join([b"1"] * 4000000) + b"]}", None)
    yield ("a list of a million values", "PutItem",
           b'{"TableName":"flood","Item":{"k":{"S":"a"},"v":{"L":['
           + b",".join([b'{"N":"1"}'] * 1000000) + b"]}}}", None)
    yield ("a set of a million equal members", "PutItem",
           b'{"TableName":"flood","Item":{"k":{"S":"a"},"v":{"SS":['
           + b",".join([b'"x"'] * 1000000) + b"]}}}", None)
    yield ("a map of a hundred thousand names, all one", "PutItem",
           b'{"TableName":"flood","Item":{' + b",".join([b'"a":{"S":"x"}'] * 100000) + b"}}", None)
    yield ("a number of a million digits", "PutItem",
           b'{"TableName":"flood","Item":{"k":{"S":"a"},"v":{"N":"' + b"1" * 1000000 + b'"}}}', None)
    yield from expression_bombs()
    zeros = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join([zeros.compress(bytes(MB)) for _ in range(256)] + [zeros.flush()])
    yield "gzip, 256 MB of zeros", "PutItem", bomb, "gzip"
    yield "deflate, 256 MB of zeros", "PutItem", zlib.compress(bytes(256 * MB), 1), "deflate"
    yield "gzip in gzip", "PutItem", gzip.compress(gzip.compress(bytes(BODY_BYTES))), "gzip"


def expression_bombs():
    def condition(text, **more):
        return json.dumps({"TableName": "flood", "Item": {"k": {"S": "a"}}, "ConditionExpression": text,
                           **more}).encode()

    one = {"ExpressionAttributeValues": {":a": {"N": "1"}}}
    yield "4 KB of open parentheses", "PutItem", condition("(" * 4096), None
    yield ("2,000 parentheses around a condition", "PutItem",
           condition("(" * 2000 + "k=:a" + ")" * 2000, **one), None)
    yield "1,000 times NOT", "PutItem", condition("NOT " * 1000 + "k=:a", **one), None
    yield ("IN of 500", "PutItem", condition("k IN (" + ",".join([":a"] * 500) + ")", **one), None)
    yield "400 operators", "PutItem", condition(" OR ".join(["k=:a"] * 400), **one), None
    yield "an expression of 1 MB", "PutItem", condition("k=:a OR " * 131072 + "k=:a", **one), None
    yield ("a path 4 KB deep", "PutItem", condition("attribute_exists(a" + "[0]" * 1300 + ")"), None)
    yield ("functions in functions", "PutItem", condition("size(" * 600 + "k" + ")" * 600 + "=:a", **one), None)
    yield ("10,000 placeholders that nothing uses", "PutItem",
           condition("k=:a", ExpressionAttributeValues={":a": {"N": "1"},
                                                        **{f":v{n}": {"N": "1"} for n in range(10000)}}), None)
    yield ("10,000 names that nothing uses", "PutItem",
           condition("k=:a", **one, ExpressionAttributeNames={f"#n{n}": "x" for n in range(10000)}), None)
    yield ("values of 3 MB", "PutItem",
           condition("k=:a", ExpressionAttributeValues={":a": {"S": "x" * (3 * MB)}}), None)
    yield ("300 sums", "UpdateItem", json.dumps({
        "TableName": "flood", "Key": {"k": {"S": "a"}}, **one,
        "UpdateExpression": "SET " + ",".join(f"a{n}=a{n}+:a" for n in range(320))}).encode(), None)
    yield ("a projection of 2,000 paths", "GetItem", json.dumps({
        "TableName": "flood", "Key": {"k": {"S": "a"}},
        "ProjectionExpression": ",".join(["a"] * 2000)}).encode(), None)


def check_bombs(server):
    pid = server.process.pid
    reset_peak(pid)
    before = peak_mb(pid)
    for name, operation, body, encoding in bombs():
        started = time.monotonic()
        status, reply = ask(server.port, operation, body, encoding, timeout=30)
        seconds = time.monotonic() - started
        check(f"{name}: a clear error", is_clear(status, reply), (status, str(reply)[:300]))
        check(f"{name}: in time", seconds < BOMB_SECONDS, f"{seconds:.1f} s")
        check(f"{name}: goes on serving", ask(server.port, "ListTables", {})[0] == 200)
    print(f"bombs: from {before:.0f} MB to at most {peak_mb(pid):.0f} MB", flush=True)
    check("bombs: memory", peak_mb(pid) <= BUDGET_MB + OWN_MB, peak_mb(pid))


def check_small_budget(binary):
    """A budget that is set is kept: two bodies of 16 MB do not fit into 20 MB."""
    with program.Stator("--memory-budget", "20") as server:
        create_table(server.port, "flood")
        body = padded(batch_of([{"k": {"S": "a"}}]))
        slow = Raw(server.port)
        slow.socket.sendall(slow.head("BatchWriteItem", len(body)))
        slow.socket.sendall(body[:-1])
        time.sleep(0.3)
        status, reply = ask(server.port, "BatchWriteItem", body)
        check("a second body is told to try again", status == 503 and is_clear(status, reply), (status, reply))
        check("small ones are served meanwhile", ask(server.port, "ListTables", {})[0] == 200)
        slow.socket.sendall(body[-1:])
        status, reply = slow.reply()
        check("the first is served", status == 200, (status, reply))
        slow.close()
        status, reply = ask(server.port, "BatchWriteItem", body)
        check("and then the second", status == 200, (status, reply))
        many = batch_of([{"k": {"S": "a"}, "v": {"L": [{"BOOL": True}] * 200000}}])
        status, reply = ask(server.port, "BatchWriteItem", many)
        check("a tree beyond the budget is refused", status == 503 and is_clear(status, reply), (status, reply))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", default=program.BINARY)
    program.BINARY = arguments.parse_args().program
    with program.Stator() as server:
        create_table(server.port, "flood")
        check_bombs(server)
        floods(server)
        check("ends well", server.stop() == 0)
    check_small_budget(program.BINARY)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
