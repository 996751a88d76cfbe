#!/usr/bin/env python3
# ===- decoder.py - Whole layers, attention and experts, on several GPUs ----------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""A layer as Switch transformers have it and one as Mixtral has it, forward or with all gradients, on several GPUs of one host.

    decoder.py --compile OUT [--bin BUILD/bin] [--ranks 2]       needs pit-compile, torch and torch-mlir, no device
    decoder.py --run OUT --json RESULTS.json [--ranks 2]         needs torch and so many devices
    decoder.py --export switch|mixtral bf16|f32 forward|step     prints the small program of the tests

`data` cuts the sequences over ranks, `tensor` the heads of attention; experts are split in both. Results are compared with those of
one GPU before anything is timed, and calls have to have the same bits. bench.py says how times are taken.
"""

import argparse
import dataclasses
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "python")]

import bench  # noqa: E402

# The least of the ports that ranks meet at.
PORT = 28000


@dataclasses.dataclass(frozen=True)
class Decoder:
    batch: int
    positions: int
    dim: int
    heads: int
    groups: int  # heads of keys and values
    experts: int
    top_k: int
    hidden: int
    gated: bool = True  # SwiGLU and rotary embeddings, or ReLU and none
    step: bool = False

    @property
    def width(self):
        return self.dim // self.heads

    def shapes(self):
        d, q, kv, e = self.dim, self.heads * self.width, self.groups * self.width, self.experts
        angles = {"cos": (self.positions, self.width), "sin": (self.positions, self.width)} if self.gated else {}
        up = {"gate_up": (e, d, self.hidden)} if self.gated else {}
        return {"x": (self.batch, self.positions, d), **angles, "wq": (d, q), "wk": (d, kv), "wv": (d, kv), "wo": (q, d),
                "norm1": (d,), "norm2": (d,), "router": (d, e), **up, "up": (e, d, self.hidden), "down": (e, self.hidden, d)}  # fmt: skip

    def cuts(self, form):
        """For the option shard-inputs."""
        names = list(self.shapes())
        dims = {"data": {"x": 0}, "tensor": {"wq": 1, "wk": 1, "wv": 1, "wo": 0}}[form]
        return ",".join(f"{names.index(name)}:{dim}" for name, dim in dims.items())

    def function(self, *arguments):
        import torch
        import torch.nn.functional as F

        import pit_mlir.torch

        a = dict(zip(self.shapes(), arguments))

        def norm(x, weight):
            return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * weight

        def turned(x):
            first, second = x.chunk(2, -1)
            return x * a["cos"] + torch.cat((-second, first), -1) * a["sin"] if self.gated else x

        x, (b, s, d) = a["x"], a["x"].shape
        h = norm(x, a["norm1"])
        q, k, v = ((h @ a[name]).view(b, s, -1, self.width).transpose(1, 2) for name in ("wq", "wk", "wv"))
        y = F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True, enable_gqa=self.heads != self.groups)
        x = x + y.transpose(1, 2).reshape(b, s, -1) @ a["wo"]
        h = norm(x, a["norm2"]).view(b * s, d)
        weights = torch.softmax(h @ a["router"], -1)
        kept = F.one_hot(torch.topk(weights.detach(), self.top_k, dim=-1).indices, self.experts).sum(-2).to(weights.dtype)
        gate = pit_mlir.torch.sparse(kept * weights, axes=(0, 1), at_most=self.top_k)
        up = torch.einsum("td,edf->tef", h, a["up"])
        up = F.silu(torch.einsum("td,edf->tef", h, a["gate_up"])) * up if self.gated else F.relu(up)
        return x + torch.einsum("te,tef,efd->td", gate, up, a["down"]).view(b, s, d)

    def inputs(self, device, dtype):
        """The same on each rank; a step has the gradient of the result behind them."""
        import torch

        generator = torch.Generator().manual_seed(1)
        made = []
        shapes = list(self.shapes().items()) + ([("dy", self.shapes()["x"])] if self.step else [])
        for name, shape in shapes:
            value = torch.randn(*shape, generator=generator) if device != "meta" else torch.empty(*shape)
            if name not in ("x", "dy", "cos", "sin"):
                value *= shape[-2] ** -0.5 if len(shape) > 1 else 1.0
            made.append(value.to(dtype).to(device) if device != "meta" else torch.empty(*shape, dtype=dtype, device="meta"))
        return made

    def text(self, dtype):
        """The program in MLIR."""
        from pit_mlir.torch import decompositions, steps
        from pit_mlir.torch.marks import lower_marks, traced

        inputs = self.inputs("meta", dtype)
        function = lambda *values: self.function(*values)  # noqa: E731
        if self.step:
            return steps.import_step(function, tuple(inputs[:-1]), None)[0]
        import torch
        from torch._subclasses import FakeTensorMode
        from torch.fx.experimental.proxy_tensor import make_fx

        names = ", ".join(f"a{i}" for i in range(len(inputs)))
        plain = eval(f"lambda {names}: f({names})", {"f": function})  # make_fx counts arguments.
        math = torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH)
        with FakeTensorMode(), traced(), steps.sdpa.Replaced(), math:
            fake = [torch.empty(x.shape, dtype=x.dtype) for x in inputs]
            graph = make_fx(plain, decomposition_table=decompositions.table())(*fake)
        graph = steps.copy_graph(graph)
        graph.graph.eliminate_dead_code()
        return steps.import_graph(graph.graph, lower_marks(graph))


SMALL = {"switch": Decoder(2, 24, 64, 4, 4, 8, 1, 48, gated=False), "mixtral": Decoder(2, 24, 128, 8, 2, 8, 2, 48)}
_SWITCH, _MIXTRAL = Decoder(8, 1024, 768, 12, 12, 64, 1, 3072, gated=False), Decoder(4, 1024, 4096, 32, 8, 8, 2, 14336)
CASES = {
    "switch-8x1024": _SWITCH,
    "switch-8x1024-step": dataclasses.replace(_SWITCH, step=True),
    "mixtral-4x1024": _MIXTRAL,
    "mixtral-4x1024-step": dataclasses.replace(_MIXTRAL, step=True),
}
FORMS = ("data", "tensor")


def selected(options):
    return {name: case for name, case in CASES.items() if not options.only or name in options.only}


def compile_cases(options):
    import torch

    return bench.compile_programs(options, (
        (name, str(case.text(torch.bfloat16)), [(form, f"shard-inputs={case.cuts(form)}") for form in FORMS])
        for name, case in selected(options).items()))


def cut(value, split, rank, ranks):
    """The rank's part of an argument or a result."""
    return value if split == "whole" else value.chunk(ranks, int(split.split()[1]))[rank].contiguous()


class Reruns:
    """Which elements of the results of later calls have other bits than those of the first one, counted on the device."""

    def __init__(self, torch, found):
        self.torch, self.found, self.first = torch, found, [value.clone() for value in found]
        self.counts = torch.zeros(len(found), dtype=torch.int64, device="cuda")
        self.largest = torch.zeros(len(found), device="cuda")

    def compare(self):
        torch = self.torch
        for i, (a, b) in enumerate(zip(self.found, self.first)):
            differ = a.view(torch.int16) != b.view(torch.int16)
            self.counts[i] += differ.sum()
            self.largest[i] = torch.maximum(self.largest[i], torch.where(differ, (a.float() - b.float()).abs(), 0).max())

    def text(self):
        """Empty if all calls had the same bits."""
        return "; ".join(f"result {i} has other bits in later calls, {count} elements, at most {largest:.1e}"
                         for i, (count, largest) in enumerate(zip(self.counts.tolist(), self.largest.tolist())) if count)


def run_form(ranks, name, form, options, inputs, expected):
    """An entry of the results; none if it is wrong."""
    import pit_mlir
    from pit_mlir import parallel

    torch, comm = ranks.torch, ranks.comm
    program = pit_mlir.load(bench.file_of(options.run, name, ranks.ranks, form))
    plan = program.phases[0]
    mine = [cut(value, split, ranks.rank, ranks.ranks) for value, split in zip(inputs, plan["inputs"])]
    wanted = [cut(value, split, ranks.rank, ranks.ranks) for value, split in zip(expected, plan["results"])]
    found = [torch.empty_like(value) for value in wanted]
    step = parallel.Step(program, comm, mine, out=found)
    stream = lambda: torch.cuda.current_stream().cuda_stream  # noqa: E731
    call = lambda: step.run(stream())  # noqa: E731
    call()
    comm.check(stream())
    error = max(float((a.float() - b.float()).norm() / b.float().norm().clamp(min=1e-20)) for a, b in zip(found, wanted))
    error = max(ranks.slowest([error]))
    # Roundings to bf16 of sums in another order; the order of sums is all that differs.
    wrong = "" if error <= 2e-2 else f"error against one GPU {error:.2e}"
    reruns = Reruns(torch, found)
    graph = ranks.capture(call)
    comm.check(stream())
    for _ in range(options.reruns):
        graph.replay()
        comm.check(stream())
        reruns.compare()
    wrong = wrong or reruns.text()
    if wrong:
        print(f"{name}-{form}, rank {ranks.rank}: WRONG: {wrong}", flush=True)
    if max(ranks.slowest([float(bool(wrong))])):
        return None
    entry = {"case": f"{name}-{form}", "ranks": ranks.ranks, "form": form, "error": error, "reruns": options.reruns}
    entry["ms"] = round(ranks.time(graph.replay, options.repeat), 4)
    entry["phases"] = bench.time_phases(ranks, step, options.repeat)
    return entry


def run_case(ranks, name, case, options):
    import pit_mlir

    torch = ranks.torch
    inputs = case.inputs("cuda", torch.bfloat16)
    alone = pit_mlir.load(bench.file_of(options.run, name, 1, ""))
    expected = alone(*inputs)
    expected = list(expected) if isinstance(expected, (tuple, list)) else [expected]
    alone.check(torch.cuda.current_stream().cuda_stream)
    places, single, graph, wrong = [torch.empty_like(value) for value in expected], 0.0, None, []
    alone(*inputs, out=places)
    if ranks.rank == 0:
        reruns, graph = Reruns(torch, places), ranks.capture(lambda: alone(*inputs, out=places))
        for _ in range(options.reruns):
            graph.replay()
            reruns.compare()
        if reruns.text():
            ranks.say(f"{name}, one GPU: WRONG: {reruns.text()}")
            wrong = [None]
    entries = [run_form(ranks, name, form, options, inputs, expected) for form in FORMS] + wrong
    if ranks.rank == 0:
        single = bench.time_graph(ranks, graph, options.repeat)
    ranks.dist.barrier()
    peers = {"one-gpu": {"ms": round(ranks.slowest([single])[0], 4)}}
    for entry in filter(None, entries):
        entry["peers"] = peers
    return entries


def run_rank(rank, count, port, options):
    ranks = bench.Ranks(rank, count, port, options.limit)
    torch = ranks.torch
    found, wrong = {"device": ranks.device_name(), "torch": torch.__version__, "cases": []}, 0
    with torch.cuda.stream(ranks.stream):
        for name, case in selected(options).items():
            entries = run_case(ranks, name, case, options)
            torch.cuda.empty_cache()
            wrong += entries.count(None)
            for entry in filter(None, entries):
                found["cases"].append(entry)
                ranks.say(f"{entry['case']}: {entry['ms']:.3f} ms, one GPU {entry['peers']['one-gpu']['ms']:.3f}; {entry['phases']}")
            bench.write_results(found, ranks, options)
    bench.end(ranks, wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    bench.add_arguments(parser)
    parser.add_argument("--export", nargs=3, metavar=("NAME", "TYPE", "WHAT"))
    options = parser.parse_args()
    if sum(map(bool, (options.compile, options.run, options.export))) != 1:
        parser.error("expected --compile, --run or --export")
    if options.export:
        import torch

        name, element, what = options.export
        case = dataclasses.replace(SMALL[name], step=what == "step")
        print(case.text({"bf16": torch.bfloat16, "f32": torch.float32}[element]))
        return 0
    if options.compile:
        return compile_cases(options)
    return bench.wait(bench.spawn(run_rank, options, PORT))


if __name__ == "__main__":
    sys.exit(main())
