"""Starting, killing and checking the program under test."""
import os
import re
import signal
import subprocess
import sys
import time

from endpoint import Connection

READY_SECONDS = 30


def default_path():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return os.environ.get("STATOR_PROGRAM", os.path.join(root, "build", "stator"))


class NotReady(Exception):
    """The server ended, or said nothing, before it was ready; the text is what it wrote."""


class Server:
    """`stator serve` on a free port, ready when the constructor returns."""

    def __init__(self, program, data, *, sync="commit", env=None, log=None):
        self.log = log or data.rstrip("/") + ".log"
        output = self.log + ".out"
        with open(self.log, "ab") as log, open(output, "wb") as out:
            self.process = subprocess.Popen(
                [*program.split(), "serve", "--port", "0", "--data", data, "--sync", sync],
                stdout=out, stderr=log, env={**os.environ, **(env or {})})
        self.port = self._wait_until_ready(output)

    def _wait_until_ready(self, output):
        text, end = b"", time.monotonic() + READY_SECONDS
        while time.monotonic() < end:
            with open(output, "rb") as out:
                text = out.read()
            ready = re.search(rb"listening on http://[^\s]*:(\d+)", text)
            if ready:
                return int(ready.group(1))
            if self.process.poll() is not None:
                break
            time.sleep(0.002)
        self.kill()
        raise NotReady(f"exit status {self.process.returncode}: {text.decode(errors='replace')}"
                       f"{self.log_end()}")

    def connect(self):
        return Connection(self.port)

    def log_end(self):
        with open(self.log, "rb") as log:
            return log.read()[-2000:].decode(errors="replace")

    def kill(self):
        """SIGKILL, as a crash would."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """SIGTERM, as a user would; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
            return "killed after 30 s without an end"

    def is_running(self):
        return self.process.poll() is None


def check(program, data):
    """`stator check`: an empty list when the folder is sound, else what it said."""
    done = subprocess.run([*program.split(), "check", "--data", data], capture_output=True,
                          text=True, timeout=120, check=False)
    if done.returncode == 0:
        return []
    return [f"check ends with {done.returncode}: {(done.stdout + done.stderr)[-800:]}"]


class Report:
    """Counts what held; the last line is `N passed, N failed`."""

    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, what, faults):
        """`faults` is a list: empty when it holds."""
        if not faults:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAIL {what}")
        for fault in faults[:5]:
            print(f"     {fault}")
        if len(faults) > 5:
            print(f"     … and {len(faults) - 5} more")
        sys.stdout.flush()

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0
