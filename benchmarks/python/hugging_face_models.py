# ===- hugging_face_models.py - The models that hugging_face.py runs --------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""The models that hugging_face.py runs: whole models of transformers as they are, from token ids on, with random weights: small ones, or two layers of
the widths that published models have."""

import argparse
from dataclasses import dataclass

import torch
import transformers
from torch import nn
from torch.nn import functional as F

_SMALL = dict(
    batch=4, length=128, live=0.5, hidden=128, heads=4, few=2, head=32, layers=2, wide=512, expert=64, shared=64, experts=8, top_k=2, vocabulary=256, std=0.05,
    buckets=32, q_lora=64, kv_lora=32, rope=16, nope=16,
)
_BASE = dict(_SMALL, batch=8, length=512, live=1 / 3, hidden=768, heads=12, few=4, head=64, wide=3072, vocabulary=1024, std=0.02, buckets=256)
_LARGE = dict(_BASE, hidden=2048, heads=16, head=128, wide=8192, expert=1024)
# Widths of BERT-base and others of its size, Llama-3.2-1B, Qwen2-1.5B, ModernBERT-base, Mixtral-8x7B, Qwen1.5-MoE-A2.7B, Qwen3-30B-A3B, OLMoE-1B-7B,
# DeepSeek-V3 with 32 of its 256 experts, Switch-base-8.
WIDE = {
    "llama": dict(_LARGE, heads=32, few=8, head=64),
    "qwen2": dict(_BASE, hidden=1536, few=2, head=128, wide=8960),
    "modernbert": dict(_BASE, wide=1152),
    "mixtral": dict(_LARGE, hidden=4096, heads=32, few=8, wide=14336),
    "qwen2-moe": dict(_LARGE, few=16, wide=5632, expert=1408, shared=5632, experts=60, top_k=4),
    "qwen3-moe": dict(_LARGE, heads=32, few=4, wide=6144, expert=768, experts=128, top_k=8),
    "olmoe": dict(_LARGE, few=16, wide=1024, experts=64, top_k=8),
    "deepseek-v3": dict(_LARGE, hidden=7168, heads=128, wide=18432, expert=2048, experts=32, top_k=8, q_lora=1536, kv_lora=512, rope=64, nope=128),
}
SIZES = ["small", "wide"]
SIZE = argparse.Namespace(**_SMALL)


def set_size(name, case):
    """Has the functions below make what a case is: "small", or "wide", as published models are."""
    case = case.removesuffix("-pit-experts")
    SIZE.__dict__.update(_SMALL if name == "small" else WIDE.get(case, _BASE))


def tokens():
    """Ids of a batch, and a mask: a share `live` of the positions counts, on average, and the others are padding at the right."""
    generator = torch.Generator().manual_seed(1)
    shares = SIZE.live * (0.5 + torch.rand(SIZE.batch, generator=generator, device="cpu"))
    lengths = (SIZE.length * shares).long().clamp(1)
    lengths[0] = int(SIZE.length * SIZE.live * 1.5)
    mask = (torch.arange(SIZE.length, device="cpu") < lengths[:, None]).long()
    ids = torch.randint(8, SIZE.vocabulary, (SIZE.batch, SIZE.length), generator=generator, device="cpu")
    return ids * mask + (1 - mask), mask


class Pooled(nn.Module):
    """A model, and the mean of what it gives for the tokens that there are."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, ids, mask):
        hidden = self.model(input_ids=ids, attention_mask=mask)[0]
        live = mask.to(hidden.dtype).unsqueeze(-1)
        return (hidden * live).sum(1) / live.sum(1)


def spread(model):
    """Weights of a spread at which layers do something."""
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.normal_(parameter, std=SIZE.std)
    return model


def config(kind, **more):
    common = dict(
        hidden_size=SIZE.hidden, num_hidden_layers=SIZE.layers, num_attention_heads=SIZE.heads, intermediate_size=SIZE.wide,
        vocab_size=SIZE.vocabulary, max_position_embeddings=SIZE.length + 8, pad_token_id=1,
    )
    return getattr(transformers, kind + "Config")(**{**common, **more})


def model_of(kind, name=None, **more):
    made = config(kind, **more)
    return spread(getattr(transformers, name or kind + "Model")(made))


def t5():
    made = transformers.T5Config(
        d_model=SIZE.hidden, d_kv=SIZE.head, d_ff=SIZE.wide, num_layers=SIZE.layers, num_heads=SIZE.heads, vocab_size=SIZE.vocabulary)
    return spread(transformers.T5EncoderModel(made))


def switch():
    """The encoder of Switch: every second layer has experts."""
    made = transformers.SwitchTransformersConfig(
        d_model=SIZE.hidden, d_kv=SIZE.head, d_ff=SIZE.wide, num_layers=SIZE.layers, num_heads=SIZE.heads, num_experts=SIZE.experts,
        vocab_size=SIZE.vocabulary, num_sparse_encoder_layers=SIZE.layers // 2, expert_capacity=SIZE.batch * SIZE.length)
    model = spread(transformers.SwitchTransformersEncoderModel(made))
    for module in model.modules():
        if type(module).__name__ == "SwitchTransformersTop1Router":
            # As its first call does.
            module.classifier.to(module.dtype)
    return model


def few():
    """Fewer heads of keys and values than of queries."""
    return dict(num_key_value_heads=SIZE.few, use_cache=False)


def moe(kind, **more):
    return model_of(kind, **few(), num_experts_per_tok=SIZE.top_k, moe_intermediate_size=SIZE.expert, **more)


def deepseek():
    return model_of(
        "DeepseekV3", use_cache=False, num_key_value_heads=SIZE.heads, num_experts_per_tok=SIZE.top_k, moe_intermediate_size=SIZE.expert,
        n_routed_experts=SIZE.experts, n_group=1, topk_group=1, n_shared_experts=1, first_k_dense_replace=0, q_lora_rank=SIZE.q_lora,
        kv_lora_rank=SIZE.kv_lora, qk_rope_head_dim=SIZE.rope, qk_nope_head_dim=SIZE.nope, v_head_dim=SIZE.head)


def use_pit_experts(model):
    """The one line that a user writes: experts as a dense program, of which PIT visits the chosen ones."""
    import pit_mlir.torch

    pit_mlir.torch.use_experts(model)


@dataclass
class Case:
    make: callable
    prepare: callable = lambda model: None


MODELS = {
    "bert": lambda: model_of("Bert"),
    "roberta": lambda: model_of("Roberta"),
    "modernbert": lambda: model_of("ModernBert", cls_token_id=1, sep_token_id=2, bos_token_id=1, eos_token_id=2),
    "opt": lambda: model_of("OPT", use_cache=False, ffn_dim=SIZE.wide, word_embed_proj_dim=SIZE.hidden),
    "gpt2": lambda: model_of(
        "GPT2", use_cache=False, n_embd=SIZE.hidden, n_layer=SIZE.layers, n_head=SIZE.heads, n_positions=SIZE.length, bos_token_id=0, eos_token_id=0),
    "llama": lambda: model_of("Llama", **few()),
    "qwen2": lambda: model_of("Qwen2", **few()),
    "t5-encoder": t5,
    "deberta-v2": lambda: model_of("DebertaV2", relative_attention=True, pos_att_type=["c2p", "p2c"], position_buckets=SIZE.buckets),
    "longformer": lambda: model_of("Longformer", attention_window=[SIZE.length // 4] * SIZE.layers),
    "switch": switch,
}

MIXTURES = {
    "mixtral": lambda: model_of("Mixtral", **few(), num_local_experts=SIZE.experts, num_experts_per_tok=SIZE.top_k),
    "qwen2-moe": lambda: moe("Qwen2Moe", shared_expert_intermediate_size=SIZE.shared, num_experts=SIZE.experts),
    "qwen3-moe": lambda: moe("Qwen3Moe", num_experts=SIZE.experts, head_dim=SIZE.head),
    "olmoe": lambda: model_of("Olmoe", **few(), num_experts=SIZE.experts, num_experts_per_tok=SIZE.top_k, eos_token_id=0),
    "deepseek-v3": deepseek,
}


CASES = {
    **{name: Case(make) for name, make in {**MODELS, **MIXTURES}.items()},
    **{f"{name}-pit-experts": Case(make, use_pit_experts) for name, make in {**MIXTURES, "switch": switch}.items()},
}


class NextToken(nn.Module):
    """A language model of the encoder's kind, and the mean loss of the tokens that there are."""

    def __init__(self, body):
        super().__init__()
        self.body, self.head = body, nn.Linear(SIZE.hidden, SIZE.vocabulary, bias=False)
        nn.init.normal_(self.head.weight, std=SIZE.std)

    def forward(self, ids, mask):
        hidden = self.body(input_ids=ids, attention_mask=mask)[0]
        losses = F.cross_entropy(self.head(hidden[:, :-1]).flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
        live = mask[:, 1:].flatten().to(losses.dtype)
        return (losses * live).sum() / live.sum()


def without_dropout(model):
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        for name in ("dropout", "attention_dropout", "layerdrop", "dropout_prob", "jitter_noise"):
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, 0.0)
    return model


TRAININGS = {
    "train-opt": lambda: without_dropout(NextToken(MODELS["opt"]())),
    "train-switch": lambda: without_dropout(NextToken(switch())),
    "train-switch-pit-experts": lambda: without_dropout(NextToken(switch())),
}
