# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What families put on the page, and how it gets there."""
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


def fill(text, contents):
    """The page with every block holding what the results say. Raises ValueError where marks and contents differ."""
    seen = set()

    def replace(match):
        kind, name, _ = match.groups()
        known = contents.tables if kind == "table" else contents.figures
        if name not in known:
            raise ValueError(f"no family makes {kind} {name}")
        if (kind, name) in seen:
            raise ValueError(f"{kind} {name} stands on the page twice")
        seen.add((kind, name))
        body = known[name] if kind == "table" else f"![{known[name].title}](figures/{name}.svg)\n"
        return f"<!-- {kind}: {name} -->\n\n{body}\n<!-- end -->"

    for match in BLOCK.finditer(text):
        inner = MARK.search(match.group(3))
        if inner:
            raise ValueError(f"{match.group(1)} {match.group(2)} does not end before {inner.group(0)}")
    rest = MARK.search(BLOCK.sub("", text))
    if rest:
        raise ValueError(f"{rest.group(0)} without its other end")
    filled = BLOCK.sub(replace, text)
    wanted = {("table", name) for name in contents.tables} | {("figure", name) for name in contents.figures}
    for kind, name in sorted(wanted - seen):
        raise ValueError(f"{kind} {name} has no place on the page")
    return filled


def number(value, digits):
    return f"{value:.{digits}f}"


def span(values, digits):
    """One number, or from the least to the largest where they differ."""
    low, high = (number(pick(values), digits) for pick in (min, max))
    return low if low == high else f"{low} to {high}"


def percent(share):
    return f"{share * 100:.0f} %"
