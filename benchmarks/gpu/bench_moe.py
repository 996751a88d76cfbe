#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixtures of experts compiled by PIT from dense programs, against torch in one process.

    bench_moe.py --check DIRECTORY:TOKENS...
    bench_moe.py [--zipf | --balanced] [--alone] [--output FILE] DIRECTORY[,DIRECTORY...]:TOKENS...

DIRECTORY is a case of build_moe.py. Tokens choose experts at random, or with
--zipf by 1/(rank), or with --balanced so that all experts get as many. Results,
filled with NaN before, are compared with f32 of each expert's tokens; the result must
not hang on the order in which blocks run.

`pit` is the whole layer from the gate on, launched and as a CUDA graph: index, both
products, activation, weighted sum. `bmm` is two bare balanced torch.bmm of the same
size; `layer` is torch's own layer: argsort, gather, torch._grouped_mm, activation,
torch._grouped_mm, weighted index_add, eagerly and, for those with a graph, captured.
Single launches after the L2 cache was overwritten, interleaved; `over_x` is the
median of the rounds' ratios x / pit (graph), above 1 is faster. Several directories
of one case are variants on the same data. `kernels_ms` says where the time goes.

torch's layer mostly waits for memory, so that the card stays cool. --alone leaves it
out: graphs and bmm alternate, after as many rounds that are not counted, and the card
runs at the power that it may take.
"""
import sys

import torch
import torch.nn.functional as F

import harness
from timing import median_ms, median_ratio, time_flushed, time_launches
from torch_program import TorchProgram


# Of pit_runtime.h.
CAPACITY_EXCEEDED = 3


def route(tokens, top_k, experts, zipf, balanced=False):
    """A gate of tokens x experts with top_k weights per token, and zeros."""
    weights = torch.softmax(torch.randn(tokens, top_k, device="cuda"), dim=1).clamp_min(1e-3)
    gate = torch.zeros(tokens, experts, device="cuda")
    if balanced:
        turn = torch.randperm(tokens, device="cuda")[:, None] * top_k + torch.arange(top_k, device="cuda")
        return gate.scatter_(1, turn % experts, weights)
    scores = torch.rand(tokens, experts, device="cuda").clamp_min(1e-9).log()
    if zipf:
        # Drawing without replacement in proportion to 1/rank (Gumbel).
        scores = -(-scores).log() - torch.arange(1, experts + 1, device="cuda").log()
    chosen = scores.topk(top_k, dim=1).indices
    return gate.scatter_(1, chosen, weights)


class Layer:
    def __init__(self, case, tokens, zipf, balanced=False):
        experts, self.top_k = case["experts"], case["top_k"]
        width, hidden = case["width"], case["hidden"]
        self.gated, self.tokens = case["activation"] == "swiglu", tokens
        self.plain = {"relu": torch.relu, "gelu": F.gelu}.get(case["activation"])

        def random(*shape):
            out = torch.empty(*shape, dtype=torch.bfloat16, device="cuda")
            for part in out if len(shape) == 3 else [out]:
                part.copy_(torch.randn(part.shape, device="cuda") * (.05 if len(shape) == 3 else 1.))
            return out

        self.x, self.gate = random(tokens, width), route(tokens, self.top_k, experts, zipf, balanced)
        both = random(experts, width, 2 * hidden if self.gated else hidden)
        self.w1 = [both[:, :, :hidden].contiguous(), both[:, :, hidden:].contiguous()] if self.gated else [both]
        self.both, self.w2 = both, random(experts, hidden, width)
        # By expert, of f32; or none.
        self.biases = [torch.randn(experts, both.shape[2], device="cuda"),
                       torch.randn(experts, width, device="cuda")] if case["biases"] else None
        rows = max(1, tokens * self.top_k // experts)
        self.balanced = random(experts, rows, width), random(experts, rows, hidden)

    def arguments(self):
        """Of the program, in its order."""
        biases = []
        if self.biases:
            first, last = self.biases
            biases = [*(part.contiguous() for part in first.chunk(len(self.w1), dim=1)), last]
        return [self.x, self.gate, *self.w1, self.w2, *biases]

    def activate(self, h):
        if not self.gated:
            return self.plain(h)
        gate, up = h.chunk(2, dim=-1)
        return F.silu(gate) * up

    def reference(self):
        out = torch.zeros(self.x.shape, dtype=torch.float32, device="cuda")
        for expert in range(self.gate.shape[1]):
            mine = self.gate[:, expert].nonzero().flatten()
            if len(mine):
                first, last = (bias[expert] for bias in self.biases) if self.biases else (0, 0)
                h = self.activate(self.x[mine].float() @ self.both[expert].float() + first).to(torch.bfloat16).float()
                y = (h @ self.w2[expert].float() + last).to(torch.bfloat16).float()
                out.index_add_(0, mine, y * self.gate[mine, expert][:, None])
        return out

    def torch_layer(self):
        weights, chosen = self.gate.topk(self.top_k, dim=1)
        flat = chosen.flatten()
        order = torch.argsort(flat, stable=True)
        ends = torch.bincount(flat, minlength=self.gate.shape[1]).cumsum(0).to(torch.int32)
        rows = order // self.top_k
        first, last = (bias.bfloat16()[flat[order]] for bias in self.biases) if self.biases else (0, 0)
        h = self.activate(torch._grouped_mm(self.x[rows], self.both, offs=ends) + first)
        y = torch._grouped_mm(h, self.w2, offs=ends) + last
        y = y * weights.flatten()[order][:, None]
        return torch.zeros(self.x.shape, device="cuda").index_add_(0, rows, y.float()).to(torch.bfloat16)

    def bmm(self):
        torch.bmm(self.balanced[0], self.both)
        torch.bmm(self.balanced[1], self.w2)


def check(program, layer, reference):
    out, = program.prepare(layer.arguments())
    results = []
    for _ in range(3):
        out.fill_(float("nan"))
        program.launch()
        program.check_status()
        results.append(out.clone())
    if any(not torch.equal(result.view(torch.int16), results[0].view(torch.int16)) for result in results):
        raise RuntimeError(f"{program.name}: another run, other bits")
    error = float((out.float() - reference).norm() / reference.norm())
    if not error <= 6e-3:
        raise RuntimeError(f"{program.name}: relative error {error}")
    return error


def check_bound(program, layer):
    """Of one expert per token: rows without any are zero, and one with two is reported, wherever it is."""
    tokens = layer.tokens
    chosen = layer.gate
    layer.gate = chosen * (torch.rand(tokens, 1, device="cuda") > .2)
    check(program, layer, layer.reference())
    for rows in ([0], [tokens - 1], [tokens // 2], list(range(tokens))):
        layer.gate = chosen.clone()
        layer.gate[rows, :2] = .5
        program.prepare(layer.arguments())
        program.launch()
        torch.cuda.synchronize()
        code = int(program.buffers[program.function["status_buffer"]][0])
        if code != CAPACITY_EXCEEDED:
            raise RuntimeError(f"{program.name}: status {code} for rows {rows[:4]} with two experts")
    layer.gate = chosen


def capture(program):
    """The program as a CUDA graph."""
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    with torch.cuda.stream(stream), torch.cuda.graph(graph, stream=stream):
        program.launch(stream.cuda_stream)
    return graph.replay


def time_kernels(program, flush, rounds):
    """Milliseconds by launch."""
    names = [launch["kernel"] for launch in program.function["launches"]]
    return {name: round(ms, 4) for name, ms in zip(names, time_launches(program, flush, rounds))}


def measure(layer, programs, flush, rounds):
    """Times of the peers, and numbers of each variant by name."""
    graphs = [capture(program) for program in programs]
    functions = [layer.bmm, layer.torch_layer] + graphs + [program.launch for program in programs]
    time_flushed(functions, flush, 3)
    times = time_flushed(functions, flush, rounds)
    variants = {}
    for i, program in enumerate(programs):
        graph, plain = times[2 + i], times[2 + len(programs) + i]
        variants[program.name] = {
            "graph_ms": median_ms(graph), "ms": median_ms(plain), "over_bmm": median_ratio(times[0], graph),
            "over_layer": median_ratio(times[1], graph), "kernels_ms": time_kernels(program, flush, rounds)}
    return {"bmm_ms": median_ms(times[0]), "layer_ms": median_ms(times[1])}, variants


def measure_alone(layer, programs, flush, rounds):
    """The same of bmm and the programs as graphs, with nothing else in between."""
    functions = [layer.bmm] + [capture(program) for program in programs]
    time_flushed(functions, flush, rounds)
    bmm, *times = time_flushed(functions, flush, rounds)
    return {"bmm_ms": median_ms(bmm)}, {
        program.name: {"graph_ms": median_ms(graph), "over_bmm": median_ratio(bmm, graph)}
        for program, graph in zip(programs, times)}


def main():
    parser = harness.parser(__doc__, "DIRECTORY[,DIRECTORY...]:TOKENS", rounds=15)
    routing = parser.add_mutually_exclusive_group()
    routing.add_argument("--zipf", action="store_true", help="tokens prefer some experts")
    routing.add_argument("--balanced", action="store_true", help="all experts get as many tokens")
    parser.add_argument("--alone", action="store_true", help="without torch's layer in between")
    options = parser.parse_args()
    driver, flush = harness.start(), harness.flush_buffer(options)

    def one(name):
        directories, _, tokens = name.rpartition(":")
        directories = directories.split(",")
        case = harness.read_json(directories[0])
        layer = Layer(case, int(tokens), options.zipf, options.balanced)
        reference = layer.reference()
        programs = [TorchProgram(driver, directory) for directory in directories]
        entry = {"case": case["name"], "tokens": int(tokens), "zipf": options.zipf, "variants": {}}
        if options.balanced:
            entry["balanced"] = True
        for program in programs:
            entry["variants"][program.name] = {"error": check(program, layer, reference),
                                               "launches": len(program.calls)}
            if options.check and layer.top_k == 1:
                check_bound(program, layer)
        if not options.check:
            del reference
            measured = measure_alone if options.alone else measure
            peers, variants = measured(layer, programs, flush, options.rounds)
            entry.update(peers)
            for label, numbers in variants.items():
                entry["variants"][label].update(numbers)
        return entry

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
