# ===- check.py - Random modules against eager ------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Random modules against eager: results, and gradients of floats, of `torch.compile(backend="pit")`.

How far results may be from a run in f64 follows from how far eager is, and a run in f64 with a rounding of the module's shortest type put behind each
line. Elements that are NaN in eager are not compared: programs are compiled for live data that is finite."""

import random

import torch
from torch import nn

from pit_mlir.torch import dynamo

from .maker import make, namespace

EPSILON = {torch.float32: 2.0**-23, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7, torch.float64: 2.0**-52}
# Roundings that one line may stand for, and how many times as far as eager a result may be.
ROUNDINGS, FACTOR = 16, 8


class Module(nn.Module):
    """A random module's function, with its parameters."""

    def __init__(self, maker, function, values):
        super().__init__()
        self.function, self.is_parameter = function, [entry.kind == "parameter" for entry in maker.inputs]
        self.weights = nn.ParameterList(nn.Parameter(v, v.requires_grad) for v, is_one in zip(values, self.is_parameter) if is_one)
        # For each argument of the function: its place among the parameters, or among the inputs.
        self.places = [(is_one, self.is_parameter[:number].count(is_one)) for number, is_one in enumerate(self.is_parameter)]

    def forward(self, *inputs):
        return self.function(*[self.weights[place] if is_one else inputs[place] for is_one, place in self.places])


def _function(maker, is_perturbed=False, **names):
    space = namespace(**names)
    exec(compile(maker.source(is_perturbed), f"random_module_{maker.seed}", "exec"), space)  # pylint: disable=exec-used
    return space["forward"]


def _run(maker, function, inputs, has_gradients, is_double=False, wrap=lambda module: module):
    """Results, and gradients of all floats: detached, with None for what has no gradient."""
    kinds = [v.double() if is_double and v.is_floating_point() else v for v in inputs]
    values = [v.detach().requires_grad_(has_gradients and v.is_floating_point()) for v in kinds]
    module = Module(maker, function, values)
    rest = [v for v, is_one in zip(values, module.is_parameter) if not is_one]
    results = wrap(module)(*rest)
    found = [result.detach() for result in results]
    leaves = [v for v in [*rest, *module.weights] if v.requires_grad]
    floats = [r for r in results if r.is_floating_point() and r.requires_grad]
    if has_gradients and floats:
        generator = torch.Generator().manual_seed(maker.seed)
        given = [(torch.randint(-4, 5, r.shape, generator=generator) / 4).to(r.dtype) for r in floats]
        found += torch.autograd.grad(floats, leaves, given, allow_unused=True)
    return found


class _Perturbed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor, other):
        ctx.other = other
        return x * factor

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.other, None, None


def _bounds(maker, inputs, has_gradients, eager):
    """What each result is in f64, and how far another may be from that."""
    exact = _run(maker, _function(maker, is_double=True), inputs, has_gradients, True)
    types = [v.dtype for v in [*inputs, *eager] if v is not None and v.is_floating_point()]
    types += [value.dtype for value in maker.values if value.is_float]
    epsilon = max((EPSILON[t] for t in types), default=EPSILON[torch.float32])
    apart = [0.0] * len(exact)
    for number in range(3):
        generator = torch.Generator().manual_seed(number)

        def perturb(x):
            if not x.is_floating_point():
                return x
            factors = (1 + epsilon * ROUNDINGS * (torch.rand(x.shape, generator=generator, dtype=torch.float64) - 0.5) for _ in range(2))
            return _Perturbed.apply(x, *factors)

        found = _run(maker, _function(maker, True, is_double=True, perturb=perturb), inputs, has_gradients, True)
        for place, (a, b) in enumerate(zip(found, exact)):
            apart[place] = max(apart[place], _largest(a, b))
    for place, (a, b) in enumerate(zip(eager, exact)):
        own = EPSILON.get(a.dtype, 0) if a is not None else 0
        scale = float(b.nan_to_num(0, 0, 0).abs().max()) if b is not None and b.numel() and b.is_floating_point() else 0
        apart[place] = FACTOR * (max(apart[place], _largest(a, b)) + 2 * own * scale) + 1e-30
    return exact, apart


def _largest(a, b):
    """The largest difference of finite elements."""
    if a is None or b is None or not a.is_floating_point() or not a.numel():
        return 0.0
    difference = (a.double() - b.double()).abs()
    return float(difference[difference.isfinite()].max()) if difference.isfinite().any() else 0.0


def _differ(found, eager, exact, bound):
    """What is wrong with a result, or None."""
    if (found is None) != (eager is None):
        # A gradient that is zero everywhere may be missing.
        other = eager if found is None else found
        return None if not other.numel() or not bool(other.any()) else f"a gradient is {'missing' if found is None else 'there'}"
    if found is None:
        return None
    if found.dtype != eager.dtype or found.shape != eager.shape:
        return f"{found.dtype} {tuple(found.shape)}, eager has {eager.dtype} {tuple(eager.shape)}"
    if not found.is_floating_point():
        count = int((found != eager).sum())
        return f"{count} of {eager.numel()} elements differ" if count else None
    if found.shape != exact.shape:
        return "the reference has another shape"
    a, b, e = found.double(), eager.double(), exact.double()
    compared = ~b.isnan() & (b.isfinite() | ~e.isfinite())
    wrong = compared & ~((a == b) | ((a - e).abs() <= bound))
    if not bool(wrong.any()):
        return None
    place = wrong.nonzero()[0].tolist()
    at = tuple(place)
    return f"{int(wrong.sum())} of {wrong.numel()} elements: {a[at]:.9g} at {place}, eager {b[at]:.9g}, f64 {e[at]:.9g}, bound {bound:.2g}"


def _compare(maker, function, inputs, has_gradients, wrap):
    eager = _run(maker, function, inputs, has_gradients)
    found = _run(maker, function, inputs, has_gradients, wrap=wrap)
    exact, bounds = _bounds(maker, inputs, has_gradients, eager)
    if len(found) != len(eager):
        return f"{len(found)} results and gradients, eager has {len(eager)}"
    count = len(maker.results())
    for place, each in enumerate(zip(found, eager, exact, bounds)):
        reason = _differ(*each)
        if reason:
            return f"{'result' if place < count else 'gradient'} {place if place < count else place - count}: {reason}"
    return None


def _other_inputs(maker):
    """Inputs of another first extent, for which the module has a meaning as well, or None."""
    first = next((entry.shape[0] for entry in maker.inputs if entry.shape and entry.shape[0] > 1), 0)
    if maker.is_fragile or not first:
        return None
    inputs = []
    for number, entry in enumerate(maker.inputs):
        shape, entry.shape = entry.shape, tuple(n + 4 if n == first and place == 0 else n for place, n in enumerate(entry.shape))
        try:
            inputs.append(entry.make(maker.seed * 1000 + 500 + number))
        finally:
            entry.shape = shape
    try:
        _function(maker)(*inputs)
    except (RuntimeError, IndexError, ValueError, TypeError):
        return None
    return inputs


def check(seed, least_products=0):
    """What becomes of a seed: a dictionary with its `outcome`, "right", "refused" (a part of it, or all, was left to torch) or "wrong"."""
    maker = make(seed)
    rng = random.Random(seed + 1)
    has_gradients, is_dynamic = seed % 3 == 0, rng.random() < 0.25
    made = {value.name: value.tensor for value in maker.values}
    inputs = [made[entry.name] for entry in maker.inputs]
    report = {"seed": seed, "ops": maker.ops, "backward": has_gradients, "dynamic": is_dynamic, "calls": 1}
    torch._dynamo.reset()
    dynamo._warned.clear()
    function = _function(maker)

    def wrap(module):
        return torch.compile(module, backend="pit", dynamic=is_dynamic or None, options={"least_products": least_products})

    with dynamo.recording() as records:
        try:
            reason = _compare(maker, function, inputs, has_gradients, wrap)
            other = _other_inputs(maker) if is_dynamic and not reason else None
            if other is not None:
                report["calls"] = 2
                reason = _compare(maker, function, other, has_gradients, wrap)
                reason = reason and "with other extents: " + reason
        except Exception as error:  # Whatever ends a call that eager makes is wrong.
            reason = f"{type(error).__name__}: {str(error).strip()[:600]}"
    left = sorted({(str(op), why) for record in records for op, why in record.left})
    report["graphs"] = len(records)
    report["compiled"] = sum(len(record.parts) for record in records)
    report["left"] = [list(each) for each in left]
    report["outcome"] = "wrong" if reason else "refused" if left else "right"
    if reason:
        report["reason"] = reason
    return report
