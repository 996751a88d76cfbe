# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several layers of BERT, OPT and Switch transformers as one dense program each.

All of them take a padded batch [batch, length, width] and its lengths, and compute every position of it; marks say that
positions behind a length matter to nobody, and which zeros are worth skipping. Weights are arguments in the order in
which the layers use them; those of linear layers are stored [out, in], those of experts [expert, in, out].

BERT: encoder layers of encoder_program.py, one mask for all. OPT: layers that normalise first, causal attention, ReLU
between the linear layers, whose zeros are marked, if so asked, where they are alike in 32 positions. Switch: a T5 encoder (root mean
squares instead of means and deviations, no biases, scores not scaled) without its biases by distance; every other layer
has experts, of which each token takes the one that its router gives the largest weight, without a limit on tokens per expert.
"""
import dataclasses
import re

import encoder_program
from encoder_program import PRODUCT, ROWS


@dataclasses.dataclass
class Shape(encoder_program.Shape):
    layers: int = 2
    experts: int = 0
    # Rows that a micro-tile of zeros covers; 0 says nothing about zeros.
    alike: int = 0
    # What the mark expects to be live.
    live: float = 0.0


class Model(encoder_program.Layer):
    """Parts of layers whose arguments have names of their own."""

    def __init__(self, shape):
        super().__init__(shape)
        self.prefix, self.shared, self.weights = "", {}, []

    def argument(self, extents, element, name, attribute=""):
        if attribute or name == "lengths":
            return super().argument(extents, element, name, attribute)
        self.weights.append((name, list(extents)))
        return super().argument(extents, element, name)

    def once(self, name, make):
        """What all layers use."""
        if name not in self.shared:
            self.shared[name] = make()
        return self.shared[name]

    def linear(self, rows, outputs, name):
        return super().linear(rows, outputs, self.prefix + name)

    def norm(self, rows, name):
        return super().norm(rows, self.prefix + name)

    def mask(self):
        return self.once("mask", super().mask)

    def flatten(self, rows, mark=""):
        batch, length, width = self.types[rows][0]
        return self.reshape(rows, "collapse", "[[0, 1], [2]]" + mark, [batch * length, width])

    def unflatten(self, rows):
        shape = self.shape
        return self.reshape(rows, "expand", "[[0, 1], [2]]", [shape.batch, shape.length, self.types[rows][0][1]])

    def times(self, flat, weight, turned=True):
        """Rows times a weight [out, in], or [in, out] if it is not turned; sums in f32."""
        right = self.transpose(weight, [1, 0]) if turned else weight
        rows, outputs = self.types[flat][0][0], self.types[right][0][1]
        start = self.fill("zero", [rows, outputs], "f32")
        return self.emit(f"linalg.matmul ins({flat}, {right} : {self.tensor(flat)}, {self.tensor(right)}) "
                         f"outs({start} : {{type}}) -> {{type}}", [rows, outputs], "f32")

    def numbers(self, extent):
        """0, 1, 2, ..."""
        return self.generic([], (self.empty([extent], "i64"), ["s"]), ["s"], [
            "%p = linalg.index 0 : index", "%n = arith.index_cast %p : index to i64", "linalg.yield %n : i64"])

    def integers(self):
        return {**super().integers(), "experts": self.shape.experts}


class Bert(Model):
    def layer(self, rows, number):
        return self.feed_forward(self.attention(rows))


class Opt(Model):
    def causal(self):
        """0 where a position may look, -inf where it may not."""
        length = self.shape.length
        numbers = self.numbers(length)
        return self.generic([(numbers, ["i"]), (numbers, ["j"])], (self.empty([length, length], "f32"), ["i", "j"]),
                            ["i", "j"], ["%k = arith.cmpi sge, %l, %r : i64",
                                         "%v = arith.select %k, %zero, %infinity : f32", "linalg.yield %v : f32"])

    def softmax(self, scores, mask):
        axes = ["b", "h", "i", "j"]
        wide = self.map([(scores, axes)], "f32", ["%w = arith.extf %l : bf16 to f32",
                                                  "%d = arith.mulf %w, %per_root : f32", "linalg.yield %d : f32"])
        causal = self.once("causal", self.causal)
        masked = self.map([(wide, axes), (causal, ["i", "j"])], "f32",
                          ["%s = arith.addf %l, %r : f32", "linalg.yield %s : f32"])
        return self.softmax_of(masked, mask)

    def context(self, rows):
        """Attention without what comes behind it."""
        batch, length, width = self.types[rows][0]
        query, key, value = (self.linear(rows, width, name) for name in ("query", "key", "value"))
        scores = self.product(self.split(query), self.transpose(self.split(key), [0, 1, 3, 2]))
        context = self.product(self.softmax(scores, self.mask()), self.split(value))
        return self.reshape(self.transpose(context, [0, 2, 1, 3]), "collapse", "[[0], [1], [2, 3]]",
                            [batch, length, width])

    def relu(self, rows):
        return self.map([(rows, ROWS)], "bf16", [
            "%w = arith.extf %l : bf16 to f32", "%m = arith.maximumf %w, %zero : f32",
            "%n = arith.truncf %m : f32 to bf16", "linalg.yield %n : bf16"])

    def down(self, hidden):
        """The linear layer behind the ReLU, of positions one below the other; what multiplies one unit is a row."""
        shape, name = self.shape, self.prefix + "down"
        weight = self.argument([shape.inner, shape.width], "bf16", name + "_weight")
        bias = self.argument([shape.width], "bf16", name + "_bias")
        live = f", live = {shape.live} : f64" if shape.live else ""
        flat = self.flatten(hidden, ' {pit.sparse = {source = "values", axes = array<i64: 0, 1>, '
                            f'granularity = array<i64: {shape.alike}, 1>, absent = "zero"{live}}}}}')
        rounded = self.round(self.times(flat, weight, turned=False), ["i", "j"])
        return self.unflatten(self.map([(rounded, ["i", "j"]), (bias, ["j"])], "bf16", [
            "%lw = arith.extf %l : bf16 to f32", "%rw = arith.extf %r : bf16 to f32", "%s = arith.addf %lw, %rw : f32",
            "%n = arith.truncf %s : f32 to bf16", "linalg.yield %n : bf16"]))

    def layer(self, rows, number):
        shape = self.shape
        rows = self.add(rows, self.linear(self.context(self.norm(rows, "norm1")), shape.width, "output"))
        hidden = self.relu(self.linear(self.norm(rows, "norm2"), shape.inner, "up"))
        return self.add(rows, self.down(hidden) if shape.alike else self.linear(hidden, shape.width, "down"))


class Switch(Model):
    def linear(self, rows, outputs, name):
        """Without a bias."""
        weight = self.argument([outputs, self.types[rows][0][2]], "bf16", f"{self.prefix}{name}_weight")
        return self.unflatten(self.round(self.times(self.flatten(rows), weight), ["i", "j"]))

    def norm(self, rows, name):
        """Divides by the root of the mean square."""
        gamma = self.argument([self.shape.width], "bf16", f"{self.prefix}{name}_weight")
        wide = self.widen(rows, ROWS)
        squares = self.map([(wide, ROWS), (wide, ROWS)], "f32",
                           ["%q = arith.mulf %l, %r : f32", "linalg.yield %q : f32"])
        total = self.reduce(squares, ROWS, ["%s = arith.addf %l, %acc : f32", "linalg.yield %s : f32"], "zero")
        scale = self.map([(total, ROWS)], "f32", [
            "%v = arith.divf %l, %width : f32", "%a = arith.addf %v, %epsilon : f32", "%i = math.rsqrt %a : f32",
            "linalg.yield %i : f32"])
        normal = self.map([(wide, ROWS), (scale, ["b", "s", "0"])], "bf16", [
            "%n = arith.mulf %l, %r : f32", "%t = arith.truncf %n : f32 to bf16", "linalg.yield %t : bf16"])
        return self.map([(normal, ROWS), (gamma, ["j"])], "bf16", [
            "%lw = arith.extf %l : bf16 to f32", "%g = arith.extf %r : bf16 to f32", "%m = arith.mulf %lw, %g : f32",
            "%n = arith.truncf %m : f32 to bf16", "linalg.yield %n : bf16"])

    context = Opt.context
    relu = Opt.relu

    def softmax(self, scores, mask):
        wide = self.widen(scores, ["b", "h", "i", "j"])
        return self.softmax_of(wide, mask)

    def live(self):
        """Whether there is a token, of all positions one below the other."""
        shape = self.shape
        numbers = self.numbers(shape.length)
        live = self.generic([(numbers, ["s"]), (self.lengths, ["b"])],
                            (self.empty([shape.batch, shape.length], "i1"), ["b", "s"]), ["b", "s"],
                            ["%k = arith.cmpi slt, %l, %r : i64", "linalg.yield %k : i1"])
        return self.reshape(live, "collapse", "[[0, 1]]", [shape.batch * shape.length])

    def gate(self, flat):
        """[token, expert]: the largest weight where it is, which is the first of several, and zeros."""
        experts, tokens = self.shape.experts, self.types[flat][0][0]
        weight = self.argument([experts, self.shape.width], "bf16", f"{self.prefix}router_weight")
        logits, axes = self.times(flat, weight), ["i", "e"]
        row = ["i"]

        def reduce(inputs, element, start, body):
            init = self.fill(start, [tokens], element)
            return self.generic(inputs, (init, row), axes, body, reduced=1)

        top = reduce([(logits, axes)], "f32", "infinity", ["%m = arith.maximumf %l, %acc : f32",
                                                           "linalg.yield %m : f32"])
        total = reduce([(logits, axes), (top, row)], "f32", "zero", [
            "%d = arith.subf %l, %r : f32", "%p = math.exp %d : f32", "%s = arith.addf %p, %acc : f32",
            "linalg.yield %s : f32"])
        numbers = self.once("experts", lambda: self.numbers(experts))
        first = reduce([(logits, axes), (top, row), (numbers, ["e"])], "i64", "experts", [
            "%k = arith.cmpf oeq, %l, %r : f32", "%n = arith.select %k, %t, %experts : i64",
            "%m = arith.minsi %n, %acc : i64", "linalg.yield %m : i64"])
        live = self.once("live", self.live)
        largest = self.map([(total, row), (live, row)], "f32", [
            "%q = arith.divf %one, %l : f32", "%v = arith.select %r, %q, %zero : f32", "linalg.yield %v : f32"])
        mark = (' attrs = {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", '
                "at_most = 1 : i64}}")
        return self.generic([(first, row), (numbers, ["e"]), (largest, row)],
                            (self.empty([tokens, experts], "f32"), axes), axes, [
                                "%k = arith.cmpi eq, %l, %r : i64", "%v = arith.select %k, %t, %zero : f32",
                                "linalg.yield %v : f32"], attributes=mark)

    def experts(self, rows):
        """All experts of all tokens, weighted by the gate."""
        shape = self.shape
        flat = self.flatten(rows)
        tokens = self.types[flat][0][0]
        gate = self.gate(flat)
        up = self.argument([shape.experts, shape.width, shape.inner], "bf16", f"{self.prefix}up_weight")
        down = self.argument([shape.experts, shape.inner, shape.width], "bf16", f"{self.prefix}down_weight")
        narrow = ["%n = arith.truncf %l : f32 to bf16", "linalg.yield %n : bf16"]

        def product(left, axes, right, outputs):
            start = self.fill("zero", [tokens, shape.experts, outputs], "f32")
            return self.generic([(left, axes), (right, ["e", "k", "j"])], (start, ["i", "e", "j"]),
                                ["i", "e", "j", "k"], PRODUCT, reduced=1)

        axes = ["i", "e", "j"]
        hidden = self.map([(product(flat, ["i", "k"], up, shape.inner), axes)], "bf16", [
            "%m = arith.maximumf %l, %zero : f32", "%n = arith.truncf %m : f32 to bf16", "linalg.yield %n : bf16"])
        each = self.map([(product(hidden, ["i", "e", "k"], down, shape.width), axes)], "bf16", narrow)
        sums = self.generic([(gate, ["i", "e"]), (each, axes)],
                            (self.fill("zero", [tokens, shape.width], "f32"), ["i", "j"]), ["i", "j", "e"], [
                                "%rw = arith.extf %r : bf16 to f32", "%p = arith.mulf %l, %rw : f32",
                                "%s = arith.addf %acc, %p : f32", "linalg.yield %s : f32"], reduced=1)
        return self.unflatten(self.map([(sums, ["i", "j"])], "bf16", narrow))

    def layer(self, rows, number):
        shape = self.shape
        rows = self.add(rows, self.linear(self.context(self.norm(rows, "norm1")), shape.width, "output"))
        normal = self.norm(rows, "norm2")
        if number % 2 == 1:
            return self.add(rows, self.experts(normal))
        return self.add(rows, self.linear(self.relu(self.linear(normal, shape.inner, "up")), shape.width, "down"))


FAMILIES = {"bert": Bert, "opt": Opt, "switch": Switch}


def write(family, shape):
    """The program of all layers, and [name, extents] of all weights."""
    model = FAMILIES[family](shape)
    rows = model.x
    for number in range(shape.layers):
        model.prefix = f"l{number}_"
        rows = model.layer(rows, number)
    text = model.finish(rows)
    return text, [[name, extents] for name, extents in model.weights]


def in_f32(program):
    """The same program with f32 in place of bf16; rounding to it and widening from it then change nothing."""
    return re.sub(r"arith\.(?:extf|truncf) (%\w+) : \w+ to \w+", r"arith.bitcast \1 : f32 to f32",
                  program).replace("bf16", "f32")
