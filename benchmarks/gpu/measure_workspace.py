#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What layers of experts need beside their arguments and results, by their manifests: no GPU takes part.

    measure_workspace.py [--output FILE] DIRECTORY:TOKENS...

DIRECTORY is a case of build_moe.py. `workspace` are the bytes of all buffers that the program asks for, `routed` those
of the rows that experts compute for their tokens, hidden and output, in 16 bits, which any way of computing has, and
`dense` those of the hidden layer alone as the program is written, tokens x experts x hidden in f32. Exit code 1 where
`workspace` is more than a quarter above `routed` and a MiB: then something holds more than what is routed.
"""
import argparse
import json
import os
import sys
import types

import numpy as np

import run_manifest


def count_bytes(buffer, arguments):
    extents = [run_manifest.evaluate(extent, arguments) for extent in buffer["shape"]]
    return int(np.prod(extents, dtype=np.int64)) * np.dtype(run_manifest.DTYPES[buffer["dtype"]]).itemsize


def measure(directory, tokens):
    with open(os.path.join(directory, "case.json"), encoding="utf-8") as file:
        case = json.load(file)
    with open(os.path.join(directory, "manifest.json"), encoding="utf-8") as file:
        function = json.load(file)["functions"][0]
    arguments = [types.SimpleNamespace(shape=[tokens if extent in (None, -1) else extent for extent in a["shape"]])
                 for a in function["arguments"]]
    workspace = sum(count_bytes(buffer, arguments) for buffer in function["buffers"] if buffer["kind"] == "workspace")
    rows = tokens * case["top_k"]
    return {"case": case["name"], "tokens": tokens, "workspace": workspace,
            "routed": 2 * rows * (case["hidden"] + case["width"]),
            "dense": 4 * tokens * case["experts"] * case["hidden"]}


def main():
    parser = argparse.ArgumentParser(description="measure_workspace.py: " + __doc__.splitlines()[0])
    parser.add_argument("--output")
    parser.add_argument("cases", nargs="+", metavar="DIRECTORY:TOKENS")
    options = parser.parse_args()
    records = []
    for name in options.cases:
        directory, _, tokens = name.rpartition(":")
        records.append(measure(directory, int(tokens)))
        print(json.dumps(records[-1]))
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"cases": records}, file, indent=1)
            file.write("\n")
    return int(any(record["workspace"] > 1.25 * record["routed"] + (1 << 20) for record in records))


if __name__ == "__main__":
    sys.exit(main())
