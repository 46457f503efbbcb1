#!/usr/bin/env python3
"""Holds the JSON Schema in the fixtures to the verdicts that the parser is held to.

Needs `pip install jsonschema`. Without an argument it checks; nothing is written.
"""
import json
import pathlib
import sys

from jsonschema import Draft202012Validator

fixtures = pathlib.Path(__file__).parent / "AppBootTests" / "Fixtures"
schema = json.loads((fixtures / "schema.json").read_text(encoding="utf-8"))
verdicts = json.loads((fixtures / "schema-verdicts.json").read_text(encoding="utf-8"))

Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
wrong = [row for row in verdicts if validator.is_valid(row["manifest"]) != row["valid"]]
for row in wrong:
    expected = "valid" if row["valid"] else "invalid"
    print(f"expected {expected}: {json.dumps(row['manifest'], ensure_ascii=False)}", file=sys.stderr)
print(f"{len(verdicts)} manifests, {len(wrong)} differences between schema and parser")
sys.exit(1 if wrong else 0)
