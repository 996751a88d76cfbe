# ===- torch_values.py - PyTorch's tensors as arguments and results ---------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""PyTorch's tensors as arguments and results. Imported when the first one comes."""

import torch

from .errors import ArgumentError

_TYPES = {
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
    "i1": torch.bool,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "f8E4M3FN": torch.float8_e4m3fn,
    "f8E5M2": torch.float8_e5m2,
}
_PLAIN = (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer if hasattr(torch.nn, "Buffer") else torch.Tensor)
_no_dispatch = torch._C._disabled_torch_dispatch_impl


def torch_type(name):
    return _TYPES[name]


def _describe(tensor):
    return f"{str(tensor.dtype).replace('torch.', '')} {list(tensor.shape)} on {tensor.device}"


def _slow_read(tensor, spec):
    """What is not a plain tensor of the right type that lies without gaps."""
    if type(tensor) not in _PLAIN and type(tensor).__torch_dispatch__ is not _no_dispatch:
        raise spec.refuse(f"{type(tensor).__name__}, a tensor that stands for others")
    if tensor.layout is not torch.strided:
        raise spec.refuse(f"a tensor with {str(tensor.layout).replace('torch.', 'layout ')}")
    if tensor.device.type not in ("cpu", "cuda") or (tensor.is_cuda and not spec.on_device):
        raise spec.refuse(_describe(tensor))
    others = (torch.uint8,) if spec.type == "i8" else ()
    if (tensor.dtype is not spec.torch_type and tensor.dtype not in others) or not spec.fits(tensor.shape):
        raise spec.refuse(_describe(tensor))
    if tensor.requires_grad and torch.is_grad_enabled():
        raise ArgumentError(
            f"{spec.what} {spec.number}: requires a gradient, and the program has no backward; "
            "call it under torch.no_grad(), or compile the model with torch.compile(backend='pit')"
        )
    tensor = tensor.detach().resolve_neg().contiguous()
    if tensor.data_ptr() % (16 if tensor.is_cuda else spec.bytes):
        tensor = tensor.clone()
    return tensor.data_ptr(), tensor


def read_torch(tensor, spec):
    if spec.torch_type is None:
        spec.torch_type = _TYPES[spec.type]
    try:
        if (
            type(tensor) in _PLAIN
            and tensor.dtype is spec.torch_type
            and (tensor.shape == spec.extents or (not spec.is_static and spec.fits(tensor.shape)))
            and tensor.is_cuda is spec.on_device
            and tensor.is_contiguous()
            and not (tensor.requires_grad and torch.is_grad_enabled())
            and not tensor.is_neg()
        ):
            address = tensor.data_ptr()
            if not address & 15 and (address or not tensor.numel()):
                return address, tensor
        return _slow_read(tensor, spec)
    except RuntimeError as error:
        raise ArgumentError(f"{spec.what} {spec.number}: {error}") from None


def is_tensor(value):
    return isinstance(value, torch.Tensor)


def empty(spec, shape, device):
    return torch.empty(shape, dtype=_TYPES[spec.type], device=device)


def current_stream(index):
    """The caller's stream on a CUDA device, as an address."""
    return torch._C._cuda_getCurrentRawStream(index)


def on_device(index):
    """A context in which the device is the current one."""
    return torch.cuda.device(index)
