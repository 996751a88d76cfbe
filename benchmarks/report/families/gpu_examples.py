# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples, of f32, on a GPU: check_examples.py."""
from page import number

RESULTS = ["h200-pit-run.json"]


def inputs(program):
    """What is random of an example's inputs, without the option's name."""
    return " ".join(argument for argument in program["arguments"] if not argument.startswith("--"))


def report(contents, results):
    contents.table("gpu-examples", ["example", "inputs", "sparse, ms", "dense, ms", "ratio"], [
        [program["program"].removeprefix("examples/"), f"`{inputs(program)}`", number(program["sparse_ms"], 3),
         number(program["dense_ms"], 3), number(program["dense_ms"] / program["sparse_ms"], 2)]
        for program in results["programs"]])
