#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a case for run_manifest.py and bench_examples.py of every example, sparse
and dense, with the inputs that test/Examples/examples.test gives it. What is expected
comes from the sparse program on the CPU. Where dead rows may hold anything (undef), it has
zeros there, and others may have something else.

    build_examples.py [--kinds KIND...] BIN OUT

PIT_PIPELINE_OPTIONS holds further options of the pipeline.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
KINDS = {"sparse": "", "dense": "dense=true"}  # options of the pipeline


def read_cases():
    """Program and inputs by name, of each command of the examples' test."""
    cases = {}
    with open(os.path.join(SOURCE, "test/Examples/examples.test"), encoding="utf-8") as file:
        for program, inputs in re.findall(r"pit-run %pit_src/examples/(\S+)\.mlir (.*?) --check", file.read()):
            name, number = program.replace("/", "-"), 2
            while name in cases:
                name, number = f"{program.replace('/', '-')}-{number}", number + 1
            cases[name] = (program, shlex.split(inputs))
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin")
    parser.add_argument("out")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), metavar="KIND", help="sparse, dense; both by default")
    options = parser.parse_args()
    further = os.environ.get("PIT_PIPELINE_OPTIONS", "")
    failed = 0
    for name, (program, inputs) in read_cases().items():
        path = os.path.join(SOURCE, "examples", program + ".mlir")
        with open(path, encoding="utf-8") as file:
            undefined = '"undef"' in file.read()
        for kind in options.kinds:
            command = [os.path.join(HERE, "build_case.sh"), options.bin, path,
                       os.path.join(options.out, f"{name}.{kind}"), *inputs]
            environment = dict(os.environ, PIT_PTX_OPTIONS=f"chip=sm_90a {KINDS[kind]} {further}")
            if subprocess.run(command, env=environment, check=False).returncode:
                failed += 1
                print(f"{name}.{kind}: not built", file=sys.stderr)
                continue
            with open(os.path.join(command[3], "example.json"), "w", encoding="utf-8") as file:
                json.dump({"program": program, "inputs": [word for word in inputs if not word.startswith("--")],
                           "undefined": undefined}, file)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
