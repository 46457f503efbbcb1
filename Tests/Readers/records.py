"""What reports tell of a record."""

import copy


def as_far_as_known(record):
    """Where the launch has not reached its end: it and what runs took until the last moment of which the record tells."""
    if record["outcome"] != "running":
        return record
    known = copy.deepcopy(record)
    moments = [record["duration"]]
    for step in known["steps"]:
        timed = [step, *step.get("spans", []), *step.get("attempts", [])]
        moments += [part.get(key, 0) for part in timed for key in ("ready", "start", "end")]
    known["duration"] = max(moments)
    for step in known["steps"]:
        if step["state"] == "running":
            step["running"] = known["duration"] - step["start"]
            step["slack"] = 0
    return known
