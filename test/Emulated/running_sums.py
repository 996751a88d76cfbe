# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running sums, written as reductions under a triangle, against numpy.

    running_sums.py PIT_RUN FOLDER TARGET [OPTION...]

Integers and maxima must be the same to the bit. Sums of floats in their order have larger errors than others.
"""
import os
import subprocess
import sys

import numpy as np

DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}
NEUTRAL = {"addf": "0.0", "addi": "0", "maximumf": "0xFF800000", "maxsi": "-2147483648"}
ERROR = {"f16": 2e-2, "f32": 1e-6, "f64": 1e-14}


class Case:
    """A scan of `shape` along `axis`. `where` says how the triangle is written: compared in the body, a choice that is a
    tensor, or a product with a tensor of 0 and 1. With `given`, results start from an argument; with `behind`, a product
    alone reads the result, and has its axes in another order."""

    def __init__(self, shape, axis, element="f32", op=None, predicate="sle", where="body", swapped=False, given=False,
                 behind=False, dynamic=False):
        self.shape, self.axis, self.element, self.predicate, self.where = shape, axis, element, predicate, where
        self.op = op or ("addf" if element[0] == "f" else "addi")
        self.swapped, self.given, self.behind, self.dynamic = swapped, given, behind, dynamic

    def tensor(self, shape, element=None):
        return f"tensor<{''.join('?x' if self.dynamic else f'{n}x' for n in shape)}{element or self.element}>"

    def text(self):
        rank, axis, t, x = len(self.shape), self.axis, self.element, self.tensor(self.shape)
        names = [f"d{i}" for i in range(rank)]
        of = lambda dims: f"affine_map<({', '.join([*names, 'k'])}) -> ({', '.join(dims)})>"
        read, written = of(["k" if i == axis else n for i, n in enumerate(names)]), of(names)
        sizes, square, pair = [], self.tensor([self.shape[axis]] * 2), of([names[axis], "k"])
        text = [f"func.func @main(%x: {x}{f', %start: {x}' if self.given else ''}) -> RESULT {{"]
        text.append(f"  %z = arith.constant {NEUTRAL[self.op]} : {t}")
        if self.dynamic:
            for i in range(rank):
                text.append(f"  %c{i} = arith.constant {i} : index\n  %n{i} = tensor.dim %x, %c{i} : {x}")
                sizes.append(f"%n{i}")
        text.append(f"  %e = tensor.empty({', '.join(sizes)}) : {x}")
        if not self.given:
            text.append(f"  %start = linalg.fill ins(%z : {t}) outs(%e : {x}) -> {x}")
        compare = f"arith.cmpi {self.predicate}, {'%q, %k' if self.swapped else '%k, %q'} : index"
        kinds = ", ".join(['"parallel"'] * rank + ['"reduction"'])
        all_parallel = ", ".join(['"parallel"'] * (rank + 1))
        if self.where == "body":
            text.append(f"""  %r = linalg.generic {{indexing_maps = [{read}, {written}], iterator_types = [{kinds}]}} ins(%x : {x}) outs(%start : {x}) {{
  ^bb0(%in: {t}, %out: {t}):
    %q = linalg.index {axis} : index
    %k = linalg.index {rank} : index
    %c = {compare}
    %s = arith.select %c, %in, %z : {t}
    %u = arith.{self.op} %out, %s : {t}
    linalg.yield %u : {t}
  }} -> {x}""")
        elif self.where == "product":
            text.append(f"""  %one = arith.constant 1 : {t}
  %es = tensor.empty() : {square}
  %triangle = linalg.generic {{indexing_maps = [affine_map<(q, k) -> (q, k)>], iterator_types = ["parallel", "parallel"]}} outs(%es : {square}) {{
  ^bb0(%out: {t}):
    %q = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c = {compare}
    %s = arith.select %c, %one, %z : {t}
    linalg.yield %s : {t}
  }} -> {square}
  %r = linalg.generic {{indexing_maps = [{read}, {pair}, {written}], iterator_types = [{kinds}]}} ins(%x, %triangle : {x}, {square}) outs(%start : {x}) {{
  ^bb0(%in: {t}, %one_or_zero: {t}, %out: {t}):
    %s = arith.muli %in, %one_or_zero : {t}
    %u = arith.{self.op} %out, %s : {t}
    linalg.yield %u : {t}
  }} -> {x}""")
        else:
            large = self.tensor([*self.shape, self.shape[axis]])
            text.append(f"""  %el = tensor.empty() : {large}
  %chosen = linalg.generic {{indexing_maps = [{read}, {of([*names, "k"])}], iterator_types = [{all_parallel}]}} ins(%x : {x}) outs(%el : {large}) {{
  ^bb0(%in: {t}, %out: {t}):
    %q = linalg.index {axis} : index
    %k = linalg.index {rank} : index
    %c = {compare}
    %s = arith.select %c, %in, %z : {t}
    linalg.yield %s : {t}
  }} -> {large}
  %r = linalg.generic {{indexing_maps = [{of([*names, "k"])}, {written}], iterator_types = [{kinds}]}} ins(%chosen : {large}) outs(%start : {x}) {{
  ^bb0(%in: {t}, %out: {t}):
    %u = arith.{self.op} %out, %in : {t}
    linalg.yield %u : {t}
  }} -> {x}""")
        result = x
        if self.behind:
            result = self.tensor(self.shape[::-1])
            here, turned = (f"affine_map<({', '.join(names)}) -> ({', '.join(n)})>" for n in (names, names[::-1]))
            multiply = "mulf" if t[0] == "f" else "muli"
            text.append(f"""  %eb = tensor.empty({', '.join(sizes[::-1])}) : {result}
  %behind = linalg.generic {{indexing_maps = [{here}, {here}, {turned}], iterator_types = [{", ".join(['"parallel"'] * rank)}]}} ins(%r, %x : {x}, {x}) outs(%eb : {result}) {{
  ^bb0(%in: {t}, %y: {t}, %out: {t}):
    %u = arith.{multiply} %in, %y : {t}
    linalg.yield %u : {t}
  }} -> {result}""")
        text.append(f"  return %{'behind' if self.behind else 'r'} : {result}\n}}\n")
        return "\n".join(text).replace("RESULT", result)

    def expected(self, x, start):
        is_before = self.predicate[1] == "l"
        is_reversed, is_exclusive = is_before == self.swapped, self.predicate[2] == "t"
        y = x.astype(np.float64 if self.element[0] == "f" else DTYPES[self.element])
        y = np.flip(y, self.axis) if is_reversed else y
        y = (np.maximum.accumulate if self.op.startswith("max") else np.cumsum)(y, axis=self.axis)
        if is_exclusive:
            y = np.roll(y, 1, self.axis)
            first = [slice(None)] * y.ndim
            first[self.axis] = slice(0, 1)
            y[tuple(first)] = 0
        y = np.flip(y, self.axis) if is_reversed else y
        if self.given:
            y = np.maximum(y, start) if self.op.startswith("max") else y + start
        return (y * x).T if self.behind else y


CASES = {
    "rows": Case((33, 257), 1), "columns": Case((257, 33), 0), "middle": Case((3, 129, 20), 1), "one": Case((1000,), 0),
    "exclusive": Case((33, 256), 1, predicate="slt"), "reversed": Case((33, 256), 1, predicate="uge"),
    "reversed-exclusive": Case((7, 100), 1, predicate="sgt"), "swapped": Case((7, 100), 1, predicate="sge", swapped=True),
    "swapped-exclusive": Case((100, 7), 0, predicate="ugt", swapped=True),
    "parts": Case((150000,), 0), "parts-odd": Case((2, 70001), 1), "parts-columns": Case((40000, 3), 0, predicate="sge"),
    "i32": Case((64, 200), 1, "i32"), "i64": Case((5, 300), 0, "i64", predicate="slt"), "f64": Case((40, 128), 1, "f64"),
    "f16": Case((64, 128), 0, "f16"), "maximum": Case((9, 333), 1, op="maximumf"),
    "integer-maximum": Case((333, 9), 0, "i32", op="maxsi", predicate="sge"),
    "given": Case((33, 64), 1, given=True), "given-maximum": Case((33, 64), 1, op="maximumf", given=True),
    "behind": Case((3, 129, 8), 1, behind=True), "behind-i32": Case((65, 12), 0, "i32", behind=True),
    "dynamic": Case((33, 257), 1, dynamic=True), "dynamic-columns": Case((257, 33), 0, dynamic=True, behind=True),
    "short": Case((700, 7), 1), "shorter": Case((700, 2), 1), "single": Case((50, 1), 1),
    "product": Case((4, 64, 8), 1, "i64", where="product"),
    "product-exclusive": Case((64, 8), 0, "i32", where="product", predicate="slt", behind=True),
    "chosen": Case((5, 90), 1, where="chosen"), "chosen-columns": Case((90, 5), 0, where="chosen", predicate="sge"),
}


def main():
    pit_run, folder, target, options = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    os.makedirs(folder, exist_ok=True)
    rng, failed = np.random.default_rng(0), 0
    for name, case in CASES.items():
        base = os.path.join(folder, name)
        with open(base + ".mlir", "w", encoding="utf-8") as file:
            file.write(case.text())
        draw = lambda: (rng.normal(size=case.shape) if case.element[0] == "f" else rng.integers(-50, 50, case.shape)).astype(
            DTYPES[case.element])
        arrays = [draw(), draw()] if case.given else [draw()]
        inputs = []
        for i, array in enumerate(arrays):
            np.save(f"{base}.in{i}.npy", array)
            inputs.append(f"--input={base}.in{i}.npy")
        run = subprocess.run([pit_run, base + ".mlir", "--opt-level=0", *inputs, f"--target={target}", f"--output={base}", *options],
                             capture_output=True, text=True, check=False)
        if run.returncode:
            print(f"{name}: {run.stderr}")
            failed += 1
            continue
        result, expected = np.load(base + ".0.npy"), case.expected(arrays[0], arrays[-1])
        if case.element[0] == "i" or case.op.startswith("max"):
            is_right, error = np.array_equal(result, expected), "other bits"
        else:
            error = np.max(np.abs(result - expected)) / np.max(np.abs(expected))
            is_right = error <= ERROR[case.element] * (10 if "--strict" in options else 1)
        if not is_right:
            print(f"{name}: {error}")
            failed += 1
    print(f"{len(CASES)} running sums, {failed} failed")


main()
