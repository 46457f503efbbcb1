#!/usr/bin/env python3
"""Reads reports with independent programs.

    APPBOOT_REPORT_SAMPLES=DIR swift test --filter SampleFiles
    pip install junitparser opentelemetry-proto
    python3 Tests/Readers/read_reports.py DIR

The other files of a sample must agree with its record (`NAME.json`).
"""

import base64
import json
import pathlib
import sys
import xml.dom.minidom

import junitparser
from google.protobuf import json_format
from opentelemetry.proto.trace.v1.trace_pb2 import Status, TracesData

from records import with_estimated_end

FAILED = ("failed", "timedOut")


def check(condition, message):
    if not condition:
        raise SystemExit(f"error: {message}")


def read_junit(path, record):
    text = path.read_text()
    xml.dom.minidom.parseString(text)
    suites = junitparser.JUnitXml.fromfile(str(path))
    cases = [case for suite in suites for case in suite]
    by_name = {case.name: case for case in cases}
    extra = 1 if record["outcome"] in ("timedOut", "cancelled") else 0
    check(len(cases) == len(record["steps"]) + extra, f"{path}: {len(cases)} cases")
    failures = 0
    for step, case in zip(with_estimated_end(record)["steps"], cases):
        check(abs(case.time * 1e9 - step["running"]) < 1, f"{path}: time of {case.name}")
        results = case.result
        check(len(results) <= 1, f"{path}: {case.name} has {len(results)} results")
        is_failure = step["state"] in FAILED and step["onFailure"] != "continue"
        failures += is_failure
        check(any(isinstance(r, junitparser.Failure) for r in results) == is_failure, f"{path}: {case.name}")
        properties = {p.name: p.value for p in case.child(junitparser.Properties)}
        check(properties["appboot.command"] == step["command"], f"{path}: properties of {case.name}")
        if "line" in step:
            place = f'{record["manifest"]["path"]}:{step["line"]}:{step["column"]}'
            check(properties["appboot.place"] == place or "\n" in place, f"{path}: place of {case.name}")
        if "budget" in step:
            check("appboot.budget" in properties, f"{path}: budget of {case.name}")
    suite = next(iter(suites))
    check(suite.failures == failures + extra, f"{path}: {suite.failures} failures")
    check(suite.tests == len(cases), f"{path}: {suite.tests} tests")
    return f"{len(cases)} cases, {suite.failures} failures, {suite.skipped} skipped, {len(by_name)} names"


def read_otlp(path, record):
    document = json.loads(path.read_text())
    # OTLP writes ids in hexadecimal; the JSON mapping of Protocol Buffers uses base64.
    def convert(value):
        if isinstance(value, dict):
            for key, item in value.items():
                if key in ("traceId", "spanId", "parentSpanId"):
                    value[key] = base64.b64encode(bytes.fromhex(item)).decode()
                else:
                    convert(item)
        elif isinstance(value, list):
            for item in value:
                convert(item)
    convert(document)
    data = json_format.ParseDict(document, TracesData())
    spans = [s for r in data.resource_spans for scope in r.scope_spans for s in scope.spans]
    check(all(len(s.trace_id) == 16 and len(s.span_id) == 8 for s in spans), f"{path}: ids")
    roots = [s for s in spans if not s.parent_span_id]
    check(len(roots) == 1 and roots[0].name == record["name"], f"{path}: root")
    for step in record["steps"]:
        if "start" not in step or "end" not in step:
            continue
        span = next(s for s in spans for a in s.attributes
                    if a.key == "appboot.step.id" and a.value.string_value == step["id"])
        start = span.start_time_unix_nano - roots[0].start_time_unix_nano
        check(start == step["start"], f"{path}: start of {span.name}")
        check(span.end_time_unix_nano - span.start_time_unix_nano == step["running"], f"{path}: {span.name}")
        is_error = span.status.code == Status.StatusCode.STATUS_CODE_ERROR
        check(is_error == (step["state"] in FAILED), f"{path}: status of {span.name}")
    return f"{len(spans)} spans, {sum(len(s.links) for s in spans)} links"


NEEDS = {"M": {"args"}, "X": {"ts", "dur"}, "b": {"ts", "id", "cat"}, "e": {"ts", "id", "cat"},
         "s": {"ts", "id", "cat"}, "f": {"ts", "id", "cat", "bp"}, "i": {"ts", "s"},
         "C": {"ts", "args"}}
METADATA = {"process_name": {"name"}, "thread_name": {"name"}, "thread_sort_index": {"sort_index"}}


def check_trace_format(path, events):
    """Checks the rules of "Trace Event Format" (Google, 2016) for each phase, beyond its members."""
    for event in events:
        for key in ("ts", "dur"):
            check(isinstance(event.get(key, 0), (int, float)) and event.get(key, 0) >= 0, f"{path}: {key} of {event}")
        if event["ph"] == "M":
            check(set(event["args"]) == METADATA[event["name"]], f"{path}: metadata {event}")
        if event["ph"] == "i":
            check(event["s"] in ("g", "p", "t"), f"{path}: scope of {event}")
        if event["ph"] == "C":
            check(all(count >= 0 for count in event["args"].values()), f"{path}: count of {event}")
    # Complete events of a thread nest: each is inside the enclosing one or after the previous one, in whole nanoseconds.
    for thread in {e["tid"] for e in events}:
        open_until = []
        slices = [(round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000), e["name"])
                  for e in events if e["ph"] == "X" and e["tid"] == thread]
        for start, end, name in sorted(slices, key=lambda s: (s[0], -s[1])):
            while open_until and open_until[-1] <= start:
                open_until.pop()
            check(not open_until or end <= open_until[-1], f"{path}: {name} does not nest in thread {thread}")
            open_until.append(end)
    # Asynchronous events and arrows come in pairs with the same id and category, in order.
    for first, last in (("b", "e"), ("s", "f")):
        ends = [{(e["cat"], e["id"]): e for e in events if e["ph"] == phase} for phase in (first, last)]
        check(ends[0].keys() == ends[1].keys(), f"{path}: {first} and {last} do not form pairs")
        counts = sum(e["ph"] in (first, last) for e in events)
        check(counts == 2 * len(ends[0]), f"{path}: an id of {first} is used twice")
        for key, event in ends[0].items():
            check(event["ts"] <= ends[1][key]["ts"], f"{path}: {event} ends before it begins")


def read_trace(path, record):
    trace = json.loads(path.read_text())
    check(trace["displayTimeUnit"] in ("ms", "ns"), f"{path}: unit")
    events = trace["traceEvents"]
    threads = {e["tid"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    for event in events:
        check(event["ph"] in NEEDS, f"{path}: phase {event['ph']}")
        missing = ({"name", "pid", "tid"} | NEEDS[event["ph"]]) - event.keys()
        check(not missing, f"{path}: {event} lacks {missing}")
        check(event["name"] == "process_name" or event["tid"] in threads, f"{path}: thread of {event}")
    check_trace_format(path, events)
    slices = {e["name"]: e for e in events if e["ph"] == "X" and e["cat"] == "step"}
    for step in record["steps"]:
        if "end" in step and "start" in step:
            event = slices[step["id"]]
            check(round(event["ts"] * 1000) == step["start"], f"{path}: start of {step['id']}")
            check(round(event["dur"] * 1000) == step["running"], f"{path}: duration of {step['id']}")
    for start in (e for e in events if e["ph"] == "s"):
        around = [e for e in slices.values() if e["tid"] == start["tid"]
                  and e["ts"] <= start["ts"] <= e["ts"] + e["dur"]]
        check(around, f"{path}: no slice at the start of an arrow: {start}")
    return f"{len(events)} events, {len(threads)} threads"


def read_svg(path, record):
    document = xml.dom.minidom.parse(str(path))
    check(not document.getElementsByTagName("script"), f"{path}: a script")
    return f"{len(document.getElementsByTagName('rect'))} rectangles"


def main(directory):
    for source in sorted(pathlib.Path(directory).glob("*.json")):
        record = json.loads(source.read_text())
        for kind, read in (("junit", read_junit), ("otlp", read_otlp), ("trace", read_trace), ("svg", read_svg)):
            print(f"{source.stem}.{kind}: {read(source.with_suffix('.' + kind), record)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
