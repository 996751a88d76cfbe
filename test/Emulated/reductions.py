# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions over any axes, computed by a compiled program, against numpy.

    reductions.py PIT_RUN FOLDER TARGET [OPTION...]

Each case is a structured op with its loops, operands and body. Integers, and what
is chosen and not added up, must be the same to the bit; sums of floats have the
error of pairwise ones.
"""
import os
import subprocess
import sys

import numpy as np

DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i1": np.bool_, "i8": np.int8, "i16": np.int16,
          "i32": np.int32, "i64": np.int64}
ADDED = {"addf", "mulf"}
# op: what it starts from, and what numpy has for it.
OPS = {"addf": ("0.0", np.add), "addi": ("0", np.add), "mulf": ("1.0", np.multiply), "muli": ("1", np.multiply),
       "maximumf": ("-9.0e4", np.maximum), "minimumf": ("9.0e4", np.minimum), "maxnumf": ("-9.0e4", np.maximum),
       "minnumf": ("9.0e4", np.minimum), "maxsi": ("-100", np.maximum), "minsi": ("100", np.minimum),
       "andi": ("-1", np.bitwise_and), "ori": ("0", np.bitwise_or), "xori": ("0", np.bitwise_xor)}


class Case:
    """`extents` of the loops, those in `reduced` are reduced over; `inputs` are the loops of each input, in the order of
    its axes. `body` is what is computed of inputs before `op` combines it. With `given`, the op starts from an argument.
    `dynamic` loops have no static extent."""

    def __init__(self, extents, reduced, op="addf", element="f32", sums=None, inputs=None, body=None, given=False, dynamic=()):
        self.extents, self.reduced, self.op, self.element = extents, reduced, op, element
        self.sums = sums or element
        self.inputs = inputs or [tuple(range(len(extents)))]
        self.body, self.given, self.dynamic = body, given, dynamic
        self.kept = [loop for loop in range(len(extents)) if loop not in reduced]

    def tensor(self, loops, element):
        return "tensor<" + "".join(("?" if loop in self.dynamic else str(self.extents[loop])) + "x" for loop in loops) + element + ">"

    def text(self):
        names = [f"d{i}" for i in range(len(self.extents))]
        index = lambda loops: f"affine_map<({', '.join(names)}) -> ({', '.join(names[i] for i in loops)})>"
        kinds = ", ".join('"reduction"' if i in self.reduced else '"parallel"' for i in range(len(names)))
        types = [self.tensor(loops, self.element) for loops in self.inputs]
        out = self.tensor(self.kept, self.sums)
        arguments = [f"%x{i}: {t}" for i, t in enumerate(types)] + ([f"%start: {out}"] if self.given else [])
        text = [f"func.func @main({', '.join(arguments)}) -> {out} {{"]
        if not self.given:
            sizes = []
            for loop in self.kept:
                if loop in self.dynamic:
                    number, axes = next((i, axes) for i, axes in enumerate(self.inputs) if loop in axes)
                    text += [f"  %a{loop} = arith.constant {axes.index(loop)} : index",
                             f"  %n{loop} = tensor.dim %x{number}, %a{loop} : {types[number]}"]
                    sizes.append(f"%n{loop}")
            start = OPS[self.op][0]
            if self.sums == "i1":
                start = "true" if start == "-1" else "false"
            constant = f"arith.constant {start}" + ("" if self.sums == "i1" else f" : {self.sums}")
            text += [f"  %value = {constant}", f"  %e = tensor.empty({', '.join(sizes)}) : {out}",
                     f"  %start = linalg.fill ins(%value : {self.sums}) outs(%e : {out}) -> {out}"]
        names_in = [f"%v{i}: {self.element}" for i in range(len(self.inputs))]
        text += [f"  %r = linalg.generic {{indexing_maps = [{', '.join(index(loops) for loops in [*self.inputs, self.kept])}],",
                 f"      iterator_types = [{kinds}]}} ins({', '.join(f'%x{i}' for i in range(len(types)))} : {', '.join(types)})",
                 f"      outs(%start : {out}) {{", f"  ^bb0({', '.join(names_in)}, %s: {self.sums}):"]
        values = [f"%v{i}" for i in range(len(self.inputs))]
        if self.element != self.sums:
            widen = "extf" if self.element.startswith("f") else "extsi"
            for i, value in enumerate(values):
                text.append(f"    %w{i} = arith.{widen} {value} : {self.element} to {self.sums}")
                values[i] = f"%w{i}"
        value, multiply = values[0], "mulf" if self.sums.startswith("f") else "muli"
        if self.body == "square":
            text.append(f"    %p = arith.{multiply} {value}, {value} : {self.sums}")
            value = "%p"
        elif self.body == "product":
            text.append(f"    %p = arith.{multiply} {values[0]}, {values[1]} : {self.sums}")
            value = "%p"
        text += [f"    %t = arith.{self.op} %s, {value} : {self.sums}", f"    linalg.yield %t : {self.sums}", f"  }} -> {out}",
                 f"  return %r : {out}", "}", ""]
        return "\n".join(text)

    def expected(self, arrays):
        wide = np.float64 if self.sums.startswith("f") else DTYPES[self.sums]
        whole = []
        for loops, array in zip(self.inputs, arrays):
            array = np.transpose(array.astype(wide), np.argsort(loops))
            missing = [i for i in range(len(self.extents)) if i not in loops]
            whole.append(np.expand_dims(array, tuple(missing)))
        value = whole[0] * whole[0] if self.body == "square" else whole[0] * whole[1] if self.body == "product" else whole[0]
        value = np.broadcast_to(value, self.extents)
        start, op = OPS[self.op]
        with np.errstate(over="ignore"):
            if self.given:
                first = arrays[-1].astype(wide)
            else:
                first = np.full([self.extents[i] for i in self.kept], float(start) if "." in start else int(start), dtype=wide)
            result = op.reduce(value, axis=tuple(self.reduced), dtype=wide, initial=None) if np.prod(
                [self.extents[i] for i in self.reduced]) else None
            return first if result is None else op(first, result)


class TwoResults:
    """An arg-max or arg-min along one axis, as exporters write it; or two sums of the same elements."""

    def __init__(self, extents, axis, kind, element="f32"):
        self.extents, self.axis, self.kind, self.element = extents, axis, kind, element
        self.second = "i64" if kind.startswith("arg") else element
        self.inputs, self.given, self.op = [tuple(range(len(extents)))], False, kind

    def text(self):
        names = [f"d{i}" for i in range(len(self.extents))]
        kept = [i for i in range(len(names)) if i != self.axis]
        whole = f"affine_map<({', '.join(names)}) -> ({', '.join(names)})>"
        part = f"affine_map<({', '.join(names)}) -> ({', '.join(names[i] for i in kept)})>"
        kinds = ", ".join('"reduction"' if i == self.axis else '"parallel"' for i in range(len(names)))
        tensor = lambda loops, element: f"tensor<{''.join(f'{self.extents[i]}x' for i in loops)}{element}>"
        x, y, z = tensor(range(len(names)), self.element), tensor(kept, self.element), tensor(kept, self.second)
        is_float = self.element.startswith("f")
        least = {"argmax": "-9.0e4" if is_float else "-100", "argmin": "9.0e4" if is_float else "100"}.get(self.kind, "0.0")
        if self.kind == "sums":
            body = f"""    %q = arith.mulf %v, %v : {self.element}
    %t = arith.addf %a, %v : {self.element}
    %l = arith.addf %q, %k : {self.element}"""
        else:
            largest = self.kind.startswith("argmax")
            compare = f"cmpf {'ogt' if largest else 'olt'}" if is_float else f"cmpi {'sgt' if largest else 'slt'}"
            value = f"arith.maximumf %v, %a : {self.element}" if self.kind == "argmax" and is_float else \
                f"arith.select %c, %v, %a : {self.element}"
            body = f"""    %i = linalg.index {self.axis} : index
    %j = arith.index_cast %i : index to i64
    %c = arith.{compare}, %v, %a : {self.element}
    %t = {value}
    %l = arith.select %c, %j, %k : i64"""
        zero = "0" if self.second == "i64" else "0.0"
        return f"""func.func @main(%x: {x}) -> ({y}, {z}) {{
  %least = arith.constant {least} : {self.element}
  %zero = arith.constant {zero} : {self.second}
  %ey = tensor.empty() : {y}
  %ez = tensor.empty() : {z}
  %sy = linalg.fill ins(%least : {self.element}) outs(%ey : {y}) -> {y}
  %sz = linalg.fill ins(%zero : {self.second}) outs(%ez : {z}) -> {z}
  %r:2 = linalg.generic {{indexing_maps = [{whole}, {part}, {part}], iterator_types = [{kinds}]}}
      ins(%x : {x}) outs(%sy, %sz : {y}, {z}) {{
  ^bb0(%v: {self.element}, %a: {self.element}, %k: {self.second}):
{body}
    linalg.yield %t, %l : {self.element}, {self.second}
  }} -> ({y}, {z})
  return %r#0, %r#1 : {y}, {z}
}}
"""

    def compare(self, results, arrays):
        x = arrays[0]
        if self.kind == "sums":
            wide = x.astype(np.float64)
            expected = [wide.sum(self.axis), (wide * wide).sum(self.axis)]
            error = max(np.max(np.abs(r - e) / e) for r, e in zip(results, expected))
            return None if error <= 1e-6 else f"has the relative error {error}"
        place = (np.argmax if self.kind == "argmax" else np.argmin)(x, self.axis)
        value = (np.max if self.kind == "argmax" else np.min)(x, self.axis)
        if np.array_equal(results[0], value) and np.array_equal(results[1], place):
            return None
        return f"is {results}, not {value} at {place}"


class Softmax:
    """Along the first axis, with the maximum, the exponentials, their sum and the quotient apart."""

    def __init__(self, rows, columns):
        self.extents, self.inputs, self.given, self.op, self.element = (rows, columns), [(0, 1)], False, "softmax", "f32"

    def text(self):
        rows, columns = self.extents
        x, y = f"tensor<{rows}x{columns}xf32>", f"tensor<{columns}xf32>"
        reduce = '{indexing_maps = [#whole, #column], iterator_types = ["reduction", "parallel"]}'
        each = '{indexing_maps = [#whole, #column, #whole], iterator_types = ["parallel", "parallel"]}'
        return f"""#whole = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%x: {x}) -> {x} {{
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : {x}
  %ey = tensor.empty() : {y}
  %sm = linalg.fill ins(%least : f32) outs(%ey : {y}) -> {y}
  %m = linalg.generic {reduce} ins(%x : {x}) outs(%sm : {y}) {{
  ^bb0(%v: f32, %a: f32):
    %t = arith.maximumf %v, %a : f32
    linalg.yield %t : f32
  }} -> {y}
  %e = linalg.generic {each} ins(%x, %m : {x}, {y}) outs(%ex : {x}) {{
  ^bb0(%v: f32, %w: f32, %a: f32):
    %d = arith.subf %v, %w : f32
    %t = math.exp %d : f32
    linalg.yield %t : f32
  }} -> {x}
  %sz = linalg.fill ins(%zero : f32) outs(%ey : {y}) -> {y}
  %s = linalg.generic {reduce} ins(%e : {x}) outs(%sz : {y}) {{
  ^bb0(%v: f32, %a: f32):
    %t = arith.addf %a, %v : f32
    linalg.yield %t : f32
  }} -> {y}
  %r = linalg.generic {each} ins(%e, %s : {x}, {y}) outs(%ex : {x}) {{
  ^bb0(%v: f32, %w: f32, %a: f32):
    %t = arith.divf %v, %w : f32
    linalg.yield %t : f32
  }} -> {x}
  return %r : {x}
}}
"""

    def compare(self, results, arrays):
        wide = np.exp(arrays[0].astype(np.float64) - arrays[0].max(0))
        expected = wide / wide.sum(0)
        error = np.max(np.abs(results[0] - expected) / expected)
        return None if error <= 2e-6 else f"has the relative error {error}"


def cases():
    whole = {"addf": ("f32",), "maximumf": ("f16", "f64"), "minnumf": ("f32",), "muli": ("i32",), "xori": ("i64",), "andi": ("i1",),
             "maxsi": ("i8",)}
    # All of a tensor, of one axis and of several; with a rest behind the last vector.
    for op, elements in whole.items():
        for element in elements:
            yield f"whole-{op}-{element}", Case((70001,), (0,), op, element)
    yield "whole-2d", Case((301, 253), (0, 1), "addf", "f32")
    yield "whole-3d-f64", Case((11, 9, 700), (0, 1, 2), "addf", "f64")
    yield "whole-dynamic", Case((50003,), (0,), dynamic=(0,))
    yield "whole-dynamic-2d", Case((301, 253), (0, 1), dynamic=(0, 1))
    yield "whole-given", Case((20011,), (0,), given=True)
    yield "squares-f16", Case((30007,), (0,), element="f16", sums="f32", body="square")
    yield "dot", Case((40009,), (0,), inputs=[(0,), (0,)], body="product")
    # Few elements, one and none.
    for extent in (0, 1, 31, 33):
        yield f"whole-{extent}", Case((extent,), (0,), dynamic=(0,))
        yield f"columns-{extent}", Case((extent, 67), (0,), dynamic=(0,))
    yield "no-columns", Case((67, 0), (0,), dynamic=(0, 1))
    # Leading axes.
    for element, sums in (("f32", None), ("f16", "f32"), ("f64", None), ("i32", None), ("i8", "i32")):
        op = "addf" if element.startswith("f") else "addi"
        yield f"columns-{element}", Case((1031, 136), (0,), op, element, sums)
        yield f"columns-odd-{element}", Case((521, 33), (0,), op, element, sums)
    yield "columns-or", Case((517, 40), (0,), "ori", "i1")
    yield "columns-wide", Case((67, 4100), (0,), "maximumf")
    yield "columns-dynamic", Case((1031, 65), (0,), dynamic=(0, 1))
    yield "columns-dynamic-rows", Case((1031, 64), (0,), "minimumf", "f16", dynamic=(0,))
    yield "columns-given", Case((400, 24), (0,), "addi", "i32", given=True)
    yield "two-leading", Case((41, 37, 20), (0, 1))
    # Middle, first and last, and inner axes; operands that are transposed.
    yield "middle", Case((7, 301, 26), (1,))
    yield "first-and-last", Case((9, 14, 300), (0, 2))
    yield "first-and-last-dynamic", Case((9, 14, 300), (0, 2), dynamic=(0, 1, 2))
    yield "rows-long", Case((3, 20000), (1,), "addf", "f32")
    yield "rows-dynamic", Case((70, 333), (1,), dynamic=(0, 1))
    yield "rows-odd-f16", Case((5, 16411), (1,), "addf", "f16", "f32")
    yield "transposed", Case((130, 700), (1,), inputs=[(1, 0)])
    yield "weighted-columns", Case((900, 40), (0,), inputs=[(0, 1), (0,)], body="product")
    yield "matrix-vector", Case((60, 3000), (1,), inputs=[(0, 1), (1,)], body="product", dynamic=(0,))
    yield "vector-matrix", Case((60, 3000), (1,), inputs=[(1,), (1, 0)], body="product")
    yield "matrices", Case((12, 10, 1200), (2,), inputs=[(0, 2), (2, 1)], body="product", element="f64")


    # Two results, and softmax along another axis than the last.
    for kind in ("argmax", "argmin"):
        for element in ("f32", "f16", "i32"):
            yield f"{kind}-rows-{element}", TwoResults((5, 20011), 1, kind, element)
            yield f"{kind}-columns-{element}", TwoResults((2003, 36), 0, kind, element)
        yield f"{kind}-whole", TwoResults((50021,), 0, kind)
        yield f"{kind}-middle", TwoResults((3, 700, 9), 1, kind)
    yield "two-sums", TwoResults((3001, 21), 0, "sums")
    yield "two-sums-rows", TwoResults((45, 67), 1, "sums")
    yield "two-sums-rows-wide", TwoResults((3, 4096), 1, "sums")
    yield "two-sums-whole", TwoResults((40009,), 0, "sums")
    yield "softmax-columns", Softmax(1500, 40)


def draw(random, shape, element, op):
    if op.startswith("arg"):
        # Many equal ones, of which the first counts.
        return random.integers(-40, 41, shape).astype(DTYPES[element])
    if element == "i1":
        return random.random(shape) < (0.9 if op == "andi" else 0.001)
    if element.startswith("i"):
        return random.integers(-9, 10, shape, dtype=DTYPES[element])
    # Of one sign, so that errors that grow with the number of terms would show.
    return random.random(shape).astype(DTYPES[element])


def check(run, folder, options, name, case):
    path = os.path.join(folder, name)
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        file.write(case.text())
    random = np.random.default_rng(7)
    arrays = [draw(random, [case.extents[i] for i in loops], case.element, case.op) for loops in case.inputs]
    if case.given:
        arrays.append(draw(random, [case.extents[i] for i in case.kept], case.sums, case.op))
    arguments = []
    for i, array in enumerate(arrays):
        np.save(f"{path}.in.{i}.npy", array)
        arguments.append(f"--input={path}.in.{i}.npy")
    # The partial sums of the CPU are the lanes of vectors, which take LLVM's optimisation.
    level = [] if "--target=cpu" in options else ["--opt-level=0"]
    done = subprocess.run([run, path + ".mlir", *level, *options, *arguments, f"--output={path}"], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        return done.stderr
    if "one thread adds up" in done.stderr:
        return done.stderr
    if not isinstance(case, Case):
        count = 1 if isinstance(case, Softmax) else 2
        return case.compare([np.load(f"{path}.{i}.npy") for i in range(count)], arrays)
    result, expected = np.load(path + ".0.npy"), case.expected(arrays)
    if result.shape != expected.shape:
        return f"has the shape {result.shape}, not {expected.shape}"
    if case.op not in ADDED or not case.sums.startswith("f"):
        return None if np.array_equal(result, expected.astype(DTYPES[case.sums])) else f"is {result}, not {expected}"
    limit = {"f16": 2e-3, "f32": 1e-6, "f64": 1e-14}[case.sums]
    # Products of matrices on the CPU add up along k in turn.
    if "--target=cpu" in options and case.body == "product" and case.kept:
        limit *= 4
    error = np.max(np.abs(result - expected) / np.maximum(np.abs(expected), 1e-30), initial=0.0)
    return None if error <= limit else f"has the relative error {error}, more than {limit}"


def main():
    run, folder, target, *options = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    failures = 0
    all_cases = list(cases())
    for name, case in all_cases:
        why = check(run, folder, [f"--target={target}", *options], name, case)
        if why:
            failures += 1
            print(f"{name}: {why}")
    print(f"{len(all_cases)} reductions, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
