"""Requests over one kept-alive connection, and the server under test."""
import json
import os
import socket
import subprocess
import tempfile
import time


class Lost(Exception):
    """The server closed the connection, or did not answer."""


class Connection:
    def __init__(self, host, port):
        self.host, self.port, self.socket, self.rest = host, port, None, b""
        self.head_at, self.head = 0, ""

    def connect(self):
        self.socket = socket.create_connection((self.host, self.port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def fixed_head(self):
        now = time.time()
        if now - self.head_at > 30:
            stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
            self.head_at = now
            self.head = (
                f"Host: {self.host}:{self.port}\r\n"
                "Content-Type: application/x-amz-json-1.0\r\n"
                f"X-Amz-Date: {stamp}\r\n"
                f"Authorization: AWS4-HMAC-SHA256 Credential=testkey/{stamp[:8]}/us-east-1/dynamodb/"
                "aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
                "Signature=" + "0" * 64 + "\r\n")
        return self.head

    def call(self, op, body):
        """(status, reply): the reply parsed from JSON, numbers as they are."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        head = (f"POST / HTTP/1.1\r\n{self.fixed_head()}X-Amz-Target: DynamoDB_20120810.{op}\r\n"
                f"Content-Length: {len(data)}\r\n\r\n")
        try:
            if self.socket is None:
                self.connect()
            self.socket.sendall(head.encode() + data)
            status, raw = self.read()
        except OSError as fault:
            self.close()
            raise Lost(f"{op}: {fault}") from None
        try:
            return status, json.loads(raw)
        except ValueError:
            return status, {"__raw": raw[:500].decode("latin1")}

    def read(self):
        data = self.rest
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self.more()
        lines = data[:end].split(b"\r\n")
        status, length, stays = int(lines[0].split()[1]), 0, True
        for line in lines[1:]:
            name, _, text = line.partition(b":")
            name = name.lower()
            if name == b"content-length":
                length = int(text)
            elif name == b"connection":
                stays = text.strip().lower() != b"close"
        parts, have = [data[end + 4:]], len(data) - end - 4
        while have < length:
            parts.append(self.more())
            have += len(parts[-1])
        data = b"".join(parts)
        self.rest = data[length:]
        if not stays:
            self.close()
        return status, data[:length]

    def more(self):
        got = self.socket.recv(1 << 18)
        if not got:
            self.close()
            raise Lost("the server closed the connection")
        return got

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.rest = None, b""


class Server:
    """A server process on loopback, with its data in memory."""

    def __init__(self, command, ready="listening"):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log)
        self.host, self.port = self.wait(ready)

    def wait(self, ready):
        for line in self.process.stdout:
            text = line.decode(errors="replace").strip()
            if ready in text.lower():
                address = text.split()[-1].split("//")[-1].rstrip("/")
                host, _, port = address.rpartition(":")
                return host or "127.0.0.1", int(port)
        raise Lost(f"the server did not start: {self.faults()}")

    def faults(self):
        self.log.seek(0)
        return f"exit {self.process.poll()} " + self.log.read()[-2000:].decode(errors="replace")

    def connection(self):
        return Connection(self.host, self.port)

    def alive(self):
        return self.process.poll() is None

    def stop(self):
        """Ends it; how it ended: None when as it should, or its exit status and last words."""
        if self.alive():
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        ended = self.faults() if self.process.returncode else None
        self.process.stdout.close()
        self.log.close()
        return ended


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start_stator(program):
    return Server([program, "serve", "--memory", "--port", "0", "--log", "error"])


def start_dynalite():
    """dynalite, where it is installed (bench/package.json, or DYNALITE names its cli.js)."""
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ.get("DYNALITE", ""),
              os.path.join(here, "../../bench/node_modules/dynalite/cli.js")]
    script = next((p for p in places if p and os.path.exists(p)), None)
    if not script:
        raise Lost("dynalite is not installed: npm install in bench/, or name its cli.js in DYNALITE")
    quick = ["--createTableMs", "0", "--deleteTableMs", "0", "--updateTableMs", "0"]
    return Server(["node", script, "--host", "127.0.0.1", "--port", str(free_port()), *quick])


def wait_active(connection, name, without=None):
    """Until the table is ACTIVE with all its indexes, and the index `without` is gone."""
    for _ in range(2000):
        status, reply = connection.call("DescribeTable", {"TableName": name})
        if status == 200:
            table = reply["Table"]
            indexes = table.get("GlobalSecondaryIndexes") or []
            if (table["TableStatus"] == "ACTIVE" and without not in [i["IndexName"] for i in indexes]
                    and all(i.get("IndexStatus", "ACTIVE") == "ACTIVE" for i in indexes)):
                return
        time.sleep(0.005)
    raise Lost(f"table {name} does not become ACTIVE")
