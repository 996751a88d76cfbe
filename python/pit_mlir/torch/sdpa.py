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


def _scores(query, key, mask, is_causal, scale, kind):
    """Scores and where they are dead: scaled, masked, of type `kind`."""
    scores = query.to(kind) @ key.to(kind).transpose(-1, -2) * scale
    none = torch.full((), -torch.inf, dtype=kind, device=query.device)
    if is_causal:
        rows, columns = (torch.arange(n, device=query.device) for n in (query.shape[-2], key.shape[-2]))
        mask = rows[:, None] >= columns[None, :]
    if mask is None:
        return scores
    return torch.where(mask, scores, none) if mask.dtype is torch.bool else scores + mask


def _softmax(scores, is_masked):
    """Weights, 0 in rows without a live key, and the logarithms of the sums of exponentials."""
    largest = scores.amax(-1, keepdim=True)
    if is_masked:
        largest = torch.where(largest == -torch.inf, torch.zeros_like(largest), largest)
    weights = torch.exp(scores - largest)
    sums = weights.sum(-1, keepdim=True)
    lse = largest + torch.log(sums)
    if is_masked:
        sums = torch.where(sums == 0, torch.ones_like(sums), sums)
    return weights / sums, lse


class _Attention(torch.autograd.Function):
    """Attention whose backward computes weights again, so that no tensor of queries by keys is kept between the two (Dao et
    al., "FlashAttention", 2022). What is added to scores has a gradient if it asks for one."""

    @staticmethod
    def forward(ctx, query, key, value, mask, is_causal, scale):
        kind = torch.float32
        is_masked = is_causal or mask is not None
        weights, lse = _softmax(_scores(query, key, mask, is_causal, scale, kind), is_masked)
        out = (weights @ value.to(kind)).to(query.dtype)
        ctx.save_for_backward(query, key, value, mask, out, lse)
        ctx.is_causal, ctx.scale = is_causal, scale
        return out

    @staticmethod
    def backward(ctx, gradient):
        query, key, value, mask, out, lse = ctx.saved_tensors
        kind = torch.float32
        scores = _scores(query, key, mask, ctx.is_causal, ctx.scale, kind)
        weights = torch.exp(scores - lse)
        if ctx.is_causal or mask is not None:
            weights = torch.where(lse == -torch.inf, torch.zeros((), dtype=kind, device=query.device), weights)
        wide = gradient.to(kind)
        delta = (wide * out.to(kind)).sum(-1, keepdim=True)
        of_logits = weights * (wide @ value.to(kind).transpose(-1, -2) - delta)
        of_mask = of_logits.sum_to_size(mask.shape).to(mask.dtype) if ctx.needs_input_grad[3] else None
        of_scores = of_logits * ctx.scale
        of_query = (of_scores @ key.to(kind)).to(query.dtype)
        of_key = (of_scores.transpose(-1, -2) @ query.to(kind)).to(key.dtype)
        of_value = (weights.transpose(-1, -2) @ wide).to(value.dtype)
        return of_query, of_key, of_value, of_mask, None, None


def sdpa(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """The same function: f32 sums and softmax for 16 bits, and 0 in rows without a live key."""
    if dropout_p or query.dim() < 2:
        return NotImplemented
    is_narrow = query.dtype in (torch.bfloat16, torch.float16)
    if enable_gqa:
        groups = query.shape[-3] // key.shape[-3]
        key, value = (
            x.unsqueeze(-3).expand(*x.shape[:-2], groups, *x.shape[-2:]).reshape(*x.shape[:-3], x.shape[-3] * groups, *x.shape[-2:])
            for x in (key, value)
        )
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    tensors = (query, key, value)
    is_trained = torch.is_grad_enabled() and any(x.requires_grad for x in tensors)
    # Kernels of gradients take 16 bits, and as many batches for each.
    same = all(x.shape[:-2] == query.shape[:-2] and x.dtype == query.dtype for x in tensors)
    if is_narrow and is_trained and same:
        return _Attention.apply(query, key, value, attn_mask, is_causal, scale)
    kind = torch.float32 if is_narrow else query.dtype
    scores = _scores(query, key, attn_mask, is_causal, scale, kind)
    if attn_mask is None and not is_causal:
        return (torch.softmax(scores, -1) @ value.to(kind)).to(query.dtype)
    dead = ~(scores != -torch.inf).any(-1, keepdim=True)
    weights = torch.where(dead, torch.zeros((), dtype=kind, device=query.device), torch.softmax(scores, -1))
    return (weights @ value.to(kind)).to(query.dtype)


class Replaced(torch.overrides.TorchFunctionMode):
    """Where it is entered, torch's function is this one."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function in _TARGETS:
            found = sdpa(*args, **kwargs)
            if found is not NotImplemented:
                return found
        return function(*args, **kwargs)


_TARGETS = (torch.nn.functional.scaled_dot_product_attention, torch._C._nn.scaled_dot_product_attention)


_BEFORE = "pit_mlir_before"


def replace(module):
    """Dynamo's graph with it in the place of torch's. AOTAutograd would take torch's apart itself."""
    nodes = [node for node in module.graph.nodes if node.op == "call_function" and node.target in _TARGETS]
    nodes = [node for node in nodes if not (node.args[4] if len(node.args) > 4 else node.kwargs.get("dropout_p"))]
    for node in nodes:
        node.meta[_BEFORE] = node.target
        node.target = sdpa
    if nodes:
        module.recompile()
    return module


def restore(module):
    """Takes `replace` back."""
    nodes = [node for node in module.graph.nodes if _BEFORE in node.meta]
    for node in nodes:
        node.target = node.meta.pop(_BEFORE)
    if nodes:
        module.recompile()
    return module
