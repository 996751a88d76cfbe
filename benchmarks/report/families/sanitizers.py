# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small shapes of all kernels under compute-sanitizer, and again and again: check_sanitizers.py."""
RESULTS = ["h200-sanitizers.json"]
TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")
NAMES = {
    "dense": "products",
    "unspecialised": "the same without a warpgroup that only loads",
    "few-rows": "products of few rows, operands swapped",
    "pairs": "the same in pairs of blocks along k",
    "epilogues": "products with elementwise work, gated ones, rows under a mask",
    "gathered": "products of gathered and scattered rows",
    "listed-k": "sums over listed k",
    "segments": "segments, in a fixed order",
    "segments-drawn": "segments, drawn",
    "segments-short": "segments, short",
    "blocks": "products of live micro-tiles, with their detection",
    "given": "the same whose live micro-tiles are given",
    "cleared": "the same of a mask that no kernel follows, whose dead elements are cleared",
    "blocks-of-b": "the same of B, or of an A stored [k, m]",
    "rows": "those of pieces of rows, gathered, or the dense product",
    "packed": "products of packed micro-tiles",
    "packed-given": "those that are given, or the dense product, masked",
    "packed-wide": "those with a look at A before they are packed",
    "feed-forward": "feed-forward layers whose first product says what is live",
    "feed-forward-few": "the same of few tokens, in clusters",
    "sampled": "products of sampled blocks of the output (SDDMM)",
    "attention": "layers with attention by sequence",
    "detect": "detection",
    "sums": "inversion, sums of experts' rows",
    "router": "softmax and the place of the largest, of rows of a whole matrix",
    "experts": "mixtures of experts, whole",
    "experts-handed": "the same where kernels signal rows tile by tile",
    "mma": "products by mma.sync, gathered rows and segments, too",
    "mma-f32": "the same of f32, each product three of tf32",
    "simt": "the same of f32, multiplied by threads",
    "simt-epilogues": "those with elementwise work, gated ones",
    "examples": "examples, without tensor cores",
}


def cell(record):
    """Shapes, and what was reported of them."""
    if record.get("failed"):
        return "failed"
    errors = record["errors"]
    return "clean" if errors == 0 else f"{errors} reports"


def reruns(records):
    """How many shapes were run again, and how often each."""
    found = [records[key] for key in ("reruns", "reruns of many tiles") if key in records]
    times, = {record["times"] for record in found}
    return f"{sum(record['shapes'] for record in found)}, {times} times"


def report(contents, sanitizers):
    rows = []
    for family, name in NAMES.items():
        records = sanitizers["families"][family]
        shapes = {records[tool]["shapes"] for tool in TOOLS}
        if len(shapes) != 1:
            raise ValueError(f"{family}: tools saw {shapes} shapes")
        rows.append([name, str(shapes.pop()), *[cell(records[tool]) for tool in TOOLS],
                     reruns(records)])
    contents.table("sanitizers", ["kernels", "shapes", *TOOLS, "shapes run again"], rows)
    kinds = {"mistakes that are found": (True, True), "correct kernels that are not reported": (False, False),
             "correct ones that are": (False, True)}
    contents.table("sanitizers-planted", list(kinds), [[", ".join(
        f"{record['kernel']} ({record['tool']})" for record in sanitizers["planted"]
        if (record["mistake"], record["reported"]) == kind) for kind in kinds.values()]])
