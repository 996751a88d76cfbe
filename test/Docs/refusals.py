#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the errors of the passes behind --pit-to-ptx and --pit-to-cuda with those that a page names.

    refusals.py SOURCES PAGE [--list]

These are the folders of what refuses programs; errors about plans that somebody wrote are not here. An error is the longest piece of text of an `emitError` or `emitOpError` in a source file. The page has each in backquotes, and none that
no source has. --list prints them.
"""
import argparse
import os
import re
import sys

FOLDERS = ["lib/Conversion/LinalgToGPU", "lib/Conversion/DetectToGPU", "lib/GPU/Chip", "lib/GPU/Host", "lib/Target/PTX", "lib/Target/Runtime"]
BEGIN, END = "<!-- begin ptx-refusals -->", "<!-- end ptx-refusals -->"
CALL = re.compile(r"\bemit(?:Op)?Error\b")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def statement(text, start):
    """The source from there to the end of the statement."""
    depth, at, quoted = 0, start, False
    while at < len(text):
        c = text[at]
        if quoted:
            at += c == "\\"
            quoted = c != '"'
        elif c == '"':
            quoted = True
        elif c in "({":
            depth += 1
        elif c in ")}":
            depth -= 1
            if depth < 0:
                break
        elif c == ";" and depth == 0:
            break
        at += 1
    return text[start:at]


def pieces(source):
    """Texts of the statement, those side by side joined."""
    joined = re.sub(r'"\s*\n?\s*"', "", source)
    return [piece.replace('\\"', '"').strip() for piece in LITERAL.findall(joined)]


def errors(root):
    """{longest text: file}."""
    found = {}
    for folder in FOLDERS:
        for parent, _, files in sorted(os.walk(os.path.join(root, folder))):
            for name in sorted(files):
                if not name.endswith((".cpp", ".h")):
                    continue
                path = os.path.join(parent, name)
                with open(path, encoding="utf-8") as file:
                    text = re.sub(r"(?m)//.*$", "", file.read())
                for call in CALL.finditer(text):
                    texts = [piece for piece in pieces(statement(text, call.start())) if len(piece) > 8]
                    if texts:
                        found.setdefault(max(texts, key=len), os.path.relpath(path, root))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root")
    parser.add_argument("page")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    found = errors(options.root)
    if options.list:
        for text, path in found.items():
            print(f"{path}: {text}")
        return 0
    with open(options.page, encoding="utf-8") as file:
        page = file.read()
    table = page[page.index(BEGIN):page.index(END)]
    named = set(re.findall(r"^\| `([^`]*)` \|", table, re.M))
    missing, unknown = sorted(set(found) - named), sorted(named - set(found))
    for text in missing:
        print(f"not named: {found[text]}: {text}")
    for text in unknown:
        print(f"no source has: {text}")
    print(f"{len(found)} errors, {len(missing)} not named, {len(unknown)} named that are not there")
    return 1 if missing or unknown or not found else 0


if __name__ == "__main__":
    sys.exit(main())
