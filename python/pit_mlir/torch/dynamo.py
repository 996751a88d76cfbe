# ===- backend.py - torch.compile(model, backend="pit") ---------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""`torch.compile(model, backend="pit")`: forward and backward, with a fallback for what PIT cannot compile."""

import logging
import threading
from dataclasses import dataclass, field

import torch

from ..errors import ArgumentError, Error
from . import decompositions, halves, partition, sdpa, sorted_experts
from .compiled import CompiledGraph, Part
from .graphs import copy_graph, fingerprint

log = logging.getLogger("pit_mlir")


@dataclass(frozen=True)
class Settings:
    """Options of the backend, given as `torch.compile(model, backend="pit", options={...})`.

    target         "auto": where the tensors are; or a CPU or a chip, see `pit_mlir.compile`
    fallback       "eager": what does not compile runs as before, the reason is logged once;
                   "error": it is raised
    least_products a graph or a part with fewer matrix products is left to torch
    options        every other name: an option of `pit_mlir.compile`
    """

    target: str = "auto"
    fallback: str = "eager"
    least_products: int = 1
    options: dict = field(default_factory=dict)

    @staticmethod
    def of(options):
        options = dict(options or {})
        own = {name: options.pop(name) for name in ("target", "fallback", "least_products") if name in options}
        settings = Settings(**own, options=options)
        if settings.fallback not in ("eager", "error"):
            raise ArgumentError(f"fallback: expected 'eager' or 'error', got {settings.fallback!r}")
        from ..api import make_options

        make_options("cpu", options)
        return settings


@dataclass
class Record:
    """What became of a graph: `parts` are compiled graphs, `left` has (op, reason) of what runs in torch."""

    kind: str
    name: str
    ops: int
    products: int
    parts: list = field(default_factory=list)
    left: list = field(default_factory=list)

    @property
    def compiled_products(self):
        return sum(part.products for part in self.parts)


_records = threading.local()
_warned, _lock = set(), threading.Lock()


class recording:
    """Collects the records of all graphs that this thread compiles."""

    def __enter__(self):
        self.before, _records.found = getattr(_records, "found", None), []
        return _records.found

    def __exit__(self, *_):
        _records.found = self.before


def _warn(record, reason):
    """Logs a reason once in a process."""
    with _lock:
        if (record.kind, reason) in _warned:
            return
        _warned.add((record.kind, reason))
    log.warning("part of the %s graph %s runs in torch: %s", record.kind, record.name, reason)


# What torch-mlir makes an op of that it may not take.
_MADE_OF = {"aten.avg_pool2d": "aten._adaptive_avg_pool2d.default"}


def _blamed_nodes(module, error):
    """The nodes of the op that an error names."""
    name = getattr(error, "op", None)
    if not name or not name.startswith("aten."):
        return []

    def find(*names):
        return [n for n in module.graph.nodes if n.op == "call_function" and str(n.target) in names]

    # torch-mlir writes "aten.add.Tensor", and "aten.relu" for "aten.relu.default".
    return find(name, name + ".default") or find(_MADE_OF.get(name))


def _compile_part(module, settings, record):
    compiled = CompiledGraph(module, settings)
    compiled.products = partition.products_of(module.graph)
    record.parts.append(compiled)
    return compiled


def compile_graph(module, settings, kind):
    """A function of the graph's arguments: all of it compiled, some parts of it, or as it is; and what became of it."""
    calls = [node for node in module.graph.nodes if node.op not in ("placeholder", "output")]
    record = Record(kind, fingerprint(module.graph), len(calls), partition.products_of(module.graph))
    if getattr(_records, "found", None) is not None:
        _records.found.append(record)
    if record.products < settings.least_products:
        record.left.append(("all", "no matrix product in it, which is what PIT makes faster"))
        return module, record
    refused = {}
    for node in calls:
        reason = partition.reason_against(node) if node.op != "get_attr" else None
        if reason:
            refused[node.name] = (node, reason)
    failed = None
    # Each round leaves one more kind of op to torch.
    for _ in range(12):
        record.parts, record.left = [], [(str(node.target), reason) for node, reason in refused.values()]
        try:
            return _try(module, settings, record, refused), record
        except Error as error:
            failed = error
            blamed = [node for node in _blamed_nodes(module, error) if node.name not in refused]
            if settings.fallback == "error" or not blamed:
                break
            for node in blamed:
                refused[node.name] = (node, str(error))
            for node in calls:
                reason = partition.reason_against(node) if node.op != "get_attr" else None
                source = node.args[0] if node.args and isinstance(node.args[0], torch.fx.Node) else None
                if not reason and source is not None and source.name in refused and "getitem" in str(node.target):
                    refused[node.name] = (node, f"part of {source.target}")
    if settings.fallback == "error":
        raise failed
    record.parts, record.left = [], [("all", str(failed))]
    _warn(record, str(failed))
    return module, record


def _try(module, settings, record, refused):
    if not refused:
        return _compile_part(module, settings, record)
    if settings.fallback == "error":
        raise Error("; ".join(sorted({reason for _, reason in refused.values()})))
    whole = copy_graph(module)
    nodes = {node for node in whole.graph.nodes if node.name in refused}
    for name in partition.split(whole, nodes, settings.least_products):
        setattr(whole, name, Part(_compile_part(whole.get_submodule(name), settings, record)))
    for reason in sorted({reason for _, reason in refused.values()}):
        _warn(record, reason)
    whole.recompile()
    return whole


def backend(module, example_inputs, *, options=None, mode=None):
    """The backend as torch.compile calls it. `options` are those of `Settings`."""
    settings = Settings.of(options)
    dense = sorted_experts.replace(module)
    if dense is not None:
        found = getattr(_records, "found", None)
        before = len(found or ())
        try:
            return _compile_all(dense, example_inputs, settings, needs_all_products=True)
        except Error as error:
            # All experts on all tokens would take torch many times as long.
            log.info("experts stay sorted: %s", error)
            if found is not None:
                del found[before:]
    return _compile_all(module, example_inputs, settings)


def _compile_all(module, example_inputs, settings, needs_all_products=False):
    """Forward and backward of a graph of Dynamo. Raises Error where a product of the forward would be left to torch and none may be."""
    from torch._dynamo.backends.common import aot_autograd
    from torch._functorch.aot_autograd import make_boxed_func
    from torch.nn.attention import SDPBackend, sdpa_kernel

    runs_as_before = False

    def compiler(kind):
        def compile(graph, inputs):
            nonlocal runs_as_before
            compiled, record = compile_graph(graph, settings, kind)
            if needs_all_products and kind != "backward" and record.compiled_products < record.products:
                raise Error("; ".join(sorted({reason for _, reason in record.left})))
            # The backward of what has no product has none either.
            few = partition.products_of(graph.graph) < (settings.least_products if kind == "inference" else 1)
            if few and kind != "backward":
                runs_as_before = compiled is graph
            return make_boxed_func(compiled)

        return compile

    compile_all = aot_autograd(
        fw_compiler=compiler("forward"),
        bw_compiler=compiler("backward"),
        inference_compiler=compiler("inference"),
        partition_fn=halves.cut,
        decompositions=decompositions.table(),
    )
    # As plain arithmetic, in which masks are found, and of which there is a backward.
    with sdpa_kernel(SDPBackend.MATH):
        compiled = compile_all(sdpa.replace(module), example_inputs)
    # Without what AOTAutograd puts around a graph, which takes as long as a few of its ops.
    return sdpa.restore(module).forward if runs_as_before else compiled
