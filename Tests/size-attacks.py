#!/usr/bin/env python3
"""Gives the tool inputs of less than 1 MB that are wrong many times over, and limits what an answer may cost.

    Tests/size-attacks.py APPBOOT [--only TEXT] [--times]

Each shape runs one subcommand, which uses at most 4 s of CPU time (the goal is 2 s), ends within 40 s with the right
exit code and not by a signal, holds at most 200 MB of resident memory, prints at most 1 MB, and leaves at most 1 MB of
records and journals. Without Linux the memory is not measured. `--times` prints the table, also if no limit is broken.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

# Twice the goal, for a slow machine.
SECONDS = 4.0
RESIDENT = 200 * 1000 * 1000
BYTES = 1000 * 1000
INVALID = 3

SHAPES = []


def shape(name, arguments=("validate", "m.json"), code=INVALID):
    """Registers a function that writes a shape's files into a folder."""
    def add(write):
        SHAPES.append((name, list(arguments), code, write))
        return write
    return add


def save(folder, name, content):
    text = content if isinstance(content, str) else json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    data = text.encode("utf-8", "surrogatepass")
    assert len(data) <= BYTES, f"{name} has {len(data)} bytes"
    (folder / name).write_bytes(data)


def manifest(folder, commands, **members):
    save(folder, "m.json", {"version": 1, **members, "commands": commands})


def say(identifier, **members):
    return {"command": "Say", "id": identifier, "with": {"text": "x"}, **members}


def screens(routes, table, default="Home"):
    return {"command": "InitialScreen", "with": {"default": default, "routes": routes, "screens": table}}


# Commands and their parameters


@shape("4,000 routes to missing screens")
def _(folder):
    table = {f"Screen{n}": {"title": "t"} for n in range(4000)}
    manifest(folder, [screens([{"screen": f"Missing{n}"} for n in range(4000)], table)])


@shape("10,000 routes to missing screens")
def _(folder):
    manifest(folder, [screens([{"screen": f"Missing{n}"} for n in range(10000)], {"Home": {"title": "t"}})])


@shape("a placeholder without a value on 4,000 screens and routes")
def _(folder):
    table = {f"Screen{n}": {"title": "{id}{name}"} for n in range(4000)}
    manifest(folder, [screens([{"screen": f"Screen{n}"} for n in range(4000)], table, "Screen0")])


@shape("1,000 unknown placeholders on a screen of 4,000 routes")
def _(folder):
    text = "".join(f"{{p{n}}}" for n in range(1000))
    routes = [{"url": f"a://b/{{q{n}}}", "screen": "Home"} for n in range(4000)]
    manifest(folder, [screens(routes, {"Home": {"title": text}})])


@shape("300,000 numbers in arguments")
def _(folder):
    manifest(folder, [{"command": "RunProcess", "with": {"arguments": [1] * 300000}}])


@shape("300,000 numbers in arguments, run", ("run", "m.json", "--no-state"))
def _(folder):
    manifest(folder, [{"command": "RunProcess", "with": {"arguments": [1] * 300000}}])


@shape("60,000 unknown placeholders in arguments")
def _(folder):
    manifest(folder, [{"command": "RunProcess", "with": {"arguments": ["{launch.a}"] * 60000}}])


@shape("10,000 outputs of unknown steps in arguments")
def _(folder):
    manifest(folder, [{"command": "RunProcess", "with": {
        "arguments": ["true"] + [f"{{step.s{n}.output}}" for n in range(10000)]}}])


@shape("5,000 outputs of steps that come later")
def _(folder):
    steps = [{"command": "RunProcess", "id": f"e{n}", "with": {"arguments": ["echo", "{step.e%d.output}" % (n + 1)]}}
             for n in range(5000)]
    manifest(folder, steps + [say("e5000")])


@shape("5,000 values of the context that come later")
def _(folder):
    manifest(folder, [{"command": "Say", "id": f"e{n}", "with": {"text": "{context.theme}"}} for n in range(5000)]
             + [{"command": "Appearance", "with": {"theme": "auto"}}])


@shape("10,000 placeholders on a screen of 8,000 routes")
def _(folder):
    routes = [{"url": f"a://b/{{q{n}}}", "screen": "Home"} for n in range(8000)]
    text = "".join(f"{{q{n}}}" for n in range(10000))
    manifest(folder, [screens(routes, {"Home": {"title": text}})])


@shape("10,000 unknown parameters")
def _(folder):
    manifest(folder, [{"command": "RunProcess", "with": {"arguments": ["true"], **{
        f"parameter{n}": n for n in range(10000)}}}])


@shape("60,000 wrong variables in environment")
def _(folder):
    manifest(folder, [{"command": "RunProcess", "with": {"arguments": ["true"], "environment": {
        f"V{n}": 1 for n in range(60000)}}}])


@shape("30,000 names of variables that are not allowed")
def _(folder):
    manifest(folder, [{"command": "RunProcess", "environment": {f"V={n}": "" for n in range(30000)},
                       "with": {"arguments": ["true"]}}])


@shape("8,000 wrong types")
def _(folder):
    manifest(folder, [{"command": "RunProcess", "id": 1, "with": {"arguments": 1}, "timeout": 1, "after": 1}] * 8000)


# Entries


@shape("10,000 unknown commands")
def _(folder):
    manifest(folder, [{"command": f"Unknown{n}"} for n in range(10000)])


@shape("10,000 duplicate ids")
def _(folder):
    manifest(folder, [say("same")] * 10000)


@shape("5,000 unknown ids on one line in after")
def _(folder):
    manifest(folder, [say("first"), say("last", after=[f"unknown{n}" for n in range(5000)])])


@shape("5,000 unknown ids among 5,000 entries")
def _(folder):
    manifest(folder, [say(f"entry-number-{n}", after=[f"entri-numbre-{n}x"]) for n in range(5000)])


@shape("10,000 equal ids in after")
def _(folder):
    manifest(folder, [say("first"), say("last", after=["first"] * 10000)])


@shape("60,000 unknown keys in an entry")
def _(folder):
    manifest(folder, [say("first", **{f"key{n}": 1 for n in range(60000)})])


@shape("a cycle of 8,000 entries")
def _(folder):
    manifest(folder, [say(f"entry-{n}", after=[f"entry-{(n + 1) % 8000}"]) for n in range(8000)])


@shape("4,000 cycles of two entries")
def _(folder):
    manifest(folder, [say(f"entry-{n}", after=[f"entry-{n ^ 1}"]) for n in range(8000)])


@shape("700 entries that all wait for each other")
def _(folder):
    names = [f"e{n}" for n in range(350)]
    manifest(folder, [say(name, after=[other for other in names if other != name]) for name in names])


@shape("10,000 unknown events")
def _(folder):
    manifest(folder, [say("first")], on={f"event{n}": [] for n in range(10000)})


@shape("5,000 rollbacks that roll nothing back", code=0)
def _(folder):
    manifest(folder, [say(f"entry-{n}", onFailure="rollback") for n in range(5000)])


@shape("5,000 budgets above their timeout, listed", ("list", "m.json"), code=0)
def _(folder):
    manifest(folder, [say(f"entry-{n}", budget="2s", timeout="1s") for n in range(5000)])


@shape("10,000 selected steps that do not exist",
       ("run", "m.json", "--no-state", "--only", ",".join(f"x{n}" for n in range(10000))), code=2)
def _(folder):
    manifest(folder, [say(f"entry-{n}") for n in range(8000)])


@shape("10,000 includes that do not exist")
def _(folder):
    manifest(folder, [], include=[f"missing-{n}.json" for n in range(10000)])


@shape("600 included files with mistakes")
def _(folder):
    for number in range(600):
        save(folder, f"part-{number}.json", {"version": 1, "commands": [{"command": "Unknown"}, 1, 2, 3]})
    manifest(folder, [], include=[f"part-{n}.json" for n in range(600)])


# The text


def text_shape(name, text, *rest):
    """Registers the shape of a manifest with this text."""
    shape(name, *rest)(lambda folder: save(folder, "m.json", text))


text_shape("80,000 equal keys in one object", '{"version":1,"commands":[],' + ",".join(['"key":1'] * 80000) + "}")
text_shape(
    "20,000 equal keys on lines of their own, as JSON",
    '{"version":1,"commands":[],' + ",\n".join(['"key":1'] * 20000) + "}", ("validate", "m.json", "--format", "json"))
text_shape(
    "20,000 equal keys, as workflow commands",
    '{"version":1,"commands":[],' + ",\n".join(['"key":1'] * 20000) + "}", ("validate", "m.json", "--format", "github"))
text_shape("400,000 values without a comma", '{"version":1,"commands":[' + "1 " * 400000 + "]}")
text_shape("a nesting of 400,000 lists", '{"version":1,"commands":[' + "[" * 400000 + "]" * 400000 + "]}")
text_shape("a nesting of 900,000 lists that never end", '{"version":1,"commands":[' + "[" * 900000)
text_shape("a line of 900 KB with an error at its end", '{"version":1,"name":"' + "x" * 900000 + '","commands":[}')
text_shape("a line of 900 KB that is wrong as a whole", '{"version":1,"commands":{"a":"' + "é" * 450000 + '"}}')
text_shape(
    "a line of one character with 400,000 marks",
    '{"version":1,"name":"a' + "\u0301" * 400000 + '","commands":[}')
text_shape("450,000 control characters in a name", '{"version":1,"name":"' + "\x01" * 900000 + '","commands":[]}')
text_shape("a string of 900 KB that never ends", '{"version":1,"name":"' + 'x' * 900000)
text_shape("300,000 wrong escapes", '{"version":1,"name":"' + "\\q" * 300000 + '","commands":[]}')
text_shape("a manifest of 900 KB of digits", '{"version":' + "1" * 900000 + ',"commands":[]}')


@shape("names of 900 KB")
def _(folder):
    long = "n" * 150000
    manifest(folder, [{"command": long, "id": long, "after": [long], long: 1, "with": {long: 1}}], name=long)


@shape("900 KB that are not JSON")
def _(folder):
    (folder / "m.json").write_bytes(bytes([0xC3, 0x28]) * 450000)


# Outputs


@shape("a last line of output of 200 KB",
       ("run", "m.json", "--state", "state", "--record", "r.json", "--quiet"), code=0)
def _(folder):
    script = "head -c 200000 /dev/zero | tr '\\0' x"
    manifest(folder, [{"command": "RunProcess", "id": "long", "with": {"arguments": ["sh", "-c", script]}}])


@shape("200 lines of output of 20 KB, and a failure",
       ("run", "m.json", "--state", "state", "--record", "r.json"), code=1)
def _(folder):
    script = "for i in $(seq 200); do head -c 20000 /dev/zero | tr '\\0' x; echo; done; exit 1"
    manifest(folder, [{"command": "RunProcess", "id": "long", "with": {"arguments": ["sh", "-c", script]}}])


# Records


# The longest time that a reader accepts: ten years.
YEARS = 315_576_000 * 1_000_000_000


def record(count, duration=1000, **members):
    steps = [{"id": f"step-{n}", "command": "Say", "lane": "main", "after": [], "onFailure": "stop",
              "state": "succeeded", "ready": 0, "start": 0, "end": duration, **members} for n in range(count)]
    return {"format": "appboot-record", "version": 1, "name": "launch", "launch": {"reason": "normal"},
            "startedAt": "2026-01-01T00:00:00.000Z", "outcome": "succeeded", "duration": duration, "steps": steps}


def event(duration):
    body = record(1, duration)
    for key in ("format", "version", "name"):
        del body[key]
    return {"event": "didBecomeActive", "at": 0, "start": 0, **body}


def register_reports(formats):
    for name in formats:
        @shape(f"a record of 29 handlers of ten years, as {name}", ("report", "r.json", "--format", name), code=0)
        def _(folder):
            save(folder, "r.json", {**record(2, YEARS), "events": [event(YEARS) for _ in range(29)]})

        @shape(f"a record of 60 steps of ten years, as {name}", ("report", "r.json", "--format", name), code=0)
        def _(folder):
            content = record(60, YEARS)
            for number, step in enumerate(content["steps"]):
                step["after"] = [f"step-{number - 1}"] if number else []
            save(folder, "r.json", {**content, "startedAt": "2200-12-31T23:59:59.000Z"})


register_reports(["text", "markdown", "junit", "github", "trace", "otlp", "svg", "html"])


@shape("a record of 4,000 steps of unknown state", ("report", "r.json"))
def _(folder):
    save(folder, "r.json", record(4000, state="unknown", lane=7))


@shape("a record with 10,000 unknown causes", ("report", "r.json"))
def _(folder):
    save(folder, "r.json", record(1, after=[f"x{n}" for n in range(10000)]))


def lines(folder, name, records):
    save(folder, name, "".join(json.dumps(item, separators=(",", ":")) + "\n" for item in records))


@shape("3,000 launches against 3,000", ("compare", "a.jsonl", "b.jsonl"), code=0)
def _(folder):
    for name, time in (("a.jsonl", 1_000_000), ("b.jsonl", 1_300_000)):
        lines(folder, name, [record(1, time + 7919 * n % 100_000) for n in range(3000)])


@shape("a record of 4,000 steps against one of 4,000 other steps", ("compare", "a.json", "b.json"), code=0)
def _(folder):
    for name, first in (("a.json", 0), ("b.json", 2000)):
        content = record(4000)
        for number, step in enumerate(content["steps"]):
            step["id"] = f"step-{first + number * 7919 % 4000}"
        save(folder, name, content)


@shape("a record of 900,000 brackets", ("compare", "a.json", "b.json"))
def _(folder):
    for name in ("a.json", "b.json"):
        save(folder, name, '{"format":"appboot-record","steps":' + "[" * 900000)


@shape("a history of 75,000 damaged lines", ("history", "state"), code=4)
def _(folder):
    (folder / "state" / "records").mkdir(parents=True)
    save(folder, "state/history.jsonl", '{"plan":"x"\n' * 75000)


@shape("a history of 8,000 launches of a plan", ("history", "state"), code=0)
def _(folder):
    (folder / "state" / "records").mkdir(parents=True)
    plan = '{"plan":"a","version":1,"name":"a","steps":["a"]}\n'
    launch = '{"startedAt":"2026-01-01T00:00:00.000Z","plan":"a","duration":%d,"outcome":"succeeded","microseconds":[%d]}\n'
    save(folder, "state/history.jsonl", plan + "".join(launch % (1000 * n, n) for n in range(8000)))


@shape("a directory of 200 records of 200 steps each", ("history", "records"), code=0)
def _(folder):
    (folder / "records").mkdir()
    for number in range(200):
        content = {**record(200), "startedAt": f"2026-01-01T00:{number // 60:02}:{number % 60:02}.000Z"}
        save(folder, f"records/{number}.json", content)


def save_log(folder, content, times=b""):
    directory = folder / "state" / "logs" / "20260101T000000.000Z-1"
    directory.mkdir(parents=True)
    (folder / "state" / "records").mkdir()
    (directory / "web.log").write_bytes(content)
    if times:
        (directory / "web.times").write_bytes(times)


@shape("a log of 100 KB of controls in one line, with 900 KB of times", ("logs", "state"), code=0)
def _(folder):
    save_log(folder, b"\x1b[" * 50000, times=b"\xff" * 900000)


@shape("a log of 100,000 empty lines", ("logs", "state"), code=0)
def _(folder):
    save_log(folder, b"\n" * 100000)


@shape("a record whose line of output has 900 KB, as JUnit", ("report", "r.json", "--format", "junit"), code=0)
def _(folder):
    save(folder, "r.json", record(1, lastOutput="x" * 900000))


@shape("a journal of 100,000 torn lines", ("report", "r.jsonl"))
def _(folder):
    save(folder, "r.jsonl", '{"torn"\n' * 100000)


# The measurement


class Outcome:
    def __init__(self, code, seconds, resident, printed, kept, first):
        self.code, self.seconds, self.resident = code, seconds, resident
        self.printed, self.kept, self.first = printed, kept, first

    def mistakes(self, code):
        found = []
        if self.code is None:
            found.append(f"it did not end within {10 * SECONDS:.0f} s")
        elif self.code < 0:
            found.append(f"it was killed by signal {-self.code}")
        elif self.code != code:
            found.append(f"exit code {self.code}, not {code}: {self.first}")
        if self.seconds > SECONDS:
            found.append(f"{self.seconds:.2f} s of CPU time")
        if self.resident > RESIDENT:
            found.append(f"{self.resident / 1e6:.0f} MB of memory")
        if self.printed > BYTES:
            found.append(f"{self.printed / 1e6:.1f} MB of output")
        if self.kept > BYTES:
            found.append(f"{self.kept / 1e6:.1f} MB of records")
        return found


def records_in(folder):
    return sum(path.stat().st_size for path in folder.rglob("*")
               if path.is_file() and (path.suffix in (".jsonl", ".json") and path.name != "m.json"))


def measure(appboot, arguments, folder):
    given = records_in(folder)
    outputs = [folder / "out", folder / "err"]
    with open(outputs[0], "wb") as out, open(outputs[1], "wb") as err:
        deadline = time.monotonic() + 10 * SECONDS
        process = subprocess.Popen(
            [appboot, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        pid = 0
        while pid == 0 and time.monotonic() < deadline:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid == 0:
                time.sleep(0.002)
        if pid == 0:
            process.kill()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = code = None
        else:
            code = os.waitstatus_to_exitcode(status)
        process.returncode = -9 if code is None else code
    seconds = usage.ru_utime + usage.ru_stime
    resident = usage.ru_maxrss * 1024 if sys.platform == "linux" else 0
    printed = sum(path.stat().st_size for path in outputs)
    kept = records_in(folder) - given
    lines = outputs[1].read_bytes()[:200].decode("utf-8", "replace").splitlines()
    return Outcome(code, seconds, resident, printed, max(0, kept), lines[0] if lines else "no message")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("appboot")
    parser.add_argument("--only", default="")
    parser.add_argument("--times", action="store_true")
    options = parser.parse_args()
    appboot = os.path.abspath(options.appboot)
    failures = 0
    chosen = [item for item in SHAPES if options.only in item[0]]
    for name, arguments, code, write in chosen:
        with tempfile.TemporaryDirectory(prefix="appboot-size-") as path:
            folder = pathlib.Path(path)
            write(folder)
            outcome = measure(appboot, arguments, folder)
        mistakes = outcome.mistakes(code)
        failures += bool(mistakes)
        if options.times:
            print(f"| {name} | {outcome.seconds:.2f} s | {outcome.resident / 1e6:.0f} MB "
                  f"| {outcome.printed / 1e3:.0f} KB | {'; '.join(mistakes)} |", flush=True)
        elif mistakes:
            print(f"size-attacks: {name}: {'; '.join(mistakes)}", flush=True)
    if failures:
        print(f"size-attacks: {failures} of {len(chosen)} shapes cost too much")
        sys.exit(1)
    print(f"size-attacks: {len(chosen)} shapes within {SECONDS:.0f} s of CPU time and {RESIDENT // 1000000} MB")


if __name__ == "__main__":
    main()
