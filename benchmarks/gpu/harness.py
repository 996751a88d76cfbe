# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts that check and time compiled programs share: options, the loop over cases, what is written.

A case that fails becomes a record of its own and ends nothing but itself, unless the CUDA context is lost with it.
"""
import argparse
import json
import os

import torch

import run_manifest

# What loading, launching and comparing may raise.
ERRORS = (RuntimeError, OSError, KeyError, ValueError, IndexError)
# Of messages after which nothing runs any more in this process.
LOST_CONTEXT = ("CUDA error", "cuCtxSynchronize")


def shares(text):
    """Numbers with commas between them, as an option that stands before other arguments."""
    return [float(number) for number in text.split(",")]


def parser(description, cases="CASE", rounds=None, check="only check"):
    """Options that all have, with a place for cases where `cases` is not None; `rounds` is how often to time."""
    result = argparse.ArgumentParser(description=description.splitlines()[0])
    if cases:
        result.add_argument("cases", nargs="+", metavar=cases)
    if check:
        result.add_argument("--check", action="store_true", help=check)
    if rounds:
        result.add_argument("--rounds", type=int, default=rounds, help="how often each is timed")
    result.add_argument("--output", help="write all numbers to this JSON file")
    return result


def start():
    """The driver, on torch's context, with products and convolutions of f32 as exact as they look."""
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.zeros(1, device="cuda")
    return run_manifest.Driver()


def flush_buffer(options):
    """What is written over the L2 cache between launches; None where nothing is timed."""
    return None if getattr(options, "check", False) else torch.empty(256 << 20, dtype=torch.int8, device="cuda")


def read_json(directory, name="case.json"):
    with open(os.path.join(directory, name), encoding="utf-8") as file:
        return json.load(file)


def run_cases(names, measure, quiet=False):
    """What `measure` returns of each name, printed as a line of JSON each (failures alone if `quiet`).
    Returns all records and the number of failures."""
    records, failures = [], 0
    for name in names:
        try:
            record = measure(name)
        except ERRORS as error:
            failures += 1
            record = {"case": name, "failed": str(error)}
        records.append(record)
        failed = record.get("failed", "")
        if failed or not quiet:
            print(json.dumps(record), flush=True)
        torch.cuda.empty_cache()
        if any(sign in failed for sign in LOST_CONTEXT):
            break
    return records, failures


def with_device(records):
    """Records next to what they were measured on."""
    return {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "cases": records}


def write(path, contents):
    """To a JSON file, if one was asked for."""
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(contents, file, indent=1)
            file.write("\n")


def run(options, names, measure, describe=with_device):
    """All cases, and what comes of them to options.output. Returns the exit code."""
    records, failures = run_cases(names, measure)
    write(options.output, describe(records))
    return 1 if failures else 0
