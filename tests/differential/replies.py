"""A server's reply in the model's terms, and where the two differ."""
from value import NotPlain, canonical_item, item_from_wire, item_to_wire

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
        out["Responses"] = {t: sorted(canonical_item(item_from_wire(i)) for i in items)
                            for t, items in out["Responses"].items()}
    if op == "TransactGetItems" and "Responses" in out:
        out["Responses"] = [{k: item_from_wire(v) for k, v in r.items()} for r in out["Responses"]]
    if isinstance(out.get("ConsumedCapacity"), list):
        out["ConsumedCapacity"] = sorted(out["ConsumedCapacity"], key=lambda c: c["TableName"])
    return out


class Difference(Exception):
    """`field` names where the answers part; want and got are texts for people."""

    def __init__(self, field, want, got):
        super().__init__(field, want, got)
        self.field, self.want, self.got = field, want, got


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
    """`want` is the model's answer; raises Difference."""
    if status != 200:
        raise Difference("status", "200 " + str(printable(want)), f"{status} {reply}")
    try:
        got = read_reply(op, reply)
    except (NotPlain, TypeError, KeyError, ValueError, AttributeError) as fault:
        raise Difference("form", "values as AWS spells them", f"{fault} in {reply}") from None
    compare(op, want, got, "")


def compare(op, want, got, field):
    if want == got:
        return
    if isinstance(want, dict) and isinstance(got, dict):
        for name in [*want, *(n for n in got if n not in want)]:
            here = f"{field}.{name}" if field else str(name)
            if name not in got:
                raise Difference(here, str(printable(want[name])), "absent")
            if name not in want:
                raise Difference(here, "absent", str(printable(got[name])))
            compare(op, want[name], got[name], here)
        return
    if isinstance(want, list) and isinstance(got, list):
        if len(want) != len(got):
            raise Difference(field + ".length", f"{len(want)}: {printable(want)}",
                             f"{len(got)}: {printable(got)}")
        for i, (w, g) in enumerate(zip(want, got)):
            compare(op, w, g, f"{field}[{i}]")
        return
    raise Difference(field, str(printable(want)), str(printable(got)))


def compare_refusal(want, status, reply):
    kind = str(reply.get("__type", "")).rpartition("#")[2]
    text = reply.get("message", reply.get("Message"))
    if status == 200:
        raise Difference("accepted", f"{want.kind}: {want.message}", f"200 {reply}")
    if status >= 500 or kind != want.kind:
        raise Difference("error.type", f"{want.kind}: {want.message}", f"{status} {kind}: {text}")
    if want.message is not None and text not in texts_of(want.message):
        raise Difference("error.message", str(want.message), str(text))
    for name, value in want.fields.items():
        if name not in reply:
            raise Difference("error." + name, str(printable(value)), "absent")
        compare_field(name, value, reply[name])
    if "Item" in reply and "Item" not in want.fields:
        raise Difference("error.Item", "absent", str(reply["Item"]))


def compare_field(name, want, got):
    if name == "Item":
        compare("error", want, item_from_wire(got), "error.Item")
        return
    if len(want) != len(got):
        raise Difference("error." + name, str(printable(want)), str(got))
    for i, (w, g) in enumerate(zip(want, got)):
        compare_reason(i, w, g)


def compare_reason(i, want, got):
    got = dict(got)
    if "Item" in got:
        got["Item"] = item_from_wire(got["Item"])
    want = {k: v for k, v in want.items() if v is not None}
    if "Message" not in want:
        got.pop("Message", None)
    compare("error", want, got, f"error.CancellationReasons[{i}]")


def texts_of(message):
    """More than one text is allowed where sources differ."""
    return message if isinstance(message, tuple) else (message,)
