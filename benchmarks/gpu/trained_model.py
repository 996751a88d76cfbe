# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feed-forward layers with real activations: of a small language model, trained on the spot.

The model predicts bytes of Python's own library, which every machine has: layers as in OPT (norms first, learned positions,
ReLU), trained for some hundred steps with Adam. That is little, but zeros behind ReLU come early, and unlike drawn ones
they depend on the token and on the unit, so that neighbouring tokens share some of them and not others.
"""
import dataclasses
import os
import pathlib

import torch
from torch import nn
from torch.nn import functional

CONTEXT, BATCH = 512, 16
LEARNING_RATE, WARM_UP = 3e-4, 50


@dataclasses.dataclass
class FeedForward:
    """y = relu(x W1 + b1) W2 + b2 of a layer, with x of text that the model was not trained on."""

    x: torch.Tensor
    w1: torch.Tensor
    b1: torch.Tensor
    w2: torch.Tensor
    b2: torch.Tensor

    def live(self):
        return (self.x.float() @ self.w1.float() + self.b1.float()) > 0

    def dead_shares(self, rows, units):
        """Of single activations, and of micro-tiles of so many tokens and units that are dead as a whole."""
        live = self.live()
        tokens, inner = live.shape
        tiles = live[:tokens // rows * rows, :inner // units * units].view(tokens // rows, rows, -1, units)
        return 1 - float(live.float().mean()), 1 - float(tiles.any(3).any(1).float().mean())


class Layer(nn.Module):
    def __init__(self, width, inner, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x):
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1))
        attended = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).flatten(2))
        self.seen = self.norm2(x)
        return x + self.down(functional.relu(self.up(self.seen)))


class Model(nn.Module):
    def __init__(self, width, inner, layers):
        super().__init__()
        self.bytes, self.positions = nn.Embedding(256, width), nn.Embedding(CONTEXT, width)
        self.layers = nn.ModuleList(Layer(width, inner, max(1, width // 64)) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, std=.02)

    def forward(self, text):
        x = self.bytes(text) + self.positions.weight[:text.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return self.norm(x) @ self.bytes.weight.T


def read_text(limit):
    """(to train on, to look at): bytes of files of Python's library, by turns; the same on machines with the same one."""
    parts = [bytearray(), bytearray()]
    for number, path in enumerate(sorted(pathlib.Path(os.__file__).parent.glob("*.py"))):
        parts[number % 10 == 9] += path.read_bytes()
    return [torch.frombuffer(part[:limit], dtype=torch.uint8) for part in parts]


def train(width, inner, layers, steps, tokens, device="cuda", seed=1):
    """(FeedForward of each layer on `tokens` tokens, the last losses)"""
    torch.manual_seed(seed)
    known, unknown = (part.to(device) for part in read_text(1 << 24))
    model = Model(width, inner, layers).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), LEARNING_RATE, betas=(.9, .95))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / WARM_UP))
    losses = []
    for _ in range(steps):
        starts = torch.randint(len(known) - CONTEXT - 1, (BATCH,), device=device)
        text = known[starts[:, None] + torch.arange(CONTEXT + 1, device=device)].long()
        with torch.autocast(device, torch.bfloat16):
            logits = model(text[:, :-1])
        loss = functional.cross_entropy(logits.float().flatten(0, 1), text[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.)
        optimizer.step()
        schedule.step()
        losses.append(float(loss.detach()) if len(losses) % 50 == 0 or steps - len(losses) <= 5 else None)
    sequences = -(-tokens // CONTEXT)
    with torch.no_grad(), torch.autocast(device, torch.bfloat16):
        model(unknown[:sequences * CONTEXT].view(sequences, CONTEXT).long())

    def half(tensor):
        return tensor.detach().to(torch.bfloat16).contiguous()

    return [FeedForward(half(layer.seen.flatten(0, 1)[:tokens]), half(layer.up.weight.T), layer.up.bias.detach().float(),
                        half(layer.down.weight.T), layer.down.bias.detach().float())
            for layer in model.layers], [loss for loss in losses if loss is not None]
