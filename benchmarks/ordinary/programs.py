# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ordinary programs: nothing in them is sparse, and nothing is marked.

PROGRAMS is a dictionary from names ("conv3x3-nhwc:large") to `Program`s. A kind of
program is a function that is given a size and returns one; it stands in the file of its
kind with its sizes, of which one is small and odd.
"""
import dataclasses
import typing


@dataclasses.dataclass
class Program:
    """`text` is MLIR. `reference` computes the same from torch's tensors in the types of the arguments, as its users
    write it; it imports torch itself. Values of arguments are normally distributed, times `scale`, plus `offset`: what is
    added up should not cancel out, or errors would be those of the sum and not of its terms. `shapes` are those of the
    arguments where the text has none."""
    text: str
    reference: typing.Callable
    scale: float = 1.0
    offset: float = 0.0
    shapes: typing.Sequence[typing.Sequence[int]] = ()


def collect():
    import choices
    import convolutions
    import elementwise
    import products
    import reductions
    import scans
    programs = {}
    for module in (products, choices, convolutions, reductions, scans, elementwise):
        for kind, make, sizes in module.KINDS:
            for size, arguments in sizes.items():
                programs[f"{kind}:{size}"] = (make, arguments)
    return programs


def make(name):
    function, arguments = PROGRAMS[name]
    return function(**arguments)


PROGRAMS = collect()
