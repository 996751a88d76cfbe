"""Fails when a `pit-run --report` skipped less than a percentage of its micro-tiles: skipped.py REPORT MINIMUM."""

import re
import sys

text = open(sys.argv[1]).read()
match = re.search(r"report: skipped \d+ of \d+ micro-tiles \((\d+(?:\.\d+)?)%\)", text)
if not match or float(match.group(1)) < float(sys.argv[2]):
    sys.exit(f"expected at least {sys.argv[2]} % skipped, got: {match.group(0) if match else text}")
