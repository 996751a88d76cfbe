#===- check_schema.py - Whether JSON is what a schema says -----------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
"""check_schema.py SCHEMA FILE...: the words of JSON Schema that docs/report.schema.json uses, and no others."""

import json
import sys

KNOWN = {"$schema", "title", "description", "type", "enum", "properties", "required", "additionalProperties", "items"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}


def check(value, schema, path):
    for word in schema.keys() - KNOWN:
        yield f"{path}: the schema has '{word}', which is not checked"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"
    if "type" in schema and (not isinstance(value, TYPES[schema["type"]])
                             or (isinstance(value, bool) and schema["type"] != "boolean")):
        yield f"{path}: {value!r:.60} is no {schema['type']}"
        return
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                yield f"{path}: no '{name}'"
        for name, inner in value.items():
            if name in schema.get("properties", {}):
                yield from check(inner, schema["properties"][name], f"{path}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{path}: '{name}' is not in the schema"
    if isinstance(value, list) and "items" in schema:
        for i, inner in enumerate(value):
            yield from check(inner, schema["items"], f"{path}[{i}]")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    wrong = 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        for finding in check(report, schema, "report"):
            print(finding)
            wrong += 1
        # What a schema cannot say: links lead to lines and ops that are there.
        for level in report.get("levels", []):
            lines = level["text"].count("\n")
            for line, op in level["links"]:
                if not (0 <= line < lines and 0 <= op < len(report["ops"])):
                    print(f"{level['name']}: a link from line {line} of {lines} to op {op} of {len(report['ops'])}")
                    wrong += 1
    print(f"{len(sys.argv) - 2} reports, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
