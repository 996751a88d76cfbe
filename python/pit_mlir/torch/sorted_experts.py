# ===- sorted_experts.py - Experts whose tokens a model sorts ---------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Experts whose tokens a model sorts: the layer without the order.

Models that know no compiler for experts sort what tokens chose, take rows in that order, multiply the rows of each expert
by its weights (`torch._grouped_mm`), and take rows back to where they were:

    ids, order = torch.sort(chosen.reshape(-1))                   # chosen: [tokens, k]
    ends = torch.cumsum(torch.histc(ids, experts, ...), 0)
    h = act(grouped_mm(x[order // k], w1, ends))
    y = grouped_mm(h, w2, ends) * weights.reshape(-1)[order].unsqueeze(-1)
    y = y[inverse of order].view(tokens, k, -1).sum(1)

Every step between is one of single rows, so the order is nobody's: what a row has is known by its token and its expert.
The same layer, of all experts on all tokens, is what PIT derives experts from:

    gate = (one_hot(chosen) * weights).sum(1)                     # [tokens, experts]
    y = einsum("tef,efd->td", gate * act(einsum("td,edf->tef", x, w1)), w2)

`replace` finds the first in a graph of Dynamo and writes the second, so that backward comes of it, too. What it does not
know stays as it is.
"""

import operator
from dataclasses import dataclass, replace as changed

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from .graphs import copy_graph
from .layers import gate_of

# Functions of single elements, by their names as functions, methods or operators. Names of types are conversions.
_ELEMENTWISE = set(
    "silu gelu relu relu6 sigmoid tanh softplus elu leaky_relu hardswish mish logsigmoid abs neg exp sqrt rsqrt square pow erf sin cos "
    "mul add sub truediv div true_divide maximum minimum clamp clip clamp_min clamp_max float half bfloat16 double to type contiguous".split()
)
# Those that part the last axis.
_PARTS = {"chunk", "split"}
_PRODUCTS = {"_grouped_mm", "grouped_mm", "grouped_mm_fallback"}
_WRITING_OPERATORS = {"iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor", "ilshift", "irshift", "imatmul", "setitem"}


@dataclass(frozen=True)
class _Row:
    """Rows in the order of experts, as a tensor of [tokens or 1, experts or 1, ...]. Of the last product there is no `value`, but its factors;
    `gate` is what each choice of a token is weighted with, flat."""

    rank: int
    value: object = None
    factors: tuple = ()
    biases: tuple = ()
    gate: object = None
    parts: bool = False


class _Unknown(Exception):
    """A row is used in a way that is not known."""


def _tensor(node):
    value = node.meta.get("example_value") if isinstance(node, torch.fx.Node) else None
    return value if isinstance(value, torch.Tensor) else None


def _name(node):
    if node.op == "call_method":
        return node.target
    if isinstance(node.target, torch._ops.OpOverloadPacket):
        return node.target.__name__
    if isinstance(node.target, torch._ops.OpOverload):
        return node.target._schema.name.split("::")[-1]
    return getattr(node.target, "__name__", "")


def _writes(node):
    """Whether a node may write to a tensor that was there before."""
    if node.op not in ("call_function", "call_method"):
        return node.op == "call_module"
    name = _name(node)
    return (name.endswith("_") and not name.startswith("_")) or name in _WRITING_OPERATORS or "out" in node.kwargs or bool(node.kwargs.get("inplace"))


def _argument(node, number, name, default=None):
    return node.args[number] if number < len(node.args) else node.kwargs.get(name, default)


def _is_range(node):
    """The numbers from 0, of which the graph knows how many."""
    if not isinstance(node, torch.fx.Node) or _name(node) != "arange" or _tensor(node) is None:
        return False
    return len(node.args) == 1 or (len(node.args) == 2 and node.args[0] == 0)


def _is_same(a, b):
    return statically_known_true(a == b)


class _Layer:
    """What is known of the nodes behind one sort."""

    def __init__(self, graph, sort, ids):
        self.graph, self.ids, self.sort = graph, ids, sort
        self.kinds, self.per_token, self.tokens, self.experts = {sort: "sorted"}, None, None, None
        # Nodes of the layer, and those that write: node to what it writes to.
        self.own, self.writes, self.exits, self.made = [sort], {}, [], []

    # What nodes are.

    def visit(self, node):
        if node.op not in ("call_function", "call_method"):
            return
        given = [argument for argument in node.all_input_nodes if argument in self.kinds or self.is_ids(argument)]
        if not given:
            return
        kind = self.kind_of(node)
        if kind is not None:
            self.kinds[node] = kind
            self.own.append(node)
        elif any(isinstance(self.kinds.get(argument), (_Row, tuple)) for argument in given) and node not in self.exits and node not in self.writes:
            raise _Unknown(str(node))

    def is_ids(self, node):
        """What tokens chose; as often as a model writes it as one axis."""
        ids = self.ids
        return node is ids or (node.op == ids.op != "placeholder" and (node.target, node.args, node.kwargs) == (ids.target, ids.args, ids.kwargs))

    def is_kind(self, node, kind):
        return isinstance(node, torch.fx.Node) and self.kinds.get(node) == kind

    def kind_of(self, node):
        name, first = _name(node), node.args[0] if node.args else None
        kind = self.kinds.get(first) if isinstance(first, torch.fx.Node) else None
        if kind == "sorted" and node.target is operator.getitem:
            return ("ids", "order")[node.args[1]]
        if isinstance(first, torch.fx.Node) and self.is_ids(first):
            kind = "unsorted"
        if kind in ("ids", "unsorted") and name in ("float", "int", "long", "to"):
            return kind
        if kind == "ids" and name in ("clamp", "clamp_"):
            if name == "clamp_":
                self.writes[node] = first
            return kind
        if kind in ("ids", "unsorted") and name in ("histc", "bincount"):
            return self.count(node, name)
        if kind == "ids" and name == "searchsorted":
            return self.search(node)
        if kind == "counts" and name == "cumsum" and _argument(node, 1, "dim") in (0, -1):
            return "ends"
        if kind == "ends" and name in ("to", "int"):
            return "ends"
        if kind == "ids" and name in ("ge", "__ge__") and isinstance(node.args[1], int):
            self.set_experts(node.args[1])
            return "nobody"
        if kind == "nobody" and name == "unsqueeze":
            return "nobody"
        if kind == "order":
            return self.of_order(node, name)
        if kind == "blank":
            return self.invert(node, name)
        if node.target is operator.getitem and isinstance(node.args[1], torch.fx.Node):
            return self.gather(node)
        return self.of_rows(node, name, first, kind)

    def set_experts(self, count):
        if not isinstance(count, int) or self.experts not in (None, count):
            raise _Unknown("experts")
        self.experts = count

    def count(self, node, name):
        if name == "histc":
            count = _argument(node, 1, "bins", 100)
            if _argument(node, 2, "min", 0) != 0 or _argument(node, 3, "max", 0) != count - 1:
                return None
        else:
            count = _argument(node, 2, "minlength", 0)
        self.set_experts(count)
        return "counts"

    def search(self, node):
        """searchsorted(ids, arange, right=True)"""
        numbers = node.args[1] if len(node.args) == 2 else None
        if not _is_range(numbers) or not (node.kwargs.get("right") or node.kwargs.get("side") == "right"):
            return None
        self.set_experts(_tensor(numbers).shape[0])
        return "ends"

    def of_order(self, node, name):
        if name == "floordiv" or (name in ("floor_divide", "div") and node.kwargs.get("rounding_mode", "floor") == "floor"):
            if not isinstance(node.args[1], int) or self.per_token not in (None, node.args[1]):
                return None
            self.per_token = node.args[1]
            return "token"
        if name == "empty_like":
            return "blank"
        if name == "argsort":
            return "inverse"
        return None

    def invert(self, node, name):
        """blank[order] = arange, or blank.scatter_(0, order, arange)"""
        blank, index, value = node.args if name == "setitem" else (node.args[0], *node.args[2:]) if len(node.args) == 4 else (None, None, None)
        if name not in ("setitem", "scatter", "scatter_") or not self.is_kind(index, "order") or not _is_range(value):
            return None
        if name != "scatter":
            self.kinds[blank] = "inverse"
            self.writes[node] = blank
        return "inverse" if name != "setitem" else "written"

    def gather(self, node):
        source, index = node.args
        kind = self.kinds.get(index)
        if kind == "inverse" and isinstance(self.kinds.get(source), _Row):
            return ("apart", self.kinds[source])
        if self.is_ids(source):
            return "ids" if kind == "order" else None
        if source in self.kinds:
            return None
        found = _tensor(source)
        if kind == "token" and found is not None and found.dim() >= 2:
            self.set_tokens(source)
            with self.graph.inserting_before(node):
                return _Row(found.dim(), self.call(node, torch.unsqueeze, source, 1))
        if kind == "order" and found is not None and found.dim() == 1:
            return ("weight", source, 1)
        if kind == "ids" and found is not None and found.dim() >= 1:
            self.set_experts(found.shape[0])
            with self.graph.inserting_before(node):
                return _Row(found.dim(), self.call(node, torch.unsqueeze, source, 0))
        return None

    def set_tokens(self, source):
        rows, choices = _tensor(source).shape[0], _tensor(self.ids)
        if choices is None or self.per_token is None or not _is_same(rows * self.per_token, choices.shape[0]):
            raise _Unknown("tokens")
        self.tokens = rows

    # Steps of rows.

    def of_rows(self, node, name, first, kind):
        if isinstance(kind, tuple) and kind[0] == "weight":
            if name == "unsqueeze" and kind[2] == 1 and node.args[1] in (-1, 1):
                return ("weight", kind[1], 2)
            if node.target is operator.getitem and kind[2] == 1 and node.args[1] in ((slice(None), None), (Ellipsis, None)):
                return ("weight", kind[1], 2)
            if name in ("to", "float"):
                return kind
        if name in ("index_add", "index_add_"):
            return self.add_rows(node, name)
        if isinstance(kind, tuple) and kind[0] == "apart":
            return self.of_choices(node, name, kind)
        if name in _PRODUCTS:
            return self.multiply(node)
        if isinstance(kind, _Row) and name in ("masked_fill", "masked_fill_") and self.is_kind(node.args[1], "nobody"):
            if name == "masked_fill_":
                self.writes[node] = first
            return kind
        if name == "mul" and len(node.args) == 2:
            weighted = self.weigh(*node.args) or self.weigh(*reversed(node.args))
            if weighted:
                return weighted
        if name == "add" and len(node.args) == 2:
            biased = self.add_bias(*node.args) or self.add_bias(*reversed(node.args))
            if biased:
                return biased
        if isinstance(kind, _Row) and name == "to" and kind.factors and _tensor(node).dtype == _tensor(first).dtype:
            return kind
        if isinstance(kind, _Row) and node.target is operator.getitem:
            return self.slice(node, kind)
        if isinstance(kind, _Row) and name in _PARTS and not kind.parts:
            dim = _argument(node, 2, "dim", 0)
            if dim not in (-1, kind.rank - 1) or kind.rank < 2:
                return None
            return _Row(kind.rank, self.again(node, [self.finish(first, node), node.args[1]], {"dim": -1}), parts=True)
        if name in _ELEMENTWISE:
            return self.each_element(node)
        return None

    def multiply(self, node):
        rows, weights, ends = (_argument(node, n, name) for n, name in enumerate(("mat_a", "mat_b", "offs")))
        if rows is None:
            rows, weights = (_argument(node, n, name) for n, name in enumerate(("input", "weight")))
        kind, found = self.kinds.get(rows), _tensor(weights)
        if not isinstance(kind, _Row) or kind.rank != 2 or kind.parts or not self.is_kind(ends, "ends"):
            return None
        if found is None or found.dim() != 3 or weights in self.kinds:
            return None
        if _argument(node, 3, "bias") is not None or _tensor(node).dtype != _tensor(rows).dtype:
            return None
        self.set_experts(found.shape[0])
        return _Row(2, factors=(self.finish(rows, node), weights))

    def weigh(self, row, weight):
        row, weight = (self.kinds.get(x) if isinstance(x, torch.fx.Node) else None for x in (row, weight))
        if isinstance(row, _Row) and row.factors and row.gate is None and isinstance(weight, tuple) and weight[::2] == ("weight", 2):
            return changed(row, gate=weight[1])
        return None

    def add_bias(self, row, bias):
        row, other = (self.kinds.get(x) if isinstance(x, torch.fx.Node) else None for x in (row, bias))
        if isinstance(row, _Row) and isinstance(other, _Row) and row.factors and row.gate is None and not other.factors and not other.parts:
            return changed(row, biases=(*row.biases, other.value))
        return None

    def slice(self, node, kind):
        index = node.args[1]
        if kind.parts:
            return _Row(kind.rank, self.again(node, [kind.value, index], {})) if isinstance(index, int) else None
        if not isinstance(index, tuple) or kind.gate is not None or any(not isinstance(i, slice) for i in index[1:]):
            return None
        if index[0] is not Ellipsis:
            if index[0] != slice(None):
                return None
            index = (slice(None), *index)
        elif len(index) > kind.rank:
            return None
        return _Row(kind.rank, self.again(node, [self.finish(node.args[0], node), index], {}))

    def each_element(self, node):
        """A function of elements: of rows, numbers, and vectors along the last axis."""
        rank = None
        for argument in node.all_input_nodes:
            kind, found = self.kinds.get(argument), _tensor(argument)
            if isinstance(kind, _Row):
                if kind.parts or kind.gate is not None or rank not in (None, kind.rank):
                    return None
                rank = kind.rank
            elif kind is not None or (found is not None and found.dim() > 1):
                return None
        if rank is None or (rank < 2 and any(_tensor(a) is not None and _tensor(a).dim() and a not in self.kinds for a in node.all_input_nodes)):
            return None
        return _Row(rank, self.again(node, [self.finish(a, node) for a in node.args], {k: self.finish(a, node) for k, a in node.kwargs.items()}))

    # Rows back where they were.

    def of_choices(self, node, name, kind):
        row, found = kind[1], _tensor(node)
        if name in ("view", "reshape") and len(kind) == 2 and found is not None and found.dim() == 3:
            is_split = self.tokens is not None and _is_same(found.shape[0], self.tokens) and _is_same(found.shape[1], self.per_token)
            return (*kind, "of tokens") if is_split else None
        if name in ("to", "float"):
            return kind
        if name == "mul" and len(kind) == 3 and row.gate is None and len(node.args) == 2 and row.factors:
            weights = [x for x in node.args if self.kinds.get(x) is not kind] if all(isinstance(x, torch.fx.Node) for x in node.args) else []
            given = _tensor(weights[0]) if len(weights) == 1 and weights[0] not in self.kinds else None
            if given is None or given.dim() != 3 or not all(map(_is_same, given.shape, (self.tokens, self.per_token, 1))):
                return None
            return ("apart", changed(row, gate=weights[0]), kind[2])
        if name == "sum" and len(kind) == 3 and row.gate is not None and _argument(node, 1, "dim") in (1, -2, [1], (1,)):
            if not _argument(node, 2, "keepdim", False) and self.experts is not None:
                self.exits.append(node)
                self.leave(node, row)
        return None

    def add_rows(self, node, name):
        """zeros.index_add_(0, token, rows)"""
        zeros, dim, token, rows = node.args if len(node.args) == 4 and not node.kwargs else (None,) * 4
        row, found = (self.kinds.get(rows) if isinstance(rows, torch.fx.Node) else None), _tensor(zeros)
        if dim != 0 or not self.is_kind(token, "token") or not isinstance(row, _Row) or row.gate is None or self.experts is None:
            return None
        if _name(zeros) not in ("zeros", "new_zeros", "zeros_like") or found.dim() != 2 or not _is_same(found.shape[0], self.tokens):
            return None
        if name == "index_add_":
            following = zeros.next
            while following is not node:
                if zeros in following.all_input_nodes:
                    return None
                following = following.next
            self.writes[node] = zeros
        self.exits.append(node)
        self.leave(node, row)
        return None

    def leave(self, node, row):
        rows, weights = row.factors
        kind = _tensor(weights).dtype
        with self.graph.inserting_before(node):
            chosen, weight = (self.call(node, torch.reshape, x, (-1, self.per_token)) for x in (self.ids, row.gate))
            gate = self.convert(node, self.call(node, gate_of, chosen, weight, self.experts), kind)
            weighted = self.call(node, torch.mul, self.call(node, torch.unsqueeze, gate, 2), rows)
            result = self.call(node, torch.einsum, "tef,efd->td", weighted, weights)
            for bias in row.biases:
                # [1, experts, width]
                result = self.call(node, torch.add, result, self.call(node, torch.matmul, gate, self.call(node, torch.squeeze, bias, 0)))
            result = self.convert(node, result, _tensor(node).dtype)
        self.result = result

    # New nodes.

    def call(self, origin, function, *args, **kwargs):
        node = self.graph.call_function(function, args, kwargs)
        self.made.append(node)
        for key in ("stack_trace", "nn_module_stack", "source_fn_stack"):
            if key in origin.meta:
                node.meta[key] = origin.meta[key]
        return node

    def convert(self, origin, value, dtype):
        node = self.graph.call_method("to", (value, dtype))
        self.made.append(node)
        node.meta["stack_trace"] = origin.meta.get("stack_trace", "")
        return node

    def again(self, node, args, kwargs):
        """The same function of other arguments."""
        with self.graph.inserting_before(node):
            made = self.graph.create_node(node.op, node.target, tuple(args), kwargs)
        self.made.append(made)
        for key in ("stack_trace", "nn_module_stack", "source_fn_stack"):
            if key in node.meta:
                made.meta[key] = node.meta[key]
        return made

    def finish(self, argument, before):
        """The tensor that rows are; other arguments as they are."""
        row = self.kinds.get(argument) if isinstance(argument, torch.fx.Node) else None
        if not isinstance(row, _Row):
            return argument
        if row.value is not None:
            return row.value
        if row.gate is not None:
            raise _Unknown("weights in front of a step")
        rows, weights = row.factors
        with self.graph.inserting_before(before):
            if self.is_of_tokens(rows):
                value = self.call(before, torch.einsum, "td,edf->tef", self.call(before, torch.squeeze, rows, 1), weights)
            else:
                value = self.call(before, torch.einsum, "ted,edf->tef", rows, weights)
            for bias in row.biases:
                value = self.call(before, torch.add, value, bias)
        self.kinds[argument] = changed(row, value=value)
        return value

    def is_of_tokens(self, value):
        """Whether rows depend on tokens alone: functions of elements of rows that were taken by token."""
        if value.target is torch.unsqueeze and value.args[1] == 1:
            return True
        if value.target is torch.unsqueeze or value.target is torch.einsum:
            return False
        return all(self.is_of_tokens(a) for a in value.all_input_nodes if a.op != "placeholder" and _tensor(a) is None)


def _find(graph, node):
    """The layer behind a sort of what tokens chose, or None."""
    if node.op not in ("call_function", "call_method") or _name(node) not in ("sort", "argsort") or not node.args:
        return None
    ids = _tensor(node.args[0])
    if ids is None or ids.dim() != 1 or ids.dtype.is_floating_point or ids.dtype.is_complex:
        return None
    if _argument(node, 2, "descending", False) or _argument(node, 1, "dim", -1) not in (0, -1):
        return None
    layer = _Layer(graph, node, node.args[0])
    if _name(node) == "argsort":
        layer.kinds[node] = "order"
    try:
        following = layer.ids.next
        while following.op != "output" and not layer.exits:
            # New nodes are put in front of the one that is visited.
            layer.visit(following)
            following = following.next
        if layer.exits and _is_alone(layer) and _reads_what_is_there(layer):
            return layer
    except _Unknown:
        pass
    for made in reversed(layer.made):
        graph.erase_node(made)
    return None


def _is_alone(layer):
    """Nobody else reads rows, which nobody will compute."""
    own = {*layer.own, *layer.writes, *layer.exits}
    rows = (node for node, kind in layer.kinds.items() if isinstance(kind, (_Row, tuple)))
    return all(user in own for node in rows for user in node.users)


def _reads_what_is_there(layer):
    """Rows were copies of what they were taken from, and are read later now: nobody writes in between."""
    exit, node = layer.exits[0], layer.sort
    while node is not exit:
        if _writes(node) and node not in layer.writes:
            return False
        node = node.next
    return True


def _remove(layer):
    """The layer's own nodes that nobody reads now; what writes goes with what it writes to."""
    exit = layer.exits[0]
    exit.replace_all_uses_with(layer.result)
    if exit in layer.writes:
        # Sums that are written to: what reads them later.
        layer.writes[exit].replace_all_uses_with(layer.result, delete_user_cb=lambda user: user is not exit)
        layer.own.append(layer.writes[exit])
    gone = {*layer.own, *layer.writes, exit}
    while True:
        kept = {n for n in gone if any(user not in gone for user in n.users) or (n in layer.writes and layer.writes[n] not in gone)}
        if not kept:
            break
        gone -= kept
    for node in reversed(list(layer.graph.nodes)):
        if node in gone:
            layer.graph.erase_node(node)


def replace(module):
    """A graph of Dynamo with its sorted experts written dense, or None if there are none."""
    if not any(_name(node) in _PRODUCTS for node in module.graph.nodes if node.op == "call_function"):
        return None
    module = copy_graph(module)
    is_changed = False
    for node in list(module.graph.nodes):
        layer = _find(module.graph, node)
        if layer is not None:
            _remove(layer)
            is_changed = True
    if not is_changed:
        return None
    module.recompile()
    return module
