#!/usr/bin/env python3
"""A data folder belongs to one process, and to programs that know its format.

usage: lock_test.py [--program build/stator]
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import program
from follow_graph import create_table

SECONDS = 20


def run(options, verb, data):
    """(exit status or None when it did not end, all it wrote)."""
    try:
        done = subprocess.run(
            [*options.program.split(), verb, "--data", data,
             *(("--port", "0") if verb == "serve" else ())],
            capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        return None, str(late.stdout)
    return done.returncode, done.stdout + done.stderr


def refused(outcome, *words):
    """Faults of a refusal: a non-zero end, and a text of a few lines with all the words."""
    status, text = outcome
    faults = []
    if status in (None, 0) or status < 0:
        faults.append(f"exit status {status}: {text[:300]}")
    faults += [f"no {word!r} in {text[:300]!r}" for word in words if word not in text]
    if len(text.splitlines()) > 5:
        faults.append(f"a text of {len(text.splitlines())} lines: {text[:300]!r}")
    return faults


def is_alive(server):
    status, reply = server.connect().call("ListTables", {})
    return [] if status == 200 else [f"HTTP {status} {reply}"]


def lock(report, options, data):
    server = program.Server(options.program, data)
    try:
        create_table(server.connect())
        for verb in ("serve", "check"):
            report.expect(f"{verb} on a folder in use is refused",
                          refused(run(options, verb, data), data, "process"))
            report.expect(f"the first server is not disturbed by {verb}", is_alive(server))
    finally:
        server.kill()
    server = program.Server(options.program, data)
    report.expect("the lock of a killed server is gone", is_alive(server))
    report.expect("SIGTERM ends with 0", [s for s in [server.stop()] if s != 0])
    report.expect("check on a free folder", program.check(options.program, data))


def with_file(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def versions(report, options, data):
    path = data + "/FORMAT"
    with open(path, encoding="ascii") as f:
        good = f.read()
    name, _, number = good.strip().rpartition(" ")
    with_file(path, f"{name} {int(number) + 1}\n")
    before = sorted(os.listdir(data))
    for verb in ("serve", "check"):
        report.expect(f"{verb} on a newer format is refused",
                      refused(run(options, verb, data), data, "newer", str(int(number) + 1)))
    report.expect("a newer folder is left as it is",
                  [] if sorted(os.listdir(data)) == before else [str(os.listdir(data))])
    for text in ("", "something else\n", f"{name} x\n"):
        with_file(path, text)
        report.expect(f"a format of {text!r} is refused", refused(run(options, "serve", data), data))
    with_file(path, good)
    report.expect("the folder is as good as before", program.check(options.program, data))


def strangers(report, options, folder):
    os.makedirs(folder + "/strange")
    with_file(folder + "/strange/letter.txt", "not a database")
    report.expect("a folder of other things is refused",
                  refused(run(options, "serve", folder + "/strange"), folder + "/strange"))
    with_file(folder + "/file", "")
    report.expect("a file instead of a folder is refused",
                  refused(run(options, "serve", folder + "/file"), folder + "/file"))
    report.expect("check of a folder that is not there is refused",
                  refused(run(options, "check", folder + "/none"), folder + "/none"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=program.default_path())
    options = parser.parse_args()
    report, folder = program.Report(), tempfile.mkdtemp(prefix="stator-lock-")
    try:
        lock(report, options, folder + "/data")
        versions(report, options, folder + "/data")
        strangers(report, options, folder)
    except Exception as fault:
        report.expect("the program goes on", [f"{type(fault).__name__}: {fault}"])
    shutil.rmtree(folder)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
