"""Runs every program below some folders through a pipeline, as it is and with sparsity marks put in, and fails when the
compiler crashes. Programs that it refuses with a diagnostic are fine.

    corpus.py [--pit-opt FILE] [--pipeline OPTION] [--seed N] [--keep DIR] FOLDER-OR-FILE...
"""

import argparse
import collections
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

import marks
from mlir_files import read_files

CRASH = re.compile(r"LLVM ERROR|Assertion|PLEASE submit a bug report|UNREACHABLE|terminate called")


def run(command, text, timeout):
    """(whether it crashed, diagnostics)"""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        try:
            done = subprocess.run(command + [file.name, "-o", os.devnull], capture_output=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return True, f"no result after {timeout} s"
    errors = done.stderr.decode(errors="replace")
    return done.returncode < 0 or done.returncode > 1 or bool(CRASH.search(errors)), errors


def programs(paths):
    for file, text in read_files(paths):
        # Diagnostics that a test expects are no use here.
        for i, chunk in enumerate(re.split(r"^// -----.*$", text, flags=re.M)):
            if "func.func" in chunk:
                yield f"{file}#{i}", chunk


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--pit-opt", default="pit-opt")
    parser.add_argument("--pipeline", default="--pit-to-cpu")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th program alone")
    parser.add_argument("--keep", help="write the programs that crash here")
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    command = [options.pit_opt, "--allow-unregistered-dialect", options.pipeline]

    count, crashes = collections.Counter(), []
    for name, text in itertools.islice(programs(options.paths), None, None, options.every):
        variants = {"plain": text, "marked": marks.add_marks(text, random.Random(f"{options.seed} {os.path.basename(name)}"))}
        for variant, program in variants.items():
            if program is None:
                continue
            crashed, errors = run(command, program, options.timeout)
            count["crashed" if crashed else "refused" if "error:" in errors else "compiled"] += 1
            if crashed:
                crashes.append(f"{name} ({variant}): {errors.strip().splitlines()[0] if errors.strip() else 'a signal'}")
                if options.keep:
                    with open(os.path.join(options.keep, f"{len(crashes)}.mlir"), "w", encoding="utf-8") as file:
                        file.write(f"// {name} {variant}\n{program}")
            elif options.keep and "error:" in errors:
                with open(os.path.join(options.keep, "refused.txt"), "a", encoding="utf-8") as file:
                    file.write(f"{name} ({variant}): {errors.split('error:')[1].splitlines()[0]}\n")
    print(", ".join(f"{count[key]} {key}" for key in ("compiled", "refused", "crashed")))
    print("\n".join(crashes))
    return bool(crashes)


if __name__ == "__main__":
    sys.exit(main())
