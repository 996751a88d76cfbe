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
    bench.py --run OUT --ranks 2 --failures                      ranks that end, are killed or stop, see failures.py

Results are compared with those of one GPU before anything is timed; what differs gets no time. With the form `rows` of
sums the bits have to be the same, with `partial` and `rounded` the error against f32 may be the half larger. All calls have
to have the same bits. Times are of one call after the L2 caches were overwritten and the ranks' streams met; of each call that of the slowest rank, and
the median of calls. `ms` is a graph where that is possible. `phases` are the parts of one call without a graph, one after
the other: pushes of rows to all ranks, barriers, and calls. All figures of a file are of one run.
"""

import argparse
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "python")]

import failures  # noqa: E402
import layers  # noqa: E402

# The least of the ports that ranks meet at.
PORT = 29000


def selected(options):
    return {name: layer for name, layer in layers.CASES.items() if not options.only or name in options.only}


def file_of(folder, name, ranks, sums="rows"):
    return os.path.join(folder, f"{name}-{ranks}-{sums}.so" if ranks > 1 else f"{name}-1.so")


def compile_programs(options, programs):
    """Compiles each of `programs`, (name, text, forms), for one rank and each number of ranks in each form: `forms` are pairs of a form's name and the
    pipeline's options that it needs. Returns 1 if one failed, else 0."""
    os.makedirs(options.compile, exist_ok=True)
    folder = options.bin or os.path.join(HERE, "..", "..", "build", "bin")
    shutil.copyfile(os.path.join(folder, "..", "lib", "libpit_runtime.so.0"), os.path.join(options.compile, "libpit_runtime.so.0"))
    failed = 0
    for name, text, forms in programs:
        source = os.path.join(options.compile, name + ".mlir")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        for ranks, form, more in [(1, "", "")] + [(ranks, *form) for ranks in options.ranks for form in forms]:
            command = [os.path.join(folder, "pit-compile"), source, "--chip", "sm_90a", "-o", file_of(options.compile, name, ranks, form)]
            if ranks > 1:
                command.append(f"--pipeline-options=shard-experts={ranks} {more}")
            done = subprocess.run(command, capture_output=True, text=True)
            failed += done.returncode != 0
            print(f"{name}, {ranks} ranks {form}: {'compiled' if done.returncode == 0 else done.stderr.strip()[:300]}", flush=True)
    return 1 if failed else 0


def compile_cases(options):
    forms = [(sums, f"shard-sums={sums}") for sums in options.sums]
    return compile_programs(options, ((name, layer.text(), forms) for name, layer in selected(options).items()))


# ===----------------------------------------------------------------------===#
# A rank
# ===----------------------------------------------------------------------===#


class Ranks:
    """What the processes of a run share: torch's group for times and peers, and our communicator. With fewer devices than ranks these
    share them: results are what they are otherwise, times are not, and there is no NCCL."""

    def __init__(self, rank, ranks, port, limit):
        import torch
        import torch.distributed as dist

        from pit_mlir import parallel

        device = rank % torch.cuda.device_count()
        torch.cuda.set_device(device)
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank), WORLD_SIZE=str(ranks), LOCAL_RANK=str(device))
        self.is_simulation = torch.cuda.device_count() < ranks
        if self.is_simulation:
            dist.init_process_group("gloo", rank=rank, world_size=ranks)
        else:
            dist.init_process_group("nccl", rank=rank, world_size=ranks, device_id=torch.device("cuda", device))
        self.rank, self.ranks, self.torch, self.dist = rank, ranks, torch, dist
        self.comm = parallel.Communicator.from_environment(limit)
        self.flush = torch.empty(1 << 28, dtype=torch.uint8, device="cuda")
        self.meeting = torch.zeros(1, device="cpu" if self.is_simulation else "cuda")
        self.stream = torch.cuda.Stream()

    def say(self, text):
        if self.rank == 0:
            print(text, flush=True)

    def device_name(self):
        name = self.torch.cuda.get_device_name()
        return f"{name}, shared by {self.ranks} ranks" if self.is_simulation else f"{self.ranks} x {name}"

    def slowest(self, times):
        """Of each call the time of the slowest rank."""
        values = self.torch.tensor(times, device=self.meeting.device, dtype=self.torch.float64)
        self.dist.all_reduce(values, op=self.dist.ReduceOp.MAX)
        return values.tolist()

    def empty_caches(self):
        """For so long that the host has launched what is timed by then."""
        for _ in range(4):
            self.flush.zero_()

    def time(self, call, repeat):
        torch, times = self.torch, []
        for _ in range(repeat):
            self.empty_caches()
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


def name_of(kind, what):
    if kind == "gather":
        return f"gather {what[2] / 2**20:.1f} MiB"
    if kind == "push":
        return f"push {what[3] / 2**20:.1f} MiB"
    if kind == "call":
        return what[1].name
    return f"barrier {what}" if kind == "barrier" else kind


def time_phases(ranks, step, repeat):
    """Milliseconds of each step of a run, of the slowest rank. What is pushed beside has its turn, too."""
    torch, comm = ranks.torch, ranks.comm
    stream = torch.cuda.current_stream().cuda_stream
    steps = step._steps
    alone = [(kind, what, False) for kind, what, _ in steps if kind not in ("fork", "join", "join own")]
    times = [[] for _ in alone]
    for _ in range(repeat):
        ranks.empty_caches()
        ranks.dist.all_reduce(ranks.meeting)
        marks = [torch.cuda.Event(enable_timing=True) for _ in range(len(alone) + 1)]
        marks[0].record()
        for i, one in enumerate(alone):
            step._steps = [one]
            step.run(stream)
            marks[i + 1].record()
        comm.check(stream)
        for i in range(len(alone)):
            times[i].append(marks[i].elapsed_time(marks[i + 1]))
    step._steps = steps
    names = [name_of(kind, what) for kind, what, _ in alone]
    return {f"{i} {name}": round(statistics.median(ranks.slowest(values)), 4) for i, (name, values) in enumerate(zip(names, times))}


def time_graph(ranks, graph, repeat):
    """Milliseconds of a graph on this GPU alone."""
    torch, values = ranks.torch, []
    for _ in range(repeat):
        ranks.empty_caches()
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        values.append(begin.elapsed_time(end))
    return statistics.median(values)


def time_alone(ranks, alone, inputs, expected, repeat):
    """One GPU alone, while the other ones do nothing."""
    torch, single = ranks.torch, 0.0
    if ranks.rank == 0:
        place = torch.empty_like(expected)
        single = time_graph(ranks, ranks.capture(lambda: alone(*inputs, out=[place])), repeat)
    ranks.dist.barrier()
    return round(ranks.slowest([single])[0], 4)


def run_case(ranks, name, layer, options):
    """Entries of the results for each form of sums; none for what is wrong."""
    import pit_mlir

    torch, entries, peers = ranks.torch, [], {}
    inputs, route = layer.inputs("cuda")
    part = layer.part(inputs, ranks.rank, ranks.ranks)
    alone = pit_mlir.load(file_of(options.run, name, 1))
    expected = alone(*inputs)
    alone.check(torch.cuda.current_stream().cuda_stream)
    mine = expected.chunk(ranks.ranks)[ranks.rank]
    exact = layer.reference(inputs, route, ranks.rank, ranks.ranks)
    error = lambda value: float((value.float() - exact).norm() / exact.norm())  # noqa: E731
    errors = {"one-gpu": error(mine)}
    for sums in options.sums:
        program = pit_mlir.load(file_of(options.run, name, ranks.ranks, sums))
        entry = run_form(ranks, name, layer, options, sums, program, part, mine, error)
        entries.append(entry)
    peers["one-gpu"] = {"ms": time_alone(ranks, alone, inputs, expected, options.repeat), "error": errors["one-gpu"]}
    try:
        theirs = layers.TorchExperts(layer, part, route, ranks.rank, ranks.ranks)
        peers["torch"] = {"error": error(theirs()), "ms": round(ranks.time(theirs, options.repeat), 4)}
    except Exception as failure:
        peers["torch"] = {"missing": f"{type(failure).__name__}: {failure}"[:200]}
    for entry in filter(None, entries):
        entry["peers"] = peers
    return entries


def run_form(ranks, name, layer, options, sums, program, part, mine, error):
    from pit_mlir import parallel

    torch, comm = ranks.torch, ranks.comm
    found = torch.empty_like(part[0])
    step = parallel.Step(program, comm, part, out=[found])
    stream = lambda: torch.cuda.current_stream().cuda_stream  # noqa: E731
    call = lambda: step.run(stream())  # noqa: E731
    call()
    comm.check(stream())
    if sums == "rows":
        differ = int((found.view(torch.int16) != mine.view(torch.int16)).sum())
    else:
        differ = int(not error(found) <= 1.5 * error(mine))
    first = found.clone()
    title = name if sums == "rows" else f"{name}-{sums}"
    entry = {"case": title, "ranks": ranks.ranks, "tokens": layer.tokens, "sums": sums, "error": error(found)}
    graph = None
    try:
        graph = ranks.capture(call)
        comm.check(stream())
    except Exception as failure:  # It raises what its parts raise.
        entry["no_graph"] = f"{type(failure).__name__}: {failure}"[:200]
    again = graph.replay if graph else call
    for _ in range(options.reruns):
        found.fill_(float("nan"))
        again()
        comm.check(stream())
        differ += int(not torch.equal(found.view(torch.int16), first.view(torch.int16)))
    differ = int(sum(ranks.slowest([differ])))
    if differ:
        ranks.say(f"{title}: WRONG: differs from one GPU, or from the first run: {differ}, error {error(found):.2e}")
        return None
    entry["reruns"] = options.reruns
    entry["launched_ms"] = round(ranks.time(call, options.repeat), 4)
    entry["ms"] = round(ranks.time(again, options.repeat), 4)
    entry["phases"] = time_phases(ranks, step, options.repeat)
    return entry


def run_transport(ranks, options):
    """Pushing to all ranks, against NCCL's all_gather of the same bytes."""
    torch, comm, cases = ranks.torch, ranks.comm, []
    stream = torch.cuda.current_stream().cuda_stream
    for mebibytes in (8, 64, 256):
        size = mebibytes << 20
        piece = torch.full((size,), ranks.rank + 1, dtype=torch.uint8, device="cuda")
        buffer = comm.buffer(size * ranks.ranks)

        # Other channels than those of steps, and not the same one twice.
        def push(channel):
            comm.gather(buffer, 0, piece.data_ptr(), size, stream)
            comm.barrier(channel, stream)

        graphs = [ranks.capture(lambda channel=channel: push(channel)) for channel in (14, 15)]
        comm.check(stream)
        turns = itertools.cycle(graphs)
        gathered = torch.empty(size * ranks.ranks, dtype=torch.uint8, device="cuda")
        ours = ranks.time(lambda: next(turns).replay(), options.repeat)
        theirs = ranks.time(lambda: ranks.dist.all_gather_into_tensor(gathered, piece), options.repeat)
        rate = lambda ms: round(size * (ranks.ranks - 1) / ms / 1e6, 1)  # noqa: E731
        cases.append({"case": f"push-{mebibytes}-mib", "ranks": ranks.ranks, "ms": ours, "gb_s": rate(ours),
                      "peers": {"nccl-all-gather": {"ms": theirs, "gb_s": rate(theirs)}}})
        ranks.say(f"push of {mebibytes} MiB: {rate(ours)} GB/s, NCCL {rate(theirs)} GB/s")
    return cases


def run_rank(rank, count, port, options):
    ranks = Ranks(rank, count, port, options.limit)
    torch = ranks.torch
    found = {"device": ranks.device_name(), "torch": torch.__version__, "cases": []}
    wrong = 0
    with torch.cuda.stream(ranks.stream):
        if not ranks.is_simulation:
            found["cases"] += run_transport(ranks, options)
        for name, layer in selected(options).items():
            entries = run_case(ranks, name, layer, options)
            torch.cuda.empty_cache()
            wrong += entries.count(None)
            for entry in filter(None, entries):
                found["cases"].append(entry)
                peers = ", ".join(f"{p} {r['ms']:.3f} ({r['ms'] / entry['ms']:.2f}x)" if "ms" in r else f"{p}: {r['missing']}" for p, r in entry["peers"].items())
                ranks.say(f"{entry['case']}: {entry['ms']:.3f} ms, error {entry['error']:.2e}; {peers}")
                ranks.say(f"  {entry['phases']}")
            write_results(found, ranks, options)
    end(ranks, wrong)


def write_results(found, ranks, options):
    """What was found so far, by the first rank."""
    if ranks.rank == 0 and options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")


def end(ranks, wrong):
    """Ends a rank's process, with 1 if a result was wrong."""
    ranks.comm.close()
    ranks.dist.destroy_process_group()
    sys.exit(1 if wrong else 0)


def add_arguments(parser):
    """Options of all benchmarks of several ranks."""
    parser.add_argument("--compile", metavar="OUT")
    parser.add_argument("--run", metavar="OUT")
    parser.add_argument("--bin", help="where pit-compile is")
    parser.add_argument("--json")
    parser.add_argument("--only", action="append", help="a case; all by default")
    parser.add_argument("--ranks", type=lambda text: [int(number) for number in text.split(",")], default=[2])
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--reruns", type=int, default=20, help="calls whose results must be the same bits")
    parser.add_argument("--limit", type=float, default=20.0, help="the communicator's, in seconds")


def spawn(function, options, port, *more):
    """A process for each rank, which calls `function(rank, ranks, port, options, *more)`; ports are `port` and up to 999 above."""
    os.environ.setdefault("PIT_MLIR_RUNTIME", os.path.join(os.path.abspath(options.run), "libpit_runtime.so.0"))
    import torch.multiprocessing as multiprocessing

    context, count = multiprocessing.get_context("spawn"), options.ranks[0]
    port += os.getpid() % 1000
    processes = [context.Process(target=function, args=(rank, count, port, options, *more)) for rank in range(count)]
    for process in processes:
        process.start()
    return processes


def wait(processes):
    """1 if one of them failed, else 0."""
    for process in processes:
        process.join()
    return 1 if any(process.exitcode for process in processes) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--sums", type=lambda text: text.split(","), default=["rows", "partial", "rounded"])
    parser.add_argument("--failures", action="store_true")
    options = parser.parse_args()
    if bool(options.compile) == bool(options.run):
        parser.error("expected --compile or --run")
    if options.compile:
        return compile_cases(options)
    if options.failures:
        return 1 if failures.run(options, lambda function, *more: spawn(function, options, PORT, *more)) else 0
    return wait(spawn(run_rank, options, PORT))


if __name__ == "__main__":
    sys.exit(main())
