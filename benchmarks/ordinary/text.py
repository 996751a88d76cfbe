# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense programs as text: one function of tensors in linalg, built op by op.

    t = Text()
    x = t.argument((64, 32), "f32")
    t.result(t.map([x], (64, 32), "f32", lambda b, x: b.op("math.exp", x)))
    print(t.program())

A value is a `Value`: its name, shape and element type. Shapes are static.
"""
import collections

Value = collections.namedtuple("Value", "name shape dtype")


def tensor(shape, dtype):
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{dtype}>"


def is_float(dtype):
    return dtype[0] in "fb"


class Body:
    """The scalars of a region."""

    def __init__(self):
        self.lines, self.count = [], 0

    def add(self, text):
        self.count += 1
        self.lines.append(f"    %s{self.count} = {text}")
        return f"%s{self.count}"

    def op(self, name, *operands, dtype="f32"):
        return self.add(f"{name} {', '.join(operands)} : {dtype}")

    def constant(self, value, dtype="f32"):
        return self.add(f"arith.constant {value} : {dtype}")

    def cast(self, value, source, target):
        if source == target:
            return value
        wider = int(source[-2:]) < int(target[-2:]) if source[-2:].isdigit() else True
        name = ("ext" if wider else "trunc") + ("f" if is_float(target) else "si" if wider else "i")
        return self.add(f"arith.{name} {value} : {source} to {target}")


def maps(names, accesses):
    """One map for each access, a tuple of loops or of texts over them."""
    loops = ", ".join(names)
    return ", ".join(f"affine_map<({loops}) -> ({', '.join(access)})>" for access in accesses)


class Text:
    def __init__(self):
        self.arguments, self.lines, self.results, self.count = [], [], [], 0

    def argument(self, shape, dtype):
        value = Value(f"%a{len(self.arguments)}", tuple(shape), dtype)
        self.arguments.append(value)
        return value

    def add(self, text, shape, dtype):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return Value(f"%v{self.count}", tuple(shape), dtype)

    def empty(self, shape, dtype):
        return self.add(f"tensor.empty() : {tensor(shape, dtype)}", shape, dtype)

    def fill(self, shape, dtype, value):
        number = self.add(f"arith.constant {value} : {dtype}", (), dtype)
        init = self.empty(shape, dtype)
        kind = tensor(shape, dtype)
        return self.add(f"linalg.fill ins({number.name} : {dtype}) outs({init.name} : {kind}) -> {kind}", shape, dtype)

    def zeros(self, shape, dtype):
        return self.fill(shape, dtype, "0.0" if is_float(dtype) else "0")

    def generic(self, loops, reductions, inputs, accesses, init, access, build):
        """`loops` are names; `build(body, *elements, sum)` returns what is yielded."""
        kinds = ", ".join('"reduction"' if loop in reductions else '"parallel"' for loop in loops)
        body = Body()
        names = [f"%x{i}" for i in range(len(inputs))] + ["%o"]
        yielded = build(body, *names)
        types = [value.dtype for value in inputs] + [init.dtype]
        arguments = ", ".join(f"{name}: {dtype}" for name, dtype in zip(names, types))
        listed = ", ".join(value.name for value in inputs), ", ".join(tensor(*value[1:]) for value in inputs)
        kind = tensor(init.shape, init.dtype)
        return self.add("\n".join([
            f"linalg.generic {{indexing_maps = [{maps(loops, [*accesses, access])}], iterator_types = [{kinds}]}}",
            f"      ins({listed[0]} : {listed[1]}) outs({init.name} : {kind}) {{", f"  ^bb0({arguments}):", *body.lines,
            f"    linalg.yield {yielded} : {init.dtype}", f"  }} -> {kind}"]), init.shape, init.dtype)

    def map(self, inputs, shape, dtype, build, accesses=None):
        """Elementwise; inputs are read at the same place unless `accesses` has tuples of axes. `build` gets f32 (or the
        type itself if it is no float), and returns it."""
        loops = [f"d{i}" for i in range(len(shape))]

        def region(body, *elements):
            wide = [body.cast(x, value.dtype, "f32") if is_float(value.dtype) and value.dtype != "f64" else x
                    for x, value in zip(elements, inputs)]
            result = build(body, *wide)
            return body.cast(result, "f32", dtype) if is_float(dtype) and dtype != "f64" else result

        named = [tuple(f"d{axis}" for axis in access) for access in accesses] if accesses else [tuple(loops)] * len(inputs)
        return self.generic(loops, (), inputs, named, self.empty(shape, dtype), tuple(loops), region)

    def reduce(self, inputs, axes, build, start="0.0", combine="arith.addf", dtype="f32"):
        """Over some axes of the first input, of which the others have all."""
        shape = inputs[0].shape
        loops = [f"d{i}" for i in range(len(shape))]
        kept = tuple(loop for i, loop in enumerate(loops) if i not in axes)

        def region(body, *elements):
            wide = [body.cast(x, value.dtype, dtype) for x, value in zip(elements, inputs)]
            return body.op(combine, elements[-1], build(body, *wide), dtype=dtype)

        init = self.fill([extent for i, extent in enumerate(shape) if i not in axes], dtype, start)
        return self.generic(loops, [loops[axis] for axis in axes], inputs, [tuple(loops)] * len(inputs), init, kept, region)

    def contract(self, loops, a, access_a, b, access_b, shape, access, wide="f32"):
        """The sum of products over all loops that the result does not have, from zero."""
        def region(body, x, y, total):
            wider = [body.cast(value, operand.dtype, wide) for value, operand in ((x, a), (y, b))]
            kind = "f" if is_float(wide) else "i"
            return body.op("arith.add" + kind, total, body.op("arith.mul" + kind, *wider, dtype=wide), dtype=wide)

        reductions = [loop for loop in loops if loop not in access]
        return self.generic(loops, reductions, [a, b], [access_a, access_b], self.zeros(shape, wide), access, region)

    def pad(self, x, low, high):
        """Zeros around."""
        zero = self.add(f"arith.constant {'0.0' if is_float(x.dtype) else '0'} : {x.dtype}", (), x.dtype)
        shape = [before + extent + after for before, extent, after in zip(low, x.shape, high)]
        indexes = ", ".join(f"%i{i}: index" for i in range(len(shape)))
        return self.add(f"tensor.pad {x.name} low[{', '.join(map(str, low))}] high[{', '.join(map(str, high))}] {{\n"
                        f"  ^bb0({indexes}):\n    tensor.yield {zero.name} : {x.dtype}\n"
                        f"  }} : {tensor(*x[1:])} to {tensor(shape, x.dtype)}", shape, x.dtype)

    def round(self, x, dtype):
        return x if x.dtype == dtype else self.map([x], x.shape, dtype, lambda body, value: value)

    def result(self, value):
        self.results.append(value)

    def program(self):
        arguments = ", ".join(f"{value.name}: {tensor(*value[1:])}" for value in self.arguments)
        kinds = ", ".join(tensor(*value[1:]) for value in self.results)
        names = ", ".join(value.name for value in self.results)
        return "\n".join([f"func.func @main({arguments}) -> ({kinds}) {{", *self.lines, f"  return {names} : {kinds}", "}", ""])
