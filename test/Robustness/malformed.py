"""Feeds damaged programs to the compiler, which has to refuse or to compile them, and fails when it crashes or hangs.

    malformed.py [--pit-opt FILE] [--seed N] [--runs N] [--seconds N] [--sanitizer] [-o FILE] [--commit HASH] [--keep DIR]
                 FOLDER...

The programs are those of the folders, changed in ways that the seed decides; half of them go through the passes that their
own tests name, the others through a whole pipeline. Several share a process until one of them ends it.
"""

import argparse
import collections
import hashlib
import itertools
import json
import os
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time

import mutations
import reports

PIPELINES = [["--pit-to-cpu"], ["--pit-to-ptx=chip=sm_90a"], ["--pit-to-ptx=chip=sm_80"], ["--pit-to-cuda=chip=sm_90a"],
             ["--pit-propagate-sparsity", "--convert-linalg-to-pit"], ["--pit-annotate-axes"], ["--pit-lower-sparse"]]
LIMIT_BYTES, LIMIT_SECONDS, BATCH = 8000000 * 1024, 20, 24
SANITIZER_SLOWDOWN = 5
SPLIT = "\n// -----\n"


def limit(seconds, sanitizer):
    def apply():
        # The address sanitizer reserves more than any program has.
        if not sanitizer:
            resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
        # Of the processor's time, so that a busy machine changes no outcome.
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return apply


def run(tool, passes, data, seconds, sanitizer=False):
    """(outcome, what was printed) of all of `data`. `sanitizer`: the tool is built with the address sanitizer, and slower."""
    environment = None
    if sanitizer:
        seconds *= SANITIZER_SLOWDOWN
        environment = {**os.environ, **reports.SANITIZERS}
        environment["ASAN_OPTIONS"] += f":hard_rss_limit_mb={LIMIT_BYTES >> 20}"
    with tempfile.NamedTemporaryFile("wb", suffix=".mlir") as file:
        file.write(data)
        file.flush()
        done = subprocess.run([tool, *passes, file.name, "-o", os.devnull], capture_output=True, env=environment,
                              preexec_fn=limit(seconds, sanitizer))
    errors = done.stderr.decode(errors="replace")
    # The campaign would count its own mistake as the compiler's.
    if "Unknown command line argument" in errors:
        raise SystemExit(f"malformed.py: {' '.join(passes)}: {errors}")
    if done.returncode in (-24, -9):  # SIGXCPU, and what follows it
        return "hang", errors
    if done.returncode < 0 or done.returncode > 1 or reports.CRASH.search(errors) or (sanitizer and reports.SANITIZER_CRASH.search(errors)):
        return "out of memory" if reports.MEMORY.search(errors) else "crash", errors
    if done.returncode and "error:" not in errors:
        return "crash", errors + "\nrefused without a diagnostic\n"
    return "refused" if done.returncode else "compiled", errors


def words_of_command(line):
    """The words of the first command of a shell's line: up to a pipe, a redirection, `&&`, `||` or `;` outside of quotes."""
    words = shlex.shlex(line, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    words.commenters = ""
    return list(itertools.takewhile(lambda word: not set(word) <= set("|&;<>()"), words))


def programs(paths):
    """(name, text, passes of its tests) of everything that the folders hold."""
    for path in paths:
        for file in sorted(os.path.join(d, f) for d, _, names in os.walk(path) for f in names if f.endswith(".mlir")):
            with open(file, encoding="utf-8", errors="replace") as stream:
                text = stream.read()
            passes = []
            for command in re.findall(r"// RUN:\s*(?:not )?pit-opt (.*)", text.replace("\\\n// RUN:", "")):
                try:
                    words = words_of_command(command)
                except ValueError:
                    continue
                words = [w for w in words if w.startswith("--") and "%" not in w
                         and not re.match(r"--(split-input|verify-diag|verify-round|emit-byte|dump|help|show|load|mlir-(print|timing)|irdl)", w)]
                if words and words not in passes:
                    passes.append(words)
            for i, chunk in enumerate(re.split(r"^// -----.*$", text, flags=re.M)):
                chunk = "\n".join(c for c in chunk.split("\n") if not c.lstrip().startswith("//"))
                if chunk.strip():
                    yield f"{os.path.relpath(file, os.path.dirname(path))}#{i}", chunk, passes


class Campaign:
    def __init__(self, options):
        self.options = options
        self.outcomes = collections.Counter()
        self.by_pipeline = collections.defaultdict(collections.Counter)
        self.changes = collections.Counter()
        self.failures = {}

    def note(self, passes, outcome, name, data, errors):
        self.outcomes[outcome] += 1
        self.by_pipeline[" ".join(passes) if passes in PIPELINES else "passes of a test"][outcome] += 1
        if outcome not in ("crash", "hang", "out of memory"):
            return
        if self.options.sanitizer:
            owner, message, frames = reports.blame_sanitizer(errors)
            frames = [message] + frames
        else:
            owner, frames = reports.blame_dump(errors)
            # What reads bytecode may ruin the heap before any pass runs, and then there is no backtrace; mlir-opt
            # does so on the same bytes.
            if not frames and "(bytecode)" in name and "malloc(): corrupted" in errors:
                owner, frames = "upstream", ["bytecode reader"]
            if not frames and "in bytecode version" in errors and "points past the end of section" in errors:
                owner, frames = "upstream", ["bytecode reader"]
        key = (outcome, owner, tuple(frames[:3]))
        failure = self.failures.setdefault(key, {"outcome": outcome, "owner": owner, "frames": frames, "count": 0, "program": name,
                                                 "passes": " ".join(passes)})
        failure["count"] += 1
        if self.options.keep and failure["count"] <= 3:
            path = os.path.join(self.options.keep, f"{outcome.replace(' ', '-')}-{hashlib.sha1(data).hexdigest()[:10]}.mlir")
            with open(path, "wb") as file:
                file.write(data)
            with open(path + ".txt", "w", encoding="utf-8") as file:
                file.write(f"{name}\n{' '.join(passes)}\n{errors}")

    def run_batch(self, passes, batch):
        """Texts in one process; one by one when it does not end well."""
        data = SPLIT.join(text for _, text in batch).encode(errors="replace")
        outcome, errors = run(self.options.pit_opt, passes + ["--split-input-file"], data, 3 * LIMIT_SECONDS, self.options.sanitizer)
        # The diagnostics of a batch do not say who is refused: each program has its own, if it has one.
        if outcome in ("compiled", "refused"):
            refused = {int(n) for n in re.findall(r":(\d+):\d+: error:", errors)}
            line, bad = 1, errors.count("<unknown>:0: error:")
            for _, text in batch:
                end = line + text.count("\n") + 2
                bad += any(line <= n < end for n in refused)
                line = end
            bad = min(bad, len(batch))
            self.outcomes["refused"] += bad
            self.outcomes["compiled"] += len(batch) - bad
            counts = self.by_pipeline[" ".join(passes) if passes in PIPELINES else "passes of a test"]
            counts["refused"] += bad
            counts["compiled"] += len(batch) - bad
            return
        of_batch, repeated = (outcome, errors), False
        for name, text in batch:
            program = text.encode(errors="replace")
            outcome, errors = run(self.options.pit_opt, passes, program, LIMIT_SECONDS, self.options.sanitizer)
            repeated |= outcome == of_batch[0]
            self.note(passes, outcome, name, program, errors)
        # What only happens to all of them in one process is one more. Together they may need more time and memory than one may.
        if of_batch[0] == "crash" and not repeated:
            self.note(passes, of_batch[0], "a batch", data, of_batch[1])

    def run_bytecode(self, passes, name, text, dice):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "in.mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            code = os.path.join(folder, "in.mlirbc")
            done = subprocess.run([self.options.pit_opt, "--emit-bytecode", path, "-o", code], capture_output=True,
                                  env={**os.environ, **reports.SANITIZERS})
            if done.returncode:
                return
            with open(code, "rb") as file:
                data = mutations.mutate_bytes(file.read(), dice)
        outcome, errors = run(self.options.pit_opt, passes, data, LIMIT_SECONDS, self.options.sanitizer)
        self.by_pipeline["bytecode"][outcome] += 1
        self.note(passes, outcome, name + " (bytecode)", data, errors)

    def total(self):
        return sum(self.outcomes.values())

    def run(self):
        corpus = list(programs(self.options.paths))
        names = sorted({op for _, text, _ in corpus for op in re.findall(r"\b(?:linalg|tensor|arith|math|pit|scf|memref|func)\.[a-z_]+", text)})
        start, rounds = time.monotonic(), 0
        while self.total() < self.options.runs and time.monotonic() - start < self.options.seconds:
            dice = random.Random(f"{self.options.seed} {rounds}")
            rounds += 1
            if dice.random() < self.options.bytecode:
                name, text, _ = dice.choice(corpus)
                self.run_bytecode(dice.choice(PIPELINES), name, text, dice)
                continue
            # Programs of one test share its passes.
            passes = dice.choice(dice.choice(corpus)[2] or PIPELINES) if dice.random() < 0.5 else dice.choice(PIPELINES)
            related = [entry for entry in corpus if passes in entry[2]]
            batch = []
            for _ in range(BATCH):
                name, text, _ = dice.choice(related if related and dice.random() < 0.7 else corpus)
                text, changes = mutations.mutate(text, dice, names)
                self.changes.update(changes)
                batch.append((f"{name}, {', '.join(changes)}", re.sub(r"^// -----", "", text, flags=re.M)))
            self.run_batch(passes, batch)
        return time.monotonic() - start

    def write(self, seconds):
        summary = {
            "schema": "pit-malformed", "version": 1, "commit": self.options.commit, "seed": self.options.seed,
            "sanitizer": self.options.sanitizer, "runs": self.total(), "seconds": round(seconds), "outcomes": dict(sorted(self.outcomes.items())),
            "pipelines": {name: dict(sorted(counts.items())) for name, counts in sorted(self.by_pipeline.items())},
            "changes": dict(sorted(self.changes.items())),
            "failures": sorted(self.failures.values(), key=lambda failure: -failure["count"]),
        }
        with open(self.options.output, "w", encoding="utf-8") as file:
            json.dump(summary, file, indent=1)
            file.write("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--pit-opt", default="pit-opt")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--bytecode", type=float, default=0.3, help="share of the processes that read bytecode")
    parser.add_argument("--keep", help="write what fails here")
    parser.add_argument("--sanitizer", action="store_true", help="pit-opt is built with the address sanitizer")
    parser.add_argument("-o", "--output")
    parser.add_argument("--commit", default="")
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    campaign = Campaign(options)
    seconds = campaign.run()
    print(f"{campaign.total()} runs:", ", ".join(f"{count} {outcome}" for outcome, count in sorted(campaign.outcomes.items())))
    for failure in campaign.failures.values():
        print(f"{failure['count']} {failure['outcome']} {failure['owner']}: {failure['program']}: {failure['passes']}: {failure['frames']}")
    if options.output:
        campaign.write(seconds)
    return any(failure["owner"] != "upstream" for failure in campaign.failures.values())


if __name__ == "__main__":
    sys.exit(main())
