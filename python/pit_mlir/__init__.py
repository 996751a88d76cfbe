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
    "compile",
    "explain",
    "load",
]


def compile(source, target="auto", **options):
    """Compiles a program.

    source   MLIR (`linalg` on tensors) as text, as bytes, or as the path of a file
    target   "auto": the first CUDA device, else this CPU; "cpu", "cpu:x86-64" (a CPU by LLVM's name),
             "cuda", "cuda:sm_90a" (a chip, which need not be there)
    options  entry, strict, finite, dense, short_segments, f32_products, dense_variants, pipeline,
             timeout: see `pit_mlir.compiler.Options`

    Returns a `Program`, which is called with arrays. Compilation happens in a child process; what it
    gives is kept on disk (`pit_mlir.cache`). Raises CompileError with the op and the line.
    """
    from .api import compile_mlir

    return compile_mlir(source, target, **options)


def explain(source, target="auto", html=None, **options):
    """Says what became of each op, and why.

    source   as for `compile`
    html     a file for a page that any browser opens

    Returns the report, a dictionary as docs/report.schema.json has it: `ops`, each with its place, its
    name, and what passes told of it.
    """
    from .api import explain_mlir

    return explain_mlir(source, target, html, **options)
