# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the buffers of a compiled program lie in its workspace, by its manifest."""
import json

import runtime

ALIGNMENT = 256
OPERATIONS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "floordiv": lambda a, b: a // b,
              "ceildiv": lambda a, b: -(-a // b), "min": min, "max": max}


def aligned(size):
    return -(-size // ALIGNMENT) * ALIGNMENT


def evaluate(expression, arguments):
    """An extent; `arguments` are (dtype, shape, ...) each."""
    if not isinstance(expression, dict):
        return expression
    if expression["op"] == "dim":
        return arguments[expression["argument"]][1][expression["axis"]]
    return OPERATIONS[expression["op"]](*[evaluate(value, arguments) for value in expression["args"]])


def is_list(dtype):
    """What is found, and which rows are whose, is integers; temporaries of kernels are floats, or bytes."""
    return dtype in ("i1", "i32", "i64")


def regions(path, arguments, size):
    """(dtype, begin, end) of each buffer: the runtime's order is that of the manifest, without the results."""
    with open(path, encoding="utf-8") as file:
        function = json.load(file)["functions"][0]
    results, place, found = {result["buffer"] for result in function["results"]}, 0, []
    for number, buffer in enumerate(function["buffers"]):
        if buffer["kind"] == "workspace" and number not in results:
            length = runtime.num_bytes(buffer["dtype"], [evaluate(extent, arguments) for extent in buffer["shape"]])
            found.append((buffer["dtype"], place, place + length))
            place += aligned(length)
    if place != size:
        raise RuntimeError(f"{path}: {place} bytes of buffers, but a workspace of {size}")
    return found
