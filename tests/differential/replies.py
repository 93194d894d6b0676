"""A server's reply in the model's terms, and where the two differ."""
from value import NotPlain, item_from_wire, item_to_wire, unordered

ITEMS = ("Item", "Attributes", "LastEvaluatedKey")


def read_reply(op, reply):
    out = dict(reply)
    for name in ITEMS:
        if name in out:
            out[name] = item_from_wire(out[name])
    if "Items" in out:
        out["Items"] = [item_from_wire(i) for i in out["Items"]]
    if "ItemCollectionMetrics" in out:
        metrics = dict(out["ItemCollectionMetrics"])
        metrics["ItemCollectionKey"] = item_from_wire(metrics["ItemCollectionKey"])
        out["ItemCollectionMetrics"] = metrics
    if op == "BatchGetItem" and "Responses" in out:
        out["Responses"] = {t: unordered([item_from_wire(i) for i in items])
                            for t, items in out["Responses"].items()}
    if op == "TransactGetItems" and "Responses" in out:
        out["Responses"] = [{k: item_from_wire(v) for k, v in r.items()} for r in out["Responses"]]
    if isinstance(out.get("ConsumedCapacity"), list):
        out["ConsumedCapacity"] = sorted(out["ConsumedCapacity"], key=lambda c: c["TableName"])
    return out


class Difference:
    """`field` names where the answers part; want and got are texts for people."""

    def __init__(self, field, want, got):
        self.field, self.want, self.got = field, str(want), str(got)

    def __str__(self):
        return f"{self.field}: want {self.want}, got {self.got}"


class Differences(Exception):
    """All that is different in one answer."""

    def __init__(self, *found):
        super().__init__("; ".join(map(str, found)))
        self.found = found


def printable(thing):
    """Model values as JSON would show them."""
    if isinstance(thing, dict):
        return {k: printable(v) for k, v in thing.items()}
    if isinstance(thing, tuple) and len(thing) == 2 and isinstance(thing[0], str):
        try:
            return item_to_wire({"v": thing})["v"]
        except (AttributeError, TypeError, ValueError):
            return list(map(printable, thing))
    if isinstance(thing, (list, tuple)):
        return [printable(v) for v in thing]
    return thing


def compare_answer(op, want, status, reply):
    """The differences between the model's answer and the server's."""
    if status != 200:
        return [Difference("status", f"200 {printable(want)}", f"{status} {reply}")]
    try:
        got = read_reply(op, reply)
    except (NotPlain, TypeError, KeyError, ValueError, AttributeError) as fault:
        return [Difference("form", "values as AWS spells them", f"{fault} in {reply}")]
    return compare(want, got, "")


def compare(want, got, field):
    if want == got:
        return []
    found = []
    if isinstance(want, dict) and isinstance(got, dict):
        for name in [*want, *(n for n in got if n not in want)]:
            here = f"{field}.{name}" if field else str(name)
            if name not in got:
                found.append(Difference(here, printable(want[name]), "absent"))
            elif name not in want:
                found.append(Difference(here, "absent", printable(got[name])))
            else:
                found += compare(want[name], got[name], here)
        return found
    if isinstance(want, list) and isinstance(got, list):
        if len(want) != len(got):
            return [Difference(field + ".length", f"{len(want)}: {printable(want)}",
                               f"{len(got)}: {printable(got)}")]
        for i, (w, g) in enumerate(zip(want, got)):
            found += compare(w, g, f"{field}[{i}]")
        return found
    return [Difference(field, printable(want), printable(got))]


def compare_refusal(want, status, reply):
    kind = str(reply.get("__type", "")).rpartition("#")[2]
    text = reply.get("message", reply.get("Message"))
    if status == 200:
        return [Difference("accepted", f"{want.kind}: {want.message}", f"200 {reply}")]
    if status >= 500 or kind != want.kind:
        return [Difference("error.type", f"{want.kind}: {want.message}", f"{status} {kind}: {text}")]
    found = []
    if want.message is not None and text not in texts_of(want.message):
        found.append(Difference("error.message", want.message, text))
    wanted = {n: v for n, v in want.fields.items()}
    got = {n: v for n, v in reply.items() if n in ("Item", "CancellationReasons")}
    if "Item" in got:
        got["Item"] = item_from_wire(got["Item"])
    if "CancellationReasons" in wanted and "CancellationReasons" in got:
        wanted["CancellationReasons"], got["CancellationReasons"] = comparable_reasons(
            wanted["CancellationReasons"], got["CancellationReasons"])
    elif want.kind == "TransactionCanceledException":
        got.pop("CancellationReasons", None)
    return found + compare(wanted, got, "error")


def comparable_reasons(want, got):
    """Texts that the model does not know are taken out on both sides."""
    want, got = [dict(w) for w in want], [dict(g) for g in got]
    for w, g in zip(want, got):
        if "Item" in g:
            g["Item"] = item_from_wire(g["Item"])
        if w.get("Message", "") is None:
            del w["Message"]
            g.pop("Message", None)
    return want, got


def texts_of(message):
    """More than one text is allowed where sources differ."""
    return message if isinstance(message, tuple) else (message,)
