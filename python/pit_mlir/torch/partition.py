# ===- partition.py - Which parts of a graph are compiled -------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Which parts of a graph are compiled. The rest runs as it is, in torch."""

import math
import operator

import torch
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

from .graphs import value_of

aten = torch.ops.aten

# What makes a part worth compiling: products, which are what PIT leaves out rows, blocks and experts of.
PRODUCTS = {
    aten.mm.default,
    aten.bmm.default,
    aten.addmm.default,
    aten.baddbmm.default,
    aten.convolution.default,
    aten.dot.default,
    aten.mv.default,
}

# Ops that end the importer, or have no meaning in a pure program, by the beginning of their names.
_NEVER = (
    "aten.scatter",
    "aten.index_put",
    "aten._index_put",
    "aten._unsafe_index_put",
    "aten._unsafe_masked_index_put",
    "aten.sort",
    "aten.topk",
    "aten.kthvalue",
    "aten.nonzero",
    "aten.unique",
    "aten.masked_select",
    "aten.masked_scatter",
    "aten.rand",
    "aten.bernoulli",
    "aten.normal",
    "aten.multinomial",
    "aten.native_dropout",
    "aten.dropout",
    "aten.uniform",
    "aten.exponential",
    "aten._local_scalar_dense",
    "aten.embedding_dense_backward",
    "aten.cumsum",
    "aten.cumprod",
    "aten.cummax",
    "aten.cummin",
    "aten.logcumsumexp",
    "aten._scaled_dot_product",
    "aten._fft",
    "aten._cudnn",
    "aten.copy_",
    "prims.",
    "prim.",
    "rngprims.",
    "inductor.",
    "symm_mem.",
    "_c10d",
)

_TYPES = {
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.bool,
    torch.int8,
    torch.int32,
    torch.int64,
    torch.float8_e4m3fn,
}


# Primitives that the importer knows.
_KNOWN_PRIMITIVES = ("prims.convert_element_type.default",)


# Functions of symbolic numbers that the importer does not know.
_SYMBOLIC = (torch.sym_float, torch.sym_int, torch.sym_max, torch.sym_min, torch.sym_not, torch.sym_ite, math.trunc, math.floor, math.ceil)


def _tensors_of(node):
    value = value_of(node)
    values = value if isinstance(value, (list, tuple)) else [value]
    return [v for v in values if isinstance(v, torch.Tensor)]


def _argument(node, name):
    for number, argument in enumerate(node.target._schema.arguments):
        if argument.name == name:
            return node.args[number] if number < len(node.args) else node.kwargs.get(name)
    return None


def reason_against(node):
    """Why a node cannot be compiled, in words, or None."""
    if node.op != "call_function":
        return f"{node.op} {node.target}"
    if isinstance(node.target, torch._ops.OpOverload):
        name = str(node.target)
        if name in _KNOWN_PRIMITIVES:
            return None
        for never in _NEVER:
            if name.startswith(never):
                return f"{name} is left to torch"
        if name.startswith("aten._embedding_bag") and _argument(node, "per_sample_weights") is not None:
            return f"{name} has weights of samples"
        if node.target.namespace not in ("aten", "pit_mlir"):
            return f"{name} is an operator of another package"
        if node.target._schema.is_mutable:
            return f"{name} writes to its argument"
    elif isinstance(node.target, torch._ops.HigherOrderOperator):
        return f"{node.target} has graphs of its own"
    elif node.target in _SYMBOLIC:
        return f"{node.target.__name__} is left to torch"
    elif node.target is operator.getitem:
        if isinstance(node.args[0], torch.fx.Node) and reason_against(node.args[0]):
            return f"part of {node.args[0].target}"
    for tensor in _tensors_of(node):
        if tensor.dtype not in _TYPES:
            return f"{node.target} gives {str(tensor.dtype).replace('torch.', '')}"
        if tensor.layout is not torch.strided:
            return f"{node.target} gives a tensor that is not strided"
    for argument in node.all_input_nodes:
        for tensor in _tensors_of(argument):
            if tensor.dtype not in _TYPES:
                return f"{node.target} takes {str(tensor.dtype).replace('torch.', '')}"
    return None


def devices_of(graph):
    """The devices of a graph's tensors, without numbers that lie on the host."""
    found = set()
    for node in graph.nodes:
        for tensor in _tensors_of(node):
            if tensor.dim() or node.op != "placeholder":
                found.add(tensor.device)
    kinds = {device.type for device in found}
    return {device for device in found if device.type != "cpu"} if "cuda" in kinds and _host_only_numbers(graph) else found


def _host_only_numbers(graph):
    return all(t.dim() == 0 for node in graph.nodes for t in _tensors_of(node) if t.device.type == "cpu")


def products_of(graph):
    return sum(node.op == "call_function" and node.target in PRODUCTS for node in graph.nodes)


class _Support(OperatorSupportBase):
    def __init__(self, refused):
        self.refused = refused

    def is_node_supported(self, submodules, node):
        return node.op == "call_function" and node not in self.refused


def split(module, refused, least_products=1):
    """Makes submodules of what is not refused and has so many products, each a part that runs at once. Returns their names."""
    partitioner = CapabilityBasedPartitioner(module, _Support(refused), allows_single_node_partition=True)
    chosen = []
    for partition in partitioner.propose_partitions():
        if sum(node.target in PRODUCTS for node in partition.nodes) >= least_products:
            chosen.append(partition)
    partitioner.fuse_partitions(chosen, prefix="pit_part_")
    return [node.target for node in module.graph.nodes if node.op == "call_module" and node.target.startswith("pit_part_")]
