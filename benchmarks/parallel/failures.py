# ===- failures.py - What a rank's end costs the others ---------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Rank 1 leaves, is killed, or stops. The others must say so within the limit, and get back their memory.

Memory is the device's, free before the communicator and after it was closed. What CUDA takes at the first use of a
kernel, a stream or a peer stays for as long as its context, so the same is done again: the second time must cost nothing.
A rank that is killed or stopped may keep its mappings of buffers for a while.
"""

import os
import signal
import sys
import time

import layers

KINDS = ("leaves", "killed", "stopped")
RUNS = 200
# MiB of the buffers of the layer: signals, gate, rows, results.
BUFFERS = 8


def use(rank, count, options, name, program, parts, kind):
    """Runs until rank 1 ends as `kind` says. Returns the seconds that the last run took, and the error."""
    import torch

    import pit_mlir
    from pit_mlir import parallel

    comm = parallel.Communicator(rank, count, name, limit=options.limit, device=rank % torch.cuda.device_count())
    step = parallel.Step(program, comm, parts)
    stream = torch.cuda.Stream()
    began, error = time.monotonic(), None
    try:
        for number in range(RUNS if kind == "leaves" else 1 << 30):
            if rank == 1 and number == RUNS:
                os.kill(os.getpid(), signal.SIGKILL if kind == "killed" else signal.SIGSTOP)
            began = time.monotonic()
            step.run(stream.cuda_stream)
            comm.check(stream.cuda_stream)
    except pit_mlir.Error as raised:
        error = str(raised)
    spent = time.monotonic() - began
    del step
    comm.close()
    return spent, error


def run_rank(rank, count, port, options, kind):
    import torch

    import pit_mlir

    torch.cuda.set_device(rank)
    layer = layers.CASES["small"]
    inputs, _ = layer.inputs("cuda")
    parts = layer.part(inputs, rank, count)
    torch.cuda.synchronize()
    program = pit_mlir.load(os.path.join(options.run, f"small-{count}-{options.sums[0]}.so"))
    free = lambda: torch.cuda.mem_get_info()[0] / 2**20  # noqa: E731
    before, lost = free(), []
    # A rank that is killed cannot come again: the others go on with those that leave.
    for turn, what in enumerate(("leaves", "leaves", kind)):
        spent, error = use(rank, count, options, f"{kind} {port} {turn}", program, parts, what)
        lost.append(round(before - free(), 1))
    print(f"{kind}: rank {rank} after {spent:.3f} s of {options.limit:g}: {error}; MiB less after each of 3 communicators: {lost}", flush=True)
    in_time = spent < 2 * options.limit + 1
    kept = 0 if kind == "leaves" else BUFFERS
    is_right = in_time and (error is None) == (kind == "leaves") and lost[1] <= lost[0] and lost[2] <= lost[0] + kept
    sys.exit(0 if is_right else 3)


def run(options, spawn):
    """How many ranks were wrong. `spawn` starts the processes of all ranks."""
    wrong = 0
    for kind in KINDS:
        processes = spawn(run_rank, kind)
        for rank, process in enumerate(processes):
            if rank == 1 and kind != "leaves":
                continue
            process.join(60 + 4 * options.limit)
            wrong += process.exitcode != 0
        if processes[1].is_alive():
            os.kill(processes[1].pid, signal.SIGCONT)
            processes[1].join(30 + 4 * options.limit)
        for process in processes:
            if process.is_alive():
                wrong += 1
                process.kill()
    return wrong
