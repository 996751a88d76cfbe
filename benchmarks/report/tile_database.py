#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the tile databases, which the compiler has built in, of what bench_micro_tiles.py measured, in gpu/ and cpu/.

A result file holds each micro-tile on patterns of its own extents (`tiles`), and all of them with the dense product on
patterns of others (`cases`), of which the times of the dense one are taken; where there are none, those beside each micro-tile.

    tile_database.py [--check]

With --check, says whether lib/Selection/Data is what comes of benchmarks/results.
"""
import json
import os
import statistics
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# Name of the database, its chip and element type: (results, chip, element, results of tiles of sampled blocks).
DATABASES = {"h200-bf16": ("h200-selection.json", "sm_90a", "bf16", "h200-sampled.json"),
             "cpu-f32": ("cpu-micro-tiles.json", "cpu", "f32", None)}

# Micro-tiles of so many k are packed.
MOST_PACKED = 16


def family_of(tile):
    """The kernels that micro-tiles of such extents share."""
    rows, depth = tile
    return "packed" if depth <= MOST_PACKED else "pieces" if rows == 1 else "blocks"


def digits(value):
    """Times to a tenth of a microsecond, without noise that would change the file."""
    return round(value, 4)


def describe_tile(times):
    """A kernel's curves, by the share of its micro-tiles that are dead. None may rise where more is dead, but for
    noise, which is taken out: what skips more takes no longer."""
    times = sorted(times, key=lambda time: time["zeros"])
    variants = [next(iter(time["variants"].values())) for time in times]
    index = [variant["index_ms"] for variant in variants]
    product = [variant["ms"] - variant["index_ms"] for variant in variants]
    for i in range(1, len(product)):
        product[i] = min(product[i], product[i - 1])
    tile = times[0]["granularity"]
    return {"tile": tile, "family": family_of(tile), "dead": [time["zeros"] for time in times],
            "index": list(map(digits, index)), "product": list(map(digits, product))}


def describe_dense(measured, shape):
    """The dense product by the share of zeros, the median over patterns; without any, that of torch. On a CPU it does not
    depend on them."""
    times = {}
    for case in measured["cases"]:
        if (case["m"], case["n"], case["k"]) == shape:
            for time in case["times"]:
                times.setdefault(time["zeros"], []).append(time["variants"]["dense"]["ms"])
    times[0] = [time["torch_ms"] if "torch_ms" in time else time["dense_ms"]
                for case in measured["tiles"] if (case["m"], case["n"], case["k"]) == shape for time in case["times"]]
    return {share: digits(statistics.median(times[share])) for share in sorted(times)}


def describe_sampled(results, shape):
    """Kernels that compute sampled blocks alone, by the share of the others."""
    if not results:
        return {}
    return {"sampled": [{"tile": [int(extent) for extent in case["case"].split("x")],
                        "dead": [time["zeros"] for time in case["times"]],
                        "product": [digits(time["ms"]) for time in case["times"]]}
                       for case in read(results)["tiles"] if (case["m"], case["n"], case["k"]) == shape]}


def read(results):
    with open(os.path.join(ROOT, "benchmarks", "results", results), encoding="utf-8") as file:
        return json.load(file)


def make(results, chip, element, sampled):
    measured = read(results)
    shapes = {}
    for case in measured["tiles"]:
        shapes.setdefault((case["m"], case["n"], case["k"]), []).append(case)
    products = []
    for (m, n, k), cases in shapes.items():
        dense = describe_dense(measured, (m, n, k))
        products.append({"m": m, "n": n, "k": k, "zero": list(dense), "dense": list(dense.values()),
                         "tiles": [describe_tile(case["times"]) for case in cases],
                         **describe_sampled(sampled, (m, n, k))})
    return {"chip": chip, "device": measured["device"], "element": element, "source": "benchmarks/results/" + results,
            "products": products}


def write(database):
    """A line for each tile."""
    text = json.dumps({**database, "products": None}, indent=1).replace("null", "[")[:-2]
    shapes = []
    for product in database["products"]:
        lists = [name for name in ("tiles", "sampled") if name in product]
        text_of = {name: f'"{name}": [\n   ' + ",\n   ".join(map(json.dumps, product[name])) + "]" for name in lists}
        head = json.dumps({name: value for name, value in product.items() if name not in lists})[:-1]
        shapes.append("  " + ", ".join([head, *text_of.values()]) + "}")
    return text + "\n" + ",\n".join(shapes) + "\n ]\n}\n"


def main():
    wrong = []
    for name, arguments in DATABASES.items():
        path = os.path.join(ROOT, "lib", "Selection", "Data", name + ".json")
        text = write(make(*arguments))
        json.loads(text)
        if "--check" in sys.argv:
            with open(path, encoding="utf-8") as file:
                if file.read() != text:
                    wrong.append(name)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    for name in wrong:
        print(f"lib/Selection/Data/{name}.json: run benchmarks/report/tile_database.py", file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
