"""Expressions as trees: evaluated here, and rendered as text for the server.

The generator makes trees; the model asks a tree what it means, and the server has to find the same
meaning in the text.  Nothing here parses, so a fault of a parser cannot be shared.  The text is
noisy on purpose: spaces, parentheses, the case of keywords, placeholders or plain names.
"""
import re

from value import MEMBER, SETS, WIDE, in_range, less, to_wire


class Unknown(Exception):
    """What AWS would answer here is not settled by any source, so the request is not sent."""


class Refusal(Exception):
    """An error answer. `message` is None where only its type is known."""

    def __init__(self, kind, message=None, **fields):
        super().__init__(kind, message)
        self.kind, self.message, self.fields = kind, message, fields


def invalid(message=None):
    return Refusal("ValidationException", message)


BAD_OPERAND = "An operand in the update expression has an incorrect data type"
NO_ATTRIBUTE = "The provided expression refers to an attribute that does not exist in the item"
BAD_PATH = "The document path provided in the update expression is invalid for update"

PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


# ---- paths -------------------------------------------------------------------------------------

def look_up(item, path):
    """The value a path (name, then names and indexes) leads to, or None."""
    value = item.get(path[0])
    for step in path[1:]:
        if value is None:
            return None
        kind, payload = value
        if isinstance(step, int):
            value = payload[step] if kind == "L" and step < len(payload) else None
        else:
            value = payload.get(step) if kind == "M" else None
    return value


def overlaps(one, two):
    """Whether two paths may not stand together: one leads into the other, or they take one parent
    for a map and a list."""
    for a, b in zip(one, two):
        if type(a) is not type(b):
            return True
        if a != b:
            return False
    return True


def project(item, paths):
    """Only what the paths lead to; elements of a list close up, in the order of their indexes."""
    tree = {}
    for path in paths:
        if look_up(item, path) is None:
            continue
        at = tree
        for step in path[:-1]:
            at = at.setdefault(step, {})
        at[path[-1]] = None
    return {name: cut(item[name], below) for name, below in tree.items()}


def cut(value, below):
    if below is None:
        return value
    kind, payload = value
    if kind == "M":
        return kind, {name: cut(payload[name], b) for name, b in below.items()}
    return kind, tuple(cut(payload[i], below[i]) for i in sorted(below))


# ---- text --------------------------------------------------------------------------------------

class Text:
    """The texts of one request, and the placeholders they share."""

    def __init__(self, rng, reserved, noisy=True):
        self.rng, self.reserved, self.noisy = rng, reserved, noisy
        self.names, self.values = {}, {}
        self.by_name, self.by_value = {}, []

    def attach(self, body):
        if self.names:
            body["ExpressionAttributeNames"] = self.names
        if self.values:
            body["ExpressionAttributeValues"] = self.values

    def chance(self, p):
        return self.noisy and self.rng.random() < p

    def space(self):
        """Between tokens that need one."""
        return self.rng.choice([" ", "  ", "\n", "\t ", " \r\n"]) if self.chance(0.1) else " "

    def gap(self):
        """Between tokens that need none."""
        return self.rng.choice(["", "", "  ", "\n"]) if self.chance(0.2) else ""

    def around(self, token):
        left = self.gap() if self.chance(0.3) else " "
        right = self.gap() if self.chance(0.3) else " "
        return left + token + right

    def word(self, word):
        if self.chance(0.15):
            return "".join(c.lower() if self.rng.random() < 0.5 else c for c in word)
        return word.lower() if self.chance(0.2) else word

    def name(self, name):
        bare = PLAIN_NAME.match(name) and name.upper() not in self.reserved
        if bare and self.rng.random() < 0.7:
            return name
        if name not in self.by_name or self.chance(0.1):
            holder = "#" + self.rng.choice("abcnxyz") + str(len(self.names))
            self.names[holder] = name
            self.by_name[name] = holder
        return self.by_name[name]

    def path(self, path):
        out = self.name(path[0])
        for step in path[1:]:
            out += f"[{step}]" if isinstance(step, int) else "." + self.name(step)
        return out

    def value(self, value):
        for seen, holder in self.by_value:
            if seen == value and self.rng.random() < 0.5:
                return holder
        holder = ":" + self.rng.choice("abcvxyz") + str(len(self.values))
        self.values[holder] = to_wire(value, self.rng)
        self.by_value.append((value, holder))
        return holder

    def list(self, parts):
        return ("," + self.gap()).join(parts) if self.chance(0.3) else ", ".join(parts)

    def parens(self, text):
        return "(" + self.gap() + text + self.gap() + ")"

    def call(self, name, parts):
        return name + self.gap() + self.parens(self.list(parts))


# ---- operands ----------------------------------------------------------------------------------

class Path:
    def __init__(self, path):
        self.path = tuple(path)

    def value(self, item):
        return look_up(item, self.path)

    def text(self, t):
        out = t.path(self.path)
        return t.parens(out) if t.chance(0.03) else out

    def paths(self):
        yield self.path


class Value:
    def __init__(self, value):
        self.is_ = value

    def value(self, item):
        return self.is_

    def text(self, t):
        out = t.value(self.is_)
        return t.parens(out) if t.chance(0.03) else out

    def paths(self):
        return iter(())


class Size:
    def __init__(self, path):
        self.path = tuple(path)

    def value(self, item):
        found = look_up(item, self.path)
        if found is None:
            return None
        kind, payload = found
        if kind in ("N", "BOOL", "NULL"):
            raise Unknown("size of a number, a truth value or null")
        if kind == "S" and not payload.isascii():
            raise Unknown("whether size counts bytes or characters")
        return "N", WIDE.create_decimal(len(payload))

    def text(self, t):
        return t.call("size", [t.path(self.path)])

    def paths(self):
        yield self.path


# ---- conditions --------------------------------------------------------------------------------
# `binds` is how tightly a node's text holds together: OR 1, AND 2, NOT 3, a condition 4.

class Compare:
    binds = 4

    def __init__(self, op, left, right):
        self.op, self.left, self.right = op, left, right

    def holds(self, item):
        a, b = self.left.value(item), self.right.value(item)
        if self.op == "=":
            return a is not None and a == b
        if self.op == "<>":
            return a is None or a != b
        if a is None or b is None or less(a, b) is None:
            return False
        return {"<": less(a, b), "<=": not less(b, a),
                ">": less(b, a), ">=": not less(a, b)}[self.op]

    def text(self, t):
        return self.left.text(t) + t.around(self.op) + self.right.text(t)

    def operands(self):
        return (self.left, self.right)


class Between:
    binds = 4

    def __init__(self, what, low, high):
        self.what, self.low, self.high = what, low, high

    def holds(self, item):
        x, low, high = (o.value(item) for o in (self.what, self.low, self.high))
        if x is None or low is None or high is None:
            return False
        if less(x, low) is None or less(x, high) is None:
            return False
        return not less(x, low) and not less(high, x)

    def text(self, t):
        return (self.what.text(t) + t.space() + t.word("BETWEEN") + t.space() + self.low.text(t)
                + t.space() + t.word("AND") + t.space() + self.high.text(t))

    def operands(self):
        return (self.what, self.low, self.high)


class In:
    binds = 4

    def __init__(self, what, among):
        self.what, self.among = what, among

    def holds(self, item):
        x = self.what.value(item)
        return x is not None and any(x == o.value(item) for o in self.among)

    def text(self, t):
        among = t.list([o.text(t) for o in self.among])
        return self.what.text(t) + t.space() + t.word("IN") + t.space() + t.parens(among)

    def operands(self):
        return (self.what, *self.among)


class Function:
    binds = 4

    def __init__(self, name, *args):
        self.name, self.args = name, args

    def holds(self, item):
        x = self.args[0].value(item)
        if self.name == "attribute_exists":
            return x is not None
        if self.name == "attribute_not_exists":
            return x is None
        y = self.args[1].value(item)
        if x is None or y is None:
            return False
        if self.name == "attribute_type":
            return x[0] == y[1]
        if self.name == "begins_with":
            return x[0] == y[0] and x[0] in ("S", "B") and x[1].startswith(y[1])
        return contains(x, y)

    def text(self, t):
        return t.call(self.name, [a.text(t) for a in self.args])

    def operands(self):
        return self.args


def contains(x, y):
    kind, payload = x
    if kind in ("S", "B"):
        return y[0] == kind and y[1] in payload
    if kind in SETS:
        return y[0] == MEMBER[kind] and y[1] in payload
    return kind == "L" and y in payload


class Logic:
    """AND and OR of two or more."""

    def __init__(self, word, *parts):
        self.word, self.parts = word, parts
        self.binds = 1 if word == "OR" else 2

    def holds(self, item):
        # All parts are asked, so that what is unknown in any of them is known to be.
        answers = [p.holds(item) for p in self.parts]
        return any(answers) if self.word == "OR" else all(answers)

    def text(self, t):
        parts = [inside(p, t, self.binds) for p in self.parts]
        return (t.space() + t.word(self.word) + t.space()).join(parts)

    def operands(self):
        return tuple(o for p in self.parts for o in p.operands())


class Not:
    binds = 3

    def __init__(self, part):
        self.part = part

    def holds(self, item):
        return not self.part.holds(item)

    def text(self, t):
        return t.word("NOT") + t.space() + inside(self.part, t, 4)

    def operands(self):
        return self.part.operands()


def inside(part, t, binds):
    """The text of a part, in parentheses where its parent holds it tighter, or at times anyway."""
    text = part.text(t)
    return t.parens(text) if part.binds < binds or t.chance(0.2) else text


def condition_text(node, t):
    return inside(node, t, 0)


def paths_of(node):
    return [p for o in node.operands() for p in o.paths()]


# ---- updates -----------------------------------------------------------------------------------

class Arithmetic:
    def __init__(self, sign, left, right):
        self.sign, self.left, self.right = sign, left, right

    def value(self, item):
        a, b = needed(self.left, item), needed(self.right, item)
        if a[0] != "N" or b[0] != "N":
            raise invalid(BAD_OPERAND)
        return add_numbers(a[1], b[1] if self.sign == "+" else b[1].copy_negate())

    def text(self, t):
        return self.left.text(t) + t.around(self.sign) + self.right.text(t)

    def paths(self):
        yield from self.left.paths()
        yield from self.right.paths()


def add_numbers(a, b):
    total = WIDE.add(a, b)
    if not in_range(total):
        raise invalid()
    return "N", total


class IfNotExists:
    def __init__(self, path, other):
        self.path, self.other = tuple(path), other

    def value(self, item):
        found = look_up(item, self.path)
        # The other operand is not needed then, and may refer to nothing.
        return found if found is not None else needed(self.other, item)

    def text(self, t):
        return t.call("if_not_exists", [t.path(self.path), self.other.text(t)])

    def paths(self):
        yield self.path
        yield from self.other.paths()


class ListAppend:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def value(self, item):
        a, b = needed(self.left, item), needed(self.right, item)
        if a[0] != "L" or b[0] != "L":
            raise invalid(BAD_OPERAND)
        return "L", a[1] + b[1]

    def text(self, t):
        return t.call("list_append", [self.left.text(t), self.right.text(t)])

    def paths(self):
        yield from self.left.paths()
        yield from self.right.paths()


def needed(operand, item):
    value = operand.value(item)
    if value is None:
        raise invalid(NO_ATTRIBUTE)
    return value


class Update:
    """An update expression: lists of (path, operand) to SET, of paths to REMOVE, of (path, value)
    to ADD and to DELETE."""

    def __init__(self, sets=(), removes=(), adds=(), deletes=()):
        self.sets, self.removes = list(sets), list(removes)
        self.adds, self.deletes = list(adds), list(deletes)

    def paths(self):
        return ([p for p, _ in self.sets] + self.removes
                + [p for p, _ in self.adds] + [p for p, _ in self.deletes])

    def only_removes(self):
        """AWS: such an update makes no item where there was none, and then minds no path
        (alternator's tests, run on AWS)."""
        return not (self.sets or self.adds or self.deletes)

    def text(self, t):
        clauses = []
        if self.sets:
            parts = [t.path(p) + t.around("=") + o.text(t) for p, o in self.sets]
            clauses.append(t.word("SET") + t.space() + t.list(parts))
        if self.removes:
            clauses.append(t.word("REMOVE") + t.space() + t.list([t.path(p) for p in self.removes]))
        for word, pairs in (("ADD", self.adds), ("DELETE", self.deletes)):
            if pairs:
                parts = [t.path(p) + t.space() + t.value(v) for p, v in pairs]
                clauses.append(t.word(word) + t.space() + t.list(parts))
        t.rng.shuffle(clauses)
        return t.space().join(clauses)

    def apply(self, item):
        """The item after the update.  Every operand sees the item as it was before."""
        changes, faults = [], []
        for path, operand in self.sets:
            collect(changes, faults, lambda: (path, needed(operand, item)))
        for path in self.removes:
            changes.append((path, None))
        for path, value in self.adds:
            collect(changes, faults, lambda: (path, added(look_up(item, path), value)))
        for path, value in self.deletes:
            collect(changes, faults, lambda: (path, taken(look_up(item, path), value)))
        for path in self.paths():
            collect([], faults, lambda: check_parent(item, path))
        if faults:
            texts = {f.message for f in faults}
            raise invalid(texts.pop() if len(texts) == 1 else None)
        return rebuild(("M", item), changes)[1]


def collect(out, faults, make):
    try:
        out.append(make())
    except Refusal as fault:
        faults.append(fault)


def check_parent(item, path):
    if len(path) == 1:
        return
    parent = look_up(item, path[:-1])
    if parent is None or parent[0] != ("L" if isinstance(path[-1], int) else "M"):
        raise invalid(BAD_PATH)


def added(old, value):
    if old is None:
        return value
    if old[0] != value[0]:
        raise invalid(BAD_OPERAND)
    if value[0] == "N":
        return add_numbers(old[1], value[1])
    return old[0], old[1] | value[1]


def taken(old, value):
    if old is None:
        return None
    if old[0] != value[0]:
        raise invalid(BAD_OPERAND)
    left = old[1] - value[1]
    return (old[0], left) if left else None


def rebuild(value, changes):
    """`value` with all changes (path, new value or None) made at once: positions in a list are
    those before the update, and what is set past its end is appended in order."""
    kind, payload = value
    below = {}
    for path, new in changes:
        below.setdefault(path[0], []).append((path[1:], new))
    if kind == "M":
        out = dict(payload)
        for name, inner in below.items():
            new = changed(out.get(name), inner)
            if new is None:
                out.pop(name, None)
            else:
                out[name] = new
        return kind, out
    kept = [changed(v, below[i]) if i in below else v for i, v in enumerate(payload)]
    past = [changed(None, below[i]) for i in sorted(below) if i >= len(payload)]
    return kind, tuple(v for v in kept + past if v is not None)


def changed(old, inner):
    if inner[0][0] == ():
        return inner[0][1]
    return rebuild(old, inner)
