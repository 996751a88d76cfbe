# ===- ahead.py - Filling a cache for a machine that cannot compile ----------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Filling a cache for a machine that cannot compile: it has torch and a device, but neither torch-mlir nor a compiler.

    pit_mlir.torch.fill_cache(make, target="cuda:sm_90a")   # here, into the folder PIT_MLIR_CACHE
    torch.compile(model, backend="pit")(*inputs)            # there, with that folder

Models are traced with tensors that have no elements, so that no device of the target is needed. `make` gives (model, inputs, keywords).
"""

import contextlib
from unittest import mock

import torch
from torch._subclasses import FakeTensorMode

from .. import targets
from . import dynamo
from .compiled import CompiledGraph


class _Traced(CompiledGraph):
    """Compiled, and called as torch has it: with tensors without elements."""

    def __init__(self, module, settings):
        super().__init__(module, settings)
        self.module = module

    def __call__(self, *arguments):
        return self.module(*arguments)


@contextlib.contextmanager
def _without_device(target):
    """What models ask a driver for, where there is none."""
    if target.kind != "cuda" or torch.cuda.is_available():
        yield
        return
    number = int("".join(c for c in target.chip if c.isdigit()))
    with mock.patch.object(torch.cuda, "get_device_capability", lambda device=None: (number // 10, number % 10)):
        yield


def fill_cache(make, target, **options):
    """Compiles what `torch.compile(model, backend="pit")` compiles of a model's inference, for a device that need not be there, into the cache.

    make      gives (model, inputs, keywords): a module or a function, and what it is called with, on the current default device
    target    "cuda:sm_90a" for tensors on a GPU with that chip, or a CPU, see `pit_mlir.compile`
    options   those of `torch.compile(..., options=...)`, as the other machine gives them

    Returns the records of the graphs (`dynamo.Record`). The other machine finds them if its versions of torch and of the model's code make the same
    graphs: it logs what it does not find. `PIT_MLIR_BUILD` must have one value here and there. What depends on data, such as `.item()`, cannot be traced
    this way, nor can tensors that a model makes of Python's numbers on a GPU that is not there, nor gradients. Raises what torch.compile raises."""
    chosen = targets.resolve(target)
    before, dynamo.CompiledGraph = dynamo.CompiledGraph, _Traced
    torch._dynamo.reset()
    try:
        with FakeTensorMode(allow_non_fake_inputs=True), _without_device(chosen), torch.no_grad(), dynamo.recording() as records:
            with torch.device(chosen.kind):
                model, inputs, keywords = make()
            torch.compile(model, backend="pit", options={**options, "target": target})(*inputs, **keywords)
        return records
    finally:
        dynamo.CompiledGraph = before
        torch._dynamo.reset()
