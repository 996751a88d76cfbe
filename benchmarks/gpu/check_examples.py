#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every example on a GPU, compares it with its dense program, and times both.

    check_examples.py PIT-RUN [--json FILE] [--bench N] [--sanitize PROGRAM...]

Programs and inputs are those of test/Examples/examples.test. Needs the CUDA driver, and compute-sanitizer for
--sanitize; no LLVM where pit-run is self-contained. Exit code 1 when a program fails or does not agree.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def read_cases(source):
    """(program, options) of each distinct command of the examples' test."""
    cases = []
    with open(os.path.join(source, "test", "Examples", "examples.test")) as file:
        for line in file:
            match = re.match(r"# RUN: pit-run %pit_src/(examples/\S+) (.*?) --check", line)
            if match and (match.group(1), match.group(2).split()) not in cases:
                cases.append((match.group(1), match.group(2).split()))
    return cases


def command_of(options, program, arguments):
    # Seeds stand behind --check in the test; one data set is as good as another here.
    # Of code for the CPU, the reference alone takes long, and most of that is to compile it.
    return [options.pit_run, os.path.join(options.source, program), "--target", "cuda", "--opt-level=1", *arguments]


def run(command, limit):
    start = time.time()
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        code, text, errors = result.returncode, result.stdout, result.stderr
    except subprocess.TimeoutExpired:
        code, text, errors = -1, "", f"no result within {limit} s"
    return code, text, errors, time.time() - start


def check(options, program, arguments):
    bench = ["--bench", str(options.bench)] if options.bench else []
    code, text, errors, seconds = run(command_of(options, program, arguments) + ["--check", *bench], options.limit)
    entry = {"program": program, "arguments": arguments, "passed": code == 0, "seconds": round(seconds, 1),
             "check": re.findall(r"^check: (.*)$", text, flags=re.M)}
    times = re.search(r"^bench: sparse ([\d.]+) ms, dense ([\d.]+) ms", text, flags=re.M)
    if times:
        entry["sparse_ms"], entry["dense_ms"] = float(times.group(1)), float(times.group(2))
    if code:
        entry["error"] = errors.strip().splitlines()[-3:]
    return entry


def sanitize(options, program, arguments):
    command = ["compute-sanitizer", "--tool", "memcheck", "--error-exitcode", "9"]
    code, text, errors, seconds = run(command + command_of(options, program, arguments), options.limit)
    summary = re.findall(r"ERROR SUMMARY: .*", text + errors)
    return {"program": program, "passed": code == 0 and bool(summary), "seconds": round(seconds, 1),
            "summary": summary, "tail": [] if code == 0 else (text + errors).splitlines()[-15:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pit_run")
    parser.add_argument("--source", default=SOURCE, help="where examples/ and test/Examples/examples.test lie")
    parser.add_argument("--json", help="write the results here")
    parser.add_argument("--bench", type=int, default=0, help="timed runs of each program")
    parser.add_argument("--only", help="programs whose name contains this")
    parser.add_argument("--limit", type=int, default=120, help="seconds per program")
    parser.add_argument("--sanitize", nargs="*", default=[], help="programs to run under compute-sanitizer as well")
    options = parser.parse_args()
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    results = {"device": run(query, 20)[1].strip() if shutil.which(query[0]) else "emulated",
               "times": f"device time between two events around a call, median of {options.bench}",
               "programs": [], "memcheck": []}

    def save():
        if options.json:
            with open(options.json, "w") as file:
                json.dump(results, file, indent=1)
                file.write("\n")

    for program, arguments in read_cases(options.source):
        if options.only and options.only not in program:
            continue
        entry = check(options, program, arguments)
        results["programs"].append(entry)
        times = f"sparse {entry['sparse_ms']} ms, dense {entry['dense_ms']} ms" if "sparse_ms" in entry else ""
        print("ok    " if entry["passed"] else "FAILED", program, times, *entry["check"],
              *entry.get("error", []), sep="  ", flush=True)
        save()
    for name in options.sanitize:
        for program, arguments in read_cases(options.source):
            if name in program:
                entry = sanitize(options, program, arguments)
                results["memcheck"].append(entry)
                print("memcheck", "ok" if entry["passed"] else "FAILED", program, *entry["summary"], *entry["tail"],
                      sep="  ", flush=True)
                save()
                break
    failed = [e["program"] for e in results["programs"] + results["memcheck"] if not e["passed"]]
    print(f"{len(results['programs'])} programs, {len(results['memcheck'])} of them under memcheck, "
          f"{len(failed)} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
