# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products for mma.sync against torch.matmul: bench_mma.py."""
from families.matmul import HEADER, product_chart, product_rows
from page import number
from records import by_case, entries

RESULTS = ["h200-mma.json"]
# What `variant` of an entry says of the tiles that the compiler chooses.
DEFAULT = {"tile": [128, 256, 32], "stages": 4, "group_m": 16}
ROWS = [
    ("dense-4096:4096", "4096 x 4096 x 4096", "4096"),
    ("dense-8192:8192", "8192 x 8192 x 8192", "8192"),
    ("dense-4096-nk:4096", "4096, B stored [n, k]", "4096, B [n, k]"),
    ("dense-4096-km:4096", "4096, A stored [k, m]", "4096, A [k, m]"),
    ("dense-4096-km-nk:4096", "4096, A stored [k, m] and B [n, k]", "4096, A [k, m], B [n, k]"),
    ("dense-4096-f16:4096", "4096, f16", "4096, f16"),
    ("dense-4096-f32:4096", "4096, f32 output (cuBLAS: bf16 output)", "4096, f32 output"),
    ("gathered-4096:4096", "4096, random rows of A gathered, C scattered (cuBLAS: dense)", "4096, gathered"),
    ("gathered-4096:1991", "1991 x 4096 x 4096, gathered and scattered (cuBLAS: dense)", "1991 rows, gathered"),
    ("dense-4092:4092", "4092, rows aligned to 8 bytes", "4092 (8 bytes)"),
    ("dense-4094:4094", "4094, rows aligned to 4 bytes", "4094 (4 bytes)"),
    ("dense-4095:4095", "4095, rows aligned to 2 bytes", "4095 (2 bytes)"),
]


def report(contents, mma):
    found = by_case([entry for entry in entries(mma) if entry.get("variant", DEFAULT) == DEFAULT])
    contents.table("mma", HEADER, product_rows(found, ROWS))
    contents.figure("mma", product_chart("Matrix products through mma.sync on an H200 against torch.matmul", found,
                                         ROWS))
    others = [entry for entry in entries(mma) if entry.get("variant", DEFAULT) != DEFAULT]
    rows = [[" x ".join(map(str, entry["variant"]["tile"])), str(entry["variant"]["stages"]),
             str(entry["variant"]["group_m"]), number(entry["flushed"]["ratio"], 3),
             number(entry["burst"]["ratio"], 3)] for entry in others]
    contents.table("mma-tiles", ["tile", "stages", "tiles along m in a group", "flushed", "burst"], rows)
