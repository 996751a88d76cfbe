#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles ordinary programs to PTX and manifests, for bench.py.

    build.py BIN OUT [--chip CHIP] [PATTERN...]

BIN holds pit-opt and pit-translate. PATTERNs choose programs by name, as in a shell ("conv*:large"); `:` becomes `.`
in the names of directories. Needs no GPU, no numpy. A program that does not compile is reported, and the others go on; so is one whose
kernels spill registers, which is timed as it is.
"""
import argparse
import fnmatch
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "gpu"))
import builder  # noqa: E402
import programs  # noqa: E402


def choose(patterns):
    return [name for name in programs.PROGRAMS if not patterns or any(fnmatch.fnmatch(name, p) for p in patterns)]


def build(binaries, out, name, chip):
    directory = os.path.join(out, name.replace(":", "."))
    made = builder.Built(binaries, directory, programs.make(name).text, options=f"chip={chip}")
    try:
        made.assemble()
    except RuntimeError as error:
        print(f"{name}: {error}", file=sys.stderr)
    made.describe(name=name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binaries")
    parser.add_argument("out")
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--chip", default="sm_90a")
    options = parser.parse_args()
    failed = {}
    for name in choose(options.patterns):
        try:
            build(options.binaries, options.out, name, options.chip)
        except (subprocess.CalledProcessError, RuntimeError) as error:
            failed[name] = str(error)[:2000]
            print(f"{name}: {failed[name]}", file=sys.stderr)
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, "failed.json"), "w", encoding="utf-8") as file:
        json.dump(failed, file, indent=1)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
