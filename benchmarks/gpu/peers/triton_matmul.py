# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A dense product in Triton: tiles through the copy engine, by blocks that stay or by one block per tile."""
import dataclasses

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from peers.peer import Peer
from peers.triton_tiles import fastest, place


@triton.jit
def matmul_kernel(a, b, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                  GROUP: tl.constexpr, STAYS: tl.constexpr, PARTS: tl.constexpr):
    """C = A * B for descriptors of bf16; each tile of C is stored in one or two PARTS."""
    tiles_m, tiles_n, steps = tl.cdiv(m, BLOCK_M), tl.cdiv(n, BLOCK_N), tl.cdiv(k, BLOCK_K)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0), flatten=STAYS):
        row, column = place(tile, tiles_m, tiles_n, GROUP)
        total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for step in range(steps):
            left = a.load([row * BLOCK_M, step * BLOCK_K])
            right = b.load([step * BLOCK_K, column * BLOCK_N])
            total = tl.dot(left, right, total)
        if PARTS == 1:
            c.store([row * BLOCK_M, column * BLOCK_N], total.to(tl.bfloat16))
        else:
            # Half of the tile takes half of the shared memory on its way out, which leaves room for a stage more.
            half: tl.constexpr = BLOCK_N // 2
            first, second = tl.split(total.reshape(BLOCK_M, 2, half).permute(0, 2, 1))
            c.store([row * BLOCK_M, column * BLOCK_N], first.to(tl.bfloat16))
            c.store([row * BLOCK_M, column * BLOCK_N + half], second.to(tl.bfloat16))


@dataclasses.dataclass
class Configuration:
    block_m: int
    block_n: int
    stages: int
    warps: int = 8
    block_k: int = 64
    stays: bool = False  # as many blocks as multiprocessors, each computing several tiles
    parts: int = 1
    group: int = 8


CONFIGURATIONS = [Configuration(128, 256, 4, stays=True, parts=2), Configuration(128, 256, 3, stays=True),
                  Configuration(128, 256, 4, parts=2), Configuration(128, 256, 3), Configuration(256, 128, 3),
                  Configuration(128, 128, 3, warps=4, parts=2)]


def launch(a, b, c, how):
    (m, k), n = a.shape, b.shape[1]
    tiles = triton.cdiv(m, how.block_m) * triton.cdiv(n, how.block_n)
    blocks = min(tiles, torch.cuda.get_device_properties(a.device).multi_processor_count) if how.stays else tiles
    matmul_kernel[(blocks,)](
        TensorDescriptor.from_tensor(a, [how.block_m, how.block_k]),
        TensorDescriptor.from_tensor(b, [how.block_k, how.block_n]),
        TensorDescriptor.from_tensor(c, [how.block_m, how.block_n // how.parts]), m, n, k,
        BLOCK_M=how.block_m, BLOCK_N=how.block_n, BLOCK_K=how.block_k, GROUP=how.group, STAYS=how.stays,
        PARTS=how.parts, num_warps=how.warps, num_stages=how.stages)


class TritonMatmul(Peer):
    """Of A [m, k] and B [k, n], bf16, the fastest configuration of a few."""

    def setup(self, data):
        out = torch.empty(data.a.shape[0], data.b.shape[1], dtype=data.a.dtype, device=data.a.device)
        candidates = CONFIGURATIONS[:1] if self.quick else CONFIGURATIONS
        _, how = fastest(candidates, lambda how: launch(data.a, data.b, out, how))
        self.facts = {"configuration": dataclasses.asdict(how)}

        def run():
            launch(data.a, data.b, out, how)
            return out

        return run
