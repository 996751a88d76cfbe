# ===- graphs.py - FX graphs as the compiler takes them ---------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""FX graphs as the compiler takes them: tensors and integers in, computed values out."""

import hashlib

import torch
from torch import fx


def copy_graph(module):
    """The module with a graph of its own, on which nodes may be changed; what they stand for
    (`meta`) is shared."""
    graph, nodes = fx.Graph(), {}
    output = graph.graph_copy(module.graph, nodes)
    graph.output(output)
    return fx.GraphModule(module, graph)


def value_of(node):
    """What a node stands for while it is traced: a fake tensor, a symbolic number, or None."""
    meta = node.meta
    return meta["val"] if "val" in meta else meta.get("example_value")


def lift_constants(module):
    """Makes arguments of the tensors that the graph holds. Returns them, in order."""
    found = {}
    graph = module.graph
    last = None
    for node in graph.nodes:
        if node.op == "placeholder":
            last = node
    for node in list(graph.nodes):
        if node.op != "get_attr":
            continue
        value = module
        for name in node.target.split("."):
            value = getattr(value, name)
        if not isinstance(value, torch.Tensor):
            continue
        if node.target not in found:
            with graph.inserting_after(last) if last is not None else graph.inserting_before(next(iter(graph.nodes))):
                argument = graph.placeholder("constant_" + node.target.replace(".", "_"))
            argument.meta = dict(node.meta)
            argument.meta.setdefault("val", value)
            last, found[node.target] = argument, (argument, value)
        node.replace_all_uses_with(found[node.target][0])
        graph.erase_node(node)
    return [value for _, value in found.values()]


def _base_of(node):
    """What a node is a view of."""
    while isinstance(node.target, torch._ops.OpOverload) and node.target.is_view and node.args and isinstance(node.args[0], fx.Node):
        node = node.args[0]
    return node


def _extract(graph, result):
    """A function of the graph's arguments that computes one of its nodes in torch."""
    taken, todo = set(), [result]
    while todo:
        node = todo.pop()
        if node not in taken:
            taken.add(node)
            todo.extend(node.all_input_nodes)
    part, nodes = fx.Graph(), {}
    for node in graph.nodes:
        if node in taken or node.op == "placeholder":
            nodes[node] = part.node_copy(node, nodes.__getitem__)
    part.output(nodes[result])
    return fx.GraphModule(torch.nn.Module(), part)


class Outputs:
    """What a graph gives: `plan` has, for each output, ("argument", number), ("value", constant),
    ("result", number) or ("view", number); the graph is left with the results alone. With `keeps_views`, views of
    arguments stay views, and nothing is copied: AOTAutograd makes them of the arguments again, at the offset that ours have,
    or keeps them for backward, such as a transposed weight."""

    def __init__(self, module, keeps_views=False):
        graph = module.graph
        output = next(node for node in graph.nodes if node.op == "output")
        arguments = {node: number for number, node in enumerate(n for n in graph.nodes if n.op == "placeholder")}
        given = output.args[0]
        self.is_single = not isinstance(given, (list, tuple))
        self.plan, self.results, self.views = [], [], []
        for value in [given] if self.is_single else given:
            if not isinstance(value, fx.Node):
                self.plan.append(("value", value))
            elif value in arguments:
                self.plan.append(("argument", arguments[value]))
            elif keeps_views and _base_of(value) in arguments:
                self.plan.append(("view", len(self.views)))
                self.views.append(_extract(graph, value))
            else:
                if value not in self.results:
                    self.results.append(value)
                self.plan.append(("result", self.results.index(value)))
        self.orders = [_order_of(node) for node in self.results]
        output.args = (tuple(self.results),)
        graph.eliminate_dead_code()

    def collect(self, arguments, results):
        """The graph's outputs of its arguments and what the program computed."""
        found = []
        for kind, value in self.plan:
            if kind == "view":
                found.append(self.views[value](*arguments))
            else:
                found.append(arguments[value] if kind == "argument" else results[value] if kind == "result" else value)
        return found[0] if self.is_single else found


def _number(value):
    """A symbolic number's hint, or the number."""
    try:
        return value.node.hint if isinstance(value, torch.SymInt) else int(value)
    except (AttributeError, TypeError, ValueError):
        return None


def _order_of(node):
    """How a tensor is to lie in memory: None where it is row-major, else its axes from the one with
    the largest stride on. Who traced the graph relies on it."""
    value = value_of(node)
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided:
        return None
    sizes, strides = [_number(s) for s in value.shape], [_number(s) for s in value.stride()]
    if None in sizes or None in strides or 0 in sizes:
        return None
    axes = [a for a in range(len(sizes)) if sizes[a] != 1]
    order = sorted(axes, key=lambda a: -strides[a])
    if order == axes:
        return None
    return [a for a in range(len(sizes)) if sizes[a] == 1] + order


def _inverse(order):
    back = [0] * len(order)
    for place, axis in enumerate(order):
        back[axis] = place
    return back


def _is_dense(value, order):
    """Whether elements lie without gaps in an order of axes, as far as hints say."""
    expected = 1
    for axis in reversed(order):
        extent = _number(value.shape[axis])
        if extent != 1 and _number(value.stride(axis)) != expected:
            return False
        expected *= extent
    return True


def take_as_they_lie(graph):
    """Has the graph take tensors that are traced as permuted ones, such as transposed weights that forward keeps, by the order in which
    they lie in memory, and permute them itself: programs read any order, while a call would copy them. Returns that order
    for each argument, None for the others."""
    orders = []
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    # Some backward graphs have them where they are read first; one that is permuted may be read before the last of them.
    first = next((node for node in graph.nodes if node.op != "placeholder"), None)
    for node in placeholders:
        if first is not None:
            first.prepend(node)
    for node in placeholders:
        order = _order_of(node)
        if order is None or not _is_dense(value_of(node), order):
            orders.append(None)
            continue
        orders.append(order)
        with graph.inserting_after(placeholders[-1]):
            permuted = graph.call_function(torch.ops.aten.permute.default, (node, _inverse(order)))
        permuted.meta = dict(node.meta)
        node.replace_all_uses_with(permuted, lambda user, own=permuted: user is not own)
        node.meta = {"val": value_of(node).permute(order)}
    return orders


def lay_out(tensor, order):
    """The tensor, in memory in the order of `_order_of`."""
    if order is None:
        return tensor
    return tensor.permute(order).contiguous().permute(_inverse(order))


def _text_of(value, names):
    if isinstance(value, fx.Node):
        return names[value]
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_text_of(v, names) for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_text_of(v, names)}" for k, v in sorted(value.items())) + "}"
    if isinstance(value, slice):
        return f"slice({_text_of([value.start, value.stop, value.step], names)})"
    return str(value)


def _type_of(node):
    value = value_of(node)
    if isinstance(value, torch.Tensor):
        extents = [str(int(s)) if not isinstance(s, torch.SymInt) else "?" for s in value.shape]
        return f"{value.dtype}[{', '.join(extents)}]"
    return type(value).__name__


def canonical_text(graph):
    """The graph as text that is the same for the same computation, on every machine: no names, no
    symbols, no places, no devices."""
    names, lines = {}, []
    for node in graph.nodes:
        names[node] = f"%{len(names)}"
        target = "" if node.op in ("placeholder", "output") else str(node.target)
        if callable(node.target) and not isinstance(node.target, torch._ops.OpOverload) and node.op == "call_function":
            target = getattr(node.target, "__name__", target)
        kwargs = {k: v for k, v in node.kwargs.items() if k not in ("device", "pin_memory")}
        arguments = _text_of(node.args, names) + (" " + _text_of(kwargs, names) if kwargs else "")
        lines.append(f"{names[node]} = {node.op} {target} {arguments if node.op != 'placeholder' else ''} : {_type_of(node)}")
    return "\n".join(lines)


def fingerprint(graph):
    """A short name of the graph, for logs."""
    return hashlib.sha256(canonical_text(graph).encode()).hexdigest()[:8]
