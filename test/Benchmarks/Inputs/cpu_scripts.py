# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks the scripts of benchmarks/cpu for help, and runs bench_examples.py with a pit-run that only prints."""
import contextlib
import glob
import importlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

CPU = sys.argv.pop(1)
sys.path.insert(0, CPU)

# Times grow from call to call, the dense one's faster; what it was called with is kept.
PRINTS = """#!{python}
import os, sys
folder = os.path.dirname(sys.argv[0])
with open(os.path.join(folder, "calls"), "a+") as file:
    file.write(" ".join(sys.argv[1:]) + "\\n")
    file.seek(0)
    number = len(file.readlines())
if "conv2d" in sys.argv[1]:
    sys.exit("one\\nno such\\nthing\\nas this")
if "masked" in sys.argv[1] and "--bench" in sys.argv:
    sys.exit(0)
if "--check" in sys.argv:
    print("check: result 0: bit-identical (8 elements)")
    print("check: without dense variants, result 0: bit-identical (8 elements)")
if any(word.startswith("--report") for word in sys.argv):
    print("rule  location    kind                 PIT-axis       micro-tile  live/total  skipped  waste  sparse up to"
          "  ran     sparse ms  dense ms  bound ms")
    rule = ("{{}}     a.mlir:1:2  values, annihilated  k (reduction)  32x1        5/20        75.0%    0.0%   30.0%       "
            "  sparse  0.250      3.000     2.500")
    print(rule.format(0))
    if "moe_gate" in sys.argv[1]:
        print(rule.format(1))
    if "reduce_sum" in sys.argv[1]:
        print("1     a.mlir:1:2  values               -              1x1         -           -        -      never       "
              "  dense   0.250      3.000     -")
    print("report: skipped 15 of 20 micro-tiles (75.0%)")
    print("report: pattern 7 was found in 0.125 ms")
if "--bench" in sys.argv:
    print(f"bench: sparse {{number:.3f}} ms, dense {{10 * number:.3f}} ms, 10.00x (medians of 9)")
"""


class Options(unittest.TestCase):
    def test_every_script_explains_itself(self):
        paths = glob.glob(os.path.join(CPU, "*.py"))
        self.assertGreater(len(paths), 2)
        for path in paths:
            with self.subTest(path):
                # A process each: benchmarks/gpu has scripts of the same names.
                result = subprocess.run([sys.executable, "-B", path, "--help"], capture_output=True, text=True, check=True)
                self.assertIn(os.path.basename(path), result.stdout)


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        path = os.path.join(self.folder, "pit-run")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PRINTS.format(python=sys.executable))
        os.chmod(path, 0o755)
        self.script = importlib.import_module("bench_examples")

    def main(self, *arguments):
        """(exit code, what is printed, what is written) of the script."""
        out, output = io.StringIO(), os.path.join(self.folder, "out.json")
        with mock.patch.object(sys, "argv", ["bench_examples", "--output", output, *arguments, self.folder]), \
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                code = self.script.main()
            except SystemExit as end:
                code = end.code
        if not os.path.exists(output):
            return code, out.getvalue(), None
        with open(output, encoding="utf-8") as file:
            return code, out.getvalue(), json.load(file)

    def calls(self):
        with open(os.path.join(self.folder, "calls"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_programs_are_there(self):
        cases = self.script.list_cases()
        self.assertEqual(len({case.name for case in cases}), len(cases))
        for case in cases:
            with self.subTest(case.name):
                path = os.path.join(self.folder, "model.mlir")
                if case.group == "models":
                    self.script.write_model(case.program, path)
                    with open(path, encoding="utf-8") as file:
                        program = file.read()
                    self.assertNotIn("bf16", program)
                    self.assertGreaterEqual(program.partition(")")[0].count("%"), len(case.data))
                else:
                    self.assertTrue(os.path.exists(os.path.join(self.script.SOURCE, "examples", case.program)))

    def test_a_record(self):
        code, text, written = self.main("--only", "top-1, 512", "--rounds", "2", "--machine", "a fake")
        self.assertEqual(code, 0, text)
        record, = written["cases"]
        self.assertEqual((written["machine"], written["threads"], written["rounds"]), ("a fake", 1, 2))
        self.assertEqual(record["program"], "examples/torch/moe_gate_arg.mlir")
        self.assertEqual(record["arguments"][:2] + record["arguments"][-2:], ["--random", "normal", "--bench", "9"])
        self.assertEqual(record["check"][0], "result 0: bit-identical (8 elements)")
        self.assertEqual(record["patterns"], [{"kind": "values, annihilated", "micro_tile": "32x1", "live": 5, "total": 20,
                                               "ran": "sparse", "rules": 2}])
        # Of the calls, the first compares and the second is the faster one.
        self.assertEqual([record[key] for key in ("sparse_ms", "dense_ms", "ratio")], [2., 20., 10.])
        calls = self.calls()
        self.assertEqual([("--check" in call, "--bench" in call) for call in calls], [(1, 0), (0, 1), (0, 1)])
        self.assertTrue(all("--target=cpu" in call for call in calls))

    def test_a_rule(self):
        record, = self.main("--only", "relu_ffn", "--rounds", "1")[2]["cases"]
        self.assertEqual(record["rule"], {"detection_ms": .125, "sparse_ms": .375, "dense_ms": 3., "ratio": 8.})

    def test_without_dense_variants(self):
        code, text, written = self.main("--only", "reduce_sum", "--rounds", "1", "--runs", "2")
        self.assertEqual(code, 0, text)
        self.assertEqual([record["zeros"] for record in written["cases"]], [0, .9, .95])
        self.assertEqual(written["cases"][0]["patterns"][1], {"kind": "values", "micro_tile": "1x1", "ran": "dense", "rules": 1})
        self.assertEqual(written["cases"][0]["without_variants"], {"sparse_ms": 3., "dense_ms": 30., "ratio": 10.})
        self.assertIn("--bench 2 --no-dense-variants", self.calls()[2])

    def test_models(self):
        record, = self.main("--only", "opt-small-relu", "--rounds", "1")[2]["cases"]
        self.assertEqual((record["family"], record["layers"], record["alike"]), ("opt", 3, 32))
        self.assertIn("column-signs:0.9", record["arguments"])

    def test_failures_are_records(self):
        code, text, written = self.main("--only", "examples", "--rounds", "2")
        failed = {record["program"]: record["failed"] for record in written["cases"] if "failed" in record}
        self.assertEqual(code, 1)
        self.assertEqual(failed, {"examples/conv2d_channels.mlir": "no such\nthing\nas this",
                                  "examples/masked_attention.mlir": "no times in ''"})
        self.assertIn("FAILED convolution", text)
        self.assertEqual(sum("conv2d" in call for call in self.calls()), 1)
        self.assertEqual(len(written["cases"]), len(list(self.script.list_examples())))

    def test_no_such_case(self):
        code, _, written = self.main("--only", "taisl")
        self.assertEqual((code, written), ("no case contains 'taisl'", None))


if __name__ == "__main__":
    unittest.main()
