# ===- layers.py - Layers that are written dense and compiled ---------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Layers that are written dense and compiled: experts, attention, a linear layer of padded rows.

Each is a function of tensors with a gradient, and a module. Inside of a model that `torch.compile`
compiles they are part of it; called alone, they are compiled for the shapes that come, dynamic ones
included. What does not compile raises, as the dense program would take many times the memory and time.
"""

import functools

import torch
from torch import nn

from ..errors import ArgumentError
from .marks import is_traced, sparse

ACTIVATIONS = {
    "relu": torch.relu,
    "gelu": nn.functional.gelu,
    "silu": nn.functional.silu,
    "tanh": torch.tanh,
    "identity": lambda x: x,
}


def _compiled(function):
    """The function itself inside of another compilation, else compiled by PIT at its first call."""
    found = []

    @functools.wraps(function)
    def call(*args, **kwargs):
        if is_traced():
            return function(*args, **kwargs)
        if not found:
            found.append(torch.compile(function, backend="pit", fullgraph=True, options={"fallback": "error"}))
        return found[0](*args, **kwargs)

    return call


def _need(condition, message):
    """The message is a function: writing extents into a text would make constants of them."""
    if not condition:
        raise ArgumentError(message())


def gate_of(chosen, weights, experts):
    """Weights of the chosen experts in their columns, zero in others: [..., k] to [..., experts]. Of equal choices their sum.
    `one_hot` would check the choices of all tokens, so that those of padding were needed, too."""
    numbers = torch.arange(experts, device=chosen.device)
    return ((chosen.unsqueeze(-1) == numbers).to(weights.dtype) * weights.unsqueeze(-1)).sum(-2)


def _experts(x, gate, w1, w2, w3, b1, b2, act, at_most):
    gate = sparse(gate, axes=(0, 1), at_most=at_most)
    hidden = torch.einsum("td,edf->tef", x, w1)
    if b1 is not None:
        hidden = hidden + b1
    hidden = ACTIVATIONS[act](hidden)
    if w3 is not None:
        hidden = hidden * torch.einsum("td,edf->tef", x, w3)
    # Of two at a time: of three, opt_einsum would choose an order, and fix the number of tokens.
    result = torch.einsum("tef,efd->td", gate.unsqueeze(-1) * hidden, w2)
    return result if b2 is None else result + gate @ b2


_compiled_experts = _compiled(_experts)


def experts(x, gate, w1, w2, act="silu", w3=None, b1=None, b2=None, at_most=None):
    """A mixture of experts: `y[t] = sum over e of gate[t, e] * (act(x[t] @ w1[e]) * (x[t] @ w3[e])) @ w2[e]`.

    x        [tokens, dim]
    gate     [tokens, experts], zero for experts that a token is not given to
    w1, w3   [experts, dim, hidden]; w3 may be None, then there is no second factor
    w2       [experts, hidden, dim]
    b1, b2   [experts, hidden] and [experts, dim], or None
    act      "relu", "gelu", "silu", "tanh" or "identity"
    at_most  the most experts of a token, if the caller knows it: the k of a top-k

    Returns [tokens, dim]. Differentiable in all tensors; a weight of `gate` that is zero gets no gradient. Raises
    ArgumentError, pit_mlir.Error.
    """
    _need(act in ACTIVATIONS, lambda: f"act: expected one of {', '.join(ACTIVATIONS)}, got {act!r}")
    _need(x.dim() == 2 and gate.dim() == 2 and gate.shape[0] == x.shape[0], lambda: f"gate: expected [{x.shape[0]}, experts], got {list(gate.shape)}")
    shape = (gate.shape[1], x.shape[1], w1.shape[-1])
    for name, tensor, expected in (
        ("w1", w1, shape),
        ("w3", w3, shape),
        ("w2", w2, (shape[0], shape[2], shape[1])),
        ("b1", b1, (shape[0], shape[2])),
        ("b2", b2, (shape[0], shape[1])),
    ):
        if tensor is not None and tuple(tensor.shape) != tuple(expected):
            raise ArgumentError(f"{name}: expected {list(expected)}, got {list(tensor.shape)}")
    return _compiled_experts(x, gate, w1, w2, w3, b1, b2, act, at_most)


def _attention(q, k, v, mask, scale):
    scores = q @ k.transpose(-1, -2) * scale
    if mask is not None:
        if mask.dtype is torch.bool:
            scores = torch.where(mask, scores, torch.full((), -torch.inf, dtype=scores.dtype, device=scores.device))
        else:
            scores = scores + mask
    return torch.softmax(scores, -1) @ v


_compiled_attention = _compiled(_attention)


def attention(q, k, v, mask=None, scale=None):
    """Attention: `softmax(scale * q kᵀ, where the mask holds) v`.

    q, k, v  [..., queries or keys, width]; as many keys as values
    mask     of truth values, or of numbers that are added to the scores; broadcast to [..., queries, keys]
    scale    1 / sqrt(width) by default

    Returns [..., queries, width of v]; NaN in rows without a live key, as the formula has it. Differentiable.
    """
    _need(q.dim() >= 2 and q.dim() == k.dim() == v.dim(), lambda: "q, k, v: expected tensors of one rank, two or more")
    _need(q.shape[-1] == k.shape[-1] and k.shape[-2] == v.shape[-2], lambda: f"k, v: do not fit q: {list(q.shape)}, {list(k.shape)}, {list(v.shape)}")
    return _compiled_attention(q, k, v, mask, q.shape[-1] ** -0.5 if scale is None else float(scale))


def _linear(x, w, bias, lengths, mask):
    source, by = ("lengths", lengths) if lengths is not None else ("mask", mask)
    axes = (0, 1) if lengths is not None else tuple(range(mask.dim()))
    result = sparse(x, source, by, axes) @ w.transpose(0, 1)
    if bias is not None:
        result = sparse(result + bias, source, by, axes)
    return result


_compiled_linear = _compiled(_linear)


def linear(x, w, bias=None, lengths=None, mask=None):
    """A linear layer of rows some of which do not count: `x @ wᵀ + bias` in those that do, zero in the others.

    x        [batch, positions, dim], or with a mask of rank one [rows, dim]
    w, bias  [out, dim], and [out] or None
    lengths  [batch], integers: positions from there on are padding; or
    mask     of the shape of x without its last axis: rows where it is zero do not count

    Returns [..., out]. Differentiable. Raises ArgumentError, pit_mlir.Error.
    """
    _need((lengths is None) != (mask is None), lambda: "linear takes lengths or a mask, and one of them")
    _need(w.dim() == 2 and w.shape[1] == x.shape[-1], lambda: f"w: expected [out, {x.shape[-1]}], got {list(w.shape)}")
    _need(bias is None or tuple(bias.shape) == (w.shape[0],), lambda: f"bias: expected [{w.shape[0]}]")
    _need(lengths is None or x.dim() == 3, lambda: f"lengths: expected x of rank 3, got {x.dim()}")
    _need(mask is None or mask.dim() == x.dim() - 1, lambda: f"mask: expected rank {x.dim() - 1}")
    return _compiled_linear(x, w, bias, lengths, mask)


class Experts(nn.Module):
    """A layer of experts behind a router that gives each token to `top_k` of them: see `experts`.

    Weights of the chosen experts are those of the softmax, divided by their sum where `normalize` holds.
    """

    def __init__(self, dim, hidden, num_experts, top_k, act="silu", gated=True, normalize=True, device=None, dtype=None):
        super().__init__()
        made = {"device": device, "dtype": dtype}
        self.top_k, self.act, self.normalize = top_k, act, normalize
        self.router = nn.Linear(dim, num_experts, bias=False, **made)
        self.w1 = nn.Parameter(torch.empty(num_experts, dim, hidden, **made))
        self.w3 = nn.Parameter(torch.empty(num_experts, dim, hidden, **made)) if gated else None
        self.w2 = nn.Parameter(torch.empty(num_experts, hidden, dim, **made))
        for weight in (self.w1, self.w3, self.w2):
            if weight is not None:
                nn.init.normal_(weight, std=weight.shape[1] ** -0.5)

    def forward(self, x):
        weights, chosen = torch.topk(torch.softmax(self.router(x), -1), self.top_k)
        if self.normalize:
            weights = weights / weights.sum(-1, keepdim=True)
        gate = gate_of(chosen, weights, self.w1.shape[0]).to(x.dtype)
        shape = x.shape
        y = experts(x.reshape(-1, shape[-1]), gate.reshape(-1, gate.shape[-1]), self.w1, self.w2, self.act, self.w3, at_most=self.top_k)
        return y.reshape(shape)


class Linear(nn.Linear):
    """`torch.nn.Linear` whose call takes `lengths=` or `mask=`: see `linear`."""

    def forward(self, x, lengths=None, mask=None):
        if lengths is None and mask is None:
            return super().forward(x)
        return linear(x, self.weight, self.bias, lengths, mask)
