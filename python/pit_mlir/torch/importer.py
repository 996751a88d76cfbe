# ===- importer.py - From FX graphs to linalg on tensors --------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""From FX graphs to linalg on tensors, by torch-mlir, which is optional.

The graph becomes text of the torch dialect here; what lowers that to linalg may end its process, and
runs in a child. What comes out is kept in the cache by the graph alone, so that a machine
without torch-mlir takes what another one has made.
"""

import importlib.metadata
import json
import os
import re
import subprocess
import sys

import torch

from .. import cache
from ..errors import ImporterError
from .graphs import canonical_text

# Changes when what is imported from the same graph does.
VERSION = "importer 3"


def _to_torch_dialect(graph):
    try:
        from torch_mlir import ir
        from torch_mlir.dialects import torch as torch_dialect
        from torch_mlir.extras.fx_importer import FxImporter
    except ImportError as error:
        raise ImporterError(f"torch-mlir is not installed ({error}): pip install 'pit-mlir[torch]'") from None
    context = ir.Context()
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context)
    try:
        importer.import_stateless_graph(graph, func_name="main")
        importer.module.operation.verify()
    except Exception as error:  # It raises what Python and MLIR raise, without a class of its own.
        raise ImporterError(_first_line(f"{type(error).__name__}: {error}"), _blamed(str(error))) from None
    return importer.module.operation.get_asm(enable_debug_info=True)


def _first_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = [line for line in lines if "error:" in line and "Module does not conform" not in line]
    # A constant is named where the op next to it is meant.
    said = [line for line in said if "'torch.constant." not in line] or said
    first = (said or lines or ["no reason given"])[0]
    # MLIR prints all places that a call was inlined at; the innermost is the user's.
    place = re.match(r'loc\((?:[\w<>]+\()*"([^"]+)":(\d+)', first)
    if place and "error: " in first:
        first = f"{place.group(1)}:{place.group(2)}: {first[first.index('error: ') + 7 :]}"
    return first[:400]


def _blamed(text):
    """The aten op that a message of torch-mlir names, such as "aten.sort.default", or None."""
    for pattern in (
        r"failed to legalize operation 'torch\.(aten\.[\w.]+)'",
        r"'torch\.(aten\.[\w.]+)' op",
        r"torch\.operator.*?\"torch\.(aten\.[\w.]+)\"",
        r"name = \"torch\.(aten\.[\w.]+)\"",
        r"unsupported[^\n]*?\b(aten\.[\w.]+)",
    ):
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            return found.group(1)
    return None


def _to_linalg(text, marks, timeout=600):
    child = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lower_child.py")
    try:
        done = subprocess.run(
            [sys.executable, child, json.dumps(marks)], input=text, capture_output=True, text=True, errors="replace", timeout=timeout
        )
    except subprocess.TimeoutExpired:
        raise ImporterError(f"torch-mlir took more than {timeout} s and was ended") from None
    if done.returncode < 0 or done.returncode >= 128:
        raise ImporterError(f"torch-mlir died of signal {abs(done.returncode) % 128}", _blamed(done.stderr))
    if done.returncode:
        raise ImporterError(_first_line(done.stderr), _blamed(done.stderr))
    return done.stdout


def _keep_digits(graph):
    """A number in front of a tensor becomes a tensor of f32 in the importer. Behind it, it stays a number."""
    for node in graph.nodes:
        if node.op == "call_function" and node.target is torch.ops.aten.sub.Tensor and isinstance(node.args[0], float):
            node.target = torch.ops.aten.rsub.Scalar
            node.args, node.kwargs = (node.args[1], node.args[0], node.kwargs.get("alpha", 1)), {}


def import_graph(graph, marks=None):
    """The program of a graph (see graphs.py) as text with the places of Python's source. Raises
    ImporterError, whose `op` is the aten op in the way where torch-mlir says which. `marks` are attributes for the selections at places of their own, see marks.py."""
    for node in graph.nodes:
        # Where a tensor is made says nothing of what is computed, and the importer knows the host alone.
        if node.kwargs.get("device") is not None:
            node.kwargs = {**node.kwargs, "device": torch.device("cpu")}
    _keep_digits(graph)
    text = _to_linalg(_to_torch_dialect(graph), marks or {})
    for foreign in ("tm_tensor.", "torch.", "torch_c."):
        found = re.search(rf'^\s*(?:%.* = )?"?({re.escape(foreign)}[\w.]+)', text, re.MULTILINE)
        if found:
            raise ImporterError(f"torch-mlir leaves {found.group(1)}, which is not linalg", _FOREIGN.get(found.group(1)))
    return text


def _version():
    """That of torch-mlir, or None where it is not installed."""
    try:
        return importlib.metadata.version("torch-mlir")
    except importlib.metadata.PackageNotFoundError:
        return None


def _raise_kept(key):
    """Raises what an equal graph met before, unless another torch-mlir is here, which may take it."""
    path = cache.find(key, ".refused")
    if path is None:
        return
    try:
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        error, by = ImporterError(kept["message"], kept["op"]), kept["importer"]
    except (OSError, ValueError, KeyError, TypeError):
        cache.forget(key, ".refused")
        return
    if _version() in (None, by):
        raise error
    cache.forget(key, ".refused")


def _keep(key, error):
    """An op in the way stays in the way, so that the next process need not ask torch-mlir, and one without it knows what to leave to torch."""

    def make(path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"message": str(error), "op": error.op, "importer": _version()}, file)

    cache.get(key, ".refused", make)


def to_mlir(graph, marks):
    """`import_graph`, or what it gave for an equal graph before: places are those of that time. So are refusals that name an op."""
    key = cache.key_of(VERSION, canonical_text(graph), *(f"{place}: {marks[place]}" for place in sorted(marks)))

    def make(path):
        _raise_kept(key)
        try:
            text = import_graph(graph, marks)
        except ImporterError as error:
            if error.op:
                _keep(key, error)
            raise
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    with open(cache.get(key, ".mlir", make), encoding="utf-8") as file:
        return file.read()


# The op that torch-mlir makes one of another dialect of, where it is always the same.
_FOREIGN = {
    "tm_tensor.sort": "aten.sort.default",
    "tm_tensor.scan": "aten.cumsum.default",
    "tm_tensor.topk": "aten.topk.default",
    # Other scatters are not imported, see partition.py.
    "tm_tensor.scatter": "aten.max_pool2d_with_indices_backward.default",
}
