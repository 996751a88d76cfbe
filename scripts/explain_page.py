#!/usr/bin/env python3
"""Keeps what docs/Explain.md prints of examples: runs the page's commands, and compares or writes what follows them."""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

parser = argparse.ArgumentParser(description=__doc__)
action = parser.add_mutually_exclusive_group(required=True)
action.add_argument("--check", action="store_true", help="fail if the page differs")
action.add_argument("--update", action="store_true", help="write the page")
parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs/Explain.md")
parser.add_argument("--pit-opt", default=str(ROOT / "build/bin/pit-opt"))
arguments = parser.parse_args()


def run(command):
    words = command.split()
    done = subprocess.run([arguments.pit_opt] + words[1:], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=True)
    return done.stdout


text = arguments.page.read_text()
new = re.sub(r"(?<=^```\n)\$ (pit-opt .*)\n(?:.*\n)*?(?=```$)", lambda block: f"$ {block[1]}\n{run(block[1])}", text,
             flags=re.MULTILINE)
if arguments.update:
    arguments.page.write_text(new)
elif new != text:
    sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), new.splitlines(True), "page", "now"))
    sys.exit("to update: python3 scripts/explain_page.py --update")
