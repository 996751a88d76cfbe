"""What PIT makes of functions of other projects: right, refused by name, or wrong.

    judge.py [--cpu OPTIONS] [--ptx OPTIONS] [--keep DIR] [-o FILE] --pit-opt FILE --source DIR FOLDER-OR-FILE...

Every function that is a whole program on tensors goes through the pipeline to the CPU and that to PTX. It is right where it compiles and
nothing of the levels above is left. It is refused where there is one diagnostic, in PIT's own words, at a place, of an op that the program
has, and nothing is printed behind it. All else is wrong: a crash, no end, an internal error, words of upstream. Fails where one is wrong.

With --agree, which names a Python that has numpy, what is right for the CPU is run as well, see agree.py: it is wrong if it computes
something else than upstream's lowering.
"""

import argparse
import collections
import glob
import itertools
import json
import multiprocessing.pool
import os
import re
import subprocess
import sys
import tempfile

import reports
import whole_programs

# What is left for other passes: the host's side of the PTX pipeline, and code.
LEFT = {"cpu": {"llvm", "builtin"}, "ptx": {"llvm", "builtin", "func", "gpu", "memref", "arith", "scf", "cf", "math", "affine", "nvgpu", "pit", "index", "ub"}}


def read_words(source):
    """PIT's messages: the string literals of its sources, with those joined that stand side by side, as words alone."""
    words = []
    for file in glob.glob(os.path.join(source, "lib", "**", "*.cpp"), recursive=True) + glob.glob(os.path.join(source, "lib", "**", "*.h"), recursive=True):
        with open(file, encoding="utf-8") as stream:
            text = re.sub(r'"\s*\n?\s*"', "", stream.read())
        words += [" ".join(re.findall(r"[A-Za-z]+", literal)) for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text)]
    return " | ".join(words)


def is_ours(message, words):
    """Whether three words in a row of a message, outside of quotes, are in a literal of PIT's sources."""
    for run in re.split(r"'[^']*'|\"[^\"]*\"|[^A-Za-z ,;.]+", message):
        run = re.findall(r"[A-Za-z]+", run)
        if any(" ".join(run[i:i + 3]) in words for i in range(len(run) - 2)):
            return True
    return False


def judge(target, program, code, out, errors, words):
    """(verdict, why)."""
    if code is None:
        return "wrong", "no end"
    if code < 0 or code > 1 or reports.CRASH.search(errors):
        owner, frames = reports.blame_dump(errors)
        return "wrong", f"crash of {owner}'s: {' '.join(frames[:2])}"
    messages = re.findall(r"^(.*?):? ?error: (.*)$", errors, re.M)
    if code == 0:
        if messages:
            return "wrong", "an error and exit code 0: " + messages[0][1]
        left = {name for name, _ in whole_programs.OP.findall(out)} - LEFT[target]
        if left:
            return "wrong", "half lowered: " + ", ".join(sorted(left))
        return "right", ""
    if not messages:
        return "wrong", "exit code 1 without a diagnostic"
    place, message = messages[0]
    short = re.sub(r"\b\d+\b", "N", message)[:160]
    if len(messages) > 1:
        return "wrong", f"{len(messages)} diagnostics: {short}"
    named = re.match(r"'([\w.$]+)' op", message)
    if named and named.group(1) not in program.ops and named.group(1) != "builtin.module":
        return "wrong", "an op that the program does not have: " + short
    if not is_ours(message, words):
        return "wrong", "words of upstream: " + short
    if not re.search(r":\d+:\d+$", place):
        return "wrong", "no place: " + short
    if re.search(r"^(module|\"builtin\.module\")", errors, re.M):
        return "wrong", "a module behind the diagnostic: " + short
    return "refused", short


def run_tool(options, target, text, is_split, timeout):
    """(exit code, output, errors) of the pipeline to a target; the exit code is None where it does not end."""
    flag = "--pit-to-cpu" + ("=" + options.cpu if options.cpu else "") if target == "cpu" else "--pit-to-ptx=" + options.ptx
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        command = [options.pit_opt, flag, "--mlir-print-op-generic", "--mlir-elide-elementsattrs-if-larger=8", file.name]
        try:
            done = subprocess.run(command + ["--split-input-file"] * is_split, capture_output=True, timeout=timeout, check=False)
        except subprocess.TimeoutExpired:
            return None, "", ""
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def judge_programs(options, target, programs, words):
    """The verdicts on programs. Many go through one process; those that it says anything of then go through one each."""
    code, out, errors = run_tool(options, target, "// -----\n".join(program.text for program in programs), True, options.timeout * 2)
    printed = out.split("// -----\n")
    if code not in (0, 1) or len(printed) != len(programs):
        printed = [""] * len(programs)
    verdicts = []
    for program, text in zip(programs, printed):
        if text.strip() and (code == 0 and "error:" not in errors or code == 1):
            verdicts.append(judge(target, program, 0, text, "", words))
        else:
            verdicts.append(judge(target, program, *run_tool(options, target, program.text, False, options.timeout), words))
    return verdicts


def run_program(options, program):
    """What agree.py says of a program."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(program.text)
        file.flush()
        command = [options.agree, os.path.join(os.path.dirname(os.path.abspath(__file__)), "agree.py"), file.name, program.name,
                   "--pit-run", options.pit_run, "--llvm", os.path.dirname(options.mlir_opt)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "not run: " + done.stderr.strip().splitlines()[-1][:160]


def batches(items, size):
    items = iter(items)
    while batch := list(itertools.islice(items, size)):
        yield batch


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--pit-opt", default="pit-opt")
    parser.add_argument("--mlir-opt", default="mlir-opt")
    parser.add_argument("--source", required=True, help="PIT's sources, whose words are its own")
    parser.add_argument("--cpu", default="", help="options of --pit-to-cpu")
    parser.add_argument("--ptx", default="chip=sm_90a", help="options of --pit-to-ptx")
    parser.add_argument("--agree", help="a Python with numpy: run what compiles for the CPU, and compare")
    parser.add_argument("--pit-run", default="pit-run")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--corpus", default="", help="what the programs are, for the JSON file")
    parser.add_argument("--keep", help="write the programs that are not right here")
    parser.add_argument("-o", dest="output", help="write the counts as JSON here")
    options = parser.parse_args()
    words = read_words(options.source)
    skipped = collections.Counter()
    counts = {target: {verdict: collections.Counter() for verdict in ("right", "refused", "wrong")} for target in ("cpu", "ptx")}

    def run(items):
        programs = [program for _, program in items]
        verdicts = {target: judge_programs(options, target, programs, words) for target in ("cpu", "ptx")}
        if options.agree:
            verdicts["run"] = [run_program(options, program) if verdict == "right" else "not run: refused"
                               for program, (verdict, _) in zip(programs, verdicts["cpu"])]
        return items, verdicts

    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    ran = {said: collections.Counter() for said in ("agrees", "differs", "not run")}
    number, functions, wrong = 0, 0, []
    programs = whole_programs.read_programs(options.mlir_opt, options.paths, skipped)
    with multiprocessing.pool.ThreadPool(options.jobs) as pool:
        for items, verdicts in pool.imap(run, batches(programs, 24)):
            functions += len(items)
            for target in counts:
                for (place, program), (verdict, why) in zip(items, verdicts[target]):
                    counts[target][verdict][why] += 1
                    if verdict == "wrong":
                        wrong.append(f"{place} @{program.name} ({target}): {why}")
                    if options.keep and verdict != "right":
                        number += 1
                        with open(os.path.join(options.keep, f"{target}-{verdict}-{number}.mlir"), "w", encoding="utf-8") as file:
                            file.write(f"// {place} @{program.name}: {why}\n{program.text}")
            for (place, program), said in zip(items, verdicts.get("run", [])):
                ran[said.split(":")[0]][re.sub(r"[\d.e+-]*\d", "N", said.partition(": ")[2])] += 1
                if said.startswith("differs"):
                    wrong.append(f"{place} @{program.name} (run): {said}")
    commit = subprocess.run(["git", "-C", options.source, "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    result = {"schema": "pit-functions", "version": 1, "commit": commit, "corpus": options.corpus, "functions": functions, "skipped": dict(skipped.most_common())}
    for target, verdicts in counts.items():
        result[target] = {"right": sum(verdicts["right"].values())}
        for verdict in ("refused", "wrong"):
            result[target][verdict] = {"all": sum(verdicts[verdict].values()), **dict(verdicts[verdict].most_common())}
        print(f"{target}: {functions} functions, {result[target]['right']} right, {result[target]['refused']['all']} refused, "
              f"{result[target]['wrong']['all']} wrong")
    if options.agree:
        result["run"] = {"agrees": sum(ran["agrees"].values()), "differs": sum(ran["differs"].values()),
                         "not run": dict(ran["not run"].most_common())}
        print(f"run: {result['run']['agrees']} agree with upstream, {result['run']['differs']} differ")
    print("\n".join(wrong))
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=2)
            file.write("\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
