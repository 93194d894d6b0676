"""The servers that are measured, their CPU time and memory, and the disk under them."""
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "durability"))
from endpoint import Connection, Lost  # noqa: E402

TICK_US = 1_000_000 / os.sysconf("SC_CLK_TCK")
START_SECONDS = 20


class NotThere(Exception):
    """Something to measure against is not installed; the text says what to do."""


def node_path():
    """PATH with the project's own node first, where the set-up script had to bring one."""
    own = os.path.join(ROOT, "build-tools", "node_modules", "node", "bin")
    return own + os.pathsep + os.environ["PATH"]


def _free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """A running server; `port`, and what it has used so far."""

    def __init__(self, command, port, env=None):
        self.started = time.monotonic()
        self.port = port
        self.process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)

    def pids(self):
        return [self.process.pid]

    def cpu_us(self):
        return sum(_cpu_us(pid) for pid in self.pids())

    def memory_mb(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as f:
            return next(int(line.split()[1]) / 1024 for line in f if line.startswith("VmRSS:"))

    def wait_for_answer(self):
        """Milliseconds from the start of the program to its first 200."""
        while time.monotonic() - self.started < START_SECONDS:
            try:
                connection = Connection(self.port)
                status, _ = connection.call("ListTables", {})
                connection.close()
                if status == 200:
                    return (time.monotonic() - self.started) * 1000
            except Lost:
                if self.process.poll() is not None:
                    break
                time.sleep(0.001)
        output = self.process.stdout.read1(2000).decode(errors="replace")
        raise RuntimeError(f"{self.process.args} does not answer: {output}")

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def _cpu_us(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_US


class Stator(Server):
    def __init__(self, program, data, sync="commit"):
        # Each Scan is a line of the log, and nobody reads our pipe.
        super().__init__([program, "serve", "--port", "0", "--data", data, "--sync", sync,
                          "--log", "error"], None)
        for line in self.process.stdout:
            if line.startswith(b"listening on http://"):
                self.port = int(line.rstrip().rpartition(b":")[2])
                break
        else:
            raise RuntimeError(f"{program} does not start")
        os.set_blocking(self.process.stdout.fileno(), False)


class Dynalite(Server):
    """In memory by default; in a folder when one is given."""

    def __init__(self, folder=None):
        port = _free_port()
        script = os.path.join(ROOT, "bench", "node_modules", "dynalite", "cli.js")
        path = ["--path", folder] if folder else []
        super().__init__(["node", script, "--host", "127.0.0.1", "--port", str(port),
                          "--createTableMs", "0", *path], port,
                         {**os.environ, "PATH": node_path(), "NODE_ENV": "production"})


class Nginx(Server):
    """What answering costs at all: a fixed reply of the same size, from two workers."""

    def __init__(self, folder, reply):
        if not shutil.which("nginx"):
            raise NotThere("nginx is not installed (scripts/setup.sh --bench)")
        port = _free_port()
        os.makedirs(folder)
        with open(folder + "/nginx.conf", "w", encoding="utf-8") as f:
            f.write(f"""
                daemon off; worker_processes 2; pid {folder}/pid; error_log {folder}/error.log;
                events {{ worker_connections 256; }}
                http {{
                    access_log off; keepalive_requests 1000000000; keepalive_timeout 600;
                    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
                    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
                    scgi_temp_path {folder}/scgi;
                    server {{
                        listen 127.0.0.1:{port} reuseport;
                        default_type application/x-amz-json-1.0;
                        location / {{ return 200 '{reply}'; }}
                    }}
                }}""")
        super().__init__(["nginx", "-p", folder, "-c", folder + "/nginx.conf"], port)

    def pids(self):
        pid = self.process.pid
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return [pid, *map(int, f.read().split())]


def install_dynalite():
    """From the lock file, once."""
    folder = os.path.join(ROOT, "bench")
    if os.path.exists(os.path.join(folder, "node_modules", "dynalite", "cli.js")):
        return
    env = {**os.environ, "PATH": node_path()}
    if not shutil.which("npm", path=env["PATH"]):
        raise NotThere("npm is not installed (scripts/setup.sh --bench)")
    subprocess.run(["npm", "ci", "--prefix", folder, "--no-audit", "--no-fund",
                    "--loglevel=error"], check=True, env=env)


def fdatasyncs_per_second(folder, seconds):
    """Appends of 4 KB, each synced, one after the other: what the disk allows without groups."""
    path, count, page = os.path.join(folder, "fdatasync"), 0, bytes(4096)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        os.write(fd, page)
        os.fdatasync(fd)
        count += 1
    rate = count / (time.monotonic() - start)
    os.close(fd)
    os.unlink(path)
    return rate
