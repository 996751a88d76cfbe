# ===- entry.py - Entry points of compiled programs, and how they are called ------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Entry points of compiled programs, and how they are called."""

import ctypes

import numpy as np

from .dlpack import DeviceArray
from .errors import ArgumentError, count_of
from .frames import Frame
from .values import READERS, ValueSpec, read_numpy, reader_of


_first_byte = ctypes.c_char.from_buffer


def _address(array):
    try:
        return ctypes.addressof(_first_byte(array))
    except (TypeError, ValueError):
        return array.ctypes.data


def _specs(what, count, types, on_device):
    found = []
    for number in range(count):
        type_ = types[number]
        extents = [type_.extents[axis] for axis in range(max(type_.rank, 0))]
        found.append(
            ValueSpec(what, number, type_.dtype, type_.rank, [None if e < 0 else e for e in extents], on_device)
        )
    return found


class Entry:
    """A function of a compiled program. Call it with arrays and get arrays.

    Arguments are NumPy arrays, PyTorch tensors, and whatever has `__dlpack__`,
    `__array_interface__` or `__cuda_array_interface__`; scalars of the program are Python's
    numbers. Nothing is copied that lies row-major without gaps. Results are new arrays: tensors
    where an argument is one, else NumPy's. A program for the CPU returns when they are there.

    A program for CUDA takes arrays of one device and launches on the caller's stream (torch's
    current one, or `stream`, an address), without waiting; or it takes arrays of the host, which it
    copies there and back. What kernels report is found by `check()`, and by every call with arrays
    of the host.

    Calls may be made from several threads at once. Raises ArgumentError, ExecutionError,
    DeviceError.
    """

    def __init__(self, program, entry):
        self.program = program
        self.name = entry.name.decode()
        on_device = program.target == "cuda"
        self.inputs = _specs("argument", entry.num_arguments, entry.arguments, on_device)
        self.outputs = _specs("result", entry.num_results, entry.results, on_device)
        self._call, self._shapes = entry.call, entry.shapes
        # The address of what XLA calls, see `pit_mlir.jax`; None in programs of older compilers.
        self.handler = None
        self._frames = []
        self._is_static = all(spec.is_static for spec in self.outputs)
        self._static_shapes = [None if s.rank < 0 else s.extents for s in self.outputs]
        self._numbered = list(enumerate(self.inputs))

    def __repr__(self):
        inputs, outputs = ", ".join(map(str, self.inputs)), ", ".join(map(str, self.outputs))
        return f"<pit_mlir entry {self.name}({inputs}) -> ({outputs}) for {self.program.target} {self.program.chip}>"

    def __call__(self, *args, out=None, stream=None):
        """Computes the results: one value, or a tuple of them. `out` is a list of arrays for
        the results, of the right types and shapes, that share no memory with arguments."""
        if len(args) != len(self.inputs):
            raise ArgumentError(f"{self.name} takes {count_of(len(self.inputs), 'argument')}, not {len(args)}")
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = self._new_frame()
        try:
            return self._run(frame, args, out, stream)
        finally:
            self._frames.append(frame)

    def _new_frame(self):
        return Frame(self.inputs, self.outputs)

    def _read(self, frame, args):
        """Fills in the arguments; returns their owners, and whether one is torch's."""
        words, owners, any_torch = frame.words, [], False
        for number, spec in self._numbered:
            value = args[number]
            # What most arguments of NumPy are, in as few steps as there can be.
            if (
                type(value) is np.ndarray
                and value.dtype is spec.numpy_type
                and value.shape == spec.extents
                and value.flags.carray
            ):
                try:
                    words[4 * number] = ctypes.addressof(_first_byte(value))
                    owners.append(value)
                    continue
                except (TypeError, ValueError):  # No bytes, or a type that has no buffer.
                    pass
            if spec.rank < 0:
                frame.set_scalar(number, value)
                owners.append(None)
                continue
            reader = READERS.get(type(value)) or reader_of(value)
            address, owner = reader(value, spec)
            words[4 * number] = address
            if not spec.is_static:
                frame.set_shape(number, owner.shape)
            if not any_torch and reader is not read_numpy:
                any_torch = reader.__name__ == "read_torch"
            if type(owner) is DeviceArray and not spec.on_device:
                raise ArgumentError(f"{spec.what} {number}: is in a device's memory, and the program is for the CPU")
            owners.append(owner)
        return owners, any_torch

    def _result_shapes(self, frame):
        return self._static_shapes if self._is_static else frame.result_shapes(self._shapes)

    def _place(self, frame, out, owners, shapes, make):
        """Fills in the results: `out`, or what `make(spec, shape)` gives. Returns them."""
        results, first = [], len(self.inputs)
        if out is not None:
            out = [out] if not isinstance(out, (list, tuple)) else out
            if len(out) != len(self.outputs):
                raise ArgumentError(f"out: {self.name} has {count_of(len(self.outputs), 'result')}, not {len(out)}")
        for number, spec in enumerate(self.outputs):
            shape = shapes[number]
            if shape is None:
                results.append(None)
                continue
            if not spec.is_static:
                frame.set_shape(first + number, shape)
            if out is None:
                value = make(spec, shape)
            else:
                value = out[number]
            if out is None and type(value) is np.ndarray:
                frame.words[4 * (first + number)] = _address(value)
                results.append(value)
                continue
            address, owner = (READERS.get(type(value)) or reader_of(value))(value, spec)
            if out is not None:
                self._check_out(frame, number, spec, shape, value, address, owner, results)
            frame.words[4 * (first + number)] = address
            results.append(value)
        return results

    def _check_out(self, frame, number, spec, shape, value, address, owner, results):
        """An array of the caller's for a result must be the memory itself, and nothing else's."""
        if owner is not value and getattr(owner, "owner", None) is not value:
            raise ArgumentError(f"out {number}: must be an array of NumPy, torch or CuPy that lies row-major without gaps")
        if tuple(value.shape) != tuple(shape):
            raise ArgumentError(f"out {number}: expected {list(shape)}, got {list(value.shape)}")
        if isinstance(value, np.ndarray) and not value.flags.writeable:
            raise ArgumentError(f"out {number}: is read-only")

        def end(first, of, extents):
            return first + of.bytes * int(np.prod(extents))

        mine = (address, end(address, spec, shape))
        others = []
        for other, of in enumerate(self.inputs):
            if of.rank >= 0:
                begin = frame.words[4 * other]
                start = frame.starts[other]
                others.append((begin, end(begin, of, frame.extents[start : start + of.rank]), f"argument {other}"))
        for other in range(len(results)):
            if results[other] is not None:
                begin = frame.words[4 * (len(self.inputs) + other)]
                others.append((begin, end(begin, self.outputs[other], results[other].shape), f"out {other}"))
        for begin, stop, what in others:
            if mine[0] < stop and begin < mine[1]:
                raise ArgumentError(f"out {number}: shares memory with {what}")

    def _finish(self, frame, results):
        if len(results) == 1 and results[0] is not None:
            return results[0]
        values = [frame.get_scalar(n) if r is None else r for n, r in enumerate(results)]
        return values[0] if len(values) == 1 else tuple(values)

    def _bind(self, frame, args, out):
        """Fills in all addresses; returns what they belong to, and the results."""
        owners, any_torch = self._read(frame, args)
        if any_torch:
            from . import torch_values

            results = self._place(
                frame, out, owners, self._result_shapes(frame), lambda spec, shape: torch_values.empty(spec, shape, "cpu")
            )
        else:
            results = self._place(frame, out, owners, self._result_shapes(frame), _new_array)
        return owners, results

    def _run(self, frame, args, out, stream):
        owners, results = self._bind(frame, args, out)
        status = self._call(frame.context.handle, None, frame.arguments, frame.results, None, 0)
        if status:
            raise frame.context.error(status, self.name)
        return self._finish(frame, results)

    def prepare(self, *args, out=None):
        """A call with these arrays, for many times: returns a function without arguments, and the
        results, which each call of it computes anew, in the same memory. It costs what a call from C
        does. For programs for the CPU, and for one thread at a time. Scalars keep the value that they
        have now. Raises as a call does, and `ArgumentError` for an array that has to be copied: one that
        does not lie row-major without gaps."""
        if len(args) != len(self.inputs):
            raise ArgumentError(f"{self.name} takes {count_of(len(self.inputs), 'argument')}, not {len(args)}")
        if self.program.target == "cuda":
            raise ArgumentError(f"{self.name} is for CUDA: capture calls as a graph instead")
        frame = self._new_frame()
        owners, results = self._bind(frame, args, out)
        for number, value in enumerate(args):
            if _data_of(value) not in (None, frame.words[4 * number]):
                raise ArgumentError(
                    f"argument {number}: prepare takes arrays that lie row-major without gaps; a copy would not see what is written later"
                )
        if any(result is None for result in results):
            raise ArgumentError(f"{self.name} has a scalar result, which is in no memory")
        call, handle, arguments, places = self._call, frame.context.handle, frame.arguments, frame.results

        def run(frame=frame, owners=owners, results=results):
            status = call(handle, None, arguments, places, None, 0)
            if status:
                raise frame.context.error(status, self.name)

        run()
        return run, results[0] if len(results) == 1 else tuple(results)


def _data_of(value):
    """Where the elements of an array are; None for what is no array on this machine."""
    if isinstance(value, np.ndarray):
        return value.__array_interface__["data"][0]
    return value.data_ptr() if hasattr(value, "data_ptr") else None


def _new_array(spec, shape):
    return np.empty(shape, spec.numpy_type)
