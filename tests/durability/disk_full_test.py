#!/usr/bin/env python3
"""A full disk, and a disk that fails: clear errors, reads go on, nothing acknowledged is lost, and
writes come back by themselves.

usage: disk_full_test.py [--program build/stator] [--seed N]

The server's folder is on a small ext4 image (mounted by root; without root that part cannot run,
and the test says so).  A ballast file takes the space: first down to less than the server keeps in
reserve, then, in the middle of writes, all of it.  A second part needs no root: the preload library
lets writes of files fail with ENOSPC and syncs with EIO, which the reserve cannot prevent, and
then the power goes.
"""
import argparse
import errno
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import program
from endpoint import Lost
from follow_graph import TABLE, Graph, create_table
from power_loss import FAIL_SYNCS, FAIL_WRITES, Watch, build_shim

IMAGE_BYTES = 640 << 20
RECOVERY_SECONDS = 10  # for writes to come back after space is freed
SPACE_WORDS = re.compile(r"disk|space|storage", re.IGNORECASE)


def clear_error(graph):
    """Faults of how refused writes were answered."""
    text = graph.last_refusal()
    if not graph.refusals():
        return ["no write was refused"]
    if graph.losses():
        return [f"{graph.losses()} connections broke; last error: {text}"]
    if not re.match(r"HTTP [45]\d\d \w+: .+", text):
        return [f"not an error of the API with a type and a text: {text}"]
    return []


def says_space(graph):
    text = graph.last_refusal() or ""
    return [] if SPACE_WORDS.search(text) else [f"the text does not say that the disk is full: {text}"]


def wait_for_writes(server):
    """Faults of writes coming back without a restart."""
    connection, end, answer = server.connect(), time.monotonic() + RECOVERY_SECONDS, None
    while time.monotonic() < end:
        try:
            answer = connection.call("PutItem", {"TableName": TABLE, "Item": {
                "PK": {"S": "PROBE"}, "SK": {"S": "PROBE"}}})
        except Lost as fault:
            return [f"the connection broke: {fault}"]
        if answer[0] == 200:
            return []
        time.sleep(0.05)
    return [f"no write succeeded within {RECOVERY_SECONDS} s after space was freed: {answer}"]


class Story:
    """One server and its clients through a series of troubles."""

    def __init__(self, report, options, data, log, name):
        self.report, self.program, self.data, self.name = report, options.program, data, name
        self.log = log  # on another disk than the data
        self.graph = Graph(options.seed)
        self.server = None

    def start(self, env=None):
        self.server = program.Server(self.program, self.data, env=env, log=self.log)

    def expect(self, what, faults):
        self.report.expect(f"{self.name}: {what}", faults)

    def write(self, seconds, meanwhile=None):
        """Clients write; `meanwhile` runs in the middle."""
        running = self.graph.start(self.server, pause=0.001)
        time.sleep(seconds / 2)
        if meanwhile:
            meanwhile()
        time.sleep(seconds / 2)
        self.graph.finish(running)

    def write_well(self, what):
        before = self.graph.acknowledged()
        self.graph.forget_refusals()
        self.write(0.6)
        done = self.graph.acknowledged() - before
        self.expect(what, [] if done > 20 and not self.graph.refusals() else
                    [f"{done} writes, {self.graph.refusals()} refused: {self.graph.last_refusal()}"])

    def verify(self, when):
        for promise, faults in self.graph.verify(self.server.connect()).items():
            self.expect(f"{when}: {promise}", faults)

    def verify_reads(self, when):
        """Without repeating transactions, which a full disk refuses."""
        for client in self.graph.clients:
            client.retry = None
        self.verify(when)

    def come_back(self):
        self.expect("writes come back without a restart", wait_for_writes(self.server))
        self.expect("the server is the same process", [] if self.server.is_running() else
                    [self.server.log_end()])
        self.write_well("writes go on")
        self.verify("after it")

    def crash(self):
        self.server.kill()
        self.expect("check after a kill", program.check(self.program, self.data))
        self.start()
        self.verify("after a kill and a restart")


# --- A small disk ----------------------------------------------------------------------------


class SmallDisk:
    """An ext4 image, mounted; its ballast file takes the space."""

    def __init__(self, folder):
        self.image, self.mount = folder + "/image", folder + "/mount"
        os.makedirs(self.mount)
        with open(self.image, "wb") as f:
            f.truncate(IMAGE_BYTES)
        for command in (["mkfs.ext4", "-q", "-m", "0", self.image],
                        ["mount", "-o", "loop", self.image, self.mount]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise RuntimeError(f"NOT TESTED: a small ext4 disk, because {command[0]} failed: "
                                   f"{done.stderr.strip()}")
        self.ballast = self.mount + "/ballast"
        self.data = self.mount + "/data"

    def free_bytes(self):
        about = os.statvfs(self.mount)
        return about.f_bavail * about.f_frsize

    def leave(self, free):
        """Ballast until only `free` bytes are left; 0: until nothing can be written."""
        fd = os.open(self.ballast, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            for step in (64 << 20, 4 << 20, 1 << 20, 1 << 16, 1 << 12):
                while self.free_bytes() - free >= step or free == 0:
                    try:
                        os.posix_fallocate(fd, os.fstat(fd).st_size, step)
                    except OSError as fault:
                        if fault.errno != errno.ENOSPC:
                            raise
                        break
        finally:
            os.close(fd)

    def give_back(self):
        os.unlink(self.ballast)

    def unmount(self):
        for _ in range(50):
            if subprocess.run(["umount", self.mount], check=False, capture_output=True).returncode == 0:
                return
            time.sleep(0.1)
        raise RuntimeError(f"{self.mount} cannot be unmounted")


def below_the_reserve(story, disk):
    disk.leave(50 << 20)
    story.graph.forget_refusals()
    story.write(1)
    story.expect("refused with a clear error", clear_error(story.graph) or says_space(story.graph))
    story.expect("no space is used up meanwhile", [] if disk.free_bytes() > 20 << 20 else
                 [f"only {disk.free_bytes()} bytes are free"])
    story.verify_reads("reads go on")
    disk.give_back()
    story.come_back()


def full_at_once(story, disk):
    story.graph.forget_refusals()
    story.write(3, lambda: disk.leave(0))
    story.expect("refused with a clear error", clear_error(story.graph))
    story.verify_reads("reads go on")
    disk.give_back()
    story.come_back()


def killed_when_full(story, disk):
    """A full disk, then a kill: it may not be able to start, but must say why; nothing is lost."""
    disk.leave(0)
    story.server.kill()
    for _ in range(3):
        try:
            story.start()
            story.verify_reads("started on a full disk")
            story.server.kill()
        except program.NotReady as fault:
            text = str(fault)
            clear = SPACE_WORDS.search(text) and text.startswith("exit status 3:")
            story.expect("says why it cannot start", [] if clear else [text])
    disk.give_back()
    story.start()
    story.verify("started after space was freed")
    story.write_well("writes after space was freed")


def small_disk(report, options, folder):
    disk = SmallDisk(folder)
    try:
        story = Story(report, options, disk.data, folder + "/log", "reserve")
        story.start()
        try:
            create_table(story.server.connect())
            story.write_well("writes before it")
            below_the_reserve(story, disk)
            for number in (1, 2):
                story.name = f"full {number}"
                full_at_once(story, disk)
            story.crash()
            story.name = "killed when full"
            killed_when_full(story, disk)
        finally:
            story.server.kill()
        story.expect("check", program.check(story.program, story.data))
    finally:
        disk.unmount()


# --- A disk that fails -----------------------------------------------------------------------


def failing_disk(report, options, folder, name, kinds, error, faulty=None):
    """Writes or syncs of some files fail for a while; then all is well; then the power goes."""
    data, side = folder + "/data", folder + "/side"
    os.makedirs(data)
    os.makedirs(side)
    watch = Watch(build_shim(folder), data, side, faulty=faulty)
    story = Story(report, options, data, folder + "/log", name)
    story.start(watch.env)
    try:
        create_table(story.server.connect())
        story.write_well("writes before it")
        for _ in range(2):
            story.graph.forget_refusals()
            story.write(1, lambda: watch.fail(kinds, error))
            story.expect("answered with a clear error", clear_error(story.graph))
            watch.fail(0, 0)
            story.expect("writes come back without a restart", wait_for_writes(story.server))
            story.write_well("writes go on")
            story.verify("after it")
        story.write(0.3)
        story.server.kill()
        watch.cut(random.Random(options.seed))
        story.start()
        story.verify("after a loss of power")
    finally:
        story.server.kill()
    story.expect("check", program.check(story.program, data))


def attempt(report, what, function, *arguments):
    try:
        function(*arguments)
    except Exception as fault:  # whatever it is, the rest still runs
        report.expect(what, [f"{type(fault).__name__}: {fault}"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=program.default_path())
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    print(f"disk full test: seed {options.seed}")
    report, folder = program.Report(), tempfile.mkdtemp(prefix="stator-full-")
    attempt(report, "writes of the log fail", failing_disk, report, options, folder + "/writes",
            "writes of the log fail", FAIL_WRITES, errno.ENOSPC, ".log")
    attempt(report, "syncs fail", failing_disk, report, options, folder + "/syncs", "syncs fail",
            FAIL_SYNCS, errno.EIO)
    if os.geteuid() == 0:
        attempt(report, "a small disk", small_disk, report, options, folder)
    else:
        print("SKIPPED: the small ext4 image, because mounting it needs root")
    if report.failed:
        print(f"the folders are kept: {folder}")
    else:
        shutil.rmtree(folder)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
