# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of experts on two GPUs, benchmarks/parallel/bench.py, and whole ones, decoder.py."""
from page import number
from records import entries

RESULTS = ["h200-parallel.json", "h200-parallel-partial.json", "h200-parallel-decoder.json"]


def report(contents, results, partial, decoder):
    pushes = [entry for entry in entries(results) if entry["case"].startswith("push-")]
    contents.table("parallel-transport", ["rows pushed to the other GPU", "GB/s", "NCCL, all-gather, GB/s"], [
        [entry["case"].removeprefix("push-").replace("-mib", " MiB"), number(entry["gb_s"], 0), number(entry["peers"]["nccl-all-gather"]["gb_s"], 0)]
        for entry in pushes])
    columns = ["layer, tokens of both", "sums", "ms", "over one GPU", "over torch, all_to_all and _grouped_mm", "error against f32", "of one GPU"]
    for name, found in (("parallel", results), ("parallel-partial", partial)):
        contents.table(name, columns, [
            [entry["case"].removesuffix("-" + entry["sums"]), entry["sums"], number(entry["ms"], 3),
             *(number(entry["peers"][peer]["ms"] / entry["ms"], 2) for peer in ("one-gpu", "torch")),
             *(number(error * 1e3, 2) + "e-3" for error in (entry["error"], entry["peers"]["one-gpu"]["error"]))]
            for entry in entries(found) if entry not in pushes])
    contents.table("parallel-decoder", ["layer, sequences x positions", "cut along", "ms", "one GPU, ms", "over one GPU", "difference from one GPU"], [
        [entry["case"].removesuffix("-" + entry["form"]), {"data": "sequences", "tensor": "heads"}[entry["form"]], number(entry["ms"], 3),
         number(entry["peers"]["one-gpu"]["ms"], 3), number(entry["peers"]["one-gpu"]["ms"] / entry["ms"], 2), f"{entry['error']:.0e}"]
        for entry in entries(decoder)])
