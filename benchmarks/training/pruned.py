# ===- pruned.py - Feed-forward layers whose weights are pruned by blocks ---------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Two linear layers with masked weights, written dense: forward and all gradients.

Weights are [out, in], as torch has them, and are multiplied by a mask in each step, so that what the mask leaves out gets no
gradient. The mask is an argument, of truth values or of numbers, or it is computed from the weights: a block lives if
the sum of its magnitudes is above a threshold that is an argument, so that masks may change in every step.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F

from layers import Compiled, Eager


class Products(Eager):
    """The six products of whole matrices alone, without a mask."""

    def __init__(self, step, inputs, dy):
        x, up, down = inputs[:3]
        self.x, self.dy, self.up, self.down = (v.flatten(0, -2) if v is x or v is dy else v for v in (x, dy, up, down))
        self.h = self.x @ self.up.T

    def __call__(self):
        h = self.x @ self.up.T
        y = self.h @ self.down.T
        return (y, self.dy @ self.down, self.dy.T @ self.h, self.h @ self.up, h.T @ self.x)

    def results(self, found):
        return ()


@dataclass(frozen=True)
class PrunedStep:
    tokens: int
    dim: int
    hidden: int
    block: tuple = (32, 64)
    live: float = 0.1
    source: str = "bits"  # or "numbers", or "magnitudes"

    wrt = (0, 1, 2)
    results = ("y", "dx", "dup", "ddown")

    def mask(self, weight, by):
        if self.source == "bits":
            return torch.where(by, weight, 0)
        if self.source == "numbers":
            return weight * by
        rows, columns = weight.shape
        r, c = self.block
        with torch.no_grad():
            sums = weight.view(rows // r, r, columns // c, c).float().abs().sum((1, 3))
            alive = (sums > by)[:, None, :, None].expand(-1, r, -1, c).reshape(rows, columns)
        return torch.where(alive, weight, 0)

    def function(self, x, up, down, by_up, by_down):
        h = F.gelu(F.linear(x, self.mask(up, by_up)), approximate="tanh")
        return F.linear(h, self.mask(down, by_down))

    def inputs(self, device):
        made = {"device": device, "dtype": torch.bfloat16}

        def weight(*shape):
            return torch.randn(*shape, **made) * shape[-1] ** -0.5

        weights = weight(self.hidden, self.dim), weight(self.dim, self.hidden)
        masks = []
        for number, w in enumerate(weights):
            if self.source == "magnitudes":
                masks.append(torch.empty(1, dtype=torch.float32, device=device) if device == "meta" else self.threshold(w))
                continue
            dtype = torch.bool if self.source == "bits" else torch.bfloat16
            if device == "meta":
                masks.append(torch.empty(w.shape, dtype=dtype, device=device))
                continue
            generator = torch.Generator(device="cpu").manual_seed(number)
            grid = [-(-extent // size) for extent, size in zip(w.shape, self.block)]
            alive = torch.rand(grid, generator=generator) < self.live
            alive = alive.repeat_interleave(self.block[0], 0).repeat_interleave(self.block[1], 1)
            masks.append(alive[: w.shape[0], : w.shape[1]].to(device=device, dtype=dtype).contiguous())
        return (torch.randn(self.tokens, self.dim, **made), *weights, *masks)

    def threshold(self, w):
        """That which `live` of the blocks are above. Scales blocks of the weight so that their sums differ."""
        rows, columns = (extent // size for extent, size in zip(w.shape, self.block))
        blocks = w.view(rows, self.block[0], columns, self.block[1])
        generator = torch.Generator(device="cpu").manual_seed(rows)
        blocks *= (0.5 + torch.rand(rows, 1, columns, 1, generator=generator)).to(w)
        return blocks.float().abs().sum((1, 3)).flatten().quantile(1 - self.live).reshape(1)

    def reference(self, *inputs):
        """In f32, with the masks of the weights as they are."""
        *inputs, dy = inputs
        leaves = [v.float().requires_grad_() if number in self.wrt else v for number, v in enumerate(inputs)]
        if self.source == "numbers":
            leaves[3:] = [v.float() for v in leaves[3:]]
        y = self.function(*leaves)
        found = torch.autograd.grad(y, [leaves[number] for number in self.wrt], dy.float())
        return (y.detach(), *found)

    def peers(self, inputs, dy):
        return {"torch": Eager, "torch-compiled": Compiled, "products": Products}


CASES = {
    f"pruned-{name}-{percent}": PrunedStep(*shape, live=percent / 100)
    for name, shape in {"bert": (256 * 128, 768, 3072), "opt-1.3b": (8 * 1024, 2048, 8192), "short": (4096, 768, 3072)}.items()
    for percent in (2, 5, 10, 20, 30, 50, 100)
    if name == "bert" or percent in (5, 10, 100)
}
CASES["pruned-bert-64x64-10"] = PrunedStep(256 * 128, 768, 3072, (64, 64))
CASES["pruned-bert-numbers-10"] = PrunedStep(256 * 128, 768, 3072, source="numbers")
CASES["pruned-bert-magnitudes-10"] = PrunedStep(256 * 128, 768, 3072, source="magnitudes")
CASES["pruned-bert-elements-10"] = PrunedStep(256 * 128, 768, 3072, (1, 1))
CASES["pruned-small-10"] = PrunedStep(200, 96, 160, (32, 32))
