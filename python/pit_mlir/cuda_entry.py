# ===- cuda_entry.py - Entry points of programs for CUDA --------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Entry points of programs for CUDA: on arrays of a device, or of the host."""

import contextlib
import ctypes

import numpy as np

from . import runtime
from .dlpack import DeviceArray
from .entry import Entry, _new_array
from .errors import ArgumentError
from .frames import Frame


class CUDAEntry(Entry):
    """See `Entry`."""

    def _new_frame(self):
        return Frame(self.inputs, self.outputs, runtime.shared_context())

    def _run(self, frame, args, out, stream):
        owners, any_torch = self._read(frame, args)
        devices, on_host = set(), []
        for number, owner in enumerate(owners):
            if self.inputs[number].rank < 0:
                continue
            if isinstance(owner, DeviceArray):
                devices.add(owner.device)
            elif getattr(owner, "is_cuda", False):
                devices.add(owner.device.index)
            else:
                on_host.append(number)
        devices.discard(None)
        if len(devices) > 1:
            raise ArgumentError(f"{self.name}: arguments lie on several devices, {sorted(devices)}")
        is_staged = len(on_host) == sum(spec.rank >= 0 for spec in self.inputs)
        if on_host and not is_staged:
            raise self.inputs[on_host[0]].refuse("an array of the host next to arrays of a device")
        if is_staged:
            return self._run_staged(frame, owners, out, any_torch)
        index = devices.pop() if devices else 0
        if any_torch:
            return self._run_torch(frame, owners, out, stream, index)
        context = frame.context
        context.check(runtime.library().pit_cuda_use_device(context.handle, index))
        results = self._place(frame, out, owners, self._result_shapes(frame), _maker_like(args, index))
        self._launch(frame, stream)
        return self._finish(frame, results)

    def _launch(self, frame, stream):
        status = self._call(frame.context.handle, stream, frame.arguments, frame.results, None, 0)
        if status:
            raise frame.context.error(status, self.name)

    def _run_torch(self, frame, owners, out, stream, index):
        import torch

        from . import torch_values

        if stream is None:
            stream = torch_values.current_stream(index)
        is_current = torch.cuda.current_device() == index
        with contextlib.nullcontext() if is_current else torch_values.on_device(index):
            if is_current:
                runtime.make_current(index)
            device = torch.device("cuda", index)
            results = self._place(
                frame, out, owners, self._result_shapes(frame), lambda spec, shape: torch_values.empty(spec, shape, device)
            )
            self._launch(frame, stream)
        return self._finish(frame, results)

    def _run_staged(self, frame, owners, out, any_torch):
        """Copies arguments to the first device and results back, and waits."""
        context, lib = frame.context, runtime.library()
        context.check(lib.pit_cuda_use_device(context.handle, 0))
        shapes = self._result_shapes(frame)
        if any_torch:
            from . import torch_values

            results = self._place(frame, out, owners, shapes, lambda spec, shape: torch_values.empty(spec, shape, "cpu"))
        else:
            results = self._place(frame, out, owners, shapes, _new_array)
        taken, copies = [], []

        def to_device(number, spec, extents):
            size = spec.bytes * int(np.prod(extents, dtype=np.int64))
            memory = ctypes.c_void_p()
            context.check(lib.pit_cuda_allocate(context.handle, size, ctypes.byref(memory)))
            taken.append(memory)
            host, frame.words[4 * number] = frame.words[4 * number], memory.value or 0
            return host, memory, size

        try:
            for number, spec in enumerate(self.inputs + self.outputs):
                if spec.rank < 0:
                    continue
                start = frame.starts[number]
                host, memory, size = to_device(number, spec, frame.extents[start : start + spec.rank])
                if number < len(self.inputs):
                    context.check(lib.pit_cuda_copy_in(context.handle, None, memory, host, size))
                else:
                    copies.append((host, memory, size))
            self._launch(frame, None)
            context.check(lib.pit_cuda_check(context.handle, None), self.name)
            for host, memory, size in copies:
                context.check(lib.pit_cuda_copy_out(context.handle, None, host, memory, size))
            context.check(lib.pit_cuda_stream_synchronize(context.handle, None))
        finally:
            for memory in taken:
                lib.pit_cuda_free(context.handle, memory)
        return self._finish(frame, results)


class DeviceResult:
    """A result in a device's memory, for callers whose arrays are of no package that this one knows:
    it has `__cuda_array_interface__`, and `numpy()` copies it to the host."""

    def __init__(self, spec, shape, index):
        self.shape, self.dtype, self.device = tuple(shape), spec.numpy_type, index
        self._memory = ctypes.c_void_p()
        context = runtime.shared_context()
        self._size = spec.bytes * int(np.prod(shape, dtype=np.int64))
        context.check(runtime.library().pit_cuda_allocate(context.handle, self._size, ctypes.byref(self._memory)))

    @property
    def __cuda_array_interface__(self):
        data = (self._memory.value or 0, False)
        return {"shape": self.shape, "typestr": self.dtype.str, "data": data, "strides": None, "version": 3, "stream": 1}

    def numpy(self):
        found, context, lib = np.empty(self.shape, self.dtype), runtime.shared_context(), runtime.library()
        context.check(lib.pit_cuda_use_device(context.handle, self.device))
        context.check(lib.pit_cuda_check(context.handle, None))
        address = found.__array_interface__["data"][0]
        context.check(lib.pit_cuda_copy_out(context.handle, None, address, self._memory, self._size))
        context.check(lib.pit_cuda_stream_synchronize(context.handle, None))
        return found

    def __del__(self):
        if self._memory:
            runtime.library().pit_cuda_free(runtime.shared_context().handle, self._memory)


def _maker_like(args, index):
    """Makes results of the package whose arrays the arguments are, where it is known."""
    for value in args:
        if type(value).__module__.split(".")[0] == "cupy":
            import cupy

            return lambda spec, shape: cupy.empty(shape, spec.numpy_type)
    return lambda spec, shape: DeviceResult(spec, shape, index)
