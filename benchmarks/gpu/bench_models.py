#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several layers of transformers compiled from one dense program, against torch on the same weights and inputs.

    bench_models.py [--output FILE] [--check] [--no-compile] DIRECTORY...

Directories are cases of build_models.py. `pit` is the whole padded program, finding the
live rows, the experts' tokens and the zeros included. Its peers are the same layers in
torch, bf16, all but the first as CUDA graphs of one call:

  eager     all positions, as torch launches it
  padded    the same
  compiled  the same through torch.compile
  packed    by hand: rows gathered once by an index that is given, attention by sequence
            (variable lengths in one call), results scattered into zeros once

torch computes experts sorted, in one torch._grouped_mm per product. Lengths: as in
bench_encoder.py for up to 128 positions; a half to all of longer ones. Of the units
behind OPT's ReLU, --zeros are dead for all tokens, the others live for half of them.
Weights are random normal. Results are filled with NaN and compared with torch's in f32:
the error of the live rows may be twice that of torch's bf16. Dead rows are zero. Times:
replayed after the L2 cache was overwritten, interleaved, medians. Memory: what one call
takes besides weights and inputs, in MiB; of torch, the peak of its allocator.
"""
import sys

import torch
import torch.nn.functional as F

import harness
from bench_encoder import capture, draw_lengths
from timing import median_ms, median_ratio, time_flushed, time_launches
from torch_models import Model, attention_of, make_weights, widen
from torch_program import TorchProgram, check_same_bits


def draw(case, generator):
    batch, length = case["batch"], case["length"]
    if length <= 128:
        return draw_lengths(batch, length, generator)
    return (torch.rand(batch, generator=generator) * length / 2 + length / 2).round().long().cuda()


def relative_errors(got, reference):
    """Of all rows together, and of the row in the middle."""
    difference = (got.float() - reference).norm(dim=1)
    rows = difference / reference.norm(dim=1)
    return float(difference.norm() / reference.norm()), float(rows.median())


def mebibytes(count):
    return round(count / 2 ** 20, 1)


def peak_memory(function):
    """MiB that a call takes above what is there, its result included."""
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    result = function()
    torch.cuda.synchronize()
    peak = torch.cuda.max_memory_allocated() - before
    del result
    return mebibytes(peak)


def workspace(program):
    """MiB of everything that the program does not get as an argument."""
    return mebibytes(sum(made.numel() * made.element_size()
                         for made, buffer in zip(program.buffers, program.function["buffers"])
                         if buffer["kind"] != "argument"))


def check(program, case, weights, x, lengths, live, index):
    """The record of a case that is right, and its output."""
    # Nobody reads the padding: it holds what would show.
    poisoned = x.clone()
    poisoned[~live] = 1e4
    out = program.prepare([poisoned, lengths, *weights.values()])[0].view(x.shape)
    out.fill_(float("nan"))
    program.launch()
    program.check_status()
    got = out.flatten(0, 1)[index].float()
    if bool((out[~live] != 0).any()):
        raise RuntimeError("dead rows are not zero")
    attend = attention_of(case, live)
    wide = Model(case, widen(weights), attend)(x.float()).flatten(0, 1)[index]
    errors = relative_errors(got, wide)
    theirs = relative_errors(Model(case, weights, attend)(x).flatten(0, 1)[index], wide)
    record = {"relative_error": errors[0], "torch_relative_error": theirs[0], "row_error": errors[1],
              "torch_row_error": theirs[1]}
    if not (errors[0] <= 2 * theirs[0] and errors[1] <= 2 * theirs[1]):
        raise RuntimeError(f"errors {record}")
    check_same_bits(program.name, out, program.launch, 3, fill=float("nan"))
    return record, wide, theirs


def measure(driver, directory, options, flush):
    case = harness.read_json(directory, "case.json")
    program = TorchProgram(driver, directory)
    generator = torch.Generator().manual_seed(7)
    torch.manual_seed(8)
    batch, length, width = case["batch"], case["length"], case["width"]
    lengths = draw(case, generator)
    live = torch.arange(length, device="cuda") < lengths[:, None]
    index = live.flatten().nonzero().flatten()
    x = torch.randn(batch, length, width, device="cuda").bfloat16()
    zeros = options.zeros if case["family"] == "opt" else 0
    weights = make_weights(case, zeros)
    record = {"case": program.name, "family": case["family"], "batch": batch, "length": length, "width": width,
              "layers": case["layers"], "tokens": len(index), "live": len(index) / (batch * length),
              "launches": len(program.function["launches"]), "zeros": zeros}
    errors, wide, theirs = check(program, case, weights, x, lengths, live, index)
    record.update(errors)
    if flush is None:
        return record

    padded = Model(case, weights, attention_of(case, live))
    ends = F.pad(lengths.cumsum(0), (1, 0)).int()
    packed = Model(case, weights, attention_of(case, ends=ends, longest=int(lengths.max())))

    def by_hand():
        return torch.zeros_like(x).flatten(0, 1).index_copy_(0, index, packed(x.flatten(0, 1)[index]))

    other = relative_errors(by_hand()[index], wide)
    if not other[0] <= 2 * theirs[0]:
        raise RuntimeError(f"packed by hand: errors {other}")
    del wide
    graphs = {"pit": program.launch, "padded": lambda _: padded(x), "packed": lambda _: by_hand()}
    memory = {"pit": workspace(program), "eager": peak_memory(lambda: padded(x)), "packed": peak_memory(by_hand)}
    if options.compile:
        # After a few models, it would give up compiling for yet another one.
        torch._dynamo.reset()
        compiled = torch.compile(padded, dynamic=False)
        compiled(x)
        memory["compiled"] = peak_memory(lambda: compiled(x))
        graphs["compiled"] = lambda _: compiled(x)
    functions = {name: capture(function) for name, function in graphs.items()}
    functions["eager"] = lambda: padded(x)
    time_flushed(functions.values(), flush, 2)
    times = dict(zip(functions, time_flushed(functions.values(), flush, options.rounds)))
    record["ms"] = {name: median_ms(values) for name, values in times.items()}
    record["ms_per_layer"] = {name: round(ms / case["layers"], 4) for name, ms in record["ms"].items()}
    record["speedup"] = {name: median_ratio(values, times["pit"]) for name, values in times.items() if name != "pit"}
    record["memory_mib"] = memory
    if options.kernels:
        record["kernels"] = [(name, round(ms * 1000, 1)) for name, ms in
                             zip(case["launches"], time_launches(program, flush, rounds=5))]
    return record


def main():
    parser = harness.parser(__doc__, "DIRECTORY", rounds=15)
    parser.add_argument("--no-compile", dest="compile", action="store_false", help="leave torch.compile out")
    parser.add_argument("--kernels", action="store_true", help="time each launch, too")
    parser.add_argument("--zeros", type=float, default=.9, help="share of units that are dead for all tokens")
    options = parser.parse_args()
    driver = harness.start()
    flush = harness.flush_buffer(options)
    torch.set_grad_enabled(False)
    return harness.run(options, options.cases, lambda name: measure(driver, name, options, flush))


if __name__ == "__main__":
    sys.exit(main())
