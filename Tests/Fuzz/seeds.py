#!/usr/bin/env python3
"""Writes the first inputs of each fuzz target, from the repository's manifests, records, pages and tests.

    Tests/Fuzz/seeds.py DIR

DIR/TARGET gets the inputs, and DIR/TARGET.words the JSON values and keys that the mutator inserts, one on each line.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests" / "AppBootTests" / "Fixtures"
# The most bytes of an input: small inputs run more often.
LIMIT = 16 << 10
# Values that no seed has: limits of numbers, nesting, and text that terminals and readers of reports act on.
HOSTILE = [
    "null", "true", "false", "[]", "{}", "0", "-0", "-1", "0.5", "1e400", "1E-400", "1.0", "1e2", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "18446744073709551616", "315576000000000000", "315576000000000001",
    "4294967296", r'"\ud83d"', r'"\ud83d\ude00"', "[" * 40 + "]" * 40,
] + [json.dumps(text) for text in [
    "", "\0", "\x1b[31m", "\x1b]0;x\x07", "e\u0301\u0301", "\u0301", "\u202e", "\ufffe", "\x85", "\u2028", "::error::x",
    "##[error]x", "\r\n::error::x", "]]>", "<script>", "</script>", "&amp;", "|a|`b`", "{", "}", "{}", "{{", "{a}{b}",
    "{env.HOME}", "{query.x}", "{step.a.output}", "a://{x}/{x}", "a://b/*", "https://u:p@x:99999/%zz?q#f",
    "file:///etc/passwd", "-o/tmp/x", "9223372036s", "0s", "-1s", "2562047h", "0.0000000001ns",
    "9999-99-99T99:99:99.999999999Z", "\"\\", "\"\u0301", "x" * 1200,
]]


def documents(pattern):
    return [path.read_bytes() for path in sorted(ROOT.glob(pattern)) if ".build" not in str(path)]


def json_of_pages():
    """Returns the JSON in code blocks of the pages."""
    blocks = []
    for path in sorted([*ROOT.glob("Docs/*.md"), ROOT / "README.md"]):
        blocks += re.findall(r"^```json\w*\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [block.encode() for block in blocks]


def texts_of_tests(folder):
    """Returns the string literals of the tests in a folder, without interpolation."""
    found = []
    for path in sorted((ROOT / "Tests").glob(f"{folder}/**/*.swift")):
        found += re.findall(r'"((?:[^"\\\n]|\\["\\nrt0])+)"', path.read_text(encoding="utf-8"))
    replaced = [re.sub(r'\\(.)', lambda m: {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}.get(m[1], m[1]), text)
                for text in found]
    return sorted(set(replaced))


def manifests():
    found = documents("commands.json") + documents("Examples/*/commands.json") + documents("Docs/samples/*.json")
    found += [block for block in json_of_pages() if b"command" in block]
    for verdicts in (FIXTURES / "schema-verdicts.json", ROOT / "Tests" / "stock-verdicts.json"):
        found += [json.dumps({"version": 1, **row["manifest"]}, ensure_ascii=False).encode()
                  for row in json.loads(verdicts.read_text(encoding="utf-8")) if isinstance(row["manifest"], dict)]
    return found


def records():
    found = documents("Tests/*/Fixtures/record*.json") + [block for block in json_of_pages() if b"\"format\"" in block]
    for document in list(found):
        try:
            found.append(json.dumps(json.loads(document), separators=(",", ":")).encode())
        except ValueError:
            pass
    # A record on each line.
    return found + [b"\n".join([found[-1]] * 2)]


def journals():
    found = documents("Tests/*/Fixtures/journal*.jsonl")
    for document in list(found):
        lines = document.splitlines(keepends=True)
        found += [b"".join(lines[:count]) for count in (1, len(lines) // 2)]
    return found


def requests():
    names = re.findall(r'static let \w+ = EventName\(\s*"(\w+)"\)',
                       (ROOT / "Sources/AppBoot/Model/EventName.swift").read_text(encoding="utf-8"))
    payloads = ['{"reason":"url"}', '{"type":"x"}', '{"action":"x","notification":{}}', '"abc"', "deadbeef", "{}"]
    found = [{"version": 1, "request": "status"}, {"version": 1, "request": "stop", "service": "a"},
             {"version": 1, "request": "restart", "service": "a"}]
    for name in names + ["custom", "sceneCustom"]:
        request = {"version": 1, "request": "emit", "event": name}
        found += [request, {**request, "url": "notes://note/7?x=1"}, {**request, "scene": "main"}]
        found += [{**request, "payload": payload} for payload in payloads]
    return [json.dumps(request).encode() for request in found]


def urls():
    found = [text for text in texts_of_tests("AppBootCommandsTests") if "://" in text and len(text) < 200]
    pairs = ["notes://note/{id}\nnotes://note/7?x=1#f", "notes://{host}/*\nNOTES://a%20b/c/d", "a://b/*\na://b/c"]
    return [text.encode() for text in found + pairs]


def templates():
    found = [text for text in texts_of_tests("AppBootCommandsTests") if "{" in text and len(text) < 200]
    files = ["A=1\nexport B='x y'\nC=\"a\\n\\\"b\" # comment\n# x\nD = 5 #c\n", "A='1\n2'\n"]
    return [text.encode() for text in found + files]


def durations():
    found = texts_of_tests("AppBootTests/Model")
    sizes = ["512MiB", "1.5GB", "8388607TiB", "1e5B", ">=3.11", ">= 1.2, < 2", "1h2m3s4ms5us6ns", "2562047h47m"]
    return [text.encode() for text in found + sizes if len(text) < 60]


def answers():
    found = [text for text in texts_of_tests("AppBootCommandsTests") if "HTTP/1" in text or "curl: " in text]
    found += ["body\nappboot-status: 200 4\n", "curl: (7) Failed to connect\n",
              "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"]
    return [text.encode() for text in found]


def arguments():
    page = (ROOT / "Sources/AppBootTool").glob("**/*.swift")
    options = sorted({name for path in page
                      for name in re.findall(r'OptionDeclaration\(\s*"([\w-]+)"', path.read_text(encoding="utf-8"))})
    names = ["run", "list", "validate", "check", "report", "compare", "emit", "status", "logs", "stop", "restart",
             "commands", "schema", "init", "completions", "version", "help"]
    found = []
    for name in names:
        found += [f"{name}\n--{option}\n5s" for option in options] + [f"{name}\n--{option}=1" for option in options]
        found += [f"{name}\na\n--\nb\n-c", f"{name}\n-qv\n-j4", f"{name}\n--only=a,b\\,c\n--skip\nd"]
    return [text.encode() for text in found]


def secrets():
    texts = ["hunter2hunter2\npass/word+é\nx hunter2hunter2 y pass/word+é",
             "abcabcab\nbcabcabc\nabcabcabcabcab", "  line  \ns3cr\tt\\\"\n{\"a\":\"s3cr\\tt\\\\\\\"\"}",
             "aaaa\naaaaaaaa\naaaaaaaaaaaaa", "secretsecret\ntoken=1\nc2VjcmV0c2VjcmV0 secretsecre%74"]
    return [text.encode() for text in texts]


def outputs():
    texts = ["plain\nlines\n", "\x1b[31mred\x1b[0m \x1b]0;title\x07\n", "::error::x\n ##[error]x ##vso[x]\n",
             "a\u202eb\u2066c e\u0301\u0301 \U0001F468\u200D\U0001F469\u200D\U0001F467 漢字\t|\r\n", "]]><script>&amp;",
             "\u0085\u2028\ufffe\ufeff", "x" * 300, "www.example.com @user #1 `code` |a|"]
    return [text.encode() for text in texts] + [b"\xff\xc0\x80\xed\xa0\x80\n", b"\xe6\xbc" * 20]


def words(seeds):
    """Returns the keys and values of the inputs that are JSON, as JSON."""
    found = set()

    def visit(value):
        if isinstance(value, dict):
            found.update(json.dumps(key, ensure_ascii=False) for key in value)
            for item in value.values():
                visit(item)
        elif isinstance(value, list):
            for item in value:
                visit(item)
        text = json.dumps(value, ensure_ascii=False)
        if len(text) < 300:
            found.add(text)

    for seed in seeds:
        for part in [seed, *seed.splitlines()]:
            try:
                visit(json.loads(part))
            except ValueError:
                pass
    return sorted(found)


def schema_words(path):
    """Returns the names and choices of a JSON Schema, as JSON."""
    found = set()

    def visit(value):
        if isinstance(value, dict):
            found.update(json.dumps(name) for name in value.get("properties", {}) if isinstance(name, str))
            for choice in [*value.get("enum", []), value.get("const")]:
                found.add(json.dumps(choice))
            for item in value.values():
                visit(item)
        elif isinstance(value, list):
            for item in value:
                visit(item)

    visit(json.loads(path.read_text(encoding="utf-8")))
    return sorted(found)


def main(directory):
    docs = ROOT / "Docs"
    targets = {
        "manifest": (manifests(), schema_words(docs / "commands.schema.json")),
        "record": (records(), schema_words(docs / "record.schema.json")),
        "journal": (journals(), schema_words(docs / "record.schema.json")),
        "control": (requests(), []), "url": (urls(), None), "template": (templates(), None),
        "duration": (durations(), None), "curl": (answers(), None), "arguments": (arguments(), None),
        "secrets": (secrets(), None), "output": (outputs(), None),
    }
    total = 0
    for target, (seeds, more) in targets.items():
        folder = pathlib.Path(directory, target)
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        seeds = [seed for seed in dict.fromkeys(seeds) if len(seed) <= LIMIT]
        assert seeds, f"{target} has no seeds"
        for number, seed in enumerate(seeds):
            (folder / f"{number:04}").write_bytes(seed)
        total += sum(map(len, seeds))
        if more is not None:
            text = "\n".join(dict.fromkeys(words(seeds) + more + HOSTILE))
            pathlib.Path(directory, f"{target}.words").write_text(text, encoding="utf-8")
    print(f"{total / 1e6:.2f} MB of seeds")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: Tests/Fuzz/seeds.py DIR")
    main(sys.argv[1])
