#!/usr/bin/env python3
"""Puts hostile texts into every field that comes from elsewhere, and parses what the tool then prints.

    Tests/injections.py APPBOOT [--only TEXT] [--verbose]

Each of the texts is in the names, notes, messages and outputs of a manifest, a record, a process, an app that stays,
and the command line. One record has a hostile text in every member that the schema of records (`schema record`) has.
Every subcommand and format prints them, with and without GitHub Actions. JSON, XML, markup and graphs of records do not
depend on GitHub Actions, and are printed once. Then:

- no output has a control character but the tab, also none of the C1 set, and no direction character,
- JSON is JSON with the same texts, JUnit XML and SVG are XML,
- markup, Markdown and graphs have the elements, attributes and structure that they have with a harmless text,
- under GitHub Actions no line is a workflow command, except the tool's own annotations.

If an output breaks a rule, the fields are filled one at a time, to name the field.
"""

import argparse
import concurrent.futures
import copy
import functools
import html.parser
import itertools
import json
import multiprocessing
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

TEXTS = {
    "a colour": "\x1b[38;5;123mx", "a cursor": "\x1b[2J\x1b[1;1Hx", "a title": "\x1b]0;x\x07", "a link": "\x1b]8;;a:b\x1b\\x",
    "a device report": "\x1b[6n", "a bell": "x\x07", "a backspace": "x\x08\x08", "a tab": "x\ty", "a zero byte": "x\0y",
    "a delete": "x\x7f", "a C1 sequence": "\x9b31mx", "a C1 string": "\x90x\x9c", "a next line": "x\x85y",
    "a carriage return": "x\ry", "a line feed": "x\ny", "a line separator": "x\u2028y", "a vertical tab": "x\vy\fz",
    "an override": "\u202ex", "an isolate": "\u2066x", "direction marks": "\u200e\u200f\u061cx", "a zero width space": "\u200bx\ufeff",
    "a mark": "\u0301\u0301x", "tags": "x\U000E0001\U000E0041\U000E007F",
    "a noncharacter": "x\ufffe\uffff", "a private character": "x\ue000\U000f0000", "a picture": "\U0001F468\u200D\U0001F469",
    "a workflow command": "::error file=a,line=1::x", "one after a line feed": "x\n::set-output name=a::b",
    "one after a carriage return": "x\r::add-mask::y", "one after a tab": " \t::stop-commands::x",
    "one that is encoded": "x%0A::error::y", "an annotation": "##[error]x", "one of Azure": "##vso[task.complete]x",
    "one of TeamCity": "##teamcity[message text='x']", "a script": "<script>alert(1)</script>",
    "an end of a script": "</script><svg onload=alert(1)>", "an attribute": "\" onmouseover=\"x' a='b", "a comment": "--><!--",
    "character data": "]]><a/>", "references": "&amp;&#0;&lt;&x;", "Markdown": "|`x`|\n```\n# y\n[a](b)![c](d)*e*",
    "a mention": "@user #1 www.example.com https://example.com", "a graph": "x\"];y[z=\"a", "a quote with a mark": "x\"\u0301];y[z=\"",
    "an escape": "x\\", "a format": "%s%n{}{x}$(x)`x`${x}",
}
HARMLESS = "plain"
assert len(TEXTS) == 46
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
CI = {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": "/nowhere"}
OWN_COMMAND = re.compile(r"::(error|warning|notice)( [a-zA-Z]+=[^,:]*(,[a-zA-Z]+=[^,:]*)*)?::[^\n]*|::stop-commands::[0-9a-f]{32}"
                         r"|::[0-9a-f]{32}::|::group::[^\n]*|::endgroup::")
# What stands for the hostile text in a template.
MARK = "@@"

# The fields


def filled(template, text, only=None):
    """Returns a template with the text in place of its marks, or only in place of the one with this number."""
    numbers = itertools.count()

    def fill(value):
        if isinstance(value, str):
            while MARK in value:
                number = next(numbers)
                value = value.replace(MARK, text if only in (None, number) else HARMLESS, 1)
            return value
        if isinstance(value, dict):
            return {fill(key): fill(item) for key, item in value.items()}
        return [fill(item) for item in value] if isinstance(value, list) else value

    result = fill(template)
    return result, next(numbers)


def record(outcome, **members):
    def step(identifier, state, **more):
        return {"id": identifier, "command": "@@ command", "lane": "main", "after": [], "onFailure": "stop",
                "comment": "@@ comment", "file": "@@ file.json", "line": 1, "column": 1, "state": state, "ready": 0,
                "start": 1000, "end": 2000000, **more}
    failure = {"message": "@@ message", "type": "@@ type", "causes": ["@@ cause", "@@ other"]}
    steps = [
        step("1 step", "succeeded", note="@@ note", announcement="@@ announcement", lastOutput="@@ output",
             spans=[{"name": "@@ span", "id": 0, "start": 1000, "end": 2000, "error": "@@ error"}], provides=["@@ value"],
             reads=["@@ read"], emitted=[{"event": "@@ event", "payload": "@@ payload"}],
             undo={"start": 3000000, "end": 4000000, "failure": failure}),
        step("2 step", "failed", failure=failure, budget=1, overran=True, lastOutput="@@ output",
             attempts=[{"start": 1000, "end": 5000, "failure": failure}, {"start": 6000, "end": 2000000}]),
        step("3 step", "timedOut", failure=failure, onFailure="continue", timeout=1),
        step("4 step", "skipped", reason={"kind": "condition", "text": "@@ reason"}),
        step("5 step", "cancelled", reason={"kind": "requested", "text": "@@ reason"}),
    ]
    for skipped in steps[3:]:
        del skipped["ready"], skipped["start"]
    if outcome == "running":
        steps[0].update(state="running", lastOutput="@@ output")
        del steps[0]["end"]
    return {"format": "appboot-record", "version": 1, "name": "@@ name", "tool": {"name": "@@ tool", "version": "@@ 1"},
            "manifest": {"path": "@@ commands.json", "digest": "@@"},
            "host": {"system": "@@ system", "release": "@@", "architecture": "@@", "processor": "@@", "cores": 1},
            "launch": {"reason": "url", "url": "@@ url", "payload": "@@ payload"}, "startedAt": "2026-07-28T09:05:03.250Z",
            "outcome": outcome, "duration": 5000000, "steps": steps, **members}


def identified(template):
    """Returns the record with hostile ids: an id is one field, wherever it occurs."""
    def name(value):
        if isinstance(value, str):
            return re.sub(r"^(\d) step$", r"@@ \1 step", value)
        if isinstance(value, dict):
            return {key: name(item) for key, item in value.items()}
        return [name(item) for item in value] if isinstance(value, list) else value
    return name(template)


def records():
    follow = {key: value for key, value in record("failed", failedStep="2 step").items() if key not in ("format", "version", "name")}
    return {
        "a record that failed": record("failed", failedStep="2 step"),
        "a record of hostile ids": identified(record("failed", failedStep="2 step")),
        "a record that timed out": record("timedOut", timeout=5, reason={"kind": "deadline", "text": "@@ reason"}),
        "a record that was cancelled": record(
            "cancelled", reason={"kind": "requested", "text": "@@ reason"},
            safeMode={"culprits": ["@@"], "level": "culprits", "reason": "@@ safe mode"}),
        "a record that runs": record("running"),
        "a record with handlers": record("succeeded", events=[
            {**follow, "event": "@@ event", "scene": "@@ scene", "at": 1}]),
    }


def texts_of(schema, definitions):
    """Returns a value of a schema with hostile texts; None if it has none."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rsplit("/", 1)[1]]
    if "enum" in schema or "const" in schema:
        return None
    if schema.get("type") == "string":
        return "@@ text"
    if schema.get("type") == "array":
        item = texts_of(schema.get("items", {}), definitions)
        return None if item is None else [item]
    if isinstance(schema.get("additionalProperties"), dict):
        item = texts_of(schema["additionalProperties"], definitions)
        return None if item is None else {"@@ key": item}
    if "properties" in schema:
        found = {}
        for name, member in schema["properties"].items():
            value = texts_of(member, definitions)
            if value is None and name in schema.get("required", []):
                target = definitions[member["$ref"].rsplit("/", 1)[1]] if "$ref" in member else member
                value = target["enum"][0] if "enum" in target else target.get("const", 1 if target.get("type") == "integer" else None)
            if value is not None:
                found[name] = value
        return found
    return None


def complete(appboot, template):
    """Returns the record with each further member of the schema that the reader accepts, and the names of the others."""
    schema = json.loads(subprocess.run([appboot, "schema", "record"], capture_output=True, check=True).stdout)
    definitions, missing = schema["$defs"], set()
    template = copy.deepcopy(template)

    def is_accepted():
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(json.dumps(filled(template, HARMLESS)[0]))
            file.flush()
            return subprocess.run([appboot, "report", file.name], capture_output=True, check=False).returncode == 0

    def visit(value, shape, place):
        shape = definitions[shape["$ref"].rsplit("/", 1)[1]] if "$ref" in shape else shape
        if isinstance(value, list):
            for item in value:
                visit(item, shape.get("items", {}), place)
        if not isinstance(value, dict):
            return
        for name, member in shape.get("properties", {}).items():
            if name in value:
                visit(value[name], member, f"{place}.{name}")
            elif (text := texts_of(member, definitions)) is not None:
                value[name] = text
                if not is_accepted():
                    del value[name]
                    missing.add(f"{place}.{name}")

    visit(template, schema, "record")
    return template, missing


def wrong_manifest():
    screens = {"default": "@@ a", "routes": [{"url": "@@ b", "screen": "@@ c"}], "screens": {"@@ d": {"title": "@@ {e"}}}
    return {
        "version": "@@", "name": "@@ name", "@@ key": 1, "budget": "@@ budget", "timeout": "@@ timeout", "include": ["@@ file"],
        "secretPattern": "@@ (", "environment": {"files": ["@@ file"]}, "on": {"@@ event": []}, "defaults": {"@@ key": 1},
        "commands": [
            "@@ command", {"command": "@@ command", "id": "@@ id", "after": ["@@ after"], "@@ key": 1},
            {"command": "Say", "id": "@@ id", "with": {"@@ key": 1}, "onFailure": "@@ policy"},
            {"command": "Say", "id": "@@ id", "with": {"text": 1}, "when": {"platform": "@@ platform", "@@ key": 1}},
            {"command": "RunProcess", "id": "p", "timeout": "@@ duration", "retry": {"attempts": 2, "backoff": "@@ backoff"},
             "with": {"arguments": ["{@@"], "environment": {"@@=": "x"}, "expect": "@@"}},
            {"command": "InitialScreen", "with": screens},
            {"command": "WaitFor", "with": {"http": "@@ url", "tcp": "@@ address"}},
            {"command": "HTTPRequest", "with": {"url": "@@ url", "headers": {"@@ name": "@@"}}},
            {"command": "CheckEnvironment", "with": {"commands": {"@@ x": "@@ version"}}},
            {"command": "Appearance", "with": {"theme": "@@ theme", "accent": "@@ colour"}},
        ],
    }


def right_manifest(fails):
    script = 'printf "%s\\n" "$TEXT"; printf "%s\\n" "$TEXT" >&2; exit ' + ("3" if fails else "0")
    return {
        "version": 1, "name": "@@ name", "x-note": "@@",
        "commands": [
            {"command": "Say", "id": "@@ say", "comment": "@@ comment", "with": {"text": "@@ text"}},
            {"command": "Say", "id": "skipped", "when": {"environment": "NOT_SET"}, "with": {"text": "x"}},
            {"command": "RunProcess", "id": "@@ run", "onFailure": "continue" if fails else "stop",
             "with": {"arguments": ["sh", "-c", script]}},
            {"command": "RunProcess", "id": "missing", "onFailure": "continue", "with": {"arguments": ["./@@ missing"]}},
            {"command": "CheckEnvironment", "id": "check", "onFailure": "continue",
             "with": {"variables": [{"name": "NOT_SET", "hint": "@@ hint"}], "files": [{"path": "@@ file"}]}},
            {"command": "Appearance", "id": "@@ theme", "after": [], "with": {"theme": "dark"}},
        ],
        "on": {"didBecomeActive": [{"command": "Say", "id": "@@ event", "with": {"text": "@@ text"}}]},
    }


# The rules


class Broken(Exception):
    pass


def check_characters(text):
    if character := FORBIDDEN.search(text):
        raise Broken(f"it has U+{ord(character[0]):04X}")


def check_inert(text, is_annotation=False):
    if not is_annotation and "::" not in text and "##" not in text:
        return
    lines = re.split("[\n\r\u2028\u2029\x85]", text)
    stop = None
    for line in lines:
        if stop:
            stop = None if line == f"::{stop}::" else stop
            continue
        if re.search(r"##\[|##vso\[|##teamcity\[", line):
            # The runner takes the first command of a line.
            if not OWN_COMMAND.fullmatch(line):
                raise Broken(f"it has a logging command: {line[:200]!r}")
        if line.lstrip().startswith("::"):
            if not OWN_COMMAND.fullmatch(line):
                raise Broken(f"it has a workflow command: {line[:200]!r}")
            stop = line[len("::stop-commands::"):] if line.startswith("::stop-commands::") else None
        elif is_annotation and line:
            raise Broken(f"a line is no annotation: {line[:200]!r}")


def strict_json(text):
    def unique(pairs):
        if len({key for key, _ in pairs}) != len(pairs):
            raise Broken("an object has a key twice")
        return dict(pairs)
    try:
        return json.loads(text, object_pairs_hook=unique)
    except ValueError as error:
        raise Broken(f"it is not JSON: {error}") from error


def shape_of_json(value, text):
    """Returns the JSON with the harmless text in place of the hostile one, so that two outputs can be compared."""
    if isinstance(value, str):
        return value.replace(text, HARMLESS)
    if isinstance(value, dict):
        return {key.replace(text, HARMLESS): shape_of_json(item, text) for key, item in value.items()}
    return [shape_of_json(item, text) for item in value] if isinstance(value, list) else value


def shape_of_xml(text):
    if re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", text):
        raise Broken("it has a character that XML forbids")
    try:
        root = xml.etree.ElementTree.fromstring(text)
    except xml.etree.ElementTree.ParseError as error:
        raise Broken(f"it is not XML: {error}") from error
    return [(element.tag, sorted(element.attrib)) for element in root.iter()]


class Elements(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=False)
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, [name for name, _ in attributes]))

    def handle_endtag(self, tag):
        self.found.append((tag, None))

    def handle_comment(self, data):
        self.found.append(("comment", []))

    def handle_decl(self, decl):
        self.found.append(("declaration", []))


def shape_of_html(text):
    parser = Elements()
    parser.feed(text)
    parser.close()
    return parser.found


def shape_of_markdown(text):
    """Returns the Markdown without its code and its bold verdicts, which contain the hostile texts."""
    without = re.sub(r"<pre>\n.*?\n</pre>", "PRE", text, flags=re.DOTALL)
    code = re.findall(r"<code>(.*?)</code>|<pre>\n(.*?)\n</pre>", text, re.DOTALL)
    verdicts = re.findall(r"^(?:## \S+ )?\*\*([^*<\n]*)\*\*$", text, re.MULTILINE)
    if any(re.search("&#(64|35);(?!&#8288;)", verdict) for verdict in verdicts):
        raise Broken("a verdict has a mention or a link to an issue")
    for parts in code + [(verdict, "") for verdict in verdicts]:
        if re.search(r"[<>`|\[\]*_#@]|&(?!#\d+;)", re.sub(r"&#\d+;", "", "".join(parts))):
            raise Broken(f"code has structure: {''.join(parts)[:200]!r}")
    # Numbers are times, whose alignment depends on no text.
    without = re.sub(r"^(## \S+ )?\*\*[^*<\n]*\*\*$", r"\1VERDICT", without, flags=re.MULTILINE)
    return re.sub(r"<code>.*?</code>", "CODE", without)


def shape_of_dot(text):
    return re.sub(r'"(?:[^"\\]|\\.)*"', "TEXT", text, flags=re.DOTALL)


def shape_of_mermaid(text):
    return re.sub(r'"[^"\n]*"', "TEXT", text)


SHAPES = {"html": shape_of_html, "svg": shape_of_xml, "junit": shape_of_xml, "markdown": shape_of_markdown,
          "dot": shape_of_dot, "mermaid": shape_of_mermaid}
JSON_FORMATS = ("json", "trace", "otlp")


def shape(form, output, text):
    """Checks the form of an output, and returns what must be the same with a harmless text."""
    if form in JSON_FORMATS:
        return strict_json(output)
    if form == "jsonl":
        return [strict_json(line).get("kind") for line in output.splitlines()]
    return SHAPES[form](output) if form in SHAPES else None


def check_output(form, output, error, environment):
    check_characters(error)
    # A list of ids is the input of another program, which needs them as they are.
    if form != "ids":
        check_characters(output)
    if environment:
        check_inert(error)
        if form != "ids":
            check_inert(output, is_annotation=form == "github")


# The trials


class Trial:
    """A call of the tool: its fields, files and arguments."""

    def __init__(self, name, template, arguments, form="text", text_in_arguments=False, files=(), environment=()):
        self.name, self.template, self.arguments, self.form = name, template, arguments, form
        self.files, self.environment = files, dict(environment)
        self.text_in_arguments = text_in_arguments

    def environments(self):
        """The environments whose outputs can differ."""
        is_report = self.arguments[0] in ("report", "compare")
        return [CI] if is_report and (self.form in SHAPES or self.form in JSON_FORMATS) else [{}, CI]


def trials(appboot):
    found = []
    formats = ("text", "markdown", "junit", "github", "trace", "svg", "html", "otlp", "dot", "mermaid", "json")
    templates = records()
    templates["a record of every member"], missing = complete(appboot, templates["a record that failed"])
    print(f"injections: members that do not go with the others: {', '.join(sorted(missing)) or 'none'}")
    for name, template in templates.items():
        found += [Trial(f"{name}, report", template, ["report", "input.json", "--format", form], form) for form in formats]
        found += [Trial(f"{name}, compare", template, ["compare", "input.json", "input.json", "--format", form], form)
                  for form in ("text", "json", "markdown", "html")]
    found += [Trial("a wrong manifest, validate", wrong_manifest(), ["validate", "input.json", "--format", form], form)
              for form in ("text", "json", "github")]
    found.append(Trial("a wrong manifest, run", wrong_manifest(), ["run", "input.json", "--no-state"]))
    for fails in (False, True):
        name = "a manifest that fails" if fails else "a manifest"
        for form in ("text", "json", "dot", "mermaid", "ids"):
            if not fails:
                found.append(Trial(f"{name}, list", right_manifest(fails), ["list", "input.json", "--format", form], form))
        for form in ("text", "json", "jsonl"):
            found.append(Trial(f"{name}, run", right_manifest(fails), ["run", "input.json", "--no-state", "--format", form], form))
        found.append(Trial(f"{name}, run --verbose", right_manifest(fails), ["run", "input.json", "--no-state", "--verbose"]))
        found.append(Trial(f"{name}, run --quiet", right_manifest(fails), ["run", "input.json", "--no-state", "--quiet"]))
        found.append(Trial(f"{name}, run --event", right_manifest(fails),
                           ["run", "input.json", "--no-state", "--event", "didBecomeActive"]))
    found.append(Trial("a wrong record", {"format": "@@", "version": "@@"}, ["report", "input.json"]))
    words = [
        ["@@"], ["--@@"], ["help", "@@"], ["run", "--@@"], ["run", "@@"], ["run", "--only", "@@", "good.json"],
        ["run", "--url", "@@", "good.json"], ["run", "--timeout", "@@"], ["run", "--jobs=@@"], ["run", "--event", "@@", "good.json"],
        ["run", "--format", "@@"], ["run", "good.json", "@@"], ["list", "--url", "a:@@", "good.json", "--no-state"],
        ["validate", "@@"], ["report", "@@"], ["report", "--state", "@@"], ["compare", "@@", "@@"], ["emit", "@@", "good.json"],
        ["status", "@@"], ["status", "--state", "@@"], ["logs", "@@"], ["stop", "@@"], ["commands", "@@"], ["completions", "@@"],
        ["check", "--baseline", "@@", "good.json"], ["check", "--max-slowdown", "@@"], ["init", "--template", "@@"],
    ]
    found += [Trial(f"arguments, {' '.join(call)}", None, call, text_in_arguments=True) for call in words]
    return found


GOOD = {"version": 1, "commands": ["Appearance"], "on": {"didBecomeActive": ["Appearance"]}}


class Runner:
    def __init__(self, appboot):
        self.appboot = appboot
        self.expected = {}

    def call(self, trial, text, environment, only=None):
        """Runs a trial. Returns its output and its errors."""
        with tempfile.TemporaryDirectory(prefix="appboot-injections-") as path:
            folder = pathlib.Path(path)
            (folder / "good.json").write_text(json.dumps(GOOD))
            arguments = trial.arguments
            if trial.template is not None:
                (folder / "input.json").write_text(json.dumps(filled(trial.template, text, only)[0]))
            if trial.text_in_arguments:
                arguments = [word.replace(MARK, text) for word in arguments]
            variables = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **environment}
            variables["TEXT"] = text.replace("\0", "") if only is None else HARMLESS
            process = subprocess.run(
                [self.appboot, *arguments], cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, timeout=30, check=False)
        if process.returncode < 0 or process.returncode >= 128:
            raise Broken(f"exit code {process.returncode}")
        # Output that is not UTF-8 would be an error too.
        try:
            return process.stdout.decode(), process.stderr.decode()
        except UnicodeDecodeError as error:
            raise Broken(f"it is not UTF-8: {error}") from error

    def problem(self, trial, text, environment, only=None):
        """Returns the rule that an output breaks, or None."""
        try:
            output, error = self.call(trial, text, environment, only)
            check_output(trial.form, output, error, environment)
            found = shape(trial.form, output, text) if output else None
            # A text may make a manifest invalid.
            is_refused = not output and error and "manifest" in trial.name
            if trial.form in SHAPES and found != self.expected_shape(trial) and not is_refused:
                raise Broken(f"its structure has changed: {difference(found, self.expected_shape(trial))}")
            if trial.form == "json" and trial.arguments[0] == "report" and found:
                self.check_texts(trial, text, found, only)
            return None
        except Broken as problem:
            return str(problem)
        except subprocess.TimeoutExpired:
            return "it takes more than 30 s"

    def expected_shape(self, trial):
        key = (trial.name, trial.form)
        if key not in self.expected:
            output, _ = self.call(trial, HARMLESS, {})
            self.expected[key] = shape(trial.form, output, HARMLESS)
        return self.expected[key]

    def check_texts(self, trial, text, found, only):
        """Checks that a record has the texts that it had."""
        given = filled(trial.template, text, only)[0]
        if found["name"] != given["name"] or found["steps"][0]["command"] != given["steps"][0]["command"]:
            raise Broken("it has other texts")

    def fields(self, trial, text, environment):
        """Returns the fields whose text alone breaks a rule."""
        if trial.template is None:
            return []
        count = filled(trial.template, text)[1]
        numbers = [number for number in range(count) if self.problem(trial, text, environment, number)]
        return [place(trial.template, number) for number in numbers]


def difference(found, expected):
    if isinstance(found, str):
        found, expected = found.splitlines(), expected.splitlines()
    pairs = itertools.zip_longest(found, expected)
    return next((f"{one!r:.120} was {other!r:.120}" for one, other in pairs if one != other), "")


def place(template, number):
    """Returns the template's text with this mark."""
    numbered = itertools.count()
    found = []

    def visit(value):
        if isinstance(value, str):
            found.extend(value for _ in range(value.count(MARK)) if next(numbered) == number)
        elif isinstance(value, dict):
            for key, item in value.items():
                visit(key)
                visit(item)
        elif isinstance(value, list):
            for item in value:
                visit(item)

    visit(template)
    return "".join(found)


# An app that stays


def check_app(appboot, text):
    """Looks at an app that stays, through status, logs and emit. Returns the rules that outputs break."""
    problems = []
    with tempfile.TemporaryDirectory(prefix="appboot-injections-") as path:
        folder = pathlib.Path(path)
        template = {
            "version": 1, "name": "@@ name",
            "commands": [
                {"command": "RunService", "id": "@@ service", "with": {
                    "arguments": ["sh", "-c", 'printf "%s\\n" "$TEXT"; echo ready; exec sleep 30'], "ready": {"output": "^ready$"}}},
                {"command": "InitialScreen", "id": "@@ screen", "with": {
                    "default": "@@ home", "screens": {"@@ home": {"title": "@@ title", "text": ["@@ text"]}}}}],
            "on": {"openURL": [{"command": "Say", "id": "@@ say", "with": {"text": "@@ {launch.url}"}}],
                   "didReceiveRemoteNotification": ["Appearance"]},
        }
        (folder / "commands.json").write_text(json.dumps(filled(template, text.replace("{", "{{").replace("}", "}}"))[0]))
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TEXT": text.replace("\0", "")}
        app = subprocess.Popen([appboot, "run", "--stay"], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            deadline = time.monotonic() + 20
            while not (folder / ".appboot" / "control.sock").exists() and time.monotonic() < deadline and app.poll() is None:
                time.sleep(0.002)
            if app.poll() is not None:
                return [f"run --stay: {app.communicate()[1].decode(errors='replace')[:300]}"]
            url = "a:" + re.sub(r"[\x00-\x20\x7f]", "", text)
            calls = [
                (["status"], "text"), (["status", "--format", "json"], "json"), (["logs"], "text"), (["emit", "openURL", "--url", url], "text"),
                (["emit", "openURL", "--url", url, "--format", "json"], "json"), (["emit", "openURL", "--scene", text.replace("\0", ""),
                                                                            "--url", url], "text"),
                (["emit", "didReceiveRemoteNotification", "--payload", json.dumps({"a": text})], "text"), (["status"], "text"),
                (["status", "--format", "json"], "json")]
            for number, (arguments, form) in enumerate(calls):
                added = CI if number % 2 else {}
                process = subprocess.run([appboot, *arguments], cwd=folder, env={**environment, **added}, stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30, check=False)
                problems += broken(" ".join(arguments[:2]), form, process, added)
        finally:
            app.send_signal(signal.SIGTERM)
            output, error = app.communicate(timeout=30)
        problems += broken("run --stay", "text", subprocess.CompletedProcess([], 0, output, error), {})
    return problems


def broken(name, form, process, environment):
    try:
        output, error = process.stdout.decode(), process.stderr.decode()
        check_output(form, output, error, environment)
        if form == "json" and output:
            strict_json(output)
    except (Broken, UnicodeDecodeError) as problem:
        return [f"{name}{' under GitHub Actions' if environment else ''}: {problem}"]
    return []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("appboot")
    parser.add_argument("--only", default="", help="only trials and texts whose names have this text")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    runner = Runner(os.path.abspath(options.appboot))
    begin = time.monotonic()
    cases = []
    for trial, (name, text) in itertools.product(trials(runner.appboot), TEXTS.items()):
        if trial.text_in_arguments and "\0" in text:
            continue
        for environment in trial.environments():
            title = f"{trial.name}, {trial.form}{', GitHub Actions' if environment else ''}: {name}"
            if options.only in title:
                cases.append((title, trial, text, environment))
    failures = []
    count = len(cases)
    for trial in {id(case[1]): case[1] for case in cases}.values():
        runner.expected_shape(trial)
    # Reading the outputs takes more time than printing them, so that threads would wait for each other.
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("fork")) as pool:
        problems = pool.map(runner.problem, *zip(*(case[1:] for case in cases)), chunksize=50) if cases else []
        for case, problem in zip(cases, problems):
            if problem:
                failures.append((case[0], problem, case[1:]))
        apps = [(name, text) for name, text in TEXTS.items() if options.only in f"an app that stays: {name}"]
        count += 10 * len(apps)
        check = functools.partial(check_app, runner.appboot)
        for (name, _), problems in zip(apps, pool.map(check, [text for _, text in apps])):
            failures += [(f"an app that stays: {name}", problem, None) for problem in problems]
    for number, (title, problem, case) in enumerate(failures):
        fields = runner.fields(*case) if case and number < 20 else []
        print(f"injections: {title}: {problem}{'; in ' if fields else ''}{', '.join(sorted(set(fields)))}", flush=True)
    seconds = time.monotonic() - begin
    print(f"injections: {count} outputs of {len(TEXTS)} texts, {len(failures)} broke a rule; {seconds:.0f} s")
    sys.exit(1 if failures or not count else 0)


if __name__ == "__main__":
    main()
