# ===- decompositions.py - Operations of torch as simpler ones --------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Operations of torch as simpler ones: those of torch's core, and what torch-mlir would make ops of
other dialects of. Each is the same function, written so that PIT sees where zeros come from."""

import functools
import math

import torch

from .sdpa import sdpa

aten = torch.ops.aten


def _places(x, dim):
    """The numbers along an axis, in the shape of one."""
    shape = [1] * x.dim()
    shape[dim] = x.shape[dim]
    return torch.arange(x.shape[dim], device=x.device).reshape(shape)


# More rounds than that are slower than a sort.
MOST_OF_TOP = 16


def topk(x, k, dim=-1, largest=True, sorted=True):
    """The k largest, one after another: equal ones in the order of their places."""
    if x.dim() == 0 or not isinstance(k, int) or k > MOST_OF_TOP or not x.is_floating_point():
        return NotImplemented
    dim %= x.dim()
    places, values, indices = _places(x, dim), [], []
    rest = x
    for _ in range(k):
        index = (rest if largest else -rest).argmax(dim, keepdim=True)
        chosen = places == index
        values.append(torch.where(chosen, x, torch.zeros((), dtype=x.dtype, device=x.device)).sum(dim, keepdim=True))
        rest = torch.where(chosen, torch.full((), -torch.inf if largest else torch.inf, dtype=x.dtype, device=x.device), rest)
        indices.append(index)
    return torch.cat(values, dim), torch.cat(indices, dim)


def full(size, value, *, dtype=None, layout=None, device=None, pin_memory=None):
    """Truth values of a number: that it is not 0, where its bits would be cut."""
    if dtype is not torch.bool or isinstance(value, bool) or not isinstance(value, (int, float)):
        return NotImplemented
    return torch.full(size, bool(value), dtype=dtype, device=device)


def cumsum(x, dim, *, dtype=None):
    """Sums of what is before, under a triangle, which the compiler knows to be a running sum."""
    if x.dim() == 0 or not isinstance(x.shape[dim], int):
        return NotImplemented
    kind = dtype or (torch.int64 if not x.dtype.is_floating_point else x.dtype)
    n = x.shape[dim]
    numbers = torch.arange(n, device=x.device)
    earlier = numbers.reshape(1, n) <= numbers.reshape(n, 1)
    moved = x.to(kind).movedim(dim, -1).unsqueeze(-2)
    return torch.where(earlier, moved, torch.zeros((), dtype=kind, device=x.device)).sum(-1, dtype=kind).movedim(-1, dim)


def scatter_value(x, dim, index, value):
    """A constant at chosen places of an axis along which the index has few entries."""
    if x.dim() == 0 or x.dim() != index.dim():
        return NotImplemented
    dim %= x.dim()
    if any(x.shape[a] != index.shape[a] for a in range(x.dim()) if a != dim):
        return NotImplemented
    chosen = (_places(x, dim).unsqueeze(-1) == index.movedim(dim, -1).unsqueeze(dim)).any(-1)
    return torch.where(chosen, torch.full((), value, dtype=x.dtype, device=x.device), x)


def _write_few(x, dim, index, src, write):
    """`write(old, new)` at chosen places of an axis along which the index has few entries, one entry after the other."""
    if x.dim() == 0 or x.dim() != index.dim() or not isinstance(index.shape[dim], int) or index.shape[dim] > MOST_OF_TOP:
        return NotImplemented
    dim %= x.dim()
    if any(x.shape[a] != index.shape[a] or index.shape[a] != src.shape[a] for a in range(x.dim()) if a != dim):
        return NotImplemented
    places = _places(x, dim)
    for number in range(index.shape[dim]):
        x = torch.where(places == index.narrow(dim, number, 1), write(x, src.narrow(dim, number, 1)), x)
    return x


def scatter_src(x, dim, index, src):
    """The gradient of a top-k or a maximum. Of several elements for one place the last one stays."""
    return _write_few(x, dim, index, src, lambda old, new: new)


def scatter_add(x, dim, index, src):
    """The gradient of a gather."""
    return NotImplemented if x.dtype is torch.bool else _write_few(x, dim, index, src, lambda old, new: old + new)


def _sums_of_rows(rows, index, count):
    """For each number below `count` the sum of the rows that an index sends there, written as a sum over all of them:
    the compiler for the CPU makes a loop of it that visits each row once, in their order."""
    rows, index = rows.reshape(-1, *rows.shape[index.dim() :]), index.reshape(-1)
    chosen = index.unsqueeze(0) == torch.arange(count, device=rows.device, dtype=index.dtype).unsqueeze(1)
    chosen = chosen.reshape(*chosen.shape, *[1] * (rows.dim() - 1))
    return torch.where(chosen, rows.unsqueeze(0), torch.zeros((), dtype=rows.dtype, device=rows.device)).sum(1)


def _are_rows_summed(rows, index):
    """Whether the compiler has that loop, and there is something to add. On GPUs the sum would be one over all rows."""
    return (
        rows.device.type == "cpu"
        and rows.dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16)
        and index.dtype in (torch.int32, torch.int64)
        and all(isinstance(extent, int) and extent > 0 for extent in (*rows.shape, *index.shape))
    )


def embedding_dense_backward(grad, index, count, padding, scale_by_frequency):
    """The gradient of an embedding's weight: to each row the gradients of the tokens that read it."""
    if scale_by_frequency or not isinstance(count, int) or not _are_rows_summed(grad, index) or index.dim() == 0:
        return NotImplemented
    if padding >= 0:
        # No row at all.
        index = torch.where(index == padding, torch.full((), -1, dtype=index.dtype, device=index.device), index)
    return _sums_of_rows(_widen(grad), index, count).to(grad.dtype)


def _widen(x):
    """Sums of 16 bits are those of f32, rounded once."""
    return x.to(torch.float32) if x.dtype in (torch.float16, torch.bfloat16) else x


def _add_rows(x, index, values):
    """Sums at places along the first axis, which may be named more than once, and from behind."""
    values = values.expand(*index.shape, *x.shape[1:])
    index = torch.where(index < 0, index + x.shape[0], index)
    return (_widen(x) + _sums_of_rows(_widen(values), index, x.shape[0])).to(x.dtype)


def unsafe_index_put(x, indices, values, accumulate=False):
    """Sums of any number of rows; nobody promises there that what is no place is refused. Else as `index_put`."""
    if accumulate and indices and indices[0] is not None and all(index is None for index in indices[1:]) and _are_rows_summed(x, indices[0]):
        if indices[0].dim() > 0 and math.prod(indices[0].shape) > MOST_OF_TOP:
            return _add_rows(x, indices[0], values)
    return index_put(x, indices, values, accumulate)


def index_put(x, indices, values, accumulate=False):
    """Elements to, or sums at, the places that one short index names along one axis."""
    found = [(dim, index) for dim, index in enumerate(indices) if index is not None]
    if len(found) != 1 or found[0][1].dtype not in (torch.int32, torch.int64) or x.dtype is torch.bool:
        return NotImplemented
    dim, index = found[0]
    count = math.prod(index.shape)
    if index.dim() == 0 or not isinstance(count, int) or 0 in x.shape:
        return NotImplemented
    if count > MOST_OF_TOP:
        return NotImplemented
    values = values.expand(*x.shape[:dim], *index.shape, *x.shape[dim + 1 :]).flatten(dim, dim + index.dim() - 1)
    index = index.flatten()
    index = torch.where(index < 0, index + x.shape[dim], index)
    places = _places(x, dim)
    for number in range(count):
        value = values.narrow(dim, number, 1)
        x = torch.where(places == index.narrow(0, number, 1), x + value if accumulate else value, x)
    return x


def roll(x, shifts, dims=()):
    """What comes from behind, and the rest."""
    shifts, dims = ([shifts] if isinstance(shifts, int) else shifts), ([dims] if isinstance(dims, int) else dims)
    if not dims or len(dims) != len(shifts):
        return NotImplemented
    for shift, dim in zip(shifts, dims):
        extent = x.shape[dim]
        if isinstance(extent, int):
            shift = shift % extent if extent else 0
        elif not -extent <= shift <= extent:
            return NotImplemented
        elif shift < 0:
            shift = extent + shift
        if isinstance(shift, int) and shift == 0:
            x = x.clone()
        else:
            x = torch.cat((x.narrow(dim, extent - shift, shift), x.narrow(dim, 0, extent - shift)), dim)
    return x


def constant_pad_nd(x, pad, value=0):
    """Less of a tensor, then padding: torch-mlir drops a padding that leaves the shape as it is."""
    if all(not isinstance(amount, int) or amount >= 0 for amount in pad):
        return NotImplemented
    for number in range(len(pad) // 2):
        front, behind, dim = max(-pad[2 * number], 0), max(-pad[2 * number + 1], 0), x.dim() - 1 - number
        if front or behind:
            x = x.narrow(dim, front, x.shape[dim] - front - behind)
    rest = [max(amount, 0) for amount in pad]
    return aten.constant_pad_nd.default(x, rest, value) if any(rest) else x.clone()


def split_with_sizes(x, sizes, dim=0):
    """Slices: torch-mlir parts axes of known extents alone."""
    if isinstance(x.shape[dim], int) and all(isinstance(size, int) for size in sizes):
        return NotImplemented
    found, first = [], 0
    for size in sizes:
        found.append(aten.slice.Tensor(x, dim, first, first + size))
        first = first + size
    return found


def _moments(x, dim, correction):
    """Variance and mean along axes, which stay with extent 1, in f32 at least, and the axes. None
    where there is none, where the number of elements is not known, or 0."""
    if x.dim() == 0 or not x.is_floating_point():
        return None
    dims = [d % x.dim() for d in ([dim] if isinstance(dim, int) else dim or range(x.dim()))]
    count = math.prod(x.shape[d] for d in dims)
    if not isinstance(count, int) or count == 0:
        return None
    # torch-mlir would go through f64, which takes twice the registers of a row, or more.
    values = x.to(torch.float32) if x.dtype in (torch.float16, torch.bfloat16) else x
    mean = values.sum(dims, keepdim=True) / count
    apart = values - mean
    freedom = max(count - (1 if correction is None else correction), 0)
    return (apart * apart).sum(dims, keepdim=True) / freedom, mean, dims


def _finish(value, x, dims, keepdim):
    value = value.to(x.dtype)
    return value if keepdim else value.reshape([s for axis, s in enumerate(x.shape) if axis not in dims])


def var_mean(x, dim=None, *, correction=None, keepdim=False):
    """Variance and mean: the sum of squares of what is left without the mean."""
    found = _moments(x, dim, correction)
    if found is None:
        return NotImplemented
    return tuple(_finish(value, x, found[2], keepdim) for value in found[:2])


def var(x, dim=None, *, correction=None, keepdim=False):
    """The variance, as `var_mean` finds it."""
    found = _moments(x, dim, correction)
    return NotImplemented if found is None else _finish(found[0], x, found[2], keepdim)


def native_group_norm(x, weight, bias, batch, channels, spatial, groups, eps):
    """Groups of channels with their places as one row; weights as those of channels."""
    if not all(isinstance(n, int) and n > 0 for n in (batch, channels, spatial)):
        return NotImplemented
    rows = x.reshape(batch, groups, channels // groups, spatial)
    found = _moments(rows, (2, 3), 0)
    if found is None:
        return NotImplemented
    variance, mean, _ = found
    scale = torch.rsqrt(variance + eps)
    result = (rows - mean) * scale
    for parameter, apply in ((weight, torch.mul), (bias, torch.add)):
        if parameter is not None:
            result = apply(result, parameter.reshape(1, groups, channels // groups, 1))
    result = result.to(x.dtype).reshape(x.shape)
    return result, *(value.reshape(batch, groups).to(x.dtype) for value in (mean, scale))


def _in_f32(function):
    """What eager computes in f32 and rounds once. torch-mlir would round each step to 16 bits."""

    def apply(x, *args, **kwargs):
        if x.dtype not in (torch.float16, torch.bfloat16):
            return NotImplemented
        return function(x.to(torch.float32), *args, **kwargs).to(x.dtype)

    return apply


def gelu(x, *, approximate="none"):
    """Eager's constants: torch-mlir has five digits of them in the approximation by tanh."""
    if approximate == "none":
        return _gelu(x)
    kind = torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else x.dtype
    value = x.to(kind)
    inner = math.sqrt(2 / math.pi) * (value + 0.044715 * value * value * value)
    return (value * 0.5 * (1 + torch.tanh(inner))).to(x.dtype)


@_in_f32
def _gelu(x):
    return x * 0.5 * (1 + torch.erf(x * math.sqrt(0.5)))


@_in_f32
def silu(x):
    return x / (1 + torch.exp(-x))


@_in_f32
def sigmoid(x):
    return 1 / (1 + torch.exp(-x))


def reciprocal(x):
    """A quotient, as torch-mlir would check that no element is zero."""
    if x.dtype.is_complex:
        return NotImplemented
    kind = x.dtype if x.dtype.is_floating_point else torch.get_default_dtype()
    return torch.ones((), dtype=kind, device=x.device) / x


def div_mode(x, y, *, rounding_mode=None):
    """Quotients of floats, rounded down or to zero. As in eager, what has no remainder decides: a quotient that is rounded may reach the next integer."""
    if rounding_mode is None:
        return NotImplemented
    kind = torch.result_type(x, y)
    if not kind.is_floating_point:
        return NotImplemented
    wide = torch.float32 if kind in (torch.float16, torch.bfloat16) else kind
    x = x.to(wide)
    y = y.to(wide) if isinstance(y, torch.Tensor) else torch.full((), y, dtype=wide, device=x.device)
    if rounding_mode == "trunc":
        return torch.trunc(x / y).to(kind)
    exact = torch.round((x - torch.remainder(x, y)) / y)
    return torch.where(y == 0, x / y, exact).to(kind)


def fmod(x, y):
    """The remainder with the sign of what is divided: torch-mlir's is computed from a rounded quotient."""
    kind = torch.result_type(x, y)
    if not kind.is_floating_point:
        return NotImplemented
    rest = torch.remainder(x.to(kind).abs(), y.to(kind).abs() if isinstance(y, torch.Tensor) else abs(y))
    return torch.where(x < 0, -rest, rest)


def sum_dim(x, dim=None, keepdim=False, *, dtype=None):
    """Sums of 16 bits in f32, rounded once, as eager has them."""
    if dtype is not None or x.dtype not in (torch.float16, torch.bfloat16):
        return NotImplemented
    return x.to(torch.float32).sum(dim, keepdim=keepdim).to(x.dtype)


def squeeze_dims(x, dims):
    """As a reshape: torch's own leaves a primitive."""
    axes = {d % x.dim() for d in dims} if x.dim() else set()
    return x.reshape([s for axis, s in enumerate(x.shape) if axis not in axes or s != 1])


def _split_as(x, stride):
    """The shape in which x, as it lies in memory, has axes with these strides; None if there is none."""
    rows = []
    for n, apart in zip(x.shape, x.stride()):
        if n != 1 and rows and rows[-1][1] == n * apart:
            rows[-1] = (rows[-1][0] * n, apart)
        elif n != 1:
            rows.append((n, apart))
    shape, axes = [], list(stride)
    for n, apart in rows:
        before = n * apart
        while True:
            here = axes.pop(0) if axes else 0
            if here < 1 or before % here:
                return None
            shape.append(before // here)
            before = here
            if here == apart:
                break
    return None if axes else shape


def as_strided(x, size, stride, storage_offset=None):
    """Windows that overlap along one axis, as slices side by side. torch-mlir would make a constant of all places."""
    if not all(isinstance(n, int) for n in [*x.shape, *size, *stride]) or 0 in size or storage_offset not in (None, x.storage_offset()):
        return NotImplemented
    # An axis of one place has no distance.
    axes = [(n, apart) for n, apart in zip(size, stride) if n != 1]
    if not axes:
        return NotImplemented
    # Axis `over` has windows of the next one, `step` places apart: both are parts of one axis.
    over = next((d for d in range(len(axes) - 1) if axes[d + 1][1] <= axes[d][1] < axes[d + 1][0] * axes[d + 1][1]), None)
    if over is not None:
        (count, apart), (window, near) = axes[over : over + 2]
        if not near or apart % near:
            return NotImplemented
        step = apart // near
        axes[over : over + 2] = [((count - 1) * step + window, near)]
    whole = _split_as(x, [apart for _, apart in axes])
    if whole is None or any(n > most for (n, _), most in zip(axes, whole)):
        return NotImplemented
    rows = x.reshape(whole)
    for axis, (n, _) in enumerate(axes):
        rows = rows.narrow(axis, 0, n)
    if over is not None:
        rows = torch.stack([rows.narrow(over, number * step, window) for number in range(count)], over)
    return rows.reshape(size)


_OWN = {
    aten.as_strided.default: as_strided,
    aten.squeeze.dims: squeeze_dims,
    aten.sum.dim_IntList: sum_dim,
    aten.div.Tensor_mode: div_mode,
    aten.div.Scalar_mode: div_mode,
    aten.fmod.Tensor: fmod,
    aten.fmod.Scalar: fmod,
    aten.topk.default: topk,
    aten.full.default: full,
    aten.cumsum.default: cumsum,
    aten.scatter.value: scatter_value,
    aten.scatter.src: scatter_src,
    aten.scatter_add.default: scatter_add,
    aten.index_put.default: index_put,
    aten._unsafe_index_put.default: unsafe_index_put,
    aten.embedding_dense_backward.default: embedding_dense_backward,
    aten.roll.default: roll,
    aten.constant_pad_nd.default: constant_pad_nd,
    aten.split_with_sizes.default: split_with_sizes,
    aten.gelu.default: gelu,
    aten.silu.default: silu,
    aten.sigmoid.default: sigmoid,
    aten.reciprocal.default: reciprocal,
    aten.var_mean.correction: var_mean,
    aten.var.correction: var,
    aten.native_group_norm.default: native_group_norm,
    aten.scaled_dot_product_attention.default: sdpa,
}

# Beside torch's core: ops of backward graphs, and those for which torch-mlir has no linalg.
_MORE = (
    "native_layer_norm",
    "native_layer_norm_backward",
    "_softmax_backward_data",
    "_log_softmax_backward_data",
    "threshold_backward",
    "silu_backward",
    "gelu_backward",
    "sigmoid_backward",
    "tanh_backward",
    "hardtanh_backward",
    "leaky_relu_backward",
    "select_backward",
    "slice_backward",
    "unbind",
    "masked_fill",
    "native_group_norm",
    "_native_batch_norm_legit",
    "_native_batch_norm_legit_functional",
    "_native_batch_norm_legit_no_training",
    "native_batch_norm",
    "logsumexp",
    "_log_softmax",
    "_to_copy",
    "mse_loss",
    "mse_loss_backward",
    "nll_loss_forward",
    "nll_loss_backward",
    "binary_cross_entropy",
    "_fused_rms_norm",
    "rms_norm",
    "addcmul",
    "addcdiv",
    "lerp",
)


# Taken apart by torch's core into something that torch-mlir cannot take, and fine as they are.
_KEPT = (aten._to_copy.default,)


# What torch's own decomposition gives other results of than the operation: the second one, of which gradients are computed.
_WRONG = (aten._scaled_dot_product_flash_attention_for_cpu.default,)


@functools.lru_cache(maxsize=1)
def table():
    """The table for AOTAutograd: op to function."""
    from torch._decomp import core_aten_decompositions, get_decompositions

    found = dict(core_aten_decompositions())
    ops = []
    for name in _MORE:
        packet = aten
        for part in name.split("."):
            packet = getattr(packet, part, None)
        if packet is not None:
            ops.append(packet)
    found.update(get_decompositions(ops))
    for op in _KEPT + _WRONG:
        found.pop(op, None)
    found.update(_OWN)
    return found
