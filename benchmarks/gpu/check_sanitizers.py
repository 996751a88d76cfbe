#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every family of kernels on small shapes under compute-sanitizer, and again and again without it.

    check_sanitizers.py --build BIN OUT [FAMILY...]    where the compiler is: makes OUT/FAMILY
    check_sanitizers.py [--output FILE] [--tools TOOL...] [--reruns N] OUT [FAMILY...]    where the GPU is

Families are those of kernel_families.py, each run by run_small_shapes.py in a few processes, side by side. First,
kernels with a mistake in them (programs/planted.ptx) must be reported, without which a clean report says nothing.
Others there have no mistake: one must not be reported, two are all the same (MISREAD), so that our kernels avoid what
they do. Exit code 1 when a planted mistake is not found, a shape fails, or a tool reports anything of ours.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import re
import subprocess
import sys
import time

import kernel_families
from kernel_families import FAMILIES

HERE = os.path.dirname(os.path.abspath(__file__))
SANITIZER = "compute-sanitizer"
TOOLS = {
    "memcheck": ["--tool", "memcheck"],
    "racecheck": ["--tool", "racecheck", "--racecheck-num-workers", "2"],
    "synccheck": ["--tool", "synccheck"],
    "initcheck": ["--tool", "initcheck"],
}
# Which mistake each tool must find.
PLANTED = [("memcheck", "write_behind_end"), ("memcheck", "copy_behind_end"), ("racecheck", "race"),
           ("racecheck", "race_of_copies"), ("racecheck", "race_of_bulk_copy"), ("racecheck", "copies_over_readers"), ("synccheck", "barrier_without_init"),
           ("synccheck", "wrong_mask"), ("initcheck", "read_unwritten"), ("initcheck", "copy_unwritten")]
# A kernel without a mistake that barriers order as they do ours.
CORRECT = [("racecheck", "copies_behind_readers")]
# The same, as racecheck of 2025 does not understand it.
MISREAD = [("racecheck", "one_lane_for_its_warp"), ("racecheck", "barrier_below_register")]
# How many processes share a family's shapes: racecheck takes the longest.
PARTS = {"racecheck": 2}
# How many families are repeated side by side, without a tool.
RERUNS_AT_A_TIME = 6
RERUNS = ("reruns", "reruns of many tiles")
STARTED = itertools.count()


def build(binaries, out, families):
    """Compiles all cases, and assembles what a script has not, so that nothing is compiled under a tool."""
    for name in families:
        folder = kernel_families.build(binaries, out, name)
        for case in sorted(os.listdir(folder)):
            ptx, cubin = (os.path.join(folder, case, "kernels." + kind) for kind in ("ptx", "cubin"))
            if not os.path.exists(cubin) or os.path.getmtime(cubin) < os.path.getmtime(ptx):
                subprocess.run([os.environ.get("PTXAS", "ptxas"), "-arch=sm_90a", ptx, "-o", cubin], check=True)
        print(name, len(os.listdir(folder)), flush=True)
    return 0


def summarize(text):
    """(errors, what was reported and how often) from what a tool prints; errors is None without a summary."""
    errors = None
    hazards = re.search(r"RACECHECK SUMMARY: (\d+) hazards? displayed \((\d+) errors?, (\d+) warnings?\)", text)
    total = re.search(r"ERROR SUMMARY: (\d+) errors?", text)
    if hazards:
        errors = int(hazards.group(1))
    elif total:
        errors = int(total.group(1))
    found = collections.Counter()
    first = "|".join(("Error:", "Warning:", "Invalid", "Barrier error", "Uninitialized", "Program hit"))
    for line, rest in re.findall(rf"^=+ ((?:{first}).*)((?:\n=+  .*)*)", text, re.M):
        places = re.findall(r"(?:between|and) \w+ access at \w+|at (?:void )?\w+(?=[(+])", line + rest)
        found[" ".join([line.split(" between ")[0].split(" at 0x")[0], *places[:2]])] += 1
    return errors, dict(found.most_common())


def ask(command):
    """The last line of what a program prints; exits with a message if it cannot be run."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"{command[0]}: {error}")
    return result.stdout.strip().splitlines()[-1]


def run(command, limit):
    """(exit code or None, output, seconds)"""
    start = time.time()
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="2")  # there are many at a time
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    try:
        text, _ = process.communicate(timeout=limit)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        text, code = process.communicate()[0] or "", None
    return code, text, round(time.time() - start, 1)


def under(tool):
    if tool in RERUNS:
        return []
    # Each has ports of its own to be reached by the process that it watches.
    port = str(20000 + 16 * next(STARTED))
    return [SANITIZER, *TOOLS[tool], "--target-processes", "application-only", "--print-limit", "0", "--port",
            port]


def run_part(options, family, tool, part, parts):
    command = under(tool) + [sys.executable, os.path.join(HERE, "run_small_shapes.py"), family, options.out, "--part",
                             f"{part}/{parts}"]
    if tool == "initcheck":
        command.append("--unwritten")
    if tool in RERUNS:
        command += ["--reruns", str(options.reruns)] + (["--large"] if tool == RERUNS[1] else [])
    result = run(command, options.limit)
    if options.logs:
        os.makedirs(options.logs, exist_ok=True)
        name = re.sub(r"\W+", "-", f"{family} {tool} {part}")
        with open(os.path.join(options.logs, name + ".log"), "w", encoding="utf-8") as file:
            file.write(result[1])
    return result


def merge(tool, results, times):
    """One record of all processes that ran a family under a tool, or again without one, so many times."""
    sanitized = tool not in RERUNS
    record = {"shapes": 0, "errors": 0, "seconds": max(seconds for _, _, seconds in results)}
    kernels, failed, reports, tails = set(), [], collections.Counter(), []
    for code, text, _ in results:
        for line in re.findall(r"^\{.*\}$", text, re.M):
            shape = json.loads(line)
            kernels |= set(shape.get("kernels", []))
            record["shapes"] += "failed" not in shape
            if "failed" in shape:
                failed.append(f"{shape['shape']}: {shape['failed']}")
        if sanitized:
            errors, found = summarize(text)
            reports.update(found)
            record["errors"] = None if None in (errors, record["errors"]) else record["errors"] + errors
        if code is None:
            failed.append("not done within the limit")
        elif code and not failed:
            failed.append(f"exit code {code}")
        if code or (sanitized and errors is None):
            tails += text.splitlines()[-4:]
    record["kernels"] = len(kernels)
    if not sanitized:
        del record["errors"]
        record["times"] = times
    for key, value in (("failed", failed), ("reports", dict(reports)), ("output", tails)):
        if value:
            record[key] = value
    return record


def run_all(options, pool, wanted, done):
    """Calls `done` with family, tool and record of all such pairs, as they end."""
    results, futures = collections.defaultdict(list), {}
    for family, tool in wanted:
        parts = PARTS.get(tool, 1)
        for part in range(parts):
            futures[pool.submit(run_part, options, family, tool, part, parts)] = family, tool
    for future in concurrent.futures.as_completed(futures):
        pair = futures[future]
        results[pair].append(future.result())
        if len(results[pair]) == PARTS.get(pair[1], 1):
            done(*pair, merge(pair[1], results[pair], options.reruns))


def check_planted(options, pool):
    """Records of kernels with a mistake, and of those without."""
    pairs = PLANTED + CORRECT + MISREAD
    futures = [pool.submit(run, under(tool) + [sys.executable, os.path.join(HERE, "run_small_shapes.py"), "--planted",
                                               kernel], options.limit) for tool, kernel in pairs]
    records = []
    for (tool, kernel), future in zip(pairs, futures):
        text = future.result()[1]
        errors, reports = summarize(text)
        found = bool(errors) and kernel in text
        records.append({"tool": tool, "kernel": kernel, "mistake": (tool, kernel) in PLANTED, "reported": found})
        expected = [found] if (tool, kernel) in MISREAD else [(tool, kernel) in PLANTED]
        if errors is None or found not in expected:
            records[-1]["failed"] = text.splitlines()[-6:]
        print("planted", json.dumps(records[-1], ensure_ascii=False), json.dumps(reports), flush=True)
    return records


def is_clean(record):
    return bool(record["shapes"]) and not record.get("failed") and record.get("errors", 0) == 0


def main():
    parser = argparse.ArgumentParser(description="check_sanitizers.py: " + __doc__.splitlines()[0])
    parser.add_argument("--build", metavar="BIN", help="compile the cases, where pit-opt and pit-translate are")
    parser.add_argument("out")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--tools", nargs="*", default=list(TOOLS), choices=list(TOOLS), metavar="TOOL")
    parser.add_argument("--reruns", type=int, default=0, help="also repeat shapes so often, without a tool")
    parser.add_argument("--rerun", nargs="*", default=list(RERUNS), choices=RERUNS, help="which shapes of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--limit", type=int, default=200, help="seconds per process")
    parser.add_argument("--logs", metavar="FOLDER", help="keep what the processes print")
    parser.add_argument("--output", help="write all records to this JSON file")
    options = parser.parse_intermixed_args()
    unknown = [name for name in options.families if name not in FAMILIES]
    if unknown:
        parser.error(f"no such family: {', '.join(unknown)}; there are {', '.join(FAMILIES)}")
    families = options.families or list(FAMILIES)
    if options.build:
        return build(options.build, options.out, families)
    planted, records = [], {}
    machine = {"device": ask(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]),
               "sanitizer": ask([SANITIZER, "--version"])}

    def done(family, tool, record):
        records[family, tool] = record
        print(family, tool, json.dumps(record, ensure_ascii=False), flush=True)
        if options.output:
            table = {name: {tool: record for (other, tool), record in records.items() if other == name}
                     for name in families}
            with open(options.output, "w", encoding="utf-8") as file:
                json.dump({**machine, "planted": planted, "reruns": options.reruns, "families": table}, file,
                          indent=1, ensure_ascii=False)
                file.write("\n")

    if options.reruns:
        with concurrent.futures.ThreadPoolExecutor(RERUNS_AT_A_TIME) as pool:
            run_all(options, pool, [(family, tool) for tool in options.rerun for family in families
                                    if tool == RERUNS[0] or FAMILIES[family].large], done)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if options.tools:
            planted += check_planted(options, pool)
        # What takes the longest first.
        order = sorted(options.tools, key=lambda tool: not tool.startswith("racecheck"))
        run_all(options, pool, [(family, tool) for tool in order for family in families], done)
    dirty = [f"{family}: {tool}" for (family, tool), record in records.items() if not is_clean(record)]
    dirty += [f"{record['kernel']} under {record['tool']}" for record in planted if "failed" in record]
    print(f"{len(records)} records, {len(dirty)} not clean", *dirty, sep="\n")
    return 1 if dirty else 0


if __name__ == "__main__":
    sys.exit(main())
