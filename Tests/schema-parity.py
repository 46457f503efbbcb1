#!/usr/bin/env python3
"""Holds the JSON Schemas to the verdicts that the parser is held to: that of the fixtures, and that of the tool.

Needs `pip install jsonschema`. Without an argument it checks; nothing is written.
"""
import json
import pathlib
import sys

from jsonschema import Draft202012Validator

tests = pathlib.Path(__file__).parent


def differences(schema_file, verdicts_file):
    """How many of the verdicts the schema does not give."""
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
