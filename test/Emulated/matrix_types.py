# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of f64, and of signed and unsigned i8 with sums in i32, computed by a compiled program, against numpy.

    matrix_types.py PIT_RUN FOLDER TARGET [OPTION...]

Integers must be the same to the bit; f64 has the error of sums in f64. On a device, each product must be one kernel of tiles.
"""
import os
import subprocess
import sys

import numpy as np

# The axes of A, B and C.
FORMS = {
    "nn": ("mk", "kn", "mn"), "nt": ("mk", "nk", "mn"), "tn": ("km", "kn", "mn"), "tt": ("km", "nk", "mn"),
    "out-t": ("mk", "kn", "nm"),
    "batches": ("bmk", "bkn", "bmn"), "batches-nt": ("bmk", "bnk", "bmn"), "batches-tn": ("bkm", "bkn", "bmn"),
    "shared": ("bmk", "kn", "bmn"), "shared-a": ("km", "bkn", "bmn"),
}
DTYPES = {"f64": np.float64, "f32": np.float32, "i8": np.int8, "i32": np.int32}

# What becomes of the sums: operands with their axes and types, the result's type, the body, and the same in numpy.
EPILOGUES = {
    "i8": {
        "none": ((), "i32", [], lambda s: s),
        "bias": ((("n", "i32"),), "i32", ["%r = arith.addi %s, %p0 : i32"], lambda s, p: s + p),
        "dequantised": ((("m", "f32"), ("n", "f32")), "f32",
                        ["%f = arith.sitofp %s : i32 to f32", "%g = arith.mulf %f, %p0 : f32", "%r = arith.mulf %g, %p1 : f32"],
                        lambda s, p, q: s.astype(np.float32) * p * q),
        "rounded": ((("n", "f32"), ("mn", "bf16")), "bf16",
                    ["%f = arith.sitofp %s : i32 to f32", "%g = arith.mulf %f, %p0 : f32", "%w = arith.extf %p1 : bf16 to f32",
                     "%h = arith.addf %g, %w : f32", "%r = arith.truncf %h : f32 to bf16"],
                    lambda s, p, q: s.astype(np.float32) * p + q),
        "requantised": ((("n", "i32"),), "i8",
                        ["%g = arith.addi %s, %p0 : i32", "%c7 = arith.constant 7 : i32", "%h = arith.shrsi %g, %c7 : i32",
                         "%lo = arith.constant -128 : i32", "%hi = arith.constant 127 : i32", "%x = arith.maxsi %h, %lo : i32",
                         "%y = arith.minsi %x, %hi : i32", "%r = arith.trunci %y : i32 to i8"],
                        lambda s, p: np.clip((s + p) >> 7, -128, 127).astype(np.int8)),
    },
    "f64": {
        "none": ((), "f64", [], lambda s: s),
        "relu": ((("n", "f64"), ("mn", "f64")), "f64",
                 ["%g = arith.addf %s, %p0 : f64", "%c0 = arith.constant 0.0 : f64", "%h = arith.maximumf %g, %c0 : f64",
                  "%r = arith.addf %h, %p1 : f64"],
                 lambda s, p, q: np.maximum(s + p, 0) + q),
        "rounded": ((("m", "f32"),), "f32",
                    ["%w = arith.extf %p0 : f32 to f64", "%g = arith.mulf %s, %w : f64", "%r = arith.truncf %g : f64 to f32"],
                    lambda s, p: (s * p.astype(np.float64)).astype(np.float32)),
    },
}


class Case:
    """`extents` of b, m, n and k by letters; those of `dynamic` are known at run time alone. `unsigned` has the inputs whose
    integers are, a and b."""

    def __init__(self, form, element, epilogue="none", dynamic="", unsigned="", **extents):
        self.form, self.element, self.epilogue, self.dynamic, self.unsigned = form, element, epilogue, dynamic, unsigned
        self.extents = extents
        self.sums = "i32" if element == "i8" else element
        self.operands, self.out, self.body, self.function = EPILOGUES[element][epilogue]

    def tensor(self, axes, element):
        return "tensor<" + "".join(("?" if axis in self.dynamic else str(self.extents[axis])) + "x" for axis in axes) + element + ">"

    def empty(self, name, axes, element, source, source_axes):
        """What is dynamic comes from an argument."""
        lines, sizes = [], []
        for axis in axes:
            if axis in self.dynamic:
                at = source_axes.index(axis)
                lines += [f"  %{name}c{axis} = arith.constant {at} : index",
                          f"  %{name}n{axis} = tensor.dim {source}, %{name}c{axis} : {self.tensor(source_axes, self.element)}"]
                sizes.append(f"%{name}n{axis}")
        return [*lines, f"  %{name} = tensor.empty({', '.join(sizes)}) : {self.tensor(axes, element)}"]

    def text(self):
        a, b, c = FORMS[self.form]
        loops = "bmnk" if "b" in c else "mnk"
        ta, tb, ts, to = (self.tensor(axes, element) for axes, element in ((a, self.element), (b, self.element), (c, self.sums), (c, self.out)))
        index = lambda names, axes: f"affine_map<({', '.join(names)}) -> ({', '.join(axes)})>"
        operands = [(f"%p{i}", axes if "b" not in c or axes != "mn" else "bmn", element) for i, (axes, element) in enumerate(self.operands)]
        if c == "nm":
            operands = [(name, "nm" if axes == "mn" else axes, element) for name, axes, element in operands]
        arguments = [f"%a: {ta}", f"%b: {tb}", *(f"{name}: {self.tensor(axes, element)}" for name, axes, element in operands)]
        zero = "0.0" if self.sums == "f64" else "0"
        kind, source, source_axes = ("f", "%a", a) if self.sums == "f64" else ("i", "%a", a)
        product = ["    %q = arith.mulf %x, %y : f64"] if kind == "f" else [
            f"    %v = arith.{'extui' if 'a' in self.unsigned else 'extsi'} %x : i8 to i32",
            f"    %w = arith.{'extui' if 'b' in self.unsigned else 'extsi'} %y : i8 to i32", "    %q = arith.muli %v, %w : i32"]
        iterators = ", ".join('"reduction"' if loop == "k" else '"parallel"' for loop in loops)
        lines = [f"func.func @main({', '.join(arguments)}) -> {to} {{", f"  %zero = arith.constant {zero} : {self.sums}",
                 *self.empty("e", c, self.sums, source, source_axes),
                 f"  %z = linalg.fill ins(%zero : {self.sums}) outs(%e : {ts}) -> {ts}",
                 f"  %sum = linalg.generic {{indexing_maps = [{', '.join(index(loops, axes) for axes in (a, b, c))}],",
                 f"      iterator_types = [{iterators}]}} ins(%a, %b : {ta}, {tb}) outs(%z : {ts}) {{",
                 f"  ^bb0(%x: {self.element}, %y: {self.element}, %t: {self.sums}):", *product,
                 f"    %u = arith.add{kind} %t, %q : {self.sums}", f"    linalg.yield %u : {self.sums}", f"  }} -> {ts}"]
        result = "%sum"
        if self.body:
            names, maps = ["%sum", *(name for name, _, _ in operands)], [c, *(axes for _, axes, _ in operands), c]
            types = [ts, *(self.tensor(axes, element) for _, axes, element in operands)]
            elements = [f"%s: {self.sums}", *(f"{name}: {element}" for name, _, element in operands), f"%o: {self.out}"]
            parallel = ", ".join(['"parallel"'] * len(c))
            # Arguments of the region have the names of the operands that they are elements of.
            lines += [*self.empty("init", c, self.out, source, source_axes),
                      f"  %done = linalg.generic {{indexing_maps = [{', '.join(index(c, axes) for axes in maps)}],",
                      f"      iterator_types = [{parallel}]}} ins({', '.join(names)} : {', '.join(types)})",
                      f"      outs(%init : {to}) {{", f"  ^bb0({', '.join(elements)}):".replace("%p", "%e"),
                      *("    " + line.replace("%p", "%e") for line in self.body), f"    linalg.yield %r : {self.out}", f"  }} -> {to}"]
            result = "%done"
        return "\n".join([*lines, f"  return {result} : {to}", "}", ""])

    def shape(self, axes):
        return [self.extents[axis] for axis in axes]

    def arrays(self):
        random = np.random.default_rng(7)
        a, b, c = FORMS[self.form]

        def draw(axes, element):
            shape = self.shape(axes)
            if element == "i8":
                return random.integers(-128, 128, shape, dtype=np.int8)
            if element == "i32":
                return random.integers(-1000, 1000, shape, dtype=np.int32)
            if element == "bf16":
                return (random.standard_normal(shape).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
            return random.standard_normal(shape).astype(DTYPES[element])

        operands = []
        for axes, element in self.operands:
            axes = {"mn": c}.get(axes, axes)
            operands.append((axes, element, draw(axes, element)))
        return draw(a, self.element), draw(b, self.element), operands

    def expected(self, left, right, operands):
        a, b, c = FORMS[self.form]
        wide = np.int64 if self.element == "i8" else np.float64
        widen = lambda array, name: (array.view(np.uint8) if name in self.unsigned else array).astype(wide)
        sums = np.einsum(f"{a},{b}->{c}", widen(left, "a"), widen(right, "b"), optimize=True)
        if self.element == "i8":
            sums = sums.astype(np.int32)

        def spread(axes, element, array):
            if element == "bf16":
                array = (array.astype(np.uint32) << 16).view(np.float32)
            return array.reshape([self.extents[axis] if axis in axes else 1 for axis in c])

        return self.function(sums, *(spread(*operand) for operand in operands))


def cases():
    small = dict(m=70, n=50, k=37)
    for element in ("f64", "i8"):
        for form in ("nn", "nt", "tn", "tt"):
            yield f"{form}-{element}", Case(form, element, m=133, n=70, k=77)
            # Rows that are copied 16 bytes at a time, tiles that are as large as they get.
            yield f"{form}-{element}-large", Case(form, element, dynamic="m" if form[0] == "n" else "", m=272, n=304, k=160)
        yield f"dynamic-{element}", Case("nn", element, dynamic="m", m=129, n=65, k=48)
        yield f"one-{element}", Case("nn", element, m=1, n=1, k=1)
        yield f"few-{element}", Case("nt", element, m=3, n=40, k=200)
        yield f"out-t-{element}", Case("out-t", element, m=66, n=40, k=72)
        for form in ("batches", "batches-nt", "batches-tn", "shared", "shared-a"):
            yield f"{form}-{element}", Case(form, element, b=3, **small)
        yield f"batches-{element}-dynamic", Case("batches", element, dynamic="b", b=3, m=64, n=48, k=32)
        # Rows that are 8, 4 and 2 bytes apart, or multiples.
        for k in (40, 36, 34):
            yield f"by-{k}-{element}", Case("nt", element, m=80, n=24, k=k)
            yield f"by-{k}-{element}-n", Case("tn", element, m=k, n=k, k=80)
        for epilogue in EPILOGUES[element]:
            if epilogue != "none":
                for form in ("nn", "nt", "tn"):
                    yield f"{epilogue}-{element}-{form}", Case(form, element, epilogue, **small)
                yield f"{epilogue}-{element}-even", Case("nn", element, epilogue, m=64, n=64, k=64)
                yield f"{epilogue}-{element}-even-nt", Case("nt", element, epilogue, m=80, n=72, k=48)
                yield f"{epilogue}-{element}-batches", Case("batches", element, epilogue, b=2, **small)
    for unsigned in ("a", "b", "ab"):
        for form in ("nn", "nt", "tt"):
            yield f"{form}-unsigned-{unsigned}", Case(form, "i8", unsigned=unsigned, **small)
        yield f"nt-unsigned-{unsigned}-even", Case("nt", "i8", unsigned=unsigned, dynamic="m", m=130, n=136, k=144)
        yield f"out-t-unsigned-{unsigned}", Case("out-t", "i8", unsigned=unsigned, **small)
    # Copied, to lie along k.
    yield "nn-copied", Case("nn", "i8", m=513, n=520, k=48)
    yield "tn-copied", Case("tn", "i8", m=512, n=512, k=16)


def check(run, folder, options, name, case):
    path = os.path.join(folder, name)
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        file.write(case.text())
    left, right, operands = case.arrays()
    arguments = []
    for i, array in enumerate([left, right, *(array for _, _, array in operands)]):
        np.save(f"{path}.in.{i}.npy", array.view("V2") if array.dtype == np.uint16 else array)
        arguments.append(f"--input={path}.in.{i}.npy")
    done = subprocess.run([run, path + ".mlir", "--opt-level=0", *options, *arguments, f"--output={path}"], capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr[:800]
    result, expected = np.load(path + ".0.npy"), case.expected(left, right, operands)
    if case.out == "bf16":
        result = (result.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    if result.shape != expected.shape:
        return f"has the shape {result.shape}, not {expected.shape}"
    if case.out in ("i8", "i32"):
        wrong = np.argwhere(result != expected)
        return f"is wrong at {len(wrong)} places, the first is {wrong[0]}" if len(wrong) else None
    limit = {"bf16": 8e-3, "f32": 1e-6, "f64": 1e-13}[case.out]
    error = np.max(np.abs(result - expected)) / np.max(np.abs(expected))
    return None if error <= limit else f"has the relative error {error}, more than {limit}"


def main():
    run, folder, target, *options = sys.argv[1:]
    only = [option[len("--only="):] for option in options if option.startswith("--only=")]
    options = [f"--target={target}", *(option for option in options if not option.startswith("--only="))]
    os.makedirs(folder, exist_ok=True)
    failures = 0
    chosen = [(name, case) for name, case in cases() if not only or name in only]
    for name, case in chosen:
        why = check(run, folder, options, name, case)
        if why:
            failures += 1
            print(f"{name}: {why}")
    print(f"{len(chosen)} products, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
