# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of f32, on matrix units and by threads, against torch.matmul in f32 and tf32: bench_f32.py."""
from page import number
from records import by_case

RESULTS = ["h200-f32.json"]
ROWS = [
    ("4096:4096", "4096 x 4096 x 4096"),
    ("4096-nk:4096", "4096, B stored [n, k]"),
    ("4096-km:4096", "4096, A stored [k, m]"),
    ("4096-km-nk:4096", "4096, A stored [k, m] and B [n, k]"),
    ("gathered-4096:4096", "4096, random rows of A gathered, C scattered (torch: dense)"),
    ("4094:4094", "4094, rows aligned to 8 bytes"),
    ("1024:1024", "1024 x 1024 x 1024"),
]
ERRORS = ["deep-16:512", "deep-256:512", "1024:1024", "4096:4096", "128-nk:128", "deep-65536:256"]


def report(contents, f32):
    found = {name: entry[0] for name, entry in by_case(f32).items()}
    rows = []
    for case, label in ROWS:
        once, thrice, threads = (found[kind + case]["flushed"] for kind in ("tf32-", "f32-", "simt-"))
        rows.append([label, number(once["tflops"], 0), number(once["torch tf32"]["ratio"], 2),
                     number(once["torch f32"]["ratio"], 2), number(thrice["tflops"], 0),
                     number(thrice["torch f32"]["ratio"], 2), number(threads["tflops"], 0),
                     number(threads["torch f32"]["ratio"], 2)])
    contents.table("f32", ["product", "tf32, TFLOP/s", "over torch tf32", "over torch f32", "tf32x3, TFLOP/s",
                           "over torch f32", "simt, TFLOP/s", "over torch f32"], rows)
    rows = []
    for case in ERRORS:
        entry, threads = found["f32-" + case], found["simt-" + case]
        for data, errors in entry["errors"].items():
            rows.append([f"{entry['m']} x {entry['n']} x {entry['k']}", data, f"{errors['pit']:.1e}",
                         f"{threads['errors'][data]['pit']:.1e}",
                         *(f"{errors[name]:.1e}" for name in ("torch f32", "torch tf32"))])
    contents.table("f32-errors", ["product", "data", "tf32x3", "simt", "torch f32", "torch tf32"], rows)
