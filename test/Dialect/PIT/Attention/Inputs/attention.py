# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints attention, written dense: attention.py [NAME=VALUE ...]; the defaults are in OPTIONS.

Axes have letters: those of the batch are a, b, ...; i queries, j keys, e and f elements of rows.
"""
import math
import sys

OPTIONS = {
    "type": "bf16", "batch": "2x3", "queries": "8", "keys": "12", "width": "16", "columns": "32", "dynamic": "",
    "groups": "1",  # heads that share keys and values
    # heads: [batch, head, position, row]; rows: [batch, position, head, row], transposed before products;
    # packed: slices of one [batch, position, 3 x heads x row]
    "layout": "heads",
    "flat": "",  # products have all axes of the batch as one
    "sums": "f32",  # or 16: results of products have the type of operands
    "scale": "behind",  # before, behind, divide, none; wide: of both factors, in f32; f64: a constant of f64
    "cap": "",  # a soft cap of this
    "mask": "none",
    "sink": "",  # one more logit of each head: concat, insert, or shift, which subtracts the largest in front
    "softmax": "split",  # fused, argmax, named, exp2, guarded, safe, living, late, reciprocal, lowest
    "weights": "",  # f32: not rounded
    "round": "1",  # the result
    "also": "",  # scores, weights, result (before it is transposed): what is returned, too
    "break": "",  # something that is no attention
}
FLOAT = {"-inf": {"bf16": "0xFF80", "f16": "0xFC00", "f32": "0xFF800000", "f64": "0xFFF0000000000000"},
         "lowest": {"bf16": "-3.389531e+38", "f16": "-6.550400e+04", "f32": "-3.40282347E+38"}}


class Tensor:
    def __init__(self, name, axes, element):
        self.name, self.axes, self.element = name, axes, element


class Program:
    """Lines of a function, and extents of axes by letter."""

    def __init__(self, extents, dynamic):
        self.extents, self.dynamic, self.lines, self.number, self.arguments, self.joined = extents, dynamic, [], 0, [], []

    def new(self):
        self.number += 1
        return f"%v{self.number}"

    def emit(self, text):
        name = self.new()
        self.lines.append(f"{name} = {text}")
        return name

    def shape(self, axes):
        return "".join("?x" if axis in self.dynamic else f"{self.extents[axis]}x" for axis in axes)

    def type(self, axes, element):
        return f"tensor<{self.shape(axes)}{element}>"

    def of(self, value):
        return self.type(value.axes, value.element)

    def argument(self, axes, element):
        value = Tensor(f"%arg{len(self.arguments)}", axes, element)
        self.arguments.append(value)
        return value

    def size(self, axis):
        if axis == "i" and not any("i" in value.axes for value in self.arguments):
            axis = "j"
        source = next(value for value in self.arguments + self.joined if axis in value.axes)
        index = self.emit(f"arith.constant {source.axes.index(axis)} : index")
        return self.emit(f"tensor.dim {source.name}, {index} : {self.of(source)}")

    def empty(self, axes, element):
        sizes = ", ".join(self.size(axis) for axis in axes if axis in self.dynamic)
        return Tensor(self.emit(f"tensor.empty({sizes}) : {self.type(axes, element)}"), axes, element)

    def constant(self, value, element):
        value = FLOAT.get(value, {}).get(element, value)
        if isinstance(value, float):
            value = f"{value:.8e}"
        return self.emit(f"arith.constant {value}" + ("" if element == "i1" else f" : {element}"))

    def fill(self, axes, element, value):
        into, scalar = self.empty(axes, element), self.constant(value, element)
        name = self.emit(f"linalg.fill ins({scalar} : {element}) outs({into.name} : {self.of(into)}) -> {self.of(into)}")
        return Tensor(name, axes, element)

    def map(self, loops, axes):
        return f"affine_map<({', '.join('d_' + a for a in loops)}) -> ({', '.join('d_' + a for a in axes)})>"

    def generic(self, inputs, axes, element, body, init=None, second=None):
        """`body` has lines with %0, %1 ... for inputs, %acc, {a} for the number of an axis, and yields %r (and %s)."""
        outs = [init or self.empty(axes, element)] + ([second] if second else [])
        loops = list(axes) + [a for a in dict.fromkeys("".join(v.axes for v in inputs)) if a not in axes]
        maps = ", ".join(self.map(loops, v.axes) for v in inputs + outs)
        iterators = ", ".join('"parallel"' if a in axes else '"reduction"' for a in loops)
        lines, names = [], {}
        for axis in loops:
            if f"{{{axis}}}" in body:
                names[axis] = self.new()
                lines.append(f"{names[axis]} = linalg.index {loops.index(axis)} : index")
        prefix = self.new() + "_"
        text = body
        for axis, name in names.items():
            text = text.replace(f"{{{axis}}}", name)
        text = text.replace("%", prefix).replace(prefix + "v", "%v").replace(prefix + "arg", "%arg")
        arguments = [f"{prefix}{i}: {v.element}" for i, v in enumerate(inputs)] + [f"{prefix}acc: {element}"]
        yields, types = f"{prefix}r" if body else f"{prefix}0", element
        if second:
            arguments.append(f"{prefix}acc2: {second.element}")
            yields, types = f"{yields}, {prefix}s", f"{types}, {second.element}"
        ins = f"ins({', '.join(v.name for v in inputs)} : {', '.join(map(self.of, inputs))}) " if inputs else ""
        result = self.of(outs[0]) if not second else "(" + ", ".join(map(self.of, outs)) + ")"
        name = self.new()
        self.lines.append(
            f"{name}{':2' if second else ''} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} {ins}"
            f"outs({', '.join(v.name for v in outs)} : {', '.join(map(self.of, outs))}) {{\n  ^bb0({', '.join(arguments)}):\n    "
            + "\n    ".join(lines + text.split("\n") * bool(text) + [f"linalg.yield {yields} : {types}"]) + f"\n  }} -> {result}")
        return Tensor(name + ("#0" if second else ""), axes, element)

    def transpose(self, value, axes):
        into = self.empty(axes, value.element)
        order = ", ".join(str(value.axes.index(a)) for a in axes)
        name = self.emit(f"linalg.transpose ins({value.name} : {self.of(value)}) outs({into.name} : {self.of(into)}) permutation = [{order}]")
        return Tensor(name, axes, value.element)

    def collapse(self, value, count):
        """The first dimensions as one."""
        if count < 2:
            return value
        letter = "z"
        self.extents[letter] = math.prod(self.extents[a] for a in value.axes[:count])
        if any(a in self.dynamic for a in value.axes[:count]):
            self.dynamic.add(letter)
        axes = letter + value.axes[count:]
        groups = [list(range(count))] + [[i] for i in range(count, len(value.axes))]
        name = self.emit(f"tensor.collapse_shape {value.name} {groups} : {self.of(value)} into {self.type(axes, value.element)}")
        self.joined.append(Tensor(name, axes, value.element))
        return self.joined[-1]

    def expand(self, value, batch):
        if value.axes[0] != "z":
            return value
        axes = batch + value.axes[1:]
        groups = [list(range(len(batch)))] + [[i] for i in range(len(batch), len(axes))]
        sizes = ", ".join(self.size(a) if a in self.dynamic else str(self.extents[a]) for a in axes)
        name = self.emit(f"tensor.expand_shape {value.name} {groups} output_shape [{sizes}] : {self.of(value)} into {self.type(axes, value.element)}")
        return Tensor(name, axes, value.element)

    def cast(self, value, element):
        if value.element == element:
            return value
        op = "truncf" if value.element == "f32" else "extf"
        return self.generic([value], value.axes, element, f"%r = arith.{op} %0 : {value.element} to {element}")

    def product(self, left, right, axes, element):
        wide, (x, y) = "", ("%0", "%1")
        if element != left.element:
            wide, (x, y) = f"%x = arith.extf %0 : {left.element} to {element}\n%y = arith.extf %1 : {right.element} to {element}\n", ("%x", "%y")
        body = wide + f"%m = arith.mulf {x}, {y} : {element}\n%r = arith.addf %acc, %m : {element}"
        return self.generic([left, right], axes, element, body, self.fill(axes, element, 0.0))


def masked(p, o, scores, batch):
    """Scores under a mask."""
    t, kind = scores.element, o["mask"]
    dead = p.constant("-inf", t)
    if kind == "none":
        return scores
    if kind in ("causal", "window", "constants", "difference"):
        # Numbers of places as tensors, as exporters write them.
        rows, columns = (p.generic([], a, "i64", f"%r = arith.index_cast {{{a}}} : index to i64") for a in "ij")
        if kind == "constants":
            rows, columns = (Tensor(p.emit(f"arith.constant dense<{list(range(p.extents[a]))}> : tensor<{p.extents[a]}xi64>"), a, "i64") for a in "ij")
        seen = p.generic([columns, rows], "ij", "i1", "%r = arith.cmpi sle, %0, %1 : i64")
        if kind == "difference":
            zero = p.constant(0, "i64")
            seen = p.generic([columns, rows], "ij", "i1", f"%d = arith.subi %0, %1 : i64\n%r = arith.cmpi sle, %d, {zero} : i64")
        if kind == "window":
            width = p.constant(3, "i64")
            near = p.generic([columns, rows], "ij", "i1",
                             f"%d = arith.subi %1, %0 : i64\n%r = arith.cmpi slt, %d, {width} : i64")
            seen = p.generic([seen, near], "ij", "i1", "%r = arith.andi %0, %1 : i1")
        return p.generic([seen, scores], scores.axes, t, f"%r = arith.select %0, %1, {dead} : {t}")
    if kind == "select":
        mask = p.argument("ij", "i1")
        return p.generic([mask, scores], scores.axes, t, f"%r = arith.select %0, %1, {dead} : {t}")
    if kind == "fill":
        mask = p.argument("ij", "i1")
        true = p.constant("true", "i1")
        other = p.generic([mask], "ij", "i1", f"%r = arith.xori %0, {true} : i1")
        return p.generic([other, scores], scores.axes, t, f"%r = arith.select %0, {dead}, %1 : {t}")
    if kind in ("bias", "headbias"):
        bias = p.argument(("" if kind == "bias" else batch) + "ij", t)
        return p.generic([scores, bias], scores.axes, t, f"%r = arith.addf %0, %1 : {t}")
    if kind == "tokens":
        # A mask of a tokenizer, as BERT has it: (1 - mask) * lowest.
        mask = p.argument(batch[0] + "j", "i64")
        one, lowest = p.constant(1.0, t), p.constant("lowest", t)
        number = p.generic([mask], mask.axes, t, f"%r = arith.sitofp %0 : i64 to {t}")
        other = p.generic([number], mask.axes, t, f"%r = arith.subf {one}, %0 : {t}")
        added = p.generic([other], mask.axes, t, f"%r = arith.mulf %0, {lowest} : {t}")
        return p.generic([scores, added], scores.axes, t, f"%r = arith.addf %0, %1 : {t}")
    raise SystemExit(f"no such mask: {kind}")


def largest(p, o, logits, rows):
    t = logits.element
    start = p.fill(rows, t, "lowest" if o["softmax"] == "lowest" else "-inf")
    body = f"%r = arith.maximumf %0, %acc : {t}"
    if o["softmax"] == "argmax":
        body += f"\n%n = arith.index_cast {{j}} : index to i64\n%c = arith.cmpf ogt, %0, %acc : {t}\n%s = arith.select %c, %n, %acc2 : i64"
        return p.generic([logits], rows, t, body, start, p.fill(rows, "i64", 0))
    return p.generic([logits], rows, t, body, start)


def add_sink(p, o, logits, batch):
    """Logits with one more column, of axis l: a logit of each head."""
    t, axes = logits.element, logits.axes
    p.extents.update(u=1, l=p.extents["j"] + 1)
    given = p.argument(batch[-1], t)
    column = p.generic([given], axes.replace("j", "u"), t, "")
    longer, whole = axes.replace("j", "l"), p.type(axes.replace("j", "l"), t)
    if o["sink"] == "insert":
        name = p.empty(longer, t).name
        for part, first in ((logits, 0), (column, p.extents["j"])):
            offsets, sizes = ([f(a) for a in part.axes] for f in (lambda a: first if a in "ju" else 0, lambda a: p.extents[a]))
            name = p.emit(f"tensor.insert_slice {part.name} into {name}{offsets} {sizes} {[1] * len(axes)} : {p.of(part)} into {whole}")
    else:
        name = p.emit(f"tensor.concat dim({axes.index('j')}) {logits.name}, {column.name} : ({p.of(logits)}, {p.of(column)}) -> {whole}")
    value = Tensor(name, longer, t)
    if o["sink"] == "shift":
        top = largest(p, dict(o, softmax=""), value, longer.replace("l", ""))
        value = p.generic([value, top], longer, t, f"%r = arith.subf %0, %1 : {t}")
    return value


def drop_sink(p, weights):
    axes = weights.axes.replace("l", "j")
    name = p.emit(f"tensor.extract_slice {weights.name}{[0] * len(axes)} {[p.extents[a] for a in axes]} {[1] * len(axes)} "
                  f": {p.of(weights)} to {p.type(axes, weights.element)}")
    return Tensor(name, axes, weights.element)


def softmax(p, o, logits, narrow):
    """Weights, and the sum that they are still to be divided by, if so."""
    axes, t, form = logits.axes, logits.element, o["softmax"]
    keys = "l" if "l" in axes else "j"
    rows = axes.replace(keys, "")
    if form == "named":
        into = p.empty(axes, t)
        name = p.emit(f"linalg.softmax dimension({axes.index(keys)}) ins({logits.name} : {p.of(logits)}) outs({into.name} : {p.of(into)}) -> {p.of(into)}")
        return Tensor(name, axes, t), None
    top = largest(p, o, logits, rows)
    infinity, zero, one = p.constant("-inf", t), p.constant(0.0, t), p.constant(1.0, t)
    if form == "guarded":
        top = p.generic([top], rows, t, f"%c = arith.cmpf oeq, %0, {infinity} : {t}\n%r = arith.select %c, {zero}, %0 : {t}")
    if form == "exp2":
        factor = p.constant(1.4426950408889634, t)
        body = f"%d = arith.subf %0, %1 : {t}\n%m = arith.mulf %d, {factor} : {t}\n%r = math.exp2 %m : {t}"
    else:
        body = f"%d = arith.subf %0, %1 : {t}\n%r = math.exp %d : {t}"
    if form == "split":
        difference = p.generic([logits, top], axes, t, f"%r = arith.subf %0, %1 : {t}")
        numerator = p.generic([difference], axes, t, f"%r = math.exp %0 : {t}")
    else:
        numerator = p.generic([logits, top], axes, t, body)
    if form == "fused":
        total = p.generic([logits, top], rows, t, body.replace("%r", "%x") + f"\n%r = arith.addf %acc, %x : {t}", p.fill(rows, t, 0.0))
    else:
        total = p.generic([numerator], rows, t, f"%r = arith.addf %acc, %0 : {t}", p.fill(rows, t, 0.0))
    if o["break"] == "sum":
        total = p.generic([logits], rows, t, f"%r = arith.addf %acc, %0 : {t}", p.fill(rows, t, 0.0))
    if form == "guarded":
        total = p.generic([total], rows, t, f"%c = arith.cmpf oeq, %0, {zero} : {t}\n%r = arith.select %c, {one}, %0 : {t}")
    if form == "late":
        return numerator, total
    if form == "reciprocal":
        inverse = p.generic([total], rows, t, f"%r = arith.divf {one}, %0 : {t}")
        return p.generic([numerator, inverse], axes, t, f"%r = arith.mulf %0, %1 : {t}"), None
    weights = p.generic([numerator, total], axes, t, f"%r = arith.divf %0, %1 : {t}")
    if form == "safe":
        dead = p.generic([logits], axes, "i1", f"%r = arith.cmpf oeq, %0, {infinity} : {t}")
        every = p.generic([dead], rows, "i1", "%r = arith.andi %0, %acc : i1", p.fill(rows, "i1", "true"))
        weights = p.generic([every, weights], axes, t, f"%r = arith.select %0, {zero}, %1 : {t}")
    if form == "living":
        live = p.generic([logits], axes, "i1", f"%r = arith.cmpf une, %0, {infinity} : {t}")
        some = p.generic([live], rows, "i1", "%r = arith.ori %0, %acc : i1", p.fill(rows, "i1", "false"))
        weights = p.generic([some, weights], axes, t, f"%r = arith.select %0, %1, {zero} : {t}")
    return weights, None


def main(arguments):
    o = dict(OPTIONS)
    for argument in arguments:
        name, value = argument.split("=", 1)
        if name not in o:
            raise SystemExit(f"no such option: {name}")
        o[name] = value
    sizes = [int(x) for x in o["batch"].split("x") if x]
    batch = "abcd"[:len(sizes)]
    groups = int(o["groups"])
    extents = dict(zip(batch, sizes), i=int(o["queries"]), j=int(o["keys"]), e=int(o["width"]), f=int(o["columns"]))
    extents.update(k=sizes[-1] // groups if sizes else 1, g=groups)
    p = Program(extents, set(o["dynamic"]))
    t, sums = o["type"], "f32" if o["sums"] == "f32" else o["type"]
    shared = batch[:-1] + "k" if groups > 1 else batch

    def operand(axes, position, row):
        if o["layout"] == "rows" and axes:
            return p.transpose(p.argument(axes[:-1] + position + axes[-1] + row, t), axes + position + row)
        return p.argument(axes + position + row, t)

    if o["layout"] == "packed":
        a, b = batch
        p.extents["x"] = extents[b] * extents["e"]
        p.extents["w"] = 3 * p.extents["x"]
        p.dynamic |= {"i"} if "j" in p.dynamic else set()
        packed = p.argument(a + "jw", t)

        def part(number, position, row):
            sizes = ", ".join(p.size(n) if n in p.dynamic else str(p.extents[n]) for n in a + "j")
            name = p.emit(f"tensor.extract_slice {packed.name}[0, 0, {number * p.extents['x']}] [{sizes}, {p.extents['x']}] [1, 1, 1] "
                          f": {p.of(packed)} to {p.type(a + position + 'x', t)}")
            axes = a + position + b + row
            name = p.emit(f"tensor.expand_shape {name} [[0], [1], [2, 3]] output_shape [{sizes}, {p.extents[b]}, {p.extents[row]}] "
                          f": {p.type(a + position + 'x', t)} into {p.type(axes, t)}")
            return p.transpose(Tensor(name, axes, t), batch + position + row)
        q, k, v = part(0, "i", "e"), part(1, "j", "e"), part(2, "j", "f")
    else:
        q, k, v = operand(batch, "i", "e"), operand(shared, "j", "e"), operand(shared, "j", "f")
    scale = 0.25
    if o["scale"] == "before":
        factor = p.constant(scale, t)
        q = p.generic([q], q.axes, t, f"%r = arith.mulf %0, {factor} : {t}")
    if o["scale"] == "wide":
        factor = p.constant(math.sqrt(scale), "f32")
        q, k = (p.generic([p.cast(x, "f32")], x.axes, "f32", f"%r = arith.mulf %0, {factor} : f32") for x in (q, k))
    if groups > 1:
        # What repeats keys and values for all heads of a group.
        def repeat(x):
            wide = p.generic([x], batch[:-1] + "kg" + x.axes[-2:], x.element, "")
            groups_of = [[n] for n in range(len(batch) - 1)] + [[len(batch) - 1, len(batch)], [len(batch) + 1], [len(batch) + 2]]
            axes = batch + x.axes[-2:]
            name = p.emit(f"tensor.collapse_shape {wide.name} {groups_of} : {p.of(wide)} into {p.type(axes, x.element)}")
            return Tensor(name, axes, x.element)
        k, v = repeat(k), repeat(v)
    k = p.transpose(k, k.axes[:-2] + "ej")
    outer, flat = batch, bool(o["flat"]) and len(batch) > 1
    if flat:
        q, k, v, outer = p.collapse(q, len(batch)), p.collapse(k, len(batch)), p.collapse(v, len(batch)), "z"
    scores = p.product(q, k, outer + "ij", sums)
    kept = scores
    if sums == "f32" and o["round"] == "scores":
        scores = p.cast(scores, t)
    scores = p.expand(scores, batch) if flat else scores
    if o["scale"] in ("behind", "divide"):
        op, number = ("mulf", scale) if o["scale"] == "behind" else ("divf", 1 / scale)
        factor = p.constant(number, scores.element)
        scores = p.generic([scores], scores.axes, scores.element, f"%r = arith.{op} %0, {factor} : {scores.element}")
    if o["scale"] == "f64":
        factor = p.constant(scale, "f64")
        s = scores.element
        scores = p.generic([scores], scores.axes, s, f"%f = arith.truncf {factor} : f64 to {s}\n%r = arith.mulf %0, %f : {s}")
    if o["cap"]:
        cap = p.constant(float(o["cap"]), scores.element)
        s = scores.element
        scores = p.generic([scores], scores.axes, s, f"%q = arith.divf %0, {cap} : {s}\n%t = math.tanh %q : {s}\n%r = arith.mulf %t, {cap} : {s}")
    if o["break"] == "diagonal":
        scores = p.generic([scores, Tensor(scores.name, batch + "ji", scores.element)], scores.axes, scores.element, f"%r = arith.addf %0, %1 : {scores.element}")
    scores = masked(p, o, scores, batch)
    logits = p.cast(scores, "f32")
    if o["sink"]:
        logits = add_sink(p, o, logits, batch)
    weights, total = softmax(p, o, logits, t)
    if o["sink"]:
        weights = drop_sink(p, weights)
    if o["weights"] == "f32":
        v = p.cast(v, "f32")
    else:
        weights = p.cast(weights, t)
    weights = p.collapse(weights, len(batch)) if flat else weights
    out = p.product(weights, v, outer + "if", sums)
    if total:
        total = p.collapse(total, len(batch)) if flat else total
        out = p.generic([out, total], out.axes, out.element, f"%r = arith.divf %0, %1 : {out.element}")
    if o["round"]:
        out = p.cast(out, t)
    out = made = p.expand(out, batch) if flat else out
    if o["layout"] in ("rows", "packed") and batch:
        out = p.transpose(out, batch[:-1] + "i" + batch[-1] + "f")
    results = [out] + {"": [], "scores": [kept], "weights": [weights], "result": [made]}[o["also"]]
    types = ", ".join(map(p.of, results))
    print(f"func.func @main({', '.join(f'{a.name}: {p.of(a)}' for a in p.arguments)}) -> ({types}) {{")
    print("\n".join("  " + line for line in p.lines))
    print(f"  return {', '.join(r.name for r in results)} : {types}\n}}")


main(sys.argv[1:])
