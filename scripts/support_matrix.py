#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the support matrix of README.md: which code the compiler makes of each family of ops and element type.

    support_matrix.py            writes the table
    support_matrix.py --check    changes nothing; exit code 1 with a diff where the table is not what pit-opt says

Nothing is listed by hand: one small program for each family and type goes through the pipelines, and the table says
which kernel the explanation (pit-opt --pit-explain) names for its product.
"""
import argparse
import concurrent.futures
import difflib
import os
import re
import subprocess
import sys

import row_programs

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Of rules, however short their products are.
TARGETS = {"CPU": "--pit-to-cpu", "sm_80+": "--pit-to-ptx=chip=sm_80 least-us=0", "sm_90a": "--pit-to-ptx=chip=sm_90a least-us=0"}
TYPES = ["bf16", "f16", "f32", "f64", "f8E4M3FN", "i8"]
SUMS = {"f64": "f64", "i8": "i32"}
# What remarks say of a kernel, and the mark in a cell; the first that fits.
MARKS = [("Instructions wgmma", "W"), ("Instructions mma.sync", "M"), ("Instructions fma of threads", "T"),
         ("SpMM of packed micro-tiles", "W"), ("SpMM of live blocks", "W"), ("SpMM of gathered pieces", "W"),
         ("SDDMM", "W"), ("vectorised GEMM", "V"), ("whole rows", "R"), ("kernels   reduction", "R"), ("kernels   windows", "R")]
REFUSED = "\u2013"
BEGIN, END = "<!-- support -->\n", "<!-- end of support -->\n"

VALUES = 'source = "values", axes = array<i64: 0, 1>, absent = "zero"'


class Program:
    """The text of one function that has a product of two matrices in it."""

    def __init__(self, element):
        # Of the result, where that is what is marked.
        self.mark = ""
        self.element, self.sum = element, SUMS.get(element, "f32")
        self.result = element if element in ("bf16", "f16") else self.sum
        self.is_byte = element in ("f8E4M3FN", "i8")
        self.zero = "0" if self.sum == "i32" else "0.0"

    def widen(self, value, into):
        if self.element == self.sum:
            return "", value
        op = "arith.extsi" if self.element == "i8" else "arith.extf"
        return f"    {into} = {op} {value} : {self.element} to {self.sum}\n", into

    def product(self, ins, types, maps, iterators, shape):
        """A contraction into zeros, with its sums rounded to the result's type."""
        letter = "i" if self.sum == "i32" else "f"
        names = [f"%v{i}" for i in range(len(ins))]
        body, terms = "", []
        for i, name in enumerate(names):
            text, wide = self.widen(name, f"%w{i}")
            body, terms = body + text, terms + [wide]
        while len(terms) > 1:
            body += f"    %p{len(terms)} = arith.mul{letter} {terms[0]}, {terms[1]} : {self.sum}\n"
            terms = [f"%p{len(terms)}", *terms[2:]]
        arguments = ", ".join(f"{name}: {self.element}" for name in names)
        wide = f"tensor<{shape}x{self.sum}>"
        text = f"""  %zero = arith.constant {self.zero} : {self.sum}
  %e = tensor.empty() : {wide}
  %z = linalg.fill ins(%zero : {self.sum}) outs(%e : {wide}) -> {wide}
  %s = linalg.generic {{indexing_maps = [{", ".join(f"affine_map<{m}>" for m in maps)}],
      iterator_types = [{", ".join(f'"{it}"' for it in iterators)}]}}
      ins({", ".join(ins)} : {", ".join(types)}) outs(%z : {wide}){self.mark if self.result == self.sum else ""} {{
  ^bb0({arguments}, %acc: {self.sum}):
{body}    %y = arith.add{letter} %acc, {terms[0]} : {self.sum}
    linalg.yield %y : {self.sum}
  }} -> {wide}
"""
        if self.result == self.sum:
            return text, "%s"
        narrow = f"tensor<{shape}x{self.result}>"
        ranks = ", ".join(f"d{i}" for i in range(shape.count("x") + 1))
        same = f"affine_map<({ranks}) -> ({ranks})>"
        return text + f"""  %n = tensor.empty() : {narrow}
  %r = linalg.generic {{indexing_maps = [{same}, {same}],
      iterator_types = [{", ".join(['"parallel"'] * (shape.count("x") + 1))}]}}
      ins(%s : {wide}) outs(%n : {narrow}){self.mark} {{
  ^bb0(%v: {self.sum}, %o: {self.result}):
    %t = arith.truncf %v : {self.sum} to {self.result}
    linalg.yield %t : {self.result}
  }} -> {narrow}
""", "%r"

    def function(self, name, arguments, *product):
        shape = product[-1]
        text, value = self.product(*product)
        return (f"func.func @{name}({arguments}) -> tensor<{shape}x{self.result}> {{\n{text}"
                f"  return {value} : tensor<{shape}x{self.result}>\n}}\n")


def matmul(program, name, mark="", more="", dims=(512, 512, 1024)):
    m, n, k = dims
    # The layout that models have: 8-bit matrices are stored with k inside.
    stored, axes = ((n, k), "(n, k)") if program.is_byte and not mark else ((k, n), "(k, n)")
    a, b = f"tensor<{m}x{k}x{program.element}>", f"tensor<{stored[0]}x{stored[1]}x{program.element}>"
    maps = ["(m, n, k) -> (m, k)", f"(m, n, k) -> {axes}", "(m, n, k) -> (m, n)"]
    return program.function(name, f"%a: {a}{mark}, %b: {b}{more}", ["%a", "%b"], [a, b], maps,
                            ["parallel", "parallel", "reduction"], f"{m}x{n}")


def batched(program, name):
    stored, axes = ("256x128", "(b, n, k)") if program.is_byte else ("128x256", "(b, k, n)")
    a, b = f"tensor<8x256x128x{program.element}>", f"tensor<8x{stored}x{program.element}>"
    maps = ["(b, m, n, k) -> (b, m, k)", f"(b, m, n, k) -> {axes}", "(b, m, n, k) -> (b, m, n)"]
    return program.function(name, f"%a: {a}, %b: {b}", ["%a", "%b"], [a, b], maps,
                            ["parallel", "parallel", "parallel", "reduction"], "8x256x256")


def convolution(program, name):
    a, b = f"tensor<4x18x18x64x{program.element}>", f"tensor<3x3x64x128x{program.element}>"
    axes = "(n, y, x, f, i, j, c)"
    maps = [f"{axes} -> (n, y + i, x + j, c)", f"{axes} -> (i, j, c, f)", f"{axes} -> (n, y, x, f)"]
    return program.function(name, f"%a: {a}, %b: {b}", ["%a", "%b"], [a, b], maps,
                            ["parallel"] * 4 + ["reduction"] * 3, "4x16x16x128")


def rows(program, name):
    mark = ' {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0>, absent = "zero"}}'
    return matmul(program, name, mark, ", %live: tensor<512xi1>")


def experts(program, name):
    """Each token through the matrices of all experts, then weighted by a gate of which two are not zero."""
    e, t = program.result, program.sum
    x, w, gate = f"tensor<512x256x{program.element}>", f"tensor<8x256x512x{program.element}>", f"tensor<512x8x{t}>"
    axes = "(t, x, f, d)"
    text, value = program.product(["%x", "%w"], [x, w], [f"{axes} -> (t, d)", f"{axes} -> (x, d, f)", f"{axes} -> (t, x, f)"],
                                  ["parallel", "parallel", "parallel", "reduction"], "512x8x512")
    letter, wide = ("i", "%h") if t == "i32" else ("f", "%h" if e == t else "%hw")
    convert = "" if e == t else f"    %hw = arith.extf %h : {e} to {t}\n"
    axes = "(t, f, x)"
    return f"""func.func @{name}(%x: {x}, %w: {w},
    %gate: {gate} {{pit.sparse = {{{VALUES}, at_most = 2 : i64}}}}) -> tensor<512x512x{t}> {{
{text}  %ye = tensor.empty() : tensor<512x512x{t}>
  %yz = linalg.fill ins(%zero : {t}) outs(%ye : tensor<512x512x{t}>) -> tensor<512x512x{t}>
  %sum = linalg.generic {{indexing_maps = [affine_map<{axes} -> (t, x)>, affine_map<{axes} -> (t, x, f)>,
      affine_map<{axes} -> (t, f)>], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%gate, {value} : {gate}, tensor<512x8x512x{e}>) outs(%yz : tensor<512x512x{t}>) {{
  ^bb0(%g: {t}, %h: {e}, %acc: {t}):
{convert}    %gh = arith.mul{letter} %g, {wide} : {t}
    %y = arith.add{letter} %acc, %gh : {t}
    linalg.yield %y : {t}
  }} -> tensor<512x512x{t}>
  return %sum : tensor<512x512x{t}>
}}
"""


def blocks(program, name):
    mark = (' {pit.sparse = {source = "blocks", from = 2 : i64, axes = array<i64: 0, 1>, '
            'granularity = array<i64: 32, 64>, absent = "zero"}}')
    return matmul(program, name, mark, ", %bits: tensor<16x16xi1>")


def micro_tiles(program, name):
    return matmul(program, name, f" {{pit.sparse = {{{VALUES}, granularity = array<i64: 32, 1>}}}}", dims=(1024, 1024, 1024))


def pieces(program, name):
    return matmul(program, name, f" {{pit.sparse = {{{VALUES}, granularity = array<i64: 1, 64>}}}}", dims=(1024, 1024, 1024))


def sampled(program, name):
    """A product of which a mask says what blocks count."""
    program.mark = (' attrs = {pit.sparse = {source = "blocks", from = 2 : i64, axes = array<i64: 0, 1>, '
                    'granularity = array<i64: 64, 64>, absent = "zero"}}')
    return matmul(program, name, more=", %bits: tensor<16x16xi1>", dims=(1024, 1024, 1024))


def gathered_k(program, name):
    """Listed rows of both, which is how sums over few k are stored where they are fast."""
    mark = ' {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0>, absent = "zero"}}'
    a, b = f"tensor<1024x512x{program.element}>", f"tensor<1024x512x{program.element}>"
    maps = ["(m, n, k) -> (k, m)", "(m, n, k) -> (k, n)", "(m, n, k) -> (m, n)"]
    return program.function(name, f"%a: {a}{mark}, %b: {b}, %live: tensor<1024xi1>", ["%a", "%b"], [a, b], maps,
                            ["parallel", "parallel", "reduction"], "512x512")


SPMM = (blocks, micro_tiles, pieces)
# A row's cell is the mark of the program that is least well off.
FAMILIES = {
    "GEMM, batched GEMM": (matmul, batched),
    "convolution (implicit GEMM)": (convolution,),
    "rows under a mask, padding (gather GEMM)": (rows,),
    "mixture of experts (grouped GEMM)": (experts,),
    "k under a mask, A stored [k, m] (gathered k)": (gathered_k,),
    "blocks of 32 x 64, 32 x 1 and 1 x 64 (SpMM)": SPMM,
    "blocks of the result, 64 x 64 (SDDMM)": (sampled,),
    "attention, causal (+: one fused kernel)": (row_programs.attention,),
    "softmax, layer norm": (row_programs.softmax, row_programs.layer_norm),
    "sums of rows, of columns, of all": (row_programs.sum_rows, row_programs.sum_columns, row_programs.sum_all),
    "depthwise convolution, max pooling": (row_programs.depthwise, row_programs.max_pooling),
}


def write_programs():
    """What is compiled, as (title, element, name, text); types that a family has no meaning for have no program."""
    programs = []
    for title, writers in FAMILIES.items():
        for write in writers:
            for element in TYPES:
                name = f"f{len(programs)}_{element}"
                text = write(Program(element), name)
                if text:
                    programs.append((title, element, name, text))
    return programs


def read_marks(explained, names):
    """The mark of each function: of the fastest kernel that a remark names, of attention the one of its products."""
    marks = dict.fromkeys(names, "L")
    order = [mark for _, mark in MARKS] + ["L"]
    function, fused = None, set()
    for line in explained.splitlines():
        head = re.match(r"\S.* in @(?:pit_)?(\w+)$", line)
        if head:
            function = head[1]
        elif line.startswith("  + kernels") and function in marks:
            mark = next((mark for words, mark in MARKS if words in line), "L")
            fused.update([function] if "kernels   fused attention" in line else [])
            if mark != "R" or not names[function].startswith("attention"):
                marks[function] = min(marks[function], mark, key=order.index)
    return {name: mark + "+" * (name in fused) for name, mark in marks.items()}


def explain(pit_opt, option, programs):
    """The marks of programs, none of those that are refused."""
    run = subprocess.run([pit_opt, "-", option, "--pit-explain", "-o", os.devnull], capture_output=True, text=True,
                         input="".join(text for _, _, _, text in programs))
    if run.returncode == 0:
        return read_marks(run.stderr, {name: title for title, _, name, _ in programs})
    if len(programs) == 1:
        if "error: " not in run.stderr:
            sys.exit(f"pit-opt {option}: {run.stderr[-2000:]}")
        return {programs[0][2]: REFUSED}
    half = len(programs) // 2
    return {**explain(pit_opt, option, programs[:half]), **explain(pit_opt, option, programs[half:])}


def make_table(pit_opt):
    programs = write_programs()
    # What this script wrote wrongly is no refusal.
    parsed = subprocess.run([pit_opt, "-", "-o", os.devnull], capture_output=True, text=True,
                            input="".join(text for _, _, _, text in programs))
    if parsed.returncode:
        sys.exit(f"pit-opt: {parsed.stderr[:2000]}")
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        by_target = list(pool.map(lambda option: explain(pit_opt, option, programs), TARGETS.values()))
    lines = [["CPU / sm_80+ / sm_90a", *(f"{element}" for element in TYPES)], ["---"] * (1 + len(TYPES))]
    order = [mark for _, mark in MARKS] + ["L", REFUSED]
    for title in FAMILIES:
        row = [title]
        for element in TYPES:
            names = [name for family, of, name, _ in programs if (family, of) == (title, element)]
            row.append(" ".join(max((marks[name] for name in names), key=lambda mark: order.index(mark.rstrip("+"))) for marks in by_target)
                       if names else "")
        lines.append(row)
    return "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--print-programs", action="store_true", help="print what is compiled")
    parser.add_argument("--page", action="append", help="a page with the table (README.md)")
    parser.add_argument("--pit-opt", default=os.path.join(ROOT, "build", "bin", "pit-opt"))
    options = parser.parse_args()
    if options.print_programs:
        sys.stdout.write("".join(text for _, _, _, text in write_programs()))
        return 0
    table, wrong = make_table(options.pit_opt), False
    for path in options.page or [os.path.join(ROOT, "README.md")]:
        with open(path, encoding="utf-8") as file:
            page = file.read()
        if page.count(BEGIN) != 1 or page.count(END) != 1:
            sys.exit(f"{path}: expected one '{BEGIN.strip()}' and one '{END.strip()}'")
        filled = page[:page.index(BEGIN)] + BEGIN + table + page[page.index(END):]
        if options.check:
            diff = list(difflib.unified_diff(page.splitlines(True), filled.splitlines(True), path, "what pit-opt says"))
            sys.stdout.writelines(diff)
            wrong = wrong or bool(diff)
            continue
        with open(path, "w", encoding="utf-8") as file:
            file.write(filled)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
