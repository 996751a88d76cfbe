#!/usr/bin/env python3
# ===- bench.py - Models from Python against eager and inductor -------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Models from Python, compiled by PIT, against eager and inductor.

    bench.py --compile OUT [--target cuda:sm_90a] [--only CASE]       needs torch-mlir and pit-compile, no device
    bench.py --run OUT --json RESULTS.json [--only CASE] [--repeat N] needs torch and the device alone

Both with the package: PYTHONPATH=python, and the variables of docs/Python.md or the wheel. Each case is compared
with eager before it is timed; times are medians, and peers are timed in the same run, in turn. What differs from
eager by more than 2 % in bf16 or 1e-4 in f32 (of the norm) is wrong and gets no time.
"""

import json
import os
import statistics
import sys
import time

import torch
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import case_options  # noqa: E402
import models  # noqa: E402


def build(case, device, dtype):
    torch.manual_seed(0)
    with torch.device(device):
        model = case.make().to(dtype).eval()
    if device != "meta":
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.dim() > 1:
                    nn.init.normal_(parameter, std=parameter.shape[-1] ** -0.5)
    return model, case.inputs(device, dtype)


def compile_cases(options):
    import pit_mlir.torch

    failed = []
    for name, case in selected(options):
        began = time.monotonic()
        try:
            model, inputs = build(case, "meta", case.dtype(options.target))
            pit_mlir.torch.export(model, inputs, os.path.join(options.compile, name), target=options.target)
            print(f"{name}: compiled in {time.monotonic() - began:.1f} s", flush=True)
        except pit_mlir.Error as error:
            failed.append(name)
            print(f"{name}: {error}", flush=True)
    return 1 if failed else 0


def selected(options):
    for name, case in models.CASES.items():
        if not options.only or name in options.only:
            yield name, case


class Clock:
    """Milliseconds of calls: by events of the device, or by the host's clock."""

    def __init__(self, device):
        self.is_cuda = device == "cuda"

    def begin(self, call):
        """Calls, and returns a function of what it took: on a device it waits."""
        if not self.is_cuda:
            began = time.perf_counter()
            call()
            spent = (time.perf_counter() - began) * 1e3
            return lambda: spent
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        call()
        stop.record()

        def wait():
            stop.synchronize()
            return start.elapsed_time(stop)

        return wait

    def time(self, call):
        return self.begin(call)()


PEERS = ["eager", "inductor"]


def peers_of(model, inputs, wanted):
    """Name to call. Inductor is left out where it does not compile."""
    calls = {"eager": lambda: model(*inputs)} if "eager" in wanted else {}
    if "inductor" not in wanted:
        return calls
    compiled = torch.compile(model)
    try:
        compiled(*inputs)
        calls["inductor"] = lambda: compiled(*inputs)
    except Exception as error:  # It raises what its parts raise.
        print(f"  inductor: {str(error).splitlines()[0]}", flush=True)
    return calls


def measure(calls, clock, repeat):
    """Medians, the calls in turn, so that what the machine does meanwhile meets all of them."""
    times = {name: [] for name in calls}
    for call in calls.values():
        for _ in range(3):
            call()
    for _ in range(repeat):
        for name, call in calls.items():
            times[name].append(clock.time(call))
    return {name: statistics.median(found) for name, found in times.items()}


def run_cases(options):
    import pit_mlir.torch

    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    about = torch.cuda.get_device_name() if device == "cuda" else f"{torch.get_num_threads()} CPU threads"
    found = {"device": about, "torch": torch.__version__, "pit_mlir": pit_mlir.__version__, "cases": []}
    wrong = []
    for name, case in selected(options):
        folder = os.path.join(options.run, name)
        if not os.path.exists(os.path.join(folder, "program.json")):
            print(f"{name}: not compiled", flush=True)
            continue
        with torch.no_grad():
            model, inputs = build(case, device, case.dtype(device))
            run = pit_mlir.torch.load(folder, model)
            reference = case.reference(model)
            result, expected = run(*inputs), reference(*inputs)
            if device == "cuda":
                run.program.check(torch.cuda.current_stream().cuda_stream)
            error = (result.double() - expected.double()).norm() / expected.double().norm()
            limit = 2e-2 if result.dtype is torch.bfloat16 else 1e-4
            if not error < limit:
                wrong.append(name)
                print(f"{name}: WRONG, relative difference {error:.3g}", flush=True)
                continue
            calls = {"pit": lambda: run(*inputs), **peers_of(reference, inputs, options.peer or PEERS)}
            times = measure(calls, Clock(device), options.repeat)
        ms = times.pop("pit")
        found["cases"].append({"case": name, "ms": ms, "difference": float(error), "peers": {peer: {"ms": t} for peer, t in times.items()}})
        print(f"{name}: {ms:.3f} ms; " + ", ".join(f"{peer} {t:.3f} ms, {t / ms:.2f}x" for peer, t in times.items()), flush=True)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(found, file, indent=1)
                file.write("\n")
    return 1 if wrong else 0


def main():
    parser = case_options.parser_of(__doc__)
    parser.add_argument("--device", choices=["cpu", "cuda"])
    parser.add_argument("--peer", action="append", choices=PEERS, help="all by default")
    parser.add_argument("--repeat", type=int, default=30)
    options = case_options.parse(parser, models.CASES)
    return compile_cases(options) if options.compile else run_cases(options)


if __name__ == "__main__":
    sys.exit(main())
