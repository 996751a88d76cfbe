#!/usr/bin/env python3
# ===- bench.py - Experts on several GPUs of one host -----------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Layers of experts on several GPUs, a process for each, against our own single GPU and torch's layer.

    bench.py --compile OUT [--bin BUILD/bin] [--ranks 2,4]       needs pit-compile, no device
    bench.py --run OUT --json RESULTS.json [--ranks 2]           needs torch and so many devices
    bench.py --run OUT --ranks 2 --failures                      a killed rank and a late one, on devices

Results are compared with those of one GPU to the bit before anything is timed; what differs gets no time. Times are
of one call after the L2 caches were overwritten and the ranks' streams met; of each call that of the slowest rank, and
the median of calls. `ms` is a graph where that is possible. `phases` are the parts of one call: pushes of rows to
all ranks, barriers, and calls, in order. All figures of a file are of one run.
"""

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "python")]

import layers  # noqa: E402


def selected(options):
    return {name: layer for name, layer in layers.CASES.items() if not options.only or name in options.only}


def compile_cases(options):
    os.makedirs(options.compile, exist_ok=True)
    bin_folder = options.bin or os.path.join(HERE, "..", "..", "build", "bin")
    shutil.copyfile(os.path.join(bin_folder, "..", "lib", "libpit_runtime.so.0"), os.path.join(options.compile, "libpit_runtime.so.0"))
    failed = 0
    for name, layer in selected(options).items():
        source = os.path.join(options.compile, name + ".mlir")
        with open(source, "w", encoding="utf-8") as file:
            file.write(layer.text())
        for ranks in [1] + options.ranks:
            command = [os.path.join(bin_folder, "pit-compile"), source, "--chip", "sm_90a", "-o", os.path.join(options.compile, f"{name}-{ranks}.so")]
            if ranks > 1:
                command.append(f"--pipeline-options=shard-experts={ranks}")
            done = subprocess.run(command, capture_output=True, text=True)
            failed += done.returncode != 0
            print(f"{name}, {ranks} ranks: {'compiled' if done.returncode == 0 else done.stderr.strip()[:300]}", flush=True)
    return 1 if failed else 0


# ===----------------------------------------------------------------------===#
# A rank
# ===----------------------------------------------------------------------===#


class Ranks:
    """What the processes of a run share: torch's group for times and peers, and our communicator."""

    def __init__(self, rank, ranks, port, limit):
        import torch
        import torch.distributed as dist

        from pit_mlir import parallel

        torch.cuda.set_device(rank)
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank), WORLD_SIZE=str(ranks), LOCAL_RANK=str(rank))
        dist.init_process_group("nccl", rank=rank, world_size=ranks, device_id=torch.device("cuda", rank))
        self.rank, self.ranks, self.torch, self.dist = rank, ranks, torch, dist
        self.comm = parallel.Communicator.from_environment(limit)
        self.flush = torch.empty(1 << 28, dtype=torch.uint8, device="cuda")
        self.meeting = torch.zeros(1, device="cuda")
        self.stream = torch.cuda.Stream()

    def say(self, text):
        if self.rank == 0:
            print(text, flush=True)

    def slowest(self, times):
        """Of each call the time of the slowest rank."""
        values = self.torch.tensor(times, device="cuda", dtype=self.torch.float64)
        self.dist.all_reduce(values, op=self.dist.ReduceOp.MAX)
        return values.tolist()

    def time(self, call, repeat):
        torch, times = self.torch, []
        for _ in range(repeat):
            self.flush.zero_()
            self.dist.all_reduce(self.meeting)
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            call()
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end))
        return statistics.median(self.slowest(times))

    def capture(self, call):
        torch = self.torch
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=torch.cuda.current_stream(), capture_error_mode="thread_local"):
            call()
        graph.replay()
        torch.cuda.synchronize()
        return graph


def time_phases(ranks, step, repeat):
    """Milliseconds of each step of a run, of the slowest rank."""
    torch, comm = ranks.torch, ranks.comm
    stream = torch.cuda.current_stream().cuda_stream
    steps, names = step._steps, []
    for kind, what in steps:
        names.append(f"{kind} {what[2] / 2**20:.1f} MiB" if kind == "gather" else f"barrier {what}" if kind == "barrier" else "share" if kind == "share" else what[1].name)
    times = [[] for _ in steps]
    for _ in range(repeat):
        ranks.flush.zero_()
        ranks.dist.all_reduce(ranks.meeting)
        marks = [torch.cuda.Event(enable_timing=True) for _ in range(len(steps) + 1)]
        marks[0].record()
        for i, one in enumerate(steps):
            step._steps = [one]
            step.run(stream)
            marks[i + 1].record()
        comm.check(stream)
        for i in range(len(steps)):
            times[i].append(marks[i].elapsed_time(marks[i + 1]))
    step._steps = steps
    return {f"{i} {name}": round(statistics.median(ranks.slowest(values)), 4) for i, (name, values) in enumerate(zip(names, times))}


def run_case(ranks, name, layer, options):
    import pit_mlir
    from pit_mlir import parallel

    torch, comm = ranks.torch, ranks.comm
    inputs, route = layer.inputs("cuda")
    part = layer.part(inputs, ranks.rank, ranks.ranks)
    alone = pit_mlir.load(os.path.join(options.run, f"{name}-1.so"))
    expected = alone(*inputs)
    alone.check(torch.cuda.current_stream().cuda_stream)
    program = pit_mlir.load(os.path.join(options.run, f"{name}-{ranks.ranks}.so"))
    found = torch.empty_like(part[0])
    step = parallel.Step(program, comm, part, out=[found])
    stream = lambda: torch.cuda.current_stream().cuda_stream  # noqa: E731
    call = lambda: step.run(stream())  # noqa: E731
    call()
    comm.check(stream())
    mine = expected.chunk(ranks.ranks)[ranks.rank]
    differ = int((found.view(torch.int16) != mine.view(torch.int16)).sum())
    first = found.clone()
    entry = {"case": name, "ranks": ranks.ranks, "tokens": layer.tokens, "peers": {}}
    graph = None
    try:
        graph = ranks.capture(call)
        comm.check(stream())
    except Exception as error:  # It raises what its parts raise.
        entry["no_graph"] = f"{type(error).__name__}: {error}"[:200]
    again = graph.replay if graph else call
    for _ in range(options.reruns):
        again()
        comm.check(stream())
        differ += int(not torch.equal(found.view(torch.int16), first.view(torch.int16)))
    differ = int(sum(ranks.slowest([differ])))
    if differ:
        ranks.say(f"{name}: WRONG: bits differ from those of one GPU, or of the first run: {differ}")
        return None
    entry["reruns"] = options.reruns
    entry["launched_ms"] = round(ranks.time(call, options.repeat), 4)
    entry["ms"] = round(ranks.time(again, options.repeat), 4)
    entry["phases"] = time_phases(ranks, step, options.repeat)
    # One GPU alone, while the other one does nothing.
    single = 0.0
    if ranks.rank == 0:
        place = torch.empty_like(expected)
        graph_alone = ranks.capture(lambda: alone(*inputs, out=[place]))
        values = []
        for _ in range(options.repeat):
            ranks.flush.zero_()
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graph_alone.replay()
            end.record()
            torch.cuda.synchronize()
            values.append(begin.elapsed_time(end))
        single = statistics.median(values)
    ranks.dist.barrier()
    entry["peers"]["one-gpu"] = {"ms": round(ranks.slowest([single])[0], 4)}
    try:
        theirs = layers.TorchExperts(layer, part, route, ranks.rank, ranks.ranks)
        error = float((theirs().float() - mine.float()).norm() / mine.float().norm())
        entry["peers"]["torch"] = {"ms": round(ranks.time(theirs, options.repeat), 4), "error": error}
    except Exception as error:
        entry["peers"]["torch"] = {"missing": f"{type(error).__name__}: {error}"[:200]}
    return entry


def run_transport(ranks, options):
    """Pushing to all ranks, against NCCL's all_gather of the same bytes."""
    torch, comm, cases = ranks.torch, ranks.comm, []
    stream = torch.cuda.current_stream().cuda_stream
    # Other channels than those of steps.
    turn = [0]
    for mebibytes in (8, 64, 256):
        size = mebibytes << 20
        piece = torch.full((size,), ranks.rank + 1, dtype=torch.uint8, device="cuda")
        buffer = comm.buffer(size * ranks.ranks)

        def push():
            comm.gather(buffer, 0, piece.data_ptr(), size, stream)
            comm.barrier(3 + turn[0] % 2, stream)
            turn[0] += 1

        gathered = torch.empty(size * ranks.ranks, dtype=torch.uint8, device="cuda")
        push()
        comm.check(stream)
        ours = ranks.time(push, options.repeat)
        theirs = ranks.time(lambda: ranks.dist.all_gather_into_tensor(gathered, piece), options.repeat)
        rate = lambda ms: round(size * (ranks.ranks - 1) / ms / 1e6, 1)  # noqa: E731
        cases.append({"case": f"push-{mebibytes}-mib", "ranks": ranks.ranks, "ms": ours, "gb_s": rate(ours),
                      "peers": {"nccl-all-gather": {"ms": theirs, "gb_s": rate(theirs)}}})
        ranks.say(f"push of {mebibytes} MiB: {rate(ours)} GB/s, NCCL {rate(theirs)} GB/s")
    return cases


def run_rank(rank, count, port, options):
    ranks = Ranks(rank, count, port, options.limit)
    torch = ranks.torch
    found = {"device": f"{count} x {torch.cuda.get_device_name()}", "torch": torch.__version__, "cases": []}
    wrong = 0
    with torch.cuda.stream(ranks.stream):
        found["cases"] += run_transport(ranks, options)
        for name, layer in selected(options).items():
            entry = run_case(ranks, name, layer, options)
            torch.cuda.empty_cache()
            if entry is None:
                wrong += 1
                continue
            found["cases"].append(entry)
            peers = ", ".join(f"{p} {r['ms']:.3f} ({r['ms'] / entry['ms']:.2f}x)" if "ms" in r else f"{p}: {r['missing']}" for p, r in entry["peers"].items())
            ranks.say(f"{name}: {entry['ms']:.3f} ms; {peers}")
            ranks.say(f"  {entry['phases']}")
            if rank == 0 and options.json:
                with open(options.json, "w", encoding="utf-8") as file:
                    json.dump(found, file, indent=1)
                    file.write("\n")
    ranks.comm.close()
    ranks.dist.destroy_process_group()
    sys.exit(1 if wrong else 0)


# ===----------------------------------------------------------------------===#
# Failures
# ===----------------------------------------------------------------------===#


def fail_rank(rank, count, port, options, kind):
    """Rank 1 is killed, or stops; the others must say so within the limit, and get back their memory."""
    import torch

    import pit_mlir
    from pit_mlir import parallel

    torch.cuda.set_device(rank)
    torch.zeros(1, device="cuda")
    layer = layers.CASES["small"]
    inputs, _ = layer.inputs("cuda")
    torch.cuda.synchronize()
    program = pit_mlir.load(os.path.join(options.run, f"small-{count}.so"))
    with_memory = torch.cuda.mem_get_info()[0]
    comm = parallel.Communicator(rank, count, f"{kind} {port}", limit=options.limit, device=rank)
    step = parallel.Step(program, comm, layer.part(inputs, rank, count))
    stream = torch.cuda.Stream()
    try:
        for number in range(1 << 30):
            if rank == 1 and number == 200:
                os.kill(os.getpid(), signal.SIGKILL if kind == "killed" else signal.SIGSTOP)
            began = time.monotonic()
            step.run(stream.cuda_stream)
            comm.check(stream.cuda_stream)
    except pit_mlir.Error as error:
        spent = time.monotonic() - began
        del step
        comm.close()
        lost = (with_memory - torch.cuda.mem_get_info()[0]) / 2**20
        print(f"{kind}: rank {rank} after {spent:.3f} s of {options.limit:g}: {error}; {lost:.0f} MiB less than before", flush=True)
        sys.exit(0 if spent < 2 * options.limit + 1 else 3)
    sys.exit(4)


def run_failures(count, options, spawn):
    wrong = 0
    for kind in ("killed", "stopped"):
        processes = spawn(fail_rank, kind)
        for rank, process in enumerate(processes):
            if rank == 1:
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compile", metavar="OUT")
    parser.add_argument("--run", metavar="OUT")
    parser.add_argument("--bin", help="where pit-compile is")
    parser.add_argument("--json")
    parser.add_argument("--only", action="append", help="a case; all by default")
    parser.add_argument("--ranks", type=lambda text: [int(number) for number in text.split(",")], default=[2])
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--reruns", type=int, default=20, help="calls whose results must be the same bits")
    parser.add_argument("--limit", type=float, default=20.0, help="the communicator's, in seconds")
    parser.add_argument("--failures", action="store_true")
    options = parser.parse_args()
    if bool(options.compile) == bool(options.run):
        parser.error("expected --compile or --run")
    if options.compile:
        return compile_cases(options)
    os.environ.setdefault("PIT_MLIR_RUNTIME", os.path.join(os.path.abspath(options.run), "libpit_runtime.so.0"))
    import torch.multiprocessing as multiprocessing

    context, count, port = multiprocessing.get_context("spawn"), options.ranks[0], 29000 + os.getpid() % 1000

    def spawn(function, *more):
        processes = [context.Process(target=function, args=(rank, count, port, options, *more)) for rank in range(count)]
        for process in processes:
            process.start()
        return processes

    if options.failures:
        return 1 if run_failures(count, options, spawn) else 0
    processes = spawn(run_rank)
    for process in processes:
        process.join()
    return 1 if any(process.exitcode for process in processes) else 0


if __name__ == "__main__":
    sys.exit(main())
