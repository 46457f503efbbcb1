"""The record as reports show it."""

import copy


def with_estimated_end(record):
    """Returns the record; if the launch did not finish, it and its running steps end at the record's last time."""
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
