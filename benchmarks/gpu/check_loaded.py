#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs compiled programs on a GPU: compares their results with the CPU's, and measures what a call costs the host.

    check_loaded.py --prepare BIN FOLDER    where the compiler is: makes models, what they should give, and two C programs
    check_loaded.py FOLDER [--json FILE]    where the GPU is: needs no LLVM, only numpy

FOLDER/prefix must be an installation of a build with PIT_RUNTIME_ONLY; entry_cost.c and count_waits.c are compiled with
it by `cc`. Exit code 1 when a program fails, does not agree, waits, or cannot be captured.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# name: program, arguments, what entry_cost takes for unknown extents, calls (fewer of long ones), calls between waits.
CASES = {
    "matmul": (None, ["--random", "normal"], 128, 10000, 64),
    "sparse_matmul_m": ("examples/sparse_matmul_m.mlir",
                        ["--random", "normal@100x256", "--random", "bool:0.3@100", "--random", "normal"], 100, 2000, 64),
    "batch_matmul_lengths": ("examples/batch_matmul_lengths.mlir",
                             ["--random", "normal@5x50x64", "--random", "lengths:0:25@5", "--random",
                              "normal@5x64x96"], 64, 10000, 64),
    "opt_ffn_dynamic": ("examples/torch/opt_ffn_dynamic.mlir",
                        ["--random", "normal:0.5@77x256", "--random", "normal:0.05", "--random", "uniform:-8:-2",
                         "--random", "normal:0.05"], 77, 64, 8),
    "bert_encoder_layer": ("examples/torch/bert_encoder_layer.mlir",
                           ["--random", "normal:0.5", "--random", "lengths:20:64", "--random", "normal:0.05"], 128, 64, 8),
}


UNCHECKED = "-unchecked"

# What the numbers are.
MEANING = {
    "how": "benchmarks/gpu/check_loaded.py; shared objects compiled for sm_90a elsewhere, run by a pit-run without LLVM",
    "device_ms": "device time of a call by pit-run --load --bench 20, on the arguments named here",
    "relative_error": "norm of the difference to the CPU's result over the norm of that",
    "host_us": "host time of one call, in batches between which the device catches up; data of entry_cost.c",
    "unchecked": "the same of code without checks of extents (--unchecked-extents), in turn with the other; medians of five runs of each",
    "first_call_us": "host time of the first call, which loads the code; the driver may have compiled the PTX before",
    "waits": "calls of cuStreamSynchronize, cuEventSynchronize, cuCtxSynchronize and cuMemFree during the timed calls",
    "captured": "one call captured into a CUDA graph in the strictest mode; the graph gives the same bytes",
}


def gpu_name():
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    name, _, driver = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[0].partition(", ")
    return f"{name}, driver {driver}"


def compile_helpers(folder):
    here = os.path.dirname(os.path.abspath(__file__))
    prefix = os.path.join(folder, "prefix")
    compiler = ["cc", "-O2", f"-I{prefix}/include"]
    subprocess.run([*compiler, os.path.join(here, "entry_cost.c"), "-o", os.path.join(folder, "entry_cost"),
                    f"-L{prefix}/lib", "-lpit_runtime", "-ldl", "-Wl,-rpath,$ORIGIN/prefix/lib"], check=True)
    # The driver is not here: its name is all that the loader has to find.
    with tempfile.TemporaryDirectory() as scratch:
        driver = os.path.join(scratch, "libcuda.so.1")
        subprocess.run(["cc", "-shared", "-Wl,-soname,libcuda.so.1", "-o", driver, "-x", "c", os.devnull], check=True)
        subprocess.run([*compiler, "-shared", "-fPIC", os.path.join(here, "count_waits.c"), "-Wl,--no-as-needed", driver,
                        "-ldl", "-o", os.path.join(folder, "count_waits.so")], check=True)


def prepare(bin_folder, folder):
    from build_matmul import matmul
    from builder import Built

    compile_helpers(folder)
    for sub in ("models", "ref"):
        os.makedirs(os.path.join(folder, sub), exist_ok=True)
    launches = {}
    for name, (program, arguments, _, _, _) in CASES.items():
        path = os.path.join(SOURCE, program) if program else os.path.join(folder, "models", name + ".mlir")
        if not program:
            with open(path, "w") as file:
                file.write(matmul(512, 512, 512))
        for suffix, options in (("", []), (UNCHECKED, ["--unchecked-extents"])):
            subprocess.run([os.path.join(bin_folder, "pit-compile"), path, "--chip", "sm_90a", *options, "-o",
                            os.path.join(folder, "models", name + suffix + ".so")], check=True)
        subprocess.run([os.path.join(bin_folder, "pit-run"), path, "--target", "cpu", *arguments, "--output",
                        os.path.join(folder, "ref", name)], check=True)
        with open(path, encoding="utf-8") as file, tempfile.TemporaryDirectory() as scratch:
            launches[name] = len(Built(bin_folder, scratch, file.read()).function["launches"])
    with open(os.path.join(folder, "launches.json"), "w", encoding="utf-8") as file:
        json.dump(launches, file)


def read(path):
    """An array as f64; .npy has no bf16, which lies there as two bytes."""
    import numpy

    array = numpy.load(path)
    if array.dtype.kind == "V":
        array = (array.view(numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)
    return array.astype(numpy.float64)


def compare(folder, name, out):
    import numpy

    worst, number = 0.0, 0
    while os.path.exists(os.path.join(folder, "ref", f"{name}.{number}.npy")):
        reference = read(os.path.join(folder, "ref", f"{name}.{number}.npy"))
        result = read(f"{out}.{number}.npy")
        norm = numpy.linalg.norm(reference)
        error = numpy.linalg.norm(result - reference) / (norm if norm else 1)
        worst, number = max(worst, float(error)) if error == error else float("inf"), number + 1
    return worst, number


def check(folder, name, scratch):
    program, arguments, extent, calls, batch = CASES[name]
    model = os.path.join(folder, "models", name + ".so")
    out = os.path.join(scratch, name)
    with open(os.path.join(folder, "launches.json"), encoding="utf-8") as file:
        launches = json.load(file)[name]
    entry = {"program": program or "matmul 512x512x512 bf16, dense", "arguments": " ".join(arguments), "launches": launches}
    run = subprocess.run([os.path.join(folder, "prefix/bin/pit-run"), "--load", model, *arguments, "--bench", "20",
                          "--output", out], capture_output=True, text=True, timeout=120)
    entry["passed"] = run.returncode == 0
    if run.returncode:
        entry["error"] = run.stderr.strip().splitlines()[-2:]
        return entry
    entry["device_ms"] = float(re.search(r"bench: ([\d.]+) ms", run.stdout).group(1))
    entry["relative_error"], results = compare(folder, name, out)
    entry["passed"] &= results > 0 and entry["relative_error"] < 5e-3
    environment = dict(os.environ, PIT_CUDA_DRIVER=os.path.abspath(os.path.join(folder, "count_waits.so")))
    costs = {"": [], UNCHECKED: []}
    for suffix in list(costs) * 5:
        cost = subprocess.run([os.path.join(folder, "entry_cost"), model.replace(".so", suffix + ".so"), str(calls), "main", str(extent), str(batch)],
                              capture_output=True, text=True, timeout=120, env=environment)
        entry["passed"] &= cost.returncode == 0
        if not cost.stdout:
            entry["call"] = cost.stderr.strip()
            return entry
        costs[suffix].append(json.loads(cost.stdout))
    for key, suffix in (("call", ""), ("unchecked", UNCHECKED)):
        entry[key] = sorted(costs[suffix], key=lambda call: call["host_us_median"])[len(costs[suffix]) // 2]
    return entry


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--prepare", metavar="BIN")
    parser.add_argument("--json")
    parser.add_argument("--only", nargs="*", default=list(CASES))
    options = parser.parse_args()
    if options.prepare:
        prepare(options.prepare, options.folder)
        return 0
    scratch = os.path.join(options.folder, "out")
    os.makedirs(scratch, exist_ok=True)
    entries = []
    for name in options.only:
        entries.append(check(options.folder, name, scratch))
        print(json.dumps(entries[-1]), flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"device": gpu_name(), **MEANING, "programs": entries}, file, indent=1)
            file.write("\n")
    return 0 if all(entry["passed"] for entry in entries) else 1


if __name__ == "__main__":
    sys.exit(main())
