# ===- test_cache.py - Compiled programs on disk ----------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Compiled programs on disk: found again, shared by processes, left out where they cannot be."""

import glob
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

import pit_mlir
import programs
from pit_mlir import cache, compiler


def ones():
    return np.ones((3, 4), "f")


# A database of a card that pit-tune has not measured yet.
CARD = """{"version": 1, "device": "%s", "chip": "sm_90a", "multiprocessors": 132, "l2_bytes": 52428800, "memory_gb": 141,
 "memory_gbs": 4800, "families": {"gemm": {"tilings": [{"tile": [128, 256], "stages": 4}]},
 "grouped_gemm": {"tilings": [{"tile": [128, 256], "stages": 4}]}}}"""


class Cache(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        patch = mock.patch.dict(os.environ, {"PIT_MLIR_CACHE": self.folder})
        for each in (patch, mock.patch.object(cache, "_temporary", None), mock.patch.object(cache, "_warned", set())):
            each.start()
            self.addCleanup(each.stop)

    def files(self):
        return [f for f in glob.glob(self.folder + "/**", recursive=True) if os.path.isfile(f)]

    def test_second_time_is_found(self):
        first = pit_mlir.compile(programs.ADD, "cpu")
        with mock.patch.object(compiler, "run", side_effect=AssertionError("compiled again")):
            self.assertEqual(pit_mlir.compile(programs.ADD, "cpu").path, first.path)
        self.assertEqual([first.path], self.files())

    def test_what_the_key_depends_on(self):
        paths = {
            pit_mlir.compile(*what, **options).path
            for what, options in (
                ((programs.ADD, "cpu"), {}),
                ((programs.ADD, "cpu:x86-64"), {}),
                ((programs.ADD, "cuda:sm_80"), {}),
                ((programs.ADD, "cuda:sm_90a"), {}),
                ((programs.ADD, "cpu"), {"strict": True}),
                ((programs.ADD + " ", "cpu"), {}),
            )
        }
        self.assertEqual(len(paths), 6)
        with mock.patch.dict(os.environ, {"PIT_MLIR_BUILD": "another"}):
            self.assertNotIn(pit_mlir.compile(programs.ADD, "cpu").path, paths)
        # A card's database: its name, and what the file holds.
        paths = set()
        with mock.patch.dict(os.environ, {"PIT_CARD": "h100"}):
            paths.add(pit_mlir.compile(programs.ADD, "cuda:sm_90a").path)
        database = os.path.join(self.folder, "card.json")
        for name in ("One", "Two"):
            with open(database, "w", encoding="utf-8") as file:
                file.write(CARD % name)
            with mock.patch.dict(os.environ, {"PIT_CARD": database}):
                paths.add(pit_mlir.compile(programs.ADD, "cuda:sm_90a").path)
        paths.add(pit_mlir.compile(programs.ADD, "cuda:sm_90a").path)
        self.assertEqual(len(paths), 4)

    def test_key_is_of_no_machine(self):
        """What is made for a chip is found on another machine, where nothing can compile."""
        with mock.patch.dict(os.environ, {"PIT_MLIR_BUILD": "1"}):
            path = pit_mlir.compile(programs.ADD, "cuda:sm_90a").path
            with mock.patch.dict(os.environ, {"PIT_MLIR_COMPILER": "/nowhere", "PIT_MLIR_RUNTIME": "x"}):
                self.assertEqual(pit_mlir.compile(programs.ADD, "cuda:sm_90a").path, path)
                with self.assertRaisesRegex(pit_mlir.Error, "pit-compile is not there"):
                    pit_mlir.compile(programs.ADD, "cuda:sm_80")

    def cannot_write(self):
        with self.assertLogs("pit_mlir", logging.WARNING) as logs:
            program = pit_mlir.compile(programs.ADD, "cpu")
            pit_mlir.compile(programs.MASKED, "cpu")
        np.testing.assert_array_equal(program(ones(), ones()), 2 * ones())
        self.assertEqual(len(logs.output), 1, logs.output)
        self.assertIn("cannot be written", logs.output[0])
        self.assertNotIn(self.folder, program.path)

    def test_read_only(self):
        # Nobody can make files there, root neither.
        for where in ("/proc/self/pit-mlir", os.path.join(self.folder, "file")):
            open(os.path.join(self.folder, "file"), "w").close()
            with mock.patch.dict(os.environ, {"PIT_MLIR_CACHE": where}), mock.patch.object(cache, "_temporary", None):
                self.cannot_write()

    def test_full_disk(self):
        rename = os.replace

        def full(old, new):
            if new.startswith(self.folder):
                raise OSError(28, "No space left on device")
            return rename(old, new)

        with mock.patch.object(os, "replace", full):
            self.cannot_write()
        self.assertEqual([f for f in self.files() if "made" in f], [])

    def test_full_disk_of_the_compiler(self):
        real = compiler.run

        def full(source, options, output, explanation=None):
            if output.startswith(self.folder):
                raise OSError(f"cannot write '{output}': No space left on device")
            return real(source, options, output, explanation)

        with mock.patch.object(compiler, "run", full):
            self.cannot_write()

    def test_damaged(self):
        path = pit_mlir.compile(programs.ADD, "cpu").path
        for damage in (lambda d: d[: len(d) // 2], lambda d: b"", lambda d: d[:5000] + b"x" + d[5001:]):
            with open(path, "rb") as file:
                data = file.read()
            # A file that is loaded stays as it is: another one takes its place.
            os.unlink(path)
            with open(path, "wb") as file:
                file.write(damage(data))
            program = pit_mlir.compile(programs.ADD, "cpu")
            np.testing.assert_array_equal(program(ones(), ones()), 2 * ones())

    def test_a_file_that_is_written_again(self):
        """What is loaded is what the file has, not what a file of that name had before."""
        path = os.path.join(self.folder, "program.so")
        for source, entries in ((programs.ADD, ["main"]), (programs.TWO, ["double", "square"]), (programs.ADD, ["main"])):
            shutil.copyfile(pit_mlir.compile(source, "cpu").path, path + ".new")
            os.replace(path + ".new", path)
            program = pit_mlir.load(path)
            self.assertEqual(list(program.entries), entries)
        np.testing.assert_array_equal(program(ones(), ones()), 2 * ones())

    def test_processes_that_compile_the_same(self):
        script = "import pit_mlir, programs; p = pit_mlir.compile(programs.MASKED, 'cpu'); print(p.path)"
        children = [
            subprocess.Popen([sys.executable, "-B", "-c", script], stdout=subprocess.PIPE, text=True) for _ in range(3)
        ]
        paths = {child.communicate()[0] for child in children}
        self.assertEqual([child.returncode for child in children], [0, 0, 0])
        self.assertEqual(len(paths), 1)
        self.assertEqual([f for f in self.files() if not f.endswith(".so")], [])


class Children(unittest.TestCase):
    """The compiler runs in a process of its own, and whatever becomes of that is an exception."""

    def fake(self, body):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, "pit-compile")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + body)
        os.chmod(path, 0o755)
        # The runtime stays where it is.
        from pit_mlir.runtime import find_runtime

        return mock.patch.dict(os.environ, {"PIT_MLIR_RUNTIME": find_runtime(), "PIT_MLIR_COMPILER": path, "PIT_MLIR_CACHE": folder})

    def test_dies(self):
        with self.fake("kill -SEGV $$"), self.assertRaisesRegex(pit_mlir.CompileError, "died of SIGSEGV"):
            pit_mlir.compile(programs.ADD, "cpu")

    def test_says_nothing(self):
        with self.fake("exit 3"), self.assertRaisesRegex(pit_mlir.CompileError, "ended with 3"):
            pit_mlir.compile(programs.ADD, "cpu")

    def test_takes_too_long(self):
        with self.fake("exec sleep 60"), self.assertRaisesRegex(pit_mlir.CompileError, "more than 0.3 s"):
            pit_mlir.compile(programs.ADD, "cpu", timeout=0.3)

    def test_says_that_it_is_still_there(self):
        with self.fake("exec sleep 60"), mock.patch.object(compiler, "FIRST_WORD", 0.1):
            with self.assertLogs("pit_mlir", logging.WARNING) as logs, self.assertRaises(pit_mlir.CompileError):
                pit_mlir.compile(programs.ADD, "cuda:sm_90a", timeout=0.5)
        self.assertIn("still compiling a program for cuda:sm_90a", logs.output[0])


if __name__ == "__main__":
    unittest.main()
