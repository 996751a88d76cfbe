# ===- importer.py - From functions of JAX to linalg on tensors -------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""From functions of JAX to linalg on tensors: `jax.export`, and jaxlib's own passes in a child."""

import os
import re
import subprocess
import sys

import jax
from jax import export

from .. import cache
from ..errors import ImporterError

# Changes when what is imported from the same program does.
VERSION = "jax importer 2"


def _first_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = [line for line in lines if "error:" in line]
    return (said or lines or ["no reason given"])[0][:400]


def _blamed(text):
    found = re.search(r"'((?:stablehlo|chlo|mhlo)\.[\w.]+)'", text)
    return found.group(1) if found else None


def _to_linalg(text, timeout=600):
    child = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lower_child.py")
    try:
        done = subprocess.run([sys.executable, child], input=text, capture_output=True, text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        raise ImporterError(f"jaxlib took more than {timeout} s and was ended") from None
    if done.returncode < 0:
        raise ImporterError(f"jaxlib died of signal {-done.returncode}", _blamed(done.stderr))
    if done.returncode:
        raise ImporterError(_first_line(done.stderr), _blamed(done.stderr))
    left = re.search(r'^\s*(?:%.* = )?"?((?:stablehlo|chlo|mhlo)\.[\w.]+)', done.stdout, re.MULTILINE)
    if left:
        raise ImporterError(f"jaxlib leaves {left.group(1)}, which is not linalg", left.group(1))
    return done.stdout


def stablehlo_of(function, shapes):
    """StableHLO of a function of arrays with these shapes, as `jax.jit` would compile it."""
    try:
        return export.export(jax.jit(function, keep_unused=True))(*shapes).mlir_module()
    except ValueError as error:
        # What cannot be exported, such as a call of a kernel of another library.
        raise ImporterError(_first_line(str(error))) from None


def to_mlir(function, shapes):
    """The program of a function as text with the places of Python's source."""
    text = stablehlo_of(function, shapes)
    # Places and names of modules do not change what is computed.
    plain = re.sub(r"\s*loc\((?:[^()]|\([^()]*\))*\)|^#loc.*$|@jit_\w+", "", text, flags=re.MULTILINE)

    def make(path):
        lowered = _to_linalg(text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(lowered)

    with open(cache.get(cache.key_of(VERSION, plain), ".mlir", make), encoding="utf-8") as file:
        return file.read()
