"""What AWS leaves to the server, learned from it: the order of a Scan, of entries with equal index
keys, and which segment holds what.  The model checks each against the rules there are."""
from model import BadOrder
from value import item_from_wire, to_wire


class Learner:
    def __init__(self, connection):
        self.connection = connection

    def pages(self, op, table, source, body):
        body["TableName"] = table.name
        if source is not table:
            body["IndexName"] = source.name
        order = []
        while True:
            status, reply = self.connection.call(op, body)
            if status != 200:
                raise BadOrder(f"{op} {body} answers {status} {reply}")
            order += [table.key_of(item_from_wire(i)) for i in reply["Items"]]
            if "LastEvaluatedKey" not in reply:
                return order
            body["ExclusiveStartKey"] = reply["LastEvaluatedKey"]

    def of_query(self, table, source, hashes):
        names = {f"#h{i}": n for i, n in enumerate(hashes)}
        values = {f":h{i}": to_wire(v) for i, v in enumerate(hashes.values())}
        text = " AND ".join(f"#h{i} = :h{i}" for i in range(len(hashes)))
        return self.pages("Query", table, source, {
            "KeyConditionExpression": text, "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": values})

    def of_scan(self, table, source, segment, total):
        if total is None:
            return self.pages("Scan", table, source, {})
        parts = [self.pages("Scan", table, source, {"Segment": s, "TotalSegments": total})
                 for s in range(total)]
        found = [key for part in parts for key in part]
        inside = {k for k, item in table.items.items() if source.entry(item) is not None}
        if len(found) != len(set(found)) or set(found) != inside:
            raise BadOrder(f"{total} segments of {len(inside)} entries hold {len(found)}: "
                           f"{[len(p) for p in parts]}")
        return parts[segment]
