# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a small encoder layer: encoder.py FOLDER [PAD [OLD NEW]], with OLD replaced by NEW."""
import sys

folder, pad, old, new = (sys.argv[1:] + ["right", "", ""][len(sys.argv) - 2:])[:4]
sys.path.insert(0, folder)
sys.dont_write_bytecode = True
from encoder_program import Shape, whole_layer  # noqa: E402

program = whole_layer(Shape(4, 16, width=64, inner=128, heads=2, pad=pad))
if old and old not in program:
    raise SystemExit(f"nothing to replace: {old}")
print(program.replace(old, new) if old else program)
