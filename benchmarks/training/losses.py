#!/usr/bin/env python3
# ===- losses.py - Small models trained by PIT and by torch -----------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Small models trained by PIT and by torch from the same start, step by step.

    losses.py --json RESULTS.json [--only MODEL] [--steps 500] [--device cpu | cuda] [--threads N]

Models are those of small_models.py, through torch.compile(backend="pit") and eager. The text is source code of Python's
own library, letter by letter, in sequences of different lengths. A third run in f64 says how far apart two runs in f32
come to lie: the same start, the same batches, Adam in all three. Times are medians of steps, in turn.
"""

import argparse
import json
import os
import statistics
import sys
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import pit_mlir  # noqa: E402
import pit_mlir.torch  # noqa: E402
from small_models import MODELS  # noqa: E402

LENGTH, BATCH = 64, 8
# Steps of which the results have the mean loss.
EACH = 10
SOURCES = ("argparse", "ast", "typing", "inspect", "tarfile", "zipfile", "decimal", "fractions", "statistics", "logging")


def text():
    """Letters as numbers below 128."""
    folder = os.path.dirname(os.__file__)
    letters = bytearray()
    for name in SOURCES:
        path = os.path.join(folder, name + ".py")
        if os.path.exists(path):
            with open(path, "rb") as file:
                letters += file.read()
    return torch.tensor([letter & 127 for letter in letters])


def batches(steps, device):
    """Inputs, what comes next, and lengths: a third of the positions are there."""
    generator, letters = torch.Generator().manual_seed(7), text()
    for _ in range(steps):
        starts = torch.randint(0, len(letters) - LENGTH - 1, (BATCH,), generator=generator)
        places = starts[:, None] + torch.arange(LENGTH)
        lengths = torch.randint(8, 2 * LENGTH // 3 - 8, (BATCH,), generator=generator)
        yield tuple(t.to(device) for t in (letters[places], letters[places + 1], lengths))


class Run:
    """A model in training."""

    def __init__(self, model, wrap):
        self.model, self.call = model, wrap(model)
        self.optimizer, self.losses, self.times = torch.optim.Adam(model.parameters(), 1e-3), [], []

    def step(self, batch):
        began = time.perf_counter()
        self.optimizer.zero_grad()
        loss = self.call(*batch)
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())
        self.times.append((time.perf_counter() - began) * 1e3)


def train(name, options):
    torch.manual_seed(0)
    torch._dynamo.reset()
    start = MODELS[name]().to(options.device)
    runs = {}
    for key, wrap, dtype in (
        ("pit", lambda model: torch.compile(model, backend="pit"), torch.float32),
        ("torch", lambda model: model, torch.float32),
        ("f64", lambda model: model, torch.float64),
    ):
        model = MODELS[name]().to(options.device)
        model.load_state_dict(start.state_dict())
        runs[key] = Run(model.to(dtype), wrap)
    for batch in batches(options.steps, options.device):
        for run in runs.values():
            run.step(batch)
    losses = {key: torch.tensor(run.losses) for key, run in runs.items()}
    apart = {key: float((losses[key] - losses["f64"]).abs().max()) for key in ("pit", "torch")}
    last = {key: float(found[-50:].mean()) for key, found in losses.items()}
    times = {key: round(statistics.median(runs[key].times[len(runs[key].times) // 10 :]), 3) for key in ("pit", "torch")}
    print(f"{name}: loss {losses['pit'][0]:.3f} to {last['pit']:.4f}, torch {last['torch']:.4f}, f64 {last['f64']:.4f}; "
          f"at most {apart['pit']:.1e} and {apart['torch']:.1e} from f64; {times['pit']} and {times['torch']} ms a step", flush=True)
    return {
        "case": name, "steps": options.steps, "ms": times["pit"], "peers": {"torch": {"ms": times["torch"]}},
        "last_50": last, "apart_from_f64": apart,
        "losses": {key: [round(float(part.mean()), 5) for part in found.split(EACH)] for key, found in losses.items()}, "each": EACH,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json")
    parser.add_argument("--only", action="append", choices=list(MODELS))
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    device = torch.cuda.get_device_name() if options.device == "cuda" else f"{options.threads} CPU threads"
    found = {"device": device, "torch": torch.__version__, "cases": []}
    for name in options.only or MODELS:
        found["cases"].append(train(name, options))
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(found, file, indent=1)
                file.write("\n")


if __name__ == "__main__":
    main()
