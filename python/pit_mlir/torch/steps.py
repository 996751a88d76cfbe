# ===- steps.py - Training steps as one program -----------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Training steps as one program: what a function computes, and the gradients that autograd writes for it.

`torch.compile` has two graphs, between which tensors are kept as torch sees them. In one program the backward uses the
indexes that the forward has found, and what the forward has packed stays packed.

    pit_mlir.torch.export_step(f, (x, w), "folder", target="cuda:sm_90a")   # f(x, w) -> y
    step = pit_mlir.torch.load("folder")
    y, grad_x, grad_w = step(x, w, grad_y)
"""

import torch
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree

from .. import api, targets
from ..errors import ArgumentError, ImporterError
from . import decompositions, partition, sdpa
from .graphs import Outputs, copy_graph
from .importer import import_graph
from .marks import lower_marks, traced
from .package import save


def _is_differentiable(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def _list_wrt(inputs, wrt):
    if wrt is None:
        return [number for number, value in enumerate(inputs) if _is_differentiable(value)]
    for number in wrt:
        if not isinstance(number, int) or not 0 <= number < len(inputs) or not _is_differentiable(inputs[number]):
            raise ArgumentError(f"wrt: expected numbers of inputs that are tensors of floats, got {number!r}")
    return list(wrt)


def joint_graph(function, inputs, wrt=None):
    """The graph of a step: it takes the inputs, then a gradient for each result of `function` that is of floats; it gives
    the results, then the gradients of the inputs with the numbers `wrt`, by default of all that are of floats.

    function  of tensors, to a tensor or a tuple of them; it may not write to its inputs
    inputs    a tuple of tensors, of any device, meta included; they are not computed with

    Returns a GraphModule of torch's core operations. Raises ArgumentError."""
    wrt = _list_wrt(inputs, wrt)
    if not wrt:
        raise ArgumentError("wrt: there is no input to differentiate by")

    def step(*arguments):
        values = [
            value.detach().requires_grad_(number in wrt) if isinstance(value, torch.Tensor) else value
            for number, value in enumerate(arguments[: len(inputs)])
        ]
        results = function(*values)
        results = list(results) if isinstance(results, (tuple, list)) else [results]
        given = arguments[len(inputs) :]
        floats = [result for result in results if _is_differentiable(result)]
        gradients = torch.autograd.grad(floats, [values[number] for number in wrt], given, allow_unused=True)
        zeros = (torch.zeros_like(values[number]) for number in wrt)
        return (*results, *(zero if gradient is None else gradient for gradient, zero in zip(gradients, zeros)))

    with FakeTensorMode(), traced(), sdpa.Replaced(), torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        fake = [torch.empty(x.shape, dtype=x.dtype, device="cpu") if isinstance(x, torch.Tensor) else x for x in inputs]
        found = function(*fake)
        found = list(found) if isinstance(found, (tuple, list)) else [found]
        gradients = [torch.empty_like(result) for result in found if _is_differentiable(result)]
        if not gradients:
            raise ArgumentError("function: gives no tensor of floats, so that there are no gradients")
        module = make_fx(step, decomposition_table=decompositions.table())(*fake, *gradients)
    module = copy_graph(module)
    for node in list(module.graph.nodes):
        # Marks the borders of what is differentiated, which are behind us.
        if node.target is torch.ops.aten.detach.default:
            node.replace_all_uses_with(node.args[0])
            module.graph.erase_node(node)
    module.graph.eliminate_dead_code()
    module.recompile()
    return module


def import_step(function, inputs, wrt=None):
    """The step as a program of MLIR: (text, graph, what the graph's outputs are). Raises ImporterError, ArgumentError."""
    module = joint_graph(function, inputs, wrt)
    for node in module.graph.nodes:
        reason = None if node.op in ("placeholder", "output") else partition.reason_against(node)
        if reason:
            raise ImporterError(reason, str(node.target))
    marks = lower_marks(module)
    outputs = Outputs(module)
    # Nobody has relied on how eager would lay gradients out.
    outputs.orders = [None] * len(outputs.orders)
    return import_graph(module.graph, marks), module, outputs


def export_step(function, inputs, path, wrt=None, target="auto", **options):
    """Compiles a training step to a folder, which `load` opens: see `joint_graph` for what the step takes and gives.

    target   see `pit_mlir.compile`; a GPU need not be there
    options  those of `pit_mlir.compile`

    Raises ArgumentError, ImporterError and CompileError: there is no fallback."""
    chosen = targets.resolve(target)
    text, module, outputs = import_step(function, inputs, wrt)
    placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
    arguments = [{"kind": "input", "number": number, "used": True} for number in range(len(placeholders))]
    program = api.compile_mlir(text, chosen, **options)
    structure = pytree.tree_structure(tuple(range(len(outputs.plan))))
    save(program, path, arguments, outputs, structure)
