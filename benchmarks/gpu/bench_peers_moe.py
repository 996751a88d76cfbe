#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixtures of experts compiled by PIT from dense programs, and what a user could run instead, in one process.

    bench_peers_moe.py [--check] [--zipf] [--peers NAME,...] [--quick] [--output FILE] DIRECTORY[,DIRECTORY...]:TOKENS...

DIRECTORY is a case of build_moe.py; several are variants, of which the fastest counts. All
compute the same layer from the gate on, on the same tensors, which bench_moe.py describes:

  layer            torch's own: argsort, gather, torch._grouped_mm twice, weighted index_add
  layer-compiled   the same through torch.compile
  sorted-compiled  the same without waiting for the host, rows gathered and summed, through torch.compile
  loop             expert by expert by cuBLAS, as a user would begin
  triton           products in Triton that gather and scatter rows, the index by torch's ops,
                   in the fastest of a few configurations, which are tried on these tensors
  scattermoe       ScatterMoE, where it is installed
  bmm              no layer: two bare balanced torch.bmm of the same size

Results are compared with f32 of each expert's tokens before anything is timed; a peer that is
not there, or not right, is written as {"missing": why}. Times are of one call after the L2
cache was overwritten, interleaved, medians: `ms` as launched from the host, `graph_ms` as a
CUDA graph, for those that can be one. Ours are graphs. `ratio` is the median over rounds of the
better of a peer's times over ours: above 1, ours is faster.

`extra_mib` is what a call takes besides weights and inputs: of ours, all buffers that the program
asks for, its result included; of a peer, the peak of torch's allocator. Ours must stay below
`dense_hidden_mib`, the tensor of tokens x experts x hidden that the program speaks of.
"""
import statistics
import sys

import torch

import harness
from bench_encoder import capture
from bench_models import mebibytes, peak_memory, workspace
from bench_moe import Layer, check
from peers.peer import Runner, add_options, checker, chosen
from timing import median_ms
from torch_program import TorchProgram

PEERS = {"layer": "compiled:Grouped", "layer-compiled": "compiled:Compiled", "sorted-compiled": "compiled:Sorted",
         "loop": "compiled:Loop", "triton": "triton_experts:TritonExperts", "scattermoe": "scattermoe:ScatterMoE",
         "bmm": "cublas:Bmm"}
# Of a peer's result, which may be rounded once more on its way than ours.
TOLERANCE = 1e-2


def describe_ours(program, error, dense):
    """What is known before anything is timed; raises where the program keeps what nobody asked for."""
    extra = workspace(program)
    if extra >= dense:
        raise RuntimeError(f"{program.name}: {extra} MiB, where tokens x experts x hidden are {dense}")
    return {"error": error, "launches": len(program.calls), "extra_mib": extra}


def main():
    parser = harness.parser(__doc__, "DIRECTORY[,DIRECTORY...]:TOKENS", rounds=15)
    parser.add_argument("--zipf", action="store_true", help="tokens prefer some experts")
    add_options(parser, PEERS)
    options = parser.parse_args()
    make_peers = chosen(parser, options, PEERS)
    driver, flush = harness.start(), harness.flush_buffer(options)
    torch.set_grad_enabled(False)

    def one(name):
        directories, _, tokens = name.rpartition(":")
        directories = directories.split(",")
        case = harness.read_json(directories[0])
        # After some layers, it would give up compiling for yet another one.
        torch._dynamo.reset()
        layer = Layer(case, int(tokens), options.zipf)
        reference = layer.reference()
        dense = mebibytes(2 * layer.tokens * case["experts"] * case["hidden"])
        programs = [TorchProgram(driver, directory) for directory in directories]
        entry = {"case": case["name"], "tokens": layer.tokens, "zipf": options.zipf, "dense_hidden_mib": dense,
                 "variants": {program.name: describe_ours(program, check(program, layer, reference), dense)
                              for program in programs}}
        runner = Runner(make_peers(), layer, checker(reference, TOLERANCE))
        entry["peers"] = runner.records
        if options.check:
            return entry
        del reference
        for peer, parts in runner.functions.items():
            runner.records[peer]["extra_mib"] = peak_memory(parts["ms"])
        times = runner.time({program.name: capture(program.launch) for program in programs}, flush, options.rounds)
        for label, values in times.items():
            entry["variants"][label]["graph_ms"] = median_ms(values)
        entry["fastest"] = min(times, key=lambda label: statistics.median(times[label]))
        return entry

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
