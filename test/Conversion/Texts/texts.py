#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the kernels that the tests of conversions make, word by word, with those of the last run.

    texts.py FOLDER --pit-opt PROGRAM [--update] [--file NAME] [--tests FOLDER]
    texts.py all --pit-opt PROGRAM --update

Checks of single lines do not see every operand of a kernel, and a machine without a device cannot run it. Before a change that
shall leave kernels as they are: --update. From then on, the tests of this folder compare. scripts/mutants.py does so.
"""
import argparse
import glob
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = ["AttentionToGPU", "DetectToGPU", "LinalgToGPU", "LinalgToHopper", "LinalgToMMA", "RowsToGPU", "SumsToGPU"]


def commands(path):
    """The arguments of pit-opt in each RUN line that only checks its output."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"\\\n// (RUN:)?", " ", file.read())
    for line in re.findall(r"^// RUN: (.*)$", text, re.M):
        stages = [stage.strip() for stage in line.split("|")]
        words = shlex.split(stages[0])
        if words[0] == "pit-opt" and "%s" in words and "%" not in stages[0].replace("%s", "") and not re.search(r"verify-diagnostics|[<>&]", stages[0]):
            yield [path if word == "%s" else word for word in words[1:]]


def make(folder, tests, pit_opt):
    texts = {}
    for path in sorted(glob.glob(os.path.join(tests, folder, "*.mlir"))):
        digests = []
        for arguments in commands(path):
            done = subprocess.run([pit_opt, *arguments], capture_output=True, check=False)
            digests.append(hashlib.sha256(done.stdout).hexdigest()[:16] if done.returncode == 0 else f"exit code {done.returncode}")
        if digests:
            texts[os.path.relpath(path, tests)] = digests
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", choices=[*FOLDERS, "all"])
    parser.add_argument("--pit-opt", required=True)
    parser.add_argument("--tests", default=os.path.dirname(HERE))
    parser.add_argument("--file")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    failed = False
    for folder in FOLDERS if options.folder == "all" else [options.folder]:
        path = options.file or os.path.join(HERE, f"{folder}.json")
        texts = make(folder, options.tests, options.pit_opt)
        if options.update:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(texts, file, indent=1)
                file.write("\n")
            continue
        with open(path, encoding="utf-8") as file:
            old = json.load(file)
        changed = [name for name in sorted({*texts, *old}) if texts.get(name) != old.get(name)]
        for name in changed:
            print(f"{name}: other kernels than before")
        print(f"{len(texts)} tests, {sum(map(len, texts.values()))} texts, {len(changed)} changed")
        failed |= bool(changed)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
