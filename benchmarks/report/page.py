# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What families put on pages, and how it gets there."""
import os
import re

# Marks stand at the beginning of a line, so that text may speak of them.
BLOCK = re.compile(r"^<!-- (table|figure): (\S+) -->\n(.*?)^<!-- end -->$", re.S | re.M)
MARK = re.compile(r"^<!-- (?:table|figure): (\S+) -->|^<!-- end -->", re.M)


class Contents:
    """Tables and figures by name, of all families."""

    def __init__(self):
        self.tables, self.figures = {}, {}

    def table(self, name, header, rows):
        """Cells are strings; see the functions below for numbers."""
        for row in rows:
            if len(row) != len(header):
                raise ValueError(f"table {name}: {len(row)} cells under {len(header)} columns: {row}")
        lines = [header, ["---"] * len(header), *rows]
        self.tables[name] = "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def figure(self, name, chart):
        self.figures[name] = chart


def fill(pages, contents):
    """The pages, by their paths, with every block holding what the results say. Raises ValueError where marks and
    contents differ."""
    seen = set()
    filled = {path: fill_page(path, text, contents, seen) for path, text in pages.items()}
    wanted = {("table", name) for name in contents.tables} | {("figure", name) for name in contents.figures}
    for kind, name in sorted(wanted - seen):
        raise ValueError(f"{kind} {name} has no place on any page")
    return filled


def fill_page(path, text, contents, seen):
    def replace(match):
        kind, name, _ = match.groups()
        known = contents.tables if kind == "table" else contents.figures
        if name not in known:
            raise ValueError(f"{path}: no family makes {kind} {name}")
        if (kind, name) in seen:
            raise ValueError(f"{path}: {kind} {name} stands there a second time")
        seen.add((kind, name))
        if kind == "table":
            body = known[name]
        else:
            figure = os.path.relpath(f"docs/figures/{name}.svg", os.path.dirname(path) or ".")
            body = f"![{known[name].title}]({figure})\n"
        return f"<!-- {kind}: {name} -->\n\n{body}\n<!-- end -->"

    for match in BLOCK.finditer(text):
        inner = MARK.search(match.group(3))
        if inner:
            raise ValueError(f"{path}: {match.group(1)} {match.group(2)} does not end before {inner.group(0)}")
    rest = MARK.search(BLOCK.sub("", text))
    if rest:
        raise ValueError(f"{path}: {rest.group(0)} without its other end")
    return BLOCK.sub(replace, text)


def number(value, digits):
    return f"{value:.{digits}f}"


def span(values, digits):
    """One number, or from the least to the largest where they differ."""
    low, high = (number(pick(values), digits) for pick in (min, max))
    return low if low == high else f"{low} to {high}"


def percent(share):
    return f"{share * 100:.0f} %"
