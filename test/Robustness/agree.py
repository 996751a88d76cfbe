#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a function computes the same as upstream's own lowering of it.

    agree.py FILE FUNCTION --pit-run FILE --llvm DIR

Prints `agrees`, `differs: WHY`, or `not run: WHY`. Upstream's lowering is bufferization and loops, compiled to a library. It runs twice, with
memory that is filled with other bytes: what is not the same both times is not defined by the program (elements that nothing has
written), and is not compared. Extents and numbers that a program leaves open are tried until PIT accepts them: it checks that they fit.
"""
import argparse
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy

TYPES = {"f16": "float16", "f32": "float32", "f64": "float64", "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
         "index": "int64"}
TOLERANCE = {"float16": 2e-2, "float32": 1e-4, "float64": 1e-9}
LOWERING = """builtin.module(func.func(llvm-request-c-wrappers), canonicalize, convert-elementwise-to-linalg, lift-cf-to-scf,
one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops},
func.func(scf-forall-to-for), func.func(convert-linalg-to-loops), expand-strided-metadata, lower-affine, convert-scf-to-cf, convert-math-to-llvm,
convert-math-to-libm, finalize-memref-to-llvm, convert-arith-to-llvm, convert-index-to-llvm, convert-cf-to-llvm, convert-func-to-llvm,
convert-ub-to-llvm, reconcile-unrealized-casts)""".replace("\n", "")
# Of unknown extents, and of numbers of type index.
TRIES = [(8, 2), (4, 1), (16, 4), (5, 0), (1, 0), (3, 3)]


def split_types(text):
    """The types of a list, at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "<([{") - (c in ">)]}" and text[i - 1] != "-")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


def parse_type(text):
    """(extents, None for a number; numpy's name of the element type, None where it has none; whether that is an index)."""
    match = re.fullmatch(r"tensor<((?:[\d?]+x)*)(\w+)>", text)
    if match:
        return [-1 if extent == "?" else int(extent) for extent in match.group(1).split("x")[:-1]], TYPES.get(match.group(2)), match.group(2) == "index"
    return None, TYPES.get(text), text == "index"


def parse_signature(generic, function):
    for match in re.finditer(r"function_type = \(", generic):
        line = generic[match.start():generic.index("\n", match.start())]
        if f'sym_name = "{function}"' not in line:
            continue
        inner = line[len("function_type = "):]
        depth, end = 0, 0
        for end, c in enumerate(inner):
            depth += (c == "(") - (c == ")")
            if depth == 0:
                break
        results = inner[end + 1:].removeprefix(" -> ")
        results = results[1:results.index(")")] if results.startswith("(") else split_types(results)[0]
        return [parse_type(t) for t in split_types(inner[1:end])], [parse_type(t) for t in split_types(results)]
    return None


def make_argument(kind, number, extent, index):
    extents, dtype, is_index = kind
    random = numpy.random.default_rng(number)
    if extents is None:
        if is_index:
            return numpy.array(index, dtype)
        extents = []
    shape = [extent if dim < 0 else dim for dim in extents]
    if dtype.startswith("float"):
        return random.standard_normal(shape).astype(dtype)
    return random.integers(0, 2 if dtype == "bool" else 3, shape).astype(dtype)


def descriptor(rank):
    class Descriptor(ctypes.Structure):
        _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64),
                    ("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return Descriptor


SCALARS = {"float32": ctypes.c_float, "float64": ctypes.c_double, "bool": ctypes.c_bool, "int8": ctypes.c_int8, "int16": ctypes.c_int16,
           "int32": ctypes.c_int32, "int64": ctypes.c_int64}


def call(library, function, spec_path):
    """Calls upstream's code in this process, which it may end."""
    with open(spec_path, encoding="utf-8") as file:
        spec = json.load(file)
    arguments, kept = [], []
    for (extents, dtype, _), path in zip(spec["arguments"], spec["inputs"]):
        value = numpy.ascontiguousarray(numpy.load(path))
        if extents is None:
            arguments.append(SCALARS[dtype](value.item()))
            continue
        # Upstream may free or change what it is given.
        value = value.copy()
        made = descriptor(value.ndim)()
        made.allocated = made.aligned = value.ctypes.data
        made.sizes[:] = value.shape
        made.strides[:] = [stride // value.itemsize for stride in value.strides]
        kept += [value, made]
        arguments.append(ctypes.byref(made))
    fields = [(f"r{i}", SCALARS[dtype] if extents is None else descriptor(len(extents))) for i, (extents, dtype, _) in enumerate(spec["results"])]
    entry = getattr(ctypes.CDLL(library), "_mlir_ciface_" + function)
    if len(fields) == 1 and spec["results"][0][0] is None:
        entry.restype = fields[0][1]
        values = [entry(*arguments)]
    else:
        entry.restype = None
        results = type("Results", (ctypes.Structure,), {"_fields_": fields})()
        entry(*([ctypes.byref(results)] if fields else []), *arguments)
        values = [getattr(results, name) for name, _ in fields]
    for i, (value, (extents, dtype, _)) in enumerate(zip(values, spec["results"])):
        if extents is None:
            array = numpy.array(value, dtype)
        elif 0 in list(value.sizes):
            array = numpy.zeros(list(value.sizes), dtype)
        else:
            itemsize = numpy.dtype(dtype).itemsize
            span = value.offset + sum((n - 1) * s for n, s in zip(value.sizes, value.strides)) + 1
            raw = numpy.frombuffer((ctypes.c_char * (span * itemsize)).from_address(value.aligned), dtype)[value.offset:]
            array = numpy.lib.stride_tricks.as_strided(raw, list(value.sizes), [s * itemsize for s in value.strides]).copy()
        numpy.save(spec["outputs"][i], array)
    sys.stdout.flush()
    # What upstream has freed of ours is not looked at again.
    os._exit(0)


def run(command, environment=None):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", "no end")


def lower(llvm, program, folder):
    """Upstream's library, or None."""
    code = os.path.join(folder, "code.mlir")
    done = run([f"{llvm}/mlir-opt", program, "--pass-pipeline=" + LOWERING, "-o", code])
    steps = [[f"{llvm}/mlir-translate", "--mlir-to-llvmir", code, "-o", code + ".ll"],
             [f"{llvm}/llc", "-O1", "-filetype=obj", "-relocation-model=pic", code + ".ll", "-o", code + ".o"],
             [f"{llvm}/clang", "-shared", code + ".o", "-lm", "-o", code + ".so"]]
    for step in steps:
        if done.returncode != 0:
            return None
        done = run(step)
    return code + ".so" if done.returncode == 0 else None


def differ(ours, first, second):
    """Why results differ, or None."""
    if ours.shape != first.shape:
        return f"extents {ours.shape} and {first.shape}"
    if ours.dtype.kind != "f":
        defined = first == second
        return None if (ours == first)[defined].all() else "integers"
    defined = (first == second) | (numpy.isnan(first) & numpy.isnan(second))
    wide, other = ours.astype("float64")[defined], first.astype("float64")[defined]
    tolerance = TOLERANCE[ours.dtype.name]
    return None if numpy.allclose(wide, other, rtol=tolerance, atol=tolerance, equal_nan=True) else f"by up to {numpy.nanmax(abs(wide - other))}"


def compare(options):
    generic = run([f"{options.llvm}/mlir-opt", options.file, "--mlir-print-op-generic", "--mlir-print-local-scope"]).stdout
    signature = parse_signature(generic, options.function)
    if signature is None or any(dtype is None for _, dtype, _ in sum(signature, [])):
        return "not run: types that numpy has not"
    types, results = signature
    if not results:
        return "not run: no results"
    if any(extents is None and dtype == "float16" for extents, dtype, _ in types + results):
        return "not run: types that numpy has not"
    with tempfile.TemporaryDirectory() as folder:
        library = lower(options.llvm, options.file, folder)
        if library is None:
            return "not run: upstream cannot"
        why = ""
        for extent, index in TRIES:
            inputs = []
            for i, kind in enumerate(types):
                inputs.append(f"{folder}/in.{i}.npy")
                numpy.save(inputs[-1], make_argument(kind, i, extent, index))
            ours = run([options.pit_run, options.file, "--entry=" + options.function, "--target=cpu", "--strict", *["--input=" + path for path in inputs],
                        f"--output={folder}/ours"])
            if ours.returncode != 0:
                why = ours.stderr.strip().splitlines()[0] if ours.stderr.strip() else f"exit code {ours.returncode}"
                if ours.returncode < 0:
                    return "differs: pit-run ends with a signal"
                continue
            theirs = []
            for fill in (0, 1):
                outputs = [f"{folder}/theirs{fill}.{i}.npy" for i in range(len(results))]
                with open(f"{folder}/spec.json", "w", encoding="utf-8") as file:
                    json.dump({"arguments": types, "results": results, "inputs": inputs, "outputs": outputs}, file)
                environment = dict(os.environ, GLIBC_TUNABLES=f"glibc.malloc.perturb={[17, 170][fill]}")
                done = run([sys.executable, __file__, "--call", library, options.function, f"{folder}/spec.json"], environment)
                if done.returncode != 0:
                    return "not run: upstream's code ends with a signal"
                theirs.append([numpy.load(path) for path in outputs])
            for i in range(len(results)):
                difference = differ(numpy.load(f"{folder}/ours.{i}.npy"), theirs[0][i], theirs[1][i])
                if difference:
                    return f"differs: result {i}, {difference}"
            return "agrees"
        return "not run: " + re.sub(r"^.*error: ", "", why)[:120]


def main():
    if sys.argv[1:2] == ["--call"]:
        call(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("function")
    parser.add_argument("--pit-run", default="pit-run")
    parser.add_argument("--llvm", required=True, help="the folder of upstream's tools")
    print(compare(parser.parse_args()))


if __name__ == "__main__":
    main()
