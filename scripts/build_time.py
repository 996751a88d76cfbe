#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the processor time of compiling some sources, one after the other and without ccache.

    scripts/build_time.py BUILD [SOURCE.cpp...] [--count 12] [--seed 1]

BUILD is a folder that is built: its precompiled header and generated headers are used, its objects stay as they are. Without
names, a random sample of the sources in lib is taken; with names, those in lib that are called so, in any folder, so that
builds of different commits can be compared. Prints seconds per source, of all of them, and of the precompiled header.
"""
import argparse
import json
import os
import random
import resource
import shlex
import subprocess
import sys


def measure(entry):
    """Processor seconds of one entry of compile_commands.json."""
    words = shlex.split(entry["command"])
    if os.path.basename(words[0]) == "ccache":
        words = words[1:]
    words[words.index("-o") + 1] = os.devnull
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, cwd=entry["directory"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("sources", nargs="*")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with open(os.path.join(options.build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    headers = [entry for entry in commands if "PITPrecompiled.dir/cmake_pch" in entry["file"]]
    sources = sorted((entry for entry in commands if "/lib/" in entry["file"] and "/CMakeFiles/" not in entry["file"]),
                     key=lambda entry: entry["file"])
    if options.sources:
        unknown = set(options.sources) - {os.path.basename(entry["file"]) for entry in sources}
        if unknown:
            parser.error(f"no sources in lib: {', '.join(sorted(unknown))}")
        sources = [entry for entry in sources if os.path.basename(entry["file"]) in options.sources]
    elif options.count > len(sources):
        parser.error(f"lib has {len(sources)} sources")
    else:
        sources = random.Random(options.seed).sample(sources, options.count)
    seconds = 0
    for entry in sources:
        one = measure(entry)
        seconds += one
        print(f"{one:7.2f} {entry['file'].rpartition('/lib/')[2]}", flush=True)
    print(f"{seconds:7.2f} {len(sources)} sources")
    print(f"{sum(map(measure, headers)):7.2f} the precompiled header")
    return 0


if __name__ == "__main__":
    sys.exit(main())
