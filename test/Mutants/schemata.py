#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws mutants in a small program, builds all at once, and looks at what each does.

    schemata.py SCRIPTS COMPILER FOLDER
"""
import os
import subprocess
import sys

SOURCE = """// Counts.
#include <cstdio>

namespace {
struct Counter {
  explicit Counter(int first) : value(first) {}
  void step(int by) {
    // A call: add(value, 1);
    value += by;
  }
  int value;
};
} // namespace

static int count(int begin, int end) {
  Counter counter(0);
  auto isOdd = [](int i) {
    return i % 2 == 1;
  };
  for (int i = begin; i < end; ++i) {
    if (isOdd(i) && i != 5)
      counter.step(i + 1);
  }
  return counter.value;
}

static bool unused() {
  return true;
}

int main(int argc, char **) {
  if (argc > 4)
    return unused();
  std::printf("%d\\n", count(argc, argc + 9));
  return 0;
}
"""


def main():
    scripts, *compiler, folder = sys.argv[1:]
    sys.path.insert(0, scripts)
    import mutant_sources
    for place in ("pristine/lib/Analysis", "lib/Analysis", "include/PIT"):
        os.makedirs(os.path.join(folder, place), exist_ok=True)
    name = "lib/Analysis/Count.cpp"
    for path, text in ((f"pristine/{name}", SOURCE), (name, SOURCE), ("include/PIT/Mutants.h", mutant_sources.HEADER)):
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(text)
    pristine = os.path.join(folder, "pristine")
    mutants = mutant_sources.draw(pristine, 1, 1000, 1)
    again = mutant_sources.draw(pristine, 1, 1000, 1)
    print("drawn the same:", mutants == again)
    print("places:", len(mutants))
    mutant_sources.write(folder, pristine, name, mutants)
    program = os.path.join(folder, "count")
    subprocess.run([*compiler, "-I", os.path.join(folder, "include"), os.path.join(folder, name), "-o", program], check=True)

    def run(**variables):
        done = subprocess.run([program], capture_output=True, text=True, env={**os.environ, **variables}, check=False)
        return done.stdout.strip() or f"exit code {done.returncode}"

    log = os.path.join(folder, "log")
    if os.path.exists(log):
        os.remove(log)
    print("none:", run(PIT_MUTANT_LOG=log))
    with open(log, encoding="utf-8") as file:
        reached = {int(line) for line in file}
    for mutant in sorted(mutants, key=lambda mutant: (mutant["line"], mutant["operator"], mutant["place"])):
        print(f"{mutant['line']} {mutant['operator']}: {mutant['to']}: {run(PIT_MUTANT=str(mutant['number']))}"
              f"{'' if mutant['number'] in reached else ', not reached'}")


if __name__ == "__main__":
    main()
