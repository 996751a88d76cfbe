# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of f8E4M3FN through wgmma against torch._scaled_mm: bench_matmul.py."""
from page import number
from records import entries

RESULTS = ["h100-fp8.json"]


def report(contents, fp8):
    rows = []
    for entry in entries(fp8):
        flushed, burst, sustained = entry["flushed"], entry["burst"], entry["sustained"]
        rows.append([f"{entry['case'].partition(':')[2]} x {entry['n']} x {entry['k']}"
                     + (", f32" if "f32" in entry["case"] else ""),
                     number(flushed["ms"], 4), number(burst["tflops"], 0),
                     *(number(times["ratio"], 3) for times in (flushed, burst, sustained)),
                     number(flushed["ratio_to_fast_sums"], 3), f"{entry['error']:.1e}"])
    contents.table("fp8", ["product", "ms", "TFLOP/s in bursts", "over torch", "in bursts", "sustained",
                           "over torch with fast sums", "relative error"], rows)
