#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each program that a test expects an error of by itself: pit-opt has to fail, not only to print.

    refused.py FOLDER --pit-opt PROGRAM

With --verify-diagnostics, only what is printed counts; a pass that prints an error and goes on would not be noticed.
"""
import argparse
import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile


def commands(path):
    """(arguments of pit-opt, whether the file is split) of each RUN line that verifies diagnostics."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"\\\n// (RUN:)?", " ", file.read())
    for line in re.findall(r"^// RUN: (.*)$", text, re.M):
        # A bar inside quotes is part of a word, so the words come first and the pipe is looked for among them.
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|")
        lexer.whitespace_split, lexer.commenters = True, ""
        words = list(itertools.takewhile(lambda word: word != "|", lexer))
        if words[0] != "pit-opt" or not re.search(r"-verify-diagnostics(?!=)", line) or "%t" in line or "%S" in line:
            continue
        split = [word for word in words if re.fullmatch(r"--?split-input-file", word)]
        yield [word for word in words[1:] if word not in split and not re.fullmatch(r"--?verify-diagnostics", word)], bool(split)


def check(pit_opt, path):
    """(programs, messages about those that are accepted)."""
    with open(path, encoding="utf-8") as file:
        contents = file.read()
    count, wrong = 0, []
    for arguments, is_split in commands(path):
        for number, program in enumerate(re.split(r"^// -----.*$", contents, flags=re.M) if is_split else [contents]):
            if "expected-error" not in program:
                continue
            count += 1
            with tempfile.NamedTemporaryFile("w", suffix=os.path.splitext(path)[1]) as file:
                file.write(program)
                file.flush()
                done = subprocess.run([pit_opt, *(file.name if word == "%s" else word for word in arguments)], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if done.returncode != 1:
                wrong.append(f"{path}, program {number}: exit code {done.returncode}")
    return count, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--pit-opt", required=True)
    options = parser.parse_args()
    count, wrong = 0, []
    for folder, _, files in sorted(os.walk(options.folder)):
        for file in sorted(files):
            if file.endswith(".mlir"):
                found = check(options.pit_opt, os.path.join(folder, file))
                count, wrong = count + found[0], wrong + found[1]
    print(*wrong, sep="\n")
    print(f"{count} programs that are refused, {len(wrong)} that are not")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
