"""Starts the program for a test and stops it.

    with Stator() as stator:            # --data on a new folder, a free port
        stator.endpoint                 # http://127.0.0.1:43210

STATOR_ENDPOINT names a server that already runs: none is started then.  STATOR_PROGRAM names
another program than build/stator.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("STATOR_PROGRAM", str(ROOT / "build" / "stator"))
READY = re.compile(r"listening on (http://(\S+):(\d+))")
START_SECONDS = float(os.environ.get("STATOR_START_SECONDS", "20"))


class Stator:
    """One server process.  Flags are appended to `serve --port 0`."""

    def __init__(self, *flags, data=None, memory=False):
        self.flags = list(flags)
        self.data = data
        self.memory = memory
        self.own_data = None
        self.process = None
        self.endpoint = None
        self.host = self.port = None
        self.output = []

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        if self.own_data:
            shutil.rmtree(self.own_data, ignore_errors=True)

    def start(self):
        outside = os.environ.get("STATOR_ENDPOINT")
        if outside:
            self._at(outside)
            return
        command = [BINARY, "serve", "--port", "0"]
        if self.memory:
            command.append("--memory")
        else:
            if not self.data:
                self.data = self.own_data = tempfile.mkdtemp(prefix="stator-e2e-")
            command += ["--data", str(self.data)]
        self.process = subprocess.Popen(command + self.flags, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        ready = threading.Event()
        self.reader = threading.Thread(target=self._read, args=(ready,), daemon=True)
        self.reader.start()
        until = time.monotonic() + START_SECONDS
        while not ready.wait(0.01):
            if self.process.poll() is not None or time.monotonic() > until:
                self.kill()
                raise RuntimeError("stator did not start: " + "".join(self.output))

    def _read(self, ready):
        for line in self.process.stdout:
            self.output.append(line)
            found = READY.search(line)
            if found and not ready.is_set():
                self._at(found.group(1))
                ready.set()

    def _at(self, endpoint):
        self.endpoint = endpoint.rstrip("/")
        host, _, port = self.endpoint.split("//", 1)[1].rpartition(":")
        self.host, self.port = host.strip("[]"), int(port)

    def stop(self):
        """SIGTERM; returns the exit code, which a clean stop makes 0.  None for an outside server."""
        if not self.process:
            return None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        code = self.process.returncode
        self.reader.join(5)
        self.process.stdout.close()
        self.process = None
        return code

    def kill(self):
        self.process.kill()
        self.process.wait()
