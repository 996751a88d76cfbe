# ===- api.py - pit_mlir.compile, load and explain --------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""`pit_mlir.compile`, `load` and `explain` for programs in MLIR."""

import json
import os
import tempfile

from . import cache, compiler, targets
from .errors import ArgumentError, Error
from .program import Program


def read_source(source):
    """The text (or bytecode) of a program: itself, or what is in the file that a path names."""
    if isinstance(source, os.PathLike) or (isinstance(source, str) and source.endswith(".mlir") and "\n" not in source):
        try:
            with open(source, "rb") as file:
                data = file.read()
        except OSError as error:
            raise Error(f"cannot read the program: {error}") from None
        # Bytecode begins with "ML\xefR".
        return data if data[:4] == b"ML\xefR" else data.decode("utf-8", "replace")
    if isinstance(source, (str, bytes)):
        return source
    raise ArgumentError(f"expected MLIR as text, bytes or a path, got {type(source).__name__}")


def make_options(target, options):
    names = set(compiler.Options.__dataclass_fields__) - {"target"}
    for name in options:
        if name not in names:
            raise ArgumentError(f"no option '{name}'; there are {', '.join(sorted(names))}")
    return compiler.Options(target=targets.resolve(target), **options)


def compile_mlir(source, target="auto", **options):
    """Compiles a program in MLIR, or finds it in the cache. See `pit_mlir.compile`."""
    text, chosen = read_source(source), make_options(target, options)
    key, diagnostics = cache.program_key(text, chosen), []

    def make(path):
        diagnostics.extend(compiler.run(text, chosen, path))

    path = cache.get(key, ".so", make)
    try:
        return Program(path, diagnostics)
    except Error:
        # A file that was cut or changed since: the runtime compares a sum.
        if diagnostics or compiler.find_compiler() is None:
            raise
        cache.forget(key, ".so")
        return Program(cache.get(key, ".so", make), diagnostics)


def load(path):
    """Opens a shared object that `pit-compile`, or a cache, has made. Returns a `Program`."""
    if not os.path.exists(path):
        raise Error(f"cannot load the program: there is no file {path}")
    return Program(os.path.abspath(path))


def explain_mlir(source, target="auto", html=None, **options):
    """What became of each op of a program in MLIR, and why. See `pit_mlir.explain`."""
    text, chosen = read_source(source), make_options(target, options)
    with tempfile.TemporaryDirectory(prefix="pit-mlir-") as folder:
        found = os.path.join(folder, "explanation.json")
        compiler.run(text, chosen, os.path.join(folder, "program.so"), found)
        with open(found, encoding="utf-8") as file:
            report = json.load(file)
        if html is not None:
            compiler.run(text, chosen, os.path.join(folder, "again.so"), os.path.abspath(html))
    return report
