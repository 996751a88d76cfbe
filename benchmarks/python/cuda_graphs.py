#!/usr/bin/env python3
# ===- cuda_graphs.py - Compiled models in CUDA graphs, threads, on several devices ===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Compiled models under `torch.cuda.graph`, from several threads and on several devices, compared with plain calls and timed.

    bench.py --compile OUT --target cuda:sm_90a --only encoder-small     needs torch-mlir and pit-compile, no device
    cuda_graphs.py --run OUT [--json FILE] [--only CASE]                 needs torch and a GPU

For each case that is compiled:

* `graph` captures a call and replays it after inputs were written anew; `first` captures the first call of a program in this process;
* `threads` calls the program from four threads, each with a stream and inputs of its own;
* `devices` calls it on each device in turn, where there are several.

Results must be those of a plain call, bit by bit. Times are medians in ms, of the device for a replay and for a plain call, and of the host until
a call returns (`host`). Exits with 1 if something is wrong.
"""

import argparse
import json
import os
import statistics
import sys
import threading
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bench  # noqa: E402
import models  # noqa: E402


def inputs_of(case, device, seed):
    torch.manual_seed(seed)
    return case.inputs(device, case.dtype("cuda"))


def model_on(case, device):
    """The case's model with the same parameters on every device."""
    model, _ = bench.build(case, "cpu", case.dtype("cuda"))
    return model.to(device)


def capture(run, inputs):
    """A graph of a call, and its result, which each replay computes anew."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = run(*inputs)
    return graph, result


def write_anew(inputs, others):
    for old, new in zip(inputs, others):
        old.copy_(new)


def same(found, expected):
    torch.cuda.synchronize()
    return torch.equal(found, expected)


def check_graph(run, case, device):
    """Whether replays give what calls do, and the times of both."""
    first, second = inputs_of(case, device, 1), inputs_of(case, device, 2)
    held = tuple(value.clone() for value in first)
    graph, result = capture(run, held)
    wrong = []
    for number, inputs in enumerate((first, second, first)):
        write_anew(held, inputs)
        graph.replay()
        replayed = result.clone()
        run.program.check(torch.cuda.current_stream().cuda_stream)
        if not same(replayed, run(*inputs)):
            wrong.append(f"graph: replay {number} differs from a call")
    clock = bench.Clock("cuda")
    times = bench.measure({"replay": graph.replay, "call": lambda: run(*held)}, clock, 50)
    host = {}
    for name, call in (("replay", graph.replay), ("call", lambda: run(*held))):
        spent = []
        for _ in range(50):
            torch.cuda.synchronize()
            began = time.perf_counter()
            call()
            spent.append((time.perf_counter() - began) * 1e3)
        host[name] = statistics.median(spent)
    return wrong, times, host


def check_threads(run, case, device, count=4, calls=50):
    """Whether calls of several threads, on streams of their own, give what calls of one do."""
    inputs = [inputs_of(case, device, seed) for seed in range(count)]
    expected = [run(*each) for each in inputs]
    torch.cuda.synchronize()
    wrong = []

    def work(number):
        try:
            with torch.no_grad(), torch.cuda.device(device):
                stream = torch.cuda.Stream()
                with torch.cuda.stream(stream):
                    for _ in range(calls):
                        found = run(*inputs[number])
                    stream.synchronize()
                    run.program.check(stream.cuda_stream)
                    if not torch.equal(found, expected[number]):
                        wrong.append(f"threads: thread {number} has another result")
        except Exception as error:  # Whatever it is, the thread must not end without a word.
            wrong.append(f"threads: {type(error).__name__}: {error}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def check_devices(folder, case, expected, inputs):
    """Whether other devices give what the first does."""
    import pit_mlir.torch

    wrong = []
    for index in range(1, torch.cuda.device_count()):
        device = torch.device("cuda", index)
        run = pit_mlir.torch.load(folder, model_on(case, device))
        found = run(*(value.to(device) for value in inputs))
        torch.cuda.synchronize(device)
        if not torch.equal(found.cpu(), expected.cpu()):
            wrong.append(f"devices: device {index} has another result")
    return wrong


def check_case(folder, case):
    import pit_mlir.torch

    device = torch.device("cuda", 0)
    inputs = inputs_of(case, device, 0)
    run = pit_mlir.torch.load(folder, model_on(case, device))
    # The very first call, while a graph is captured.
    graph, result = capture(run, inputs)
    graph.replay()
    torch.cuda.synchronize()
    first = result.clone()
    expected = run(*inputs)
    wrong = [] if same(first, expected) else ["first: a captured first call differs from a plain one"]
    found, times, host = check_graph(run, case, device)
    wrong += found + check_threads(run, case, device) + check_devices(folder, case, expected, inputs)
    return wrong, times, host


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True, help="the folder that bench.py --compile has filled")
    parser.add_argument("--json")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("cuda_graphs.py: no CUDA device")
    report = {"device": torch.cuda.get_device_name(), "devices": torch.cuda.device_count(), "torch": torch.__version__, "cases": []}
    any_wrong = False
    for name, case in models.CASES.items():
        folder = os.path.join(options.run, name)
        if (options.only and name not in options.only) or not os.path.exists(os.path.join(folder, "program.json")):
            continue
        with torch.no_grad():
            wrong, times, host = check_case(folder, case)
        any_wrong |= bool(wrong)
        report["cases"].append({"case": name, "ms": times["replay"], "wrong": wrong, "host": host, "peers": {"call": {"ms": times["call"]}}})
        print(f"{name}: replay {times['replay']:.3f} ms, call {times['call']:.3f} ms; host {host['replay']:.3f} and {host['call']:.3f} ms", *wrong, sep="\n  ", flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
            file.write("\n")
    return int(any_wrong)


if __name__ == "__main__":
    sys.exit(main())
