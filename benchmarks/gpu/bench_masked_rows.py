#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product written dense, of which a mask says what rows count, against torch.

    bench_masked_rows.py [--output FILE] DIRECTORY M LIVE[,LIVE...]

DIRECTORY is the case of build_masked_rows.py, M the number of rows, LIVE a share
of them.

`pit` is the whole program: mask to index, gathered product, scattered rows, and
zeros elsewhere. Its peers are torch.matmul of all rows, which is given masked
data for nothing, and torch's own gather, product and scatter with the index
for nothing. Random-normal data, the result filled with NaN and checked against
f32 before anything is timed, the L2 cache overwritten before each launch,
interleaved, medians.
"""
import statistics
import sys

import torch

import harness
from timing import time_flushed
from torch_program import TorchProgram


def measure(program, m, share, flush):
    n = k = 4096
    a = torch.randn(m, k, device="cuda").to(torch.bfloat16)
    b = torch.randn(k, n, device="cuda").to(torch.bfloat16)
    live = torch.rand(m, device="cuda") < share
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

    functions = [program.launch, lambda: torch.matmul(a_masked, b, out=dense_out), packed]
    pit_ms, dense_ms, packed_ms = (statistics.median(times) for times in time_flushed(functions, flush, 15))
    return {"m": m, "n": n, "k": k, "live": len(index) / m, "relative_error": error, "pit_ms": pit_ms,
            "torch_dense_ms": dense_ms, "torch_packed_ms": packed_ms, "speedup_over_dense": dense_ms / pit_ms,
            "speedup_over_packed": packed_ms / pit_ms}


def main():
    parser = harness.parser(__doc__, None, check=None)
    parser.add_argument("directory")
    parser.add_argument("m", type=int)
    parser.add_argument("live")
    options = parser.parse_args()
    program = TorchProgram(harness.start(), options.directory)
    flush = harness.flush_buffer(options)
    return harness.run(options, options.live.split(","), lambda share: measure(program, options.m, float(share), flush))


if __name__ == "__main__":
    sys.exit(main())
