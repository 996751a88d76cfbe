"""Runs one of unittests/Fuzzers under libFuzzer, which changes inputs towards code that none has reached, and tells whose code
the failures are.

    coverage.py FUZZER WORK [--seconds N] [--jobs N] [-o FILE] [--commit HASH] [--programs FOLDER...] [--pit-opt FILE]
                [--seeds FILE...]

FUZZER is built with clang and the address and undefined-behaviour sanitizers (the preset asan-ubsan). WORK keeps the inputs from
run to run, and below it what fails. PITPipelineFuzzer starts with the programs of the folders, each with the passes of its own
test and with a whole pipeline; the others with the files given. Exit code 1 where PIT's own code fails.
"""

import argparse
import collections
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

import malformed
import reports

# What one input may take. A large constant is no failure; several jobs have to fit.
LIMIT_SECONDS, LIMIT_MEGABYTES = 40, 4096
# The first byte of an input names its pipeline.
MOST_PIPELINES = 256


def as_pipeline(pit_opt, words):
    """Passes of a command line as one line of text, with all options; None where the tool knows no such pipeline."""
    done = subprocess.run([pit_opt, *words, "--dump-pass-pipeline", os.devnull, "-o", os.devnull], capture_output=True, text=True)
    text = "".join(line.strip() for line in done.stderr.splitlines())
    pipeline = re.search(r"passes:builtin\.module\((.+)\)$", text)
    return pipeline.group(1) if pipeline and done.returncode == 0 else None


def write_programs(options, corpus, pipelines_file):
    """One input per program and pipeline: the pipeline's line as a byte, and the program. Returns how many pipelines there are
    inputs for, and those for which there is no byte left."""
    programs = list(malformed.programs(options.programs))
    lines, left_out = {}, []
    for words in malformed.PIPELINES + sorted({tuple(words) for _, _, passes in programs for words in passes}):
        pipeline = as_pipeline(options.pit_opt, words)
        if pipeline and len(lines) < MOST_PIPELINES:
            lines[tuple(words)] = (len(lines), pipeline)
        elif pipeline:
            left_out.append(" ".join(words))
    with open(pipelines_file, "w", encoding="utf-8") as file:
        file.writelines(pipeline + "\n" for _, pipeline in lines.values())
    for number, (_, text, passes) in enumerate(programs):
        for words in [malformed.PIPELINES[number % len(malformed.PIPELINES)]] + passes:
            if tuple(words) in lines:
                data = bytes([lines[tuple(words)][0]]) + text.encode(errors="replace")
                with open(os.path.join(corpus, hashlib.sha1(data).hexdigest()), "wb") as file:
                    file.write(data)
    return len(lines), left_out


def run(options, environment):
    """What libFuzzer printed, seconds, and what `write_programs` returns."""
    corpus, failures = os.path.join(options.work, "corpus"), os.path.join(options.work, "failures")
    os.makedirs(corpus, exist_ok=True)
    # Those of a run before are of other code, and may be of other pipelines.
    shutil.rmtree(failures, ignore_errors=True)
    os.makedirs(failures)
    pipelines, left_out = 0, []
    if options.programs:
        pipelines, left_out = write_programs(options, corpus, environment["PIT_FUZZ_PIPELINES"])
    command = [options.fuzzer, f"-fork={options.jobs}", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1",
               f"-timeout={LIMIT_SECONDS}", f"-rss_limit_mb={LIMIT_MEGABYTES}", f"-malloc_limit_mb={LIMIT_MEGABYTES}",
               f"-max_total_time={options.seconds}", "-max_len=16384", "-use_value_profile=0", "-print_final_stats=1",
               f"-artifact_prefix={failures}/", corpus]
    for path in options.seeds:
        with open(path, "rb") as source, open(os.path.join(corpus, os.path.basename(path)), "wb") as copy:
            copy.write(source.read())
    start = time.monotonic()
    with open(os.path.join(options.work, "log"), "wb") as log:
        subprocess.run(command, stdout=log, stderr=log, env=environment)
    with open(os.path.join(options.work, "log"), encoding="utf-8", errors="replace") as log:
        return log.read(), time.monotonic() - start, pipelines, left_out


def examine(options, environment):
    """Runs what failed once more, alone, and counts it by where it does."""
    found = {}
    for path in sorted(glob.glob(os.path.join(options.work, "failures", "*-*"))):
        kind = os.path.basename(path).split("-")[0]
        if kind not in ("crash", "oom", "timeout"):
            continue
        done = subprocess.run([options.fuzzer, f"-timeout={LIMIT_SECONDS}", f"-rss_limit_mb={LIMIT_MEGABYTES}", path],
                              capture_output=True, env=environment)
        if done.returncode == 0:
            # A crash may depend on programs before; time and memory were those of other processes.
            owner, message, frames = "PIT" if kind == "crash" else "machine", "not when it runs alone", []
        else:
            owner, message, frames = reports.blame_sanitizer(done.stderr.decode(errors="replace"))
        failure = found.setdefault((owner, message, tuple(frames[:3])), {
            "owner": owner, "kind": kind, "message": message, "frames": frames, "count": 0, "first": os.path.basename(path)})
        failure["count"] += 1
    return sorted(found.values(), key=lambda failure: (failure["owner"], -failure["count"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fuzzer")
    parser.add_argument("work")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--programs", nargs="+", default=[])
    parser.add_argument("--pit-opt", default="pit-opt", help="for the passes of --programs")
    parser.add_argument("--seeds", nargs="+", default=[])
    parser.add_argument("-o", "--output")
    parser.add_argument("--commit", default="")
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    os.makedirs(options.work, exist_ok=True)
    environment = {**os.environ, **reports.SANITIZERS}
    if options.programs:
        environment["PIT_FUZZ_PIPELINES"] = os.path.join(options.work, "pipelines.txt")
    log, seconds, pipelines, left_out = run(options, environment)
    # `#inputs: cov: edges ft: features corp: inputs kept ...`
    progress = re.findall(r"^#(\d+): cov: (\d+) ft: (\d+) corp: (\d+)", log, re.M)
    if not progress:
        print(log[-4000:], file=sys.stderr)
        return 1
    inputs, edges, _, kept = map(int, progress[-1])
    failures = examine(options, environment)
    counts = collections.Counter()
    for failure in failures:
        counts[failure["owner"]] += failure["count"]
        print(failure["count"], failure["owner"], failure["kind"], failure["first"], failure["message"], failure["frames"])
    if options.programs:
        print(f"{pipelines} pipelines, {len(left_out)} left out, as one byte tells one of {MOST_PIPELINES}")
    for words in left_out:
        print(f"left out: {words}")
    print(f"{inputs} inputs in {seconds:.0f} s, {edges} edges, {kept} kept; failures: {counts['PIT']} PIT's, {counts['upstream']} upstream's")
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"schema": "pit-coverage", "version": 1, "commit": options.commit, "fuzzer": os.path.basename(options.fuzzer),
                       "seconds": round(seconds), "jobs": options.jobs, "inputs": inputs, "edges": edges, "kept": kept,
                       "pipelines": pipelines, "pipelines_left_out": left_out, "failures": failures}, file, indent=1)
            file.write("\n")
    return counts["PIT"] > 0


if __name__ == "__main__":
    sys.exit(main())
