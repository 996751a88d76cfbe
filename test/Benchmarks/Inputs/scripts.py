# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the scripts of benchmarks/gpu as far as they get without a GPU, torch and numpy, for which fakes stand in."""
import contextlib
import glob
import importlib
import io
import json
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

GPU = sys.argv.pop(1)


class Fake(types.ModuleType):
    """Has whatever it is asked for, and may be called."""

    def __init__(self, name="fake"):
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Fake(name)

    def __call__(self, *arguments, **options):
        return Fake()


def fake_torch():
    torch = Fake("torch")
    torch.cuda, torch.nn, torch.__version__ = Fake("cuda"), Fake("nn"), "1.0"
    torch.cuda.get_device_name = lambda: "a fake"
    torch.nn.Module = object  # to be derived from
    return {"torch": torch, "torch.nn": torch.nn, "torch.nn.functional": Fake(), "numpy": Fake()}


# What each script is given besides options, X being a folder without a case.
TAKES_CASES = {"bench_matmul": ["X"], "bench_grouped": ["X:1:1"], "bench_mma": ["X"], "bench_f32": ["X"], "bench_epilogues": ["X:5"],
               "bench_moe": ["X:5"], "bench_sums": ["X"], "bench_listed_sum": ["D", "X"],
               "bench_models": ["X"], "bench_peers_dense": ["X"], "bench_peers_moe": ["X:5"], "bench_peers_sparse": ["X"]}


class ScriptTest(unittest.TestCase):
    def setUp(self):
        patches = [mock.patch.dict(sys.modules, fake_torch()), mock.patch.object(sys, "path", [GPU, *sys.path])]
        for patch in patches:
            patch.start()
            self.addCleanup(patch.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def main(self, name, *arguments):
        """(exit code, standard output) of a script."""
        module, out = importlib.import_module(name), io.StringIO()
        with mock.patch.object(sys, "argv", [name, *arguments]), contextlib.redirect_stdout(out), \
                contextlib.redirect_stderr(out):
            try:
                main = getattr(module, "main", None)
                code = main() if main else module.builder.main(module.__doc__, module.CASES, module.build)
            except SystemExit as end:
                code = end.code
        return code, out.getvalue()

    def harness(self):
        return importlib.import_module("harness")

    def output(self):
        with open(os.path.join(self.folder, "out.json"), encoding="utf-8") as file:
            return json.load(file)


class Options(ScriptTest):
    def test_every_script_explains_itself(self):
        names = [os.path.basename(path)[:-3] for kind in ("bench", "build", "check", "run")
                 for path in glob.glob(os.path.join(GPU, kind + "_*.py"))]
        self.assertGreater(len(names), 15)
        for name in names:
            with self.subTest(name):
                code, text = self.main(name, "--help")
                self.assertEqual(code, 0)
                self.assertIn(name, text)

    def test_a_name_that_no_case_has(self):
        for name, arguments in {"build_sums": ["bin", "out", "taisl"], "build_mma": ["bin", "out", "taisl"],
                                "build_detect": ["bin", "out", "taisl"]}.items():
            with self.subTest(name):
                code, _ = self.main(name, *arguments)
                self.assertIn("no such case: taisl", code)


class Cases(ScriptTest):
    def test_a_case_that_is_not_there(self):
        for name, arguments in TAKES_CASES.items():
            for check in ["--check"], []:
                if name == "bench_listed_sum" and not check:
                    continue  # the dense one is loaded before all others
                with self.subTest(name, check=check), mock.patch("run_manifest.Driver"):
                    path = os.path.join(self.folder, "out.json")
                    arguments = [text.replace("X", os.path.join(self.folder, "missing")) for text in arguments]
                    code, text = self.main(name, *check, "--output", path, *arguments)
                    self.assertEqual(code, 1)
                    written = self.output()
                    record, = written if isinstance(written, list) else written["cases"]
                    self.assertEqual(json.loads(text), record)
                    self.assertIn("No such file", record["failed"])
                    if isinstance(written, dict):
                        self.assertEqual((written["device"], written["torch"]), ("a fake", "1.0"))

    def run_harness(self, measure, names, *arguments, **how):
        harness, out = self.harness(), io.StringIO()
        options = harness.parser("What it does.").parse_args([
            "--output", os.path.join(self.folder, "out.json"), *arguments, *names])
        with contextlib.redirect_stdout(out):
            code = harness.run(options, options.cases, measure, **how)
        return code, [json.loads(line) for line in out.getvalue().splitlines()]

    def test_failures_are_records(self):
        def measure(name):
            if name == "bad":
                raise KeyError("tile")
            return {"case": name, "ms": 1.5}

        code, lines = self.run_harness(measure, ["one", "bad", "two"])
        expected = [{"case": "one", "ms": 1.5}, {"case": "bad", "failed": "'tile'"}, {"case": "two", "ms": 1.5}]
        self.assertEqual((code, lines), (1, expected))
        self.assertEqual(self.output(), {"device": "a fake", "torch": "1.0", "cases": expected})

    def test_success(self):
        code, lines = self.run_harness(lambda name: {"case": name}, ["one", "two"], describe=list)
        self.assertEqual((code, lines), (0, [{"case": "one"}, {"case": "two"}]))
        self.assertEqual(self.output(), lines)

    def test_nothing_runs_without_a_context(self):
        for message, ran in {"cuCtxSynchronize: illegal address (700)": 1, "CUDA error: misaligned address": 1,
                             "relative error 0.5": 2}.items():
            with self.subTest(message):
                def measure(name):
                    raise RuntimeError(message)

                code, lines = self.run_harness(measure, ["one", "two"])
                self.assertEqual((code, len(lines)), (1, ran))

    def test_mistakes_of_the_script_are_no_records(self):
        with self.assertRaises(AttributeError):
            self.run_harness(lambda name: name.missing, ["one"])

    def test_quiet_prints_failures_alone(self):
        def measure(name):
            if name == "bad":
                raise ValueError("no")
            return {"case": name}

        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            records, failures = self.harness().run_cases(["one", "bad"], measure, quiet=True)
        self.assertEqual((len(records), failures), (2, 1))
        self.assertEqual(json.loads(out.getvalue()), {"case": "bad", "failed": "no"})


class All(ScriptTest):
    """run_all.py; what it runs is replaced."""

    def run_all(self, peers, codes, *names):
        """Exit code, text, and the commands; a run with code 0 or 1 writes one record."""
        commands = []

        def run(command, check):
            commands.append(command[1:])
            with open(command[3], "w", encoding="utf-8") as file:
                json.dump({"device": "a fake", "cases": [{"case": len(commands)}]}, file)
            return types.SimpleNamespace(returncode=codes.pop(0))

        torch = types.SimpleNamespace(**{peer: None for peer in peers})
        with mock.patch("subprocess.run", run), mock.patch.dict(sys.modules, {"torch": torch}):
            code, text = self.main("run_all", os.path.join(self.folder, "cases"), self.folder, *names)
        return code, text, commands

    def make_cases(self, name):
        for case in importlib.import_module("jobs").JOBS[name].cases:
            os.makedirs(os.path.join(self.folder, "cases", name, case))

    def test_cases_can_be_made(self):
        for name, job in importlib.import_module("jobs").JOBS.items():
            with self.subTest(name):
                known = importlib.import_module(job.builder).CASES
                # What stands behind @ is how, not which.
                self.assertEqual([case for case in job.cases if case.removesuffix("-short") not in known
                                  and case.partition("@")[0] not in known], [])
                self.assertTrue(os.path.exists(os.path.join(GPU, job.script + ".py")))

    def test_commands(self):
        code, text = self.main("run_all", "--commands")
        self.assertEqual(code, 0)
        self.assertIn("build_masked_rows.py build/bin OUT/masked-rows masked-rows\n", text)
        self.assertIn("--zipf OUT/moe/mixtral:4096", text)

    def test_missing_cases_and_peers(self):
        self.make_cases("moe")
        code, text, commands = self.run_all([], [], "moe", "sums")
        self.assertEqual((code, commands), (0, []))
        self.assertIn("moe: missing: no torch._grouped_mm", text)
        self.assertIn(f"sums: missing: no {self.folder}/cases/sums", text)
        os.rmdir(os.path.join(self.folder, "cases", "moe", "olmoe"))
        self.assertIn(f"no olmoe in {self.folder}", self.run_all(["_grouped_mm"], [], "moe")[1])

    def test_several_runs_become_one_file(self):
        self.make_cases("moe")
        code, text, commands = self.run_all(["_grouped_mm"], [0, 0], "moe")
        self.assertEqual(code, 0)
        self.assertIn("moe: ok", text)
        self.assertEqual(["--zipf" in command for command in commands], [False, True])
        self.assertIn(f"{self.folder}/cases/moe/mixtral,{self.folder}/cases/moe/mixtral-short:512", commands[0])
        with open(os.path.join(self.folder, "moe.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), {"device": "a fake", "cases": [{"case": 1}, {"case": 2}]})

    def test_failures(self):
        self.make_cases("sums")
        code, text, _ = self.run_all([], [1], "sums")
        self.assertEqual(code, 1)
        self.assertIn("sums: FAILED", text)


class Sanitizers(ScriptTest):
    """check_sanitizers.py, as far as it reads what the tools print."""

    RACE = ("========= Error: Race reported between Write access at main_contraction_0+0x1590\n"
            "=========     and Read access at main_contraction_0+0x1590 [40960 hazards]\n=========\n"
            "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n")
    SHAPE = '{"shape": "tails, m1", "kernels": ["main_contraction_0"], "seconds": 0.1}\n'

    def setUp(self):
        super().setUp()
        self.script = importlib.import_module("check_sanitizers")

    def merge(self, tool, text, code=0):
        return self.script.merge(tool, [(code, text, 1.5)], times=200)

    def test_cases_can_be_made(self):
        families = importlib.import_module("kernel_families").FAMILIES
        for name, family in families.items():
            with self.subTest(name):
                known = getattr(importlib.import_module(family.builder), "CASES", family.cases)
                self.assertEqual([case for case in family.cases if case.removesuffix("-short") not in known and
                                  case.partition("@")[0] not in known], [])
                self.assertTrue(hasattr(importlib.import_module("small_shapes"), family.shapes))

    def test_planted_kernels_are_there(self):
        with open(os.path.join(GPU, "programs", "planted.ptx"), encoding="utf-8") as file:
            text = file.read()
        for _, kernel in self.script.PLANTED + self.script.CORRECT + self.script.MISREAD:
            self.assertIn(f".entry {kernel}(", text)
        self.assertEqual({tool for tool, _ in self.script.PLANTED}, set(self.script.TOOLS))

    def test_what_is_clean(self):
        record = self.merge("memcheck", self.SHAPE + "========= ERROR SUMMARY: 0 errors\n")
        self.assertEqual((record["shapes"], record["errors"], record["kernels"]), (1, 0, 1))
        self.assertTrue(self.script.is_clean(record))
        reruns = self.merge("reruns", self.SHAPE)
        self.assertTrue(self.script.is_clean(reruns))
        self.assertEqual(200, reruns["times"])

    def test_what_is_not(self):
        summary = "========= ERROR SUMMARY: 0 errors\n"
        failed = '{"shape": "tails, m1", "failed": "not exact", "seconds": 0.1}\n'
        for text, code in ((self.SHAPE, 0), (summary, 0), (failed + summary, 1), (self.SHAPE + summary, 9),
                           (self.SHAPE + summary, None), (self.SHAPE + summary.replace("0 errors", "1 error"), 0)):
            with self.subTest(text=text, code=code):
                self.assertFalse(self.script.is_clean(self.merge("memcheck", text, code)))

    def test_races_are_counted(self):
        record = self.merge("racecheck", self.SHAPE + self.RACE)
        self.assertEqual((record["errors"], list(record["reports"].values())), (1, [1]))
        self.assertFalse(self.script.is_clean(record))


class Peers(ScriptTest):
    """What becomes of peers that are there, and of those that are not."""

    def setUp(self):
        super().setUp()
        self.peer = peer = importlib.import_module("peers.peer")

        class Works(peer.Peer):
            captures = False

            def setup(self, data):
                self.facts["seen"] = data
                self.parts["conversion_ms"] = lambda: None
                return lambda: 1

        class Fails(peer.Peer):
            message = "no such block"

            def setup(self, data):
                raise NotImplementedError(self.message)

        class Lost(Fails):
            message = "CUDA error: illegal address"

        self.works, self.fails, self.lost = Works("works"), Fails("fails"), Lost("lost")

    def test_records(self):
        missing, = self.peer.load({"absent": "no_such_peer:Thing"})
        runner = self.peer.Runner([self.works, self.fails, missing], "data", lambda result: result / 4)
        self.assertEqual(runner.records, {
            "works": {"error": .25, "seen": "data"}, "fails": {"missing": "NotImplementedError: no such block"},
            "absent": {"missing": "No module named 'peers.no_such_peer'"}})
        self.assertEqual(list(runner.functions), ["works"])
        times = [[1., 1., 1.], [2., 2., 2.], [3., 4., 5.], [9., 9., 9.]]
        with mock.patch.object(self.peer, "time_flushed", lambda functions, flush, rounds: times[:len(functions)]):
            mine = runner.time({"slow": None, "fast": None}, None, 3)
        self.assertEqual(mine, {"slow": times[0], "fast": times[1]})
        self.assertEqual(runner.records["works"], {"error": .25, "seen": "data", "ms": 4., "conversion_ms": 9., "ratio": 4.})
        self.assertEqual(list(runner.records["fails"]), ["missing"])

    def test_a_wrong_result_is_not_timed(self):
        def check(result):
            raise RuntimeError("relative error 0.5")

        runner = self.peer.Runner([self.works], "data", check)
        self.assertEqual(runner.records["works"], {"missing": "RuntimeError: relative error 0.5"})
        self.assertEqual(runner.functions, {})

    def test_nothing_runs_without_a_context(self):
        with self.assertRaisesRegex(RuntimeError, "lost: NotImplementedError: CUDA error"):
            self.peer.Runner([self.lost], "data", float)

    def test_all_places_are_there(self):
        for script in ("bench_peers_dense", "bench_peers_moe", "bench_peers_sparse"):
            for name, place in importlib.import_module(script).PEERS.items():
                with self.subTest(script, peer=name):
                    module, _, kind = place.partition(":")
                    with open(os.path.join(GPU, "peers", module + ".py"), encoding="utf-8") as file:
                        self.assertIn(f"class {kind}(", file.read())

    def test_a_name_that_no_peer_has(self):
        code, text = self.main("bench_peers_dense", "X", "--peers", "cublas,cublsa")
        self.assertEqual(code, 2)
        self.assertIn("no such peer: cublsa", text)


class Times(ScriptTest):
    def test_ratios_are_of_rounds(self):
        timing = importlib.import_module("timing")
        self.assertEqual(timing.median_ratio([2., 9., 3.], [1., 3., 3.]), 2.)
        self.assertEqual(timing.median_ms([3., 1.23456, 1.]), 1.2346)


if __name__ == "__main__":
    unittest.main()
