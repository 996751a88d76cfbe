# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix with dead micro-tiles times a dense one: bench_blocks.py."""
from charts import Lines
from page import number
from records import entries

# The second products of OPT's feed-forward layers.
LAYERS = {"opt-1.3b": "OPT-1.3B", "opt-13b": "OPT-13B", "opt-30b": "OPT-30B"}
RESULTS = ["h200-blocks.json", "h200-packed.json"]
# From what the program finds in the values, or what it is given.
NAMES = {"32x64": "32 x 64", "given": "32 x 64, bits given", "64x64": "64 x 64", "32x32": "32 x 32", "128x128": "128 x 128",
         "32x8": "32 x 8", "32x1": "32 x 1", "64x1": "64 x 1", "16x1": "16 x 1",
         "32x1-given": "32 x 1, mask given", "64x1-given": "64 x 1, mask given", "16x1-given": "16 x 1, mask given"}


def report(contents, blocks, packed):
    times = {name: {} for name in NAMES}
    for entry in [*entries(blocks), *entries(packed)]:
        for time in entry["times"]:
            for name, variant in time["variants"].items():
                if name in times:
                    times[name][time["zeros"]] = (variant["ms"], variant["ratio"])
    shares = sorted({share for found in times.values() for share in found})
    contents.table("blocks", ["micro-tiles"] + [f"{100 * share:g} % dead" for share in shares], [
        [NAMES[name]] + [f"{number(found[share][0], 4)} ({number(found[share][1], 2)})" if share in found else ""
                         for share in shares] for name, found in times.items()])
    contents.figure("blocks", Lines(
        "Sparse times dense on an H200 (4096 x 4096 x 4096, bf16)", "micro-tiles that are dead, %",
        "time of torch's dense product over ours",
        {NAMES[name]: [(100 * share, found[share][1]) for share in sorted(found)] for name, found in times.items()},
        y_logarithmic=True, reference=1))
    rows, shares = [], (.9, .95, .99)
    for entry in entries(packed):
        if entry["case"] in LAYERS:
            times = [(time, time["variants"][entry["case"]]) for time in entry["times"] if time["zeros"] in shares]
            rows.append([f"{LAYERS[entry['case']]}, {entry['m']} x {entry['n']} x {entry['k']}",
                         number(times[0][0]["torch_ms"], 3)] +
                        [f"{number(variant['ms'], 3)} ({number(variant['ratio'], 2)})" for _, variant in times])
    contents.table("blocks-layers", ["second product, 32 x 1", "dense (torch), ms"] +
                   [f"{100 * share:g} % dead" for share in shares], rows)
