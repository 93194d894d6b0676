"""The small pools everything random is drawn from, so that requests meet each other's items."""
from decimal import Decimal

N = Decimal

KEY_VALUES = {
    "S": ["a", "b", "ab", "abc", "B", "\u00e9", "\uff5e", "\U0001f600"],
    "N": [N(0), N(1), N(2), N(10), N(-5), N("1.5"), N(9007199254740992), N(9007199254740993),
          N("1E-130"), N("-9.9999999999999999999999999999999999999E125"), N(100), N("-0.05")],
    "B": [b"\x00", b"\x00\xff", b"\xff", b"\x7f", b"\x80", b"ab", b"abc", b"\x00\x01"],
}
INDEX_VALUES = {
    "S": ["x", "y", "xy", "X\u00e9"],
    "N": [N(1), N(2), N("-1.5"), N(1000)],
    "B": [b"\x01", b"\x01\x00", b"\xfe"],
}
# Attributes that indexes may be keyed by; several share a type so that indexes overlap.
INDEX_TYPES = {"g1": "S", "g2": "N", "g3": "S", "g4": "B", "g5": "N", "g6": "S", "g7": "N",
               "g8": "B"}

# What an attribute of an item mostly is. Some names need a placeholder.
HABITS = {"n": "N", "n2": "N", "s": "S", "s2": "S", "b": "B", "t": "BOOL", "z": "NULL", "ss": "SS",
          "ns": "NS", "bs": "BS", "l": "L", "m": "M", "doc": "M", "a.b": "S", "Status": "S",
          "\u00e9": "N", "a b": "L"}
MAP_HABITS = {"x": "N", "y": "S", "k": "M", "l": "L", "a.b": "S", "set": "NS"}
TYPES = ("S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M")

STRINGS = ["", "p", "q", "pq", "pqr", "qp", "Z", "hello", "\u00e9t\u00e9", "\U0001f600x"]
NUMBERS = [N(0), N(1), N(-1), N(2), N(3), N(10), N("0.1"), N("2.5"), N("-7.25"), N(120), N("0.012"),
           N("12345678901234567890123456789012345678"), N("-0.0000001"), N(10) ** 20, N("1E125"),
           N("9007199254740993"), N("3.1415926535897932384626433832795028841"), N("1E-130")]
BYTES = [b"", b"\x00", b"\xff\x00", b"p", b"pq", b"\x80\x7f"]

PATHS = [("m", "x"), ("m", "y"), ("m", "k", "x"), ("m", "k"), ("m", "l", 0), ("m", "new"),
         ("l", 0), ("l", 1), ("l", 7), ("l", 0, "x"), ("l", 2, 1), ("doc", "k", "y"), ("none",),
         ("none", "x"), ("n",), ("s",), ("ss",), ("ns",), ("a.b",), ("Status",), ("m", "a.b"),
         ("a b", 0), ("n", "x"), ("t",), ("b",)]


class Pool:
    """Random values from the pools."""

    def __init__(self, rng):
        self.rng = rng

    def key(self, kind, width=None):
        return kind, self.rng.choice(KEY_VALUES[kind][:width])

    def index(self, kind):
        return kind, self.rng.choice(INDEX_VALUES[kind])

    def scalar(self, kinds="SNB"):
        return self.value(self.rng.choice(kinds))

    def any(self, depth=0):
        return self.value(self.rng.choice(TYPES if depth < 3 else TYPES[:8]), depth)

    def value(self, kind, depth=0):
        r = self.rng
        if kind == "S":
            return kind, r.choice(STRINGS)
        if kind == "N":
            return kind, r.choice(NUMBERS[:10]) if r.random() < 0.7 else r.choice(NUMBERS)
        if kind == "B":
            return kind, r.choice(BYTES)
        if kind == "BOOL":
            return kind, r.random() < 0.5
        if kind == "NULL":
            return kind, True
        if kind in ("SS", "NS", "BS"):
            members = {"SS": STRINGS[1:], "NS": NUMBERS, "BS": BYTES[1:]}[kind]
            return kind, frozenset(r.sample(members, r.choice([1, 1, 2, 3])))
        if kind == "L":
            return kind, tuple(self.any(depth + 1) for _ in range(r.choice([0, 1, 2, 3, 4])))
        names = r.sample(sorted(MAP_HABITS), r.choice([0, 1, 2, 3]))
        return kind, {n: self.habit(MAP_HABITS[n], depth + 1) for n in names}

    def habit(self, kind, depth=0):
        if self.rng.random() < 0.12 or (kind in ("L", "M") and depth >= 3):
            return self.any(depth)
        return self.value(kind, depth)
