# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feed-forward layers with ReLU: bench_feed_forward.py."""
from charts import Lines
from page import number
from records import entries

RESULTS = ["h200-feed-forward.json"]
WIDTH_DRAWN = 5120
MODELS = {"opt-1.3b": "OPT-1.3B", "opt-13b": "OPT-13B", "opt-30b": "OPT-30B"}


def split(entry):
    """The model, and what is dead together."""
    name = entry["case"].removesuffix("-blocks")
    return MODELS.get(name.rpartition("-")[0]), f"{min(entry['tokens'], 32)} x {entry.get('units', 1)}"


def report(contents, layers):
    measured = [entry for entry in entries(layers) if split(entry)[0]]
    shares = [time["zeros"] for time in measured[0]["times"]]
    rows, lines = [], {}
    for entry in sorted(measured, key=lambda entry: (entry["width"], entry["tokens"], entry.get("units", 1))):
        times = {time["zeros"]: time for time in entry["times"]}
        model, together = split(entry)
        second = times[shares[-2]].get("second_ms")
        if entry["width"] == WIDTH_DRAWN and entry.get("units", 1) == 1:
            lines[f"{entry['tokens']} token{'s' * (entry['tokens'] > 1)}"] = [(100 * share, times[share]["ratio"]) for share in shares]
        rows.append([model, str(entry["tokens"]), together, number(times[shares[0]]["torch_ms"], 3)] +
                    [f"{number(times[share]['ms'], 3)} ({number(times[share]['ratio'], 2)})" for share in shares] +
                    [number(second, 4) if second else "–"])
    contents.table("feed-forward", ["layer", "tokens", "micro-tiles", "torch, ms"] +
                   [f"{100 * share:g} % dead" for share in shares] + [f"second product at {100 * shares[-2]:g} %"], rows)
    contents.figure("feed-forward", Lines(
        f"Feed-forward layers with ReLU on an H200, {WIDTH_DRAWN} wide, bf16", "units that are dead, %", "time of torch over ours", lines,
        reference=1))
