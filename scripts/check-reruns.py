#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each example again and again, compiled anew each time, and compares hashes of all results.

    scripts/check-reruns.py PIT-RUN [--runs N] [--target cpu|cuda] [--jobs N] [--output FILE]

Programs and inputs are those of test/Examples/examples.test. With several jobs, runs disturb each other. Exit code 1 when a
program fails or gives other bits.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read_cases():
    """(program, options) of each distinct command of the examples' test."""
    with open(os.path.join(ROOT, "test", "Examples", "examples.test"), encoding="utf-8") as file:
        found = re.findall(r"pit-run %pit_src/(examples/\S+) (.*?) --check", file.read())
    return sorted({(program, tuple(shlex.split(options))) for program, options in found})


def run(options, program, arguments):
    """A hash of all results; raises where the program fails."""
    with tempfile.TemporaryDirectory() as folder:
        command = [options.pit_run, os.path.join(ROOT, program), "--target", options.target, *arguments, "--output",
                   os.path.join(folder, "out")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip()[-300:])
        total, files = hashlib.sha256(), sorted(glob.glob(os.path.join(folder, "out*")))
        if not files:
            raise RuntimeError("no results")
        for path in files:
            with open(path, "rb") as file:
                total.update(file.read())
    return total.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pit_run")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    options = parser.parse_args()
    start, records = time.monotonic(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, arguments in read_cases():
            if options.only not in program:
                continue
            record = {"program": program, "arguments": list(arguments), "runs": options.runs}
            try:
                hashes = list(pool.map(lambda _: run(options, program, arguments), range(options.runs)))
                record["hashes"] = len(set(hashes))
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                record["failed"] = str(error)
            records.append(record)
            print(json.dumps(record), flush=True)
    bad = [record for record in records if record.get("hashes") != 1]
    print(f"{len(records)} programs, {sum(record['runs'] for record in records)} runs, {len(bad)} with other bits or failed")
    if options.output:
        commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"schema": "pit-reruns", "version": 1, "commit": commit, "target": options.target, "jobs": options.jobs,
                       "seconds": round(time.monotonic() - start), "programs": records}, file, indent=1)
            file.write("\n")
    return int(bool(bad) or not records)


if __name__ == "__main__":
    sys.exit(main())
