#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product written dense, of which a mask says what rows count, against torch.

    bench_masked_rows.py [--output FILE] DIRECTORY M LIVE[,LIVE...]

DIRECTORY holds what pit-opt --pit-to-ptx and pit-translate make of
programs/masked_rows.mlir (build_case.sh says how): kernels.ptx and
manifest.json. M is the number of rows, LIVE a share of them.

`pit` is the whole program: mask to index, gathered product, scattered rows, and
zeros elsewhere. Its peers are torch.matmul of all rows, which is given masked
data for nothing, and torch's own gather, product and scatter with the index
for nothing. Random-normal data, the result filled with NaN and checked against
f32 before anything is timed, the L2 cache overwritten before each launch,
interleaved, medians.
"""
import argparse
import json
import statistics
import sys

import torch

import run_manifest
from bench_matmul import events
from torch_program import TorchProgram


def measure(functions, rounds=15):
    flush = torch.empty(64 << 20, dtype=torch.int32, device="cuda")
    marks = [events(rounds) for _ in functions]
    for i in range(rounds):
        for function, mark in zip(functions, marks):
            flush.zero_()
            mark[i][0].record()
            function()
            mark[i][1].record()
    torch.cuda.synchronize()
    return [statistics.median(start.elapsed_time(end) for start, end in mark) for mark in marks]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory")
    parser.add_argument("m", type=int)
    parser.add_argument("live")
    parser.add_argument("--output")
    options = parser.parse_args()
    torch.cuda.init()
    driver = run_manifest.Driver()
    program = TorchProgram(driver, options.directory)
    n = k = 4096
    records = []
    for share in map(float, options.live.split(",")):
        a = torch.randn(options.m, k, device="cuda").to(torch.bfloat16)
        b = torch.randn(k, n, device="cuda").to(torch.bfloat16)
        live = torch.rand(options.m, device="cuda") < share
        a_masked = a * live[:, None]
        out, = program.prepare([a, live, b])
        out.fill_(float("nan"))
        program.launch()
        program.check_status()
        reference = a_masked.float() @ b.float()
        error = float((out.float() - reference).norm() / reference.norm())
        if not error <= 3e-3 or bool((out[~live] != 0).any()):
            raise RuntimeError(f"live {share}: relative error {error}, or dead rows are not zero")
        index = live.nonzero().flatten()
        dense_out, packed_out = torch.empty_like(out), torch.zeros_like(out)

        def packed():
            packed_out.index_copy_(0, index, a[index] @ b)

        pit_ms, dense_ms, packed_ms = measure([program.launch, lambda: torch.matmul(a_masked, b, out=dense_out), packed])
        record = {"m": options.m, "n": n, "k": k, "live": len(index) / options.m, "relative_error": error,
                  "pit_ms": pit_ms, "torch_dense_ms": dense_ms, "torch_packed_ms": packed_ms,
                  "speedup_over_dense": dense_ms / pit_ms, "speedup_over_packed": packed_ms / pit_ms}
        records.append(record)
        print(json.dumps(record))
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "cases": records}, file,
                      indent=1)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
