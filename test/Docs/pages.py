#===- pages.py - Whether the pages of the documentation hold together ------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
"""Checks README.md and docs: pages.py ROOT. Links and their anchors exist, pages
of performance and the README are short, cells of the README's tables too, pages
of results say what was asked and how to repeat it, words are the field's, and the glossary has every term, in the words that the
sources have."""

import glob
import os
import re
import sys

FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
MADE = re.compile(r"^<!-- (?:table|figure): .*?^<!-- end -->$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
MOST_LINES = {"README.md": 130, "docs/performance/": 200, "docs/notebook/": 200, "docs/reliability/": 200,
              "docs/Performance.md": 200}
MOST_IN_CELL = 160
MOST_WORDS = 1200
HEAD = 25


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def get_anchors(text):
    """As GitHub makes them of headings."""
    anchors = set(re.findall(r'<a id="([^"]+)"', text))
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE):
        anchors.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return anchors


def check_links(root, page, text):
    folder = os.path.dirname(os.path.join(root, page))
    for target in LINK.findall(FENCE.sub("", text)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        place = os.path.normpath(os.path.join(folder, path)) if path else os.path.join(root, page)
        if not os.path.exists(place):
            yield f"a link to {target}, which is not there"
        elif anchor and place.endswith(".md") and anchor not in get_anchors(read(place)):
            yield f"a link to {target}, where no heading has that name"


def check_size(page, text):
    for start, most in MOST_LINES.items():
        if page.startswith(start) and text.count("\n") > most:
            yield f"{text.count(chr(10))} lines, {most} at most"
    if page == "README.md":
        for line in FENCE.sub("", text).splitlines():
            for cell in line.split("|") if line.startswith("|") else []:
                if len(cell.strip()) > MOST_IN_CELL:
                    yield f"a cell of {len(cell.strip())} characters, {MOST_IN_CELL} at most: {cell.strip()[:40]}..."


def check_parts(page, text):
    """Pages of results say what was asked, what was found, how to repeat it, and what was not measured, in a few minutes."""
    if page.startswith("docs/performance/"):
        for part in ("Question", "Answer", "To repeat", "Limits"):
            if f"**{part}.**" not in text:
                yield f"no '**{part}.**'"
        words = len(MADE.sub("", text).split())
        if words > MOST_WORDS:
            yield f"{words} words, {MOST_WORDS} at most beside tables and figures; docs/notebook has room"


def check_words(page, text):
    """Words that once stood for terms of the field; the glossary has those."""
    prose = re.sub(r"`[^`\n]*`|\"\w+\"", "", FENCE.sub("", text))
    others = r"\b(wanted|told|hand(?:ed|s)? over|from which on)\b"
    if page.startswith(("docs/performance/", "docs/notebook/")):
        others += r"|\b(?:matrix units?|copy engine|multiprocessors?)\b"
    for word in sorted({match[0] for match in re.finditer(others, prose)}):
        yield f"'{word}' is none of the field's words"


def list_terms(root):
    """All names that people write or read, but for those of ops."""
    dialect = read(f"{root}/docs/generated/Dialect.md")
    yield "pass", re.findall(r"^### `-([\w-]+)`$", read(f"{root}/docs/generated/Passes.md"), re.MULTILINE)
    yield "attribute", re.findall(r"^\| `(pit\.\w+)` \|", dialect, re.MULTILINE)
    yield "type or attribute", sorted(set(re.findall(r"[#!]pit\.\w+", dialect)))
    yield "option", sorted(set(re.findall(r'\*this,\s*"([\w-]+)"', read(f"{root}/include/PIT/Pipelines/Pipelines.h"))))
    sources = "".join(read(path) for path in glob.glob(f"{root}/include/PIT/Dialect/PIT/IR/*.td"))
    yield "enumerator", sorted(set(re.findall(r'I32EnumAttrCase<"\w+", \d+, "(\w+)">', sources)))


def check_glossary(root):
    text = read(f"{root}/docs/Glossary.md")
    for op in re.findall(r"^### `(pit\.\w+)` \(pit::", read(f"{root}/docs/generated/Dialect.md"), re.MULTILINE):
        if f"`{op}`" not in text:
            yield f"no {op}"
    plans = read(f"{root}/include/PIT/Dialect/PIT/IR/PITPlanAttrs.td")
    for family in re.findall(r'I32EnumAttrCase<"\w+", \d+, "(\w*(?:gemm|spmm|sddmm)\w*)">', plans):
        if f"`{family}`" not in text:
            yield f"no family {family}"
    for what, names in list_terms(root):
        for name in names:
            if f"`{name}`" not in text:
                yield f"no {what} {name}"
    rows = re.findall(r"^\| `[^|]*\| ([^|]*) \|[^|]*\| `([^`|]*)` \|$", text, re.MULTILINE)
    if not rows:
        yield "no families"
    for term, path in rows:
        words = re.search(r"\((\w+)\)$", term)
        term = words[1] if words else term
        head = "\n".join(read(f"{root}/{path}").splitlines()[:HEAD]) if os.path.exists(f"{root}/{path}") else ""
        if term.lower() not in re.sub(r"\s*\n//\s*", " ", head).lower():
            yield f"{path} does not have '{term}' in its first {HEAD} lines"


def main():
    root = sys.argv[1]
    pages = ["README.md", "CONTRIBUTING.md", "examples/README.md", "examples/torch/README.md", "benchmarks/README.md",
             "test/results/README.md"]
    pages += sorted(os.path.relpath(path, root) for path in glob.glob(f"{root}/docs/**/*.md", recursive=True))
    wrong = 0
    for page in pages:
        text = read(f"{root}/{page}")
        findings = [*check_links(root, page, text), *check_size(page, text), *check_words(page, text), *check_parts(page, text)]
        if page == "docs/Glossary.md":
            findings += check_glossary(root)
        for finding in findings:
            print(f"{page}: {finding}")
            wrong += 1
    print(f"{len(pages)} pages, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
