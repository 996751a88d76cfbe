#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports modules of Hugging Face's transformers as they are, one .mlir file each, without a mark.

    pip install torch torch-mlir transformers
    python3 examples/torch/hugging_face.py OUT [--only NAME]

Configurations are small and weights random, so that programs compile and run in seconds. Weights are arguments behind the
inputs. Encoders and decoders get embeddings and a mask of 0 and 1, as a tokenizer makes it, and the results of positions
that do not count are 0, as a loss or a mean over positions that count makes them. Blocks of experts get hidden states;
their experts run densely, each on all tokens, by one function that is registered with transformers (`dense_experts`). Nothing is
changed in what the exporter wrote, but for assertions that always hold.

Switch's experts are modules of their own, in a dictionary, and stay that: each runs on all tokens, one after another
(`loop_over_experts`). Longformer's attention is exported without its model, which branches on data, and without global tokens.
"""
import argparse
import contextlib
import os
import sys
import traceback
from unittest.mock import patch

import torch
import torch.nn as nn
import torch.nn.functional as F
import transformers
from transformers.integrations.moe import ALL_EXPERTS_FUNCTIONS

import export

SIZE = argparse.Namespace(batch=4, length=128, hidden=128, heads=4, layers=2, wide=512, experts=8, top_k=2)


class Model(nn.Module):
    """A model on embeddings with a mask of positions that count."""

    def __init__(self, model, **extra):
        super().__init__()
        self.model, self.extra = model, extra

    def forward(self, x, mask):
        out = self.model(inputs_embeds=x, attention_mask=mask, **self.extra)
        return out[0] * mask.unsqueeze(-1)


class Block(nn.Module):
    """One module that takes hidden states; of several results the first."""

    def __init__(self, block):
        super().__init__()
        self.block = block

    def forward(self, x):
        out = self.block(x)
        return out[0] if isinstance(out, tuple) else out


def dense_experts(self, x, index, weights):
    """All experts on all tokens, weighted by a gate that is zero for experts that were not chosen."""
    choices = F.one_hot(index, self.num_experts).to(weights.dtype)
    gate = (choices * weights.unsqueeze(-1)).sum(1).to(x.dtype)
    hidden = self._apply_gate(torch.einsum("td,efd->tef", x, self.gate_up_proj))
    return torch.einsum("te,tef,edf->td", gate, hidden, self.down_proj)


ALL_EXPERTS_FUNCTIONS.register("dense", dense_experts)


def loop_over_experts(self, x, chosen, weights):
    """Each expert on all tokens, weighted by its column of the gate: what Switch's loop over chosen tokens computes."""
    gate = chosen[:, 0].to(weights.dtype) * weights
    out = torch.zeros_like(x)
    for expert in range(self.num_experts):
        out = out + self[f"expert_{expert}"](x) * gate[:, expert, None]
    return out


def top_k(x, k, dim=-1, largest=True, sorted=True):
    """The k largest, one after another: what torch-mlir has no linalg for."""
    places = torch.arange(x.shape[dim])
    places = places.reshape([-1 if d == dim % x.dim() else 1 for d in range(x.dim())])
    values, indices = [], []
    for _ in range(k):
        index = (x if largest else -x).argmax(dim, keepdim=True)
        chosen = places == index
        values.append(torch.where(chosen, x, 0).sum(dim, keepdim=True))
        x = torch.where(chosen, -torch.inf if largest else torch.inf, x)
        indices.append(index)
    return torch.cat(values, dim), torch.cat(indices, dim)


def running_sum(x, dim, dtype=None):
    """Positions counted from a mask, without a scan."""
    earlier = torch.tril(torch.ones(x.shape[dim], x.shape[dim], dtype=x.dtype))
    return (x.movedim(dim, -1).unsqueeze(-2) * earlier).sum(-1).movedim(-1, dim)


def scatter_one(x, dim, index, value):
    """A constant at chosen places of the last dimension, without a scatter."""
    chosen = (torch.arange(x.shape[dim]) == index.unsqueeze(-1)).any(-2)
    return torch.where(chosen, value, x)


class Attention(nn.Module):
    """Attention through torch's own function, with a boolean mask."""

    def forward(self, q, k, v, mask):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)


# What torch-mlir makes ops of other dialects of, as plain arithmetic.
REPLACED = [
    (torch, "topk", top_k), (torch.Tensor, "topk", top_k), (torch, "cumsum", running_sum),
    (torch.Tensor, "cumsum", running_sum), (torch.Tensor, "scatter_", scatter_one), (torch.Tensor, "scatter", scatter_one),
]


def config(kind, **more):
    common = dict(
        hidden_size=SIZE.hidden, num_hidden_layers=SIZE.layers, num_attention_heads=SIZE.heads, intermediate_size=SIZE.wide,
        vocab_size=256, max_position_embeddings=SIZE.length, attn_implementation="eager",
    )
    return getattr(transformers, kind + "Config")(**{**common, **more})


def of_model(kind, extra=None, **more):
    model = getattr(transformers, kind + "Model")(config(kind, **more))
    inputs = {"x": torch.randn(SIZE.batch, SIZE.length, SIZE.hidden), "mask": torch.ones(SIZE.batch, SIZE.length, dtype=torch.int64)}
    return Model(model, **(extra or {})), inputs


def of_block(module, name, kind, **more):
    """A class of transformers.models.MODULE that is made of a configuration."""
    import importlib

    code = importlib.import_module(f"transformers.models.{module}.modeling_{module}")
    made = config(kind, **more)
    made._experts_implementation = "dense"
    block = getattr(code, name)(made)
    for parameter in block.parameters():
        nn.init.normal_(parameter, std=0.05)
    return Block(block), {"x": torch.randn(SIZE.batch, SIZE.length, SIZE.hidden)}


def t5():
    made = transformers.T5Config(
        d_model=SIZE.hidden, d_kv=SIZE.hidden // SIZE.heads, d_ff=SIZE.wide, num_layers=SIZE.layers, num_heads=SIZE.heads, vocab_size=256)
    model = transformers.T5EncoderModel(made)
    inputs = {"x": torch.randn(SIZE.batch, SIZE.length, SIZE.hidden), "mask": torch.ones(SIZE.batch, SIZE.length, dtype=torch.int64)}
    return Model(model), inputs


def switch():
    from transformers.models.switch_transformers import modeling_switch_transformers as code

    made = transformers.SwitchTransformersConfig(
        d_model=SIZE.hidden, d_ff=SIZE.wide, num_experts=SIZE.experts, expert_capacity=SIZE.batch * SIZE.length, router_bias=False)
    block = code.SwitchTransformersSparseMLP(made)
    for parameter in block.parameters():
        nn.init.normal_(parameter, std=0.05)
    # The router converts its weights in each call, which export refuses; they are of that type already.
    classifier = block.router.classifier
    classifier.to = lambda dtype: classifier
    code.SwitchTransformersExperts.forward = loop_over_experts
    return Block(block), {"x": torch.randn(SIZE.batch, SIZE.length, SIZE.hidden)}


class Longformer(nn.Module):
    """Sliding windows of a model's positions that count."""

    def __init__(self, attention):
        super().__init__()
        self.attention = attention

    def forward(self, x, mask):
        # As the model makes it: 0 where a position counts, and negative elsewhere.
        negative = (1 - mask).to(x.dtype) * torch.finfo(x.dtype).min
        dead = mask == 0
        out = self.attention(x, attention_mask=negative, is_index_masked=dead, is_index_global_attn=dead & False, is_global_attn=False)
        return out[0] * mask.unsqueeze(-1)


def longformer():
    from transformers.models.longformer import modeling_longformer as code

    made = config("Longformer", attention_window=[SIZE.length // 4] * SIZE.layers)
    attention = code.LongformerSelfAttention(made, layer_id=0)
    inputs = {"x": torch.randn(SIZE.batch, SIZE.length, SIZE.hidden), "mask": torch.ones(SIZE.batch, SIZE.length, dtype=torch.int64)}
    return Longformer(attention), inputs


def sdpa():
    shape = (1, SIZE.heads, SIZE.length, SIZE.hidden // SIZE.heads)
    return Attention(), {
        "q": torch.randn(shape), "k": torch.randn(shape), "v": torch.randn(shape),
        "mask": torch.ones(SIZE.length, SIZE.length, dtype=torch.bool),
    }


def programs():
    moe = dict(num_experts=SIZE.experts, num_experts_per_tok=SIZE.top_k, moe_intermediate_size=64)
    no_cache = dict(use_cache=False)
    return {
        "bert": lambda: of_model("Bert"),
        "roberta": lambda: of_model("Roberta", max_position_embeddings=SIZE.length + 2),
        "modernbert": lambda: of_model("ModernBert", pad_token_id=0, cls_token_id=1, sep_token_id=2, bos_token_id=1, eos_token_id=2, reference_compile=False),
        "opt": lambda: of_model("OPT", no_cache, ffn_dim=SIZE.wide, word_embed_proj_dim=SIZE.hidden),
        "gpt2": lambda: of_model("GPT2", no_cache, n_embd=SIZE.hidden, n_layer=SIZE.layers, n_head=SIZE.heads, n_positions=SIZE.length),
        "llama": lambda: of_model("Llama", no_cache, num_key_value_heads=2),
        "qwen2": lambda: of_model("Qwen2", no_cache, num_key_value_heads=2),
        "t5": t5,
        "deberta": lambda: of_model("DebertaV2", relative_attention=True, pos_att_type=["c2p", "p2c"], position_buckets=32),
        "mixtral": lambda: of_block("mixtral", "MixtralSparseMoeBlock", "Mixtral", num_local_experts=SIZE.experts, num_experts_per_tok=SIZE.top_k),
        "qwen2_moe": lambda: of_block("qwen2_moe", "Qwen2MoeSparseMoeBlock", "Qwen2Moe", shared_expert_intermediate_size=64, **moe),
        "qwen3_moe": lambda: of_block("qwen3_moe", "Qwen3MoeSparseMoeBlock", "Qwen3Moe", **moe),
        "olmoe": lambda: of_block("olmoe", "OlmoeSparseMoeBlock", "Olmoe", num_experts=SIZE.experts, num_experts_per_tok=SIZE.top_k),
        "deepseek": lambda: of_block("deepseek_v3", "DeepseekV3MoE", "DeepseekV3", n_routed_experts=SIZE.experts, num_experts_per_tok=SIZE.top_k,
                                     n_group=1, topk_group=1, moe_intermediate_size=64, n_shared_experts=1),
        "switch": switch,
        "longformer": longformer,
        "sdpa": sdpa,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--only", action="append")
    for name, default in vars(SIZE).items():
        parser.add_argument("--" + name.replace("_", "-"), type=int, default=default)
    parser.add_argument("--dtype", default="float32")
    options = parser.parse_args()
    for name in vars(SIZE):
        setattr(SIZE, name, getattr(options, name))
    os.makedirs(options.out, exist_ok=True)
    failed = []
    for name, make in programs().items():
        if options.only and name not in options.only:
            continue
        try:
            torch.manual_seed(0)
            module, inputs = make()
            dtype = getattr(torch, options.dtype)
            module = module.eval().to(dtype)
            inputs = {key: value.to(dtype) if value.is_floating_point() else value for key, value in inputs.items()}
            with contextlib.ExitStack() as stack:
                for owner, method, own in REPLACED:
                    stack.enter_context(patch.object(owner, method, own))
                text = export.export(name, (module, inputs, None, {}, {}))
            path = os.path.join(options.out, name + ".mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            print(f"{name}: {len(text.splitlines())} lines", flush=True)
        except Exception as error:
            failed.append(name)
            print(f"{name}: {type(error).__name__}: {str(error).strip().splitlines()[0][:300] if str(error).strip() else ''}", flush=True)
            traceback.print_exc(file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
