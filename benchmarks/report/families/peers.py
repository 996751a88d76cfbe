# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a user could run instead, on the same tensors in the same rounds: bench_peers_dense.py, _moe.py and _sparse.py."""
import statistics

from charts import Ratios
from families.moe import NAMES
from page import number, percent
from records import entries

RESULTS = ["h200-peers-dense.json", "h200-peers-moe.json", "h200-peers-sparse.json"]
DENSE = {"cublas": "cuBLAS", "triton": "Triton"}
LAYERS = {"layer": "torch", "layer-compiled": "torch, compiled", "sorted-compiled": "torch, sorted, compiled",
          "loop": "expert by expert", "triton": "Triton", "scattermoe": "ScatterMoE"}
BOUND = {"bmm": "bmm"}
FORMATS = {"cublas": "cuBLAS, dense", "csr-bf16": "CSR, bf16", "csr-f32": "CSR, f32", "bsr-32x32": "BSR, 32 x 32",
           "bsr-32x64": "BSR, 32 x 64", "bsr-64x64": "BSR, 64 x 64"}


def present(records, names):
    """Of the peers, those that could do one case at least."""
    return {peer: name for peer, name in names.items()
            if any("missing" not in record.get(peer, {"missing": ""}) for record in records)}


def fastest_ms(record):
    return min(record[key] for key in ("ms", "graph_ms") if key in record)


def cell(record, digits):
    """Milliseconds, what conversion takes, and the ratio; empty for a peer that is missing or was left out."""
    if record is None or "missing" in record:
        return ""
    conversion = f" + {number(record['conversion_ms'], digits)}" if "conversion_ms" in record else ""
    return f"{number(fastest_ms(record), digits)}{conversion} ({number(record['ratio'], 2)})"


def model(entry):
    return NAMES[entry["case"].removesuffix("-short")]


def best_ratio(entry):
    """That of the fastest peer that computes the layer."""
    found = [entry["peers"][peer]["ratio"] for peer in LAYERS if "ratio" in entry["peers"].get(peer, {})]
    if not found:
        raise KeyError(f"peers of {entry['case']}")
    return min(found)


def report_dense(contents, dense):
    found = entries(dense)
    rows = []
    for entry in found:
        row = [f"{entry['m']} x {entry['n']} x {entry['k']}", number(entry["pit"]["ms"], 4)]
        for peer in DENSE:
            row.append(cell(entry["peers"].get(peer), 4))
        rows.append(row + [number(entry["bursts"][name], 0) if name in entry["bursts"] else "" for name in ("pit", *DENSE)])
    contents.table("peers-dense", ["product, bf16", "PIT, ms", *DENSE.values(),
                                   *[f"{name}, TFLOP/s in bursts" for name in ("PIT", *DENSE.values())]], rows)


def with_zipf(moe, zipf):
    return [entry for entry in entries(moe) if entry["zipf"] is zipf]


def rows_of_layers(found, names):
    rows = [[f"{model(entry)}, {entry['tokens']} tokens", number(entry["variants"][entry["fastest"]]["graph_ms"], 3),
             *[cell(entry["peers"].get(peer), 3) for peer in names], number(best_ratio(entry), 2)] for entry in found]
    mean = statistics.geometric_mean(best_ratio(entry) for entry in found)
    return [*rows, ["geometric mean", "", *[""] * len(names), number(mean, 2)]]


def report_moe(contents, moe):
    found = with_zipf(moe, False)
    names = present([entry["peers"] for entry in found], {**LAYERS, **BOUND})
    columns = ["layer, bf16", "PIT, ms", *names.values(), "best layer over PIT"]
    contents.table("peers-moe", columns, rows_of_layers(found, names))
    if skewed := with_zipf(moe, True):
        contents.table("peers-moe-zipf", columns, rows_of_layers(skewed, names))
    layers = present([entry["peers"] for entry in found], LAYERS)
    contents.table("peers-moe-memory", ["layer", "tokens x experts x hidden in bf16", "PIT", *layers.values()], [
        [f"{model(entry)}, {entry['tokens']} tokens", number(entry["dense_hidden_mib"], 0),
         number(entry["variants"][entry["fastest"]]["extra_mib"], 0),
         *[number(entry["peers"][peer]["extra_mib"], 0) if "extra_mib" in entry["peers"].get(peer, {}) else ""
           for peer in layers]] for entry in found])
    contents.figure("peers-moe", Ratios(
        "Mixtures of experts on an H200, and what a user could run instead",
        "peer's time over ours (right of 1: faster than the peer)",
        [f"{model(entry)}, {entry['tokens']}" for entry in found],
        # Without the loop, which is so slow that all others would be one point.
        {name: [entry["peers"].get(peer, {}).get("ratio") for entry in found] for peer, name in names.items()
         if peer != "loop"}))


def report_sparse(contents, sparse):
    found = [(entry, time) for entry in entries(sparse) for time in entry["times"]]
    names = present([time["peers"] for _, time in found], FORMATS)
    contents.table("peers-sparse", ["micro-tiles", "dead", "PIT, bf16, ms", *names.values()], [
        ["{} x {}".format(*entry["tile"]), percent(time["zeros"]), number(time["pit"]["ms"], 4),
         *[cell(time["peers"].get(peer), 3) for peer in names]] for entry, time in found])


def report_missing(contents, *results):
    """Each reason once, with the first case that gave it."""
    names, seen = {**DENSE, **LAYERS, **BOUND, **FORMATS}, {}
    for data in results:
        for entry in entries(data):
            for part in entry.get("times", [entry]):
                for peer, record in part["peers"].items():
                    if "missing" in record:
                        seen.setdefault((names[peer], record["missing"].replace("|", "/")), entry["case"])
    contents.table("peers-missing", ["peer", "first case", "why"],
                   [[peer, case, why] for (peer, why), case in seen.items()])


def report(contents, dense, moe, sparse):
    report_dense(contents, dense)
    report_moe(contents, moe)
    report_sparse(contents, sparse)
    report_missing(contents, dense, moe, sparse)
