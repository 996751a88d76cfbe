#!/usr/bin/env python3
# ===- hugging_face.py - Models of transformers through torch.compile -------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Models of Hugging Face's transformers, as they are, through torch.compile(backend="pit").

    hugging_face.py --json RESULTS.json [--only CASE] [--repeat N] [--threads N]
    hugging_face.py --compile OUT --device cuda [--target cuda:sm_90a]      needs torch-mlir and pit-compile, no device
    PIT_MLIR_CACHE=OUT hugging_face.py --device cuda --json RESULTS.json    needs torch and a GPU

Each case runs in a process of its own. Its results are compared with eager's before it is timed: the mean over the positions that count, which is timed,
and on the CPU what the model gives for all positions. Peers are called in turn. Trainings compare losses.

On the CPU models are small and in f32, and times are the least of calls. On a GPU they have two layers of the width of published ones, in bf16, and times
are medians by events of the device; all processes compile together, then each is timed while the others wait. Both sides of `--compile` need the same
versions of torch and transformers, and PIT_MLIR_BUILD of one value.
"""

import argparse
import contextlib
import copy
import fcntl
import json
import logging
import os
import statistics
import sys
import tempfile
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bench  # noqa: E402
import graph_records  # noqa: E402
import hugging_face_models as models  # noqa: E402
import processes  # noqa: E402

# Of the norm of what eager gives.
LIMIT = 1e-4
# How much farther from f32 than eager of 16 bits, and what more: a router that rounding makes choose otherwise moves both.
FARTHER, AND_MORE = 1.5, 5e-3
SECONDS = 900


def measure(calls, device, repeat):
    """Times in ms, the calls in turn, so that what the machine does meanwhile meets all of them: the least on a CPU, on which other work runs,
    the median on a GPU."""
    clock = bench.Clock(device)
    for call in calls.values():
        for _ in range(3):
            call()
    times = {name: [] for name in calls}
    for _ in range(repeat):
        for name, call in calls.items():
            times[name].append(clock.time(call))
    return {name: (statistics.median if device == "cuda" else min)(found) for name, found in times.items()}


def replays(calls):
    """Graphs of the calls that can be captured, to be replayed in their place."""
    found = {}
    for name, call in calls.items():
        graph = torch.cuda.CUDAGraph()
        try:
            with torch.cuda.graph(graph):
                call()
        except Exception as error:  # What synchronises cannot be captured.
            print(f"  {name} cannot be captured: {str(error).splitlines()[0]}", file=sys.stderr, flush=True)
            torch.cuda.synchronize()
            continue
        found[name] = graph.replay
    return found


@contextlib.contextmanager
def time_in_programs(device):
    """Has a list of functions: each gives the ms that a call of a compiled program took."""
    from pit_mlir.torch.compiled import CompiledGraph

    spent, call, clock = [], CompiledGraph.__call__, bench.Clock(device)

    def timed(self, *arguments):
        result = []
        spent.append(clock.begin(lambda: result.append(call(self, *arguments))))
        return result[0]

    CompiledGraph.__call__ = timed
    try:
        yield spent
    finally:
        CompiledGraph.__call__ = call


def share_of(call, device, repeat):
    """The share of the time of calls that is spent in programs."""
    shares, clock = [], bench.Clock(device)
    for _ in range(repeat):
        with time_in_programs(device) as spent:
            whole = clock.time(call)
            shares.append(sum(each() for each in spent) / whole)
    return statistics.median(shares)


def _difference(found, expected):
    found, expected = found.float(), expected.float()
    if bool(found.isnan().any()) != bool(expected.isnan().any()):
        return float("inf")
    return float((found - expected).norm() / expected.norm())


def inductor(model, inputs):
    """A call of the model as torch's own compiler makes it, or why there is none."""
    compiled = torch.compile(model)
    try:
        compiled(*inputs)
    except Exception as error:  # It raises what its parts raise.
        return None, str(error).strip().splitlines()[0][:200]
    return compiled, ""


def make_model(name, make, device, place):
    """A case's model for a device, with weights of the case's size: of 16 bits where the device is a GPU. `place` is where they are, None
    for the current default device."""
    models.set_size("wide" if device == "cuda" else "small", name.removeprefix("train-"))
    torch.manual_seed(0)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16 if device == "cuda" else torch.float32)
    try:
        with contextlib.nullcontext() if place is None else torch.device(place):
            return make()
    finally:
        torch.set_default_dtype(before)


def tokens_on(place):
    return tuple(value.to(torch.get_default_device() if place is None else place) for value in models.tokens())


def in_f32(model, inputs):
    """What a model gives with weights of f32 and torch's loop over experts. One process at a time, as the weights are many."""
    with open(os.path.join(tempfile.gettempdir(), "hugging-face-f32.lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wide = copy.deepcopy(model).float()
        if hasattr(wide.model, "set_experts_implementation"):
            wide.model.set_experts_implementation("eager")
        found = wide(*inputs)
        del wide
        torch.cuda.empty_cache()
        return found


def compare(report, model, found, inputs, expected, device):
    """Distances from eager, and on a GPU of both from f32; whether results are right."""
    report["difference"] = max(map(_difference, found, expected))
    if device != "cuda":
        return report["difference"] < LIMIT
    exact = in_f32(model, inputs)
    ours, theirs = _difference(found[-1], exact), _difference(expected[-1], exact)
    report["difference_from_f32"] = {"pit": ours, "eager": theirs}
    return ours < FARTHER * theirs + AND_MORE


def infer(name, options):
    """Prepares a case, and gives its report so far and a function that times it, or None where it is wrong."""
    import pit_mlir.torch
    from pit_mlir.torch import dynamo

    case, device = models.CASES[name], options.device
    report = {"case": name}
    with torch.no_grad():
        model = make_model(name, lambda: case.make().eval(), device, device)
        inputs, pooled = tokens_on(device), models.Pooled(model)
        other = models.Pooled(copy.deepcopy(model)) if name.endswith("-pit-experts") else pooled
        expected, whole, found = [pooled(*inputs)], lambda call: call(input_ids=inputs[0], attention_mask=inputs[1])[0], []
        if device == "cpu":
            expected.insert(0, whole(model))
        case.prepare(model)
        if device == "cpu":
            found.append(whole(torch.compile(model, backend="pit")))
        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        began = time.perf_counter()
        with dynamo.recording() as records:
            compiled = torch.compile(pooled, backend="pit")
            found.append(compiled(*inputs))
        pit_mlir.torch.check()
        report["first_call_s"] = time.perf_counter() - began
        report.update(graph_records.about(records))
        if not compare(report, other, found, inputs, expected, device):
            return {**report, "wrong": True}, None
        calls, peers = {"pit": lambda: compiled(*inputs), "eager": lambda: other(*inputs)}, {}
        if options.inductor:
            peer, why = inductor(other, inputs)
            if peer is not None:
                calls["inductor"] = lambda: peer(*inputs)
            else:
                peers["inductor"] = {"missing": why}

    @torch.no_grad()
    def finish():
        report["share"] = share_of(calls["pit"], device, options.repeat)
        times = measure(calls, device, options.repeat)
        report["ms"] = times.pop("pit")
        report["peers"] = {**{peer: {"ms": ms} for peer, ms in times.items()}, **peers}
        if device == "cuda":
            pit_mlir.torch.check()
            try:
                report["graph_ms"] = measure(replays(calls), device, options.repeat)
            except RuntimeError as error:
                report["graph_ms"] = {"missing": str(error).splitlines()[0]}
        return report

    return report, finish


class Training:
    """A model in training, step by step."""

    def __init__(self, model, run, batch, device):
        self.model, self.run, self.batch, self.clock = model, run, batch, bench.Clock(device)
        self.optimizer, self.losses, self.times = torch.optim.SGD(model.parameters(), lr=0.02), [], []

    def step(self):
        def work():
            self.optimizer.zero_grad()
            loss = self.run(*self.batch)
            loss.backward()
            self.optimizer.step()
            return loss

        found = []
        self.times.append(self.clock.time(lambda: found.append(work())))
        self.losses.append(found[0].item())


def train(name, options):
    """Steps in turn, so that what the machine does meanwhile meets all. Gives what `infer` gives."""
    from pit_mlir.torch import dynamo

    device = options.device
    model = make_model(name, models.TRAININGS[name], device, device).train()
    other, third = copy.deepcopy(model), copy.deepcopy(model)
    batch = tokens_on(device)
    if name.endswith("-pit-experts"):
        models.use_pit_experts(model.body)
    torch._dynamo.utils.counters.clear()
    steps = {"pit": Training(model, torch.compile(model, backend="pit"), batch, device), "eager": Training(other, other, batch, device)}
    with dynamo.recording() as records:
        steps["pit"].step()
    steps["eager"].step()
    peers = {}
    if options.inductor and device == "cuda":
        steps["inductor"] = Training(third, torch.compile(third), batch, device)
        try:
            steps["inductor"].step()
        except Exception as error:  # It raises what its parts raise.
            del steps["inductor"]
            peers["inductor"] = {"missing": str(error).strip().splitlines()[0][:200]}
    report = {"case": name, **graph_records.about(records)}

    def finish():
        for _ in range(options.steps - 1):
            for training in steps.values():
                training.step()
        choose = statistics.median if device == "cuda" else min
        times = {key: choose(training.times[3:]) for key, training in steps.items()}
        report["ms"] = times.pop("pit")
        report["peers"] = {**{peer: {"ms": ms} for peer, ms in times.items()}, **peers}
        report["medians"] = {key: statistics.median(training.times[3:]) for key, training in steps.items()}
        report["losses"], report["eager_losses"] = list(steps["pit"].losses), steps["eager"].losses
        report["difference"] = max(abs(a - b) / abs(b) for a, b in zip(report["losses"], report["eager_losses"]))
        report["share"] = share_of(steps["pit"].step, device, 4)
        if not report["difference"] < (2e-2 if device == "cuda" else 1e-3):
            report["wrong"] = True
        return report

    return report, finish


def compile_case(name, options):
    """Fills the cache with what the case needs on a device that need not be there."""
    import pit_mlir.torch

    def make():
        models.set_size("wide", name)
        inputs = tokens_on(None)
        model = make_model(name, lambda: models.CASES[name].make().eval(), "cuda", None)
        models.CASES[name].prepare(model)
        return models.Pooled(model), inputs, {}

    began = time.perf_counter()
    records = pit_mlir.torch.fill_cache(make, options.target)
    return {"case": name, **graph_records.about(records), "first_call_s": time.perf_counter() - began}


def child(name, options):
    """A case in a process of its own: says "ready" when all is compiled, and waits for a line before it times anything."""
    logging.getLogger("pit_mlir").setLevel(logging.ERROR)
    logging.getLogger("torch._dynamo").setLevel(logging.ERROR)
    torch.set_num_threads(options.threads)
    import pit_mlir.torch  # noqa: F401

    if options.compile:
        print("\n" + json.dumps(compile_case(name, options)), flush=True)
        return
    report, finish = (train if name in models.TRAININGS else infer)(name, options)
    print("\nready", flush=True)
    if finish is not None and sys.stdin.readline():
        report = finish()
    print("\n" + json.dumps(report), flush=True)


def say(report, options):
    if "error" in report or report.get("wrong"):
        return f"{report['case']}: WRONG, {report.get('error') or report['difference']}"
    left = len(report["left_to_torch"])
    if options.compile:
        return f"{report['case']}: {report['compiled_products']} of {report['products']} products in {report['first_call_s']:.0f} s, {left} reasons to leave ops to torch"
    peers = ", ".join(f"{peer} {found['ms']:.2f} ms, {found['ms'] / report['ms']:.2f}x" for peer, found in report["peers"].items() if "ms" in found)
    graphs = ", ".join(f"{peer} {ms:.3f}" if peer != "missing" else ms for peer, ms in report.get("graph_ms", {}).items())
    return (
        f"{report['case']}: {report['ms']:.2f} ms ({report['share']:.0%} in programs); {peers}; difference {report['difference']:.1g}, {left} reasons to leave ops to torch"
        + (f"; graphs, ms: {graphs}" if graphs else "")
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json")
    parser.add_argument("--only", action="append", choices=[*models.CASES, *models.TRAININGS])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--compile", metavar="OUT", help="a folder, to become the other machine's PIT_MLIR_CACHE")
    parser.add_argument("--target", default="cuda:sm_90a", help="of --compile")
    parser.add_argument("--repeat", type=int, default=25)
    parser.add_argument("--steps", type=int, default=30, help="of a training")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--together", type=int, help="processes that compile at the same time; 1 on the CPU, 12 on a GPU")
    parser.add_argument("--deadline", type=float, help="seconds after which what is not compiled is given up")
    parser.add_argument("--no-inductor", dest="inductor", action="store_false")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.compile:
        os.environ["PIT_MLIR_CACHE"] = os.path.abspath(options.compile)
    if options.child:
        return child(options.child, options)
    import pit_mlir
    import transformers

    device = f"{options.threads} CPU threads" if options.device == "cpu" else options.target if options.compile else torch.cuda.get_device_name()
    found = {"device": device, "torch": torch.__version__, "transformers": transformers.__version__, "pit_mlir": pit_mlir.__version__, "cases": []}
    # Trainings have no graphs to fill a cache with.
    names = [name for name in [*models.CASES, *(() if options.compile else models.TRAININGS)] if not options.only or name in options.only]
    commands = {name: [sys.executable, os.path.abspath(__file__), "--child", name, *sys.argv[1:]] for name in names}
    together = options.together or (1 if options.device == "cpu" or options.compile else 12)
    for name, report in processes.run(commands, together, SECONDS, options.deadline or 2 * SECONDS):
        found["cases"].append({"case": name, "wrong": True, **report} if "error" in report else report)
        print(say(found["cases"][-1], options), flush=True)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(found, file, indent=1)
                file.write("\n")
    return int(any(case.get("wrong") for case in found["cases"]))


if __name__ == "__main__":
    sys.exit(main())
