#!/usr/bin/env python3
"""Random requests, answered by the server and by the model: every difference is a failure.

usage: run.py [--requests N] [--seed S] [--server PROGRAM] [--against dynalite] [--epoch E]

Requests come in epochs of 1,000: each has fresh tables with random indexes, and its own random
numbers from (seed, epoch), so that one epoch can be run again alone with --epoch.  A block of 100
requests counts as one test.  --against dynalite asks dynalite instead of the server: the model that
both are held to is the same.  Differences are allowed by allow.json only.
"""
import argparse
import json
import os
import random
import re
import sys
import time

import dynalite
from allow import AllowList
from expression import Refusal, Unknown
from generate import WEIGHTS, Generator
from model import BadOrder, Model
from orders import Learner
from replies import Difference, Differences, compare_answer, compare_refusal
from schema import create_table_body, random_tables
from wire import Lost, start_dynalite, start_stator, wait_active

HERE = os.path.dirname(os.path.abspath(__file__))
EPOCH, BLOCK = 1000, 100
READS = ("GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems")
SHRINK_SECONDS, SHRINK_TIMES = 8, 6


def reserved_words():
    with open(os.path.join(HERE, "reserved_words.txt"), encoding="utf-8") as f:
        return f.read().split()


def abilities(connection):
    """The operations that the server has; those it refuses by name are left out."""
    found = []
    for op in [*WEIGHTS, "UpdateTable"]:
        _, reply = connection.call(op, {})
        if "UnknownOperation" not in str(reply.get("__type")):
            found.append(op)
    return found


class Epoch:
    """Tables, their model, and the requests they have seen."""

    def __init__(self, connection, tables):
        self.connection, self.history = connection, []
        self.model = Model(Learner(connection))
        for table in tables:
            body = create_table_body(table)
            status, reply = connection.call("CreateTable", body)
            if status != 200:
                raise SystemExit(f"CreateTable answers {status} {reply} for {body}")
            self.model.tables[table.name] = table
        for table in tables:
            wait_active(connection, table.name)

    def end(self):
        for name in self.model.tables:
            try:
                self.connection.call("DeleteTable", {"TableName": name})
            except Lost:
                return

    def take(self, step):
        """One step; its answer by the model, or None. Raises Differences, Unknown, Lost."""
        want = refusal = None
        try:
            want = self.model.run(step)
        except Refusal as fault:
            refusal = fault
        except BadOrder as fault:
            raise Differences(Difference("order", "an order that keeps the rules", fault)) from None
        self.history.append(step)
        status, reply = self.connection.call(step.op, step.body)
        if step.op == "UpdateTable":
            return self.update_table(step, status, reply)
        found = compare_refusal(refusal, status, reply) if refusal else \
            compare_answer(step.op, want, status, reply)
        if step.note == "older parameters":
            # The older parameters have texts of their own for some faults.
            found = [d for d in found if d.field != "error.message"]
        if found:
            raise Differences(*found)
        return want


    def update_table(self, step, status, reply):
        if status != 200:
            raise Differences(Difference("status", 200, f"{status} {reply}"))
        wait_active(self.connection, step.args["table"], without=step.args.get("drop"))
        return {}


class Run:
    def __init__(self, options):
        self.options = options
        self.allow = AllowList(options.against or "stator")
        self.reserved = reserved_words()
        self.causes, self.unknown, self.shrunk = {}, 0, 0
        self.server = self.start()
        self.connection = self.server.connection()
        self.operations = abilities(self.connection)
        if options.against:
            self.operations.remove("UpdateTable")
        for op in WEIGHTS:
            if op not in self.operations:
                print(f"note: {op} is not built, and left out")

    def start(self):
        if self.options.against == "dynalite":
            return start_dynalite()
        return start_stator(self.options.server)

    def tables(self, number):
        rng = random.Random(f"{self.options.seed}:{number}:tables")
        return random_tables(rng, f"d{number}-", wide_indexes=not self.options.against)

    def epoch(self, number):
        epoch = Epoch(self.connection, self.tables(number))
        rng = random.Random(f"{self.options.seed}:{number}")
        epoch.generator = Generator(rng, epoch.model, self.operations, set(self.reserved),
                                    pad=120000 if number % 10 == 9 else 3000)
        epoch.generator.reserved_list = self.reserved
        epoch.generator.arns = not self.options.against
        epoch.number = number
        return epoch

    def all(self):
        passed = failed = 0
        number = self.options.epoch or 0
        epoch, left = self.epoch(number), EPOCH
        for start in range(0, self.options.requests, BLOCK):
            good = True
            for _ in range(min(BLOCK, self.options.requests - start)):
                if left == 0:
                    epoch.end()
                    number, left = number + 1, EPOCH
                    epoch = self.epoch(number)
                left -= 1
                fine, stays = self.one(epoch)
                good &= fine
                if not stays:
                    left = 0
            passed, failed = passed + good, failed + (not good)
            if len(self.causes) >= self.options.causes:
                print("too many causes: stopped")
                break
        return passed, failed

    def one(self, epoch):
        """One request that the model has an answer to: (as expected, whether the epoch goes on)."""
        while True:
            step = epoch.generator.next()
            if self.options.against and dynalite.leaves_apart(epoch.model, step):
                continue
            try:
                answer = epoch.take(step)
                if answer is not None:
                    epoch.generator.note(step, answer)
                return True, True
            except Unknown:
                self.unknown += 1
            except Differences as differences:
                unknown = [d for d in differences.found if not self.allow.covers(step, d)]
                if unknown:
                    self.report(epoch, step, unknown[0])
                parted = {d.field for d in differences.found} & {"status", "accepted", "order"}
                return not unknown, step.op in READS or not parted
            except Lost as fault:
                difference = Difference("lost", "an answer", fault)
                covered = self.allow.covers(step, difference)
                if not covered:
                    self.report(epoch, step, difference)
                self.revive()
                return covered, False

    def revive(self):
        time.sleep(0.1)
        if not self.server.alive():
            print(f"the server ended: {self.server.faults()}")
            self.server = self.start()
        self.connection = self.server.connection()

    # ---- reports

    def report(self, epoch, step, difference):
        cause = cause_of(step, difference)
        if cause in self.causes:
            self.causes[cause] += 1
            return
        self.causes[cause] = 1
        print(f"\nDIFFERENCE seed {self.options.seed} epoch {epoch.number} step {len(epoch.history)} "
              f"{step.op} {step.note}")
        steps = epoch.history[:-1]
        if self.shrunk < SHRINK_TIMES and not self.options.against:
            self.shrunk += 1
            steps, difference = self.shrink(epoch, steps, step, difference)
            show_steps(steps, step, self.tables(epoch.number))
        print("  request ", step.op, json.dumps(step.body, ensure_ascii=False)[:1500])
        print("  field   ", difference.field)
        print("  want    ", difference.want[:600])
        print("  got     ", difference.got[:600])
        sys.stdout.flush()

    def shrink(self, epoch, steps, last, difference):
        """Fewer steps that still end in a difference, found by leaving steps out."""
        end = time.time() + SHRINK_SECONDS
        named = re.findall(r'"(d\d+-\w+)"', json.dumps(last.body))
        steps = [s for s in steps if s.op not in READS and s.refusal is None
                 and any(f'"{n}"' in json.dumps(s.body) for n in named)]
        again = self.tried(epoch, steps, last)
        if again is None:
            return epoch.history[:-1], difference
        size = max(1, len(steps) // 2)
        while time.time() < end:
            for at in range(0, len(steps), size):
                fewer = steps[:at] + steps[at + size:]
                found = self.tried(epoch, fewer, last)
                if found is not None and found.field == again.field:
                    steps, again = fewer, found
                    break
                if time.time() > end:
                    return steps, again
            else:
                if size == 1:
                    break
                size //= 2
        return steps, again

    def tried(self, epoch, steps, last):
        """The difference that `last` ends in after `steps` on fresh tables."""
        server = self.start()
        try:
            fresh = Epoch(server.connection(), self.tables(epoch.number))
            for step in steps:
                try:
                    fresh.take(step)
                except (Differences, Unknown):
                    pass
            fresh.take(last)
        except Differences as differences:
            return differences.found[0]
        except Lost as fault:
            return Difference("lost", "an answer", fault)
        except Unknown:
            return None
        finally:
            server.stop()
        return None


def show_steps(steps, last, tables):
    if len(steps) > 12:
        print(f"  after {len(steps)} steps; could not be made short")
        return
    for table in tables:
        if any(table.name in json.dumps(s.body) for s in [*steps, last]):
            print("  CreateTable", json.dumps(create_table_body(table)))
    for step in steps:
        print("  ", step.op, json.dumps(step.body, ensure_ascii=False)[:1200])


def cause_of(step, difference):
    """Differences that look alike count as one."""
    def rough(text):
        return re.sub(r"[0-9]+|'[^']*'|\"[^\"]*\"", "#", text)[:50]
    return (step.op, step.note, rough(difference.field), rough(difference.want),
            rough(difference.got) if step.note else "")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--requests", type=int, default=50000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--server", default=os.path.join(HERE, "../../build/stator"))
    p.add_argument("--against", choices=["dynalite"])
    p.add_argument("--epoch", type=int)
    p.add_argument("--causes", type=int, default=30, help="stop after this many causes of differences")
    options = p.parse_args()
    began = time.time()
    run = Run(options)
    try:
        passed, failed = run.all()
    finally:
        ended = run.server.stop()
    if ended and not options.against:
        failed += 1
        print(f"the server ended with {ended}")
    for cause, times in run.causes.items():
        print(f"{times} times: {' | '.join(cause)}")
    run.allow.report()
    print(f"{options.requests} requests in {time.time() - began:.0f} s, seed {options.seed}; "
          f"{run.unknown} drawn and not sent, as AWS's answer is not known")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
