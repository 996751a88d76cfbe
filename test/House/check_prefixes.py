#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds runs of FileCheck whose prefixes have no line that must match.

    check_prefixes.py FOLDER

Where all lines of a run are -NOT lines, any other output passes, also that of a tool that does something else. Prints such
runs and returns 1. "Nothing is printed" is `count 0`. Files in folders named Inputs are no tests.
"""
import os
import re
import shlex
import sys

SUFFIXES = (".mlir", ".c", ".test")
# What must match; -NOT, and comments of another kind, do not count.
POSITIVE = r"(?:-(?:NEXT|SAME|DAG|LABEL|EMPTY|COUNT-\d+))?(?:\{LITERAL\})?:"


def run_lines(text):
    """The RUN lines, joined where they go on."""
    line = ""
    for part in re.findall(r"RUN:(.*)", text):
        line += part.rstrip()
        if line.endswith("\\"):
            line = line[:-1]
            continue
        yield line
        line = ""


def read_check(words, path):
    """(file with the checks, prefixes) of the words behind FileCheck."""
    prefixes, file = [], None
    for i, word in enumerate(words):
        option, equals, value = word.lstrip("-").partition("=")
        if word.startswith("-") and option in ("check-prefix", "check-prefixes"):
            prefixes += (value if equals else words[i + 1]).split(",")
        elif not word.startswith("-") and file is None and (i == 0 or not words[i - 1].endswith(("check-prefix", "check-prefixes", "input-file"))):
            file = word.replace("%s", path).replace("%S", os.path.dirname(path))
    return file, prefixes or ["CHECK"]


def has_positive(text, prefix):
    return re.search(rf"(?<![\w-]){re.escape(prefix)}{POSITIVE}", text) is not None


def check(path):
    """The runs of FileCheck in a test that no line has to match."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    for line in run_lines(text):
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        lexer.commenters = ""
        command = []
        for word in [*lexer, ";"]:
            if not re.fullmatch(r"[|&;]+", word):
                command.append(word)
                continue
            # `not FileCheck` and `env X=Y FileCheck` count as well.
            if "FileCheck" in command:
                file, prefixes = read_check(command[command.index("FileCheck") + 1:], path)
                checks = text
                if file != path and os.path.exists(file or ""):
                    with open(file, encoding="utf-8", errors="replace") as other:
                        checks = other.read()
                if not any(has_positive(checks, prefix) for prefix in prefixes):
                    yield prefixes
            command = []


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tests = bad = 0
    for folder, folders, files in os.walk(sys.argv[1]):
        folders[:] = sorted(name for name in folders if name != "Inputs")
        for name in sorted(files):
            if not name.endswith(SUFFIXES):
                continue
            tests += 1
            path = os.path.join(folder, name)
            for prefixes in check(path):
                bad += 1
                print(f"{os.path.relpath(path, sys.argv[1])}: no line of {', '.join(prefixes)} has to match")
    print(f"{tests} tests, {bad} runs of FileCheck without a line that has to match")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
