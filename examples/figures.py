#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the time of three examples goes with what is live: figures.py experts|padding|attention [-o FILE.svg]

Run:     examples/figures.py experts -o experts.svg
Look at: where the two lines meet. To the left of that, skipping pays; where the sparse line is flat, what is left is
finding what is live. The dense line does not move: the dense program computes everything.

Each point is a run of pit-run with --check, so a wrong result stops the script. Without matplotlib (Debian:
python3-matplotlib) the numbers are printed alone.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOKENS, POSITIONS = 256, 128


def experts(k):
    """Each token at k of 8 experts."""
    return "moe_dense_einsum.mlir", [f"normal@{TOKENS}x256", f"topk-gate:{k}@{TOKENS}x8", "normal:0.05"]


def padding(length):
    """Eight sequences of so many of 128 positions."""
    return "padded_mlp.mlir", ["normal@8x128x256", f"lengths:{length}:{length}@8", "normal:0.05"]


def attention(density):
    """Blocks of 32 x 32 of a mask, of which so many are live, and those on the diagonal."""
    return "masked_attention.mlir", ["normal", "normal", "normal", f"mask:32:{density}"]


# What is varied, its values, and what they are called. The experts' mark allows two of them.
SUBJECTS = {
    "experts": (experts, [1, 2], "experts of each token, of 8"),
    "padding": (padding, [4, 16, 32, 64, 96, POSITIONS], f"live positions of {POSITIONS}"),
    "attention": (attention, [0, .1, .25, .5, .75, 1], "share of live blocks beside the diagonal"),
}


def measure(pit_run, make, value, runs):
    program, data = make(value)
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = [pit_run, os.path.join(ROOT, "examples", program), "--target=cpu", "--check", f"--bench={runs}",
                   f"--report={report}", *(f"--random={spec}" for spec in data)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{' '.join(command)}: {run.stderr}")
        with open(report, encoding="utf-8") as file:
            found = json.load(file)
    rule = found["rules"][0]
    return rule["live"] / rule["total"], found["bench"]["sparse_ms"], found["bench"]["dense_ms"]


def draw(path, title, points):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6, 4))
    live = [100 * point[1] for point in points]
    axes.plot(live, [point[2] for point in points], "o-", label="sparse")
    axes.plot(live, [point[3] for point in points], "s--", label="dense")
    axes.set(xlabel="live, %", ylabel="ms, one core", title=title, ylim=(0, None))
    axes.legend()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subject", choices=SUBJECTS)
    parser.add_argument("-o", "--output", help="the figure, as SVG, PDF or PNG")
    parser.add_argument("--runs", type=int, default=9, help="of each point (9)")
    parser.add_argument("--pit-run", default=os.path.join(ROOT, "build", "bin", "pit-run"))
    options = parser.parse_args()
    make, values, what = SUBJECTS[options.subject]
    print(f"{what:>42}  live %  sparse ms  dense ms")
    points = []
    for value in values:
        live, sparse, dense = measure(options.pit_run, make, value, options.runs)
        points.append((value, live, sparse, dense))
        print(f"{value:>42}  {100 * live:6.1f}  {sparse:9.3f}  {dense:8.3f}", flush=True)
    if not options.output:
        return 0
    try:
        draw(options.output, f"examples/{make(values[0])[0]}", points)
    except ImportError as error:
        sys.stderr.write(f"{error}: no figure\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
