#===- commands.py - Whether commands on pages do what they print -----------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
"""Runs the commands of pages, in an empty folder that has the repository's and
the build's folders as links: commands.py SOURCE BUILD WORK PAGE...

* A fence ```console has `$ command` and what it prints on both streams. Times,
  and ratios of them, may be others; a line `...` stands for any lines.
* Each line of a fence ```sh is a command, a `\\` at its end aside, which has to
  end with 0.
* A fence ```mlir whose first line is `// NAME.mlir` is written to that file.
* `<!-- not run: WHY -->` before a fence leaves it out.
* What asks for CUDA runs on the emulated device."""

import os
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
# Times in words and tables of a report; ratios; seconds that something has taken.
TIMES = [(re.compile(r"\b\d+\.\d+ ms\b"), "T ms"), (re.compile(r"\b\d+\.\d\dx\b"), "Rx"),
         (re.compile(r"(?<=  )\d+\.\d{3}(?= |$)", re.MULTILINE), "T"), (re.compile(r" +"), " ")]


def hide_times(text):
    for pattern, instead in TIMES:
        text = pattern.sub(instead, text)
    return [line.rstrip() for line in text.splitlines()]


def find_difference(expected, found):
    """None if the lines are the same, `...` being any."""
    parts, part = [], []
    for line in expected:
        if line == "...":
            parts.append(part)
            part = []
        else:
            part.append(line)
    parts.append(part)
    at = 0
    for i, part in enumerate(parts):
        last = i + 1 == len(parts)
        places = [at] if i == 0 else [len(found) - len(part)] if last else range(at, len(found) - len(part) + 1)
        place = next((p for p in places if p >= at and found[p:p + len(part)] == part), None)
        if place is None or (last and place + len(part) != len(found)):
            return "\n".join(part)
        at = place + len(part)
    return None


class Runner:
    def __init__(self, source, build, work):
        self.build, self.work = build, work
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        for name in ("benchmarks", "docs", "examples", "include", "lib", "scripts", "test", "tools"):
            os.symlink(os.path.join(source, name), os.path.join(work, name))
        os.symlink(build, os.path.join(work, "build"))
        self.num_commands, self.problems = 0, []

    def run(self, page, command, expected=None):
        self.num_commands += 1
        environment = dict(os.environ)
        environment["PATH"] = os.path.join(self.build, "bin") + os.pathsep + environment["PATH"]
        if re.search(r"--target[ =]cuda", command):
            environment["PIT_CUDA_DRIVER"] = os.path.join(self.build, "lib", "emulated-cuda", "libcuda.so.1")
        run = subprocess.run(["bash", "-c", command], cwd=self.work, env=environment, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        if expected is None:
            if run.returncode:
                self.problems.append(f"{page}: {command}: exit code {run.returncode}\n{run.stdout}")
            return
        lacking = find_difference(hide_times(expected), hide_times(run.stdout))
        if lacking is not None:
            self.problems.append(f"{page}: {command}: printed\n{run.stdout}and not, where it should be\n{lacking}")

    def run_console(self, page, body):
        for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            while command.endswith("\\"):
                more, _, expected = expected.partition("\n")
                command = command[:-1] + more
            self.run(page, command, expected)

    def run_page(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        page = os.path.basename(path)
        for fence in FENCE.finditer(text):
            if (fence["mark"] or "").startswith("not run: "):
                continue
            if fence["kind"] == "console":
                self.run_console(page, fence["body"])
            elif fence["kind"] == "sh":
                for line in fence["body"].replace("\\\n", " ").splitlines():
                    if line.strip() and not line.strip().startswith("#"):
                        self.run(page, line)
            elif fence["kind"] == "mlir":
                name = re.match(r"// (\w+\.mlir)\n", fence["body"])
                if name:
                    with open(os.path.join(self.work, name[1]), "w", encoding="utf-8") as file:
                        file.write(fence["body"].split("\n", 1)[1])


def main():
    source, build, work, *pages = sys.argv[1:]
    runner = Runner(os.path.abspath(source), os.path.abspath(build), os.path.abspath(work))
    for page in pages:
        runner.run_page(page)
    for problem in runner.problems:
        print(problem)
    print(f"{len(pages)} pages, {runner.num_commands} commands, {len(runner.problems)} wrong")
    return 1 if runner.problems else 0


if __name__ == "__main__":
    sys.exit(main())
