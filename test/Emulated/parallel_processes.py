#!/usr/bin/env python3
# ===- parallel_processes.py - Experts on ranks that are processes ----------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Starts a process for each rank as torchrun does. All is well, or one of them is killed, or raises an exception; the
others must say so long before the limit."""
import os
import signal
import subprocess
import sys
import time

import numpy as np
import parallel as layer

import pit_mlir
from pit_mlir import parallel

RANKS, LIMIT = 3, 60


def rank_main(kind):
    rank, random = int(os.environ["RANK"]), np.random.default_rng(7)
    e, w, h = layer.EXPERTS, layer.WIDTH, layer.HIDDEN
    text = layer.build_moe.write_program(layer.build_moe.Experts(e, 2, w, h, "swiglu"))
    weights = [layer.bf16(random.normal(size=shape) * 0.1) for shape in [(e, w, h), (e, w, h), (e, h, w)]]
    inputs = [layer.bf16(random.normal(size=(layer.TOKENS, w))), layer.gates("uniform", 2), *weights]
    expected = pit_mlir.compile(text, "cuda:sm_90a")(*inputs)
    program = pit_mlir.compile(text, "cuda:sm_90a", pipeline=f"shard-experts={RANKS}")
    began = time.monotonic()
    try:
        with parallel.Communicator.from_environment(limit=LIMIT) as comm:
            part = [layer.part_of(a, s, rank, RANKS) for a, s in zip(inputs, program.phases[0]["inputs"])]
            place = layer.OnDevice(comm.context, layer.Spec(part[0]), np.zeros_like(part[0]))
            step = parallel.Step(program, comm, [layer.OnDevice(comm.context, layer.Spec(a), a) for a in part], out=[place])
            for number in range(6):
                if rank == 1 and number == 3 and kind == "killed":
                    os.kill(os.getpid(), signal.SIGKILL)
                if rank == 1 and number == 3 and kind == "raises":
                    raise ValueError("no more data")
                step.run()
                comm.check()
            same = place.memory.numpy().tobytes() == layer.part_of(expected, "rows 0", rank, RANKS).tobytes()
            print("the bits of one" if same else "other bits")
    except (pit_mlir.Error, ValueError) as error:
        soon = "soon" if time.monotonic() - began < LIMIT else "late"
        print(f"{soon}: {type(error).__name__}: {error}")


def main():
    for kind in ("fine", "killed", "raises"):
        ranks = []
        for rank in range(RANKS):
            environment = dict(os.environ, RANK=str(rank), WORLD_SIZE=str(RANKS), MASTER_ADDR="here", MASTER_PORT=f"{os.getpid()}-{kind}")
            ranks.append(subprocess.Popen([sys.executable, __file__, kind], env=environment, stdout=subprocess.PIPE, text=True))
        for rank, process in enumerate(ranks):
            said = process.communicate(timeout=300)[0].strip()
            print(f"{kind}, rank {rank}: {said or f'exit code {process.returncode}'}", flush=True)


if __name__ == "__main__":
    sys.exit(rank_main(sys.argv[1]) if len(sys.argv) > 1 else main())
