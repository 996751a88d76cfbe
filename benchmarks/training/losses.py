#!/usr/bin/env python3
# ===- losses.py - Small models trained by PIT and by torch -----------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Small models trained by PIT and by torch from the same start, step by step.

    losses.py --json RESULTS.json [--only MODEL] [--steps 500] [--threads N]    on this CPU
    losses.py --compile OUT                                 needs torch-mlir and pit-compile, no device
    losses.py --run OUT --json RESULTS.json                 the same steps on a device

Models are those of small_models.py. On a CPU they run through torch.compile(backend="pit") and in eager, in f32. On a
device, a step is one program of forward and backward that computes in bf16, with parameters in f32; torch runs the same
in eager. The text is source code of Python's own library, letter by letter, in sequences of different lengths. A third
run in f64 says how far apart two runs come to lie: the same start, the same batches, Adam in all three. Times are
medians of steps, in turn.
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
from small_models import DEVICE_MODELS, MODELS, loss_of  # noqa: E402

# Positions and sequences of a batch.
CPU_BATCH, DEVICE_BATCH = (64, 8), (256, 16)
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


def batches(steps, shape, device):
    """Inputs, what comes next, and lengths: a third of the positions are there."""
    length, count = shape
    generator, letters = torch.Generator().manual_seed(7), text()
    for _ in range(steps):
        starts = torch.randint(0, len(letters) - length - 1, (count,), generator=generator)
        places = starts[:, None] + torch.arange(length)
        lengths = torch.randint(8, 2 * length // 3 - 8, (count,), generator=generator)
        yield tuple(t.to(device) for t in (letters[places], letters[places + 1], lengths))


class Run:
    """A model in training; `step` gives the loss, and leaves gradients in parameters."""

    def __init__(self, model, call):
        self.parameters, self.call = list(model.parameters()), call
        self.optimizer, self.losses, self.times = torch.optim.Adam(self.parameters, 1e-3), [], []

    def differentiate(self, batch):
        loss = self.call(*batch)
        loss.backward()
        return loss

    def step(self, batch):
        began = time.perf_counter()
        self.optimizer.zero_grad()
        loss = self.differentiate(batch)
        self.optimizer.step()
        self.losses.append(loss.item())
        self.times.append((time.perf_counter() - began) * 1e3)


class Mixed(Run):
    """Parameters in f32, and a function of them that computes in bf16."""

    def differentiate(self, batch):
        loss = self.call(*batch, *self.parameters)
        loss.backward()
        return loss


class Program(Run):
    """A step that was compiled: it gives the loss, and the gradients."""

    def differentiate(self, batch):
        one = torch.ones((), device=batch[0].device)
        loss, *gradients = self.call(*batch, *(parameter.detach() for parameter in self.parameters), one)
        for parameter, gradient in zip(self.parameters, gradients):
            parameter.grad = gradient
        return loss


def copies(models, name, device):
    """A function that gives the same model in each call."""
    torch.manual_seed(0)
    start = models[name]().to(device).state_dict()

    def make():
        model = models[name]().to(device)
        model.load_state_dict(start)
        return model

    return make


def runs_on_cpu(name, options):
    torch._dynamo.reset()
    make = copies(MODELS, name, "cpu")
    pit, eager, exact = make(), make(), make().double()
    return {"pit": Run(pit, torch.compile(pit, backend="pit")), "torch": Run(eager, eager), "f64": Run(exact, exact)}


def runs_on_device(name, options):
    make = copies(DEVICE_MODELS, name, "cuda")
    program = pit_mlir.torch.load(os.path.join(options.run, name))
    eager, exact = make(), make().double()
    return {"pit": Program(make(), program), "torch": Mixed(eager, loss_of(eager, torch.bfloat16)), "f64": Run(exact, exact)}


def train(name, options):
    if options.run:
        runs, shape, device = runs_on_device(name, options), DEVICE_BATCH, "cuda"
    else:
        runs, shape, device = runs_on_cpu(name, options), CPU_BATCH, "cpu"
    for batch in batches(options.steps, shape, device):
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


def compile_steps(names, options):
    for name in names:
        model = DEVICE_MODELS[name]().to("meta")
        (length, count), parameters = DEVICE_BATCH, list(model.parameters())
        tokens = torch.empty(count, length, dtype=torch.int64, device="meta")
        inputs = (tokens, tokens, torch.empty(count, dtype=torch.int64, device="meta"), *(parameter.detach() for parameter in parameters))
        began = time.monotonic()
        pit_mlir.torch.export_step(loss_of(model, torch.bfloat16), inputs, os.path.join(options.compile, name),
                                   range(3, len(inputs)), target=options.target)
        print(f"{name}: compiled in {time.monotonic() - began:.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json")
    parser.add_argument("--only", action="append", choices=list(MODELS))
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--compile", metavar="OUT")
    parser.add_argument("--run", metavar="OUT")
    parser.add_argument("--target", default="cuda:sm_90a")
    options = parser.parse_args()
    names = [name for name in (DEVICE_MODELS if options.compile or options.run else MODELS) if not options.only or name in options.only]
    if options.compile:
        compile_steps(names, options)
        return
    torch.set_num_threads(options.threads)
    device = torch.cuda.get_device_name() if options.run else f"{options.threads} CPU threads"
    found = {"device": device, "torch": torch.__version__, "cases": []}
    for name in names:
        found["cases"].append(train(name, options))
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(found, file, indent=1)
                file.write("\n")


if __name__ == "__main__":
    main()
