# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the lit and unit tests of a build with all mutants, one test at a time."""
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

# Tests that build other projects, draw figures or try what passes have no part in, and those that take minutes.
LEFT_OUT = re.compile("^(Docs|Plugin|CAPI|Benchmarks|Runtime|Mutants|Robustness/malformed|Robustness/corpus|Tools/pit-lsp|Target/Object|"
                      "Examples/find-package|Tools/pit-compile|Fuzz/faults|Fuzz/reduce|Examples/reruns|Examples/examples|Robustness/named-ops|"
                      "Integration/CPU/models|Endurance)|/assemble.test$")
UNIT_TESTS = ["Analysis/PITAnalysisTests", "Rules/PITRuleTests", "Conversion/PITConversionTests",
              "Conversion/PITPredictedKernelsTests", "Selection/PITSelectionTests"]
TARGETS = ["pit-opt", "pit-run", "pit-translate", "pit-fuzz", *(os.path.basename(test) for test in UNIT_TESTS)]
MEMORY = 8 << 30


def import_lit():
    llvm = os.environ.get("LLVM_ROOT", "/usr/lib/llvm-22")
    for folder in (f"{llvm}/utils/lit", f"{llvm}/build/utils/lit"):
        if os.path.isdir(folder):
            sys.path.insert(1, folder)
    import lit.discovery
    import lit.LitConfig
    import lit.Test
    return lit


class LitTest:
    def __init__(self, lit, config, test):
        self.lit, self.config, self.test = lit, config, test
        self.name = "/".join(test.path_in_suite)

    def __call__(self):
        """Whether it passes, or None where it is not supported."""
        result = self.test.config.test_format.execute(self.test, self.config)
        code = result.code if isinstance(result, self.lit.Test.Result) else result[0]
        return None if code.name == "UNSUPPORTED" else not code.isFailure

    def environment(self):
        return self.test.config.environment


class UnitTest:
    def __init__(self, build, name):
        self.name, self.program, self.variables = f"unittests/{name}", os.path.join(build, "unittests", name), dict(os.environ)

    def __call__(self):
        return subprocess.run([self.program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.variables, check=False).returncode == 0

    def environment(self):
        return self.variables


def find(build):
    lit = import_lit()
    config = lit.LitConfig.LitConfig(
        progname="lit", path=[], diagnostic_level="error", useValgrind=False, valgrindLeakCheck=False, valgrindArgs=[], noExecute=False,
        debug=False, isWindows=False, order="lexical", params={})
    found = lit.discovery.find_tests_for_inputs(config, [os.path.join(build, "test")])
    return ([LitTest(lit, config, test) for test in found if not LEFT_OUT.search("/".join(test.path_in_suite))]
            + [UnitTest(build, name) for name in UNIT_TESTS])


def run(test, seconds, mutant=None, log=None):
    """(outcome, seconds): "pass", "fail", "unsupported" or "timeout". In a process of its own, which ends with all that it started.
    Seconds are the processor's, of this process and all that it waited for: the machine may do something else, too. So are
    the limits; a test that only waits ends after 20 times that long."""
    variables = {"PIT_MUTANT": None if mutant is None else str(mutant), "PIT_MUTANT_LOG": log}
    begin = time.monotonic()
    child = os.fork()
    if child == 0:
        code = 3
        try:
            os.setsid()
            with open(os.devnull, "w", encoding="utf-8") as null:
                os.dup2(null.fileno(), 1)
                os.dup2(null.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
            for name, value in variables.items():
                if value is None:
                    test.environment().pop(name, None)
                else:
                    test.environment()[name] = value
            passes = test()
            code = 2 if passes is None else 0 if passes else 1
        finally:
            os._exit(code)
    outcome = None
    while outcome is None:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            outcome = {0: "pass", 2: "unsupported"}.get(code, "fail")
        elif time.monotonic() - begin > 20 * seconds:
            os.killpg(child, signal.SIGKILL)
            _, _, usage = os.wait4(child, 0)
            outcome = "timeout"
        else:
            time.sleep(0.005)
    return outcome, usage.ru_utime + usage.ru_stime


def learn(tests, limit, learned, save):
    """What each test does without a mutant: its time, and the mutants that it comes by. Tests that do not pass are left out."""
    for test in tests:
        with tempfile.NamedTemporaryFile("r", prefix="pit-mutants-") as log:
            outcome, seconds = run(test, limit, log=log.name)
            # The limit is that of each process; all of them together have to keep it, too.
            if outcome == "pass" and seconds > limit:
                outcome = "timeout"
            if outcome == "pass":
                learned[test.name] = {"seconds": round(seconds, 2), "reached": sorted({int(line) for line in log.read().split()})}
            else:
                learned[test.name] = {"seconds": round(seconds, 2), "left_out": outcome, "reached": []}
                if outcome != "unsupported":
                    print(f"left out, {outcome}: {test.name}", flush=True)
        save()


def order(learned, mutant):
    """The names of the tests that come by it: those of its folder first, then the one that compares kernels, and others by time."""
    folder = "/".join(os.path.dirname(mutant["file"]).split("/")[1:])
    last = folder.split("/")[-1]

    def key(name):
        if name.startswith("Conversion/Texts"):
            return 1, learned[name]["seconds"]
        is_near = (folder in name or f"/{last}/" in name) and learned[name]["seconds"] < 5
        return 0 if is_near else 2, learned[name]["seconds"]

    return sorted((name for name, test in learned.items() if mutant["number"] in test["reached"]), key=key)


def examine(tests, learned, mutant, budget):
    names = order(learned, mutant)
    if not names:
        return {"outcome": "not reached"}
    spent = 0
    for number, name in enumerate(names):
        if spent > budget:
            return {"outcome": "survived", "tests": number, "left_out": len(names) - number}
        spent += learned[name]["seconds"]
        outcome, _ = run(tests[name], 20 + 3 * learned[name]["seconds"], mutant=mutant["number"])
        if outcome != "pass":
            return {"outcome": "caught", "by": name, **({"how": "no end"} if outcome == "timeout" else {})}
    return {"outcome": "survived", "tests": len(names)}
