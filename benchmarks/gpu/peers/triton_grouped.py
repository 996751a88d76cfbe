# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of the rows of each expert in Triton, in one launch.

Rows are listed by `slots`, expert by expert, each expert's list filled up to a multiple of the tile's height, so that a tile
has one expert, whom `owners` names. A slot is a token's choice: number of the token * choices per token + choice. Rows of A
are gathered where they are loaded, or those of C scattered where they are stored, so that no copy of tokens is made.
"""
import dataclasses

import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from peers.triton_tiles import place


@triton.jit
def activate(x, gated_by, HOW: tl.constexpr):
    if HOW == "relu":
        return tl.maximum(x, 0.0)
    if HOW == "gelu":
        return 0.5 * x * (1.0 + tl.erf(x * 0.70710678))
    if HOW == "swiglu":
        return x * tl.sigmoid(x) * gated_by
    return x


@triton.jit(do_not_specialize=["experts", "slot_count", "top_k"])
def grouped_kernel(a, weights, c, slots, owners, scales, experts, slot_count, top_k, n, k,
                   FIRST: tl.constexpr, ACTIVATION: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                   BLOCK_K: tl.constexpr, GROUP: tl.constexpr):
    """The FIRST product gathers tokens (`a` is a pointer), activates and leaves its rows in the order of the list. The second
    finds them so (`a` is a descriptor), weights and scatters them. `weights` is a descriptor of [experts * k, columns]."""
    tiles_n = tl.cdiv(n, BLOCK_N)
    row, column = place(tl.program_id(0), tl.num_programs(0) // tiles_n, tiles_n, GROUP)
    expert = tl.load(owners + row)
    if expert >= experts:
        return
    place_of_row = row * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = column * BLOCK_N + tl.arange(0, BLOCK_N)
    slot = tl.load(slots + place_of_row)
    live = slot < slot_count
    if FIRST:
        # What fills a list up multiplies the first token; nobody reads the result.
        token = tl.where(live, slot // top_k, 0)
        pointers = a + token[:, None].to(tl.int64) * k + tl.arange(0, BLOCK_K)[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    gated_by = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for step in range(tl.cdiv(k, BLOCK_K)):
        if FIRST:
            left = tl.load(pointers + step * BLOCK_K)
        else:
            left = a.load([row * BLOCK_M, step * BLOCK_K])
        depth = expert * k + step * BLOCK_K
        total = tl.dot(left, weights.load([depth, column * BLOCK_N]), total)
        if ACTIVATION == "swiglu":
            gated_by = tl.dot(left, weights.load([depth, n + column * BLOCK_N]), gated_by)
    total = activate(total, gated_by, ACTIVATION)
    inside = columns[None, :] < n
    if FIRST:
        tl.store(c + place_of_row[:, None].to(tl.int64) * n + columns[None, :], total.to(tl.bfloat16), mask=inside)
    else:
        scale = tl.load(scales + slot, mask=live, other=0.0)
        tl.store(c + slot[:, None].to(tl.int64) * n + columns[None, :], (total * scale[:, None]).to(tl.bfloat16),
                 mask=live[:, None] & inside)


@dataclasses.dataclass
class Configuration:
    block_m: int
    block_n: int  # columns of sums; each of the two products of a gated one has half as many
    stages: int
    warps: int
    block_k: int = 64
    group: int = 8


# By the height of tiles, which the list of rows depends on; both products of a layer have the same.
CONFIGURATIONS = {
    16: [Configuration(16, 128, 4, 4, block_k=128), Configuration(16, 128, 4, 4)],
    64: [Configuration(64, 256, 4, 4), Configuration(64, 128, 4, 4), Configuration(64, 128, 3, 4, block_k=128)],
    128: [Configuration(128, 256, 4, 8), Configuration(128, 256, 3, 8), Configuration(128, 128, 3, 4)],
}


def launch(a, weights, c, listed, scales, how, first=False, activation=""):
    """C of the rows that are `listed` (slots, owners, number of slots that count, slots per token); weights are
    [experts, k, columns]."""
    slots, owners, slot_count, top_k = listed
    (experts, k, width), n = weights.shape, c.shape[1]
    if k % how.block_k:
        raise ValueError(f"{k} is no multiple of {how.block_k}")
    columns = how.block_n // 2 if activation == "swiglu" else how.block_n
    grid = (owners.shape[0] * triton.cdiv(n, columns),)
    grouped_kernel[grid](
        a if first else TensorDescriptor.from_tensor(a, [how.block_m, how.block_k]),
        TensorDescriptor.from_tensor(weights.view(experts * k, width), [how.block_k, columns]), c, slots, owners, scales,
        experts, slot_count, top_k, n, k, FIRST=first, ACTIVATION=activation, BLOCK_M=how.block_m, BLOCK_N=columns,
        BLOCK_K=how.block_k, GROUP=how.group, num_warps=how.warps, num_stages=how.stages)
