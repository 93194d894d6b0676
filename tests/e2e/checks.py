"""Named checks that go on after a failure and end with one line, "N passed, N failed"."""

import contextlib
import json
import sys
import time
import traceback


class Checks:
    def __init__(self, subject):
        self.subject = subject
        self.passed = self.failed = 0
        self.started = time.monotonic()

    @contextlib.contextmanager
    def check(self, name):
        try:
            yield
        except Exception as fault:  # whatever goes wrong is this check's failure, not the run's end
            self.failed += 1
            print(f"FAIL {self.subject}: {name}")
            text = str(fault) if isinstance(fault, AssertionError) else explain(fault)
            print("    " + text.strip().replace("\n", "\n    "), flush=True)
        else:
            self.passed += 1

    def finish(self):
        print(f"{self.subject}: {time.monotonic() - self.started:.1f} s")
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)


def explain(fault):
    """The error, and where in these tests it came up."""
    here = [f for f in traceback.extract_tb(fault.__traceback__) if "/tests/e2e/" in f.filename]
    where = f" (line {here[-1].lineno}: {here[-1].line})" if here else ""
    return "".join(traceback.format_exception_only(fault)).strip() + where


def differences(got, want, at=""):
    """Where `got` differs from `want`; members of sets may come in any order, 1.0 equals 1."""
    if isinstance(want, dict) and isinstance(got, dict):
        found = []
        for name in sorted(set(got) | set(want)):
            here = f"{at}.{name}"
            if name not in got:
                found.append(f"{here}: missing, want {short(want[name])}")
            elif name not in want:
                found.append(f"{here}: not wanted, got {short(got[name])}")
            elif name in ("SS", "NS", "BS"):
                if sorted(got[name]) != sorted(want[name]):
                    found.append(f"{here}: got {short(got[name])}, want {short(want[name])}")
            else:
                found += differences(got[name], want[name], here)
        return found
    if isinstance(want, list) and isinstance(got, list):
        if len(got) != len(want):
            return [f"{at}: got {len(got)} members {short(got)}, want {len(want)} {short(want)}"]
        return [line for i, pair in enumerate(zip(got, want))
                for line in differences(*pair, f"{at}[{i}]")]
    same = got == want and isinstance(got, bool) == isinstance(want, bool)
    return [] if same else [f"{at}: got {short(got)}, want {short(want)}"]


def short(value):
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 200 else text[:197] + "..."


def equal(got, want):
    found = differences(got, want)
    if found:
        raise AssertionError("\n".join(found))


def is_true(condition, otherwise):
    if not condition:
        raise AssertionError(otherwise)
