# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A transformer encoder layer of bf16 on padded sequences, as linalg on tensors.

What an exporter writes, op by op: linear layers on the rows of all sequences with weights stored [out, in], sums in f32
that are rounded to bf16, then everything else with its own rounding; layer norms and softmax in f32. Nothing is fused,
packed or tiled. All that speaks of sparsity is the mark on the first argument, and one on the mask of the scores.
"""
import dataclasses

PRODUCT = ["%lw = arith.extf %l : bf16 to f32", "%rw = arith.extf %r : bf16 to f32", "%p = arith.mulf %lw, %rw : f32",
           "%s = arith.addf %acc, %p : f32", "linalg.yield %s : f32"]


@dataclasses.dataclass
class Shape:
    batch: int
    length: int
    width: int = 768
    inner: int = 3072
    heads: int = 12
    pad: str = "right"
    epsilon: float = 1e-12


class Writer:
    """Text of one function; values are named by number."""

    def __init__(self, shape):
        self.shape, self.lines, self.count, self.types, self.arguments = shape, [], 0, {}, []

    def argument(self, extents, element, name, attribute=""):
        value = f"%{name}"
        self.types[value] = (tuple(extents), element)
        self.arguments.append(f"{value}: {self.tensor(value)}{attribute}")
        return value

    def tensor(self, value):
        extents, element = self.types[value]
        return "tensor<" + "".join(f"{e}x" for e in extents) + element + ">"

    def emit(self, text, extents, element):
        self.count += 1
        value = f"%{self.count}"
        self.types[value] = (tuple(extents), element)
        self.lines.append(f"{value} = " + text.replace("{type}", self.tensor(value)))
        return value

    def empty(self, extents, element):
        return self.emit("tensor.empty() : {type}", extents, element)

    def fill(self, constant, extents, element):
        empty = self.empty(extents, element)
        return self.emit(f"linalg.fill ins(%{constant} : {element}) outs({empty} : {{type}}) -> {{type}}", extents,
                         element)

    def generic(self, inputs, out, axes, body, reduced=0, attributes=""):
        """`inputs` are (value, subscripts), `out` is (init, subscripts), `axes` the names of all axes, of which the
        last `reduced` are summed over. Arguments of `body` are %l, %r, %t, ... and %acc."""
        dims = ", ".join(axes)
        maps = [f"affine_map<({dims}) -> ({', '.join(subscripts)})>" for _, subscripts in inputs + [out]]
        kinds = ['"parallel"'] * (len(axes) - reduced) + ['"reduction"'] * reduced
        names = ["%l", "%r", "%t", "%u"][:len(inputs)] + ["%acc"]
        values = [value for value, _ in inputs]
        arguments = ", ".join(f"{name}: {self.types[value][1]}" for name, value in zip(names, values + [out[0]]))
        ins = f" ins({', '.join(values)} : {', '.join(map(self.tensor, values))})" if values else ""
        text = (f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{', '.join(kinds)}]}}"
                f"{ins} outs({out[0]} : {{type}}){attributes} {{\n  ^bb0({arguments}):\n    "
                + "\n    ".join(body) + "\n  } -> {type}")
        extents, element = self.types[out[0]]
        return self.emit(text, extents, element)

    def map(self, inputs, element, body, attributes=""):
        """Elementwise on the extents of the first input; others may lack axes, which are given."""
        extents, _ = self.types[inputs[0][0]]
        axes = inputs[0][1]
        return self.generic(inputs, (self.empty(extents, element), axes), axes, body, attributes=attributes)

    def reduce(self, value, axes, body, start):
        """Over the last axis, which stays with extent 1."""
        extents, element = self.types[value]
        init = self.fill(start, [*extents[:-1], 1], element)
        return self.generic([(value, axes)], (init, [*axes[:-1], "0"]), axes, body, reduced=1)

    def reshape(self, value, kind, groups, extents):
        element = self.types[value][1]
        shape = f" output_shape [{', '.join(map(str, extents))}]" if kind == "expand" else ""
        return self.emit(f"tensor.{kind}_shape {value} {groups}{shape} : {self.tensor(value)} into {{type}}", extents,
                         element)

    def transpose(self, value, permutation):
        extents, element = self.types[value]
        out = self.empty([extents[i] for i in permutation], element)
        return self.emit(f"linalg.transpose ins({value} : {self.tensor(value)}) outs({out} : {{type}}) "
                         f"permutation = {permutation}", self.types[out][0], element)


ROWS = ["b", "s", "j"]


class Layer(Writer):
    """The parts of the layer; rows are [batch, length, width]."""

    def __init__(self, shape):
        super().__init__(shape)
        self.x = self.argument([shape.batch, shape.length, shape.width], "bf16", "x", self.mark("undef", 1))
        self.lengths = self.argument([shape.batch], "i64", "lengths")

    def mark(self, absent, source):
        return (f' {{pit.sparse = {{source = "lengths", from = {source} : i64, axes = array<i64: 0, 1>, '
                f'pad = "{self.shape.pad}", absent = "{absent}"}}}}')

    def round(self, value, axes):
        return self.map([(value, axes)], "bf16", ["%n = arith.truncf %l : f32 to bf16", "linalg.yield %n : bf16"])

    def widen(self, value, axes):
        return self.map([(value, axes)], "f32", ["%w = arith.extf %l : bf16 to f32", "linalg.yield %w : f32"])

    def linear(self, rows, outputs, name):
        """rows * weight^T + bias, the sum in f32, rounded before and behind the bias."""
        batch, length, width = self.types[rows][0]
        weight = self.argument([outputs, width], "bf16", name + "_weight")
        bias = self.argument([outputs], "bf16", name + "_bias")
        flat = self.reshape(rows, "collapse", "[[0, 1], [2]]", [batch * length, width])
        turned = self.transpose(weight, [1, 0])
        start = self.fill("zero", [batch * length, outputs], "f32")
        sums = self.emit(f"linalg.matmul ins({flat}, {turned} : {self.tensor(flat)}, {self.tensor(turned)}) "
                         f"outs({start} : {{type}}) -> {{type}}", [batch * length, outputs], "f32")
        rounded = self.round(sums, ["i", "j"])
        biased = self.map([(rounded, ["i", "j"]), (bias, ["j"])], "bf16", [
            "%lw = arith.extf %l : bf16 to f32", "%rw = arith.extf %r : bf16 to f32", "%s = arith.addf %lw, %rw : f32",
            "%n = arith.truncf %s : f32 to bf16", "linalg.yield %n : bf16"])
        return self.reshape(biased, "expand", "[[0, 1], [2]]", [batch, length, outputs])

    def add(self, left, right):
        return self.map([(left, ROWS), (right, ROWS)], "bf16", [
            "%lw = arith.extf %l : bf16 to f32", "%rw = arith.extf %r : bf16 to f32", "%s = arith.addf %lw, %rw : f32",
            "%n = arith.truncf %s : f32 to bf16", "linalg.yield %n : bf16"])

    def gelu(self, value):
        return self.map([(value, ROWS)], "bf16", [
            "%w = arith.extf %l : bf16 to f32", "%d = arith.divf %w, %root : f32", "%e = math.erf %d : f32",
            "%f = arith.addf %e, %one : f32", "%h = arith.mulf %f, %half : f32", "%g = arith.mulf %w, %h : f32",
            "%n = arith.truncf %g : f32 to bf16", "linalg.yield %n : bf16"])

    def norm(self, rows, name):
        batch, length, width = self.types[rows][0]
        gamma = self.argument([width], "bf16", name + "_weight")
        beta = self.argument([width], "bf16", name + "_bias")
        wide = self.widen(rows, ROWS)
        sum_of = ["%s = arith.addf %l, %acc : f32", "linalg.yield %s : f32"]
        each, one = ROWS, ["b", "s", "0"]
        flat = ["b", "s", "j"]
        mean = self.map([(self.reduce(wide, flat, sum_of, "zero"), flat)], "f32",
                        ["%m = arith.divf %l, %width : f32", "linalg.yield %m : f32"])
        centred = self.map([(wide, each), (mean, one)], "f32",
                           ["%d = arith.subf %l, %r : f32", "linalg.yield %d : f32"])
        squares = self.map([(centred, each), (centred, each)], "f32",
                           ["%q = arith.mulf %l, %r : f32", "linalg.yield %q : f32"])
        scale = self.map([(self.reduce(squares, flat, sum_of, "zero"), flat)], "f32",
                         ["%v = arith.divf %l, %width : f32", "%a = arith.addf %v, %epsilon : f32",
                          "%i = math.rsqrt %a : f32", "linalg.yield %i : f32"])
        normal = self.map([(centred, each), (scale, one)], "f32",
                          ["%n = arith.mulf %l, %r : f32", "linalg.yield %n : f32"])
        scaled = self.map([(normal, each), (gamma, ["j"])], "f32", [
            "%g = arith.extf %r : bf16 to f32", "%n = arith.mulf %l, %g : f32", "linalg.yield %n : f32"])
        return self.map([(scaled, each), (beta, ["j"])], "bf16", [
            "%o = arith.extf %r : bf16 to f32", "%n = arith.addf %l, %o : f32", "%t = arith.truncf %n : f32 to bf16",
            "linalg.yield %t : bf16"])

    def feed_forward(self, rows):
        hidden = self.gelu(self.linear(rows, self.shape.inner, "up"))
        return self.norm(self.add(rows, self.linear(hidden, self.shape.width, "down")), "norm2")

    def split(self, rows):
        """[batch, length, width] as [batch, heads, length, width of a head]."""
        batch, length, width = self.types[rows][0]
        heads = self.shape.heads
        parts = self.reshape(rows, "expand", "[[0], [1], [2, 3]]", [batch, length, heads, width // heads])
        return self.transpose(parts, [0, 2, 1, 3])

    def product(self, left, right):
        """left * right of each batch and head, rounded."""
        batch, heads, rows, _ = self.types[left][0]
        flat = []
        for value in (left, right):
            extents = self.types[value][0]
            flat.append(self.reshape(value, "collapse", "[[0, 1], [2], [3]]", [batch * heads, *extents[2:]]))
        columns = self.types[right][0][3]
        start = self.fill("zero", [batch * heads, rows, columns], "f32")
        sums = self.emit(f"linalg.batch_matmul ins({flat[0]}, {flat[1]} : {self.tensor(flat[0])}, "
                         f"{self.tensor(flat[1])}) outs({start} : {{type}}) -> {{type}}",
                         [batch * heads, rows, columns], "f32")
        rounded = self.round(sums, ["h", "i", "j"])
        return self.reshape(rounded, "expand", "[[0, 1], [2], [3]]", [batch, heads, rows, columns])

    def mask(self):
        """0 for positions of sequences, -inf for padding."""
        batch, length = self.shape.batch, self.shape.length
        positions = self.generic([], (self.empty([length], "i64"), ["s"]), ["s"], [
            "%p = linalg.index 0 : index", "%n = arith.index_cast %p : index to i64", "linalg.yield %n : i64"])
        compare = "slt" if self.shape.pad == "right" else "sge"
        limits = self.lengths
        if self.shape.pad == "left":
            limits = self.map([(self.lengths, ["b"])], "i64", ["%n = arith.subi %length, %l : i64",
                                                               "linalg.yield %n : i64"])
        live = self.generic([(positions, ["s"]), (limits, ["b"])], (self.empty([batch, length], "i1"), ["b", "s"]),
                            ["b", "s"], [f"%k = arith.cmpi {compare}, %l, %r : i64", "linalg.yield %k : i1"])
        mask = self.map([(live, ["b", "s"])], "f32", ["%v = arith.select %l, %zero, %infinity : f32",
                                                      "linalg.yield %v : f32"],
                        " attrs = " + self.mark("neg_inf", 1).strip())
        return self.reshape(mask, "expand", "[[0, 1, 2], [3]]", [batch, 1, 1, length])

    def softmax(self, scores, mask):
        """Of scores / sqrt(width of a head) + mask in f32, rounded."""
        axes = ["b", "h", "i", "j"]
        wide = self.map([(scores, axes)], "f32", ["%w = arith.extf %l : bf16 to f32",
                                                  "%d = arith.mulf %w, %per_root : f32", "linalg.yield %d : f32"])
        return self.softmax_of(wide, mask)

    def softmax_of(self, wide, mask):
        """Of scores in f32 + mask, rounded."""
        axes, row = ["b", "h", "i", "j"], ["b", "h", "i", "0"]
        masked = self.map([(wide, axes), (mask, ["b", "0", "0", "j"])], "f32",
                          ["%s = arith.addf %l, %r : f32", "linalg.yield %s : f32"])
        top = self.reduce(masked, axes, ["%m = arith.maximumf %l, %acc : f32", "linalg.yield %m : f32"], "infinity")
        below = self.map([(masked, axes), (top, row)], "f32", ["%d = arith.subf %l, %r : f32", "linalg.yield %d : f32"])
        powers = self.map([(below, axes)], "f32", ["%e = math.exp %l : f32", "linalg.yield %e : f32"])
        total = self.reduce(powers, axes, ["%s = arith.addf %l, %acc : f32", "linalg.yield %s : f32"], "zero")
        return self.map([(powers, axes), (total, row)], "bf16", [
            "%q = arith.divf %l, %r : f32", "%n = arith.truncf %q : f32 to bf16", "linalg.yield %n : bf16"])

    def attention(self, rows):
        batch, length, width = self.types[rows][0]
        query, key, value = (self.linear(rows, width, name) for name in ("query", "key", "value"))
        scores = self.product(self.split(query), self.transpose(self.split(key), [0, 1, 3, 2]))
        context = self.product(self.softmax(scores, self.mask()), self.split(value))
        context = self.reshape(self.transpose(context, [0, 2, 1, 3]), "collapse", "[[0], [1], [2, 3]]",
                               [batch, length, width])
        return self.norm(self.add(rows, self.linear(context, width, "output")), "norm1")

    def integers(self):
        return {"length": self.shape.length}

    def finish(self, result):
        shape = self.shape
        constants = {"zero": "0.0", "one": "1.0", "half": "0.5", "root": "1.41421354", "width": float(shape.width),
                     "epsilon": f"{shape.epsilon:.6e}", "infinity": "0xFF800000",
                     "per_root": repr((shape.width // shape.heads) ** -0.5)}
        return "\n".join([f"func.func @main({', '.join(self.arguments)}) -> {self.tensor(result)} {{",
                          *[f"  %{name} = arith.constant {value} : f32" for name, value in constants.items()],
                          *[f"  %{name} = arith.constant {value} : i64" for name, value in self.integers().items()],
                          *["  " + line for line in self.lines], f"  return {result} : {self.tensor(result)}", "}", ""])


def feed_forward(shape):
    layer = Layer(shape)
    return layer.finish(layer.feed_forward(layer.x))


def whole_layer(shape):
    layer = Layer(shape)
    return layer.finish(layer.feed_forward(layer.attention(layer.x)))
