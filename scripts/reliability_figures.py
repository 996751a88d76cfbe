#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/Reliability.md and its pages that say what committed result files hold.

    scripts/reliability_figures.py [--check] [--docs FOLDER] [--results FOLDER]

A table lies between <!-- begin NAME --> and <!-- end NAME -->. With --check nothing is written, and the exit code is 1
where a table says something else than the files.
"""
import argparse
import difflib
import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, "test", "results")


def read(kind):
    """(name, contents) of each file of a folder of test/results, by name. A table of files that are not there would be empty."""
    paths = sorted(glob.glob(os.path.join(RESULTS, kind, "*.json")))
    if not paths:
        sys.exit(f"error: no results in {os.path.join(RESULTS, kind)}")
    for path in paths:
        with open(path, encoding="utf-8") as file:
            yield os.path.basename(path)[: -len(".json")], json.load(file)


def table(head, rows):
    if not rows:
        return "None.\n"
    lines = [f"| {' | '.join(map(str, row))} |" for row in (head, ["---"] * len(head), *rows)]
    return "\n".join(lines) + "\n"


def fuzz():
    rows = []
    for name, result in read("fuzz"):
        outcomes, elements = result["outcomes"], result["elements"]
        failed = sum(count for outcome, count in outcomes.items() if outcome not in ("agrees", "skipped", "refused", "compiled"))
        rows.append([name, result.get("target", "cpu"), ":".join(map(str, result["seeds"])), result["programs"],
                     result.get("runs_of_each", 1), outcomes["agrees"], outcomes.get("refused", 0), failed, elements["compared"],
                     elements["bit_exact"], result["commit"][:12]])
    return table(["run", "target", "seeds", "programs", "runs of each", "agree", "refused", "fail", "elements compared",
                  "of them bit by bit", "commit"], rows)


def failures():
    rows = []
    for name, result in read("fuzz"):
        rows += [[name, failure["seed"], failure["outcome"], failure["message"].strip().rstrip(";").replace("|", "\\|")]
                 for failure in result["failures"]]
    return table(["run", "seed", "outcome", "message"], rows)


def count_failed(result):
    return sum(count for outcome, count in result["outcomes"].items() if outcome not in ("agrees", "skipped", "refused", "compiled"))


def gradients():
    rows = []
    for name, result in read("fuzz-gradients"):
        drawn, elements = result["coverage"], result["elements"]
        rows.append([name, result["target"], ":".join(map(str, result["seeds"])), result["programs"], result["outcomes"]["agrees"], count_failed(result),
                     drawn.get("compared with differences", 0), drawn.get("two entry points", 0),
                     drawn.get("attention", 0) + drawn.get("attention again", 0), elements["compared"], elements["bit_exact"], result["commit"][:12]])
    return table(["run", "target", "seeds", "programs", "agree", "fail", "compared with differences", "two entry points", "attentions",
                  "elements compared", "of them bit by bit", "commit"], rows)


def wrong_arguments():
    rows = []
    for name, result in read("wrong-arguments"):
        calls = result["coverage"]
        kinds = ["call that does not fit, refused", "call with elements out of range, refused", "call that fits, right"]
        rows.append([name, result["target"], ":".join(map(str, result["seeds"])), result["programs"],
                     *(calls.get(kind, 0) for kind in kinds), count_failed(result), result["commit"][:12]])
    return table(["run", "target", "seeds", "programs", "calls that do not fit, refused", "with elements out of range, refused",
                  "that fit, right", "programs that fail", "commit"], rows)


def wrong_marks():
    rows = []
    for name, result in read("wrong-marks"):
        counts = result["coverage"]
        kinds = ["attribute refused", "attribute warned of", "attribute understood", "attribute at odds with the data"]
        rows.append([name, result["target"], ":".join(map(str, result["seeds"])), result["programs"],
                     *(counts.get(kind, 0) for kind in kinds), count_failed(result), result["commit"][:12]])
    return table(["run", "target", "seeds", "programs", "refused", "warned of", "understood", "at odds with the data", "fail", "commit"], rows)


def unit_extents():
    rows = []
    for name, result in read("unit-extents"):
        counts, outcomes = result["coverage"], result["outcomes"]
        rows.append([name, ":".join(map(str, result["seeds"])), result["programs"], outcomes.get("skipped", 0), counts.get("rules", 0),
                     outcomes["agrees"], outcomes.get("mismatch", 0), count_failed(result) - outcomes.get("mismatch", 0),
                     result["commit"][:12]])
    return table(["run", "seeds", "programs", "without such a form", "rules that are the same", "agree", "other rules or results", "fail otherwise",
                  "commit"], rows)


def random_modules():
    rows = []
    for name, result in read("random-modules"):
        outcomes = result["outcomes"]
        rows.append([name, result["modules"], *(outcomes[outcome] for outcome in ("right", "refused", "wrong", "crash")), result["with_gradients"],
                     result["dynamic"], result["compiled_graphs"], len(result["modules_with_op"]), result["commit"][:12]])
    return table(["run", "modules", "right", "a part left to torch", "wrong", "crash", "with gradients", "`dynamic=True`", "compiled graphs", "operations",
                  "commit"], rows)


def module_refusals():
    rows = []
    for name, result in read("random-modules"):
        rows += [[name, f"`{reason.replace('|', '/')}`", entry["modules"]] for reason, entry in result["refusals"].items()]
    return table(["run", "operation, and reason", "modules"], rows)


def refusals():
    rows = []
    for name, result in read("fuzz"):
        rows += [[name, limit, entry["programs"], ", ".join(map(str, entry["first_seeds"][:4]))]
                 for limit, entry in sorted(result.get("refusals", {}).items())]
    return table(["run", "limit", "programs", "first seeds"], rows)


def abuse():
    rows = []
    for name, result in read("runtime"):
        for family, counts in sorted(result["families"].items()):
            outcomes = "; ".join(f"{outcome} ({count})" for outcome, count in counts.items() if outcome not in ("cases", "failures"))
            rows.append([name, family, counts["cases"], counts["failures"], outcomes])
        rows.append([name, "**all**", result["cases"], result["failures"], ""])
    return table(["run", "family", "cases", "failures", "outcome"], rows)


def reruns():
    rows = []
    for name, result in read("reruns"):
        programs = result["programs"]
        rows.append([name, result["target"], len(programs), sum(p["runs"] for p in programs), result["jobs"],
                     sum(p.get("hashes") != 1 for p in programs), result["commit"][:12]])
    return table(["run", "target", "programs and inputs", "runs", "at a time", "other bits or failed", "commit"], rows)


def endurance():
    """Reruns of each workload; what differed; memory of the device and of the process, in bytes."""
    rows = []
    for name, result in read("endurance"):
        workloads, memory = result["workloads"], result["memory"]
        reruns = [workload["reruns"] for workload in workloads.values()]
        differ = {}
        for workload in workloads.values():
            for region, count in workload["differ"].items():
                differ[region] = differ.get(region, 0) + count
        process, free = memory["process_bytes"], memory.get("device_free_bytes")
        rows.append([name, result["device"] or result["target"], result["seconds"], len(workloads), min(reruns), sum(reruns),
                     "; ".join(f"{region} {count}" for region, count in differ.items()),
                     f"{len(free)} value{'s'[:len(free) - 1]} in {sum(free.values())} samples" if free else "",
                     f"{process['last'] - process['first']:+d}", len(result["failures"]), result["commit"][:12]])
    return table(["run", "device", "s", "workloads", "fewest reruns of one", "reruns", "reruns with other bits", "free memory of the device",
                  "bytes by which the process grew", "failures", "commit"], rows)


def endurance_workloads():
    rows = []
    for name, result in read("endurance"):
        for workload, entry in result["workloads"].items():
            modes = "; ".join(f"{mode} ({count})" for mode, count in entry["modes"].items())
            rows.append([name, workload, entry["reruns"], modes, f"{entry['error']:.1e}"])
    return table(["run", "workload", "reruns", "of them", "relative error of the first"], rows)


def judged():
    """Reasons by number of the mutant: what is equivalent, and what else is known of those that are not caught."""
    with open(os.path.join(ROOT, "test", "Mutants", "judged.json"), encoding="utf-8") as file:
        return {int(number): entry for number, entry in json.load(file).items()}


def mutants():
    rows, reasons = [], judged()
    for name, result in read("mutants"):
        groups = {}
        for mutant in result["mutants"]:
            groups.setdefault("/".join(mutant["file"].split("/")[:3 if mutant["file"].startswith("lib/Conversion") else 2]), []).append(mutant)
        groups = {**dict(sorted(groups.items())), "**all**": result["mutants"]}
        for group, found in groups.items():
            caught = [mutant for mutant in found if mutant["outcome"] == "caught"]
            texts = sum(mutant["by"].startswith("Conversion/Texts/") for mutant in caught)
            since = sum("since" in mutant for mutant in caught)
            missed = [mutant for mutant in found if mutant["outcome"] != "caught"]
            equivalent = sum(reasons.get(mutant["number"], {}).get("outcome") == "equivalent" for mutant in missed)
            differ = len(found) - equivalent
            rows.append([name, group, len(found), equivalent, len(caught), texts, since, sum(mutant["outcome"] == "not reached" for mutant in missed),
                         len(missed) - equivalent, f"{100 * len(caught) / differ:.1f} %" if differ else ""])
    return table(["run", "sources", "examined", "equivalent", "caught", "of them by the text of kernels", "by a test added since", "reached by no test", "not caught",
                  "caught of those that differ"], rows)


def survivors():
    rows, reasons = [], judged()
    for name, result in read("mutants"):
        for mutant in result["mutants"]:
            if mutant["outcome"] == "caught":
                continue
            entry = reasons.get(mutant["number"], {"outcome": mutant["outcome"], "reason": "not looked into"})
            change = f"`{mutant['from']}` -> `{mutant['to']}`".replace("|", "\\|")
            rows.append([mutant["number"], f"{mutant['file'][4:]}:{mutant['line']}", change, entry["outcome"], entry["reason"]])
    return table(["mutant", "place", "change", "outcome", "why"], rows)


def by_owner(failures):
    """`PIT's` and `upstream's` failures."""
    ours = sum(failure["count"] for failure in failures if failure["owner"] == "PIT")
    upstream = sum(failure["count"] for failure in failures if failure["owner"] in ("upstream", ""))
    return [ours, upstream]


def malformed():
    rows = []
    for name, result in read("robustness"):
        if result["schema"] == "pit-malformed":
            outcomes = result["outcomes"]
            rows.append([name, "address, undefined" if result.get("sanitizer") else "none", result["runs"],
                         sum(result["pipelines"].get("bytecode", {}).values()), result["seconds"], outcomes["refused"], outcomes["compiled"],
                         outcomes.get("hang", 0), *by_owner(result["failures"]), result["commit"][:12]])
    return table(["run", "sanitizers", "programs", "of them bytecode", "s", "refused", "compiled", "hangs", "failures in PIT", "in upstream", "commit"], rows)


def coverage():
    rows = []
    for name, result in read("robustness"):
        if result["schema"] == "pit-coverage":
            rows.append([name, result["fuzzer"], result["inputs"], result["seconds"], result["edges"], result["kept"], *by_owner(result["failures"]),
                         result["commit"][:12]])
    return table(["run", "fuzzer", "inputs", "s", "edges reached", "inputs kept", "failures in PIT", "in upstream", "commit"], rows)


def functions():
    rows = []
    for name, result in read("robustness"):
        if result["schema"] == "pit-functions":
            for target in ("cpu", "ptx"):
                counts = result[target]
                rows.append([name, result["corpus"], target, result["functions"], counts["right"], counts["refused"]["all"], counts["wrong"]["all"],
                             result["commit"][:12]])
    return table(["run", "programs", "target", "functions", "compiled", "refused by name", "wrong", "commit"], rows)


TABLES = {"mutants": mutants, "survivors": survivors, "fuzz": fuzz, "failures": failures, "gradients": gradients, "wrong-arguments": wrong_arguments, "wrong-marks": wrong_marks, "unit-extents": unit_extents, "random-modules": random_modules,
          "module-refusals": module_refusals, "refusals": refusals, "reruns": reruns, "abuse": abuse,
          "endurance": endurance, "endurance-workloads": endurance_workloads,
          "malformed": malformed, "coverage": coverage, "functions": functions}


# Where tables may stand, below the folder of the documentation.
PAGES = ["Reliability.md", "reliability/*.md", "notebook/*.md"]


def main():
    global RESULTS
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--results", default=RESULTS)
    parser.add_argument("--docs", default=os.path.join(ROOT, "docs"))
    options = parser.parse_args()
    RESULTS = options.results
    old = {}
    for path in sorted(path for pattern in PAGES for path in glob.glob(os.path.join(options.docs, pattern))):
        with open(path, encoding="utf-8") as file:
            old[path] = file.read()
    new = dict(old)
    for name, make in TABLES.items():
        place = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.S)
        having = [path for path, text in new.items() if place.search(text)]
        if len(having) != 1:
            sys.exit(f"{len(having)} pages of {options.docs} have a place for the table '{name}', one is expected")
        new[having[0]] = place.sub(lambda match: match.group(1) + make() + match.group(2), new[having[0]])
    if options.check:
        for path, text in old.items():
            sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), new[path].splitlines(True), path, "the results"))
        return int(old != new)
    for path, text in new.items():
        if text != old[path]:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
