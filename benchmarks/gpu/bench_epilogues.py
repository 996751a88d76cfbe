#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products with elementwise work behind them, compiled by PIT from dense programs, against torch in one process.

    bench_epilogues.py --check [--reruns N] DIRECTORY[:M]...
    bench_epilogues.py [--output FILE] DIRECTORY[:M]...

DIRECTORY is a case of build_epilogues.py. Every case is compared with f64 (f32
if large) on random-normal data, the result filled with NaN before; with --check
also on small integers, where functions allow it to the bit, and --reruns repeats
it with the same bits.

Without --check: times of one launch each after the L2 cache was overwritten,
interleaved, medians. `torch` is the fastest of eager torch (cuBLAS and what it
fuses: bias, and bias with ReLU or GELU), `matmul` the bare product or products by
cuBLAS, `plain` our own kernel without the work if a case of that name is given.
"""
import argparse
import json
import statistics
import sys

import torch
import torch.nn.functional as F

import run_manifest
from bench_matmul import TOLERANCE, time_flushed
from torch_program import DTYPES, TorchProgram


def reference(case, a, factors, operands):
    """In the type of `a`."""
    value = a @ factors[0]
    operands = iter(operands)
    for step in case["steps"]:
        if step in ("bias", "bias16", "residual", "residual32"):
            value = value + next(operands)
        elif step == "scale":
            value = value * next(operands)[:, None]
        elif step == "relu":
            value = value.relu()
        elif step == "silu":
            value = F.silu(value)
        elif step == "gelu":
            value = F.gelu(value)
        elif step == "gated":
            value = F.silu(value) * (a @ factors[1])
    return value


class Case:
    def __init__(self, driver, directory, m):
        self.program = TorchProgram(driver, directory)
        with open(f"{directory}/case.json", encoding="utf-8") as file:
            self.case = json.load(file)
        self.m, self.n, self.k = self.case["m"] or m, self.case["n"], self.case["k"]
        self.name = self.case["name"] + (f":{self.m}" if self.case["m"] is None else "")
        if self.m is None:
            raise RuntimeError(f"{self.name}: give a number of rows")

    def make(self, integers, live_share=.5):
        dtype = DTYPES[self.case.get("dtype", "bf16")]

        def random(*shape, dtype=dtype, scale=1.):
            if integers:
                return torch.randint(-2, 3, shape, device="cuda").to(dtype)
            return (torch.randn(*shape, device="cuda") * scale).to(dtype)

        self.a = random(self.m, self.k, scale=self.k ** -.5)
        gated = "gated" in self.case["steps"]
        self.factors = [random(self.k, self.n) for _ in range(2 if gated else 1)]
        self.operands = []
        for step in self.case["steps"]:
            if step in ("bias", "bias16"):
                self.operands.append(random(self.n, dtype=torch.float32 if step == "bias" else torch.bfloat16))
            elif step == "scale":
                self.operands.append(random(self.m, dtype=torch.float32))
            elif step.startswith("residual"):
                self.operands.append(random(self.m, self.n,
                                            dtype=torch.float32 if step == "residual32" else torch.bfloat16))
        inputs = [self.a]
        self.live = None
        if self.case.get("rows") == "masked":
            self.live = torch.rand(self.m, device="cuda") < live_share
            inputs.append(self.live)
        inputs += [b.t().contiguous() if self.case.get("b") == "nk" else b for b in self.factors] + self.operands
        self.out, = self.program.prepare(inputs)

    def compare(self, exact=False):
        self.out.fill_(float("nan"))
        self.program.launch()
        self.program.check_status()
        wide = torch.float64 if self.m * self.n * self.k < 1 << 32 else torch.float32
        a = self.a.to(wide)
        if self.live is not None:
            a = a * self.live[:, None]
        expected = reference(self.case, a, [b.to(wide) for b in self.factors], [x.to(wide) for x in self.operands])
        if exact and not torch.equal(self.out, expected.to(self.out.dtype)):
            raise RuntimeError(f"{self.name}: not exact")
        error = float((self.out.to(wide) - expected).norm() / expected.norm())
        if not error <= TOLERANCE[self.case.get("out", "bf16")]:
            raise RuntimeError(f"{self.name}: relative error {error}")
        return error

    def candidates(self):
        """Ways to do the same in torch."""
        case, steps = self.case, self.case["steps"]
        a = self.a if self.live is None else self.a * self.live[:, None]
        dtype = a.dtype
        operands = [x.to(dtype) for x in self.operands]
        ways = [lambda: reference(case, a, self.factors, operands)]
        if steps[:1] == ["bias"]:
            rest = {**case, "steps": steps[1:]}

            def fused():
                value = torch.addmm(operands[0], a, self.factors[0])
                # The rest eagerly.
                others = iter(operands[1:])
                for step in rest["steps"]:
                    value = {"relu": F.relu, "silu": F.silu, "gelu": F.gelu}[step](value) if step in (
                        "relu", "silu", "gelu") else value + next(others)
                return value

            if all(step in ("relu", "silu", "gelu", "residual") for step in rest["steps"]):
                ways.append(fused)
            if steps == ["bias", "relu"]:
                ways.append(lambda: torch._addmm_activation(operands[0], a, self.factors[0]))
        return ways

    def bare(self):
        for b in self.factors:
            torch.matmul(self.a, b)


def check(case, reruns):
    entry = {"case": case.name}
    functions = {"silu", "gelu", "gated"} & set(case.case["steps"])
    case.make(integers=True)
    case.compare(exact=not functions and case.case["k"] <= 512)
    case.make(integers=False)
    entry["error"] = case.compare()
    if case.live is not None:
        for share in (0., 1.):
            case.make(integers=False, live_share=share)
            case.compare()
    if reruns:
        first = case.out.clone()
        for _ in range(reruns):
            case.program.launch()
            if not torch.equal(case.out.view(torch.int8), first.view(torch.int8)):
                raise RuntimeError(f"{case.name}: another run, other bits")
        entry["reruns"] = reruns
    return entry


def measure(case, plain, flush, rounds):
    case.make(integers=False)
    entry = {"case": case.name, "error": case.compare()}
    names = ["pit", "matmul"] + (["plain"] if plain else [])
    functions = [case.program.launch, case.bare] + ([plain.program.launch] if plain else [])
    ways = case.candidates()
    functions += ways
    time_flushed(functions, flush, 3)
    times = time_flushed(functions, flush, rounds)
    best = min(times[len(names):], key=statistics.median)
    ours = times[0]
    for name, values in zip(names + ["torch"], times[:len(names)] + [best]):
        entry[name + "_ms"] = round(statistics.median(values), 5)
        if name != "pit":
            entry["over_" + name] = round(statistics.median(v / o for v, o in zip(values, ours)), 4)
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+", metavar="DIRECTORY[:M]")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--reruns", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--output")
    options = parser.parse_args()
    torch.cuda.init()
    driver = run_manifest.Driver()
    flush = None if options.check else torch.empty(64 << 20, dtype=torch.int32, device="cuda")
    records, failures, plains = [], 0, {}
    for text in options.cases:
        directory, _, m = text.partition(":")
        try:
            case = Case(driver, directory, int(m) if m else None)
            if options.check:
                entry = check(case, options.reruns)
            else:
                shape = (case.m, case.n * (2 if "gated" in case.case["steps"] else 1), case.k)
                entry = measure(case, plains.get(shape), flush, options.rounds)
                if not case.case["steps"]:
                    plains[shape] = case
        except (RuntimeError, OSError, KeyError) as error:
            failures += 1
            entry = {"case": text, "failed": str(error)}
        records.append(entry)
        print(json.dumps(entry), flush=True)
        if "CUDA error" in entry.get("failed", ""):
            break  # the context is lost
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "cases": records}, file,
                      indent=1)
            file.write("\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
