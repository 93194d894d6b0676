"""A follow graph under eight clients, and the books that tell what must be in it.

The clients share one table:

  node     NODE#a    PROFILE    following, followers: moved in the transaction of the edge
  follow   NODE#a    FOLLOW#b   GSI1 = NODE#b · NODE#a    guarded, in a transaction
  like     NODE#a    LIKE#t     GSI1 = THING#t · NODE#a   guarded, alone; GSI2 = LIKES#t · version,
                                                          so that its index entry moves
  hits     HITS#c    HITS       n: ADD by one client, and HITS#all by every client
  blob     BLOB#c    BLOB#k     up to 200 KB, so that groups and files become large

Every item has one writer, a client with at most one request under way, so each client knows for
each of its items which versions may be there: one, or two after a request whose outcome is unknown.
Counters have many writers; they are compared with the edges instead, which is the promise.
"""
import random
import threading
import time
import uuid

from endpoint import Lost, error_text, error_type

TABLE = "graph"
CLIENTS = 8
NODES_PER_CLIENT = 6
NODES = CLIENTS * NODES_PER_CLIENT
THINGS = 12
BLOBS = 6
BLOB_BYTES = 200_000


def create_table(connection):
    status, reply = connection.call("CreateTable", {
        "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in
                                 ("PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK")],
        "KeySchema": _key_schema("PK", "SK"),
        "GlobalSecondaryIndexes": [
            {"IndexName": "GSI1", "KeySchema": _key_schema("GSI1PK", "GSI1SK"),
             "Projection": {"ProjectionType": "ALL"}},
            {"IndexName": "GSI2", "KeySchema": _key_schema("GSI2PK", "GSI2SK"),
             "Projection": {"ProjectionType": "KEYS_ONLY"}}]})
    if status != 200:
        raise RuntimeError(f"CreateTable: {reply}")
    for _ in range(500):
        _, reply = connection.call("DescribeTable", {"TableName": TABLE})
        table = reply.get("Table", {})
        if table.get("TableStatus") == "ACTIVE" and all(
                i["IndexStatus"] == "ACTIVE" for i in table["GlobalSecondaryIndexes"]):
            return
        time.sleep(0.01)
    raise RuntimeError(f"the table did not become ACTIVE: {reply}")


def _key_schema(partition, sort):
    return [{"AttributeName": partition, "KeyType": "HASH"},
            {"AttributeName": sort, "KeyType": "RANGE"}]


def _key(pk, sk):
    return {"PK": {"S": pk}, "SK": {"S": sk}}


def _node(a):
    return f"NODE#{a:03d}"


def _thing(t):
    return f"THING#{t:03d}"


def _add(pk, attribute, amount):
    return {"Update": {"TableName": TABLE, "Key": _key(pk, "PROFILE"),
                       "UpdateExpression": f"ADD {attribute} :n",
                       "ExpressionAttributeValues": {":n": {"N": str(amount)}}}}


def _blob_data(version):
    size = 1000 + version * 7919 % BLOB_BYTES
    return f"{version:08d}".ljust(size, chr(ord("a") + version % 26))


def _is_refused(reply):
    """The write's own condition was false: the API's answer, and not a fault."""
    if error_type(reply) == "ConditionalCheckFailedException":
        return True
    reasons = [r.get("Code") for r in reply.get("CancellationReasons") or []]
    return reasons[:1] == ["ConditionalCheckFailed"] and set(reasons[1:]) <= {"None"}


class Client:
    """Writes to its own items and keeps their books.  `books` maps a key to the set of versions
    that may be stored there; None stands for no item."""

    def __init__(self, number, seed):
        self.number = number
        self.random = random.Random(seed)
        self.version = 0
        self.books = {}
        self.hits = [0, 0]        # HITS#c lies between these
        self.shared_hits = [0, 0] # what this client has added to HITS#all
        self.acknowledged = 0
        self.refusals = 0         # errors that are neither success nor a false condition
        self.last_refusal = None
        self.violations = []      # answers that contradict the books
        self.retry = None         # a transaction with a token whose outcome is unknown
        self.losses = 0           # connections that broke
        self.connection = None

    # --- The run ---

    def run(self, server, stop, pause=0.0):
        """Writes until `stop` is set or the server has gone."""
        try:
            self.connection = server.connect()
            while not stop.is_set():
                self._act()
                if pause:
                    time.sleep(pause)
        except Lost:
            self.losses += 1
        finally:
            if self.connection:
                self.connection.close()

    def _act(self):
        roll = self.random.random()
        if roll < 0.35:
            self._follow()
        elif roll < 0.50:
            self._unfollow()
        elif roll < 0.65:
            self._like()
        elif roll < 0.75:
            self._revise_like()
        elif roll < 0.83:
            self._unlike()
        elif roll < 0.98:
            self._hit()
        else:
            self._blob()

    # --- Writes ---

    def _follow(self):
        a, b = self._own_node(), self.random.randrange(NODES)
        if a == b:
            return
        version = self._next_version()
        key = (_node(a), f"FOLLOW#{_node(b)}")
        edge = {**_key(*key), "GSI1PK": {"S": _node(b)}, "GSI1SK": {"S": _node(a)},
                "version": {"N": str(version)}, "note": {"S": "since the beginning"}}
        self._transact(key, version, {
            "Put": {"TableName": TABLE, "Item": edge,
                    "ConditionExpression": "attribute_not_exists(PK)"}}, a, b, 1)

    def _unfollow(self):
        followed = [k for k, versions in self.books.items()
                    if k[1].startswith("FOLLOW#") and versions != {None}]
        if not followed:
            return
        key = self.random.choice(followed)
        a, b = int(key[0][5:]), int(key[1][12:])
        self._transact(key, None, {
            "Delete": {"TableName": TABLE, "Key": _key(*key),
                       "ConditionExpression": "attribute_exists(PK)"}}, a, b, -1)

    def _transact(self, key, after, edge, a, b, amount):
        body = {"TransactItems": [edge, _add(_node(a), "following", amount),
                                  _add(_node(b), "followers", amount)]}
        sure = self._versions(key) == {None} if after else None not in self._versions(key)
        if self.random.random() < 0.5:
            body["ClientRequestToken"] = str(uuid.UUID(int=self.random.getrandbits(128)))
        try:
            self._write("TransactWriteItems", body, key, after,
                        needs_none=after is not None, needs_some=after is None)
        except Lost:
            if sure and "ClientRequestToken" in body:
                self.retry = (body, key, after)
            raise

    def _like(self):
        a, t, version = self._own_node(), self.random.randrange(THINGS), self._next_version()
        key = (_node(a), f"LIKE#{_thing(t)}")
        item = {**_key(*key), "GSI1PK": {"S": _thing(t)}, "GSI1SK": {"S": _node(a)},
                "GSI2PK": {"S": f"LIKES#{t:03d}"}, "GSI2SK": {"S": f"{version:010d}"},
                "version": {"N": str(version)}}
        self._write("PutItem", {"TableName": TABLE, "Item": item,
                                "ConditionExpression": "attribute_not_exists(PK)"},
                    key, version, needs_none=True)

    def _revise_like(self):
        key, version = self._own_like(), self._next_version()
        self._write("UpdateItem", {
            "TableName": TABLE, "Key": _key(*key),
            "UpdateExpression": "SET version = :v, GSI2SK = :s",
            "ConditionExpression": "attribute_exists(PK)",
            "ExpressionAttributeValues": {":v": {"N": str(version)},
                                          ":s": {"S": f"{version:010d}"}}},
                    key, version, needs_some=True)

    def _unlike(self):
        key = self._own_like()
        self._write("DeleteItem", {"TableName": TABLE, "Key": _key(*key)}, key, None)

    def _blob(self):
        key, version = (f"BLOB#{self.number}", f"BLOB#{self.random.randrange(BLOBS)}"), \
            self._next_version()
        item = {**_key(*key), "version": {"N": str(version)}, "data": {"S": _blob_data(version)}}
        self._write("PutItem", {"TableName": TABLE, "Item": item}, key, version)

    def _hit(self):
        shared = self.random.random() < 0.5
        bounds = self.shared_hits if shared else self.hits
        bounds[1] += 1
        status, reply = self.connection.call("UpdateItem", {
            "TableName": TABLE, "Key": _key("HITS#all" if shared else f"HITS#{self.number}", "HITS"),
            "UpdateExpression": "ADD n :one", "ReturnValues": "UPDATED_NEW",
            "ExpressionAttributeValues": {":one": {"N": "1"}}})
        if status != 200:
            self._refused(status, reply)
            return
        self.acknowledged += 1
        bounds[0] += 1
        n = int(reply["Attributes"]["n"]["N"])
        if not shared:
            if not bounds[0] <= n <= bounds[1]:
                self.violations.append(f"HITS#{self.number} became {n}, allowed {bounds}")
            bounds[:] = [n, n]

    def _write(self, operation, body, key, after, needs_none=False, needs_some=False):
        """Sends a write that turns the item at `key` into version `after`, provided that it was
        absent (needs_none) or present (needs_some) before; books what may be stored."""
        before = self._versions(key)
        fitting = {v for v in before if (v is None or not needs_none) and
                   (v is not None or not needs_some)}
        if fitting:
            self.books[key] = before | {after}
        status, reply = self.connection.call(operation, body)
        if status == 200:
            self.acknowledged += 1
            if not fitting:
                self.violations.append(f"{operation} {key} passed its guard, allowed {before}")
            self.books[key] = {after}
        elif _is_refused(reply):
            self.acknowledged += 1
            self.books[key] = before - fitting
            if not self.books[key]:
                self.violations.append(f"{operation} {key} failed its guard, allowed {before}")
                self.books[key] = before
        else:
            self._refused(status, reply)

    def _refused(self, status, reply):
        self.refusals += 1
        self.last_refusal = f"HTTP {status} {error_type(reply)}: {error_text(reply)}"

    def _versions(self, key):
        return self.books.get(key, {None})

    def _own_node(self):
        return self.number * NODES_PER_CLIENT + self.random.randrange(NODES_PER_CLIENT)

    def _own_like(self):
        return _node(self._own_node()), f"LIKE#{_thing(self.random.randrange(THINGS))}"

    def _next_version(self):
        self.version += 1
        return self.version * CLIENTS + self.number

    # --- After a restart ---

    def compare(self, items):
        """Faults of the stored items against the books; the books then take what is stored."""
        faults = []
        stored = {k: v for k, v in items.items() if self._owns(k)}
        for key in self.books.keys() | stored.keys():
            actual = int(stored[key]["version"]["N"]) if key in stored else None
            if actual not in self._versions(key):
                faults.append(f"client {self.number} {key}: version {actual} is stored, "
                              f"allowed {self._versions(key)}")
            self.books[key] = {actual}
        return faults

    def _owns(self, key):
        pk, sk = key
        if pk.startswith("NODE#"):
            return sk != "PROFILE" and int(pk[5:]) // NODES_PER_CLIENT == self.number
        return pk == f"BLOB#{self.number}"

    def send_again(self, connection):
        """A transaction whose outcome was unknown, again with its token: it must be done once,
        whether or not it was done before."""
        if not self.retry:
            return []
        body, key, after = self.retry
        self.retry = None
        status, reply = connection.call("TransactWriteItems", body)
        if status != 200:
            return [f"{key}: a repeated token is answered HTTP {status} {reply}"]
        self.books[key] = {after}
        return []


class Graph:
    """The clients and everything that must hold between them."""

    def __init__(self, seed):
        self.clients = [Client(i, seed * 1000 + i) for i in range(CLIENTS)]

    def acknowledged(self):
        return sum(c.acknowledged for c in self.clients)

    def refusals(self):
        return sum(c.refusals for c in self.clients)

    def losses(self):
        return sum(c.losses for c in self.clients)

    def last_refusal(self):
        return next((c.last_refusal for c in self.clients if c.last_refusal), None)

    def forget_refusals(self):
        for client in self.clients:
            client.refusals, client.last_refusal, client.losses = 0, None, 0

    def start(self, server, pause=0.0):
        """Starts the clients; the answer is what `finish` takes."""
        stop = threading.Event()
        threads = [threading.Thread(target=c.run, args=(server, stop, pause), daemon=True)
                   for c in self.clients]
        for thread in threads:
            thread.start()
        return stop, threads

    @staticmethod
    def finish(running):
        stop, threads = running
        stop.set()
        for thread in threads:
            thread.join(60)
            if thread.is_alive():
                raise RuntimeError("a client got no answer for 60 s")

    def verify(self, connection, books=True):
        """Reads everything by Query.  A map from what is promised to the faults found; without
        `books` only what must hold after any crash, whatever it lost."""
        items = read_table(connection)
        faults = {
            "index equals table": compare_indexes(connection, items),
            "counters equal edges": compare_counters(items),
            "blobs are whole": compare_blobs(items),
        }
        lost = [f for c in self.clients for f in c.compare(items)]
        wrong = self._compare_hits(items)
        if books:
            faults["no acknowledged write lost"] = lost + wrong
            faults["answers agree with the books"] = [
                f for c in self.clients for f in c.violations]
            faults["a repeated token is done once"] = [
                f for c in self.clients for f in c.send_again(connection)]
        for client in self.clients:
            client.violations, client.retry = [], None
        return faults

    def _compare_hits(self, items):
        faults = []
        total = _number(items, "HITS#all", "HITS", "n")
        low = sum(c.shared_hits[0] for c in self.clients)
        high = sum(c.shared_hits[1] for c in self.clients)
        if not low <= total <= high:
            faults.append(f"HITS#all is {total}, allowed {low} to {high}")
        for client in self.clients:
            client.shared_hits = [0, 0]
            own = _number(items, f"HITS#{client.number}", "HITS", "n")
            if not client.hits[0] <= own <= client.hits[1]:
                faults.append(f"HITS#{client.number} is {own}, allowed {client.hits}")
            client.hits = [own, own]
        self.clients[0].shared_hits = [total, total]
        return faults


# --- Reading everything back -----------------------------------------------------------------


def query(connection, attribute, value, index=None):
    """All items of a partition, page by page."""
    body = {"TableName": TABLE, "KeyConditionExpression": "#p = :p",
            "ExpressionAttributeNames": {"#p": attribute},
            "ExpressionAttributeValues": {":p": {"S": value}}}
    if index:
        body["IndexName"] = index
    else:
        body["ConsistentRead"] = True
    items = []
    while True:
        status, reply = connection.call("Query", body)
        if status != 200:
            raise RuntimeError(f"Query of {value}: HTTP {status} {reply}")
        items += reply["Items"]
        if not reply.get("LastEvaluatedKey"):
            return items
        body["ExclusiveStartKey"] = reply["LastEvaluatedKey"]


def read_table(connection):
    partitions = [_node(a) for a in range(NODES)]
    partitions += [f"{kind}#{c}" for c in range(CLIENTS) for kind in ("HITS", "BLOB")]
    return {(i["PK"]["S"], i["SK"]["S"]): i for p in [*partitions, "HITS#all"]
            for i in query(connection, "PK", p)}


def compare_indexes(connection, items):
    wanted = {k: i for k, i in items.items() if "GSI1PK" in i}
    found = [i for p in [*map(_node, range(NODES)), *map(_thing, range(THINGS))]
             for i in query(connection, "GSI1PK", p, "GSI1")]
    faults = _compare_index("GSI1", wanted, found)

    keys = ("PK", "SK", "GSI2PK", "GSI2SK")
    wanted = {k: {n: i[n] for n in keys} for k, i in items.items() if "GSI2PK" in i}
    found = [i for t in range(THINGS) for i in query(connection, "GSI2PK", f"LIKES#{t:03d}", "GSI2")]
    return faults + _compare_index("GSI2", wanted, found)


def _compare_index(name, wanted, found):
    faults = []
    entries = {(i["PK"]["S"], i["SK"]["S"]): i for i in found}
    if len(entries) != len(found):
        faults.append(f"{name} has {len(found) - len(entries)} items twice")
    for key in wanted.keys() | entries.keys():
        if wanted.get(key) != entries.get(key):
            faults.append(f"{name} {key}: {entries.get(key)}, the table has {wanted.get(key)}")
    return faults


def compare_counters(items):
    following, followers = [0] * NODES, [0] * NODES
    for pk, sk in items:
        if sk.startswith("FOLLOW#"):
            following[int(pk[5:])] += 1
            followers[int(sk[12:])] += 1
    faults = []
    for a in range(NODES):
        for name, edges in (("following", following[a]), ("followers", followers[a])):
            counter = _number(items, _node(a), "PROFILE", name)
            if counter != edges:
                faults.append(f"{_node(a)} {name}: counter {counter}, edges {edges}")
    return faults


def compare_blobs(items):
    return [f"{key} is not what was written" for key, item in items.items()
            if key[0].startswith("BLOB#")
            and item["data"]["S"] != _blob_data(int(item["version"]["N"]))]


def _number(items, pk, sk, attribute):
    return int(items.get((pk, sk), {}).get(attribute, {"N": "0"})["N"])
