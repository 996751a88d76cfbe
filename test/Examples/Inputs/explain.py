"""Runs --pit-explain over examples, and names the ops without a remark."""

import argparse
import pathlib
import re
import subprocess
import tempfile

PIPELINES = ["pit-to-ptx=chip=sm_90a", "pit-to-ptx=chip=sm_80", "pit-to-ptx=chip=sm_75", "pit-to-cpu"]
# What a kernel, or loops, must compute.
PRODUCT = re.compile(r"^\S+ .*linalg\.(matmul|batch_matmul|conv)")
# The product with values names the kernel of an attention.
KERNEL = ("  + kernels", "  + fusion    scores, softmax and the product with values are one pit.attend")

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--pit-opt", required=True)
parser.add_argument("examples", nargs="+", type=pathlib.Path)
arguments = parser.parse_args()


def explain(example, pipeline):
    with tempfile.NamedTemporaryFile("r", suffix=".txt") as text:
        subprocess.run([arguments.pit_opt, example, "--" + pipeline, "--pit-explain=" + text.name, "-o", "/dev/null"],
                       check=True)
        return text.read().splitlines()


def split(lines):
    """The title of each place, and its remarks."""
    for line in lines:
        if not line.startswith(" "):
            place = (line, [])
            yield place
        else:
            place[1].append(line)


for example in arguments.examples:
    for pipeline in PIPELINES:
        lines = explain(example, pipeline)
        number = re.fullmatch(r"(\d+) ops, (\d+) unexplained", lines.pop())
        what = f"{example.name} --{pipeline}"
        if not number or int(number[1]) == 0:
            print(f"{what}: no ops were seen")
        for title, told in list(split(lines)):
            if any(line.startswith(("  ?", "  =")) for line in told):
                print(f"{what}: unexplained: {title}")
            if PRODUCT.match(title) and not any(line.startswith(KERNEL) for line in told):
                print(f"{what}: no kernel is named: {title}")
print(f"{len(arguments.examples)} programs, {len(PIPELINES)} pipelines each")
