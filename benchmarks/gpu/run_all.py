#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what benchmarks/results holds, all of it or some.

    run_all.py --commands               prints what to run where the compiler is, and where the GPU is, for each file
    run_all.py OUT RESULTS [NAME...]    where the GPU is: writes RESULTS/NAME.json of each

OUT/NAME holds the cases of a name, made by the first kind of command; nothing is
built here. What lacks its cases, or peers in torch, is reported as missing, which
is no failure. Exit code 1 when a script fails.
"""
import argparse
import importlib
import json
import os
import subprocess
import sys
import time

from jobs import JOBS

HERE = os.path.dirname(os.path.abspath(__file__))


def print_commands():
    for name, job in JOBS.items():
        print(f"# {name}")
        print(" ".join([f"python3 benchmarks/gpu/{job.builder}.py", "build/bin", f"OUT/{name}", *job.cases]))
        for run in job.arguments(f"OUT/{name}"):
            print(" ".join([f"python3 benchmarks/gpu/{job.script}.py", "--output", "FILE", *run]))


def missing(job, folder):
    """Why a job cannot run; empty if it can."""
    if not os.path.isdir(folder):
        return f"no {folder}"
    cases = [case for case in job.cases if not os.path.isdir(os.path.join(folder, case))]
    if cases:
        return f"no {', '.join(cases)} in {folder}"
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return "no torch"
    return ", ".join(f"no torch.{peer}" for peer in job.peers if not hasattr(torch, peer))


def merge(parts):
    """Records of several runs, as one run would have written them."""
    if len(parts) > 1 and isinstance(parts[0], dict):
        return {**parts[0], "cases": [record for part in parts for record in part["cases"]]}
    return [record for part in parts for record in part] if len(parts) > 1 else parts[0]


def measure(job, folder, path):
    """Whether all of a job's runs succeeded. What they wrote is kept either way."""
    parts, ok = [], True
    for i, run in enumerate(job.arguments(folder)):
        part = f"{path}.{i}"
        command = [sys.executable, os.path.join(HERE, job.script + ".py"), "--output", part, *run]
        ok &= subprocess.run(command, check=False).returncode == 0
        if os.path.exists(part):
            with open(part, encoding="utf-8") as file:
                parts.append(json.load(file))
            os.remove(part)
    if parts:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(merge(parts), file, indent=1)
            file.write("\n")
    return ok


def main():
    parser = argparse.ArgumentParser(description="run_all.py: " + __doc__.splitlines()[0])
    parser.add_argument("--commands", action="store_true", help="print what would be run, and how cases are made")
    parser.add_argument("out", nargs="?")
    parser.add_argument("results", nargs="?")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(JOBS))
    options = parser.parse_args()
    if options.commands:
        print_commands()
        return 0
    if not options.results:
        parser.error("OUT and RESULTS are needed")
    unknown = [name for name in options.names if name not in JOBS]
    if unknown:
        parser.error(f"no such name: {', '.join(unknown)}; there are {', '.join(JOBS)}")
    os.makedirs(options.results, exist_ok=True)
    states = {}
    for name in options.names or JOBS:
        folder, start = os.path.join(options.out, name), time.time()
        why = missing(JOBS[name], folder)
        if why:
            states[name] = f"missing: {why}"
            continue
        ok = measure(JOBS[name], folder, os.path.join(options.results, name + ".json"))
        states[name] = f"{'ok' if ok else 'FAILED'}, {time.time() - start:.0f} s"
    for name, state in states.items():
        print(f"{name}: {state}")
    return 1 if any(state.startswith("FAILED") for state in states.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
