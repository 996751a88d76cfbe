#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a family of kernels, planned otherwise, on small shapes on the emulated device.

    check_plans.py BUILD OUT FAMILY BEFORE=>AFTER...

Families and the comparison are those of check_emulated.py, changes those of set_plan.py: each is made in the cases whose
plans have the text, and one of them has it. Prints a line per timing, and every failure. Exit code 1 when there is one.
Needs numpy.
"""
import argparse
import os
import shutil
import sys

import check_emulated
import kernel_families
import set_plan


def change(binaries, directory, changes):
    """Compiles a case again. Returns which of the changes it has a text for."""
    to_plans, from_plans = set_plan.split_pipeline(os.path.join(binaries, "pit-opt"))
    text = set_plan.run(os.path.join(binaries, "pit-opt"), os.path.join(directory, "program.mlir"), to_plans)
    mine = [change for change in changes if change.split("=>", 1)[0] in text]
    if mine:
        changed = directory + "@changed"
        set_plan.compile_changed(binaries, set_plan.change_plans(text, mine), from_plans, directory, changed)
        shutil.rmtree(directory)
        os.rename(changed, directory)
    return mine


def main():
    parser = argparse.ArgumentParser(description="check_plans.py: " + __doc__.splitlines()[0])
    parser.add_argument("build", help="the build directory")
    parser.add_argument("out", help="where cases are made")
    parser.add_argument("family", choices=list(kernel_families.FAMILIES))
    parser.add_argument("changes", nargs="+", metavar="BEFORE=>AFTER")
    options = parser.parse_args()
    if not all("=>" in change for change in options.changes):
        parser.error("a change is BEFORE=>AFTER")
    binaries, made = os.path.join(options.build, "bin"), set()
    folder = kernel_families.build(binaries, options.out, options.family, for_device=False)
    for case in kernel_families.FAMILIES[options.family].cases:
        made.update(change(binaries, os.path.join(folder, case), options.changes))
    for unused in set(options.changes) - made:
        sys.exit(f"no plan has '{unused.split('=>', 1)[0]}'")
    emulator = os.path.join(options.build, "lib", "emulated-cuda")
    passes = [check_emulated.run(emulator, options.family, options.out, timing) for timing in ("late", "early")]
    return 0 if all(passes) else 1


if __name__ == "__main__":
    sys.exit(main())
