#===- architecture.py - Whether pages name what there is -------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
"""Checks pages: what looks like a path of the repository, in backticks or as
the target of a link, exists; passes and ops that are named are in the generated
reference, functions in the file that stands before them. Where a section has
a comment `every file of FOLDERS: EXPRESSION`, it names each file in them that
has a match. Prints what is wrong, one a line, and exits with 1 if there is
anything."""

import os
import re
import sys

TOP = "benchmarks|cmake|docs|examples|include|lib|runtime|scripts|test|tools|unittests"
PATH = re.compile(rf"(?:{TOP})(?:/[\w.+-]+)+/?")
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
OP = re.compile(r"(?<![\w#!\"/.])pit\.([a-z_]+)\b")
PASS = re.compile(r"--((?:pit|convert|merge|approximate)-[a-z0-9-]+)")
FUNCTION = re.compile(r"[a-z]\w*[A-Z]\w*|emit\w+")
EVERY = re.compile(r"<!-- every file of ([^:\n]+): (.+?) -->")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_reference(root):
    """Names of ops and attributes of the dialect, and of passes, pipelines and options."""
    dialect = read(f"{root}/docs/generated/Dialect.md")
    ops = set(re.findall(r"^### `pit\.(\w+)`", dialect, re.MULTILINE))
    ops.update(re.findall(r"^\| `pit\.(\w+)`", dialect, re.MULTILINE))
    passes = set(re.findall(r"^### `-([\w-]+)`", read(f"{root}/docs/generated/Passes.md"), re.MULTILINE))
    # Pipelines, translations and options of tools are not generated.
    for path in ("lib/Pipelines/PITToCPU.cpp", "lib/Target/PTX/Translations.cpp", "lib/Target/Runtime/ProgramText.cpp",
                 "tools/pit-opt/pit-opt.cpp"):
        passes.update(re.findall(r'"(pit-[\w-]+)"', read(f"{root}/{path}")))
    return ops, passes


def check_paths(root, page, text):
    for code in CODE.findall(text):
        if PATH.fullmatch(code) and not os.path.exists(os.path.join(root, code)):
            yield f"no file or folder {code}"
    for target in LINK.findall(text):
        if "://" not in target and not os.path.exists(os.path.join(os.path.dirname(page), target)):
            yield f"a link to {target}, which is not there"


def check_functions(root, text):
    """`lib/A.cpp`, `f` and `g`: both are in A.cpp."""
    for match in re.finditer(rf"`((?:{TOP})/[^`]+\.(?:cpp|h|td|c|py))`((?:,? (?:and )?`\w+`)+)(?! in\b)", text):
        path = os.path.join(root, match[1])
        if not os.path.exists(path):
            continue
        source = read(path)
        for name in CODE.findall(match[2]):
            if FUNCTION.fullmatch(name) and not re.search(rf"\b{name}\b", source):
                yield f"no {name} in {match[1]}"


def check_names(text, ops, passes):
    for name in OP.findall(text):
        if name not in ops:
            yield f"no op or attribute pit.{name} in the reference"
    for name in PASS.findall(text):
        if name not in passes:
            yield f"no pass, pipeline or option --{name}"


def find_files(root, folder):
    for place, _, names in os.walk(os.path.join(root, folder)):
        for name in names:
            if name.endswith((".h", ".cpp", ".td", ".c")):
                yield os.path.relpath(os.path.join(place, name), root)


def check_complete(root, text):
    for section in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        for folders, expression in EVERY.findall(section):
            files = sorted(file for folder in folders.split() for file in find_files(root, folder))
            having = [file for file in files if re.search(expression, read(os.path.join(root, file)))]
            if not having:
                yield f"no file of {folders} has {expression}"
            for file in having:
                if f"`{file}`" not in section:
                    yield f"a section does not name {file}, which has {expression}"


def main():
    root, *pages = sys.argv[1:]
    if not pages:
        sys.exit(f"usage: {sys.argv[0]} ROOT PAGE...")
    ops, passes = read_reference(root)
    wrong = 0
    for page in pages:
        text = read(page)
        # Code blocks name ops, but not paths of the repository alone.
        prose = FENCE.sub("", text)
        findings = [*check_paths(root, page, prose), *check_functions(root, prose), *check_names(text, ops, passes),
                    *check_complete(root, prose)]
        for finding in dict.fromkeys(findings):
            print(f"{os.path.basename(page)}: {finding}")
            wrong += 1
    print(f"{len(pages)} pages, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
