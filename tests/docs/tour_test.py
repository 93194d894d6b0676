#!/usr/bin/env python3
"""Runs the console blocks of README.md and docs/*.md: every command, in order, must print what stands there.

A block is fenced by ```console; a line that starts with "$ " is a command, what follows is its output
(both streams).  Each file gets a server of its own with the example tables; `stator` is the built
program and STATOR_ENDPOINT names the server.  Ends with "N passed, N failed".

usage: tour_test.py [--program build/stator]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def steps(text):
    """The (command, expected output) pairs of a document."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        command, output = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command is not None:
                    yield command, output
                command, output = line[2:], []
            else:
                output.append(line)
        if command is not None:
            yield command, output


def serve(program, folder):
    process = subprocess.Popen([program, "serve", "--data", f"{folder}/data", "--demo", "--port", "0"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in process.stdout:
        if line.startswith("listening on "):
            return process, line.split()[-1]
    raise SystemExit("the server did not start")


def run(command, program, endpoint, folder):
    environment = {**os.environ, "STATOR_ENDPOINT": endpoint,
                   "PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.splitlines()


def check(path, program):
    pairs = list(steps(path.read_text()))
    if not pairs:
        return 0, 0
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        server, endpoint = serve(program, folder)
        try:
            for command, wanted in pairs:
                got = run(command, program, endpoint, folder)
                if got == wanted:
                    passed += 1
                    continue
                failed += 1
                print(f"{path.name}: $ {command}\n  want:", *wanted, "  got:", *got, sep="\n  ")
        finally:
            server.terminate()
            server.wait(timeout=20)
    return passed, failed


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", default=os.environ.get("STATOR_PROGRAM", str(ROOT / "build" / "stator")))
    program = str(pathlib.Path(arguments.parse_args().program).resolve())
    passed = failed = 0
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        good, bad = check(path, program)
        passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
