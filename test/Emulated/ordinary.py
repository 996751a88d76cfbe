# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs ordinary programs (benchmarks/ordinary) on the emulated device and on the CPU, and compares what comes out.

    ordinary.py --pit-run PIT_RUN DIRECTORY PROGRAMS PATTERN...

Prints a line for each program whose results differ by more than rounding, and counts.
"""
import argparse
import fnmatch
import os
import re
import subprocess
import sys

import numpy as np


def run(options, file, target, prefix, elements, shapes):
    random = ["--random=" + ("randint:-20:20" if element[0] == "i" else "normal:0.5") for element in elements]
    for i, shape in enumerate(shapes):
        random[i] += "@" + "x".join(map(str, shape))
    command = [options.pit_run, file, f"--target={target}", "--chip=sm_90a", "--opt-level=0", *random, "--seed=3", f"--output={prefix}", "--quiet"]
    if target == "cpu":
        command.remove("--chip=sm_90a")
    subprocess.run(command, check=True, capture_output=True, text=True)
    array = np.load(prefix + ".0.npy")
    if array.dtype.kind == "V" or array.dtype == np.uint16:  # bf16
        array = (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return array


def compare(options, programs, name):
    source = programs.make(name)
    base = os.path.join(options.directory, name.replace(":", "."))
    with open(base + ".mlir", "w", encoding="utf-8") as file:
        file.write(source.text)
    elements = re.findall(r"%a\d+: tensor<(?:[\d?]+x)*(\w+)>", source.text.splitlines()[0])
    out, expected = (run(options, base + ".mlir", target, f"{base}.{target}", elements, source.shapes)
                     for target in ("cuda", "cpu"))
    if out.dtype.kind in "iu":
        return float(np.mean(out != expected)), 0
    wide = expected.astype(np.float64)
    error = np.linalg.norm(out - wide) / max(np.linalg.norm(wide), 1e-30)
    kinds = {"f64": 1e-12, "f32": 3e-6, "f16": 1e-3, "bf16": 8e-3}
    result = source.text[source.text.rindex("->"):]
    return float(error) if np.isfinite(error) else np.inf, next(limit for kind, limit in kinds.items() if kind in result)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory")
    parser.add_argument("programs")
    parser.add_argument("patterns", nargs="+")
    parser.add_argument("--pit-run", required=True)
    options = parser.parse_args()
    sys.path.insert(0, options.programs)
    import programs
    os.makedirs(options.directory, exist_ok=True)
    names = [name for name in programs.PROGRAMS if any(fnmatch.fnmatch(name, pattern) for pattern in options.patterns)]
    failed = 0
    for name in names:
        try:
            error, limit = compare(options, programs, name)
        except subprocess.CalledProcessError as failure:
            failed += 1
            print(f"{name}: {failure.stderr[:600]}")
            continue
        if not error <= limit:
            failed += 1
            print(f"{name}: relative error {error}, more than {limit}")
    print(f"{len(names)} programs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
