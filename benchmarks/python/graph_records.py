# ===- graph_records.py - What became of the graphs of a model ---------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""What became of the graphs of a model: products that are compiled, what is left to torch, where Dynamo breaks graphs."""

import torch


def _reasons(records):
    found = {}
    for record in records:
        for op, reason in record.left:
            op = op if op.startswith(("aten", "transformers", "all")) else reason
            found.setdefault((op, reason.splitlines()[0][:160]), 0)
            found[(op, reason.splitlines()[0][:160])] += 1
    return [{"op": op, "reason": reason, "count": count} for (op, reason), count in sorted(found.items())]


def _graph_breaks():
    breaks = {}
    for text, count in torch._dynamo.utils.counters["graph_break"].items():
        what = text.splitlines()[0].strip().rstrip(".")
        breaks[what] = breaks.get(what, 0) + count
    return [{"reason": what, "count": count} for what, count in sorted(breaks.items())]


def about(records):
    """What became of the graphs."""
    return {
        "graphs": len(records),
        "programs": sum(len(record.parts) for record in records),
        "products": sum(record.products for record in records),
        "compiled_products": sum(record.compiled_products for record in records),
        "left_to_torch": _reasons(records),
        "graph_breaks": _graph_breaks(),
    }
