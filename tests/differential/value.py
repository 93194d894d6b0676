"""Attribute values as the model sees them.

A value is a pair (type, payload): ("S", str), ("N", Decimal), ("B", bytes), ("BOOL", bool),
("NULL", True), ("SS" | "NS" | "BS", frozenset), ("L", tuple), ("M", dict).  Python's own equality
of these pairs is DynamoDB's equality.  Values are never changed in place.
"""
import base64
from decimal import Context, Decimal

SCALAR_KEYS = ("S", "N", "B")
SETS = ("SS", "NS", "BS")
MEMBER = {"SS": "S", "NS": "N", "BS": "B"}

NUMBER_DIGITS = 38
LARGEST_EXPONENT = 125
SMALLEST_EXPONENT = -130

WIDE = Context(prec=400)


class NotPlain(Exception):
    """A reply spells a value in a way AWS does not."""


def plain_number(d):
    """The text AWS answers for a number: no exponent, no needless zero."""
    if d == 0:
        return "0"
    return format(WIDE.normalize(d), "f")


def spelled_number(d, rng):
    """One of the texts a client may send for a number."""
    text = plain_number(d)
    pick = rng.random()
    if pick < 0.8 or len(text) > 20:
        return text
    if pick < 0.86:
        return text + (".0" if "." not in text else "0")
    if pick < 0.92 and not text.startswith("-"):
        return "00" + text
    return format(d, "E") if d != 0 else "-0"


def to_wire(value, rng=None):
    kind, payload = value
    if kind == "N":
        return {"N": spelled_number(payload, rng) if rng else plain_number(payload)}
    if kind == "B":
        return {"B": base64.b64encode(payload).decode()}
    if kind == "SS":
        return {"SS": shuffled(payload, rng)}
    if kind == "NS":
        return {"NS": [plain_number(n) for n in shuffled(payload, rng)]}
    if kind == "BS":
        return {"BS": [base64.b64encode(b).decode() for b in shuffled(payload, rng)]}
    if kind == "L":
        return {"L": [to_wire(v, rng) for v in payload]}
    if kind == "M":
        return {"M": item_to_wire(payload, rng)}
    return {kind: payload}


def shuffled(members, rng):
    members = sorted(members)
    if rng:
        rng.shuffle(members)
    return members


def item_to_wire(item, rng=None):
    return {name: to_wire(value, rng) for name, value in item.items()}


def reply_number(text):
    d = Decimal(text)
    if plain_number(d) != text:
        raise NotPlain(f"number {text!r} is not in plain form {plain_number(d)!r}")
    return d


def from_wire(wire):
    """A value of a server's reply; raises NotPlain for what AWS would not send."""
    if not isinstance(wire, dict) or len(wire) != 1:
        raise NotPlain(f"not an attribute value: {wire!r}")
    (kind, payload), = wire.items()
    if kind == "N":
        return kind, reply_number(payload)
    if kind == "B":
        return kind, base64.b64decode(payload, validate=True)
    if kind in SETS:
        return kind, from_wire_set(kind, payload)
    if kind == "L":
        return kind, tuple(from_wire(v) for v in payload)
    if kind == "M":
        return kind, item_from_wire(payload)
    if kind in ("S", "BOOL", "NULL"):
        return kind, payload
    raise NotPlain(f"unknown type {kind!r}")


def from_wire_set(kind, payload):
    if kind == "SS":
        members = frozenset(payload)
    elif kind == "NS":
        members = frozenset(reply_number(n) for n in payload)
    else:
        members = frozenset(base64.b64decode(b, validate=True) for b in payload)
    if len(members) != len(payload) or not members:
        raise NotPlain(f"a set with repeated members, or none: {payload!r}")
    return members


def item_from_wire(wire):
    return {name: from_wire(value) for name, value in wire.items()}


def canonical(value):
    """A hashable, sortable stand-in, for collections that are compared without order."""
    kind, payload = value
    if kind == "N":
        return kind, plain_number(payload)
    if kind == "NS":
        return kind, tuple(sorted(plain_number(n) for n in payload))
    if kind in SETS:
        return kind, repr(sorted(payload))
    if kind == "L":
        return kind, repr([canonical(v) for v in payload])
    if kind == "M":
        return kind, repr(canonical_item(payload))
    return kind, repr(payload)


def canonical_item(item):
    return tuple(sorted((name, canonical(value)) for name, value in item.items()))


def unordered(items):
    """Items in an order of their own, for comparing where AWS keeps none."""
    return sorted(items, key=canonical_item)


def number_size(d):
    """Base-100 digits aligned at the decimal point, one byte more, one more when negative."""
    if d == 0:
        return 1
    sign, digits, exponent = WIDE.normalize(d).as_tuple()
    count = len(digits) + exponent % 2
    return 1 + (count + 1) // 2 + sign


def value_size(value):
    kind, payload = value
    if kind == "S":
        return len(payload.encode())
    if kind == "N":
        return number_size(payload)
    if kind == "B":
        return len(payload)
    if kind in ("BOOL", "NULL"):
        return 1
    if kind in SETS:
        return sum(value_size((MEMBER[kind], m)) for m in payload)
    if kind == "L":
        return 3 + sum(1 + value_size(v) for v in payload)
    return 3 + sum(1 + len(name.encode()) + value_size(v) for name, v in payload.items())


def item_size(item):
    return sum(len(name.encode()) + value_size(value) for name, value in item.items())


def order_key(value):
    """What key values (S, N, B) sort by."""
    kind, payload = value
    return payload.encode() if kind == "S" else payload


def less(a, b):
    """a < b, or None where the two cannot be put in order."""
    if a[0] != b[0] or a[0] not in SCALAR_KEYS:
        return None
    return order_key(a) < order_key(b)


def in_range(d):
    """Whether a number can be stored: 38 digits, magnitude from 1E-130 to below 1E126."""
    if d == 0:
        return True
    d = WIDE.normalize(d)
    return (len(d.as_tuple().digits) <= NUMBER_DIGITS
            and SMALLEST_EXPONENT <= d.adjusted() <= LARGEST_EXPONENT)
