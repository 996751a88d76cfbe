# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Examples and small models on the CPU, sparse against dense: benchmarks/cpu/bench_examples.py."""
from charts import Dots
from page import number, percent
from records import entries

RESULTS = ["cpu-examples.json"]
NAMES = {"bert": "BERT", "opt": "OPT", "switch": "Switch"}
PROGRAMS = {"examples/sparse_matmul_k.mlir": "`sparse_matmul_k`, 32x1", "examples/reduce_sum.mlir": "`reduce_sum`, 1x16"}


def live(entry):
    """The share of the first pattern that was counted."""
    pattern = next(pattern for pattern in entry["patterns"] if "total" in pattern)
    return f"{number(100 * pattern['live'] / pattern['total'], 1)} %"


def times(record):
    return [number(record["sparse_ms"], 2), number(record["dense_ms"], 2), number(record["ratio"], 2)]


def examples(found):
    for entry in found:
        command = " ".join(["pit-run", entry["program"], *entry["arguments"]])
        yield [entry["case"], live(entry), f"`{command}`", *times(entry)]
        if "rule" in entry:
            yield ["its second product with the detection, from `--report`", live(entry), "", *times(entry["rule"])]


def model(entry):
    parts = [f"{NAMES[entry['family']]}, {entry['layers']} layers", f"{entry['batch']} x {entry['length']} positions",
             f"{entry['width']} wide, {entry['inner']} inside"]
    if "experts" in entry:
        parts.append(f"{entry['experts']} experts in every other layer")
    if "alike" in entry:
        parts.append(f"ReLU's zeros skipped in {entry['alike']}x1")
    return ", ".join(parts)


def report(contents, results):
    groups = {}
    for entry in entries(results):
        groups.setdefault(entry["group"], []).append(entry)
    contents.table("cpu-examples", ["case", "live", "command", "sparse, ms", "dense, ms", "ratio"],
                   list(examples(groups["examples"])))
    contents.figure("cpu-examples", Dots(
        "Examples on one core", "ms", [entry["case"] for entry in groups["examples"]],
        {"sparse": [entry["sparse_ms"] for entry in groups["examples"]],
         "dense": [entry["dense_ms"] for entry in groups["examples"]]}))
    contents.table("cpu-variants", ["program", "zeros", "what ran", "ratio", "without dense variants"], [
        [PROGRAMS[entry["program"]], percent(entry["zeros"]), entry["patterns"][0]["ran"], number(entry["ratio"], 2),
         number(entry["without_variants"]["ratio"], 2)] for entry in groups["variants"]])
    contents.table("cpu-models", ["model, f32", "live positions", "ratio"], [
        [model(entry), live(entry), number(entry["ratio"], 2)] for entry in groups["models"]])
