"""A step: one request, as the server gets it (body) and as the model gets it (args)."""

from value import order_key


class Step:
    def __init__(self, op, body, args=None, refusal=None, note=""):
        self.op, self.body, self.args = op, body, args or {}
        self.refusal, self.note = refusal, note


class KeyTest:
    """One condition of a key condition on a sort key."""

    def __init__(self, name, op, *values):
        self.name, self.op, self.values = name, op, values

    def holds(self, item):
        x = order_key(item[self.name])
        v = [order_key(value) for value in self.values]
        if self.op == "BETWEEN":
            return v[0] <= x <= v[1]
        if self.op == "begins_with":
            return x.startswith(v[0])
        return {"=": x == v[0], "<": x < v[0], "<=": x <= v[0],
                ">": x > v[0], ">=": x >= v[0]}[self.op]

    def text(self, t):
        path = t.path((self.name,))
        if self.op == "BETWEEN":
            low, high = (t.value(v) for v in self.values)
            return (path + t.space() + t.word("BETWEEN") + t.space() + low + t.space()
                    + t.word("AND") + t.space() + high)
        if self.op == "begins_with":
            return t.call("begins_with", [path, t.value(self.values[0])])
        if t.chance(0.1):
            turned = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}[self.op]
            return t.value(self.values[0]) + t.around(turned) + path
        return path + t.around(self.op) + t.value(self.values[0])


def key_condition_text(hashes, ranges, t):
    parts = [KeyTest(n, "=", v).text(t) for n, v in hashes.items()] + [r.text(t) for r in ranges]
    t.rng.shuffle(parts)
    parts = [t.parens(p) if t.chance(0.1) else p for p in parts]
    return (t.space() + t.word("AND") + t.space()).join(parts)
