# ===- __init__.py - PIT, a compiler for dynamic sparsity, from Python ------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""PIT, a compiler for dynamic sparsity, from Python.

    program = pit_mlir.compile("model.mlir")          # text of MLIR, or a file
    y = program(x, mask, w)                           # NumPy arrays, torch tensors, DLPack

The program is written dense; which rows, blocks or experts matter is found while it runs.
"""

from . import parallel
from .api import load
from .errors import (
    ArgumentError,
    CompileError,
    DeviceError,
    Diagnostic,
    Error,
    ExecutionError,
    ImporterError,
    OutOfMemoryError,
)
from .program import Program
from .threads import get_num_threads, set_num_threads
from .version import __version__

__all__ = [
    "ArgumentError",
    "CompileError",
    "DeviceError",
    "Diagnostic",
    "Error",
    "ExecutionError",
    "ImporterError",
    "OutOfMemoryError",
    "Program",
    "__version__",
    "attention",
    "compile",
    "experts",
    "explain",
    "get_num_threads",
    "linear",
    "load",
    "parallel",
    "set_num_threads",
    "sparse",
]


# Of torch alone: found when they are asked for, as torch is optional.
_OF_TORCH = ("attention", "experts", "linear", "sparse")


def __getattr__(name):
    if name in _OF_TORCH:
        from . import torch as of_torch

        return getattr(of_torch, name)
    raise AttributeError(f"module 'pit_mlir' has no attribute '{name}'")


def _is_model(source):
    """Whether it is a module of torch, or a function of Python."""
    return callable(source) and not isinstance(source, (str, bytes))


def compile(source, target="auto", **options):
    """Compiles a program, or a model.

    source   MLIR (`linalg` on tensors) as text, as bytes, or as the path of a file; or a module of
             torch, a function of tensors, or a `torch.export.ExportedProgram`, which is
             `torch.compile(source, backend="pit")` and needs torch and torch-mlir
    target   "auto": the first CUDA device, else this CPU (for a model, where its tensors are); "cpu",
             "cpu:x86-64" (a CPU by LLVM's name), "cuda", "cuda:sm_90a" (a chip, which need not be there)
    options  entry, strict, finite, dense, short_segments, f32_products, dense_variants, pipeline,
             timeout: see `pit_mlir.compiler.Options`; for a model also `fallback` and `least_products`,
             see `pit_mlir.torch.Settings`, and `dynamic`, as torch.compile has it

    Returns a `Program`, or the compiled model, which are called with arrays. Compilation happens in a
    child process; what it gives is kept on disk (`pit_mlir.cache`). Raises CompileError with the op
    and the line.
    """
    if hasattr(source, "graph_module") and hasattr(source, "module"):
        source = source.module()
    if _is_model(source):
        import torch

        from . import torch as _backend  # noqa: F401, registers the backend

        dynamic = options.pop("dynamic", None)
        return torch.compile(source, backend="pit", dynamic=dynamic, options={"target": target, **options})
    from .api import compile_mlir

    return compile_mlir(source, target, **options)


def explain(source, *inputs, target="auto", html=None, **options):
    """Says what became of each op, and why.

    source   as for `compile`; a model is compiled for `inputs`, with `backward=True` also its backward
    html     a file for a page that any browser opens; pages of a model's parts lie beside it

    Returns the report, a dictionary. For MLIR, as docs/report.schema.json has it: `ops`, each with its place,
    its name, and what passes said of it. For a model `graphs`, each with `left` (what runs in torch, and
    why) and `parts`, whose `lines` are those of Python, with their modules and what the compiler did.
    """
    if _is_model(source):
        from .torch.explain import explain_model

        return explain_model(source, inputs, target, html, **options)
    if inputs:
        raise ArgumentError("inputs are for models; a program of MLIR is explained as it is")
    from .api import explain_mlir

    return explain_mlir(source, target, html, **options)
