#!/usr/bin/env python3
"""Puts one small fault after the other into the compiler's sources and runs the tests, to see whether they notice.

    scripts/mutants.py --tree DIR [--seed N] [--count N] [--seconds N] [--results FILE] [--list]

The faults (mutants) that a seed draws are always the same ones for the same sources. They are built and tested in a copy of
HEAD below DIR, which is made on the first run; results are appended, and a run goes on where the last one ended. What
survives is a test that is missing, or changes nothing: then the entry of the results gets a `reason` by hand, and `equivalent`
as its outcome.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ["lib/Analysis", "lib/Interfaces", "lib/Dialect/PIT", "lib/Conversion"]
# Tests that build other projects, draw figures or try what passes have no part in.
SLOW = "Docs|Plugin|CAPI|Benchmarks|Target/Object|Tools/pit-compile|Tools/pit-lsp|Runtime|Robustness|Examples/find-package|Fuzz/slice"
TOOLS = ["pit-opt", "pit-run", "pit-translate", "PITAnalysisTests", "PITRuleTests"]

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
    ("wrong end", r"\.front\(\)", r".back()"),
    ("wrong end", r"\.back\(\)", r".front()"),
    ("swapped kinds", r"IteratorType::parallel\b", r"IteratorType::reduction"),
    ("swapped kinds", r"IteratorType::reduction\b", r"IteratorType::parallel"),
    ("swapped inputs and outputs", r"\bgetDpsInputOperand\(", r"getDpsInitOperand("),
    ("swapped arguments", r"\b(\w+\()(\w+), (\w+)(?=\))", r"\1\3, \2"),
    ("accepted", r"\breturn failure\(\);", r"return success();"),
    ("removed statement", r"^( +)(?!return|break|continue|case|default|using|delete)[\w:.>-]+\([^;]*\);$", r"\1;"),
    ("removed assignment", r"^( +)[\w.>-]+ [|&+]?= [^;{}]*;$", r"\1;"),
]
WEIGHTS = {"removed statement": 3, "negated condition": 3, "off by one": 2}


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True).stdout


def candidates():
    """Every place of every operator, in an order that depends on the sources alone."""
    found = []
    for file in sorted(git("ls-files", *FOLDERS).split()):
        if not file.endswith(".cpp"):
            continue
        with open(os.path.join(ROOT, file), encoding="utf-8") as stream:
            lines = stream.read().split("\n")
        for number, line in enumerate(lines, 1):
            code = line.strip()
            if not code or code.startswith(("//", "#", "assert", "using", "template")) or "emitError" in code or '"' in code:
                continue
            for name, pattern, new in OPERATORS:
                for place, match in enumerate(re.finditer(pattern, line)):
                    mutated = line[: match.start()] + match.expand(new) + line[match.end():]
                    if mutated != line:
                        found.append({"file": file, "line": number, "operator": name, "place": place, "from": code,
                                      "to": mutated.strip(), "text": mutated})
    return found


def draw(seed, count):
    """An operator first, so that frequent ones do not crowd out the others; then a place."""
    by_operator = {}
    for candidate in candidates():
        by_operator.setdefault(candidate["operator"], []).append(candidate)
    dice, chosen = random.Random(seed), []
    names = sorted(by_operator)
    while len(chosen) < count and any(by_operator.values()):
        name = dice.choices(names, [WEIGHTS.get(n, 1) for n in names])[0]
        if by_operator[name]:
            chosen.append(by_operator[name].pop(dice.randrange(len(by_operator[name]))))
    return chosen


class Tree:
    """A copy of HEAD with a build of its own."""

    def __init__(self, folder, jobs):
        self.source, self.jobs = os.path.abspath(folder), jobs
        # Its name is that of other builds, so that a compiler cache knows the objects.
        self.build = os.path.join(self.source, "build-lead")
        head = git("rev-parse", "HEAD").strip()
        stamp = os.path.join(self.source, ".mutants-commit")
        if not os.path.exists(stamp) or open(stamp, encoding="utf-8").read() != head:
            os.makedirs(self.source, exist_ok=True)
            archive = subprocess.Popen(["git", "-C", ROOT, "archive", "HEAD"], stdout=subprocess.PIPE)
            subprocess.run(["tar", "-x", "-C", self.source], stdin=archive.stdout, check=True)
            archive.wait()
            subprocess.run(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DPIT_PCH=OFF"],
                           check=True, env=self.environment(), stdout=subprocess.DEVNULL)
            if self.make() is not None:
                sys.exit("the sources do not build as they are")
            # Some need more than is built here; they would be taken for tests that notice.
            print("running the tests without a mutant", flush=True)
            _, output = self.run([*self.lit(), "--filter-out", SLOW], 7200)
            with open(stamp + "-failing", "w", encoding="utf-8") as file:
                file.write("\n".join(re.findall(r"^\s+PIT :: (.*)", output, re.M)))
            with open(stamp, "w", encoding="utf-8") as file:
                file.write(head)
        with open(stamp + "-failing", encoding="utf-8") as file:
            self.failing = file.read().split()

    def environment(self):
        return {**os.environ, "CCACHE_BASEDIR": self.source, "CCACHE_NOHASHDIR": "1",
                "CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime"}

    def lit(self):
        return ["/usr/lib/llvm-22/bin/lit", "-q", f"-j{self.jobs}", os.path.join(self.build, "test")]

    def make(self):
        """The compiler's message, or None."""
        done = subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", *TOOLS], capture_output=True, text=True, env=self.environment())
        return None if done.returncode == 0 else next((line for line in done.stdout.splitlines() if "error:" in line), "error")

    def run(self, command, seconds):
        """(whether it failed, what was printed); what takes too long fails."""
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=seconds)
            return process.returncode != 0, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return True, "TIMEOUT"

    def test(self, file):
        """The first test that fails, or None: those of the file's folder first."""
        if file.startswith(("lib/Analysis", "lib/Interfaces")):
            for name in ("Analysis/PITAnalysisTests", "Rules/PITRuleTests"):
                if self.run([os.path.join(self.build, "unittests", name)], 600)[0]:
                    return f"unittests/{name}"
        folder = "/".join(os.path.dirname(file).split("/")[1:])
        near = "|".join({folder, folder.split("/")[-1]})
        late = "|".join([SLOW, *map(re.escape, self.failing)])
        whole = "Integration|Pipelines|Examples"
        for choice in (["--filter", near, "--filter-out", late], ["--filter", whole, "--filter-out", f"{near}|{late}"],
                       ["--filter-out", f"{near}|{whole}|{late}"]):
            failed, output = self.run([*self.lit(), "--max-failures=1", *choice], 1800)
            names = re.findall(r"^\s+PIT :: (.*)", output, re.M)
            if names or (failed and "TIMEOUT" in output):
                return names[0] if names else "a test that does not end"
        return None


def examine(tree, mutant):
    path = os.path.join(tree.source, mutant["file"])
    with open(path, encoding="utf-8") as file:
        original = file.read()
    lines = original.split("\n")
    lines[mutant["line"] - 1] = mutant["text"]
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        error = tree.make()
        if error:
            return {"outcome": "does not compile"}
        killer = tree.test(mutant["file"])
        return {"outcome": "killed", "by": killer} if killer else {"outcome": "survived"}
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", help="where to build")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1e9, help="start no further mutant after that long")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", default=os.path.join(ROOT, "test", "Mutants", "results.json"))
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("--only", default="", help="mutants of files that match this expression")
    options = parser.parse_args()
    mutants = draw(options.seed, options.count)
    if options.list:
        for number, mutant in enumerate(mutants):
            print(f"{number} {mutant['file']}:{mutant['line']} {mutant['operator']}: {mutant['from']} -> {mutant['to']}")
        return 0
    if not options.tree:
        parser.error("--tree is missing")

    summary = {"schema": "pit-mutants", "version": 1, "seed": options.seed, "drawn": options.count, "mutants": []}
    if os.path.exists(options.results):
        with open(options.results, encoding="utf-8") as file:
            summary = json.load(file)
        if (summary["seed"], summary["drawn"]) != (options.seed, options.count):
            sys.exit(f"{options.results} is of another seed or count")
    key = lambda mutant: (mutant["file"], mutant["operator"], mutant["place"], mutant["from"], mutant["to"])
    done = {key(mutant) for mutant in summary["mutants"]}
    start = time.monotonic()
    tree = Tree(options.tree, options.jobs)
    for number, mutant in enumerate(mutants):
        if key(mutant) in done or not re.search(options.only, mutant["file"]):
            continue
        if time.monotonic() - start > options.seconds:
            break
        begin = time.monotonic()
        result = examine(tree, mutant)
        entry = {"number": number, **{k: v for k, v in mutant.items() if k != "text"}, **result,
                 "seconds": round(time.monotonic() - begin), "commit": git("rev-parse", "--short=12", "HEAD").strip()}
        print(f"{number} {mutant['file']}:{mutant['line']} {mutant['operator']}: {entry['outcome']} {entry.get('by', '')}", flush=True)
        summary["mutants"].append(entry)
        summary["outcomes"] = {o: sum(m["outcome"] == o for m in summary["mutants"]) for o in sorted({m["outcome"] for m in summary["mutants"]})}
        os.makedirs(os.path.dirname(options.results), exist_ok=True)
        with open(options.results, "w", encoding="utf-8") as file:
            json.dump(summary, file, indent=1)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
