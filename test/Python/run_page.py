# ===- run_page.py - Runs the Python of a page ------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Runs the Python of a page of the documentation: run_page.py PAGE.

Fences ```python are run one after the other in one module; a fence ```text behind one is what it prints.
`<!-- not run: WHY -->` before a fence leaves it out.
"""

import contextlib
import io
import os
import re
import sys
import tempfile

FENCE = re.compile(r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    fences = list(FENCE.finditer(text))
    names, count = {"__name__": "page"}, 0
    with tempfile.TemporaryDirectory() as folder:
        for number, fence in enumerate(fences):
            if fence["kind"] != "python" or (fence["mark"] or "").startswith("not run"):
                continue
            # In a file, since torch wants to read the source of what it compiles.
            path = os.path.join(folder, f"part{number}.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(fence["body"])
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(fence["body"], path, "exec"), names)
            after = fences[number + 1] if number + 1 < len(fences) else None
            expected = after["body"] if after and after["kind"] == "text" else ""
            if printed.getvalue() != expected:
                line = text[: fence.start()].count("\n") + 1
                print(f"{sys.argv[1]}:{line}: printed\n{printed.getvalue()}instead of\n{expected}")
                return 1
            count += 1
    print(f"{count} parts as printed")
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
