#!/usr/bin/env python3
"""Compares the JSON Schemas with the parser: each recorded manifest must be valid in both or invalid in both.

Swift tests hold the parser to the same verdicts. Needs `pip install jsonschema`. Takes no arguments.
"""
import json
import pathlib
import sys

from jsonschema import Draft202012Validator

tests = pathlib.Path(__file__).parent


def differences(schema_file, verdicts_file):
    """Returns how many verdicts a schema disagrees with, and prints those manifests."""
    schema = json.loads(schema_file.read_text(encoding="utf-8"))
    verdicts = json.loads(verdicts_file.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    wrong = [row for row in verdicts if validator.is_valid(row["manifest"]) != row["valid"]]
    for row in wrong:
        expected = "valid" if row["valid"] else "invalid"
        print(f"expected {expected}: {json.dumps(row['manifest'], ensure_ascii=False)}", file=sys.stderr)
    print(f"{verdicts_file.name}: {len(verdicts)} manifests, {len(wrong)} differences between schema and parser")
    return len(wrong)


fixtures = tests / "AppBootTests" / "Fixtures"
pairs = [
    (fixtures / "schema.json", fixtures / "schema-verdicts.json"),
    (tests.parent / "Docs" / "commands.schema.json", tests / "stock-verdicts.json"),
]
sys.exit(1 if sum(differences(*pair) for pair in pairs) else 0)
