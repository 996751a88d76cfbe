# ===- sdpa.py - scaled_dot_product_attention, written out ------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""torch's scaled_dot_product_attention, written so that PIT sees one attention: torch's own formula multiplies queries
and keys by the root of the scale, in f32, and is then a product of f32."""

import torch


def sdpa(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """The same function: f32 sums and softmax for 16 bits, and 0 in rows without a live key."""
    if dropout_p or query.dim() < 2:
        return NotImplemented
    kind = torch.float32 if query.dtype in (torch.bfloat16, torch.float16) else query.dtype
    if enable_gqa:
        groups = query.shape[-3] // key.shape[-3]
        key, value = (
            x.unsqueeze(-3).expand(*x.shape[:-2], groups, *x.shape[-2:]).reshape(*x.shape[:-3], x.shape[-3] * groups, *x.shape[-2:])
            for x in (key, value)
        )
    scores = query.to(kind) @ key.to(kind).transpose(-1, -2) * (query.shape[-1] ** -0.5 if scale is None else scale)
    none = torch.full((), -torch.inf, dtype=kind, device=query.device)
    if is_causal:
        rows, columns = (torch.arange(n, device=query.device) for n in (query.shape[-2], key.shape[-2]))
        attn_mask = rows[:, None] >= columns[None, :]
    if attn_mask is None:
        return (torch.softmax(scores, -1) @ value.to(kind)).to(query.dtype)
    scores = torch.where(attn_mask, scores, none) if attn_mask.dtype is torch.bool else scores + attn_mask
    dead = ~(scores != none).any(-1, keepdim=True)
    weights = torch.where(dead, torch.zeros((), dtype=kind, device=query.device), torch.softmax(scores, -1))
    return (weights @ value.to(kind)).to(query.dtype)


def replace(module):
    """Dynamo's graph with it in the place of torch's. AOTAutograd would take torch's apart itself."""
    targets = (torch.nn.functional.scaled_dot_product_attention, torch._C._nn.scaled_dot_product_attention)
    nodes = [node for node in module.graph.nodes if node.op == "call_function" and node.target in targets]
    nodes = [node for node in nodes if not (node.args[4] if len(node.args) > 4 else node.kwargs.get("dropout_p"))]
    for node in nodes:
        node.target = sdpa
    if nodes:
        module.recompile()
    return module
