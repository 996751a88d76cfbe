# ===- explain.py - What became of a model, by module and line --------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""What became of a model: modules and lines of Python first, then what the compiler did with each."""

import html as markup
import os
import re

import torch

from ..api import explain_mlir
from ..errors import Error, ImporterError
from .dynamo import recording
from .importer import import_graph

_TRACE = re.compile(r'File "([^"]+)", line (\d+)')


def _module_of(node):
    """The module that a node comes from, such as "layers.0.attention", or ""."""
    stack = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack") or {}
    if not stack:
        return ""
    path = list(stack.values())[-1]
    path = path[0] if isinstance(path, tuple) else str(path)
    return re.sub(r"^L\['self'\]\.?|^self\.?", "", path).replace("L['self'].", "")


def _place_of(node):
    """The line of Python that a node comes from, as "file:line", or ""."""
    found = _TRACE.findall(node.meta.get("stack_trace") or "")
    return f"{found[-1][0]}:{found[-1][1]}" if found else ""


def _lines_of(part):
    """For each line of Python: its modules, and the operations that it became."""
    lines = {}
    for node in part.graph.nodes:
        if node.op != "call_function":
            continue
        modules, ops = lines.setdefault(_place_of(node), ([], []))
        ops.append(str(node.target))
        if _module_of(node) not in modules:
            modules.append(_module_of(node))
    return lines


def _source_of(place):
    name, _, line = place.rpartition(":")
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()[int(line) - 1].strip()
    except (OSError, ValueError, IndexError):
        return ""


def _remarks_of(report):
    """What the compiler says of ops, by line of Python."""
    found = {}
    for op in report["ops"]:
        place = re.sub(r":\d+$", "", op["place"])
        found.setdefault(place, []).append(op)
    return found


def explain_model(model, inputs, target="auto", html=None, backward=False, **options):
    """Compiles a model for inputs and says what became of it; see `pit_mlir.explain`."""
    torch._dynamo.reset()
    compiled = torch.compile(model, backend="pit", options={"target": target, **options})
    with recording() as records:
        if backward:
            result = compiled(*inputs)
            sums = [t.float().sum() for t in torch.utils._pytree.tree_leaves(result) if isinstance(t, torch.Tensor) and t.requires_grad]
            if not sums:
                raise Error("backward=True: no result requires a gradient")
            torch.autograd.backward(sum(sums))
        else:
            with torch.no_grad():
                compiled(*inputs)
    torch._dynamo.reset()
    graphs = []
    for record in records:
        parts = []
        for part in record.parts:
            page = None
            if html is not None:
                page = f"{os.path.splitext(html)[0]}-{record.kind}-{len(graphs)}-{len(parts)}.html"
            try:
                text = import_graph(part.graph, part.marks)
            except ImporterError:  # Compiled of the cache, where there is no importer: its places may be old.
                text = part.text
            report = explain_mlir(text, part.target, page, **options)
            remarks, lines = _remarks_of(report), []
            for place, (modules, ops) in _lines_of(part).items():
                lines.append({"place": place, "modules": modules, "source": _source_of(place), "ops": ops, "remarks": remarks.get(place, [])})
            parts.append({"target": str(part.target), "lines": lines, "report": report, "page": page})
        graphs.append(
            {
                "kind": record.kind,
                "ops": record.ops,
                "products": record.products,
                "compiled_products": record.compiled_products,
                "parts": parts,
                "left": [{"op": op, "reason": reason} for op, reason in record.left],
            }
        )
    found = {"graphs": graphs}
    if html is not None:
        with open(html, "w", encoding="utf-8") as file:
            file.write(_page(type(model).__name__, found))
    return found


_STYLE = """body{font:15px/1.45 sans-serif;margin:2em auto;max-width:70em;padding:0 1em}table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top}code{font-size:90%}
.no{color:#a33}.yes{color:#262}h2{margin-top:1.6em}small{color:#666}"""


def _escape(text):
    return markup.escape(str(text))


def _notes(ops):
    found = []
    for op in ops:
        for note in op["notes"]:
            text = note.get("text", "") if isinstance(note, dict) else str(note)
            mark = note.get("mark", "") if isinstance(note, dict) else ""
            found.append(f'<div class="{"no" if mark == "-" else "yes" if mark == "+" else ""}">{_escape(mark)} {_escape(text)}</div>')
    return "".join(dict.fromkeys(found))


def _page(name, found):
    """One file: graphs, what was left to torch and why, and lines of Python with what became of them."""
    out = [f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>{_escape(name)}</title><style>{_STYLE}</style></head><body>"]
    out.append(f"<h1>{_escape(name)}</h1>")
    for graph in found["graphs"]:
        out.append(
            f"<h2>{_escape(graph['kind'])}</h2><p>{graph['ops']} operations; {graph['compiled_products']} of "
            f"{graph['products']} matrix products compiled, in {len(graph['parts'])} parts.</p>"
        )
        if graph["left"]:
            out.append("<h3>Left to torch</h3><table><tr><th>operation</th><th>why</th></tr>")
            for op, reason in dict.fromkeys((left["op"], left["reason"]) for left in graph["left"]):
                out.append(f"<tr><td><code>{_escape(op)}</code></td><td class='no'>{_escape(reason)}</td></tr>")
            out.append("</table>")
        for part in graph["parts"]:
            out.append(f"<h3>Compiled for {_escape(part['target'])}</h3>")
            if part["page"]:
                link = os.path.basename(part["page"])
                out.append(f"<p><a href='{_escape(link)}'>All levels of this part</a></p>")
            out.append("<table><tr><th>module, line</th><th>what the compiler did</th></tr>")
            for line in part["lines"]:
                place = f"{os.path.basename(line['place'])}" or "made while the graph was traced"
                out.append(
                    f"<tr><td><b>{_escape(', '.join(line['modules']))}</b> <small>{_escape(place)}</small><br>"
                    f"<code>{_escape(line['source'])}</code></td><td>{_notes(line['remarks'])}</td></tr>"
                )
            out.append("</table>")
    return "".join(out) + "</body></html>\n"
