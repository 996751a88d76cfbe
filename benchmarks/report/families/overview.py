# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the project aims at on an H200, and what was measured: one line per aim, and a few that have
none, from the results of all families."""
import statistics

from families import peers
from families.selection import find_points
from page import number
from records import by_case, entries, values

RESULTS = ["h200-matmul.json", "h200-matmul-gathered.json", "h200-kgather.json", "h200-decode.json",
           "h200-grouped-balanced.json", "h200-moe-alone.json", "h200-moe.json", "h200-encoder.json",
           "h200-peers-moe.json", "h200-models.json", "h200-blocks.json", "h200-packed.json", "h200-rows.json",
           "h200-given.json", "h200-selection.json", "h200-detect.json", "h200-entry-cost.json", "compile-time.json"]
LAYER = "bert-base-layer.mlir"
ATTENTION = "bert-base-128x128"
SECOND = "opt-13b"
NAMES = {"switch": "Switch-base-128", "mixtral": "Mixtral-8x7B", "qwen3": "Qwen3-30B-A3B", "deepseek": "DeepSeek-V3"}
# Layers of experts: model, tokens, aim.
LAYERS = [("switch", 8192, 1.), ("mixtral", 4096, 1.), ("mixtral", 512, 1.), ("qwen3", 8192, .95), ("qwen3", 512, 1.),
          ("deepseek", 4096, .98)]
# Sparse times dense: results, variant, what it is, aims by the share that is dead.
SPARSE = [
    ("blocks", "32x64", "micro-tiles of 32 x 64, from values", {.5: 1.15, .8: 1.9, .9: 2.9, .95: 4.3, .99: 5.7}),
    ("blocks", "given", "micro-tiles of 32 x 64, pattern given", {.5: 1.3, .8: 2.2, .9: 3.5, .95: 5.9, .99: 8.7}),
    ("packed", "32x1", "micro-tiles of 32 x 1, from values", {.9: 2.2, .95: 3.2, .99: 5.}),
    ("rows", "1x64@1", "micro-tiles of 1 x 64, from values", {.9: 1.4, .95: 2.1, .99: 2.8}),
]
DETECTIONS = [("blocks-4096", .1, "blocks of [4096 x 4096] as bits or lists", 10.5),
              ("blocks-16384", .05, "blocks of [16384 x 16384]", 125.), ("k-4096", .1, "32 x 1 of [4096 x 4096]", 12.5),
              ("k-16384", .05, "32 x 1 of [16384 x 16384]", 135.)]
# The number of tokens is known when the program is compiled, or when it runs.
ROUTING = {"gate-8192": "static", "gate-dynamic": "dynamic"}


def spread(numbers):
    """The least and the median."""
    numbers = list(numbers)
    return f"{number(min(numbers), 3)} least, {number(statistics.median(numbers), 3)} median"


def products(matmul, gathered, kgather, decode, balanced):
    found = by_case(matmul + gathered)

    def ratio(case):
        return statistics.median(values(found[case], "flushed", "ratio"))

    yield "dense product 4096 x 4096 x 4096, over cuBLAS", "1.00", number(ratio("dense-4096:4096"), 3)
    yield "dense product 8192 x 8192 x 8192, over cuBLAS", "1.02", number(ratio("dense-8192:8192"), 3)
    for size in (4096, 8192):
        yield (f"rows gathered and scattered, {size}, over the dense one", ".98",
               number(ratio(f"gathered-{size}:{size}") / ratio(f"dense-{size}:{size}"), 3))
    listed, = (time for time in entries(kgather)[0]["times"] if time["what"] == "4096 listed, random")
    yield "all of k gathered, over the dense one", ".95", number(listed["flushed"]["ratio"], 3)
    few = entries(decode)
    yield (f"products of 1 to 512 rows, {len(few)} cases, over cuBLAS", ".90",
           spread(entry["flushed"]["ratio"] for entry in few))
    copies = [entry["copy_ms"] / entry["flushed"]["ms"] for entry in few if int(entry["case"].split(":")[1]) <= 64]
    yield f"products of 1 to 64 rows, {len(copies)} cases, over a copy of as many bytes", ".90", spread(copies)
    best = [max(entry["ratio"].values()) for entry in entries(balanced)]
    yield f"segments of as many rows each, {len(best)} cases, over the faster peer", "1.00", spread(best)


def fastest(found, model, tokens, zipf=False):
    """The entry, and the numbers of its fastest variant."""
    entry, = (entry for entry in found
              if entry["case"].removesuffix("-short") == model and entry["tokens"] == tokens and entry["zipf"] is zipf)
    return min(entry["variants"].values(), key=lambda variant: variant["graph_ms"])


def experts(moe, alone, runnable):
    for model, tokens, aim in LAYERS:
        warm, cool = (fastest(entries(runs), model, tokens)["over_bmm"] for runs in (alone, moe))
        yield (f"layer of {NAMES[model]}, {tokens} tokens, over two bare balanced bmm", number(aim, 2),
               f"{number(warm, 3)} warm, {number(cool, 3)} cool")
    for zipf, aim in ((False, "1.95"), (True, "1.85")):
        what = "layers of experts" + (", tokens by Zipf" if zipf else "")
        found = {"torch's own, eager": [
            min(entry["variants"].values(), key=lambda variant: variant["graph_ms"])["over_layer"]
            for entry in entries(moe) if entry["zipf"] is zipf]}
        compared = peers.with_zipf(runnable, zipf)
        if compared:
            found["torch's own, compiled"] = [entry["peers"]["layer-compiled"]["ratio"] for entry in compared]
            found["the best peer"] = [peers.best_ratio(entry) for entry in compared]
        for peer, ratios in found.items():
            yield (f"{what}, {len(ratios)} cases, over {peer} (geometric mean)", aim,
                   number(statistics.geometric_mean(ratios), 2))


def encoders(encoder, models):
    for part, peer, what, aim in (
            ("ffn", "packed_rows", "feed-forward of padded BERT-base, over torch on rows packed by hand", ".97"),
            ("ffn", "packed_rows_compiled", "the same, over that through torch.compile", ".97"),
            ("layer", "padded", "whole layer of padded BERT-base, over torch's padded one", "2")):
        found = [entry["speedup"][peer] for entry in entries(encoder) if entry["part"] == part]
        yield f"{what}, a third live, {len(found)} cases", aim, spread(found)
    model, = (entry for entry in entries(models) if entry["case"] == ATTENTION)
    times = [time for name, time in model["kernels"] if "attention" in name]
    yield (f"attention of a BERT-base layer, {model['batch']} sequences of up to {model['length']}, {model['tokens']}"
           " live tokens, launched by itself, µs", "45", number(statistics.median(times), 1))


def sparse(**results):
    for family, variant, what, aims in SPARSE:
        times = next(times for times in (entry["times"] for entry in entries(results[family]))
                     if variant in times[0]["variants"])
        measured = {time["zeros"]: time["variants"][variant]["ratio"] for time in times}
        shares = " / ".join(f"{100 * share:g}" for share in aims)
        yield (f"{what}: {shares} % dead, over dense cuBLAS", " / ".join(number(aim, 2) for aim in aims.values()),
               " / ".join(number(measured[share], 2) for share in aims))
    layer, = (entry for entry in entries(results["packed"]) if entry["case"] == SECOND)
    measured = {time["zeros"]: time["variants"][SECOND]["ratio"] for time in layer["times"]}
    yield (f"second product of OPT-13B's feed-forward, {layer['m']} tokens, 32 x 1, from values: 90 / 99 % dead,"
           " over dense cuBLAS", "6.2 / 8.9", " / ".join(number(measured[share], 2) for share in (.9, .99)))


def sweeps(given, selection):
    """At 200 points each: the slowest, and how much longer choices take than the best."""
    ratios = [variant["ratio"] for time in entries(given)[0]["times"] for variant in time["variants"].values()]
    yield (f"pattern given, {len(ratios)} points: our time over cuBLAS', the slowest point", "1.05",
           number(1 / min(ratios), 3))
    points = list(find_points(selection))
    yield (f"micro-tiles chosen, from values, {len(points)} points: our time over our dense product's, the slowest point",
           "1.08", number(max(time / dense for *_, time, _, dense in points), 3))
    yield ("the same: how much longer than the fastest that was timed, mean, %", "5",
           number(100 * statistics.mean(time / best - 1 for *_, time, best, _ in points), 2))


def others(detect, cost, compiling):
    for case, density, what, aim in DETECTIONS:
        entry, = (entry for entry in detect["times"] if entry["case"] == case and entry["density"] == density)
        yield f"detection, {what}, µs", number(aim, 1), number(entry["graph_ms"] * 1e3, 1)
    routing = {entry["case"]: entry for entry in detect["times"] if entry["case"] in ROUTING}
    yield ("routing, 8192 tokens to 8 of 256 experts each, number of tokens static or dynamic, µs", number(10, 1),
           ", ".join(f"{number(routing[case]['graph_ms'] * 1e3, 1)} {what}" for case, what in ROUTING.items()))
    one = next(program for program in cost["programs"] if program["launches"] == 1)
    yield "host time of one launched call, µs", "10", number(one["call"]["host_us_median"], 1)
    layer, = (entry for entry in entries(compiling) if entry["program"] == LAYER)
    yield (f"compiling a BERT-base layer of 16 bits to PTX, on two cores, {compiling['runs']} runs, s", "2",
           f"{number(layer['least_s'], 2)} least, {number(layer['median_s'], 2)} median")


def report(contents, matmul, gathered, kgather, decode, balanced, alone, moe, encoder, runnable, models, blocks, packed,
           rows, given, selection, detect, cost, compiling):
    lines = [*products(matmul, gathered, kgather, decode, balanced), *experts(moe, alone, runnable),
             *encoders(encoder, models), *sparse(blocks=blocks, packed=packed, rows=rows), *sweeps(given, selection),
             *others(detect, cost, compiling)]
    contents.table("overview", ["what, on one H200", "aim", "measured"], [list(line) for line in lines])
