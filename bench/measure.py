"""Measurements: one operation on one server, round by round, and the load generator."""
import json
import os
import statistics
import subprocess

import operations
import servers


class Series:
    """One operation on one server: what is measured in each round, by number of connections."""

    def __init__(self, operation, server_name, server):
        self.operation, self.server_name, self.server = operation, server_name, server
        self.rounds = {c: [] for c in operation.connections}

    def measure(self, load, connections, seconds):
        self.rounds[connections].append(load.measure(self, connections, seconds))

    def median(self, connections, what):
        return statistics.median(r[what] for r in self.rounds[connections])

    def ratios(self, base, what):
        """Of each round at full load, this over the base in the same moment."""
        rounds = zip(self.rounds[operations.FULL_LOAD], base.rounds[operations.FULL_LOAD])
        return [mine[what] / its[what] for mine, its in rounds]

    def ratio(self, base, what):
        return statistics.median(self.ratios(base, what))


class Load:
    """The load generator."""

    def __init__(self, folder, build):
        self.folder = folder
        self.program = os.path.join(build, "bench-load")
        self.pair = operations.FIRST_PAIR
        source = os.path.join(servers.ROOT, "bench", "load.c")
        subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-D_GNU_SOURCE", "-O2", "-Wall",
                        "-Wextra", "-Werror", "-o", self.program, source], check=True)

    def run(self, server, operation, *, connections, seconds=None, count=None, start=0):
        head, body = operations.write_request(operation, server.port, self.folder)
        bound = ["--seconds", str(seconds)] if seconds else ["--count", str(count)]
        before = server.cpu_us()
        done = subprocess.run(
            [self.program, "--port", str(server.port), "--head", head, "--body", body, *bound,
             "--connections", str(connections), "--keys", str(operation.keys),
             "--start", str(start), "--min-bytes", str(operation.min_bytes)],
            capture_output=True, text=True, check=False, timeout=60)
        cpu = server.cpu_us() - before
        if done.returncode != 0:
            raise RuntimeError(f"{operation.name} on port {server.port}: {done.stdout}{done.stderr}")
        result = json.loads(done.stdout)
        requests = result["requests"]
        return {"requests_per_second": requests / result["seconds"], "cpu_us": cpu / requests,
                "p50_us": result["p50_us"], "p99_us": result["p99_us"],
                "load_cpu_us": result["load_cpu_us"] / requests, "next": result["next"]}

    def measure(self, series, connections, seconds):
        result = self.run(series.server, series.operation, connections=connections,
                          seconds=seconds, start=self.pair)
        if series.operation is operations.FOLLOW:
            self.pair = result["next"]
        del result["next"]
        return result
