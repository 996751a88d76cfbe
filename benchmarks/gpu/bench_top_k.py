#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a router makes of its logits, against torch.

    bench_top_k.py [--tokens T,...] [--rounds N] [--output FILE] DIRECTORY...

DIRECTORY is a case of build_top_k.py, as one compiler or another built it. `torch` is softmax, topk, the quotient and
scatter, op by op; `compiled` the same by torch.compile. Both read logits of the case's type and compute in f32, as the
program does. Random-normal data, results filled with NaN and checked against f64 before anything is timed. Times are of
one call each, a CUDA graph, after the L2 cache was overwritten, alternating between all; medians.
"""
import os
import statistics
import sys

import torch

import harness
from timing import capture, time_flushed
from torch_program import DTYPES, TorchProgram


def route(logits, k):
    weights, places = torch.softmax(logits, -1, dtype=torch.float32).topk(k, -1)
    weights = weights / weights.sum(-1, keepdim=True)
    return torch.zeros_like(logits, dtype=torch.float32).scatter(-1, places, weights)


def reference(logits, k):
    """In f64 but for the order: of equal weights, the first one."""
    left, wide = torch.softmax(logits, -1, dtype=torch.float32), torch.softmax(logits.double(), -1)
    numbers, gate = torch.arange(logits.shape[1], device="cuda"), torch.zeros_like(wide)
    for _ in range(k):
        first = torch.where(left == left.amax(-1, keepdim=True), numbers, logits.shape[1]).amin(-1, keepdim=True)
        gate.scatter_(-1, first, wide.gather(-1, first))
        left = left.scatter(-1, first, -torch.inf)
    return gate / gate.sum(-1, keepdim=True)


def measure(driver, directory, tokens, flush, rounds):
    case = harness.read_json(directory)
    program, k = TorchProgram(driver, directory), case["k"]
    logits = torch.randn(tokens, case["experts"], device="cuda").to(DTYPES[case["element"]])
    out, = program.prepare([logits])
    program.launch()
    program.check_status()
    want = reference(logits, k)
    # Weights that differ in f64 alone may be chosen in another order.
    wrong = int(((out.double() - want).abs() > 1e-5).any(-1).sum())
    if wrong > tokens // 1000:
        raise RuntimeError(f"{directory}: {wrong} of {tokens} rows are wrong")
    record = {"case": f"{os.path.basename(directory)}-{tokens}", "tokens": tokens, "experts": case["experts"], "k": k, "element": case["element"],
              "launches": len(program.calls), "rows_that_differ": wrong}
    if flush is None:
        return record
    functions = {"pit": program.launch, "torch": lambda stream: route(logits, k)}
    compiled, peers = torch.compile(route), {}
    try:
        compiled(logits, k)
        functions["torch.compile"] = lambda stream: compiled(logits, k)
    except Exception as error:  # What is missing depends on the machine.
        peers["torch.compile"] = {"missing": type(error).__name__}
    times = dict(zip(functions, time_flushed([capture(function) for function in functions.values()], flush, rounds)))
    record["ms"] = round(statistics.median(times.pop("pit")), 5)
    record["peers"] = {**peers, **{name: {"ms": round(statistics.median(values), 5)} for name, values in times.items()}}
    bytes_moved = logits.numel() * logits.element_size() + out.numel() * out.element_size()
    record["gigabytes_per_second"] = round(bytes_moved / record["ms"] / 1e6)
    return record


def main():
    parser = harness.parser(__doc__, "DIRECTORY", rounds=50)
    parser.add_argument("--tokens", default="4096,16384")
    options = parser.parse_args()
    driver, flush = harness.start(), harness.flush_buffer(options)
    pairs = [(case, int(tokens)) for case in options.cases for tokens in options.tokens.split(",")]
    return harness.run(options, pairs, lambda pair: measure(driver, *pair, flush, options.rounds))


if __name__ == "__main__":
    sys.exit(main())
