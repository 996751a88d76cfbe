#!/usr/bin/env python3
#===- in_region.py - A program whose body is in a region ------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
"""Prints a program with the body of its first function in both branches of an
scf.if, whose condition is a new last argument, with `if`; or in a loop that
runs as often as that argument says and carries the results of its last
iteration, with `for`."""

import re
import sys

path, kind = sys.argv[1:]
text = open(path).read()
found = re.search(r"^( *)func\.func @\w+\(", text, re.M)
start = found.end()
depth, at = 1, start
while depth:
    depth += {"(": 1, ")": -1}.get(text[at], 0)
    at += 1
arguments = text[start : at - 1]
returned = re.search(r"\n *return (.*) : (.*)\n *}", text[at:])
opened = text.index("{\n", at) + 2
body = text[opened : at + returned.start()]
names, types = returned.group(1), returned.group(2)
signature = text[found.start() : start] + arguments
results = ", ".join(f"%in_region#{i}" for i in range(len(names.split(","))))
count = len(names.split(","))
if kind == "if":
    branch = f"{body}\n    scf.yield {names} : {types}\n"
    inner = f"  %in_region:{count} = scf.if %chosen -> ({types}) {{\n{branch}  }} else {{\n{branch}  }}\n"
    argument = "%chosen: i1"
else:
    inner = (
        "  %from = arith.constant 0 : index\n  %step = arith.constant 1 : index\n"
        f"  %start:{count} = scf.execute_region -> ({types}) {{\n{body}\n    scf.yield {names} : {types}\n  }}\n"
        f"  %in_region:{count} = scf.for %iteration = %from to %times step %step iter_args("
        + ", ".join(f"%carried{i} = %start#{i}" for i in range(count))
        + f") -> ({types}) {{\n{body}\n    scf.yield {names} : {types}\n  }}\n"
    )
    argument = "%times: index"
head = text[: found.start()] + signature + ",\n    " + argument + text[at - 1 : opened]
print(head + inner + f"  return {results} : {types}\n" + text[at + returned.end() - 1 :])
