# ===- __main__.py - Runs samples of torch's operations in child processes --------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Runs samples of torch's operations in child processes, so that one that ends its process costs one operation, and writes what became of them as JSON."""

import argparse
import collections
import json
import logging
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time

from random_modules.__main__ import commit_of, shorten

# Operations of one child, and the seconds that one of them may take.
BATCH, LIMIT = 10, 150


def work(names, seed, path):
    """In a child: a line before each operation and type, and its report behind it."""
    import torch

    from . import check

    torch.set_num_threads(1)
    logging.getLogger("pit_mlir").setLevel(logging.ERROR)
    logging.getLogger("torch._dynamo").setLevel(logging.CRITICAL)
    known = check.operations()
    with open(path, "a", encoding="utf-8") as file:
        for name in names:
            for kind in check.types_of(known[name], seed):
                print(json.dumps({"begins": [name, kind]}), file=file, flush=True)
                print(json.dumps(check.check(known[name], kind)), file=file, flush=True)
            print(json.dumps({"ends": name}), file=file, flush=True)


def _lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file.read().splitlines()]


def _run_batch(names, seed):
    """Runs operations until a child ends early. Returns the reports, and the operations that are done."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as output, tempfile.TemporaryFile("w+", errors="replace") as said:
        command = [sys.executable, "-m", "op_samples", "--seed", str(seed), "--work", output.name, *names]
        with subprocess.Popen(command, stdout=said, stderr=said) as child:
            seen, since = 0, time.monotonic()
            while child.poll() is None:
                time.sleep(0.5)
                count = len(_lines(output.name))
                if count != seen:
                    seen, since = count, time.monotonic()
                elif time.monotonic() - since > LIMIT:
                    child.kill()
            code = child.returncode
        lines = _lines(output.name)
        reports = [line for line in lines if "op" in line]
        done = [line["ends"] for line in lines if "ends" in line]
        said.seek(0)
        text = said.read().strip()[-500:]
    if code:
        if not lines or "begins" not in lines[-1]:
            raise SystemExit(f"a child ended with {code}:\n{text}")
        name, kind = lines[-1]["begins"]
        why = f"took more than {LIMIT} s" if code == -9 else f"the process ended with {code}: {text}"
        reports.append({"op": name, "type": kind, "right": 0, "refused": 0, "wrong": 0, "crash": 1, "left": [], "compiled": 0, "reasons": [why]})
        done.append(name)
    return reports, done


def run(names, seed, jobs, say):
    """Has the reports of all operations passed to `say`."""
    todo, lock = queue.Queue(), threading.Lock()
    for first in range(0, len(names), BATCH):
        todo.put(names[first : first + BATCH])

    def worker():
        while True:
            try:
                left = todo.get_nowait()
            except queue.Empty:
                return
            while left:
                found, done = _run_batch(left, seed)
                with lock:
                    for report in found:
                        say(report)
                left = [name for name in left if name not in done]

    threads = [threading.Thread(target=worker) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _blamed(op, why):
    """A reason, with the operation only where it says something."""
    # Where a sample stands in torch's sources is the machine's.
    why = re.sub(r"^loc\(.*?\)+: (?=error)", "", why)
    return shorten(why) if op == "all" or op in why else f"{op.split(' at 0x')[0]}: {shorten(why)}"


def summarise(reports):
    """Counts of samples, the reasons for what was left to torch, and what is wrong."""
    reasons, skipped, by_type = collections.defaultdict(set), collections.defaultdict(list), collections.defaultdict(collections.Counter)
    outcomes = collections.Counter()
    for report in sorted(reports, key=lambda report: (report["op"], report["type"])):
        if "skipped" in report:
            skipped[report["skipped"]].append(f"{report['op']} {report['type']}")
            continue
        for what in ("right", "refused", "wrong"):
            by_type[report["type"]][what] += report[what]
        outcome = "crash" if report.get("crash") else "wrong" if report["wrong"] else "right" if not report["refused"] else "refused" if not report["right"] else "some refused"
        outcomes[outcome] += 1
        for op, why in report["left"]:
            if "getitem" not in op:
                reasons[_blamed(op, why)].add(report["op"])
    return {
        "operations": len({report["op"] for report in reports}),
        "pairs": outcomes.total(),
        "outcomes": {name: outcomes.get(name, 0) for name in ("right", "some refused", "refused", "wrong", "crash")},
        "samples": {kind: dict(counts) for kind, counts in sorted(by_type.items())},
        "compiled_graphs": sum(report["compiled"] for report in reports),
        "refusals": {why: sorted(ops) for why, ops in sorted(reasons.items(), key=lambda each: (-len(each[1]), each[0]))},
        "skipped": {why: sorted(names) for why, names in sorted(skipped.items())},
        "failures": [report for report in reports if report["wrong"] or report.get("crash")],
    }


def main():
    parser = argparse.ArgumentParser(prog="op_samples", description=__doc__)
    parser.add_argument("--ops", help="names, with commas; all by default")
    parser.add_argument("--part", default="0:1", help="FIRST:STEP, of all operations")
    parser.add_argument("--seed", type=int, default=0, help="which types beside f32 are tried")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", "--output", help="a JSON file for the summary")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options.rest, options.seed, options.work)
    from . import check

    names = options.ops.split(",") if options.ops else list(check.operations())
    first, step = map(int, options.part.split(":"))
    began = time.monotonic()

    reports = []

    def finish():
        summary = {"seed": options.seed, "part": options.part, **summarise(reports), "seconds": round(time.monotonic() - began), "commit": commit_of()}
        if options.output:
            with open(options.output, "w", encoding="utf-8") as file:
                json.dump(summary, file, indent=1)
                file.write("\n")
        return summary

    def say(report):
        reports.append(report)
        if report["wrong"] or report.get("crash"):
            print(f"{report['op']} {report['type']}: {report['reasons'][0]}", flush=True)
        if len(reports) % 20 == 0:
            finish()

    run(names[first::step], options.seed, options.jobs, say)
    summary = finish()
    print(json.dumps({name: summary[name] for name in ("operations", "pairs", "outcomes", "samples", "seconds")}))
    return int(bool(summary["failures"]))


if __name__ == "__main__":
    sys.exit(main())
