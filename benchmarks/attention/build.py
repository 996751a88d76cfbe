#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles dense attention to PTX and manifests, for bench.py.

    build.py BIN OUT [--chip CHIP] [PATTERN...]

Of programs.GRADIENTS, backward programs lie in OUT as backward.NAME, for bench_gradients.py; their patterns start with
"backward:". BIN holds pit-opt and pit-translate. PATTERNs choose programs by name, as in a shell ("causal:*"). Needs no GPU.
"""
import argparse
import fnmatch
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "gpu"))
import builder  # noqa: E402
import gradients  # noqa: E402
import programs  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binaries")
    parser.add_argument("out")
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--chip", default="sm_90a")
    options = parser.parse_args()
    texts = {name: case.text for name, case in programs.CASES.items()}
    texts.update({f"backward:{name}": gradients.text_of(case) for name, case in programs.GRADIENTS.items()})
    for name, text in texts.items():
        if options.patterns and not any(fnmatch.fnmatch(name, pattern) for pattern in options.patterns):
            continue
        directory = os.path.join(options.out, name.replace(":", "."))
        made = builder.Built(options.binaries, directory, text, options=f"chip={options.chip}")
        # Gradients by keys of rows of 128 under a mask of data leave 8 bytes in memory, and so do warps that load packed keys where numbers are added, 28.
        made.assemble(kernels="_dq" if name.startswith("backward:") else "_mask" if name.startswith("added:") else "")
        made.describe(name=name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
