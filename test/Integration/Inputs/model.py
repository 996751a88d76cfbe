# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a small model of benchmarks/gpu/model_program.py: model.py FOLDER FAMILY LAYERS [f32] [FIELD=NUMBER...]."""
import sys

folder, family, layers, *rest = sys.argv[1:]
sys.path.insert(0, folder)
sys.dont_write_bytecode = True
from model_program import Shape, in_f32, write  # noqa: E402

fields = {"width": 64, "inner": 96, "heads": 2, **{name: int(number) for name, _, number in
                                                   (word.partition("=") for word in rest if "=" in word)}}
if family == "switch":
    fields.setdefault("experts", 4)
program, _ = write(family, Shape(4, 16, layers=int(layers), **fields))
if "f32" in rest:
    program = in_f32(program)
print(program)
