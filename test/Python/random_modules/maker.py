# ===- maker.py - A random module, line by line -----------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""A random module, line by line: its source, its inputs, and what each value was for these inputs.

Values are `exact` where every right compiler gives the same bits: they are inputs, or follow from exact values without rounding. Operations that
jump (comparisons, rounding, places of maxima) take exact values, or values that are far from where they jump."""

import random
from dataclasses import dataclass

import torch

FLOATS = (torch.float32, torch.bfloat16, torch.float16, torch.float64)
NAMES = {
    torch.float32: "F32",
    torch.bfloat16: "BF16",
    torch.float16: "F16",
    torch.float64: "F64",
    torch.int64: "torch.int64",
    torch.int32: "torch.int32",
    torch.bool: "torch.bool",
}
TYPES = {"F32": torch.float32, "BF16": torch.bfloat16, "F16": torch.float16, "F64": torch.float64}
EXTENTS = (1, 2, 3, 3, 4, 5, 7, 7, 17, 32)
# Elements of a value, and the largest of them.
MOST, LARGEST = 20000, 300.0


class Refused(Exception):
    """An operation that does not fit here."""


@dataclass
class Value:
    name: str
    tensor: torch.Tensor
    exact: bool

    @property
    def shape(self):
        return tuple(self.tensor.shape)

    @property
    def rank(self):
        return self.tensor.dim()

    @property
    def dtype(self):
        return self.tensor.dtype

    @property
    def is_float(self):
        return self.tensor.is_floating_point()

    def __str__(self):
        return self.name


@dataclass
class Input:
    """What an input is made of. `kind` is "normal", "grid" (multiples of 1/4), "bool", "parameter", or the number that an index is below."""

    name: str
    shape: tuple
    dtype: torch.dtype
    kind: object
    is_strided: bool = False

    def make(self, seed):
        generator = torch.Generator().manual_seed(seed)
        shape = self.shape[:-2] + self.shape[:-3:-1] if self.is_strided else self.shape
        if self.kind == "bool":
            x = torch.rand(shape, generator=generator) < 0.6
        elif self.kind == "grid":
            x = (torch.randint(-8, 9, shape, generator=generator) / 4).to(self.dtype)
        elif isinstance(self.kind, int):
            x = torch.randint(0, max(self.kind, 1), shape, generator=generator).to(self.dtype)
        else:
            x = torch.randn(shape, generator=generator).to(self.dtype)
            if self.kind == "parameter":
                x = x * 0.5
        return x.transpose(-1, -2) if self.is_strided else x


def is_on_grid(x):
    """Whether sums and products of few such elements are exact in every type."""
    if not x.is_floating_point():
        return True
    scaled = x.double() * 4
    return bool(torch.isfinite(scaled).all() and (scaled == scaled.round()).all() and (scaled.abs() <= 250).all())


class Maker:
    def __init__(self, seed):
        self.seed, self.random = seed, random.Random(seed)
        self.dtype = self.random.choices(FLOATS, (70, 14, 8, 8))[0]
        self.extents = [self.random.choice(EXTENTS) for _ in range(4)]
        if self.random.random() < 0.04:
            self.extents[0] = 0
        self.inputs, self.values, self.lines, self.ops, self.used = [], [], [], [], []
        # Whether values jump for other inputs than these.
        self.is_fragile = False

    # What an operation asks for.

    def chance(self, share):
        return self.random.random() < share

    def choice(self, *options):
        return self.random.choice(options)

    def extent(self):
        return self.random.choice(self.extents)

    def shape(self, rank=None):
        return tuple(self.extent() for _ in range(self.random.choice((1, 2, 2, 3, 3, 4)) if rank is None else rank))

    def axis(self, value):
        """A number of an axis, from the front or from behind."""
        if not value.rank:
            raise Refused
        return self.random.randrange(-value.rank, value.rank)

    def add_input(self, shape, dtype=None, kind=None):
        dtype = dtype or self.dtype
        if kind is None:
            kind = self.choice("normal", "normal", "grid") if dtype.is_floating_point else "bool" if dtype == torch.bool else 5
        name = f"{'w' if kind == 'parameter' else 'x'}{len(self.inputs)}"
        entry = Input(name, tuple(shape), dtype, kind, len(shape) > 1 and kind != "parameter" and self.chance(0.1))
        self.inputs.append(entry)
        value = Value(name, entry.make(self.seed * 1000 + len(self.inputs)), True)
        self.values.append(value)
        self.used.append(value)
        return value

    def pick(self, fits=lambda value: True, shape=None, dtype=None, kind=None):
        """A value that fits, the later the likelier, or a new input."""
        found = [value for value in self.values if fits(value)]
        if found and not self.chance(0.12):
            value = self.random.choices(found, [1.6**n for n in range(len(found))])[0]
            self.used.append(value)
            return value
        for _ in range(20):
            value = self.add_input(self.shape() if shape is None else shape, dtype, kind)
            if fits(value):
                return value
            self.inputs.pop(), self.values.pop(), self.used.pop()
        raise Refused

    def float(self, rank=0, fits=lambda value: True):
        return self.pick(lambda v: v.is_float and v.rank >= rank and fits(v))

    def exact(self, fits=lambda value: True):
        return self.pick(lambda v: v.exact and v.is_float and fits(v), kind="grid")

    def bool(self, shape=None):
        return self.pick(lambda v: v.dtype == torch.bool and (shape is None or _broadcasts(v.shape, shape)), self.shape() if shape is None else shape, torch.bool)

    def beside(self, value, dtype=None, kind=None):
        """A value whose shape broadcasts to that of another one."""
        shape = [1 if self.chance(0.2) else extent for extent in value.shape][self.random.choice((0, 0, 0, 1)) :]
        dtype = dtype or value.dtype
        return self.pick(lambda v: v.dtype == dtype and v.name != value.name and _broadcasts(v.shape, value.shape), shape, dtype, kind)

    def weight(self, *shape, dtype=None):
        return self.add_input(shape, dtype, "parameter" if self.chance(0.7) else None)

    def index(self, shape, below):
        if not below:
            raise Refused
        return self.add_input(shape, torch.int64, below)

    # What it says.

    def emit(self, op, text, exact="never"):
        """A line for the value of an expression, which is exact: "never", where its operands are ("keep"), or where these are and it is on a
        grid ("grid")."""
        space = {value.name: value.tensor for value in self.values}
        try:
            found = eval(text, namespace(), space)  # pylint: disable=eval-used
        except (RuntimeError, IndexError, ValueError, TypeError) as error:
            raise Refused from error
        results = list(found) if isinstance(found, (tuple, list)) else [found]
        for result in results:
            if result.numel() > MOST or result.dtype not in NAMES:
                raise Refused
            if result.is_floating_point() and result.numel() and not bool((result.abs() <= LARGEST).all()):
                raise Refused
        is_exact = all(value.exact for value in self.used) and (exact == "keep" or exact == "grid" and all(map(is_on_grid, results)))
        count = len(self.lines)
        names = [f"v{count}" if len(results) == 1 else f"v{count}_{n}" for n in range(len(results))]
        made = [Value(name, result, is_exact or not result.is_floating_point()) for name, result in zip(names, results)]
        self.lines.append((names, text, is_exact))
        self.values.extend(made)
        self.ops.append(op)
        return made[0]

    def source(self, is_perturbed=False):
        """The function's source; what is not exact is changed a little."""
        text = [f"def forward({', '.join(entry.name for entry in self.inputs)}):"]
        for names, line, is_exact in self.lines:
            text.append(f"    {', '.join(names)} = {line}")
            if is_perturbed and not is_exact:
                text.extend(f"    {name} = perturb({name})" for name in names)
        text.append(f"    return {', '.join(self.results())},")
        return "\n".join(text) + "\n"

    def results(self):
        """What nothing takes, and now and then one more."""
        taken = " ".join(line for _, line, _ in self.lines)
        names = [name for names, _, _ in self.lines for name in names]
        words = set("".join(c if c.isalnum() or c == "_" else " " for c in taken).split())
        last = [name for name in names if name not in words]
        return last + [name for name in names[:-1] if name not in last and self.seed % 5 == 0][:1]


def _broadcasts(shape, to):
    if len(shape) > len(to):
        return False
    return all(a in (1, b) for a, b in zip(reversed(shape), reversed(to)))


def namespace(is_double=False, perturb=None):
    """What the source's names stand for; in the reference all floats have 64 bits."""
    types = {name: torch.float64 if is_double else dtype for name, dtype in TYPES.items()}
    return {"torch": torch, "F": torch.nn.functional, "perturb": perturb, **types}


def make(seed):
    """The module of a seed, as a `Maker`."""
    from . import more_ops
    from .ops import OPS

    maker = Maker(seed)
    maker.float()
    target = maker.random.randint(3, 10)
    for _ in range(200):
        if len(maker.lines) >= target:
            break
        name, op = maker.random.choice(OPS)
        state = len(maker.inputs), len(maker.values), len(maker.lines), len(maker.ops), maker.is_fragile
        maker.used = []
        try:
            op(maker, name)
        except Refused:
            del maker.inputs[state[0] :], maker.values[state[1] :], maker.lines[state[2] :], maker.ops[state[3] :]
            maker.is_fragile = state[4]
    used = maker.source()
    maker.inputs = [entry for entry in maker.inputs if used.count(entry.name) > 1 or entry is maker.inputs[0]]
    return maker
