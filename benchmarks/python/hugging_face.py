#!/usr/bin/env python3
# ===- hugging_face.py - Models of transformers through torch.compile -------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Models of Hugging Face's transformers, as they are, through torch.compile(backend="pit").

    hugging_face.py --json RESULTS.json [--only CASE] [--repeat N] [--threads N] [--device cpu | cuda]

Each case runs in a process of its own. Its results are compared with eager's before it is timed: what the model gives for all positions, and the mean over
the positions that count, which is timed. Times are the least of calls, and peers are called in turn. Trainings compare losses.
"""

import argparse
import contextlib
import copy
import json
import logging
import os
import statistics
import subprocess
import sys
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import hugging_face_models as models  # noqa: E402

# Of the norm of what eager gives.
LIMIT = 1e-4
SECONDS = 900


def seconds_of(call, device):
    began = time.perf_counter()
    call()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - began


def measure(calls, device, repeat):
    """The least of times in ms, the calls in turn, so that what the machine does meanwhile meets all of them."""
    for call in calls.values():
        for _ in range(3):
            call()
    times = {name: [] for name in calls}
    for _ in range(repeat):
        for name, call in calls.items():
            times[name].append(seconds_of(call, device))
    return {name: min(found) * 1e3 for name, found in times.items()}


@contextlib.contextmanager
def time_in_programs():
    """Adds up seconds in compiled programs, in the first element of a list."""
    from pit_mlir.torch.compiled import CompiledGraph

    spent, call = [0.0], CompiledGraph.__call__

    def timed(self, *arguments):
        began = time.perf_counter()
        try:
            return call(self, *arguments)
        finally:
            spent[0] += time.perf_counter() - began

    CompiledGraph.__call__ = timed
    try:
        yield spent
    finally:
        CompiledGraph.__call__ = call


def share_of(call, repeat):
    """The share of the time of calls that is spent in programs."""
    shares = []
    for _ in range(repeat):
        with time_in_programs() as spent:
            began = time.perf_counter()
            call()
            shares.append(spent[0] / (time.perf_counter() - began))
    return statistics.median(shares)


def _difference(found, expected):
    if bool(found.isnan().any()) != bool(expected.isnan().any()):
        return float("inf")
    return float((found - expected).norm() / expected.norm())


def _reasons(records):
    found = {}
    for record in records:
        for op, reason in record.left:
            op = op if op.startswith(("aten", "transformers", "all")) else reason
            found.setdefault((op, reason.splitlines()[0][:160]), 0)
            found[(op, reason.splitlines()[0][:160])] += 1
    return [{"op": op, "reason": reason, "count": count} for (op, reason), count in sorted(found.items())]


def _graph_breaks():
    breaks = {}
    for text, count in torch._dynamo.utils.counters["graph_break"].items():
        what = text.splitlines()[0].strip().rstrip(".")
        breaks[what] = breaks.get(what, 0) + count
    return [{"reason": what, "count": count} for what, count in sorted(breaks.items())]


def about(records):
    """What became of the graphs."""
    return {
        "graphs": len(records),
        "programs": sum(len(record.parts) for record in records),
        "products": sum(record.products for record in records),
        "compiled_products": sum(record.compiled_products for record in records),
        "left_to_torch": _reasons(records),
        "graph_breaks": _graph_breaks(),
    }


def inductor(model, inputs):
    """A call of the model as torch's own compiler makes it, or why there is none."""
    torch._dynamo.reset()
    compiled = torch.compile(model)
    try:
        compiled(*inputs)
    except Exception as error:  # It raises what its parts raise.
        return None, str(error).strip().splitlines()[0][:200]
    return compiled, ""


def infer(name, options):
    from pit_mlir.torch import dynamo

    torch.manual_seed(0)
    case = models.CASES[name]
    model = case.make().eval().to(options.device)
    inputs = tuple(value.to(options.device) for value in models.tokens())
    pooled = models.Pooled(model)
    report = {"case": name}
    with torch.no_grad():
        whole, expected = model(input_ids=inputs[0], attention_mask=inputs[1])[0], pooled(*inputs)
        case.prepare(model)
        report["difference"] = _difference(torch.compile(model, backend="pit")(input_ids=inputs[0], attention_mask=inputs[1])[0], whole)
        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        began = time.perf_counter()
        with dynamo.recording() as records:
            compiled = torch.compile(pooled, backend="pit")
            found = compiled(*inputs)
        report["first_call_s"] = time.perf_counter() - began
        report["difference"] = max(report["difference"], _difference(found, expected))
        report.update(about(records))
        if not report["difference"] < LIMIT:
            return {**report, "wrong": True}
        report["share"] = share_of(lambda: compiled(*inputs), options.repeat)
        other = models.Pooled(case.make().eval().to(options.device))
        other.load_state_dict(pooled.state_dict())
        calls = {"pit": lambda: compiled(*inputs), "eager": lambda: other(*inputs)}
        peers = {}
        if options.inductor:
            peer, why = inductor(other, inputs)
            if peer is not None:
                calls["inductor"] = lambda: peer(*inputs)
            else:
                peers["inductor"] = {"missing": why}
        times = measure(calls, options.device, options.repeat)
    report["ms"] = times.pop("pit")
    report["peers"] = {**{name: {"ms": ms} for name, ms in times.items()}, **peers}
    return report


class Training:
    """A model in training, step by step."""

    def __init__(self, model, run, batch, device):
        self.model, self.run, self.batch, self.device = model, run, batch, device
        self.optimizer, self.losses, self.times = torch.optim.SGD(model.parameters(), lr=0.02), [], []

    def step(self):
        def work():
            self.optimizer.zero_grad()
            loss = self.run(*self.batch)
            loss.backward()
            self.optimizer.step()
            self.losses.append(loss.item())

        self.times.append(seconds_of(work, self.device))


def train(name, options):
    """Steps in turn, so that what the machine does meanwhile meets both."""
    from pit_mlir.torch import dynamo

    torch.manual_seed(0)
    model = models.TRAININGS[name]().to(options.device).train()
    other = copy.deepcopy(model)
    batch = tuple(value.to(options.device) for value in models.tokens())
    if name.endswith("-pit-experts"):
        models.use_pit_experts(model.body)
    torch._dynamo.utils.counters.clear()
    with dynamo.recording() as records:
        compiled = torch.compile(model, backend="pit")
        ours, eager = Training(model, compiled, batch, options.device), Training(other, other, batch, options.device)
        for _ in range(options.steps):
            ours.step()
            eager.step()
    ms, peer = (min(training.times[3:]) * 1e3 for training in (ours, eager))
    report = {"case": name, "ms": ms, "peers": {"eager": {"ms": peer}}, **about(records), "losses": list(ours.losses), "eager_losses": eager.losses}
    report["medians"] = {key: statistics.median(training.times[3:]) * 1e3 for key, training in (("pit", ours), ("eager", eager))}
    report["difference"] = max(abs(a - b) / abs(b) for a, b in zip(ours.losses, eager.losses))
    report["share"] = share_of(ours.step, 4)
    if not report["difference"] < 1e-3:
        report["wrong"] = True
    return report


def child(name, options):
    logging.getLogger("pit_mlir").setLevel(logging.ERROR)
    logging.getLogger("torch._dynamo").setLevel(logging.ERROR)
    torch.set_num_threads(options.threads)
    import pit_mlir.torch  # noqa: F401

    report = train(name, options) if name in models.TRAININGS else infer(name, options)
    print("\n" + json.dumps(report), flush=True)


def run_child(name, options):
    command = [sys.executable, os.path.abspath(__file__), "--child", name, *sys.argv[1:]]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"case": name, "wrong": True, "error": f"took more than {SECONDS} s"}
    if done.returncode:
        return {"case": name, "wrong": True, "error": f"the process ended with {done.returncode}: {done.stderr.strip()[-800:]}"}
    return json.loads(done.stdout.strip().splitlines()[-1])


def say(report):
    if "ms" not in report:
        return f"{report['case']}: WRONG, {report.get('error') or report['difference']}"
    peers = ", ".join(f"{peer} {found['ms']:.2f} ms, {found['ms'] / report['ms']:.2f}x" for peer, found in report["peers"].items() if "ms" in found)
    left = len(report["left_to_torch"])
    return f"{report['case']}: {report['ms']:.2f} ms ({report['share']:.0%} in programs); {peers}; difference {report['difference']:.1g}, {left} reasons to leave ops to torch"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json")
    parser.add_argument("--only", action="append", choices=[*models.CASES, *models.TRAININGS])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--repeat", type=int, default=25)
    parser.add_argument("--steps", type=int, default=30, help="of a training")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--no-inductor", dest="inductor", action="store_false")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child, options)
    import pit_mlir
    import transformers

    device = torch.cuda.get_device_name() if options.device == "cuda" else f"{options.threads} CPU threads"
    found = {"device": device, "torch": torch.__version__, "transformers": transformers.__version__, "pit_mlir": pit_mlir.__version__, "cases": []}
    for name in [*models.CASES, *models.TRAININGS]:
        if options.only and name not in options.only:
            continue
        found["cases"].append(run_child(name, options))
        print(say(found["cases"][-1]), flush=True)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(found, file, indent=1)
                file.write("\n")
    return int(any(case.get("wrong") for case in found["cases"]))


if __name__ == "__main__":
    sys.exit(main())
