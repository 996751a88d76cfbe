#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles cases again, with kernels planned otherwise: to find out what a plan is worth, or to tune one by hand.

    set_plan.py BIN DIRECTORY                             prints the plans of a case
    set_plan.py BIN DIRECTORY NAME BEFORE=>AFTER...       changes texts of plans

DIRECTORY is a case of a build script; the changed one stands beside it as DIRECTORY@NAME, to be given to the bench script,
for example

    set_plan.py build/bin OUT/matmul/dense-4096 128x128 "tile = [128, 256], stages = 4=>tile = [128, 128], stages = 6"

The pipeline is stopped behind --pit-plan-kernels, and goes on from what was changed there. A plan that is not legal, or
that the chip has no room for, is an error, and says why. Exit code 1 then, and if nothing has a text that is to change.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

from builder import edit_pipeline, translate

# Plans are of rules, however short their products are.
PIPELINE = "--pit-to-ptx=chip=sm_90a least-us=0"


def split_pipeline(pit_opt):
    """What makes plans, and what goes on from them, as options of pit-opt."""
    text = edit_pipeline(pit_opt, PIPELINE, ()).removeprefix("--pass-pipeline=").strip()
    end = text.index("}", text.index("pit-plan-kernels{")) + 1
    return f"--pass-pipeline={text[:end]})", f"--pass-pipeline=builtin.module({text[end:].removeprefix(',')}"


def find_plans(text):
    """All plans of a module, as they stand in it."""
    for match in re.finditer(r" plan (?=<)|(?<=pit\.plan = )#pit\.row_plan(?=<)", text):
        depth, end = 0, match.end()
        while depth or end == match.end():
            depth += {"<": 1, ">": -1}.get(text[end], 0)
            end += 1
        yield text[match.end():end]


def run(*command):
    """What a command prints; what it says in errors is shown."""
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def change_plans(text, changes):
    for change in changes:
        before, after = change.split("=>", 1)
        if before not in text:
            sys.exit(f"no plan has '{before}'")
        text = text.replace(before, after)
    return text


def compile_changed(binaries, text, to_kernels, directory, copy):
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(directory, copy, ignore=shutil.ignore_patterns("*.cubin"))
    module, planned = os.path.join(copy, "module.mlir"), os.path.join(copy, "planned.mlir")
    with open(planned, "w", encoding="utf-8") as file:
        file.write(text)
    try:
        run(os.path.join(binaries, "pit-opt"), planned, to_kernels, "-o", module)
        translate(binaries, module, copy)
    except subprocess.CalledProcessError:
        shutil.rmtree(copy)
        sys.exit(1)
    os.remove(module)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", metavar="BIN")
    parser.add_argument("directory", metavar="DIRECTORY")
    parser.add_argument("name", metavar="NAME", nargs="?")
    parser.add_argument("changes", metavar="BEFORE=>AFTER", nargs="*")
    options = parser.parse_args()
    if options.name and not options.changes or not all("=>" in change for change in options.changes):
        parser.error("a change is BEFORE=>AFTER")
    pit_opt = os.path.join(options.binaries, "pit-opt")
    directory = options.directory.rstrip("/")
    to_plans, from_plans = split_pipeline(pit_opt)
    text = run(pit_opt, os.path.join(directory, "program.mlir"), to_plans)
    if not options.name:
        print("\n".join(find_plans(text)))
        return
    text = change_plans(text, options.changes)
    compile_changed(options.binaries, text, from_plans, directory, f"{directory}@{options.name}")


if __name__ == "__main__":
    main()
