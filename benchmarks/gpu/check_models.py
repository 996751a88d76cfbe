#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles models of several layers to shared objects, and runs them without the compiler.

    check_models.py --prepare BIN FOLDER [NAME...]    where the compiler is: makes FOLDER/models and FOLDER/ref
    check_models.py FOLDER [--output FILE]            where the GPU is: needs numpy, and FOLDER/pit-run, one that loads

Names are cases of build_models.py; those that are small are also run on the CPU, sparse, and results are compared.
Exit code 1 when a program fails or does not agree.
"""
import argparse
import json
import os
import subprocess
import sys

from build_models import CASES
from check_loaded import compare
from model_program import write

SMALL = ["bert-small", "opt-small", "opt-small-relu", "switch-small"]
LARGE = ["bert-base-32x128", "opt-1.3b-4x2048", "switch-64x128"]
# Two roundings to bf16 on the way may differ, in every layer.
TOLERANCE = 2e-2


def arguments(name):
    _, shape = CASES[name]
    return ["--random", "normal", "--random", f"lengths:{shape.length // 8}:{shape.length}", "--random",
            f"normal:{shape.width ** -.5:.4f}"]


def prepare(binaries, folder, names):
    for sub in ("models", "ref"):
        os.makedirs(os.path.join(folder, sub), exist_ok=True)
    for name in names:
        path = os.path.join(folder, "models", name)
        with open(path + ".mlir", "w", encoding="utf-8") as file:
            file.write(write(*CASES[name])[0])
        subprocess.run([os.path.join(binaries, "pit-compile"), path + ".mlir", "--chip", "sm_90a", "-o", path + ".so"],
                       check=True)
        if name in SMALL:
            subprocess.run([os.path.join(binaries, "pit-run"), path + ".mlir", "--target", "cpu", *arguments(name),
                            "--output", os.path.join(folder, "ref", name)], check=True)


def check(folder, name):
    out = os.path.join(folder, "out", name)
    run = subprocess.run([os.path.join(folder, "pit-run"), "--load", os.path.join(folder, "models", name + ".so"),
                          *arguments(name), "--bench", "20", "--output", out], capture_output=True, text=True,
                         timeout=120)
    entry = {"program": name, "passed": run.returncode == 0}
    if run.returncode:
        entry["error"] = run.stderr.strip().splitlines()[-2:]
        return entry
    entry["bench"] = run.stdout.strip().splitlines()[-1]
    if name in SMALL:
        entry["relative_error"], results = compare(folder, name, out)
        entry["passed"] = results > 0 and entry["relative_error"] < TOLERANCE
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", default=SMALL + LARGE)
    parser.add_argument("--prepare", metavar="BIN")
    parser.add_argument("--output", help="write all numbers to this JSON file")
    options = parser.parse_args()
    if options.prepare:
        prepare(options.prepare, options.folder, options.names)
        return 0
    os.makedirs(os.path.join(options.folder, "out"), exist_ok=True)
    entries = []
    for name in options.names:
        entries.append(check(options.folder, name))
        print(json.dumps(entries[-1]), flush=True)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"programs": entries}, file, indent=1)
            file.write("\n")
    return 0 if all(entry["passed"] for entry in entries) else 1


if __name__ == "__main__":
    sys.exit(main())
