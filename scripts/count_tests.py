"""Adds up what ctest (JUnit XML) and lit (JSON) report: `N passed, N failed, N skipped`. Fails when one failed."""

import json
import sys
import xml.etree.ElementTree as ElementTree


def count_ctest(path):
    suite = ElementTree.parse(path).getroot()
    total, failed = int(suite.get("tests")), int(suite.get("failures"))
    skipped = int(suite.get("skipped", 0)) + int(suite.get("disabled", 0))
    return total - failed - skipped, failed, skipped


def count_lit(path):
    with open(path) as file:
        codes = [test["code"] for test in json.load(file)["tests"]]
    passed = sum(code in ("PASS", "XFAIL", "FLAKYPASS") for code in codes)
    skipped = sum(code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED") for code in codes)
    return passed, len(codes) - passed - skipped, skipped


def main():
    counts = [count_ctest(sys.argv[1]), count_lit(sys.argv[2])]
    passed, failed, skipped = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


sys.exit(main())
