# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of support_matrix.py that are no products: attention, softmax, layer norm, reductions, windows.

Each function writes the text of one `func.func` of an element type, or nothing where the op has no meaning for it. 8-bit and 16-bit
elements are computed with in f32, as models do.
"""


class Text:
    """Ops of one function, by and by."""

    def __init__(self, program):
        self.element, self.wide = program.element, "f64" if program.element == "f64" else "f32"
        self.lines, self.number = [], 0

    def name(self):
        self.number += 1
        return f"%t{self.number}"

    def constant(self, value, kind=None):
        name = self.name()
        self.lines.append(f"  {name} = arith.constant {value} : {kind or self.wide}")
        return name

    def filled(self, value, shape):
        start, empty, name, kind = self.constant(value), self.empty(shape, self.wide), self.name(), self.tensor(shape, self.wide)
        self.lines.append(f"  {name} = linalg.fill ins({start} : {self.wide}) outs({empty} : {kind}) -> {kind}")
        return name

    @staticmethod
    def tensor(shape, element):
        return f"tensor<{'x'.join(map(str, [*shape, element]))}>"

    def generic(self, dims, ins, out, body, kind):
        """ins: (value, type, map); out: (value, shape, map); `body(names)` gives lines and the yielded value."""
        name, element = self.name(), kind
        maps = ", ".join(f"affine_map<({dims}) -> ({text})>" for *_, text in [*ins, out])
        reduced = set(dims.replace(" ", "").split(",")) - set(out[2].replace(" ", "").split(","))
        iterators = ", ".join('"reduction"' if dim in reduced else '"parallel"' for dim in dims.replace(" ", "").split(","))
        types = [text for _, text, _ in ins]
        names = [f"%v{i}" for i in range(len(ins))]
        arguments = ", ".join(f"{value}: {text[text.rindex('x') + 1:-1]}" for value, text in zip(names, types))
        lines, result = body(*names)
        whole = self.tensor(out[1], element)
        self.lines += [f"  {name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}",
                       f"      ins({', '.join(value for value, *_ in ins)} : {', '.join(types)}) outs({out[0]} : {whole}) {{",
                       f"  ^bb0({arguments}, %o: {element}):", *(f"    {line}" for line in lines),
                       f"    linalg.yield {result} : {element}", f"  }} -> {whole}"]
        return name

    def widen(self, value, into):
        """Lines that make an element one of the wide type, and its name."""
        if self.element == self.wide:
            return [], value
        return [f"{into} = arith.extf {value} : {self.element} to {self.wide}"], into

    def narrow(self, value, into):
        if self.element == self.wide:
            return [], value
        return [f"{into} = arith.truncf {value} : {self.wide} to {self.element}"], into

    def empty(self, shape, element):
        name = self.name()
        self.lines.append(f"  {name} = tensor.empty() : {self.tensor(shape, element)}")
        return name

    def function(self, name, arguments, value, kind):
        body = "\n".join(self.lines)
        return f"func.func @{name}({arguments}) -> {kind} {{\n{body}\n  return {value} : {kind}\n}}\n"


def _reduce(text, dims, value, kind, place, shape, out, op, start, wide=True):
    """A reduction of one operand by `op`."""
    def body(v):
        lines, w = text.widen(v, "%w") if wide else ([], v)
        return [*lines, f"%y = arith.{op} {w}, %o : {text.wide}"], "%y"
    return text.generic(dims, [(value, kind, place)], (text.filled(start, shape), shape, out), body, text.wide)


def _softmax(text, value, kind, dims, row, shape):
    """softmax along the last axis; `value` is of the element type, or wide."""
    wide = text.tensor(shape, text.wide)
    is_wide = kind == wide
    most = _reduce(text, dims, value, kind, dims, shape[:-1], row, "maximumf", INFINITY[text.wide], not is_wide)
    rows = text.tensor(shape[:-1], text.wide)

    def exponent(v, m):
        lines, w = ([], v) if is_wide else text.widen(v, "%w")
        return [*lines, f"%d = arith.subf {w}, {m} : {text.wide}", f"%y = math.exp %d : {text.wide}"], "%y"
    powers = text.generic(dims, [(value, kind, dims), (most, rows, row)], (text.empty(shape, text.wide), shape, dims), exponent,
                          text.wide)
    total = _reduce(text, dims, powers, wide, dims, shape[:-1], row, "addf", "0.0", False)

    def share(v, s):
        lines, y = text.narrow("%z", "%y")
        return [f"%z = arith.divf {v}, {s} : {text.wide}", *lines], y
    return text.generic(dims, [(powers, wide, dims), (total, rows, row)], (text.empty(shape, text.element), shape, dims), share,
                        text.element)


INFINITY = {"f32": "0xFF800000", "f64": "0xFFF0000000000000"}


def attention(program, name):
    if program.element == "i8":
        return ""
    text = Text(program)
    e, w = text.element, text.wide
    whole, scores = [4, 256, 64], [4, 256, 256]

    def product(a, b):
        more, x = text.widen(a, "%a0")
        others, y = text.widen(b, "%b0")
        return [*more, *others, f"%p = arith.mulf {x}, {y} : {w}", f"%y = arith.addf %o, %p : {w}"], "%y"
    kind = text.tensor(whole, e)
    s = text.generic("h, i, j, d", [("%q", kind, "h, i, d"), ("%k", kind, "h, j, d")],
                     (text.filled("0.0", scores), scores, "h, i, j"), product, w)
    scale, least = text.constant("0.125"), text.constant(INFINITY[w])

    def mask(v):
        return ["%i = linalg.index 1 : index", "%j = linalg.index 2 : index", "%c = arith.cmpi sle, %j, %i : index",
                f"%s = arith.mulf {v}, {scale} : {w}", f"%y = arith.select %c, %s, {least} : {w}"], "%y"
    masked = text.generic("h, i, j", [(s, text.tensor(scores, w), "h, i, j")], (text.empty(scores, w), scores, "h, i, j"), mask, w)
    weights = _softmax(text, masked, text.tensor(scores, w), "h, i, j", "h, i", scores)
    y = text.generic("h, i, d, j", [(weights, text.tensor(scores, e), "h, i, j"), ("%v", kind, "h, j, d")],
                     (text.filled("0.0", whole), whole, "h, i, d"), product, w)

    def end(v):
        return text.narrow(v, "%y")
    if e != w:
        y = text.generic("h, i, d", [(y, text.tensor(whole, w), "h, i, d")], (text.empty(whole, e), whole, "h, i, d"), end, e)
    return text.function(name, f"%q: {kind}, %k: {kind}, %v: {kind}", y, kind)


def softmax(program, name):
    if program.element == "i8":
        return ""
    text = Text(program)
    kind = text.tensor([1024, 512], text.element)
    return text.function(name, f"%x: {kind}", _softmax(text, "%x", kind, "i, j", "i", [1024, 512]), kind)


def layer_norm(program, name):
    if program.element == "i8":
        return ""
    text = Text(program)
    w, shape = text.wide, [1024, 512]
    kind, rows = text.tensor(shape, text.element), text.tensor(shape[:-1], w)
    total = _reduce(text, "i, j", "%x", kind, "i, j", shape[:-1], "i", "addf", "0.0")
    count, small = text.constant("512.0"), text.constant("1.0e-05")

    def square(v, s):
        lines, x = text.widen(v, "%w")
        return [*lines, f"%m = arith.divf {s}, {count} : {w}", f"%d = arith.subf {x}, %m : {w}",
                f"%z = arith.mulf %d, %d : {w}", f"%y = arith.addf %z, %o : {w}"], "%y"
    squares = text.generic("i, j", [("%x", kind, "i, j"), (total, rows, "i")], (text.filled("0.0", shape[:-1]), shape[:-1], "i"),
                           square, w)

    def normal(v, s, q):
        lines, x = text.widen(v, "%w")
        ends, y = text.narrow("%r", "%y")
        return [*lines, f"%m = arith.divf {s}, {count} : {w}", f"%d = arith.subf {x}, %m : {w}",
                f"%a = arith.divf {q}, {count} : {w}", f"%e = arith.addf %a, {small} : {w}", f"%f = math.rsqrt %e : {w}",
                f"%r = arith.mulf %d, %f : {w}", *ends], y
    y = text.generic("i, j", [("%x", kind, "i, j"), (total, rows, "i"), (squares, rows, "i")],
                     (text.empty(shape, text.element), shape, "i, j"), normal, text.element)
    return text.function(name, f"%x: {kind}", y, kind)


class Sums(Text):
    """Sums of integers are integers."""

    def __init__(self, program):
        super().__init__(program)
        self.wide = program.sum

    def widen(self, value, into):
        if self.element == "i8":
            return [f"{into} = arith.extsi {value} : i8 to i32"], into
        return super().widen(value, into)

    @property
    def letter(self):
        return "i" if self.wide == "i32" else "f"

    @property
    def zero(self):
        return "0" if self.wide == "i32" else "0.0"


def _sum(program, name, out, shape):
    text = Sums(program)
    kind = text.tensor([4096, 1024], text.element)
    y = _reduce(text, "i, j", "%x", kind, "i, j", shape, out, f"add{text.letter}", text.zero)
    return text.function(name, f"%x: {kind}", y, text.tensor(shape, text.wide))


def sum_rows(program, name):
    return _sum(program, name, "i", [4096])


def sum_columns(program, name):
    return _sum(program, name, "j", [1024])


def sum_all(program, name):
    return _sum(program, name, "", [])


def depthwise(program, name):
    text = Sums(program)
    x, f = text.tensor([4, 34, 34, 128], text.element), text.tensor([3, 3, 128], text.element)
    shape = [4, 32, 32, 128]

    def body(v, u):
        more, a = text.widen(v, "%a")
        others, b = text.widen(u, "%b")
        return [*more, *others, f"%p = arith.mul{text.letter} {a}, {b} : {text.wide}",
                f"%y = arith.add{text.letter} %o, %p : {text.wide}"], "%y"
    y = text.generic("n, y, x, c, i, j", [("%x", x, "n, y + i, x + j, c"), ("%f", f, "i, j, c")],
                     (text.filled(text.zero, shape), shape, "n, y, x, c"), body, text.wide)
    return text.function(name, f"%x: {x}, %f: {f}", y, text.tensor(shape, text.wide))


def max_pooling(program, name):
    text = Sums(program)
    x, shape = text.tensor([4, 34, 34, 128], text.element), [4, 32, 32, 128]
    op, least = ("maxsi", "-2147483648") if text.wide == "i32" else ("maximumf", INFINITY[text.wide])
    # What slides has extents of its own.
    window = text.empty([3, 3], "f32")

    def body(v, _):
        more, a = text.widen(v, "%a")
        return [*more, f"%y = arith.{op} {a}, %o : {text.wide}"], "%y"
    y = text.generic("n, y, x, c, i, j", [("%x", x, "n, y + i, x + j, c"), (window, text.tensor([3, 3], "f32"), "i, j")],
                     (text.filled(least, shape), shape, "n, y, x, c"), body, text.wide)
    return text.function(name, f"%x: {x}", y, text.tensor(shape, text.wide))
