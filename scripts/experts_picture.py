#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws docs/figures/experts.svg, the picture of README.md: experts as written, what is found, what runs.

    experts_picture.py            writes the picture
    experts_picture.py --check    changes nothing; exit code 1 where the file is another one
"""
import argparse
import os
import random
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOKENS, EXPERTS, CHOSEN, CELL = 16, 8, 2, 14
COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#997700", "#555555"]
WIDTH, HEIGHT = 900, 330


class Picture:
    def __init__(self):
        self.parts = []

    def text(self, x, y, text, size=13, weight="normal", anchor="start", colour="#222"):
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" '
                          f'fill="{colour}">{text}</text>')

    def box(self, x, y, width, height, fill, stroke="none", radius=0):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="{fill}" '
                          f'stroke="{stroke}"/>')

    def arrow(self, x, y, to_x, to_y):
        self.parts.append(f'<path d="M{x} {y} L{to_x} {to_y}" stroke="#444" stroke-width="1.5" marker-end="url(#tip)"/>')

    def save(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
                f'height="{HEIGHT}" font-family="sans-serif">\n'
                '<title>A mixture of experts: written dense, found at run time, run as grouped GEMM</title>\n'
                '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="6" refY="3" orient="auto">'
                '<path d="M0 0 L6 3 L0 6 z" fill="#444"/></marker></defs>\n'
                f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def draw():
    # A gate like any: each token at two experts.
    generator = random.Random(7)
    chosen = [sorted(generator.sample(range(EXPERTS), CHOSEN)) for _ in range(TOKENS)]
    picture = Picture()

    left, top = 60, 70
    picture.text(20, 26, "1  You write it dense", 15, "bold")
    picture.text(20, 46, "every expert computes every token")
    for token in range(TOKENS):
        for expert in range(EXPERTS):
            live = expert in chosen[token]
            picture.box(left + expert * CELL, top + token * CELL, CELL - 2, CELL - 2,
                        COLOURS[expert] if live else "#e4e4e4")
    picture.text(left + EXPERTS * CELL / 2, top + TOKENS * CELL + 16, "experts", anchor="middle")
    picture.text(52, top + TOKENS * CELL / 2, "tokens", anchor="end")

    middle = 315
    picture.text(middle - 30, 26, "2  PIT finds what is live", 15, "bold")
    picture.text(middle - 30, 46, "one index: the tokens of each expert")
    for expert in range(EXPERTS):
        tokens = [token for token in range(TOKENS) if expert in chosen[token]]
        y = top + 4 + expert * 27
        picture.text(middle - 30, y + 13, f"e{expert}")
        for place, token in enumerate(tokens):
            picture.box(middle + place * 24, y, 22, 18, COLOURS[expert])
            picture.text(middle + place * 24 + 11, y + 13, token, 11, "normal", "middle", "white")
    picture.arrow(left + EXPERTS * CELL + 12, 180, middle - 40, 180)

    right = 595
    picture.text(right, 26, "3  What runs on the GPU", 15, "bold")
    picture.text(right, 46, "dense tiles of rows, on tensor cores")
    kernels = [("detection into lists", "the gate is read once"),
               ("grouped GEMM", "gathers rows of X; ReLU in the kernel"),
               ("grouped GEMM", "rows stay packed in between"),
               ("sums of listed rows", "each token's experts, in a fixed order")]
    for i, (name, what) in enumerate(kernels):
        y = top + i * 58
        picture.box(right, y, 280, 40, "#eef3fa", "#4477aa", 5)
        picture.text(right + 10, y + 17, name, 13, "bold")
        picture.text(right + 10, y + 33, what, 11)
        if i:
            picture.arrow(right + 140, y - 18, right + 140, y - 4)
    picture.arrow(middle + 190, 180, right - 12, 180)
    picture.text(right, top + 4 * 58 + 10, "tokens x experts x hidden is never built", 12, colour="#555")
    return picture.save()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--file", default=os.path.join(ROOT, "docs", "figures", "experts.svg"))
    options = parser.parse_args()
    if options.check:
        with open(options.file, encoding="utf-8") as file:
            if file.read() != draw():
                sys.exit(f"{options.file} is not what {os.path.basename(__file__)} draws")
        return
    with open(options.file, "w", encoding="utf-8") as file:
        file.write(draw())


main()
