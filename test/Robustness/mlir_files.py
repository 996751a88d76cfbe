# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The .mlir files that a user points at."""
import os


def read_files(paths):
    """(name, text) of each file, those of folders below them in order."""
    for path in paths:
        files = [path]
        if os.path.isdir(path):
            files = sorted(os.path.join(d, f) for d, _, names in os.walk(path) for f in names if f.endswith(".mlir"))
        for file in files:
            with open(file, encoding="utf-8", errors="replace") as stream:
                yield file, stream.read()
