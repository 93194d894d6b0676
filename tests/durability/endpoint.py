"""One keep-alive connection to a DynamoDB endpoint, as cheap as Python allows.

A call whose connection breaks raises Lost: whether the write took place is then unknown, which is
the very thing that the durability tests keep books about.
"""
import json
import socket
import time


class Lost(Exception):
    """The connection broke; the outcome of the call is unknown."""


def _signature_headers():
    """A signature that has the right form and date; the key is not checked."""
    now = time.gmtime()
    return (
        f"X-Amz-Date: {time.strftime('%Y%m%dT%H%M%SZ', now)}\r\n"
        f"Authorization: AWS4-HMAC-SHA256 Credential=test/{time.strftime('%Y%m%d', now)}"
        "/us-east-1/dynamodb/aws4_request, "
        "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
        f"Signature={'0' * 64}\r\n")


class Connection:
    def __init__(self, port, timeout=30):
        self.port = port
        try:
            self.socket = socket.create_connection(("127.0.0.1", port), timeout)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as fault:
            raise Lost(str(fault)) from fault
        self.signed_at = 0
        self.signature = ""
        self.rest = b""

    def call(self, operation, body):
        """(status, reply as an object); Lost when the connection breaks."""
        try:
            self.socket.sendall(self._request(operation, json.dumps(body).encode()))
            return self._reply()
        except OSError as fault:
            raise Lost(str(fault)) from fault

    def close(self):
        self.socket.close()

    def _request(self, operation, body):
        now = int(time.time())
        if now != self.signed_at:
            self.signed_at, self.signature = now, _signature_headers()
        return (
            f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            "Content-Type: application/x-amz-json-1.0\r\n"
            f"X-Amz-Target: DynamoDB_20120810.{operation}\r\n"
            f"{self.signature}Content-Length: {len(body)}\r\n\r\n").encode() + body

    def _more(self):
        chunk = self.socket.recv(1 << 18)
        if not chunk:
            raise Lost("closed by the server")
        self.rest += chunk

    def _reply(self):
        while b"\r\n\r\n" not in self.rest:
            self._more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        while len(self.rest) < length:
            self._more()
        body, self.rest = self.rest[:length], self.rest[length:]
        return int(head.split(b" ", 2)[1]), json.loads(body) if body else {}


def error_type(reply):
    """"ValidationException" of "com.amazon…#ValidationException"."""
    return str(reply.get("__type", "")).rpartition("#")[2]


def error_text(reply):
    return reply.get("message") or reply.get("Message") or ""
