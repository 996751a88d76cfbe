#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products summed over a list of k, against the dense product and torch.

    bench_listed_sum.py [--check] [--output FILE] DENSE DIRECTORY...

DIRECTORY is a case of build_matmul.py whose k is listed, DENSE one whose A is
stored [k, m] (dense-4096-km); it is not read with --check. Every case is first
checked at lists of many lengths, in random order, with numbers behind the end
of the list that must not matter, and an output filled with NaN: against f64 on
random-normal data, and bit for bit on small integers.

Times are those of bench_matmul.py, of our dense kernel, of torch.matmul (dense),
and of lists of all k, in order and in random order, and of fewer. `ratio` is the
median over rounds of our dense kernel's time over that of the list.
"""
import sys

import torch

import harness
from timing import median_ms, median_ratio, time_blocks, time_flushed
from torch_program import DTYPES, TOLERANCE, TorchProgram

LENGTHS = (0, 1, 7, 63, 64, 65, 128, 200, 321, 455, 456)
SHARES = (1.0, .75, .5, .25, .1, .01)


def bind(program, inputs):
    """What launches a program on these tensors, the last of which it writes unless it has a result. Each binding has
    its own buffers, so that there may be several at a time."""
    program.prepare(inputs)
    calls, buffers = program.calls, program.buffers

    def launch(keep=(buffers, inputs)):
        for call in calls:
            program.driver.launch(*call)

    return launch


class Case:
    def __init__(self, driver, directory):
        self.case, self.program = harness.read_json(directory), TorchProgram(driver, directory)


def make_list(ks, length):
    """The first `length` of the numbers; what is behind them is out of bounds."""
    rest = torch.full((len(ks) - length,), 1 << 30, dtype=torch.int32, device="cuda")
    return [torch.cat([ks[:length].to(torch.int32), rest]), torch.tensor([0, length], dtype=torch.int64, device="cuda")]


def check(program, lengths, whole_numbers, on_cpu):
    """The largest relative error; raises if one is too large."""
    case, worst = program.case, 0.0
    m, n, k = case["m"], case["n"], case["k"]
    dtype, out = (DTYPES[case.get(key, "bf16")] for key in ("dtype", "out"))
    for length in lengths:
        def draw(columns):
            if whole_numbers:
                # Sums below 256, so that not even a bf16 rounds them.
                return (torch.rand(k, columns, device="cuda") < .02).to(dtype) * torch.randint(
                    -3, 4, (k, columns), device="cuda").to(dtype)
            return torch.randn(k, columns, device="cuda").to(dtype)
        a, b, ks = draw(m), draw(n), torch.randperm(k, device="cuda")
        c = torch.full((m, n), float("nan"), dtype=out, device="cuda")
        launch = bind(program.program, [a, b, *make_list(ks, length), c])
        launch()
        torch.cuda.synchronize()
        if on_cpu:
            a, b, c, ks = (x.cpu() for x in (a, b, c, ks))
        wide = torch.float64 if m * n * k < 1 << 34 else torch.float32
        reference = a[ks[:length]].to(wide).T @ b[ks[:length]].to(wide)
        difference = float((c.to(wide) - reference).norm())
        error = difference / max(float(reference.norm()), 1e-30) if difference else 0.0
        if not error <= (0.0 if whole_numbers else TOLERANCE[case.get("out", "bf16")]):
            raise RuntimeError(f"{case['name']}, {length} listed: relative error {error}")
        worst = max(worst, error)
    return worst


def measure(dense, program, rounds):
    m, n, k = (program.case[key] for key in "mnk")
    dtype = DTYPES[program.case.get("dtype", "bf16")]
    a, b = (torch.randn(k, columns, device="cuda").to(dtype) for columns in (m, n))
    out = torch.empty(m, n, dtype=dtype, device="cuda")
    names = ["dense", "torch"]
    launches = [bind(dense.program, [a, b]), lambda: torch.matmul(a.T, b, out=out)]
    for share in SHARES:
        for order in ("random", "ascending") if share == 1 else ("random",):
            length = round(k * share)
            ks = torch.randperm(k, device="cuda") if order == "random" else torch.arange(k, device="cuda")
            names.append(f"{length} listed, {order}")
            launches.append(bind(program.program, [a, b, *make_list(ks, length), out]))
    flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    time_flushed(launches, flush, 3)
    times = {"flushed": time_flushed(launches, flush, rounds),
             "burst": time_blocks(launches, 3, .04, max(5, rounds // 3))}
    entries = []
    for i, name in enumerate(names):
        entry = {"what": name}
        for key, columns in times.items():
            entry[key] = {"ms": median_ms(columns[i], 5), "ratio": median_ratio(columns[0], columns[i])}
        entries.append(entry)
        print(name, entry["flushed"], entry["burst"], flush=True)
    return entries


def main():
    parser = harness.parser(__doc__, None, rounds=15, check="only check, with references from the CPU")
    parser.add_argument("dense")
    parser.add_argument("cases", nargs="+", metavar="DIRECTORY")
    parser.add_argument("--lengths", help="check these lengths of the list")
    options = parser.parse_args()
    driver = harness.start()
    dense = None if options.check else Case(driver, options.dense)

    def one(directory):
        program = Case(driver, directory)
        k = program.case["k"]
        lengths = list(map(int, options.lengths.split(","))) if options.lengths else LENGTHS
        lengths = sorted({min(length, k) for length in (*lengths, k)})
        entry = {"case": program.case["name"], "m": program.case["m"], "n": program.case["n"], "k": k,
                 "error": check(program, lengths, False, options.check)}
        check(program, lengths, True, options.check)
        if not options.check:
            entry["times"] = measure(dense, program, options.rounds)
        return entry

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
