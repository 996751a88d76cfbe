#!/usr/bin/env python3
# ===- bench.py - Training steps against what one runs in their place -------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Training steps that PIT derives from dense programs, against peers that are there.

    bench.py --compile OUT [--only CASE]                    needs torch-mlir and pit-compile, no device
    bench.py --run OUT --json RESULTS.json [--only CASE]    needs torch and a device

Both with the package: PYTHONPATH=python, and the variables of docs/Python.md or the wheel. A step is forward and
backward in one program. Results are compared with those in f32 before anything is timed: what has more than twice the
error of torch's own layer, or of one rounding of each result, is wrong and gets no time. Times are of one call
after the L2 cache was overwritten, in turn, medians, as CUDA graphs where that is possible (`graph_ms`), and as
launched from Python (`ms`). `extra_mib` is the peak of torch's allocator over a call, besides inputs: of PIT's programs, the results alone.
"""

import json
import os
import statistics
import sys
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
for folder in ("gpu", "python"):
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", folder))

import case_options  # noqa: E402
import experts  # noqa: E402
import layers  # noqa: E402
import pruned  # noqa: E402
import relu  # noqa: E402

CASES = {**experts.CASES, **layers.CASES, **pruned.CASES, **relu.CASES}


def selected(options):
    return [(name, step) for name, step in CASES.items() if not options.only or name in options.only]


def compile_cases(options):
    import pit_mlir.torch

    failed = []
    for name, step in selected(options):
        began = time.monotonic()
        try:
            pit_mlir.torch.export_step(step.function, step.inputs("meta"), os.path.join(options.compile, name), step.wrt, target=options.target, pipeline=options.pipeline)
            print(f"{name}: compiled in {time.monotonic() - began:.1f} s", flush=True)
        except pit_mlir.Error as error:
            failed.append(name)
            print(f"{name}: {error}", flush=True)
    return 1 if failed else 0


def errors_of(found, expected):
    return [float((a.float() - b).norm() / b.norm().clamp(min=1e-30)) for a, b in zip(found, expected)]


def capture(call):
    """A graph of one call, or the call itself and why not."""
    try:
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                call()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            call()
        graph.replay()
        torch.cuda.synchronize()
        return graph.replay, ""
    except Exception as error:  # It raises what its parts raise.
        torch.cuda.synchronize()
        return None, str(error).splitlines()[0][:200]


def peak_mib(call):
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    found = call()
    torch.cuda.synchronize()
    del found
    return round((torch.cuda.max_memory_allocated() - before) / 2**20)


def run_case(name, step, options, flush):
    import pit_mlir.torch

    torch.manual_seed(0)
    torch._dynamo.reset()
    inputs = step.inputs("cuda")
    run = pit_mlir.torch.load(os.path.join(options.run, name))
    dy = torch.randn(inputs[0].shape, dtype=inputs[0].dtype, device="cuda")
    call = lambda: run(*inputs, dy)  # noqa: E731
    results = call()
    run.program.check(torch.cuda.current_stream().cuda_stream)
    expected = step.reference(*inputs, dy)
    entry = {"case": name, "errors": dict(zip(step.results, errors_of(results, expected))), "peers": {}}
    calls, limits = {"pit": call}, [2 * 2**-8] * len(expected)
    for peer, make in step.peers(inputs, dy).items():
        if options.peer and peer not in options.peer:
            continue
        try:
            calls[peer] = made = make(step, inputs, dy)
            found = made()
            entry["peers"][peer] = {}
            if made.results:
                errors = errors_of(made.results(found), expected)
                entry["peers"][peer]["errors"] = dict(zip(step.results, errors))
                if peer == "torch":
                    limits = [max(a, 2 * b) for a, b in zip(limits, errors)]
            del found
        except Exception as error:  # It raises what its parts raise.
            calls.pop(peer, None)
            entry["peers"][peer] = {"missing": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
    del expected
    again = call()
    for _ in range(options.reruns):
        for a, b in zip(again, call()):
            if not torch.equal(a, b):
                entry["differs"] = True
    del again, results
    wrong = [n for n, limit in zip(step.results, limits) if not entry["errors"][n] < limit] + ["reruns"] * entry.get("differs", False)
    if wrong:
        print(f"{name}: WRONG: {', '.join(wrong)}: {entry['errors']}, at most {limits}", flush=True)
        return None if not options.force else entry
    records = {peer: entry if peer == "pit" else entry["peers"][peer] for peer in calls}
    for peer, function in calls.items():
        records[peer]["extra_mib"] = peak_mib(function)
    replays = {}
    for peer, function in calls.items():
        replay, why = capture(function)
        if replay:
            replays[peer] = replay
        else:
            records[peer]["no_graph"] = why
    from timing import time_flushed

    for key, functions in (("ms", calls), ("graph_ms", replays)):
        times = time_flushed(list(functions.values()), flush, options.repeat)
        for peer, values in zip(functions, times):
            records[peer][key] = round(statistics.median(values), 4)
    return entry


def run_cases(options):
    found = {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "cases": []}
    flush = torch.empty(1 << 28, dtype=torch.uint8, device="cuda")
    wrong = 0
    for name, step in selected(options):
        if not os.path.exists(os.path.join(options.run, name, "program.json")):
            print(f"{name}: not compiled", flush=True)
            continue
        entry = run_case(name, step, options, flush)
        torch.cuda.empty_cache()
        if entry is None:
            wrong += 1
            continue
        found["cases"].append(entry)
        best = lambda record: record.get("graph_ms", record.get("ms"))  # noqa: E731
        peers = ", ".join(
            f"{peer} {best(record):.3f} ({best(record) / best(entry):.2f}x)" if "ms" in record else f"{peer}: {record['missing']}"
            for peer, record in entry["peers"].items()
        )
        print(f"{name}: {best(entry):.3f} ms; {peers}", flush=True)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(found, file, indent=1)
                file.write("\n")
    return 1 if wrong else 0


def main():
    parser = case_options.parser_of(__doc__)
    parser.add_argument("--pipeline", default="", help="options of the pipeline, such as least-us=0")
    parser.add_argument("--peer", action="append", help="all by default")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--reruns", type=int, default=5, help="calls whose results must be the same bits")
    parser.add_argument("--force", action="store_true", help="time what is wrong, too")
    options = case_options.parse(parser, CASES)
    return compile_cases(options) if options.compile else run_cases(options)


if __name__ == "__main__":
    sys.exit(main())
