# ===- frames.py - The memory of one call -----------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""The memory of one call: `pit_tensor`s, extents, scalars, and arrays of pointers to them.

A frame is made once and used again, since filling in addresses is all that most calls need.
"""

import ctypes

from .runtime import Context
from .values import scalar_bytes, scalar_value

_word = ctypes.sizeof(ctypes.c_int64)


class Frame:
    """The frame of an entry point. `words` holds, for each argument and then each result, the four
    words of a pit_tensor: data, type and rank, shape, strides; data is at `4 * number`."""

    def __init__(self, inputs, outputs, context=None):
        specs = list(inputs) + list(outputs)
        self.inputs, self.outputs = inputs, outputs
        self.words = (ctypes.c_int64 * (4 * max(len(specs), 1)))()
        self.extents = (ctypes.c_int64 * max(sum(max(s.rank, 0) for s in specs), 1))()
        # 8 bytes for each: scalars on the host, and results of that kind.
        self.scalars = (ctypes.c_uint8 * (8 * max(len(specs), 1)))()
        self.starts, at = [], 0
        words, extents = ctypes.addressof(self.words), ctypes.addressof(self.extents)
        pointers = []
        for number, spec in enumerate(specs):
            self.starts.append(at)
            if spec.rank < 0:
                pointers.append(ctypes.addressof(self.scalars) + 8 * number)
                continue
            self.words[4 * number + 1] = spec.dtype | spec.rank << 32
            self.words[4 * number + 2] = extents + at * _word
            for axis, extent in enumerate(spec.extents):
                self.extents[at + axis] = extent or 0
            at += spec.rank
            pointers.append(words + 4 * number * _word)
        self._arguments = (ctypes.c_void_p * max(len(inputs), 1))(*pointers[: len(inputs)])
        self._results = (ctypes.c_void_p * max(len(outputs), 1))(*pointers[len(inputs) :])
        self.arguments, self.results = ctypes.addressof(self._arguments), ctypes.addressof(self._results)
        self._found = (ctypes.c_int64 * max(sum(max(s.rank, 0) for s in outputs), 1))()
        self._workspace = ctypes.c_int64()
        self.found, self.workspace = ctypes.addressof(self._found), ctypes.addressof(self._workspace)
        self.context = context or Context()

    def set_shape(self, number, shape):
        start = self.starts[number]
        self.extents[start : start + len(shape)] = shape

    def set_scalar(self, number, value):
        spec = self.inputs[number]
        data = scalar_bytes(value, spec)
        ctypes.memmove(ctypes.addressof(self.scalars) + 8 * number, data, len(data))

    def get_scalar(self, number):
        """The scalar that result `number` is."""
        place = ctypes.addressof(self.scalars) + 8 * (len(self.inputs) + number)
        return scalar_value(ctypes.string_at(place, 8), self.outputs[number])

    def result_shapes(self, shapes):
        """Asks the program what shapes its results have; None for scalars."""
        status = shapes(self.context.handle, self.arguments, self.found, self.workspace)
        if status:
            raise self.context.error(status)
        found, at = [], 0
        for spec in self.outputs:
            if spec.rank < 0:
                found.append(None)
                continue
            found.append(tuple(self._found[at : at + spec.rank]))
            at += spec.rank
        return found
