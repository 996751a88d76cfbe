# ===- check.py - Samples of torch's operations against eager ---------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Samples of torch's operations (`op_db`, by which torch tests itself and its own compilers) against eager.

Some samples of an operation and a type are one graph. Where that is refused or wrong, each sample is a graph of its own. Samples of f32 have
gradients where the operation has."""

import random
import time
import warnings

import torch
from torch.testing._internal import common_methods_invocations as invocations
from torch.utils import _pytree as pytree

from pit_mlir.torch import dynamo

TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, "i64": torch.int64, "bool": torch.bool}
# Samples of a type, elements that a tensor of one has at most, and seconds behind which an operation's samples are no longer tried one by one.
SAMPLES, MOST_ELEMENTS, PATIENCE = 3, 20000, 30
# How many times as far from f64 as eager a result may be where it differs from eager by more than torch's own tolerance.
FACTOR = 8

# What gives memory as it is, or random numbers, or is no operation of tensors.
SKIPPED = {
    "empty": "memory as it is",
    "empty_like": "memory as it is",
    "empty_permuted": "memory as it is",
    "empty_strided": "memory as it is",
    "new_empty": "memory as it is",
    "new_empty_strided": "memory as it is",
    "item": "gives a number of Python",
    "equal": "gives a number of Python",
    "is_complex": "gives a number of Python",
    "to_sparse": "gives a tensor that is not strided",
    "jiterator_2inputs_2outputs": "for CUDA alone",
}


def name_of(op):
    return op.name + (f".{op.variant_test_name}" if op.variant_test_name else "")


def operations():
    """Name to OpInfo."""
    return {name_of(op): op for op in invocations.op_db}


def types_of(op, seed):
    """f32, and one of the other types, by turns."""
    there = op.supported_dtypes("cpu")
    others = [name for name in ("bf16", "f16", "i64", "bool") if TYPES[name] in there]
    random.Random(f"{name_of(op)} {seed}").shuffle(others)
    return (["f32"] if torch.float32 in there else []) + others[:1]


class Sample:
    """A call of an operation, as a function of its tensors."""

    def __init__(self, op, sample):
        self.op = op
        leaves, self.spec = pytree.tree_flatten((sample.input, tuple(sample.args), dict(sample.kwargs)))
        self.places = [place for place, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        self.tensors = [leaves[place].detach() for place in self.places]
        self.leaves = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]

    def __call__(self, tensors):
        leaves = list(self.leaves)
        for place, tensor in zip(self.places, tensors):
            leaves[place] = tensor
        first, rest, named = pytree.tree_unflatten(leaves, self.spec)
        result = self.op.op(first, *rest, **named)
        return [r for r in pytree.tree_leaves(result) if isinstance(r, torch.Tensor)]

    def is_plain(self):
        """Whether its tensors are strided, of types that are compiled, and small."""
        return all(t.layout is torch.strided and not t.is_complex() and not t.is_quantized and t.numel() <= MOST_ELEMENTS for t in self.tensors)


def samples_of(op, dtype):
    """A few samples, from all over the list."""
    torch.manual_seed(0)
    found = []
    for sample in op.sample_inputs("cpu", dtype, requires_grad=False):
        found.append(Sample(op, sample))
        if len(found) == 40:
            break
    found = [sample for sample in found if sample.is_plain()]
    step = max(1, len(found) // SAMPLES)
    return found[::step][:SAMPLES]


def _run(samples, tensors, has_gradients, wrap=lambda f: f):
    """Results, and gradients: a list for each sample."""
    given = [[t.detach().clone().requires_grad_(has_gradients and t.is_floating_point()) for t in each] for each in tensors]

    def function(given):
        return [sample(each) for sample, each in zip(samples, given)]

    results, found = wrap(function)(given), []
    generator = torch.Generator().manual_seed(0)
    for each, of in zip(given, results):
        outputs = [r for r in of if r.requires_grad and r.is_floating_point()]
        leaves = [t for t in each if t.requires_grad]
        gradients = []
        if has_gradients and outputs and leaves:
            cotangents = [(torch.randint(-4, 5, r.shape, generator=generator) / 4).to(r.dtype) for r in outputs]
            gradients = list(torch.autograd.grad(outputs, leaves, cotangents, allow_unused=True, retain_graph=True))
        found.append(([r.detach() for r in of], gradients))
    return found


def _differ(found, eager, exact):
    """What is wrong with a tensor, or None. NaN of eager is not compared."""
    if found is None or eager is None:
        other = eager if found is None else found
        return None if other is None or not bool(other.any()) else "a gradient is missing or too many"
    if found.dtype != eager.dtype or found.shape != eager.shape:
        return f"{found.dtype} {tuple(found.shape)}, eager has {eager.dtype} {tuple(eager.shape)}"
    if not eager.is_floating_point():
        count = int((found != eager).sum())
        return f"{count} of {eager.numel()} elements differ" if count else None
    compared = ~eager.isnan()
    a, b = found[compared], eager[compared]
    try:
        torch.testing.assert_close(a, b)
        return None
    except AssertionError as error:
        reason = " ".join(str(error).split())
    if exact is not None and exact.shape == eager.shape:
        e = exact[compared].double()
        apart, bound = (a.double() - e).abs(), FACTOR * (b.double() - e).abs().nan_to_num(0, posinf=0).max() + 1e-30
        # Where eager's intermediate results overflow, what is right is not wrong.
        is_right = (a == e.to(a.dtype)) | (apart <= torch.finfo(a.dtype).eps * e.abs())
        if bool(((apart <= bound) | (a == b) | is_right).all()):
            return None
    return reason[:300]


def _exact(samples, has_gradients):
    try:
        return _run(samples, [[t.double() if t.is_floating_point() else t for t in s.tensors] for s in samples], has_gradients)
    except (RuntimeError, ValueError, TypeError, NotImplementedError, AssertionError):
        return None


def _try(samples, has_gradients, eager):
    """(what is wrong or None, [op, reason] of what was left to torch, how many graphs were compiled)."""
    torch._dynamo.reset()
    dynamo._warned.clear()
    with dynamo.recording() as records:
        try:
            found = _run(samples, [s.tensors for s in samples], has_gradients, lambda f: torch.compile(f, backend="pit", options={"least_products": 0}))
            wrong = None
        except Exception as error:  # Whatever ends a call that eager makes is wrong.
            found, wrong = None, f"{type(error).__name__}: {' '.join(str(error).split())[:500]}"
    left = sorted({(str(op), why) for record in records for op, why in record.left})
    compiled = sum(len(record.parts) for record in records)
    if found is not None:
        exact = _exact(samples, has_gradients)
        for number, (mine, theirs) in enumerate(zip(found, eager)):
            for kind, a, b in zip(("result", "gradient"), mine, theirs):
                if len(a) != len(b):
                    wrong = wrong or f"{len(a)} {kind}s, eager has {len(b)}"
                for place, (x, y) in enumerate(zip(a, b)):
                    precise = exact[number][kind == "gradient"][place] if exact else None
                    reason = _differ(x, y, precise)
                    if reason:
                        wrong = wrong or f"sample {number}, {kind} {place}: {reason}"
    return wrong, left, compiled


def _is_same(a, b):
    return all(
        torch.equal(x.nan_to_num(7.0) if x.is_floating_point() else x, y.nan_to_num(7.0) if y.is_floating_point() else y)
        for mine, theirs in zip(a, b)
        for x, y in zip((*mine[0], *mine[1]), (*theirs[0], *theirs[1]))
        if x is not None and y is not None
    )


def check(op, kind):
    """What becomes of an operation's samples of a type: a dictionary with counts of samples that are "right", "refused" and "wrong"."""
    began = time.monotonic()
    report = {"op": name_of(op), "type": kind, "right": 0, "refused": 0, "wrong": 0, "left": [], "compiled": 0}
    if op.name in SKIPPED:
        return {**report, "skipped": SKIPPED[op.name]}
    has_gradients = kind == "f32" and op.supports_autograd
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            samples = samples_of(op, TYPES[kind])
            eager = _run(samples, [s.tensors for s in samples], has_gradients) if samples else []
            again = _run(samples, [s.tensors for s in samples], has_gradients) if samples else []
        except Exception as error:  # Samples that eager does not run are no samples.
            return {**report, "skipped": f"eager: {type(error).__name__}: {' '.join(str(error).split())[:120]}"}
        if not samples or not any(of for of, _ in eager):
            return {**report, "skipped": "no sample of plain tensors"}
        if any(r.is_complex() or r.layout is not torch.strided for of, _ in eager for r in of):
            return {**report, "skipped": "complex numbers, or a tensor that is not strided"}
        if not _is_same(eager, again):
            return {**report, "skipped": "random numbers"}
        groups = [list(range(len(samples)))]
        wrong, left, compiled = together = _try(samples, has_gradients, eager)
        if (wrong or left) and len(samples) > 1:
            groups = [[number] for number in groups[0]]
        for group in groups:
            if len(groups) > 1:
                if time.monotonic() - began > PATIENCE:
                    break
                wrong, left, compiled = _try([samples[n] for n in group], has_gradients, [eager[n] for n in group])
            report["wrong" if wrong else "refused" if left else "right"] += len(group)
            report["compiled"] += compiled
            if wrong:
                report.setdefault("reasons", []).append(wrong if len(group) > 1 else f"sample {group[0]}: {wrong}")
            report["left"] += [list(each) for each in left if list(each) not in report["left"]]
        # What is wrong in the graph of all samples alone, or was not tried again in time.
        wrong, left, _ = together
        if wrong and not report["wrong"]:
            report["wrong"] += 1
            report.setdefault("reasons", []).append(f"all samples together: {wrong}")
        elif left and not report["refused"]:
            report["refused"] += 1
            report["left"] += [list(each) for each in left if list(each) not in report["left"]]
    report["seconds"] = round(time.monotonic() - began, 1)
    return report
