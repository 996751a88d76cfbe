# ===- same-files.py - Compares results of several runs ---------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Compares results of several runs: same-files.py FOLDER PREFIX PREFIX..."""

import glob
import sys

folder, first, *others = sys.argv[1:]
names = [path[len(f"{folder}/{first}"):] for path in sorted(glob.glob(f"{folder}/{first}*"))]
assert names, f"no file begins with {folder}/{first}"
for name in names:
    for other in others:
        with open(f"{folder}/{first}{name}", "rb") as one, open(f"{folder}/{other}{name}", "rb") as two:
            assert one.read() == two.read(), f"{first}{name} and {other}{name} differ"
