#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts small faults into the compiler's sources and runs the tests, to see whether they notice.

    scripts/mutants.py --tree DIR [--seed N] [--count N] [--files N] [--commit C] [--results FILE] [--list]
                       [--again [--assertions SOURCE...]]

The faults (mutants) that a seed draws are always the same ones for the same sources. All of them are built at once in a copy
of the commit below DIR, see mutant_sources.py; those that do not compile are dropped. Then the tests run once without a mutant,
which tells the mutants that each test comes by, and for each mutant those tests run until one fails. Results are written as
they come, and a run goes on where the last one ended.

What survives shows a test that is missing, or changes nothing. After a test was added, --again takes over the new files
below test/, and unit tests to which something was only added, and runs what survived once more. With --assertions, these sources are
compiled with assertions first, those of LLVM's headers among them: an access beyond an array is noticed there alone. An entry of the results may get a `reason` by hand, with `equivalent` or `device` as its
outcome: nothing that PIT promises changes, or only a run on a device could notice.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time

import mutant_sources
import mutant_tests

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True).stdout.strip()


def load(path, default=None):
    if not os.path.exists(path):
        return default
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)


class Tree:
    """A copy of a commit, with all mutants in it, and a build."""

    def __init__(self, folder, commit, settings, jobs):
        self.source, self.jobs = os.path.abspath(folder), jobs
        self.pristine = os.path.join(self.source, "pristine")
        self.build = os.path.join(self.source, "build")
        # Numbers of mutants mean something else with other settings.
        stamp, drawn = os.path.join(self.source, "commit.json"), {"commit": commit, **settings}
        if load(stamp) == drawn:
            return
        for file in ("bad.json", "learned.json"):
            if os.path.exists(os.path.join(self.source, file)):
                os.remove(os.path.join(self.source, file))
        for place in (self.source, self.pristine):
            os.makedirs(place, exist_ok=True)
            archive = subprocess.Popen(["git", "-C", ROOT, "archive", commit], stdout=subprocess.PIPE)
            subprocess.run(["tar", "-x", "-C", place], stdin=archive.stdout, check=True)
            archive.wait()
        with open(os.path.join(self.source, "include", "PIT", "Mutants.h"), "w", encoding="utf-8") as file:
            file.write(mutant_sources.HEADER)
        subprocess.run(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"], check=True,
                       env=self.environment(), stdout=subprocess.DEVNULL)
        save(stamp, drawn)

    def environment(self):
        return {**os.environ, "CCACHE_BASEDIR": self.source, "CCACHE_NOHASHDIR": "1",
                "CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime"}

    def make(self, mutants):
        """Writes and builds the mutants; returns the numbers of those that do not compile."""
        by_file = {}
        for mutant in mutants:
            by_file.setdefault(mutant["file"], []).append(mutant)
        bad = set()
        while True:
            for file, group in by_file.items():
                mutant_sources.write(self.source, self.pristine, file, [mutant for mutant in group if mutant["number"] not in bad])
            done = subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", "-k0", *mutant_tests.TARGETS], capture_output=True, text=True,
                                  env=self.environment(), check=False)
            if done.returncode == 0:
                return sorted(bad)
            found = set()
            for part in done.stdout.split("FAILED: ")[1:]:
                numbers = re.findall(r"^mutant-(\d+):[\d:]* (?:fatal )?error:", part, re.M) or re.findall(r"\bmutant-(\d+):", part)
                found |= set(map(int, numbers))
            if not found - bad:
                sys.exit("the sources do not build as they are:\n" + done.stdout[-4000:])
            bad |= found
            print(f"{len(bad)} mutants do not compile", flush=True)

    def compile_with_assertions(self, sources):
        """Compiles them anew, without the precompiled header, which has none. What depends on them is linked again."""
        for source in sources:
            commands = subprocess.run(["ninja", "-C", self.build, "-t", "compdb"], capture_output=True, text=True, check=True).stdout
            path = os.path.join(self.source, source)
            entry = next((entry for entry in json.loads(commands) if os.path.normpath(entry["file"]) == path and " -c " in entry["command"]), None)
            if not entry:
                sys.exit(f"{source} is not compiled")
            target = os.path.join(self.build, entry["output"])
            # Its time stays, or it would be compiled again.
            times = os.stat(target)
            command = re.sub(r" -include \S+cmake_pch\.hxx| -Winvalid-pch| -fpch-preprocess|/\S*ccache ", " ", entry["command"])
            command = re.sub(r" -MD -MT \S+ -MF \S+", " ", command)
            subprocess.run(command + " -UNDEBUG", shell=True, cwd=entry["directory"], check=True)
            os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))
        for folder in ("lib", "bin", "unittests"):
            for place, _, files in os.walk(os.path.join(self.build, folder)):
                for file in files:
                    name = os.path.join(place, file)
                    if file.endswith(".a") or file in mutant_tests.TARGETS:
                        os.remove(name)
        subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", *mutant_tests.TARGETS], check=True, stdout=subprocess.DEVNULL,
                       env=self.environment())

    def take_over_unit_tests(self, commit):
        """Those that only have more than the commit's; returns their names."""
        changed, taken = git("diff", "--numstat", commit, "--", *(f"unittests/{name.split('/')[0]}" for name in mutant_tests.UNIT_TESTS)), []
        for line in changed.splitlines():
            added, removed, name = line.split("\t")
            if added != "0" and removed == "0" and name.endswith(".cpp") and os.path.exists(os.path.join(self.pristine, name)):
                shutil.copy(os.path.join(ROOT, name), os.path.join(self.source, name))
                taken += [f"unittests/{test}" for test in mutant_tests.UNIT_TESTS if name.startswith(f"unittests/{test.split('/')[0]}/")]
        if taken:
            subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", *(os.path.basename(test) for test in taken)], check=True,
                           stdout=subprocess.DEVNULL, env=self.environment())
        return taken

    def take_over_tests(self):
        """Files that the commit does not have; what it has fits its sources, and may not fit newer ones."""
        for folder, _, files in os.walk(os.path.join(ROOT, "test")):
            for file in files:
                name = os.path.relpath(os.path.join(folder, file), ROOT)
                if "__pycache__" not in name and not os.path.exists(os.path.join(self.pristine, name)):
                    os.makedirs(os.path.dirname(os.path.join(self.source, name)), exist_ok=True)
                    shutil.copy(os.path.join(ROOT, name), os.path.join(self.source, name))
        texts = os.path.join(self.source, "test", "Conversion", "Texts", "texts.py")
        subprocess.run([sys.executable, texts, "all", "--pit-opt", os.path.join(self.build, "bin", "pit-opt"), "--update"], check=True)


def summarise(results):
    outcomes = [mutant["outcome"] for mutant in results["mutants"]]
    results["outcomes"] = {outcome: outcomes.count(outcome) for outcome in sorted(set(outcomes))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", help="where to build; a folder that git ignores")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=272)
    parser.add_argument("--files", type=int, default=34, help="draw in that many files")
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--seconds", type=float, default=1e9, help="examine no further mutant after that long")
    parser.add_argument("--test-seconds", type=float, default=30, help="leave out tests that take longer, or their processes")
    parser.add_argument("--budget", type=float, default=1e9, help="seconds of tests of one mutant, as they take without it")
    parser.add_argument("--jobs", type=int, default=1, help="of the build")
    parser.add_argument("--results", default=os.path.join(ROOT, "test", "results", "mutants", "mutants.json"))
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("--numbers", type=lambda text: {int(number) for number in text.split(",")}, help="examine only these")
    parser.add_argument("--again", action="store_true", help="take over the tests and run what was not caught once more")
    parser.add_argument("--assertions", nargs="+", default=[], metavar="SOURCE", help="compile these with assertions")
    options = parser.parse_args()
    if not options.tree:
        parser.error("--tree is missing")

    settings = {"seed": options.seed, "drawn": options.count, "files": options.files}
    results = load(options.results)
    commit = git("rev-parse", results["commit"] if results else options.commit)
    if results and {key: results[key] for key in settings} != settings:
        sys.exit(f"{options.results} is of another seed or count")
    tree = Tree(options.tree, commit, settings, options.jobs)
    mutants = mutant_sources.draw(tree.pristine, options.seed, options.count, options.files)
    if options.list:
        for mutant in mutants:
            print(f"{mutant['number']} {mutant['file']}:{mutant['line']} {mutant['operator']}: {mutant['from']} -> {mutant['to']}")
        return 0

    bad_file = os.path.join(tree.source, "bad.json")
    known = set(load(bad_file, []))
    bad = known | set(tree.make([mutant for mutant in mutants if mutant["number"] not in known]))
    save(bad_file, sorted(bad))
    mutants = [mutant for mutant in mutants if mutant["number"] not in bad]
    new_unit_tests = []
    if options.assertions:
        tree.compile_with_assertions(options.assertions)
    if options.again:
        tree.take_over_tests()
        new_unit_tests = tree.take_over_unit_tests(commit)
    tests = mutant_tests.find(tree.build)
    learned_file = os.path.join(tree.source, "learned.json")
    learned = load(learned_file, {})
    if options.again:
        # The tests that read all others come to other places now.
        learned = {name: test for name, test in learned.items() if not name.startswith("Conversion/Texts") and name not in new_unit_tests}
    mutant_tests.learn([test for test in tests if test.name not in learned], options.test_seconds, learned, lambda: save(learned_file, learned))
    by_name = {test.name: test for test in tests}
    learned = {name: test for name, test in learned.items() if name in by_name and "left_out" not in test}

    if not results:
        results = {"schema": "pit-mutants", "version": 2, **settings, "commit": commit, "mutants": []}
    results["does_not_compile"] = len(bad)
    results["tests"] = len(learned)
    entries = {entry["number"]: entry for entry in results["mutants"]}
    start = time.monotonic()
    for mutant in mutants:
        number = mutant["number"]
        old = entries.get(number)
        if options.numbers and number not in options.numbers:
            continue
        if old and not (options.again and old["outcome"] in ("survived", "not reached")):
            continue
        if time.monotonic() - start > options.seconds:
            break
        begin = time.monotonic()
        result = mutant_tests.examine(by_name, learned, mutant, options.budget)
        entries[number] = {**{key: value for key, value in mutant.items() if key not in ("text", "body")}, **result,
                           **({"since": "a test was added"} if old and result["outcome"] == "caught" else {}),
                           **({"with": "assertions"} if mutant["file"] in options.assertions else {}),
                           "seconds": round(time.monotonic() - begin, 1)}
        print(f"{number} {mutant['file']}:{mutant['line']} {mutant['operator']}: {result['outcome']} {result.get('by', '')}", flush=True)
        results["mutants"] = [entries[key] for key in sorted(entries)]
        summarise(results)
        save(options.results, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
