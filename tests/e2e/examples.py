"""The example schemas as data: examples/<name>/{table,requests,patterns}.json."""

import json

from stator import ROOT

NAMES = ("follow", "school", "shop")


class Example:
    def __init__(self, name):
        folder = ROOT / "examples" / name
        self.name = name
        self.table = json.loads((folder / "table.json").read_text())
        self.requests = json.loads((folder / "requests.json").read_text())
        self.patterns = json.loads((folder / "patterns.json").read_text())


def examples():
    return [Example(name) for name in NAMES]


def read_data(name):
    """A data file of the end-to-end tests."""
    return json.loads((ROOT / "tests" / "e2e" / (name + ".json")).read_text())
