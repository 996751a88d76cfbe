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
import statistics
import sys

import torch
import torch.nn.functional as F

import harness
from timing import median_ms, median_ratio, time_flushed
from torch_program import DTYPES, TorchProgram, check_same_bits, tolerance


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
        self.case = harness.read_json(directory)
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
        if not error <= tolerance(self.case):
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
        check_same_bits(case.name, case.out, case.program.launch, reruns)
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
        entry[name + "_ms"] = median_ms(values, 5)
        if name != "pit":
            entry["over_" + name] = median_ratio(values, ours)
    return entry


def main():
    parser = harness.parser(__doc__, "DIRECTORY[:M]", rounds=25)
    parser.add_argument("--reruns", type=int, default=0)
    options = parser.parse_args()
    driver, flush, plains = harness.start(), harness.flush_buffer(options), {}

    def one(name):
        directory, _, m = name.partition(":")
        case = Case(driver, directory, int(m) if m else None)
        if options.check:
            return check(case, options.reruns)
        shape = (case.m, case.n * (2 if "gated" in case.case["steps"] else 1), case.k)
        entry = measure(case, plains.get(shape), flush, options.rounds)
        if not case.case["steps"]:
            plains[shape] = case
        return entry

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
