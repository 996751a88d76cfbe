#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Detections compiled by PIT: against a reference, again and again, and against
what torch offers, in one process.

    bench_detect.py [--check] [--reruns N] [--time NAME...] [--output FILE] OUT

OUT holds the cases of build_detect.py. Every case is checked on patterns from
empty to full, with NaN, -0.0 and -inf among the values; the lists are poisoned
before. A case with `at_most` is also given more than that, and lengths one
beyond its sequence: the status must say so, and nothing may be written behind
the capacity.

Times: `graph`, a CUDA graph of 12 detections of several arrays in turn, which
together are larger than the L2 cache, per detection; `flushed`, one detection
after the L2 cache was overwritten, between two events, interleaved with torch.
Medians.
"""
import math
import os
import statistics
import sys

import numpy as np
import torch

import build_detect
import detect_reference
import harness
import run_manifest
from torch_program import DTYPES

GUARD = 64  # entries behind a list, which nobody may write
POISON = -7


#
# Patterns and what is expected of them
#


def make_source(case, density, generator, special=False):
    """A tensor in which micro-tiles are live with the given probability."""
    shape, dtype = case["shape"], DTYPES[case["dtype"]]
    if case["kind"] == "lengths":
        lengths = (torch.rand(shape, generator=generator) * (case["positions"] + 1)).to(dtype)
        lengths[torch.rand(shape, generator=generator) > .8] = 0 if density < 1 else case["positions"]
        return torch.zeros_like(lengths) if density == 0 else lengths
    if case["kind"] in ("values", "routing", "mask") and density not in (0, 1):
        # Few elements of a live micro-tile are live, and at most some along other axes.
        tiles = [1] * len(shape)
        for i, axis in enumerate(case["axes"]):
            tiles[axis if case["kind"] == "values" else i] = case["tile"][i]
        chosen = torch.rand([math.ceil(n / t) for n, t in zip(shape, tiles)], generator=generator) < density
        for axis, tile in enumerate(tiles):
            chosen = chosen.repeat_interleave(tile, axis)
        chosen = chosen[tuple(slice(n) for n in shape)]
        others = math.prod(shape) / max(1, math.prod(case["extents"]))
        elements = max(1, math.prod(case["tile"]) * others)
        keep = 1 if elements == 1 else max(.05, 1.5 / elements)
        chosen = chosen & (torch.rand(shape, generator=generator) < keep)
    else:
        chosen = torch.rand(shape, generator=generator) < density
    if dtype == torch.bool:
        return chosen
    if not dtype.is_floating_point:
        numbers = torch.randint(1, 100, shape, generator=generator).to(dtype)
        if dtype != torch.int8:  # only a high bit
            numbers[torch.rand(shape, generator=generator) < .3] = 1 << (torch.iinfo(dtype).bits - 2)
        numbers[torch.rand(shape, generator=generator) < .1] = torch.iinfo(dtype).min
        return torch.where(chosen, numbers, torch.zeros_like(numbers))
    numbers = torch.randn(shape, generator=generator).to(dtype)
    numbers[numbers == 0] = 1
    absent = torch.zeros_like(numbers)
    if special:
        numbers[torch.rand(shape, generator=generator) < .3] = math.nan
        numbers[torch.rand(shape, generator=generator) < .2] = math.inf
        absent[torch.rand(shape, generator=generator) < .5] = -0.0
    if case["absent"] == "neg_inf":
        numbers[torch.rand(shape, generator=generator) < .3] = 0.0
        absent.fill_(-math.inf)
    return torch.where(chosen, numbers, absent)


def limit_rows(case, source):
    """Keeps the first `at_most` live elements of each row."""
    live = source != 0
    return torch.where(live & (live.cumsum(1) <= case["at_most"]), source, torch.zeros_like(source))


def expected(case, source):
    """Offsets and coordinates without a bound on the list."""
    wide = source.to(torch.float64) if source.is_floating_point() else source
    return detect_reference.expected(case, wide.numpy())


#
# Running
#


class Case:
    """One compiled detection with room for its lists on the device."""

    def __init__(self, driver, directory, sources):
        self.case = harness.read_json(directory)
        self.function = harness.read_json(directory, "manifest.json")["functions"][0]
        self.module = driver.load_kernels(directory)
        self.driver, self.name = driver, self.case["name"]
        self.sets = [self.prepare(source) for source in sources]

    def prepare(self, source):
        """Buffers and launches for one source, which is given on the host."""
        case = self.case
        if case["strides"]:
            flat = torch.ones(build_detect.span(case), dtype=source.dtype)
            torch.as_strided(flat, case["shape"], case["strides"], case["offset"]).copy_(source)
            source = flat
        offsets = torch.empty(case["segments"] + 1 + GUARD, dtype=torch.int64, device="cuda")
        coords = torch.empty(case["capacity"] + GUARD, dtype=torch.int64 if case["width"] == 64 else torch.int32,
                             device="cuda")
        inputs = [source.cuda(), offsets[:-GUARD], coords[:-GUARD]]
        if len(self.function["arguments"]) > 3:
            inputs.append(np.array(case["extents"][1]))
        data = {"inputs": inputs, "offsets": offsets, "coords": coords, "buffers": []}
        for buffer in self.function["buffers"]:
            shape = [run_manifest.evaluate(e, inputs) for e in buffer["shape"]]
            if buffer["kind"] == "argument":
                data["buffers"].append(inputs[buffer["argument"]])
                continue
            tensor = torch.full(shape, -1, dtype=DTYPES[buffer["dtype"]], device="cuda")
            data["buffers"].append(tensor)
            if buffer["kind"] == "status":
                data["status"] = tensor.zero_()
        pointers = [buffer.data_ptr() for buffer in data["buffers"]]
        data["calls"] = run_manifest.prepare_launches(self.driver, self.module, self.function, pointers, inputs)
        return data

    def poison(self, data):
        data["offsets"].fill_(POISON)
        data["coords"].fill_(POISON)
        data["status"].zero_()

    def launch(self, data):
        stream = torch.cuda.current_stream().cuda_stream
        for call in data["calls"]:
            self.driver.launch(*call, stream)

    def check(self, data, source, bad_lengths=0):
        """Compares with the reference; returns how many micro-tiles are live."""
        case = self.case
        self.poison(data)
        self.launch(data)
        torch.cuda.synchronize()
        offsets, coords = expected(case, source)
        live, capacity = len(coords), case["capacity"]
        kept = min(live, capacity)
        got = {key: data[key].cpu().numpy() for key in ("offsets", "coords", "status")}
        if not np.array_equal(got["offsets"][:-GUARD], np.minimum(offsets, capacity)):
            wrong = np.nonzero(got["offsets"][:-GUARD] != np.minimum(offsets, capacity))[0][0]
            raise RuntimeError(f"{self.name}: offset {wrong} is {got['offsets'][wrong]}, not "
                               f"{min(offsets[wrong], capacity)}")
        if not np.array_equal(got["coords"][:kept], coords[:kept]):
            wrong = np.nonzero(got["coords"][:kept] != coords[:kept])[0][0]
            raise RuntimeError(f"{self.name}: coordinate {wrong} is {got['coords'][wrong]}, not {coords[wrong]}")
        if (got["offsets"][-GUARD:] != POISON).any() or (got["coords"][kept:] != POISON).any():
            raise RuntimeError(f"{self.name}: wrote behind the end of a list")
        status = [0, 0, 0, 0]
        if live > capacity:
            status = [3, 7, live, capacity]
        if bad_lengths:
            if got["status"][0] != 4 or got["status"][1] != 7 or got["status"][3] != case["positions"]:
                raise RuntimeError(f"{self.name}: status {got['status']} for a bad length")
        elif got["status"].tolist() != status:
            raise RuntimeError(f"{self.name}: status {got['status']}, not {status}")
        return live


def save_inputs(directory, inputs):
    """Leaves what run_manifest.py needs to run the case, under a sanitizer for instance."""
    for i, value in enumerate(inputs):
        if isinstance(value, torch.Tensor):
            value = value.cpu()
            value = value.view(torch.int16).numpy().view(np.uint16) if value.dtype == torch.bfloat16 else value.numpy()
        np.save(os.path.join(directory, f"input.{i}.npy"), value)


def check_case(driver, directory, generator, reruns):
    case = harness.read_json(directory)
    sources, bad = [], []
    for density, special in (0, False), (.02, False), (.5, True), (1, False):
        source = make_source(case, density, generator, special)
        if case["at_most"] and density < 1:
            source = limit_rows(case, source)
        sources.append(source)
        bad.append(0)
    if case["kind"] == "lengths":
        source = sources[1].clone()
        source[3], source[5] = -5, case["positions"] + 1
        sources.append(source)
        bad.append(2)
    compiled = Case(driver, directory, sources)
    live = [compiled.check(data, source, number) for data, source, number in zip(compiled.sets, sources, bad)]
    save_inputs(directory, compiled.sets[1]["inputs"])
    # The same bits in every run, and workspaces that nobody cleared do not matter.
    data = compiled.sets[2]
    compiled.check(data, sources[2])
    first = {key: data[key].clone() for key in ("offsets", "coords")}
    different = torch.zeros((), dtype=torch.bool, device="cuda")
    for _ in range(reruns):
        compiled.poison(data)
        compiled.launch(data)
        for key, value in first.items():
            different |= (data[key] != value).any()
    if different.item():
        raise RuntimeError(f"{compiled.name}: runs differ")
    return {"case": compiled.name, "live": live, "reruns": reruns, "launches": len(data["calls"])}


#
# Times
#


def median_of_graph(function, count, sets, replays=9):
    """Milliseconds per call of a graph of `count` calls."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for i in range(len(sets)):
            function(sets[i])
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for i in range(count):
            function(sets[i % len(sets)])
    times = []
    for _ in range(replays):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(2000000)
        start.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) / count)
    return statistics.median(times)


def medians_flushed(functions, rounds=15):
    flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    times = [[] for _ in functions]
    for function in functions:
        function()
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            flush.zero_()
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            function()
            end.record()
            torch.cuda.synchronize()
            mine.append(start.elapsed_time(end))
    return [statistics.median(mine) for mine in times]


def fill_on_device(case, tensor, density):
    """A random pattern in place, where the host would take too long."""
    if case["kind"] == "routing":
        scores = torch.rand(tensor.shape, device="cuda")
        chosen = scores.topk(case["at_most"], dim=1).indices
        tensor.zero_().scatter_(1, chosen, torch.rand(chosen.shape, device="cuda") + .1)
        return
    if case["kind"] == "lengths":
        tensor.copy_(torch.randint(0, case["positions"] + 1, tensor.shape, device="cuda"))
        return
    if tensor.dtype == torch.bool:
        tensor.copy_(torch.rand(tensor.shape, device="cuda") < density)
        return
    tensor.normal_()
    rows, columns = (case["tile"] + [tensor.shape[1]])[:2]
    live = torch.rand(math.ceil(tensor.shape[0] / rows), math.ceil(tensor.shape[1] / columns), device="cuda") < density
    # In strips, so that no large mask is made.
    for i in range(live.shape[0]):
        strip = tensor[i * rows:(i + 1) * rows]
        strip *= live[i].repeat_interleave(columns)[:tensor.shape[1]].to(tensor.dtype)


def peers_of(case, source):
    """What torch can do for the same question."""
    if case["kind"] == "routing":
        ids = source.nonzero()[:, 1].contiguous()
        return {"argsort+bincount of ids": lambda: (torch.argsort(ids, stable=True),
                                                    torch.bincount(ids, minlength=source.shape[1])),
                "nonzero of the transpose": lambda: torch.nonzero(source.T)}
    if case["kind"] == "lengths":
        return {}
    peers = {"nonzero": lambda: torch.nonzero(source)}
    rows, columns = (case["tile"] + [1])[:2]
    if len(case["tile"]) == 2 and rows * columns > 1:
        def by_tile():
            shape = (source.shape[0] // rows, rows, source.shape[1] // columns, columns)
            return torch.nonzero((source.view(shape) != 0).any(3).any(1))
        peers["any, then nonzero"] = by_tile
    return peers


def time_case(driver, directory, density):
    case = harness.read_json(directory)
    size = math.prod(case["shape"]) * DTYPES[case["dtype"]].itemsize
    count = 4 if size > 1 << 24 else 12
    compiled = Case(driver, directory, [torch.empty(case["shape"], dtype=DTYPES[case["dtype"]]) for _ in range(count)])
    for data in compiled.sets:
        fill_on_device(case, data["inputs"][0], density)
    graph = median_of_graph(compiled.launch, 12, compiled.sets)
    data = compiled.sets[0]
    peers = peers_of(case, data["inputs"][0])
    flushed = medians_flushed([lambda: compiled.launch(data), *peers.values()])
    # The last, so that what was timed is what is compared.
    live = compiled.check(data, data["inputs"][0].cpu()) if size < 1 << 27 else int(data["offsets"][-GUARD - 1])
    return {"case": compiled.name, "density": density, "live": live, "bytes": size, "graph_ms": round(graph, 5),
            "graph_tb_per_s": round(size / graph / 1e9, 3), "flushed_ms": round(flushed[0], 5),
            "torch_flushed_ms": {key: round(value, 4) for key, value in zip(peers, flushed[1:])}}


def main():
    parser = harness.parser(__doc__, None, check="check all cases that are small")
    parser.add_argument("out")
    parser.add_argument("--only", nargs="*", help="cases to check")
    parser.add_argument("--reruns", type=int, default=20, help="runs of each case that are compared bit by bit")
    parser.add_argument("--time", nargs="*", default=[], metavar="NAME[:DENSITY]")
    options = parser.parse_args()
    driver, generator = harness.start(), torch.Generator().manual_seed(1)
    torch.manual_seed(0)
    names = [name for name in build_detect.CASES if math.prod(build_detect.CASES[name]["shape"]) <= 1 << 22]
    checks, failures = harness.run_cases(
        (options.only or names) if options.check else [],
        lambda name: check_case(driver, os.path.join(options.out, name), generator, options.reruns), quiet=True)
    if options.check:
        print(f"{len(checks)} cases checked, {failures} failed", flush=True)

    def time_one(name):
        name, _, density = name.partition(":")
        return time_case(driver, os.path.join(options.out, name), float(density or .1))

    times, more = harness.run_cases(options.time, time_one)
    harness.write(options.output, {"device": torch.cuda.get_device_name(), "checks": checks, "times": times})
    return 1 if failures or more else 0


if __name__ == "__main__":
    sys.exit(main())
