#!/usr/bin/env python3
# ===- python_reference.py - docs/python/Reference.md from docstrings -------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Writes docs/python/Reference.md from the docstrings of the package, or with --check says whether it is as written.

Reads the sources, so that neither torch nor JAX need be there."""

import argparse
import ast
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "python", "pit_mlir")

# What a user meets, in the order in which it is read: heading, file, names.
PARTS = [
    ("pit_mlir", "__init__.py", ["compile", "explain"]),
    ("pit_mlir", "api.py", ["load"]),
    ("pit_mlir", "program.py", ["Program"]),
    ("pit_mlir.Program", "entry.py", ["Entry"]),
    ("pit_mlir.compiler", "compiler.py", ["Options"]),
    ("pit_mlir.targets", "targets.py", ["resolve"]),
    ("pit_mlir", "errors.py", ["Error", "ArgumentError", "CompileError", "Diagnostic", "DeviceError", "ExecutionError", "ImporterError", "OutOfMemoryError"]),
    ("pit_mlir", "torch/marks.py", ["sparse"]),
    ("pit_mlir", "threads.py", ["set_num_threads", "get_num_threads"]),
    ("pit_mlir", "torch/layers.py", ["experts", "attention", "linear"]),
    ("pit_mlir.torch", "torch/dynamo.py", ["backend", "Settings"]),
    ("pit_mlir.torch", "torch/calls.py", ["check"]),
    ("pit_mlir.torch", "torch/layers.py", ["Experts", "Linear"]),
    ("pit_mlir.torch", "torch/package.py", ["export", "load"]),
    ("pit_mlir.torch", "torch/ahead.py", ["fill_cache"]),
    ("pit_mlir.torch", "torch/hugging_face.py", ["register_hugging_face", "use_experts"]),
    ("pit_mlir.parallel", "parallel.py", ["Communicator"]),
    ("pit_mlir.parallel", "steps.py", ["Step"]),
    ("pit_mlir.jax", "jax/jit.py", ["jit"]),
    ("pit_mlir.jax", "jax/ffi.py", ["call", "check"]),
    ("pit_mlir.jax", "jax/marks.py", ["sparse"]),
]


def signature(node):
    if isinstance(node, ast.ClassDef):
        for item in node.body:
            if isinstance(item, ast.FunctionDef) and item.name in ("__init__", "__call__"):
                if item.name == "__init__" and node.name not in ("Experts",):
                    continue
                return ast.unparse(item.args).removeprefix("self, ").removeprefix("self")
        return ""
    return ast.unparse(node.args)


def methods(node):
    for item in node.body if isinstance(node, ast.ClassDef) else []:
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_") and ast.get_docstring(item):
            if item.name not in ("flags", "identity", "of"):
                yield item


def page():
    out = [
        "# Reference of the Python package",
        "",
        "Made by `scripts/python_reference.py` of the docstrings. [Python](../Python.md) says how it goes together.",
    ]
    for prefix, path, names in PARTS:
        with open(os.path.join(PACKAGE, path), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        found = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        for name in names:
            node = found[name]
            text = ast.get_docstring(node)
            if not text:
                sys.exit(f"{path}: {name} has no docstring")
            given = signature(node)
            head = f"{prefix}.{name}" + (f"({given})" if given or isinstance(node, ast.FunctionDef) else "")
            out += ["", f"## {prefix}.{name}", "", "```text", head, "", text, "```"]
            for method in methods(node):
                given = ast.unparse(method.args).removeprefix("self, ").removeprefix("self")
                is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in method.decorator_list)
                head = f".{method.name}" + ("" if is_property else f"({given})")
                out += ["", "```text", head, "", ast.get_docstring(method), "```"]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    path = os.path.join(ROOT, "docs", "python", "Reference.md")
    if options.check:
        with open(path, encoding="utf-8") as file:
            same = file.read() == page()
        print("the reference is as written" if same else "run scripts/python_reference.py")
        return 0 if same else 1
    with open(path, "w", encoding="utf-8") as file:
        file.write(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
