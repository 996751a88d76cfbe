# ===- compiled.py - A graph as a program that PIT compiled -----------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""A graph as a program that PIT compiled, called with tensors."""

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily

from .. import targets
from ..api import compile_mlir
from ..errors import ImporterError
from . import extents
from .calls import GuardedCall
from .graphs import Outputs, copy_graph, lay_out, lift_constants, take_as_they_lie, value_of
from .importer import to_mlir
from .marks import lower_marks
from .partition import devices_of


def target_of(graph, wanted):
    """The target for a graph: what the user names, or where its tensors are."""
    devices = devices_of(graph)
    if len(devices) > 1:
        raise ImporterError(f"tensors on several devices: {', '.join(sorted(map(str, devices)))}")
    device = devices.pop() if devices else torch.device("cpu")
    if device.type not in ("cpu", "cuda"):
        raise ImporterError(f"tensors on {device}")
    if device.type == "cpu":
        named = targets.resolve(wanted) if wanted != "auto" else None
        return (named if named and named.kind == "cpu" else targets.Target("cpu", "native")), device
    if wanted != "auto" and wanted.startswith("cuda:sm"):
        return targets.resolve(wanted), device
    return targets.Target("cuda", targets.chip_of_device(device.index or 0)), device


class CompiledGraph:
    """Called with a graph's arguments, gives its outputs. Raises pit_mlir.Error where the graph
    cannot be imported or compiled."""

    def __init__(self, module, settings):
        module = copy_graph(module)
        constants = lift_constants(module)
        self.marks = lower_marks(module)
        extents.simplify(module.graph)
        self.outputs = Outputs(module, keeps_views=True)
        self.graph = graph = module.graph
        self.target, device = target_of(graph, settings.target)
        placeholders = [node for node in graph.nodes if node.op == "placeholder"]
        self.count = len(placeholders) - len(constants)
        # The program takes what is used, and no more.
        self.used = [number for number, node in enumerate(placeholders) if node.users]
        for node in placeholders:
            if not node.users:
                graph.erase_node(node)
        placeholders = [placeholders[number] for number in self.used]
        # Numbers, also while torch traces with tensors that have none.
        with unset_fake_temporarily():
            self.constants = [c.to(device).contiguous() for c in constants]
        # Numbers that lie on the host, next to tensors of a device.
        self.moved = [
            place
            for place, node in enumerate(placeholders)
            if device.type == "cuda"
            and isinstance(value_of(node), torch.Tensor)
            and value_of(node).device.type == "cpu"
        ]
        # Views whose elements have the other sign in memory.
        self.negated = [
            place for place, node in enumerate(placeholders) if isinstance(value_of(node), torch.Tensor) and value_of(node).is_neg()
        ]
        orders = take_as_they_lie(graph)
        self.permuted = [(place, order) for place, order in enumerate(orders) if order is not None]
        self.device = device
        self.text = to_mlir(graph, self.marks)
        self.program = compile_mlir(self.text, self.target, **settings.options)
        self.call = GuardedCall(self.program["main"], device)
        self.orders = self.outputs.orders
        self.is_laid_out = not any(order is not None for order in self.orders)

    def __call__(self, *arguments):
        given = arguments if not self.constants else list(arguments) + self.constants
        inputs = [given[number] for number in self.used]
        for place in self.moved:
            inputs[place] = inputs[place].to(self.device, non_blocking=True)
        for place in self.negated:
            inputs[place] = inputs[place].resolve_neg()
        for place, order in self.permuted:
            inputs[place] = inputs[place].permute(order)
        results = self.call(inputs)
        if not self.is_laid_out:
            results = [lay_out(result, order) for result, order in zip(results, self.orders)]
        return self.outputs.collect(given, results)


class Part(torch.nn.Module):
    """A compiled part in the place of the submodule that it was."""

    def __init__(self, compiled):
        super().__init__()
        self.compiled = compiled

    def forward(self, *arguments):
        return self.compiled(*arguments)
