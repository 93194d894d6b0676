"""Requests with one fault each, and the error AWS answers: its type always, its text where a source
tells it (AWS's answers as recorded in the public conformance suite and in dynalite's tests)."""
from decimal import Decimal

from expression import Refusal
from pools import KEY_VALUES
from step import Step
from value import item_to_wire, to_wire

SCHEMA = "The provided key element does not match the schema"
BAD_VALUE = "One or more parameter values were invalid: "
MAKERS = []


def maker(make):
    MAKERS.append(make)
    return make


def wrong_step(g):
    while True:
        make = g.rng.choice(MAKERS)
        step = make(g, g.rng)
        if step is not None and step.op in (*g.operations, "Nonsense"):
            step.note = make.__name__
            return step


def refused(op, body, kind="ValidationException", message=None, **fields):
    return Step(op, body, refusal=Refusal(kind, message, **fields))


def table_of(g, ranged=False):
    tables = [t for t in g.tables if t.range or not ranged]
    return g.rng.choice(tables)


def get(g, **more):
    table = table_of(g)
    return {"TableName": table.name, "Key": item_to_wire(g.key(table)), **more}


def put(g, item=None, **more):
    table = table_of(g)
    return {"TableName": table.name, "Item": item_to_wire(g.key(table) | (item or {})), **more}


def put_raw(g, raw, **more):
    body = put(g, **more)
    body["Item"]["bad"] = raw
    return body


def query(g, table=None, **more):
    table = table or table_of(g)
    value = to_wire(g.pool.key(table.types["pk"]))
    return {"TableName": table.name, "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": value}, **more}


# ---- names, keys, wrong JSON

@maker
def unknown_table(g, r):
    name = "no-such-table"
    op, body = r.choice([
        ("GetItem", get(g)), ("PutItem", put(g)), ("DeleteItem", get(g)), ("Query", query(g)),
        ("Scan", {}), ("UpdateItem", get(g))])
    body["TableName"] = name
    return refused(op, body, "ResourceNotFoundException", "Requested resource not found")


@maker
def bad_table_name(g, r):
    name, text = r.choice([
        (None, "Value null at 'tableName' failed to satisfy constraint: Member must not be null"),
        ("", "Value '' at 'tableName' failed to satisfy constraint: Member must have length greater "
             "than or equal to 1"),
        ("bad table!", "Value 'bad table!' at 'tableName' failed to satisfy constraint: Member must "
                       "satisfy regular expression pattern: [a-zA-Z0-9_.-]+")])
    body = put(g)
    body["TableName"] = name
    if name is None:
        del body["TableName"]
    return refused("PutItem", body, message="1 validation error detected: " + text)


@maker
def wrong_json_type(g, r):
    op, body = r.choice([
        ("GetItem", get(g, TableName=5)), ("GetItem", get(g, Key="x")), ("GetItem", get(g, Key=[])),
        ("GetItem", get(g, ConsistentRead="perhaps")), ("PutItem", put(g, Item=7)),
        ("PutItem", put_raw(g, "text")), ("PutItem", put_raw(g, {"S": 5})),
        ("PutItem", put_raw(g, {"N": 5})), ("PutItem", put_raw(g, {"L": {}})),
        ("PutItem", put_raw(g, {"M": []})), ("PutItem", put_raw(g, {"SS": "a"})),
        ("PutItem", put_raw(g, {"BOOL": "x"})),
        ("Query", query(g, Limit="1")), ("Query", query(g, ExpressionAttributeNames={"#a": 1})),
        ("UpdateItem", get(g, UpdateExpression=[])), ("Query", query(g, ScanIndexForward={}))])
    return refused(op, body, "SerializationException")


@maker
def unknown_operation(g, r):
    return refused("Nonsense", get(g), "UnknownOperationException")


@maker
def key_shape(g, r):
    table = table_of(g)
    key = item_to_wire(g.key(table))
    pick = r.randrange(3)
    if pick == 0:
        del key[r.choice(table.keys)]
    elif pick == 1:
        key["extra"] = {"S": "x"}
    else:
        name = r.choice(table.keys)
        key[name] = {"BOOL": True}
    op = r.choice(["GetItem", "DeleteItem", "UpdateItem"])
    return refused(op, {"TableName": table.name, "Key": key}, message=SCHEMA)


@maker
def key_type(g, r):
    table = table_of(g)
    key = item_to_wire(g.key(table))
    name = r.choice(table.keys)
    kind = table.types[name]
    other = r.choice([k for k in "SNB" if k != kind])
    key[name] = to_wire(g.pool.key(other))
    if r.random() < 0.5:
        return refused("GetItem", {"TableName": table.name, "Key": key}, message=SCHEMA)
    return refused("PutItem", {"TableName": table.name, "Item": key}, message=(
        BAD_VALUE + f"Type mismatch for key {name} expected: {kind} actual: {other}"))


@maker
def key_missing(g, r):
    table = table_of(g)
    item = item_to_wire(g.item(table))
    name = r.choice(table.keys)
    del item[name]
    return refused("PutItem", {"TableName": table.name, "Item": item},
                   message=BAD_VALUE + f"Missing the key {name} in the item")


@maker
def key_empty(g, r):
    table = table_of(g)
    names = [n for n in table.keys if table.types[n] != "N"]
    if not names:
        return None
    name = r.choice(names)
    key = item_to_wire(g.key(table)) | {name: {table.types[name]: ""}}
    what = "string" if table.types[name] == "S" else "binary"
    op, member = r.choice([("PutItem", "Item"), ("GetItem", "Key"), ("DeleteItem", "Key")])
    return refused(op, {"TableName": table.name, member: key}, message=(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
        f"contain an empty {what} value. Key: {name}"))


@maker
def key_too_long(g, r):
    table = table_of(g)
    names = [n for n in table.keys if table.types[n] == "S"]
    if not names:
        return None
    name = r.choice(names)
    text = ("Size of hashkey has exceeded the maximum size limit of2048 bytes" if name == table.hash
            else "Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
    # Two bytes a letter: the limit is of bytes.
    long = "\u00e9" * (1025 if name == table.hash else 513)
    key = item_to_wire(g.key(table)) | {name: {"S": long}}
    op, member = r.choice([("PutItem", "Item"), ("GetItem", "Key"), ("DeleteItem", "Key")])
    return refused(op, {"TableName": table.name, member: key}, message=BAD_VALUE + text)


@maker
def index_key_type(g, r):
    table = table_of(g)
    names = sorted(table.index_key_names())
    if not names:
        return None
    name = r.choice(names)
    item = g.key(table)
    item[name] = g.pool.value(r.choice([k for k in ("S", "N", "B", "BOOL", "L") if
                                        k != table.types[name]]))
    body = {"TableName": table.name, "Item": item_to_wire(item)}
    return Step("PutItem", body, {"table": table.name, "item": item})


@maker
def index_key_by_update(g, r):
    table = table_of(g)
    names = sorted(table.index_key_names())
    if not names:
        return None
    name = r.choice(names)
    body = {"TableName": table.name, "Key": item_to_wire(g.key(table)),
            "UpdateExpression": f"SET {name} = :v", "ExpressionAttributeValues": {":v": {"BOOL": True}}}
    return refused("UpdateItem", body)


# ---- values

@maker
def bad_value(g, r):
    raw, text = r.choice([
        ({"SS": []}, BAD_VALUE + "An string set  may not be empty"),
        ({"NS": []}, BAD_VALUE + "An number set  may not be empty"),
        ({"BS": []}, BAD_VALUE + "Binary sets should not be empty"),
        ({"SS": ["a", "a"]}, BAD_VALUE + "Input collection [a, a] contains duplicates."),
        ({"NS": ["1", "1.0"]}, None),
        ({"BS": ["AA==", "AA=="]}, None),
        ({"NULL": False}, BAD_VALUE + "Null attribute value types must have the value of true"),
        ({"N": "1" * 39}, "Attempting to store more than 38 significant digits in a Number"),
        ({"N": "1E126"}, "Number overflow. Attempting to store a number with magnitude larger than "
                         "supported range"),
        ({"N": "1E-131"}, "Number underflow. Attempting to store a number with magnitude smaller "
                          "than supported range"),
        ({"N": "abc"}, "The parameter cannot be converted to a numeric value: abc"),
        ({"N": " 1"}, None), ({"N": "1e"}, None), ({"N": "--1"}, None), ({"N": "0x10"}, None),
        ({"N": ""}, "The parameter cannot be converted to a numeric value"),
        ({"N": "NaN"}, "The parameter cannot be converted to a numeric value: NaN"),
        ({}, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
        ({"S": "a", "N": "1"}, "Supplied AttributeValue has more than one datatypes set, must contain "
                               "exactly one of the supported datatypes")])
    where = r.randrange(3)
    if where == 0:
        raw = {"M": {"x": raw}}
    elif where == 1:
        raw = {"L": [{"S": "a"}, raw]}
    return refused("PutItem", put_raw(g, raw), message=text)


@maker
def too_deep(g, r):
    value = {"S": "x"}
    for _ in range(r.choice([33, 40])):
        value = {"L": [value]} if r.random() < 0.5 else {"M": {"m": value}}
    return refused("PutItem", put_raw(g, value))


@maker
def too_large(g, r):
    if r.random() < 0.9:
        return None
    return refused("PutItem", put_raw(g, {"S": "x" * 409600}),
                   message="Item size has exceeded the maximum allowed size")


# ---- placeholders

@maker
def unused(g, r):
    body = get(g, ConditionExpression="attribute_exists(pk)")
    if r.random() < 0.5:
        body["ExpressionAttributeNames"] = {"#unused": "a"}
        text = "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}"
    else:
        body["ExpressionAttributeValues"] = {":unused": {"S": "a"}}
        text = "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}"
    return refused("DeleteItem", body, message=text)


@maker
def undefined(g, r):
    if r.random() < 0.5:
        name = ("An expression attribute name used in the document path is not defined; attribute "
                "name: #x")
        return refused("UpdateItem", get(g, UpdateExpression="REMOVE #x"),
                       message="Invalid UpdateExpression: " + name)
    value = "An expression attribute value used in expression is not defined; attribute value: :x"
    op, member, text = r.choice([
        ("UpdateItem", "UpdateExpression", "SET a1 = :x"),
        ("DeleteItem", "ConditionExpression", "a1 = :x"), ("Scan", "FilterExpression", "a1 = :x")])
    body = get(g) | {member: text}
    if op == "Scan":
        del body["Key"]
    return refused(op, body, message=f"Invalid {member}: {value}")


@maker
def placeholders_alone(g, r):
    if r.random() < 0.5:
        return refused("PutItem", put(g, ExpressionAttributeValues={":v": {"S": "x"}}), message=(
            "ExpressionAttributeValues can only be specified when using expressions: "
            "ConditionExpression is null"))
    return refused("GetItem", get(g, ExpressionAttributeNames={"#a": "a"}), message=(
        "ExpressionAttributeNames can only be specified when using expressions"))


@maker
def placeholder_shape(g, r):
    if r.random() < 0.5:
        return refused("DeleteItem", get(g, ConditionExpression="attribute_exists(pk)",
                                         ExpressionAttributeNames={"bad": "a"}), message=(
            'ExpressionAttributeNames contains invalid key: Syntax error; key: "bad"'))
    return refused("DeleteItem", get(g, ConditionExpression="attribute_exists(pk)",
                                     ExpressionAttributeValues={"bad": {"S": "a"}}), message=(
        'ExpressionAttributeValues contains invalid key: Syntax error; key: "bad"'))


@maker
def placeholder_value(g, r):
    raw = r.choice([{"N": "x"}, {"SS": []}, {}, {"NULL": False}, {"N": "1" * 39}])
    body = get(g, UpdateExpression="SET a1 = :v", ExpressionAttributeValues={":v": raw})
    return refused("UpdateItem", body)


# ---- expressions

EMPTY = "The expression can not be empty;"


@maker
def empty_expression(g, r):
    op, member = r.choice([("UpdateItem", "UpdateExpression"), ("DeleteItem", "ConditionExpression"),
                           ("GetItem", "ProjectionExpression")])
    return refused(op, get(g, **{member: ""}), message=f"Invalid {member}: {EMPTY}")


@maker
def reserved_word(g, r):
    word = r.choice(g.reserved_list)
    if word in ("AND", "OR", "NOT", "IN", "BETWEEN", "SET", "REMOVE", "ADD", "DELETE"):
        return None
    word = r.choice([word, word.lower(), word.capitalize()])
    text = f"Attribute name is a reserved keyword; reserved keyword: {word}"
    op, member, expression = r.choice([
        ("UpdateItem", "UpdateExpression", f"REMOVE {word}"),
        ("DeleteItem", "ConditionExpression", f"attribute_exists({word})"),
        ("GetItem", "ProjectionExpression", f"a1, {word}")])
    return refused(op, get(g, **{member: expression}), message=f"Invalid {member}: {text}")


@maker
def condition_syntax(g, r):
    text = r.choice(["a1 =", "= :v", "a1 = :v AND", "a1 == :v", "a1 :v", "(a1 = :v", "a1 = :v)",
                     "NOT", "a1 IN :v", "a1 IN ()", "a1 BETWEEN :v", "a1 BETWEEN :v OR :v",
                     "attribute_exists a1", "attribute_exists(a1", "a1.b. = :v", "a1[x] = :v",
                     "a1[-1] = :v", "a1..b = :v", "a1 = :v; b = :v", "a1 = 'x'", "a1 = 5", "a1[0 = :v",
                     "a1 != :v", "a1 = :v a2 = :v", "a1 AND AND a2", ":", "#", "a1 = :v OR OR a1 = :v"])
    return refused("DeleteItem", get(g, ConditionExpression=text,
                                     ExpressionAttributeValues={":v": {"S": "x"}}))


@maker
def condition_meaning(g, r):
    text, fault = r.choice([
        ("((a1 = :v))", "The expression has redundant parentheses;"),
        ("a1 = :v AND ((a2 = :v))", "The expression has redundant parentheses;"),
        ("nonsense(a1, :v)", "Invalid function name; function: nonsense"),
        ("Attribute_Exists(a1) AND a2 = :v", "Invalid function name; function: Attribute_Exists"),
        ("attribute_exists(a1, :v)", "Incorrect number of operands for operator or function; operator "
                                     "or function: attribute_exists, number of operands: 2"),
        ("begins_with(:v)", "Incorrect number of operands for operator or function; operator or "
                            "function: begins_with, number of operands: 1"),
        ("attribute_exists(:v)", "Operator or function requires a document path; operator or "
                                 "function: attribute_exists"),
        ("a2 = a2 AND a1 = :v", "The first operand must be distinct from the remaining operands for "
                                "this operator or function; operator: =, first operand: [a2]"),
        ("contains(a1.b, a1.b) AND a1 = :v",
         "The first operand must be distinct from the remaining operands for this operator or "
         "function; operator: contains, first operand: [a1, b]"),
        ("size(a1) AND a1 = :v", None), ("size(a1)", None), ("a1", None),
        ("attribute_exists(a1) = :v", "The function is not allowed to be used this way in an "
                                      "expression; function: attribute_exists"),
        ("size(attribute_exists(a1)) = :v", "The function is not allowed to be used this way in an "
                                            "expression; function: attribute_exists"),
        ("if_not_exists(a1, :v) = :v", None)])
    message = f"Invalid ConditionExpression: {fault}" if fault else None
    return refused("DeleteItem", get(g, ConditionExpression=text,
                                     ExpressionAttributeValues={":v": {"S": "x"}}), message=message)


@maker
def condition_operand(g, r):
    value, text, fault = r.choice([
        ({"N": "1"}, "begins_with(a1, :v)", "begins_with, operand type: N"),
        ({"BOOL": True}, "begins_with(a1, :v)", "begins_with, operand type: BOOL"),
        ({"N": "1"}, "attribute_type(a1, :v)", "attribute_type, operand type: N"),
        ({"N": "1"}, "size(:v) > :v", "size, operand type: N")])
    return refused("DeleteItem", get(g, ConditionExpression=text,
                                     ExpressionAttributeValues={":v": value}), message=(
        "Invalid ConditionExpression: Incorrect operand type for operator or function; operator or "
        f"function: {fault}"))


@maker
def between_bounds(g, r):
    low, high, text = r.choice([
        ({"N": "2"}, {"N": "1"}, "upper bound to be greater than or equal to lower bound; lower bound "
         "operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"),
        ({"S": "b"}, {"S": "a"}, "upper bound to be greater than or equal to lower bound; lower bound "
         "operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"),
        ({"S": "b"}, {"N": "1"}, "same data type for lower and upper bounds; lower bound operand: "
         "AttributeValue: {S:b}, upper bound operand: AttributeValue: {N:1}")])
    return refused("DeleteItem", get(g, ConditionExpression="a1 BETWEEN :a AND :b",
                                     ExpressionAttributeValues={":a": low, ":b": high}), message=(
        "Invalid ConditionExpression: The BETWEEN operator requires " + text))


@maker
def type_name(g, r):
    return refused("DeleteItem", get(g, ConditionExpression="attribute_type(a1, :v)",
                                     ExpressionAttributeValues={":v": {"S": "STRING"}}))


@maker
def update_syntax(g, r):
    text = r.choice(["SET", "SET a1", "SET a1 = ", "SET a1 = :v,", "SET a1 == :v", "a1 = :v",
                     "REMOVE", "REMOVE a1 = :v", "REMOVE a1,", "ADD a1", "ADD a1 = :v", "ADD :v a1",
                     "SET a1 = :v SET", "SET a1 = :v + ", "SET a1 = :v * :v", "SET a1 = (:v",
                     "UPDATE a1 = :v", "SET a1 = :v REMOVE", "DELETE a1", "SET :v = a1",
                     "SET a1 = :v; REMOVE b1", "SET a1[] = :v", "SET a1.[0] = :v", "SET a1 += :v",
                     "SET a1 = :v + :v + :v"])
    return refused("UpdateItem", get(g, UpdateExpression=text,
                                     ExpressionAttributeValues={":v": {"N": "1"}}))


@maker
def update_meaning(g, r):
    value, text, fault = r.choice([
        ("N", "SET a1 = :v SET b1 = :v",
         'The "SET" section can only be used once in an update expression;'),
        ("N", "SET a1 = :v REMOVE b1 REMOVE c1",
         'The "REMOVE" section can only be used once in an update expression;'),
        ("N", "SET a1 = :v, a1.b = :v",
         "Two document paths overlap with each other; must remove or rewrite one of these paths; "
         "path one: [a1], path two: [a1, b]"),
        ("N", "SET a1[1] = :v REMOVE a1[1]",
         "Two document paths overlap with each other; must remove or rewrite one of these paths; "
         "path one: [a1, [1]], path two: [a1, [1]]"),
        ("N", "SET a1[1] = :v, a1.b = :v",
         "Two document paths conflict with each other; must remove or rewrite one of these paths; "
         "path one: [a1, [1]], path two: [a1, b]"),
        ("N", "SET a1 = nonsense(:v)", "Invalid function name; function: nonsense"),
        ("N", "SET a1 = list_append(:v)", "Incorrect number of operands for operator or function; "
         "operator or function: list_append, number of operands: 1"),
        ("N", "SET a1 = list_append(:v, b1)", "Incorrect operand type for operator or function; "
         "operator or function: list_append, operand type: N"),
        ("S", "SET a1 = b1 + :v", "Incorrect operand type for operator or function; operator or "
         "function: +, operand type: S"),
        ("S", "ADD a1 :v", "Incorrect operand type for operator or function; operator: ADD, operand "
         "type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"),
        ("N", "DELETE a1 :v", "Incorrect operand type for operator or function; operator: DELETE, "
         "operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND"),
        ("N", "SET a1 = if_not_exists(:v, :v)", "Operator or function requires a document path; "
         "operator or function: if_not_exists")])
    raw = {"N": "1"} if value == "N" else {"S": "x"}
    return refused("UpdateItem", get(g, UpdateExpression=text, ExpressionAttributeValues={":v": raw}),
                   message="Invalid UpdateExpression: " + fault)


@maker
def update_key(g, r):
    table = table_of(g)
    name = r.choice(table.keys)
    text, value = r.choice([(f"SET {name} = :v", True), (f"REMOVE {name}", False),
                            (f"ADD {name} :v", True)])
    body = {"TableName": table.name, "Key": item_to_wire(g.key(table)), "UpdateExpression": text}
    if value:
        body["ExpressionAttributeValues"] = {":v": {"N": "1"}}
    return refused("UpdateItem", body, message=(
        BAD_VALUE + f"Cannot update attribute {name}. This attribute is part of the key"))


@maker
def projection_fault(g, r):
    text, fault = r.choice([
        ("a1, a1", "Two document paths overlap with each other; must remove or rewrite one of these "
                   "paths; path one: [a1], path two: [a1]"),
        ("a1.b, a1", "Two document paths overlap with each other; must remove or rewrite one of these "
                     "paths; path one: [a1, b], path two: [a1]"),
        ("a1.b, a1[0]", "Two document paths conflict with each other; must remove or rewrite one of "
                        "these paths; path one: [a1, b], path two: [a1, [0]]"),
        ("a1,", None), (",", None), ("a1 b1", None), ("a1[", None), ("size(a1)", None), ("a1.", None)])
    message = f"Invalid ProjectionExpression: {fault}" if fault else None
    return refused("GetItem", get(g, ProjectionExpression=text), message=message)


@maker
def expression_too_long(g, r):
    text = "attribute_exists(a1)" + " AND attribute_exists(a1)" * 170
    return refused("DeleteItem", get(g, ConditionExpression=text))


# ---- members of single operations

@maker
def bad_choice(g, r):
    member, name, choices, op, body = r.choice([
        ("ReturnConsumedCapacity", "returnConsumedCapacity", "INDEXES, TOTAL, NONE", "GetItem", get(g)),
        ("ReturnValues", "returnValues", "ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW", "PutItem",
         put(g)),
        ("Select", "select", "SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES",
         "Query", query(g))])
    body[member] = "BAD"
    return refused(op, body, message=(
        f"1 validation error detected: Value 'BAD' at '{name}' failed to satisfy constraint: Member "
        f"must satisfy enum value set: [{choices}]"))


@maker
def bad_return_values(g, r):
    op, body = r.choice([("PutItem", put(g)), ("DeleteItem", get(g))])
    body["ReturnValues"] = r.choice(["ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"])
    # The text is dynalite's record of AWS's.
    return refused(op, body, message="ReturnValues can only be ALL_OLD or NONE")


@maker
def legacy_mixed(g, r):
    op, body, old, new = r.choice([
        ("GetItem", get(g, AttributesToGet=["a1"], ProjectionExpression="a1"), "AttributesToGet",
         "ProjectionExpression"),
        ("PutItem", put(g, Expected={"pk": {"Exists": False}},
                        ConditionExpression="attribute_not_exists(pk)"), "Expected",
         "ConditionExpression"),
        ("UpdateItem", get(g, AttributeUpdates={"a1": {"Action": "DELETE"}},
                           UpdateExpression="REMOVE a1"), "AttributeUpdates", "UpdateExpression")])
    return refused(op, body, message=(
        "Can not use both expression and non-expression parameters in the same request: "
        f"Non-expression parameters: {{{old}}} Expression parameters: {{{new}}}"))


# ---- queries and scans

# Both forms are told of AWS: dynalite's tests have the first.
ONE_EACH = ("KeyConditionExpressions must only contain one condition per key",
            "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition "
            "per key")

@maker
def key_condition(g, r):
    table = table_of(g, ranged=True)
    key = g.key(table)
    values = {":p": to_wire(key["pk"]), ":s": to_wire(key["sk"])}
    wrong = to_wire(g.pool.key(r.choice([k for k in "SNB" if k != table.types["sk"]])))
    text, message, extra = r.choice([
        ("sk = :s", "Query condition missed key schema element: pk", None),
        ("pk = :p OR sk = :s", "Invalid operator used in KeyConditionExpression: OR", None),
        ("pk = :p AND NOT sk = :s", "Invalid operator used in KeyConditionExpression: NOT", None),
        ("pk = :p AND sk <> :s", "Invalid operator used in KeyConditionExpression: <>", None),
        ("pk = :p AND sk IN (:s)", "Invalid operator used in KeyConditionExpression: IN", None),
        ("pk = :p AND contains(sk, :s)",
         "Invalid operator used in KeyConditionExpression: contains", None),
        ("pk = :p AND sk = :s AND sk = :s",
         ONE_EACH, None),
        ("pk > :p AND sk = :s", "Query key condition not supported", None),
        ("pk = :p AND other = :s", None, None),
        ("pk = :p AND sk.a = :s",
         "KeyConditionExpressions cannot have conditions on nested attributes", None),
        ("pk = :p AND sk = :s AND n = :s", None, None),
        ("pk = :p AND sk = :w", BAD_VALUE + "Condition parameter type does not match schema type",
         wrong),
        ("pk = :p", "Value provided in ExpressionAttributeValues unused in expressions: keys: {:s}",
         None),
        ("", "Invalid KeyConditionExpression: " + EMPTY, None)])
    if extra:
        values = {":p": values[":p"], ":w": extra}
    if ":p" not in text and text:
        del values[":p"]
    return refused("Query", {"TableName": table.name, "KeyConditionExpression": text,
                             "ExpressionAttributeValues": values}, message=message)


@maker
def no_key_condition(g, r):
    return refused("Query", {"TableName": table_of(g).name}, message=(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request."))


@maker
def no_index(g, r):
    op, body = r.choice([("Query", query(g)), ("Scan", {"TableName": table_of(g).name})])
    body["IndexName"] = "nowhere"
    return refused(op, body, message="The table does not have the specified index: nowhere")


@maker
def filter_on_key(g, r):
    table = table_of(g)
    name = r.choice(table.keys)
    body = query(g, table, FilterExpression=f"attribute_exists({name})")
    return refused("Query", body, message=(
        "Filter Expression can only contain non-primary key attributes: Primary key attribute: "
        + name))


@maker
def limit_zero(g, r):
    if r.random() < 0.5:
        return refused("Query", query(g, Limit=0), message=(
            "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must "
            "have value greater than or equal to 1"))
    return refused("Scan", {"TableName": table_of(g).name, "Limit": 0}, message=(
        "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must "
        "have value greater than or equal to 1"))


def global_index(g, r, projections=("ALL", "KEYS_ONLY", "INCLUDE")):
    found = [(t, i) for t in g.tables for i in t.indexes
             if i.kind == "GSI" and i.projection in projections]
    return r.choice(found) if found else None


def index_query(g, table, index, **more):
    values = {f":v{i}": to_wire(g.key_value(table, n, None)) for i, n in enumerate(index.hashes)}
    text = " AND ".join(f"{n} = :v{i}" for i, n in enumerate(index.hashes))
    return {"TableName": table.name, "IndexName": index.name, "KeyConditionExpression": text,
            "ExpressionAttributeValues": values, **more}


@maker
def consistent_global(g, r):
    if not (found := global_index(g, r)):
        return None
    return refused("Query", index_query(g, *found, ConsistentRead=True), message=(
        "Consistent reads are not supported on global secondary indexes"))


@maker
def part_of_index_key(g, r):
    found = [(t, i) for t in g.tables for i in t.indexes if len(i.hashes) > 1]
    if not found:
        return None
    table, index = r.choice(found)
    body = index_query(g, table, index)
    last = len(index.hashes) - 1
    body["KeyConditionExpression"] = body["KeyConditionExpression"].rpartition(" AND ")[0]
    del body["ExpressionAttributeValues"][f":v{last}"]
    return refused("Query", body)


@maker
def bad_select(g, r):
    pick = r.randrange(5)
    if pick == 0 and (found := global_index(g, r, ("KEYS_ONLY", "INCLUDE"))):
        return refused("Query", index_query(g, *found, Select="ALL_ATTRIBUTES"), message=(
            BAD_VALUE + "Select type ALL_ATTRIBUTES is not supported for global secondary index "
            f"{found[1].name} because its projection type is not ALL"))
    if pick == 1:
        return refused("Query", query(g, Select="ALL_PROJECTED_ATTRIBUTES"))
    if pick == 2:
        return refused("Query", query(g, Select="SPECIFIC_ATTRIBUTES"))
    if pick == 3:
        return refused("Query", query(g, Select="ALL_ATTRIBUTES", ProjectionExpression="a1"))
    if pick == 4 and (found := global_index(g, r, ("KEYS_ONLY",))):
        return refused("Query", index_query(g, *found, ProjectionExpression="unheard"))
    return None


@maker
def start_key(g, r):
    table = table_of(g)
    key = g.key(table)
    pick = r.randrange(4)
    if pick == 0:
        start = item_to_wire(key) | {"extra": {"S": "x"}}
        return refused("Query", query(g, table, ExclusiveStartKey=start))
    if pick == 1:
        start = item_to_wire(key) | {"extra": {"S": "x"}}
        return refused("Scan", {"TableName": table.name, "ExclusiveStartKey": start})
    if pick == 2:
        start = item_to_wire(key) | {"pk": {"BOOL": True}}
        return refused("Scan", {"TableName": table.name, "ExclusiveStartKey": start})
    kind = table.types["pk"]
    other = r.choice([v for v in KEY_VALUES[kind] if v != key["pk"][1]])
    body = query(g, table, ExclusiveStartKey=item_to_wire(key))
    body["ExpressionAttributeValues"] = {":pk": to_wire((kind, other))}
    return refused("Query", body, message=(
        "The provided starting key is outside query boundaries based on provided conditions"))


@maker
def segments(g, r):
    more, text = r.choice([
        ({"Segment": 0}, "The TotalSegments parameter is required but was not present in the request "
         "when Segment parameter is present"),
        ({"TotalSegments": 4}, "The Segment parameter is required but was not present in the request "
         "when parameter TotalSegments is present"),
        ({"Segment": 5, "TotalSegments": 5}, "The Segment parameter is zero-based and must be less "
         "than parameter TotalSegments: Segment: 5 is not less than TotalSegments: 5"),
        ({"Segment": 0, "TotalSegments": 0}, None), ({"Segment": -1, "TotalSegments": 2}, None),
        ({"Segment": 0, "TotalSegments": 1000001}, None)])
    return refused("Scan", {"TableName": table_of(g).name, **more}, message=text)


# ---- batches and transactions

@maker
def batch_get(g, r):
    table = table_of(g)
    key = item_to_wire(g.key(table))
    asks, text = r.choice([
        ({}, "The requestItems parameter is required for BatchGetItem"),
        ({table.name: {"Keys": [key, dict(key)]}}, "Provided list of item keys contains duplicates"),
        ({table.name: {"Keys": [{"pk": {"BOOL": True}}]}}, SCHEMA),
        ({table.name: {"Keys": [key | {"extra": {"S": "x"}}]}}, SCHEMA),
        ({table.name: {"Keys": []}}, None),
        ({table.name: {"Keys": [{"pk": {"S": str(i)}} for i in range(101)]}},
         f"1 validation error detected: Value at 'RequestItems.{table.name}.member.Keys' failed to "
         "satisfy constraint: Member must have length less than or equal to 100")])
    return refused("BatchGetItem", {"RequestItems": asks}, message=text)


@maker
def batch_get_unknown(g, r):
    table = table_of(g)
    asks = {table.name: {"Keys": [item_to_wire(g.key(table))]},
            "no-such-table": {"Keys": [{"pk": {"S": "x"}}]}}
    return refused("BatchGetItem", {"RequestItems": asks}, "ResourceNotFoundException",
                   "Requested resource not found")


@maker
def batch_write(g, r):
    table = table_of(g)
    key = item_to_wire(g.key(table))
    writes, text = r.choice([
        ({}, "The requestItems parameter is required for BatchWriteItem"),
        ({table.name: [{"PutRequest": {"Item": key}}, {"DeleteRequest": {"Key": dict(key)}}]},
         "Provided list of item keys contains duplicates"),
        ({table.name: [{"DeleteRequest": {"Key": {"pk": {"BOOL": True}}}}]}, SCHEMA),
        ({table.name: [{"PutRequest": {"Item": key}},
                       {"PutRequest": {"Item": {"other": {"S": "x"}}}}]}, None),
        ({table.name: []}, None), ({table.name: [{}]}, None),
        ({table.name: [{"PutRequest": {"Item": key}, "DeleteRequest": {"Key": key}}]}, None),
        ({table.name: [{"PutRequest": {"Item": {"pk": {"S": str(i)}}}} for i in range(26)]}, None)])
    return refused("BatchWriteItem", {"RequestItems": writes}, message=text)


@maker
def transaction(g, r):
    table = table_of(g)
    key = item_to_wire(g.key(table))
    delete = {"Delete": {"TableName": table.name, "Key": key}}
    actions, text = r.choice([
        ([], "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: "
             "Member must have length greater than or equal to 1"),
        ([delete, {"Put": {"TableName": table.name, "Item": key}}],
         "Transaction request cannot include multiple operations on one item"),
        ([{}], None), ([delete | {"Put": {"TableName": table.name, "Item": key}}], None),
        ([{"Update": {"TableName": table.name, "Key": key, "UpdateExpression": "SET"}}], None),
        ([{"ConditionCheck": {"TableName": table.name, "Key": key}}], None),
        ([{"Update": {"TableName": table.name, "Key": key, "UpdateExpression": "SET a1 = :x"}}],
         "Invalid UpdateExpression: An expression attribute value used in expression is not defined; "
         "attribute value: :x")])
    return refused("TransactWriteItems", {"TransactItems": actions}, message=text)


@maker
def transaction_key(g, r):
    table = table_of(g)
    good = {"Put": {"TableName": table.name, "Item": item_to_wire(g.key(table))}}
    bad = {"Delete": {"TableName": table.name, "Key": {"pk": {"BOOL": True}}}}
    reasons = [{"Code": "None"}, {"Code": "ValidationError", "Message": SCHEMA}]
    if r.random() < 0.5:
        good, bad = bad, good
        reasons.reverse()
    listed = ", ".join(x["Code"] for x in reasons)
    return refused("TransactWriteItems", {"TransactItems": [good, bad]},
                   "TransactionCanceledException", "Transaction cancelled, please refer cancellation "
                   f"reasons for specific reasons [{listed}]", CancellationReasons=reasons)


@maker
def transaction_get(g, r):
    table = table_of(g)
    key = item_to_wire(g.key(table))
    ask = {"Get": {"TableName": table.name, "Key": key}}
    gets, text = r.choice([
        ([], "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: "
             "Member must have length greater than or equal to 1"),
        ([ask, ask], None), ([{}], None),
        ([{"Get": {"TableName": table.name, "Key": key, "ProjectionExpression": "!!!"}}],
         'Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"')])
    return refused("TransactGetItems", {"TransactItems": gets}, message=text)


@maker
def number_too_wide(g, r):
    """A sum that 38 digits cannot hold, on an item made for it."""
    table = table_of(g)
    key = g.key(table)
    body = {"TableName": table.name, "Key": item_to_wire(key), "UpdateExpression": "SET wide = :a + :b",
            "ExpressionAttributeValues": {":a": {"N": "1E50"}, ":b": to_wire(("N", Decimal(1)))}}
    return refused("UpdateItem", body)
