#!/usr/bin/env python3
"""Adds up a ctest JUnit file and a lit JSON file, and prints one closing line.

Exits with 1 if a test failed, a file is missing, or no test ran.
"""
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

LIT_PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
LIT_SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def count_ctest(path):
    counts = [0, 0, 0]
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        status = case.get("status")
        counts[0 if status == "run" else 2 if status in ("notrun", "disabled") and case.find("skipped") is not None
               else 1] += 1
    return counts


def count_lit(path):
    counts = [0, 0, 0]
    with open(path) as file:
        for test in json.load(file)["tests"]:
            counts[0 if test["code"] in LIT_PASSED else 2 if test["code"] in LIT_SKIPPED else 1] += 1
    return counts


def main(unit, lit):
    total = [0, 0, 0]
    complete = True
    for path, count in ((unit, count_ctest), (lit, count_lit)):
        if not os.path.exists(path):
            print(f"error: the runner left no results in {path}", file=sys.stderr)
            complete = False
            continue
        total = [a + b for a, b in zip(total, count(path))]
    if not complete:
        total[1] += 1
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 0 if complete and total[1] == 0 and total[0] > 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
