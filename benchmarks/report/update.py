#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fills the tables and figures of docs/Performance.md and the pages in docs from benchmarks/results.

    update.py                   writes the pages and draws what changed (needs matplotlib)
    update.py --tables          writes the pages alone
    update.py --check           changes nothing; exit code 1 with a diff where a page or a figure is not what the
                                results say (needs Python alone)

On a page, `<!-- table: NAME -->` ... `<!-- end -->` holds a table and
`<!-- figure: NAME -->` ... `<!-- end -->` a link to docs/figures/NAME.svg; all else is
written by hand. What they hold is said by one file per family of benchmarks in families/.
"""
import argparse
import difflib
import glob
import os
import sys

import page
import families

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


# Where tables and figures may stand.
PAGES = ["README.md", "docs/Performance.md", "docs/SeveralGPUs.md", "docs/performance/*.md", "docs/reliability/*.md", "docs/notebook/*.md"]


def read_pages(root):
    """Texts by paths below the root."""
    pages = {}
    for pattern in PAGES:
        for path in sorted(glob.glob(os.path.join(root, pattern))):
            with open(path, encoding="utf-8") as file:
                pages[os.path.relpath(path, root)] = file.read()
    return pages


def stale_figures(figures, folder):
    """(name, what is wrong with it) of each figure that was not drawn from these results."""
    stale = []
    for name, chart in figures.items():
        path = os.path.join(folder, name + ".svg")
        if not os.path.exists(path):
            stale.append((name, "is missing"))
            continue
        with open(path, encoding="utf-8") as file:
            if chart.fingerprint() not in file.read():
                stale.append((name, "was drawn from other results"))
    return stale


# Drawn by hand, or by scripts/experts_picture.py, for other pages.
BY_HAND = {"architecture.svg", "experts.svg"}


def unused_figures(figures, folder):
    return sorted(file for file in os.listdir(folder) if file.removesuffix(".svg") not in figures and file not in BY_HAND) \
        if os.path.isdir(folder) else []


def check(pages, filled, figures, options):
    problems = [line for path, text in pages.items()
                for line in difflib.unified_diff(text.splitlines(True), filled[path].splitlines(True), path,
                                                 "what the results say")]
    problems += [f"{options.figures}/{name}.svg {what}\n" for name, what in stale_figures(figures, options.figures)]
    problems += [f"{options.figures}/{name}: no family draws this\n"
                 for name in unused_figures(figures, options.figures)]
    if not problems:
        return 0
    sys.stderr.writelines(problems)
    sys.stderr.write("to update: python3 benchmarks/report/update.py\n")
    return 1


def update(pages, filled, figures, options):
    for path, text in pages.items():
        if text != filled[path]:
            with open(os.path.join(options.pages, path), "w", encoding="utf-8") as file:
                file.write(filled[path])
    if options.tables:
        return 0
    os.makedirs(options.figures, exist_ok=True)
    for name in unused_figures(figures, options.figures):
        os.remove(os.path.join(options.figures, name))
    draw = figures if options.redraw else [name for name, _ in stale_figures(figures, options.figures)]
    if draw:
        try:
            import draw as drawing
        except ImportError as error:
            sys.stderr.write(f"{error}: figures need matplotlib; --tables leaves them out\n")
            return 1
        for name in draw:
            drawing.save(figures[name], os.path.join(options.figures, name + ".svg"))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, say what is not up to date")
    parser.add_argument("--tables", action="store_true", help="leave figures as they are")
    parser.add_argument("--redraw", action="store_true", help="draw all figures, not only those that changed")
    parser.add_argument("--pages", default=ROOT, help="the folder that has README.md and docs")
    parser.add_argument("--results", default=os.path.join(ROOT, "benchmarks", "results"))
    parser.add_argument("--figures", default=os.path.join(ROOT, "docs", "figures"))
    options = parser.parse_args()
    try:
        contents = families.collect(options.results)
        pages = read_pages(options.pages)
        filled = page.fill(pages, contents)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    action = check if options.check else update
    return action(pages, filled, contents.figures, options)


if __name__ == "__main__":
    sys.exit(main())
