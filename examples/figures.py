#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the time of three examples goes with what is live: figures.py experts|padding|attention|all [-o FILE.svg]

Run:     examples/figures.py all -o figures.svg
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
TOKENS, EXPERTS, POSITIONS = 256, 8, 128
# What the experts' mark promises; it has to be as many as a token is at.
BOUND = "at_most = 2 : i64"


def experts(k):
    """Each token at k of 8 experts."""
    return "moe_dense_einsum.mlir", [f"normal@{TOKENS}x256", f"topk-gate:{k}@{TOKENS}x{EXPERTS}", "normal:0.05"]


def padding(length):
    """Eight sequences of so many of 128 positions."""
    return "padded_mlp.mlir", ["normal@8x128x256", f"lengths:{length}:{length}@8", "normal:0.05"]


def attention(density):
    """Blocks of 32 x 32 of a mask, of which so many are live, and those on the diagonal."""
    return "masked_attention.mlir", ["normal", "normal", "normal", f"mask:32:{density}"]


# What is varied, its values, what they are called, and what is live.
SUBJECTS = {
    "experts": (experts, [1, 2, 3, 4, 6, EXPERTS], f"experts of each token, of {EXPERTS}", "experts of a token"),
    "padding": (padding, [4, 16, 32, 64, 96, POSITIONS], f"live positions of {POSITIONS}", "positions of a sequence"),
    "attention": (attention, [0, .1, .25, .5, .75, 1], "share of live blocks beside the diagonal", "blocks of the mask"),
}


def measure(pit_run, make, value, runs, level):
    program, data = make(value)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(ROOT, "examples", program), encoding="utf-8") as file:
            text = file.read()
        path, report = os.path.join(folder, program), os.path.join(folder, "report.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(BOUND, f"at_most = {value} : i64"))
        command = [pit_run, path, "--target=cpu", "--threads=1", "--check", f"--opt-level={level}", f"--bench={runs}", f"--report={report}",
                   *(f"--random={spec}" for spec in data)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{' '.join(command)}: {run.stderr}")
        with open(report, encoding="utf-8") as file:
            found = json.load(file)
    rule = found["rules"][0]
    return rule["live"] / rule["total"], found["bench"]["sparse_ms"], found["bench"]["dense_ms"]


def find_crossing(points):
    """How much is live where the lines meet, or None where they do not."""
    for (left, *first), (right, *second) in zip(points, points[1:]):
        before, after = first[1] - first[0], second[1] - second[0]
        if before > 0 >= after:
            return left + (right - left) * before / (before - after)
    return None


def draw_subject(axes, subject, points):
    make, values, _, live = SUBJECTS[subject]
    shares = [100 * point[0] for point in points]
    sparse, dense = [point[1] for point in points], [point[2] for point in points]
    axes.plot(shares, dense, "s--", color="#777", label="dense")
    axes.plot(shares, sparse, "o-", color="#47a", label="sparse")
    axes.fill_between(shares, sparse, dense, where=[s < d for s, d in zip(sparse, dense)], color="#47a", alpha=.12)
    for at, (share, below, above) in enumerate(zip(shares, sparse, dense)):
        if at == 0 or below < above:
            axes.annotate(f"{above / below:.1f}x", (share, below), textcoords="offset points", xytext=(0, -13), ha="center", fontsize=8)
    crossing = find_crossing(points)
    if crossing is not None:
        axes.axvline(100 * crossing, color="#b40", linewidth=1, linestyle=":")
        axes.annotate(f"{100 * crossing:.0f} %", (100 * crossing, .02), xycoords=("data", "axes fraction"),
                      textcoords="offset points", xytext=(-3, 0), ha="right", color="#b40", fontsize=8)
    axes.set(xlabel=f"live {live}, %", ylabel="ms on one core", title=f"{subject}: {make(values[0])[0]}", xlim=(0, 103), ylim=(0, None))
    axes.grid(alpha=.3)
    axes.legend()


def draw(path, measured):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    # The same numbers are the same file.
    matplotlib.rcParams["svg.hashsalt"] = "examples"
    figure, axes = pyplot.subplots(1, len(measured), figsize=(4.6 * len(measured), 3.6), squeeze=False, layout="constrained")
    for one, (subject, points) in zip(axes[0], measured.items()):
        draw_subject(one, subject, points)
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subject", choices=[*SUBJECTS, "all"])
    parser.add_argument("-o", "--output", help="the figure, as SVG, PDF or PNG")
    parser.add_argument("--runs", type=int, default=9, help="calls that a median is of (9)")
    parser.add_argument("--repeats", type=int, default=3, help="the least of so many medians counts (3)")
    parser.add_argument("--opt-level", type=int, default=3, help="how far code is optimised, 0 to 3 (3)")
    parser.add_argument("--pit-run", default=os.path.join(ROOT, "build", "bin", "pit-run"))
    options = parser.parse_args()
    measured = {}
    for subject in SUBJECTS if options.subject == "all" else [options.subject]:
        make, values, what, _ = SUBJECTS[subject]
        print(f"{what:>42}  live %  sparse ms  dense ms")
        points = measured[subject] = []
        for value in values:
            # Other work of the machine only adds to times.
            repeats = [measure(options.pit_run, make, value, options.runs, options.opt_level) for _ in range(options.repeats)]
            live, sparse, dense = (min(column) for column in zip(*repeats))
            points.append((live, sparse, dense))
            print(f"{value:>42}  {100 * live:6.1f}  {sparse:9.3f}  {dense:8.3f}", flush=True)
    if not options.output:
        return 0
    try:
        draw(options.output, measured)
    except ImportError as error:
        sys.stderr.write(f"{error}: no figure\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
