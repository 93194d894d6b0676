"""Requests not sent to dynalite, because a fault of it would change its data unseen."""


def leaves_apart(model, step):
    updates = step.args.get("update")
    if step.op == "UpdateItem" and not step.refusal and updates is not None:
        table = model.tables[step.args["table"]]
        # It makes an item of an update that only removes; AWS makes none.
        if updates.only_removes() and table.get(step.args["key"]) is None:
            return True
        # A set that SET copies from a path stays the same set, so ADD and DELETE change both.
        return bool(updates.adds or updates.deletes) and any(
            list(operand.paths()) for _, operand in updates.sets)
    return False
