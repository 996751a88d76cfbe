# ===- relu.py - Feed-forward layers with ReLU -------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Feed-forward layers as OPT has them, most of whose activations are zero: forward and all gradients.

A share of the units, or of groups of them, is dead for all tokens (a bias far below zero); the others are live for about
half of them. Only the ReLU is marked, by micro-tiles of 32 tokens.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F

import pit_mlir
from layers import Compiled, Eager


@dataclass(frozen=True)
class ReluStep:
    tokens: int
    dim: int
    hidden: int
    dead: float
    units: int = 64  # that are dead together

    wrt = (0, 1, 2, 3, 4)
    results = ("y", "dx", "dup", "dbias_up", "ddown", "dbias_down")

    def function(self, x, up, bias_up, down, bias_down, marked=True):
        h = F.relu(F.linear(x, up, bias_up))
        if marked:
            h = pit_mlir.sparse(h, granularity=(64, 64))
        return F.linear(h, down, bias_down)

    def inputs(self, device):
        made = {"device": device, "dtype": torch.bfloat16}

        def weight(*shape):
            return torch.randn(*shape, **made) * shape[-1] ** -0.5

        if device == "meta":
            bias = torch.empty(self.hidden, **made)
        else:
            generator = torch.Generator(device="cpu").manual_seed(1)
            dead = (torch.rand(self.hidden // self.units, generator=generator) < self.dead).repeat_interleave(self.units)
            bias = torch.where(dead.to(device), -100.0, torch.randn(self.hidden, device=device) * 0.1).to(torch.bfloat16)
        return (torch.randn(self.tokens, self.dim, **made), weight(self.hidden, self.dim), bias, weight(self.dim, self.hidden), torch.randn(self.dim, **made))

    def reference(self, *inputs):
        """In f32."""
        *inputs, dy = inputs
        leaves = [v.float().requires_grad_() for v in inputs]
        y = self.function(*leaves, marked=False)
        return (y.detach(), *torch.autograd.grad(y, leaves, dy.float()))

    def peers(self, inputs, dy):
        unmarked = lambda *values: self.function(*values, marked=False)  # noqa: E731
        made = {"torch": Eager, "torch-compiled": Compiled}
        return {name: lambda step, inputs, dy, kind=kind: kind(step, inputs, dy, unmarked) for name, kind in made.items()}


CASES = {
    f"relu-{name}-{percent}{'' if units == 64 else f'-units-{units}'}": ReluStep(*shape, dead=percent / 100, units=units)
    for name, shape in {"opt-1.3b": (4096, 2048, 8192), "opt-125m": (8192, 768, 3072)}.items()
    for units in (64, 1)
    for percent in (0, 50, 90, 99)
}
