# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs of attention.py on the CPU as they are, and formed and decomposed again, and compares their results:

    same_attention.py PIT_OPT PIT_RUN FOLDER "[--SPECS] OPTIONS [; OPTIONS ...]"

SPECS, as 'normal,normal,normal,bool:0.5', say how arguments are generated.
"""
import os
import subprocess
import sys

import numpy as np

pit_opt, pit_run, folder = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
os.makedirs(folder, exist_ok=True)


def run(*command, **more):
    return subprocess.run(command, check=True, **more)


def get_result(program, name, specs):
    run(pit_run, program, "--target=cpu", "--opt-level=0", "--quiet", *(f"--random={spec}" for spec in specs.split(",")), f"--output={folder}/{name}")
    result = np.load(f"{folder}/{name}.0.npy")
    if result.dtype.kind == "V":
        # bf16, which numpy does not know.
        result = (result.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return result.astype(np.float64)


def compare(specs, options):
    text = run(sys.executable, f"{here}/attention.py", *options, "round=", stdout=subprocess.PIPE).stdout
    before, after = f"{folder}/before.mlir", f"{folder}/after.mlir"
    with open(before, "wb") as file:
        file.write(text)
    formed = run(pit_opt, before, "--pit-form-attention", stdout=subprocess.PIPE).stdout
    if b"pit.attend" not in formed:
        raise SystemExit(f"not formed: {options}")
    run(pit_opt, "-", "--pit-decompose-attention", "-o", after, input=formed)
    one, other = (get_result(program, name, specs) for program, name in ((before, "before"), (after, "after")))
    # Of 16 bits, weights are rounded before or behind the quotient.
    tolerance = 1e-5 if "type=f32" in options else 3e-2
    if one.shape != other.shape or not np.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True):
        raise SystemExit(f"{options} differ by {np.nanmax(np.abs(one - other))}")


specs = "normal"
for part in " ".join(sys.argv[4:]).split(";"):
    words = part.split()
    if words and words[0].startswith("--"):
        specs, words = words[0][2:], words[1:]
    compare(specs, words)
