#!/usr/bin/env python3
# ===- export.py - PyTorch modules to linalg, with weights as arguments --------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Exports the PyTorch modules below to linalg-on-tensors, one .mlir file each.

    pip install torch torch-mlir
    python3 examples/torch/export.py [--only NAME] [--output-dir DIR]

Weights become function arguments: each module is called through
torch.func.functional_call, so its parameters follow its inputs in the order of
named_parameters(). Where sparsity comes from is said by `pit.sparse` attributes
(plain builtin dictionaries) on arguments and operations, nothing else is changed.
Every file is parsed with mlir-opt before it is written.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch_mlir import fx, ir

# ----------------------------------------------------------------------------
# Modules
# ----------------------------------------------------------------------------


class BertEncoderLayer(nn.Module):
    """Post-norm encoder layer; positions at or after lengths[b] are padding."""

    def __init__(self, dim, heads, hidden):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(dim, dim)
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)
        self.output = nn.Linear(dim, dim)
        self.norm1 = nn.LayerNorm(dim, eps=1e-12)
        self.fc1 = nn.Linear(dim, hidden)
        self.fc2 = nn.Linear(hidden, dim)
        self.norm2 = nn.LayerNorm(dim, eps=1e-12)

    def forward(self, x, lengths):
        batch, length, dim = x.shape
        keep = torch.arange(length).unsqueeze(0) < lengths.unsqueeze(1)
        bias = torch.where(keep, 0.0, float("-inf"))[:, None, None, :]

        def split(t):
            return t.view(batch, length, self.heads, -1).transpose(1, 2)

        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        scores = q @ k.transpose(-1, -2) / (dim // self.heads) ** 0.5
        probs = torch.softmax(scores + bias, dim=-1)
        context = (probs @ v).transpose(1, 2).reshape(batch, length, dim)
        x = self.norm1(x + self.output(context))
        return self.norm2(x + self.fc2(F.gelu(self.fc1(x))))


class OPTFeedForward(nn.Module):
    """The feed-forward part of an OPT decoder layer: ReLU leaves most of it zero."""

    def __init__(self, dim, hidden):
        super().__init__()
        self.fc1 = nn.Linear(dim, hidden)
        self.fc2 = nn.Linear(hidden, dim)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


class DenseExperts(nn.Module):
    """A mixture of experts written as if every token went to every expert."""

    def __init__(self, experts, dim, hidden):
        super().__init__()
        self.up = nn.Parameter(torch.zeros(experts, dim, hidden))
        self.down = nn.Parameter(torch.zeros(experts, hidden, dim))

    def forward(self, x, gate):
        h = torch.relu(torch.einsum("td,edf->tef", x, self.up))
        return torch.einsum("te,tef,efd->td", gate, h, self.down)


class Top2Experts(nn.Module):
    """DenseExperts behind a softmax router that keeps the two largest gates."""

    def __init__(self, experts, dim, hidden):
        super().__init__()
        self.router = nn.Linear(dim, experts, bias=False)
        self.experts = DenseExperts(experts, dim, hidden)

    def forward(self, x):
        p = torch.softmax(self.router(x), dim=-1)
        ids = torch.arange(p.shape[-1])
        # The largest, then the largest of the rest; ties go to the lower id, so
        # never more than two gates per token are not zero.
        first = ids == p.argmax(dim=-1, keepdim=True)
        second = ids == p.masked_fill(first, -1.0).argmax(dim=-1, keepdim=True)
        kept = torch.where(first | second, p, 0.0)
        gate = kept / kept.sum(dim=-1, keepdim=True)
        return self.experts(x, gate)


class MaskedAttention(nn.Module):
    """Attention under a boolean mask that all heads share, as Longformer's window
    plus global tokens is."""

    def forward(self, q, k, v, mask):
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(~mask, float("-inf"))
        return torch.softmax(scores, dim=-1) @ v


# ----------------------------------------------------------------------------
# Marks
# ----------------------------------------------------------------------------


def mark(source, axes, absent, frm=None, pad=None, granularity=None, at_most=None, live=None):
    """The text of a `pit.sparse` attribute."""

    def array(values):
        return "array<i64: " + ", ".join(map(str, values)) + ">"

    fields = [f'source = "{source}"']
    if frm is not None:
        fields.append(f"from = {frm} : i64")
    fields.append(f"axes = {array(axes)}")
    if pad is not None:
        fields.append(f'pad = "{pad}"')
    fields.append(f'absent = "{absent}"')
    if granularity is not None:
        fields.append(f"granularity = {array(granularity)}")
    if at_most is not None:
        fields.append(f"at_most = {at_most} : i64")
    if live is not None:
        fields.append(f"live = {live} : f64")
    return "{" + ", ".join(fields) + "}"


def body_of(op):
    return [o.operation.name for o in op.regions[0].blocks[0].operations]


def is_relu(op):
    return body_of(op) == ["arith.cmpf", "arith.select", "linalg.yield"]


def is_select(op):
    return body_of(op) == ["arith.select", "linalg.yield"]


def extents(op):
    return list(ir.RankedTensorType(op.results[0].type).shape)


def attach(module, arg_marks, op_marks):
    """Sets `pit.sparse` on arguments (by number) and on the one linalg.generic
    that satisfies each predicate."""
    function = module.body.operations[0]
    with module.context:
        attrs = [ir.DictAttr.get({}) for _ in function.arguments]
        for number, text in arg_marks.items():
            attrs[number] = ir.DictAttr.get({"pit.sparse": ir.Attribute.parse(text)})
        function.arg_attrs = attrs
        for what, (predicate, text) in op_marks.items():
            found = [
                op.operation
                for op in function.regions[0].blocks[0].operations
                if op.operation.name == "linalg.generic" and predicate(op.operation)
            ]
            if len(found) != 1:
                sys.exit(f"export.py: {len(found)} operations match '{what}', not one")
            found[0].attributes["pit.sparse"] = ir.Attribute.parse(text)


# ----------------------------------------------------------------------------
# What is exported
# ----------------------------------------------------------------------------


# How the head of each file says to run it.
DATA = {
    "bert_encoder_layer": "--random=normal --random=lengths:20:64 --random=normal:0.05",
    "opt_ffn": "--random=normal:0.5 --random=normal:0.05 --random=uniform:-8:0 --random=normal:0.05",
    "opt_ffn_dynamic": "--random=normal:0.5@77x256 --random=normal:0.05 --random=uniform:-8:0 --random=normal:0.05",
    "moe_gate_arg": "--random=normal --random=topk-gate:1 --random=normal:0.05",
    "moe_topk_inside": "--random=normal --random=normal:0.05",
    "longformer_attention": "--random=normal --random=normal --random=normal --random=mask:32:0.2",
}

# What to look at in the output of that.
LOOK = {
    "bert_encoder_layer": '31 rules follow from two marks of one tensor of lengths; padded rows are never computed, and "undef" in the check are their results.',
    "opt_ffn": '"waste": a 32x1 micro-tile is live if one of its 32 elements is, and most of them are not.',
    "opt_ffn_dynamic": 'the same rule as in opt_ffn.mlir, for any number of tokens: list and tiles follow from the extents of a call.',
    "moe_gate_arg": 'only the gate is marked. The first product is skipped by demand: nobody reads results of experts that the gate leaves out.',
    "moe_topk_inside": 'three quarters are skipped, as two of eight experts are live for each token, which is proven; the router stays dense.',
    "longformer_attention": 'seven rules share one pattern, the mask, which nothing marks: its blocks without a live element are skipped in both products.',
}


def programs():
    """name -> (module, {input: tensor}, dynamic shapes, argument marks, op marks)"""
    table = {}
    lengths = dict(source="lengths", frm=1, axes=[0, 1], pad="right")
    table["bert_encoder_layer"] = (
        BertEncoderLayer(256, 4, 1024),
        {"x": torch.zeros(8, 128, 256), "lengths": torch.full((8,), 128)},
        None,
        {0: mark(absent="undef", **lengths)},
        {
            "the key bias": (
                lambda op: is_select(op) and extents(op) == [8, 128],
                mark(absent="neg_inf", **lengths),
            )
        },
    )
    # 97 to 99 % of OPT's units are zero behind ReLU.
    relu = {"the ReLU": (is_relu, mark("values", [0, 1], "zero", granularity=[32, 1], live=0.02))}
    x = {"x": torch.zeros(256, 256)}
    table["opt_ffn"] = (OPTFeedForward(256, 1024), x, None, {}, relu)
    tokens = torch.export.Dim("tokens", min=2)
    table["opt_ffn_dynamic"] = (OPTFeedForward(256, 1024), x, {0: tokens}, {}, relu)
    table["moe_gate_arg"] = (
        DenseExperts(8, 256, 512),
        {"x": torch.zeros(512, 256), "gate": torch.zeros(512, 8)},
        None,
        {1: mark("values", [0, 1], "zero", at_most=2)},
        {},
    )

    table["moe_topk_inside"] = (
        Top2Experts(8, 256, 512),
        {"x": torch.zeros(512, 256)},
        None,
        {},
        {},
    )
    table["longformer_attention"] = (
        MaskedAttention(),
        {
            "q": torch.zeros(1, 4, 512, 64),
            "k": torch.zeros(1, 4, 512, 64),
            "v": torch.zeros(1, 4, 512, 64),
            "mask": torch.ones(512, 512, dtype=torch.bool),
        },
        None,
        {},
        {},
    )
    return table


def with_weights_as_arguments(module, num_inputs):
    """A module without parameters of its own that takes them after the inputs."""
    names = [name for name, _ in module.named_parameters()]

    class Lifted(nn.Module):
        def forward(self, *args):
            weights = dict(zip(names, args[num_inputs:]))
            return torch.func.functional_call(module, weights, args[:num_inputs])

    return Lifted(), names


def export(name, entry):
    module, inputs, dynamic, arg_marks, op_marks = entry
    lifted, names = with_weights_as_arguments(module, len(inputs))
    arguments = list(inputs.values()) + [p.detach() for p in module.parameters()]
    shapes = {}
    if dynamic:
        shapes["dynamic_shapes"] = ((dynamic,) + (None,) * (len(arguments) - 1),)
    imported = fx.export_and_import(
        lifted, *arguments, output_type="linalg-on-tensors", func_name="main", **shapes
    )
    drop_assertions(imported)
    attach(imported, arg_marks, op_marks)
    text = imported.operation.get_asm(large_elements_limit=64)
    header = [
        f"// {name}: {' '.join(module.__doc__.split())}",
        f"// Written by examples/torch/export.py (torch {torch.__version__.split('+')[0]},"
        f" torch-mlir {version('torch-mlir')}); edit that, not this.",
        f"// Run: pit-run examples/torch/{name}.mlir {DATA.get(name, '--random=normal')} --check --report",
    ]
    if name in LOOK:
        header.append(f"// Look at: {LOOK[name]}")
    for number, label in enumerate(list(inputs) + names):
        header.append(f"// %arg{number} = {label}")
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(header + [""] + lines).rstrip() + "\n"


def version(package):
    import importlib.metadata

    return importlib.metadata.version(package)


# ----------------------------------------------------------------------------
# Assertions
# ----------------------------------------------------------------------------


def always_holds(value):
    """True for a constant true and for `tensor.dim >= 0`."""
    op = value.owner
    if op.name == "arith.constant":
        return bool(ir.IntegerAttr(op.attributes["value"]).value)
    sge = 5
    if op.name != "arith.cmpi" or ir.IntegerAttr(op.attributes["predicate"]).value != sge:
        return False
    cast, zero = (v.owner for v in op.operands)
    return (
        cast.name == "arith.index_cast"
        and cast.operands[0].owner.name == "tensor.dim"
        and zero.name == "arith.constant"
        and ir.IntegerAttr(zero.attributes["value"]).value == 0
    )


def drop_assertions(module):
    """Erases the `cf.assert`s that always hold, and what only they used. Dynamic
    shapes bring them; any other one stays and is refused by check()."""
    block = module.body.operations[0].regions[0].blocks[0]
    for op in [o.operation for o in block.operations]:
        if op.name == "cf.assert" and always_holds(op.operands[0]):
            op.erase()
    scalar = {"arith.cmpi", "arith.index_cast", "arith.constant"}
    for op in reversed([o.operation for o in block.operations]):
        if op.name in scalar and not list(op.results[0].uses):
            op.erase()


# ----------------------------------------------------------------------------
# Checking and writing
# ----------------------------------------------------------------------------

DIALECTS = {"builtin", "func", "arith", "math", "linalg", "tensor"}


def check(mlir_opt, name, text):
    """Parses `text` with mlir-opt and looks at the dialects and constants in it."""
    if "dense_resource" in text:
        sys.exit(f"export.py: {name}: a weight became a constant")
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        command = [mlir_opt, "--mlir-print-op-generic", file.name]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"export.py: {name}: {mlir_opt} refuses it:\n{done.stderr}")
    used = {
        part.split(".")[0]
        for line in done.stdout.splitlines()
        for part in line.split('"')[1:2]
        if "." in part and "(" in line
    }
    if used - DIALECTS:
        sys.exit(f"export.py: {name}: unexpected dialects {sorted(used - DIALECTS)}")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", help="export this program only")
    parser.add_argument("--output-dir", default=here)
    parser.add_argument("--mlir-opt", default=default_mlir_opt())
    options = parser.parse_args()
    if not options.mlir_opt or not shutil.which(options.mlir_opt):
        sys.exit("export.py: no mlir-opt found; name one with --mlir-opt")
    table = programs()
    for name in options.only or table:
        if name not in table:
            sys.exit(f"export.py: no program '{name}'; there are {', '.join(table)}")
        text = export(name, table[name])
        check(options.mlir_opt, name, text)
        path = os.path.join(options.output_dir, name + ".mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        print(f"{path}: {len(text.splitlines())} lines")


def default_mlir_opt():
    packaged = "/usr/lib/llvm-22/bin/mlir-opt"
    return packaged if os.path.exists(packaged) else shutil.which("mlir-opt")


if __name__ == "__main__":
    main()
