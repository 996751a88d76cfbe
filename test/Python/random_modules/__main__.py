# ===- __main__.py - Runs random modules in child processes -----------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Runs random modules in child processes, so that one that ends its process costs one seed, and writes what became of them as JSON."""

import argparse
import collections
import json
import logging
import os
import re
import subprocess
import sys
import time

# Seeds of one child, and the seconds that one of them may take.
BATCH, LIMIT = 25, 300


def work(seeds, path):
    """In a child: a line before each seed, and its report behind it."""
    from .check import check

    logging.getLogger("pit_mlir").setLevel(logging.ERROR)
    with open(path, "a", encoding="utf-8") as file:
        for seed in seeds:
            print(json.dumps({"begins": seed}), file=file, flush=True)
            if os.environ.get("PIT_RANDOM_MODULES_CRASH") == str(seed):
                os.abort()  # Asked for by the test of this program.
            print(json.dumps(check(seed)), file=file, flush=True)


def _read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _run_batch(seeds, path):
    """Runs seeds until a child ends early; returns the reports."""
    open(path, "w", encoding="utf-8").close()
    command = [sys.executable, "-m", "random_modules", "--work", path, *map(str, seeds)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, errors="replace") as child:
        try:
            _, said = child.communicate(timeout=LIMIT * len(seeds))
        except subprocess.TimeoutExpired:
            child.kill()
            _, said = child.communicate()
    lines = _read(path)
    reports = [line for line in lines if "begins" not in line]
    if child.returncode and lines and "begins" in lines[-1]:
        reports.append({"seed": lines[-1]["begins"], "outcome": "crash", "reason": f"the process ended with {child.returncode}: {said.strip()[-600:]}"})
    elif child.returncode:
        raise SystemExit(f"a child ended with {child.returncode}:\n{said}")
    return reports


def run(seeds, path, say=lambda report: None):
    """Reports of all seeds; `path` is a file for what children write."""
    seeds, reports = list(seeds), []
    while seeds:
        found = _run_batch(seeds[:BATCH], path)
        for report in found:
            say(report)
        reports += found
        seeds = seeds[len(found) :]
    return reports


def shorten(why):
    """A reason without places and numbers, which differ from program to program."""
    line = why.splitlines()[0]
    line = re.sub(r"^(.*error: |line \d+: )", "", line)
    line = re.split(r": %|, \{'stack_trace'| at 0x", line)[0]
    return re.sub(r"#\d+", "#N", line)[:160]


def summarise(reports):
    """Counts of outcomes and of reasons, operations that were drawn, and the seeds that are neither right nor refused."""
    outcomes = collections.Counter(report["outcome"] for report in reports)
    reasons, ops = collections.defaultdict(list), collections.Counter()
    for report in reports:
        for reason in {f"{op.split(' at 0x')[0]}: {shorten(why)}" for op, why in report.get("left", ()) if "getitem" not in op}:
            reasons[reason].append(report["seed"])
        ops.update(set(report.get("ops", ())))
    return {
        "modules": len(reports),
        "outcomes": {name: outcomes.get(name, 0) for name in ("right", "refused", "wrong", "crash")},
        "with_gradients": sum(bool(report.get("backward")) for report in reports),
        "dynamic": sum(bool(report.get("dynamic")) for report in reports),
        "called_with_other_extents": sum(report.get("calls", 1) > 1 for report in reports),
        "compiled_graphs": sum(report.get("compiled", 0) for report in reports),
        "refusals": {why: {"modules": len(seeds), "seeds": seeds[:3]} for why, seeds in sorted(reasons.items(), key=lambda each: -len(each[1]))},
        "modules_with_op": dict(sorted(ops.items())),
        "failures": [report for report in reports if report["outcome"] in ("wrong", "crash")],
    }


def commit_of():
    here = os.path.dirname(os.path.abspath(__file__))
    try:
        return subprocess.run(["git", "rev-parse", "HEAD"], cwd=here, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def show(seed):
    from .check import check
    from .maker import make

    maker = make(seed)
    print(maker.source())
    for entry in maker.inputs:
        print(f"{entry.name}: {entry.dtype} {entry.shape} {entry.kind}{' strided' if entry.is_strided else ''}")
    print(json.dumps(check(seed), indent=1))


def main():
    parser = argparse.ArgumentParser(prog="random_modules", description=__doc__)
    parser.add_argument("--seeds", default="0:25", help="FIRST:END")
    parser.add_argument("-o", "--output", help="a JSON file for the summary")
    parser.add_argument("--show", type=int, help="prints the module of a seed, and checks it here")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options.rest, options.work)
    if options.show is not None:
        return show(options.show)
    first, end = map(int, options.seeds.split(":"))
    began = time.monotonic()

    def say(report):
        if report["outcome"] in ("wrong", "crash"):
            print(f"seed {report['seed']}: {report['outcome']}: {report['reason']}", flush=True)

    scratch = (options.output or "random-modules") + ".part"
    summary = {"seeds": [first, end], **summarise(run(range(first, end), scratch, say))}
    os.remove(scratch)
    summary.update(seconds=round(time.monotonic() - began), commit=commit_of())
    print(", ".join(f"{count} {name}" for name, count in summary["outcomes"].items()))
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(summary, file, indent=1)
            file.write("\n")
    return int(bool(summary["failures"]))


if __name__ == "__main__":
    sys.exit(main())
