#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What compiling the examples takes, from linalg to PTX, with a new process each time.

    compile_time.py [--runs N] [--machine TEXT] [--output FILE] BIN [FILE.mlir...]

BIN holds pit-opt and pit-translate. Elapsed and processor time of both together, the least of all runs and the
median; on a machine with other work, the least says most. Without files: layers of 16 bits, as benchmarks/gpu writes
them, which run on matrix units, and those of examples/torch.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(SOURCE, "benchmarks", "gpu"))

import encoder_program  # noqa: E402 (found by the line above)
import model_program  # noqa: E402
from build_models import OPT_1B, SWITCH  # noqa: E402

# Programs that are written to be compiled, by name.
WRITTEN = {
    "bert-base-layer": lambda: encoder_program.whole_layer(encoder_program.Shape(32, 128)),
    "opt-1.3b-layer": lambda: model_program.write("opt", model_program.Shape(4, 2048, layers=1, **OPT_1B))[0],
    "switch-two-layers": lambda: model_program.write("switch", model_program.Shape(64, 128, layers=2, **SWITCH))[0],
}
LAYERS = ["bert_encoder_layer", "opt_ffn", "opt_ffn_dynamic", "longformer_attention", "moe_gate_arg",
          "moe_topk_inside"]


def timed(command):
    """(elapsed, of the processor) in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True)
    elapsed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return elapsed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(binaries, program, chip, runs):
    steps, kernels = {"pit-opt": [], "pit-translate": []}, 0
    with tempfile.TemporaryDirectory() as folder:
        module, ptx = (os.path.join(folder, name) for name in ("module.mlir", "kernels.ptx"))
        commands = {"pit-opt": [program, f"--pit-to-ptx=chip={chip}", "-o", module],
                    "pit-translate": ["--pit-to-ptx", module, "-o", ptx]}
        for _ in range(runs):
            for name, arguments in commands.items():
                steps[name].append(timed([os.path.join(binaries, name), *arguments]))
        with open(ptx, encoding="utf-8") as file:
            kernels = file.read().count(".visible .entry")
    elapsed, processor = ([sum(step[i] for step in pair) for pair in zip(*steps.values())] for i in (0, 1))
    with open(program, encoding="utf-8") as file:
        lines = sum(1 for _ in file)
    inside = os.path.relpath(program, SOURCE)
    return {"program": os.path.basename(program) if inside.startswith(os.pardir) else inside, "lines": lines, "kernels": kernels,
            "least_s": round(min(elapsed), 3), "median_s": round(statistics.median(elapsed), 3),
            "least_processor_s": round(min(processor), 3),
            "least_s_of": {name: round(min(step[0] for step in times), 3) for name, times in steps.items()}}


def write_programs(folder):
    """Paths of the programs without files of their own."""
    paths = []
    for name, write in WRITTEN.items():
        paths.append(os.path.join(folder, name + ".mlir"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(write())
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin")
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--chip", default="sm_90a")
    parser.add_argument("--machine", default="", help="what it was measured on")
    parser.add_argument("--output")
    options = parser.parse_args()
    records = []
    with tempfile.TemporaryDirectory() as folder:
        programs = options.programs or write_programs(folder) + [
            os.path.join(SOURCE, "examples", "torch", name + ".mlir") for name in LAYERS]
        for program in programs:
            records.append(measure(options.bin, program, options.chip, options.runs))
            print(json.dumps(records[-1]), flush=True)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"machine": options.machine, "chip": options.chip, "runs": options.runs, "cases": records}, file,
                      indent=1)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
