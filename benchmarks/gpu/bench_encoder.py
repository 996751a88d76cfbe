#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encoder layers compiled from the padded program, against torch.

    bench_encoder.py [--output FILE] [--check] [--no-compile] DIRECTORY...

Directories are cases of build_encoder.py. `pit` is the whole padded program, the
list of live rows included. Its peers are the same layer in torch, bf16:

  padded         all positions, attention by scaled_dot_product_attention with a mask
  padded_compiled  the same through torch.compile
  packed         by hand: rows gathered by an index that is given, attention by
                 sequence (variable lengths in one call), results scattered into zeros
  packed_rows    the same without gather and scatter: rows come and stay packed

Lengths: of up to 128 tokens as in MNLI (about a third live), or as in the set of GLUE
that the case names; of long documents up to 2048. Data is random normal. Results are filled with NaN and compared with f32
before anything is timed. All are CUDA graphs of one call, replayed after the L2
cache was overwritten, interleaved, medians.
"""
import math
import statistics
import sys

import torch
import torch.nn.functional as F

import harness
from timing import median_ms, median_ratio, time_flushed
from torch_program import TorchProgram

# Relative, of all live rows together; each product and each step is rounded to bf16 on the way.
TOLERANCE = 1e-2


# Of sets of GLUE: median and spread of log-normal lengths, in tokens; about what their sentences, or pairs, have.
LENGTHS = {"mnli": (38, .45), "cola": (11, .35), "qnli": (47, .45), "rte": (62, .55)}


def draw_lengths(batch, length, generator, kind="mnli"):
    """Log-normal lengths, for MNLI 42 of 128 tokens on average; a third of 2048 for long ones."""
    median, spread = LENGTHS[kind] if length <= 128 else (length / 3.4, .5)
    drawn = torch.exp(torch.randn(batch, generator=generator) * spread + math.log(median))
    return drawn.round().clamp(4, length).long().cuda()


class Weights:
    """Arguments of the program behind x and lengths, by name."""

    def __init__(self, case):
        width, inner = case["width"], case["inner"]
        self.all = []
        names = (["query", "key", "value", "output", "norm1"] if case["part"] == "layer" else []) + ["up", "down", "norm2"]
        for name in names:
            rows = inner if name == "up" else width
            columns = inner if name == "down" else width
            if name.startswith("norm"):
                weight = 1 + .1 * torch.randn(rows, device="cuda")
            else:
                weight = torch.randn(rows, columns, device="cuda") / columns ** .5
            pair = [weight.bfloat16(), (.1 * torch.randn(rows, device="cuda")).bfloat16()]
            setattr(self, name, pair)
            self.all += pair


class Layer:
    """The layer on rows [..., width]; `attend` maps queries, keys and values to contexts."""

    def __init__(self, case, weights, attend):
        self.case, self.weights, self.attend = case, weights, attend

    def __call__(self, x):
        w, case = self.weights, self.case
        width, epsilon = case["width"], case["epsilon"]
        if case["part"] == "layer":
            q, k, v = (F.linear(x, *pair) for pair in (w.query, w.key, w.value))
            x = F.layer_norm(x + F.linear(self.attend(q, k, v), *w.output), [width], *w.norm1, epsilon)
        hidden = F.gelu(F.linear(x, *w.up))
        return F.layer_norm(x + F.linear(hidden, *w.down), [width], *w.norm2, epsilon)


def split(t, heads):
    return t.unflatten(-1, (heads, -1)).transpose(-2, -3)


def attend_padded(case, live):
    mask = torch.zeros(live.shape, device="cuda", dtype=torch.bfloat16).masked_fill(~live, float("-inf"))[:, None, None]

    def attend(q, k, v):
        q, k, v = (split(t, case["heads"]) for t in (q, k, v))
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask.to(q.dtype)).transpose(1, 2).flatten(2)

    return attend


def attend_packed(case, lengths):
    """One call for all sequences, where this torch has one for variable lengths."""
    ends = F.pad(lengths.cumsum(0), (1, 0)).int()
    longest = int(lengths.max())
    varlen = torch.ops.aten._flash_attention_forward

    def attend(q, k, v):
        q, k, v = (t.unflatten(-1, (case["heads"], -1)) for t in (q, k, v))
        return varlen(q, k, v, ends, ends, longest, longest, 0.0, False, False)[0].flatten(1)

    return attend


def capture(function):
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):  # libraries set themselves up
            function(stream.cuda_stream)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, stream=stream):
        function(stream.cuda_stream)
    return graph.replay


def measure(driver, directory, options, flush):
    case = harness.read_json(directory, "case.json")
    program = TorchProgram(driver, directory)
    generator = torch.Generator().manual_seed(7)
    torch.manual_seed(8)
    batch, length, width = case["batch"], case["length"], case["width"]
    lengths = draw_lengths(batch, length, generator, case["lengths"])
    position = torch.arange(length, device="cuda")
    live = position < lengths[:, None] if case["pad"] == "right" else position >= length - lengths[:, None]
    index = live.flatten().nonzero().flatten()
    # Nobody reads the padding: it holds what would show.
    x = torch.randn(batch, length, width, device="cuda").bfloat16()
    weights = Weights(case)
    poisoned = x.clone()
    poisoned[~live] = 1e4
    # The buffer may have the same rows without sequences.
    out = program.prepare([poisoned, lengths, *weights.all])[0].view(batch, length, width)
    out.fill_(float("nan"))
    program.launch()
    program.check_status()

    wide = Weights.__new__(Weights)
    for name, pair in vars(weights).items():
        setattr(wide, name, [t.float() for t in pair])
    reference = Layer(case, wide, attend_padded(case, live))(x.float()).flatten(0, 1)[index]
    got = out.flatten(0, 1)
    error = float((got[index].float() - reference).norm() / reference.norm())
    torch_error = float((Layer(case, weights, attend_padded(case, live))(x).flatten(0, 1)[index].float()
                         - reference).norm() / reference.norm())
    dead = ~live.flatten()
    if not error <= TOLERANCE or bool((got[dead] != 0).any()):
        raise RuntimeError(f"relative error {error} (torch: {torch_error}), or dead rows are not zero")
    record = {"case": program.name, "part": case["part"], "lengths": case["lengths"] if length <= 128 else "long", "pad": case["pad"], "batch": batch, "length": length, "tokens": len(index),
              "live": len(index) / (batch * length), "launches": case["launches"], "relative_error": error,
              "torch_relative_error": torch_error}
    first = out.clone()
    for _ in range(5):
        program.launch()
        if not torch.equal(out, first):
            raise RuntimeError("another run, other bits")
    if flush is None:
        return record

    padded = Layer(case, weights, attend_padded(case, live))
    packed = Layer(case, weights, attend_packed(case, lengths))
    rows = x.flatten(0, 1)[index].clone()
    scattered = torch.zeros_like(x).flatten(0, 1)

    def by_hand():
        scattered.zero_()
        scattered.index_copy_(0, index, packed(x.flatten(0, 1)[index]))

    by_hand()
    other = float((scattered[index].float() - reference).norm() / reference.norm())
    if not other <= TOLERANCE:
        raise RuntimeError(f"packed by hand: relative error {other}")
    functions = {"pit": program.launch, "padded": lambda _: padded(x), "packed": lambda _: by_hand(),
                 "packed_rows": lambda _: packed(rows)}
    if options.compile:
        compiled = torch.compile(padded, dynamic=False)
        functions["padded_compiled"] = lambda _: compiled(x)
        compiled_packed = torch.compile(packed, dynamic=False) if case["part"] == "ffn" else None
        if compiled_packed:
            functions["packed_rows_compiled"] = lambda _: compiled_packed(rows)
    with torch.no_grad():
        graphs = [capture(function) for function in functions.values()]
        time_flushed(graphs, flush, 3)
        times = dict(zip(functions, time_flushed(graphs, flush, options.rounds)))
    record["ms"] = {name: median_ms(values) for name, values in times.items()}
    record["speedup"] = {name: median_ratio(values, times["pit"]) for name, values in times.items() if name != "pit"}
    if options.kernels:
        record["kernels_us"] = time_kernels(program, flush)
    return record


def time_kernels(program, flush):
    """Microseconds of each launch on its own, the L2 cache as the launch before leaves it."""
    result = []
    for number, call in enumerate(program.calls):
        times = []
        for _ in range(7):
            flush.zero_()
            for before in program.calls[:number]:
                program.driver.launch(*before)
            torch.cuda.synchronize()
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            program.driver.launch(*call)
            end.record()
            torch.cuda.synchronize()
            times.append(start.elapsed_time(end) * 1000)
        result.append(round(statistics.median(times), 1))
    return result


def main():
    parser = harness.parser(__doc__, "DIRECTORY", rounds=31)
    parser.add_argument("--no-compile", dest="compile", action="store_false", help="leave torch.compile out")
    parser.add_argument("--kernels", action="store_true", help="time each launch, too")
    options = parser.parse_args()
    driver = harness.start()
    flush = harness.flush_buffer(options)
    torch.set_grad_enabled(False)
    return harness.run(options, options.cases, lambda name: measure(driver, name, options, flush))


if __name__ == "__main__":
    sys.exit(main())
