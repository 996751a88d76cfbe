"""Prints whose code a report is of, what was noticed and the innermost frames: of a sanitizer, or with `dump` of LLVM itself."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), os.pardir))
import reports

kind, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    errors = file.read()
if kind == "dump":
    owner, frames = reports.blame_dump(errors)
    print(owner, frames)
else:
    owner, message, frames = reports.blame_sanitizer(errors)
    print(owner, "|", message, "|", frames)
