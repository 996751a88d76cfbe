# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws small faults (mutants) in C++ sources, and writes many of them into one source at once.

A function with mutants gets one copy of its body per mutant, and chooses between them when it is called:

    if (pit_mutants::on(17)) { body with the fault } else { body as it was }

So everything is compiled once, and an environment variable says which fault the process has. A fault need not keep the
statement or expression that it is in of the same form; only the whole body has to compile.
"""
import glob
import os
import random
import re

FOLDERS = ["lib/Analysis", "lib/Interfaces", "lib/Dialect/PIT", "lib/Conversion"]

# Arguments of these may be swapped without a difference.
COMMUTATIVE = r"(?:\w*(?:add|mul|bitAnd|bitOr|bitXor|minimum|maximum|isEqual|equal|swap|min|max)|(?:AddI|MulI|AddF|MulF|AndI|OrI|XOrI)Op::create)"

# (name, pattern, replacement): one place at a time. A reader of the results should recognise the kind of mistake.
OPERATORS = [
    ("negated condition", r"\bif \(([^;{}]*[^;{}\s])\)(?= \{$|$)", r"if (!(\1))"),
    ("and for or", r" && ", r" || "),
    ("or for and", r" \|\| ", r" && "),
    ("off by one", r"(?<=\w) < (?=\w)", r" <= "),
    ("off by one", r"(?<=\w) <= (?=\w)", r" < "),
    ("off by one", r" \+ 1\b", r""),
    ("off by one", r" - 1\b", r""),
    ("equality", r" == ", r" != "),
    ("equality", r" != ", r" == "),
    ("all for any", r"\bany_of\(", r"all_of("),
    ("any for all", r"\ball_of\(", r"any_of("),
    ("truth value", r"\btrue\b", r"false"),
    ("truth value", r"\bfalse\b", r"true"),
    ("other predicate", r"Predicate::slt\b", r"Predicate::sle"),
    ("other predicate", r"Predicate::ult\b", r"Predicate::ule"),
    ("other predicate", r"Predicate::eq\b", r"Predicate::ne"),
    ("other predicate", r"Predicate::ne\b", r"Predicate::eq"),
    ("other predicate", r"Predicate::sge\b", r"Predicate::sgt"),
    ("other operation", r"\barith::AddIOp\b", r"arith::SubIOp"),
    ("other operation", r"\barith::MulIOp\b", r"arith::AddIOp"),
    ("other operation", r"\barith::DivUIOp\b", r"arith::RemUIOp"),
    ("other operation", r"\barith::RemUIOp\b", r"arith::DivUIOp"),
    ("other operation", r"\barith::MinUIOp\b", r"arith::MaxUIOp"),
    ("other operation", r"\barith::XOrIOp\b", r"arith::OrIOp"),
    ("other operation", r"(?<=\w)\.add\((?=\w)", r".sub("),
    ("other operation", r"(?<=\w)\.mul\((?=\w)", r".add("),
    ("other operation", r"(?<=\w)\.divide\((?=\w)", r".remainder("),
    ("other operation", r"(?<=\w)\.bitXor\((?=\w)", r".bitOr("),
    ("other operation", r"(?<=\w)\.ceilDivide\((?=\w)", r".divide("),
    ("other constant", r"\b(i32|constant|index)\((\d+)\)", r"\1(\g<2> + 1)"),
    ("wrong end", r"\.front\(\)", r".back()"),
    ("wrong end", r"\.back\(\)", r".front()"),
    ("swapped kinds", r"IteratorType::parallel\b", r"IteratorType::reduction"),
    ("swapped kinds", r"IteratorType::reduction\b", r"IteratorType::parallel"),
    ("swapped inputs and outputs", r"\bgetDpsInputOperand\(", r"getDpsInitOperand("),
    ("swapped arguments", r"\b(?!" + COMMUTATIVE + r"\()([\w:]+\()(\w+), (\w+)(?=\))", r"\1\3, \2"),
    ("accepted", r"\breturn failure\(\);", r"return success();"),
    ("removed statement", r"^( +)(?!return|break|continue|case|default|using|delete)[\w:.>-]+\([^;]*\);$", r"\1;"),
    ("removed assignment", r"^( +)[\w.>-]+ [|&+]?= [^;{}]*;$", r"\1;"),
]
WEIGHTS = {"removed statement": 3, "negated condition": 3, "off by one": 2}

HEADER = """// Which of the faults of this copy the process has, and which of them it came by.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
namespace pit_mutants {
inline bool on(int number) {
  static const char *text = std::getenv("PIT_MUTANT"), *log = std::getenv("PIT_MUTANT_LOG");
  static const int chosen = text ? std::atoi(text) : -1;
  static bool seen[65536];
  if (log && !seen[number]) {
    seen[number] = true;
    char line[16];
    int size = std::snprintf(line, sizeof line, "%d\\n", number);
    int file = ::open(log, O_WRONLY | O_APPEND | O_CREAT, 0644);
    if (file < 0 || ::write(file, line, size) != size)
      std::abort();
    ::close(file);
  }
  return number == chosen;
}
} // namespace pit_mutants
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")


def bodies(lines):
    """(first, last) of the lines inside each function's braces; what is written on one line is left out."""
    found, stack = [], []
    for number, line in enumerate(lines):
        code = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|//.*', "", line)
        for character in code:
            if character == "{":
                start = number
                while start and not re.search(r"([;{}:]|^)\s*$", re.sub(r"//.*", "", lines[start - 1])):
                    start -= 1
                head = " ".join(text.strip() for text in lines[start: number + 1])
                is_scope = re.search(r"^(template <.*> )?(namespace|struct|class|enum|union|extern)\b", head) is not None
                is_function = all(kind == "scope" for kind, _, _ in stack) and not is_scope and "(" in head and "constexpr" not in head
                stack.append(("scope" if is_scope else "function" if is_function else "other", number, code.rstrip().endswith("{")))
            elif character == "}" and stack:
                kind, first, opens = stack.pop()
                if kind == "function" and opens and line.strip() == "}" and first + 1 < number:
                    found.append((first + 1, number - 1))
    return found


def candidates(root, file):
    """Every place of every operator in one file, in an order that depends on the source alone."""
    lines, found = read(os.path.join(root, file)), []
    for first, last in bodies(lines):
        for number in range(first, last + 1):
            line = lines[number]
            code = line.strip()
            if not code or code.startswith(("//", "assert", "using", "template")) or "emitError" in code or '"' in code:
                continue
            before = lines[number - 1].rstrip()
            for name, pattern, new in OPERATORS:
                # What goes on from the line before is no statement.
                if name.startswith("removed") and not re.search(r"[;{})]$|^\s*//", before):
                    continue
                for place, match in enumerate(re.finditer(pattern, line)):
                    # In a comment that names an argument, say.
                    if line[: match.start()].rfind("/*") > line[: match.start()].rfind("*/") or "//" in line[: match.start()]:
                        continue
                    mutated = line[: match.start()] + match.expand(new) + line[match.end():]
                    if mutated != line:
                        found.append({"file": file, "line": number + 1, "operator": name, "place": place, "from": code,
                                      "to": mutated.strip(), "text": mutated, "body": (first, last)})
    return found


def draw(root, seed, count, number_of_files):
    """Files first, each with a chance that grows with the places in it, then the same number in each: an operator, so that
    frequent ones do not crowd out the others, and a place."""
    dice, chosen = random.Random(seed), []
    names = sorted(os.path.relpath(path, root) for folder in FOLDERS for path in glob.glob(os.path.join(root, folder, "**", "*.cpp"), recursive=True))
    places = {file: candidates(root, file) for file in names}
    files = []
    while len(files) < number_of_files and (left := [file for file in names if places[file] and file not in files]):
        files.append(dice.choices(left, [len(places[file]) for file in left])[0])
    for file in files:
        by_operator = {}
        for candidate in places[file]:
            by_operator.setdefault(candidate["operator"], []).append(candidate)
        mine = []
        while len(mine) < -(-count // number_of_files) and any(by_operator.values()):
            operators = sorted(name for name in by_operator if by_operator[name])
            name = dice.choices(operators, [WEIGHTS.get(n, 1) for n in operators])[0]
            mine.append(by_operator[name].pop(dice.randrange(len(by_operator[name]))))
        chosen += mine
    # Every beginning of the list is a sample of all files.
    dice.shuffle(chosen)
    return [{"number": number, **mutant} for number, mutant in enumerate(chosen)]


def write(root, pristine, file, mutants):
    """The source of `file` below `root`: that below `pristine`, with all the mutants."""
    lines = read(os.path.join(pristine, file))
    result, by_body = ['#include "PIT/Mutants.h"', '#line 1 "source"'], {}
    for mutant in mutants:
        by_body.setdefault(mutant["body"], []).append(mutant)
    done = 0
    for (first, last), group in sorted(by_body.items()):
        result += lines[done:first]
        for mutant in group:
            body = lines[first: last + 1]
            body[mutant["line"] - 1 - first] = mutant["text"]
            result += [f"if (pit_mutants::on({mutant['number']})) {{", f'#line {first + 1} "mutant-{mutant["number"]}"', *body,
                       "} else"]
        result += ["{", f'#line {first + 1} "source"', *lines[first: last + 1], "}", f'#line {last + 2} "source"']
        done = last + 1
    result += lines[done:]
    text = "\n".join(result)
    path = os.path.join(root, file)
    with open(path, encoding="utf-8") as stream:
        if stream.read() == text:
            return
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
