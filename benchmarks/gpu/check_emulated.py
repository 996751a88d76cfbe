#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs families of kernels on small shapes on the emulated device, where there is no GPU.

    check_emulated.py [--timing TIMING...] [--few] BUILD OUT [FAMILY...]

BUILD is a build directory, whose compiler makes OUT/FAMILY, and whose emulated driver runs the kernels; families are
those of kernel_families.py, all by default, and what they compute is compared as run_small_shapes.py does. Copies and
products that go on beside the instructions end when TIMING says: `late` (when they are waited for), `early`, or a
number, for some time between. A kernel that does not wait for what it needs sees old data in one of them. With --few,
each case has two shapes, its first and its last.

Prints a line per family and timing, and every failure. Exit code 1 when there is one. Needs numpy.
"""
import argparse
import json
import os
import subprocess
import sys

import kernel_families

HERE = os.path.dirname(os.path.abspath(__file__))


def run(folder, name, out, timing, few=False):
    """Whether a family passes."""
    environment = dict(os.environ, LD_LIBRARY_PATH=folder, EMULATED_CUDA_TIMING=timing)
    command = [sys.executable, os.path.join(HERE, "run_small_shapes.py"), *(["--few"] if few else []), name, out]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    failed = [record for record in records if "failed" in record]
    print(f"{name}, {timing}: {len(records)} shapes, {len(failed)} failed", flush=True)
    for record in failed:
        print(f"  {record['shape']}: {record['failed']}")
    if result.returncode:
        print(result.stderr, end="")
    return result.returncode == 0 and bool(records)


def main():
    parser = argparse.ArgumentParser(description="check_emulated.py: " + __doc__.splitlines()[0])
    parser.add_argument("build", help="the build directory")
    parser.add_argument("out", help="where cases are made")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(kernel_families.FAMILIES))
    parser.add_argument("--timing", nargs="+", default=["late"], help="late, early or a number")
    parser.add_argument("--few", action="store_true", help="two shapes of each case")
    options = parser.parse_args()
    unknown = set(options.families) - set(kernel_families.FAMILIES)
    if unknown:
        parser.error(f"no such family: {', '.join(sorted(unknown))}")
    passes = True
    for name in options.families or kernel_families.FAMILIES:
        kernel_families.build(os.path.join(options.build, "bin"), options.out, name, for_device=False)
        for timing in options.timing:
            passes &= run(os.path.join(options.build, "lib", "emulated-cuda"), name, options.out, timing, options.few)
    return 0 if passes else 1


if __name__ == "__main__":
    sys.exit(main())
