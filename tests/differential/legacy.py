"""The same step in the older parameters: Expected, QueryFilter, ScanFilter, KeyConditions,
AttributesToGet, AttributeUpdates.  The model's arguments stay as they are."""
from expression import Between, Compare, Function, In, Logic, Path, Value
from step import Step
from value import to_wire

OPERATORS = {"=": "EQ", "<>": "NE", "<": "LT", "<=": "LE", ">": "GT", ">=": "GE",
             "BETWEEN": "BETWEEN", "begins_with": "BEGINS_WITH"}
EXPRESSIONS = ("ConditionExpression", "FilterExpression", "KeyConditionExpression",
               "ProjectionExpression", "UpdateExpression", "ExpressionAttributeNames",
               "ExpressionAttributeValues")


class NotOlder(Exception):
    """What the older parameters cannot say."""


def turned(step, rng):
    """The step in the older parameters, or None."""
    body = {n: v for n, v in step.body.items() if n not in EXPRESSIONS}
    args = step.args
    try:
        if args.get("condition") is not None:
            add_conditions(body, "Expected", args["condition"], rng)
        if args.get("filter") is not None:
            add_conditions(body, step.op + "Filter", args["filter"], rng)
        if "hash" in args:
            body["KeyConditions"] = key_conditions(args)
        if args.get("projection") is not None:
            body["AttributesToGet"] = [only_name(p) for p in args["projection"]]
        if args.get("update") is not None:
            body["AttributeUpdates"] = attribute_updates(args["update"])
    except NotOlder:
        return None
    if len(body) == len(step.body):
        return None
    return Step(step.op, body, args, note="older parameters")


def only_name(path):
    if len(path) != 1:
        raise NotOlder
    return path[0]


def add_conditions(body, member, node, rng):
    parts = node.parts if isinstance(node, Logic) else (node,)
    conditions = {}
    for part in parts:
        name, condition = condition_of(part, rng, member == "Expected")
        if name in conditions:
            raise NotOlder
        conditions[name] = condition
    body[member] = conditions
    if len(parts) > 1 and (node.word == "OR" or rng.random() < 0.3):
        body["ConditionalOperator"] = node.word


def condition_of(node, rng, expected):
    kind = type(node)
    if kind is Compare:
        op, values = OPERATORS[node.op], [node.right]
        name = name_of(node.left)
    elif kind is Between:
        op, name, values = "BETWEEN", name_of(node.what), [node.low, node.high]
    elif kind is In:
        op, name, values = "IN", name_of(node.what), list(node.among)
    elif kind is Function:
        op, name, values = function_of(node)
    else:
        raise NotOlder
    if not all(isinstance(v, Value) and v.is_[0] in ("S", "N", "B") for v in values):
        raise NotOlder
    if len({v.is_[0] for v in values}) > 1:
        raise NotOlder
    wire = [to_wire(v.is_) for v in values]
    if expected and op == "NULL" and rng.random() < 0.5:
        return name, {"Exists": False}
    if expected and op == "EQ" and rng.random() < 0.5:
        return name, {"Value": wire[0]}
    return name, {"ComparisonOperator": op, **({"AttributeValueList": wire} if wire else {})}


def name_of(operand):
    if not isinstance(operand, Path):
        raise NotOlder
    return only_name(operand.path)


def function_of(node):
    names = {"attribute_exists": "NOT_NULL", "attribute_not_exists": "NULL",
             "begins_with": "BEGINS_WITH", "contains": "CONTAINS"}
    if node.name not in names:
        raise NotOlder
    return names[node.name], name_of(node.args[0]), list(node.args[1:])


def key_conditions(args):
    out = {n: {"ComparisonOperator": "EQ", "AttributeValueList": [to_wire(v)]}
           for n, v in args["hash"].items()}
    for test in args["ranges"]:
        op = OPERATORS[test.op]
        out[test.name] = {"ComparisonOperator": op,
                          "AttributeValueList": [to_wire(v) for v in test.values]}
    if len(out) > 2:
        raise NotOlder
    return out


def attribute_updates(update):
    out = {}
    for path, operand in update.sets:
        if not isinstance(operand, Value):
            raise NotOlder
        out[only_name(path)] = {"Action": "PUT", "Value": to_wire(operand.is_)}
    for path in update.removes:
        out[only_name(path)] = {"Action": "DELETE"}
    for pairs, action in ((update.adds, "ADD"), (update.deletes, "DELETE")):
        for path, value in pairs:
            out[only_name(path)] = {"Action": action, "Value": to_wire(value)}
    return out
