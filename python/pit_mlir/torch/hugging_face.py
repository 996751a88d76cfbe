# ===- hugging_face.py - PIT in Hugging Face's transformers -----------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""PIT in Hugging Face's transformers, as one of their implementations of experts and of attention.

    pit_mlir.torch.register_hugging_face()
    model = AutoModel.from_pretrained(..., experts_implementation="pit", attn_implementation="pit")
    pit_mlir.torch.use_experts(model)       # or of a model that is there

Call the model compiled (`torch.compile(model, backend="pit")`) or as it is.
"""

import types

import torch

from ..errors import Error
from .layers import _compiled, attention, gate_of


def _dense_experts(x, gate, gate_up, down, apply_gate):
    hidden = apply_gate(torch.einsum("td,efd->tef", x, gate_up))
    # Of two at a time: of three, opt_einsum would choose an order, and fix the number of tokens.
    return torch.einsum("tef,edf->td", gate.unsqueeze(-1) * hidden, down)


def experts_forward(self, hidden_states, top_k_index, top_k_weights):
    """All experts on all tokens, weighted by a gate that is zero for experts that were not chosen: PIT visits
    the others alone. A drop-in for `ALL_EXPERTS_FUNCTIONS`."""
    if getattr(self, "has_bias", False) or getattr(self, "is_transposed", False) or not getattr(self, "has_gate", True):
        raise Error(f"experts_implementation 'pit': {type(self).__name__} has biases, transposed weights or no gate; use another one")
    gate = gate_of(top_k_index, top_k_weights, self.num_experts).to(hidden_states.dtype)
    if torch.compiler.is_compiling():
        return _dense_experts(hidden_states, gate, self.gate_up_proj, self.down_proj, self._apply_gate)
    if not hasattr(self, "_pit_mlir_call"):
        # One for each layer, as the activation is its own.
        object.__setattr__(self, "_pit_mlir_call", _compiled(lambda *given: _dense_experts(*given, self._apply_gate)))
    return self._pit_mlir_call(hidden_states, gate, self.gate_up_proj, self.down_proj)


def attention_forward(module, query, key, value, attention_mask, scaling=None, dropout=0.0, **kwargs):
    """A drop-in for `ALL_ATTENTION_FUNCTIONS`. Returns ([batch, queries, heads, width], None)."""
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    if attention_mask is not None and attention_mask.shape[-1] > key.shape[-2]:
        attention_mask = attention_mask[..., : key.shape[-2]]
    if dropout and module.training:
        raise Error("attn_implementation 'pit': there is no dropout of weights; set attention_dropout to 0")
    return attention(query, key, value, attention_mask, scaling).transpose(1, 2).contiguous(), None


def _loop_over_experts(self, hidden_states, selected_experts, routing_weights):
    """Switch's experts, which are modules of their own: each on all tokens, by its column of the gate, in the place of a loop over the tokens that chose it,
    at which graphs break. Tokens of others are zero on both sides of an expert, so that backward, to which the gate is a tensor like any
    other, has the choice at its products, too, and what forward keeps for it is computed for the chosen ones alone."""
    chosen = selected_experts[:, 0] != 0
    zero = torch.zeros((), dtype=hidden_states.dtype, device=hidden_states.device)
    result = torch.zeros_like(hidden_states)
    for number in range(self.num_experts):
        own = chosen[:, number, None]
        given = self[f"expert_{number}"](torch.where(own, hidden_states, zero))
        result = result + torch.where(own, given, zero)
    return (result * routing_weights).to(hidden_states.dtype)


def use_experts(model):
    """Has a model of transformers compute its experts as a dense program, of which PIT visits what tokens chose: where there is an
    `experts_implementation`, by "pit"; Switch's own experts as well. Changes the model, and returns it. Raises `Error` where the model has no such experts."""
    register_hugging_face()
    is_changed = False
    for module in model.modules():
        if type(module).__name__ == "SwitchTransformersExperts":
            module.forward = types.MethodType(_loop_over_experts, module)
            is_changed = True
    if not is_changed:
        if not hasattr(model, "set_experts_implementation"):
            raise Error(f"use_experts: {type(model).__name__} is no model of transformers with experts")
        model.set_experts_implementation("pit")
    return model


def register_hugging_face():
    """Makes "pit" a name for `experts_implementation` and `attn_implementation`."""
    from transformers.integrations.moe import ALL_EXPERTS_FUNCTIONS
    from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, eager_mask
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    ALL_EXPERTS_FUNCTIONS.register("pit", experts_forward)
    ALL_ATTENTION_FUNCTIONS.register("pit", attention_forward)
    ALL_MASK_ATTENTION_FUNCTIONS.register("pit", eager_mask)
