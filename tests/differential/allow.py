"""The differences that are allowed, each by a row of allow.json:

  server     "stator" or "dynalite"
  operation  the operation, or "*"
  shape      patterns that must all be found: "field", "want", "got" (of the difference), "request"
             (in the request's JSON text), "note" (the name of a wrong request's maker)
  what       the difference in words
  source     where AWS's answer is recorded
"""
import json
import os
import re


class AllowList:
    def __init__(self, server):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "allow.json")
        with open(path, encoding="utf-8") as f:
            rows = json.load(f)
        for row in rows:
            missing = {"server", "operation", "shape", "what", "source"} - set(row)
            if missing or not row["shape"]:
                raise SystemExit(f"allow.json: a row lacks {sorted(missing) or 'its shape'}: {row}")
        self.rows = [r for r in rows if r["server"] == server]
        self.used = [0] * len(self.rows)

    def covers(self, step, difference):
        texts = {"field": difference.field, "want": difference.want, "got": difference.got,
                 "request": json.dumps(step.body), "note": step.note}
        for i, row in enumerate(self.rows):
            if row["operation"] in ("*", step.op) and all(
                    re.search(pattern, texts[name]) for name, pattern in row["shape"].items()):
                self.used[i] += 1
                return True
        return False

    def report(self):
        for row, used in zip(self.rows, self.used):
            if used:
                print(f"allowed {used} times: {row['operation']}: {row['what']}")
