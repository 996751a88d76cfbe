#!/usr/bin/env python3
#===- check_house.py - Whether the house is as it is meant to be ----------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
"""Checks the sources of lib/ and include/PIT: that a room includes only rooms
below it, that no folder has grown too large, and that few modules (a .h and a
.cpp of one name) depend on each other in a circle.

A room is a folder with all below it, unless that is a room of its own; lib/X
and include/PIT/X are one room. Prints what is wrong, one a line, and exits
with 1 if there is anything."""

import argparse
import os
import re
import sys

# From the ground up. A room may include itself and what is above it in this
# list, but not those of the same line.
ORDER = [
    ["Support"],
    ["Interfaces"],
    ["Analysis"],
    ["GPU"],
    ["GPU/Chip"],
    ["Selection"],
    ["Dialect/PIT/IR"],
    ["Dialect/PIT/Utils"],
    ["Dialect/PIT/Analysis"],
    ["Dialect/PIT/Transforms"],
    ["Dialect/PIT/Transforms/Indexes"],
    ["Dialect/PIT/Transforms/Checks"],
    ["Dialect/PIT/Transforms/Marks"],
    ["Dialect/PIT/Transforms/Normalize"],
    ["Dialect/PIT/Transforms/Tiles"],
    ["Dialect/PIT/Transforms/Sums"],
    ["Dialect/PIT/Transforms/Attention", "Dialect/PIT/Transforms/Shard"],
    ["Dialect/PIT/Transforms/Bufferize"],
    ["Dialect/PIT/Transforms/Report"],
    ["GPU/Kernel"],
    ["GPU/Host"],
    ["GPU/Lists", "GPU/Pipeline"],
    ["GPU/Epilogue"],
    ["Conversion"],
    ["Conversion/LinalgToCPU"],
    ["Conversion/ContractionsToGPU/Form"],
    ["Conversion/ContractionsToGPU/Match"],
    ["Conversion/ContractionsToGPU/Plan"],
    ["Conversion/ContractionsToGPU/Registry"],
    ["Conversion/ContractionsToGPU/Wgmma"],
    ["Conversion/ContractionsToGPU/Wgmma/Load", "Conversion/ContractionsToGPU/Wgmma/Schedule",
     "Conversion/ContractionsToGPU/Wgmma/Write"],
    ["Conversion/ContractionsToGPU/Wgmma/Multiply"],
    ["Conversion/ContractionsToGPU/Wgmma/Loop"],
    ["Conversion/ContractionsToGPU/Wgmma/Families"],
    ["Conversion/ContractionsToGPU/Mma"],
    ["Conversion/ContractionsToGPU/Launch"],
    ["Conversion/ContractionsToGPU/Families"],
    ["Conversion/ContractionsToGPU/Passes"],
    ["Conversion/AttentionToGPU/Problem"],
    ["Conversion/AttentionToGPU/Masks"],
    ["Conversion/AttentionToGPU/Logits"],
    ["Conversion/AttentionToGPU/Steps"],
    ["Conversion/AttentionToGPU/Rows"],
    ["Conversion/AttentionToGPU/Mma", "Conversion/AttentionToGPU/Sequences", "Conversion/AttentionToGPU/Wgmma"],
    ["Conversion/AttentionToGPU/Backward"],
    ["Conversion/AttentionToGPU/Plan"],
    ["Conversion/AttentionToGPU/Passes"],
    ["Conversion/DetectToGPU", "Conversion/LinalgToGPU",
     "Conversion/LinalgToPIT", "Conversion/PiecesToGPU", "Conversion/RowsToGPU", "Conversion/SmallFloats", "Conversion/StridedMetadata", "Conversion/SumsToGPU"],
    ["Conversion/PlanKernels"],
    ["Target/PTX"],
    ["Target/Object", "Target/Runtime"],
    ["Pipelines"],
    ["InitAllDialects.h", "InitAllPasses.h"],
    ["Register"],
    ["CAPI", "Plugin"],
]

# What is not yet as it is meant to be: a line as it would be printed, and why
# it is allowed.
ALLOWED = {}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def find_files(root):
    for top in ("lib", "include/PIT"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".h", ".cpp")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def get_place(path):
    """The path within the house: lib/X and include/PIT/X are both X."""
    for top in ("lib/", "include/PIT/"):
        if path.startswith(top):
            return path[len(top):]
    return path


def get_room(path):
    place = get_place(path)
    rooms = [room for tier in ORDER for room in tier if place == room or place.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def get_rank(room):
    return next(i for i, tier in enumerate(ORDER) if room in tier)


def resolve(name, includer, files):
    """The file of the house that is included, or None for those of others."""
    for path in (os.path.normpath(os.path.join(os.path.dirname(includer), name)), "lib/" + name, "include/" + name):
        if path in files:
            return path
    return None


def read_includes(root, files):
    includes = {}
    for path in files:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            found = (resolve(name, path, files) for name in INCLUDE.findall(file.read()))
            includes[path] = sorted({other for other in found if other})
    return includes


def check_order(includes):
    for path, others in includes.items():
        room = get_room(path)
        if room is None:
            yield f"{path}: in no room that check_house.py knows"
            continue
        for other in others:
            above = get_room(other)
            if above is None or above == room:
                continue
            if get_rank(above) >= get_rank(room):
                yield f"{path}: includes {other}, but {above} is not below {room}"


def check_folders(files, most):
    counts = {}
    for path in files:
        if path.endswith(".cpp"):
            folder = os.path.dirname(path)
            counts[folder] = counts.get(folder, 0) + 1
    for folder, count in sorted(counts.items()):
        if count > most:
            yield f"{folder}: has {count} sources, more than {most}"


def find_circles(graph):
    """Strongly connected components, by Tarjan's algorithm."""
    numbers, lowest, stack, on_stack, circles = {}, {}, [], set(), []

    def visit(node):
        numbers[node] = lowest[node] = len(numbers)
        stack.append(node)
        on_stack.add(node)
        for other in graph[node]:
            if other not in numbers:
                visit(other)
                lowest[node] = min(lowest[node], lowest[other])
            elif other in on_stack:
                lowest[node] = min(lowest[node], numbers[other])
        if lowest[node] == numbers[node]:
            circle = []
            while not circle or circle[-1] != node:
                circle.append(stack.pop())
                on_stack.discard(circle[-1])
            circles.append(sorted(circle))

    sys.setrecursionlimit(10000)
    for node in graph:
        if node not in numbers:
            visit(node)
    return circles


def check_circles(includes, most):
    graph = {}
    for path, others in includes.items():
        module = os.path.splitext(get_place(path))[0]
        targets = graph.setdefault(module, set())
        targets.update(os.path.splitext(get_place(other))[0] for other in others)
        targets.discard(module)
    for circle in find_circles(graph):
        if len(circle) > most:
            yield f"{circle[0]}: in a circle of {len(circle)} modules, more than {most}: {' '.join(circle)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", help="folder of lib/ and include/PIT, if it is not the one that this script is in; "
                        "nothing is allowed there that is not said here")
    parser.add_argument("--allow", action="append", default=[], metavar="LINE", help="a line that is not to be printed")
    parser.add_argument("--most-sources", type=int, default=40, metavar="N", help="of a folder (default: 40)")
    parser.add_argument("--most-of-circle", type=int, default=4, metavar="N", help="modules (default: 4)")
    options = parser.parse_args()
    root = options.root or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    allowed = [*options.allow, *([] if options.root else ALLOWED)]
    files = set(find_files(root))
    if not files:
        sys.exit(f"{root}: has no sources in lib or include/PIT")
    includes = read_includes(root, sorted(files))
    findings = [*check_order(includes), *check_folders(sorted(files), options.most_sources),
                *check_circles(includes, options.most_of_circle)]
    wrong = [finding for finding in findings if finding not in allowed]
    # An allowance that nothing needs any more would hide what comes later.
    wrong += [f"allowed, but not there: {line}" for line in allowed if line not in findings]
    for line in wrong:
        print(line)
    print(f"{len(files)} files, {len(wrong)} wrong, {len(allowed)} allowed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
