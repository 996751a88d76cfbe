# ===- calls.py - Calls of programs with tensors that are guarded -----------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Calls of programs with tensors that are guarded.

What torch.compile passes to a graph has the types, the extents and the device that it was traced for: guards see
to that. Only where elements lie is left to look at.
"""

import contextlib

import torch

from .. import runtime, threads
from ..torch_values import current_stream, on_device, torch_type


class GuardedCall:
    """Calls an entry point. `device` is where its tensors are."""

    def __init__(self, entry, device):
        self.entry, self.device = entry, device
        self.inputs = [(number, spec.rank < 0, spec.is_static) for number, spec in enumerate(entry.inputs)]
        self.first = len(entry.inputs)
        self.results = [
            (number, None if spec.rank < 0 else spec.extents, spec.is_static, torch_type(spec.type))
            for number, spec in enumerate(entry.outputs)
        ]
        self.index = (device.index or 0) if device.type == "cuda" else None

    def __call__(self, values):
        """Results of a list of tensors and numbers, as a list."""
        if self.index is None:
            threads.follow(torch.get_num_threads())
            return self._run(values, None)
        is_current = torch.cuda.current_device() == self.index
        with contextlib.nullcontext() if is_current else on_device(self.index):
            if is_current:
                runtime.make_current(self.index)
            return self._run(values, current_stream(self.index))

    def _run(self, values, stream):
        entry = self.entry
        try:
            frame = entry._frames.pop()
        except IndexError:
            frame = entry._new_frame()
        try:
            words, kept = frame.words, []
            for number, is_scalar, is_static in self.inputs:
                value = values[number]
                if is_scalar:
                    frame.set_scalar(number, value)
                    continue
                address = value.data_ptr()
                if address & 15 or not value.is_contiguous():
                    value = value.contiguous()
                    if value.data_ptr() & 15:
                        value = value.clone()
                    kept.append(value)
                    address = value.data_ptr()
                words[4 * number] = address
                if not is_static:
                    frame.set_shape(number, value.shape)
            shapes = None if entry._is_static else frame.result_shapes(entry._shapes)
            results = []
            for number, extents, is_static, dtype in self.results:
                if extents is None:
                    results.append(None)
                    continue
                if not is_static:
                    extents = shapes[number]
                    frame.set_shape(self.first + number, extents)
                result = torch.empty(extents, dtype=dtype, device=self.device)
                words[4 * (self.first + number)] = result.data_ptr()
                results.append(result)
            status = entry._call(frame.context.handle, stream, frame.arguments, frame.results, None, 0)
            if status:
                raise frame.context.error(status, entry.name)
            return [frame.get_scalar(n) if r is None else r for n, r in enumerate(results)]
        finally:
            entry._frames.append(frame)


def check(device=None):
    """Waits for the current stream of a CUDA device (the current one by default) and raises what kernels of
    compiled models reported there since the last time, such as an index out of range or a gate that breaks its
    `at_most`: calls do not wait, so that results count only behind it. Does nothing without CUDA."""
    if not torch.cuda.is_available():
        return
    index = torch.cuda.current_device() if device is None else torch.device(device).index or 0
    context = runtime.shared_context()
    with on_device(index):
        runtime.make_current(index)
        context.check(runtime.library().pit_cuda_check(context.handle, current_stream(index)))
