# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of tf32 through wgmma against torch.matmul in f32 and tf32: bench_f32.py."""
from page import number
from records import entries

RESULTS = ["h200-tf32.json"]


def report(contents, tf32):
    rows = []
    for entry in entries(tf32):
        flushed, burst = entry["flushed"], entry["burst"]
        rows.append([f"{entry['m']} x {entry['n']} x {entry['k']}", number(flushed["ms"], 4), number(burst["tflops"], 0),
                     *(number(times["torch tf32"]["ratio"], 3) for times in (flushed, burst)),
                     number(flushed["torch f32"]["ratio"], 2),
                     *(f"{entry['errors']['normal'][name]:.1e}" for name in ("pit", "torch tf32"))])
    contents.table("tf32", ["product", "ms", "TFLOP/s in bursts", "over torch tf32", "in bursts", "over torch f32",
                            "relative error", "torch's"], rows)
