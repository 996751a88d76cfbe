#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs compiled workloads again and again, mixed: are the results always the same bits, and does memory stay as it is?

    endurance.py FOLDER --target cuda --seconds 540 [-o FILE]       on a device: needs torch, no LLVM
    endurance.py FOLDER --target cpu --minutes 60 [-o FILE]         needs Python alone

FOLDER is made by build.py. Each workload is checked once against its dense program. Then segments of reruns follow each other in
random order, of all workloads in all modes (see device.py and host.py: launched, captured, alone, beside something else), until
the time is over. Each rerun is compared with the first run, bit by bit: on a device results, lists and other workspace, there
without reading them back. The device's free memory and this process's memory are looked at between segments.

Exit code 1 when bits of results or lists change, when a workload had fewer than --reruns reruns, when the device's free
memory is not what it was one second after the start, or when this process has grown by more than --growth KiB.
Temporaries of kernels may hold something else each time; how often they do is counted.

--fault NAME changes one bit of a result once; --fault leak-host and leak-device forget memory. That has to be found.
"""
import argparse
import json
import os
import random
import sys
import time

import data
import programs
import runtime


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Memory:
    """What is in use, at most once a second; the first second does not count."""

    def __init__(self, target, clock):
        self.target, self.clock, self.start, self.next = target, clock, clock(), 0
        self.first = self.last = None
        self.free, self.resident, self.samples, self.count = {}, [0, 0], [], 0

    def look(self):
        now = self.clock() - self.start
        if now < max(1, self.next):
            return
        self.next = now + 1
        sample = (round(now, 1), self.target.free_bytes(), resident_bytes())
        if self.first is None:
            self.first, self.resident = sample, [sample[2], sample[2]]
        self.free[sample[1]] = self.free.get(sample[1], 0) + 1
        self.resident = [min(self.resident[0], sample[2]), max(self.resident[1], sample[2])]
        self.last, self.count = sample, self.count + 1
        # A sample each ten seconds, then each minute: this list must not be what grows.
        if not self.samples or now - self.samples[-1][0] >= (10 if now < 600 else 60):
            self.samples.append(sample)
            if self.target.free_bytes() is None:
                print(f"{now:.0f} s: {sample[2] >> 10} KiB", flush=True)

    def describe(self):
        result = {"samples": self.count, "process_bytes": {"first": self.first[2], "last": self.last[2], "most": self.resident[1]},
                  "each_ten_seconds_then_each_minute": [list(sample) for sample in self.samples]}
        if self.first[1] is not None:
            result["device_free_bytes"] = {str(value): count for value, count in self.free.items()}
        return result

    def failures(self, growth):
        found = []
        if len(self.free) > 1:
            found.append(f"free memory of the device was {sorted(self.free)}")
        # Pages that come and go are no growth; what counts is what is there at the end.
        if self.last[2] - self.first[2] > growth << 10:
            found.append(f"the process grew from {self.first[2]} to {self.last[2]} bytes")
        return found


def make_arguments(workloads, seed):
    """(dtype, shape, bytes) of each argument of an entry point, the same ones for each call with that name."""
    def make(entry, name):
        workload, result = workloads[name], []
        types = runtime.types_of(entry.arguments, entry.num_arguments)
        kinds = workload.arguments + workload.arguments[-1:] * (len(types) - len(workload.arguments))
        if len(types) != len(kinds):
            raise RuntimeError(f"{name} takes {len(types)} arguments, not {len(kinds)}")
        for number, ((dtype, extents), kind) in enumerate(zip(types, kinds)):
            shape = workload.shapes.get(number, extents)
            result.append((dtype, shape, data.make(kind, dtype, shape, f"{seed} {name} {number}")))
        return result
    return make


def promised(workload, arguments, results):
    """Which positions of [batch, position, ...] are promised; None: all."""
    if workload.lengths is None:
        return None
    dtype, _, raw = arguments[workload.lengths]
    size = runtime.SIZES[dtype]
    lengths = [int.from_bytes(raw[at:at + size], "little") for at in range(0, len(raw), size)]
    return [position < length for length in lengths for position in range(results[0][1][1])]


def check_all(target, workloads, make, failures):
    """Relative errors against the dense programs. What cannot be run, or is wrong, becomes a failure and is not run again."""
    errors = {}
    for name in list(workloads):
        workload = workloads[name]
        try:
            program = target.prepare(name)
            kept = promised(workload, make(program.call.entry, name), program.call.results)
            errors[name] = target.check(name, kept)
            if not errors[name] <= workload.relative:
                raise RuntimeError(f"relative error {errors[name]} against the dense program")
        except (RuntimeError, OSError) as error:
            failures.append(f"{name}: {error}")
            del workloads[name]
    return errors


def run(options, target, workloads, clock, end, failures):
    """Reruns of each workload in each mode, and what was seen of memory."""
    dice, counts = random.Random(options.seed), {name: dict.fromkeys(target.MODES, 0) for name in workloads}
    failed, planted = set(), False

    def segment(name, mode, *limits):
        try:
            counts[name][mode] += target.segment(name, mode, *limits)
        except RuntimeError as error:
            failed.add(name)
            failures.append(f"{name}, {mode}: {error}")

    # Each in each mode, so that all that is allocated once is there.
    target.settle()
    for name in workloads:
        for mode in target.MODES:
            if name not in failed:
                segment(name, mode, 5, 5, clock, None)
    memory, pairs = Memory(target, clock), []
    while clock() < end and len(failed) < len(workloads):
        if not pairs:
            pairs = [(name, mode) for name in workloads for mode in target.MODES]
            dice.shuffle(pairs)
        name, mode = pairs.pop()
        if name in failed:
            continue
        # Once, and where each segment comes by.
        fault_at = 2 if options.fault == name and not planted and mode == target.MODES[0] else None
        planted |= fault_at is not None
        segment(name, mode, options.segment, options.segment_seconds, clock, fault_at)
        if (options.fault or "").startswith("leak"):
            target.leak(options.fault)
        memory.look()
    return counts, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--target", choices=list(programs.TARGETS), default="cuda")
    parser.add_argument("--seconds", type=float, default=540, help="all of it, from the start of the program on")
    parser.add_argument("--minutes", type=float, help="instead of --seconds")
    parser.add_argument("--reruns", type=int, default=10000, help="what each workload has to reach")
    parser.add_argument("--segment", type=int, default=250, help="reruns of one workload at a time")
    parser.add_argument("--segment-seconds", type=float, default=1)
    parser.add_argument("--growth", type=int, default=4096, help="KiB by which this process may grow")
    parser.add_argument("--fault", metavar="NAME", help="a workload, leak-host or leak-device")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--commit", default="")
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    options.limit = options.minutes * 60 if options.minutes else options.seconds
    clock = time.monotonic
    begin = clock()
    workloads = {name: workload for name, workload in programs.TARGETS[options.target]().items() if not options.only or name in options.only}
    if not workloads or (options.fault and options.fault not in (*workloads, "leak-host", "leak-device")):
        sys.exit(f"no such workload; there are {', '.join(programs.TARGETS[options.target]())}")
    if options.target == "cuda":
        from device import Device as Target
    else:
        from host import Host as Target
    make = make_arguments(workloads, options.seed)
    target, failures, entries = Target(options.folder, make), [], {}
    errors = check_all(target, workloads, make, failures)
    print(f"{len(workloads)} workloads agree with their dense programs, after {clock() - begin:.0f} s", *failures, sep="\n", flush=True)
    counts, memory = run(options, target, workloads, clock, begin + options.limit, failures)
    for name in workloads:
        try:
            differ = dict(zip(target.REGIONS, target.differ(name)))
            last, first = target.finish(name)
        except RuntimeError as error:
            failures.append(f"{name}: {error}")
            continue
        reruns = sum(counts[name].values())
        entries[name] = {"reruns": reruns, "modes": counts[name], "differ": differ, "error": errors[name], "sha256": first}
        if last != first or any(differ[region] for region in target.REGIONS if region != "temporaries"):
            failures.append(f"{name}: other bits in {differ} of {reruns} reruns, sha256 {first} and {last}")
        if reruns < options.reruns:
            failures.append(f"{name}: {reruns} reruns, {options.reruns} were asked for")
        print(f"{name}: {reruns} reruns, {differ} differ, {first[:12]}", flush=True)
    target.close()
    if not entries:
        failures.append("nothing was run")
    failures += memory.failures(options.growth) if memory.first else ["no memory was measured"]
    result = {"schema": "pit-endurance", "version": 1, "target": options.target, "device": target.device, "commit": options.commit,
              "seconds": round(clock() - begin), "failures": failures, "workloads": entries,
              "memory": memory.describe() if memory.first else None}
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")
    print(f"{sum(entry['reruns'] for entry in entries.values())} reruns in {result['seconds']} s", *failures, sep="\n", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
