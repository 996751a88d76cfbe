# ===- program.py - Compiled programs ---------------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Compiled programs."""

import json

from . import runtime
from .cuda_entry import CUDAEntry
from .entry import Entry
from .errors import ArgumentError


class Program:
    """A compiled program. Called, it is its only entry point, or the one named "main"; others are
    `program["name"]`. `target` is "cpu" or "cuda", `chip` what the code was made for, `path` the
    shared object, `diagnostics` what the compiler had to say if it compiled in this process."""

    def __init__(self, path, diagnostics=()):
        table = runtime.load_program(path)
        self.path, self.diagnostics = path, list(diagnostics)
        self.target, self.chip = table.target.decode(), table.chip.decode()
        kind = CUDAEntry if self.target == "cuda" else Entry
        self.entries = {}
        for number in range(table.num_entries):
            entry = kind(self, table.entries[number])
            entry.handler = table.handlers[number] if table.runtime_version >= 9 else None
            self.entries[entry.name] = entry
        # Of a program for several ranks, see `parallel`.
        self.phases = json.loads(table.phases or b"[]") if table.runtime_version >= 8 else []
        only = list(self.entries.values())
        self._main = only[0] if len(only) == 1 else self.entries.get("main")

    def __getitem__(self, name):
        if name not in self.entries:
            raise ArgumentError(f"no entry point '{name}'; there are {', '.join(self.entries)}")
        return self.entries[name]

    @property
    def main(self):
        """The entry point that a call of the program calls. Raises ArgumentError where there is none."""
        if self._main is None:
            raise ArgumentError(f"several entry points, none named main: {', '.join(self.entries)}; use program[name]")
        return self._main

    def __call__(self, *args, out=None, stream=None):
        return self.main(*args, out=out, stream=stream)

    def __repr__(self):
        return f"<pit_mlir program for {self.target} {self.chip}: {', '.join(self.entries)}>"

    def check(self, stream=None):
        """Waits for the stream of a program for CUDA and raises what its kernels reported, such as an
        index out of range; results count only behind it. On the CPU calls do that themselves."""
        if self.target == "cuda":
            context = runtime.shared_context()
            context.check(runtime.library().pit_cuda_check(context.handle, stream))
