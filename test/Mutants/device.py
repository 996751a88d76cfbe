#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels with a fault on a device: does what only their text tells change results?

    device.py --build TREE OUT       where the tree of scripts/mutants.py is: compiles small cases with each such mutant
    device.py OUT [-o FILE]          where the GPU is: needs numpy and the CUDA driver

The mutants are those of the results that a comparison of texts alone caught. Cases are those of benchmarks/gpu/kernel_families.py
that come by the mutant and have another kernel with it, two of them each. On the device each runs in a process of its own and is
compared with numpy, without the mutant as well.
"""
import argparse
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
SCRIPTS = os.path.join(ROOT, "benchmarks", "gpu")
sys.path.append(SCRIPTS)
# Families whose scripts need no torch; attention has none.
FAMILIES = ["dense", "few-rows", "pairs", "epilogues", "gathered", "listed-k", "segments", "segments-drawn", "segments-short", "blocks",
            "packed", "detect", "mma"]
CASES, TRIES = 2, 16


def write_tools(folder, tree, log):
    """Tools that say which case is compiled how, for the scripts that compile them."""
    os.makedirs(folder, exist_ok=True)
    for name in ("pit-opt", "pit-translate"):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            note = f'echo "$@" >> {log}\n' if name == "pit-opt" else ""
            file.write(f"#!/bin/sh\n{note}exec {os.path.join(tree, 'build', 'bin', name)} \"$@\"\n")
        os.chmod(path, 0o755)


def build_base(tree, out):
    """Every case without a mutant; returns the pipeline of each, by folder."""
    from kernel_families import FAMILIES as ALL

    log, tools = os.path.join(out, "commands"), os.path.join(out, "tools")
    if not os.path.exists(log):
        write_tools(tools, tree, log + ".new")
        for name in FAMILIES:
            family = ALL[name]
            subprocess.run([sys.executable, os.path.join(SCRIPTS, family.builder + ".py"), tools, os.path.join(out, "none", name),
                            *family.cases, *family.options], check=True, stdout=subprocess.DEVNULL)
        os.replace(log + ".new", log)
    pipelines = {}
    with open(log, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            # Some are compiled in several steps, and are left out.
            if len(words) == 4 and words[0].endswith("/program.mlir"):
                pipelines[os.path.dirname(words[0])] = words[1]
    return pipelines


def compile_case(tree, folder, pipeline, mutant=None, log=None):
    """(exit code, module) of a case."""
    variables = {**os.environ, **({"PIT_MUTANT": str(mutant)} if mutant is not None else {}), **({"PIT_MUTANT_LOG": log} if log else {})}
    try:
        done = subprocess.run([os.path.join(tree, "build", "bin", "pit-opt"), os.path.join(folder, "program.mlir"), pipeline], env=variables,
                              capture_output=True, timeout=60, check=False)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, b""


def write_case(tree, folder, base, module):
    os.makedirs(folder, exist_ok=True)
    shutil.copy(os.path.join(base, "case.json"), folder)
    for name, flag in (("kernels.ptx", "--pit-to-ptx"), ("manifest.json", "--pit-to-manifest")):
        done = subprocess.run([os.path.join(tree, "build", "bin", "pit-translate"), flag, "-", "-o", os.path.join(folder, name)], input=module,
                              capture_output=True, check=False)
        if done.returncode:
            shutil.rmtree(folder)
            return False
    return True


def build(tree, out, results):
    tree, out = os.path.abspath(tree), os.path.abspath(out)
    os.makedirs(out, exist_ok=True)
    pipelines, modules, reached = build_base(tree, out), {}, {}
    for folder, pipeline in pipelines.items():
        with tempfile.NamedTemporaryFile("r") as log:
            code, modules[folder] = compile_case(tree, folder, pipeline, log=log.name)
            if code == 0:
                reached[folder] = {int(line) for line in log.read().split()}
    chosen, used = {}, set()
    for mutant in results["mutants"]:
        number = mutant["number"]
        if mutant["outcome"] != "caught" or not mutant["by"].startswith("Conversion/Texts"):
            continue
        folders = sorted(folder for folder in reached if number in reached[folder])
        random.Random(number).shuffle(folders)
        entry = {"cases": [], "refused": 0}
        for folder in folders[:TRIES]:
            code, module = compile_case(tree, folder, pipelines[folder], mutant=number)
            entry["refused"] += code != 0
            name = os.path.relpath(folder, os.path.join(out, "none"))
            if code == 0 and module != modules[folder] and write_case(tree, os.path.join(out, str(number), name), folder, module):
                entry["cases"].append(name)
                used.add(name)
            if len(entry["cases"]) == CASES:
                break
        chosen[str(number)] = entry
        print(number, mutant["file"], len(folders), "cases come by it;", *entry["cases"], f"{entry['refused']} refused", flush=True)
    # Only what is run is carried to the device.
    for name in sorted(os.path.relpath(folder, os.path.join(out, "none")) for folder in pipelines):
        if name not in used:
            shutil.rmtree(os.path.join(out, "none", name))
    chosen["none"] = {"cases": sorted(used), "refused": 0}
    with open(os.path.join(out, "chosen.json"), "w", encoding="utf-8") as file:
        json.dump(chosen, file, indent=1)
    return 0


def run_one(out, name):
    """The shapes of one case; exit code 1 where a result is not what it must be."""
    import run_manifest
    import run_small_shapes
    import small_shapes
    from kernel_families import FAMILIES as ALL
    from numpy_program import NumpyProgram

    family, case = name.split("/")
    folder = os.path.join(out, name)
    program = NumpyProgram(run_manifest.Driver(), folder)
    case, draw = run_small_shapes.read_case(folder), ALL[family].shapes
    shapes = list(small_shapes.shapes(draw, case, name, False)) or list(small_shapes.shapes(draw, case, name, True))
    if not shapes:
        print("no shapes")
        return 2
    for shape in shapes:
        try:
            run_small_shapes.run(program, shape, False, 2)
        except (RuntimeError, OSError, KeyError, ValueError, IndexError) as error:
            print(f"{shape.name}: {error}".splitlines()[0])
            return 1
    print("agrees")
    return 0


def run_all(out, jobs, limit):
    """(mutant, case): what came of it."""
    with open(os.path.join(out, "chosen.json"), encoding="utf-8") as file:
        chosen = json.load(file)

    def run(pair):
        number, name = pair
        try:
            done = subprocess.run([sys.executable, os.path.abspath(__file__), "--one", name, os.path.join(out, number)], capture_output=True,
                                  text=True, timeout=limit, check=False)
            return done.returncode, ((done.stdout + done.stderr).strip().splitlines() or ["no answer"])[-1][:200]
        except subprocess.TimeoutExpired:
            return None, "no end"

    pairs = [(number, name) for number, entry in chosen.items() for name in entry["cases"]]
    # Those without a mutant first: what is wrong there says nothing of mutants.
    pairs.sort(key=lambda pair: pair[0] != "none")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = dict(zip(pairs, pool.map(run, pairs)))
    return chosen, results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--build", metavar="TREE")
    parser.add_argument("--results", default=os.path.join(ROOT, "test", "results", "mutants", "mutants.json"))
    parser.add_argument("--one", metavar="FAMILY/CASE", help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=6)
    parser.add_argument("--limit", type=float, default=40, help="seconds of one case")
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    if options.one:
        return run_one(options.out, options.one)
    if options.build:
        with open(options.results, encoding="utf-8") as file:
            return build(options.build, options.out, json.load(file))
    chosen, results = run_all(options.out, options.jobs, options.limit)
    wrong = {name: text for (number, name), (code, text) in results.items() if number == "none" and code != 0}
    record = {"schema": "pit-mutants-on-device", "version": 1, "cases": len(chosen["none"]["cases"]), "wrong_without_mutant": wrong, "mutants": {}}
    for number, entry in chosen.items():
        if number == "none":
            continue
        said = {name: results[number, name] for name in entry["cases"] if name not in wrong}
        outcome = ("wrong" if any(code != 0 for code, _ in said.values()) else "agrees" if said else
                   "refused" if entry["refused"] else "no case")
        record["mutants"][number] = {"outcome": outcome, "cases": {name: text for name, (_, text) in said.items()}}
        print(number, outcome, record["mutants"][number]["cases"], flush=True)
    outcomes = [entry["outcome"] for entry in record["mutants"].values()]
    record["outcomes"] = {outcome: outcomes.count(outcome) for outcome in sorted(set(outcomes))}
    print(record["outcomes"], f"{len(wrong)} of {record['cases']} wrong without a mutant", flush=True)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(record, file, indent=1)
            file.write("\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
