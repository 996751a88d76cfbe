# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the Triton peers share: the order in which tiles are computed, and the choice of a configuration."""
import triton
import triton.language as tl
from triton.testing import do_bench


@triton.jit
def place(tile, tiles_m, tiles_n, GROUP: tl.constexpr):
    """Row and column of a tile. GROUP rows of tiles are computed together, column by column, so that neighbours in time
    find each other's operands in the L2 cache."""
    in_group = GROUP * tiles_n
    first = tile // in_group * GROUP
    height = min(tiles_m - first, GROUP)
    rest = tile % in_group
    return first + rest % height, rest // height


def fastest(configurations, launch):
    """(milliseconds, configuration) of the fastest of a few; what does not compile or fit is left out."""
    found, reasons = [], []
    for configuration in configurations:
        try:
            times = do_bench(lambda: launch(configuration), warmup=5, rep=20, return_mode="median")
            found.append((times, configuration))
        except Exception as failure:  # of the compiler, the assembler or the driver, which share no class
            reasons.append(f"{configuration}: {type(failure).__name__}: {failure}"[:200])
    if not found:
        raise RuntimeError("; ".join(reasons))
    return min(found, key=lambda pair: pair[0])
