# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of one to three axes, images first or channels first, with bias and ReLU or without."""
from programs import Program
from text import Text, is_float


def loops_of(axes, grouped=False):
    """Names of loops: images, positions, channels of the result, places in a window, channels."""
    positions, taps = [f"p{i}" for i in range(axes)], [f"t{i}" for i in range(axes)]
    return positions, taps, ["n", *positions, "f", *taps] + ([] if grouped else ["c"])



def wide_type(dtype):
    return "f64" if dtype == "f64" else "f32" if is_float(dtype) else "i32"


def run_torch(x, w, bias, channels_first, *options):
    """A convolution of images and weights that torch takes; integers have none there."""
    import torch
    axes = x.dim() - 2
    function = (torch.nn.functional.conv1d, torch.nn.functional.conv2d, torch.nn.functional.conv3d)[axes - 1]
    if not channels_first:
        # The same memory, as torch has channels last.
        x = x.permute(0, axes + 1, *range(1, axes + 1))
    if not x.is_floating_point():
        return function(x.float(), w.float(), None, *options).to(torch.int32)
    return function(x, w, None if bias is None else bias.to(x.dtype), *options)


def depthwise(images, size, channels, window, stride=1, pad=0, dilation=1, channels_first=False, multiplier=1, relu=False,
              dtype="f32"):
    """Each channel for itself, `multiplier` times."""
    axes = len(size)
    positions, taps = [f"p{i}" for i in range(axes)], [f"t{i}" for i in range(axes)]
    t = Text()
    read = [f"{p} * {stride} + {k} * {dilation}" for p, k in zip(positions, taps)]
    out = [(extent + 2 * pad - dilation * (k - 1) - 1) // stride + 1 for extent, k in zip(size, window)]
    several = multiplier > 1
    if channels_first:
        shape, access_x, around = [images, channels, *size], ["n", "c", *read], [0, 0] + [pad] * axes
        weights, access_w = [channels] + [multiplier] * several + [*window], ["c"] + ["m"] * several + taps
        result, access = [images, channels] + [multiplier] * several + out, ["n", "c"] + ["m"] * several + positions
    else:
        shape, access_x, around = [images, *size, channels], ["n", *read, "c"], [0] + [pad] * axes + [0]
        weights, access_w = [*window, channels] + [multiplier] * several, [*taps, "c"] + ["m"] * several
        result, access = [images, *out, channels] + [multiplier] * several, ["n", *positions, "c"] + ["m"] * several
    x, w = t.argument(shape, dtype), t.argument(weights, dtype)
    bias = t.argument([channels], dtype) if relu else None
    sums = t.contract([*access, *taps], t.pad(x, around, around) if pad else x, access_x, w, access_w, result, access,
                      wide_type(dtype))
    if relu:
        def work(body, total, b):
            return body.op("arith.maximumf", body.op("arith.addf", total, b), body.constant("0.0"))

        t.result(t.map([sums, bias], result, dtype, work, [range(len(result)), [access.index("c")]]))
    else:
        t.result(t.round(sums, dtype) if is_float(dtype) else sums)

    def reference(x, w, bias=None):
        import torch
        if channels_first:
            w = w.reshape(channels * multiplier, 1, *window)
        else:
            w = w.reshape(*window, channels * multiplier).permute(axes, *range(axes))[:, None]
        y = run_torch(x, w, bias, channels_first, stride, pad, dilation, channels)
        if relu:
            y = torch.relu(y)
        if channels_first:
            return y.reshape(result)
        return y.permute(0, *range(2, axes + 2), 1).reshape(result)

    return Program(t.program(), reference, scale=.25)


def grouped(images, size, channels, columns, groups, window, stride=1, pad=0, channels_first=False, relu=False, dtype="bf16"):
    """`channels` and `columns` are those of all groups."""
    axes = len(size)
    positions, taps = [f"p{i}" for i in range(axes)], [f"t{i}" for i in range(axes)]
    t = Text()
    read = [f"{p} * {stride} + {k}" for p, k in zip(positions, taps)]
    out = [(extent + 2 * pad - k) // stride + 1 for extent, k in zip(size, window)]
    c, f = channels // groups, columns // groups
    if channels_first:
        shape, access_x, around = [images, groups, c, *size], ["n", "g", "c", *read], [0, 0, 0] + [pad] * axes
        result, access = [images, groups, f, *out], ["n", "g", "f", *positions]
    else:
        shape, access_x, around = [images, *size, groups, c], ["n", *read, "g", "c"], [0] + [pad] * axes + [0, 0]
        result, access = [images, *out, groups, f], ["n", *positions, "g", "f"]
    x, w = t.argument(shape, dtype), t.argument([groups, f, c, *window], dtype)
    bias = t.argument([groups, f], "f32") if relu else None
    sums = t.contract([*access, *taps, "c"], t.pad(x, around, around) if pad else x, access_x, w, ["g", "f", "c", *taps], result,
                      access, wide_type(dtype))
    if relu:
        def work(body, total, b):
            return body.op("arith.maximumf", body.op("arith.addf", total, b), body.constant("0.0"))

        t.result(t.map([sums, bias], result, dtype, work,
                       [range(len(result)), [access.index("g"), access.index("f")]]))
    else:
        t.result(t.round(sums, dtype) if is_float(dtype) else sums)

    def reference(x, w, bias=None):
        import torch
        x = x.reshape(images, channels, *size) if channels_first else x.reshape(images, *size, channels)
        y = run_torch(x, w.reshape(columns, c, *window), None if bias is None else bias.reshape(-1), channels_first, stride, pad,
                      1, groups)
        if relu:
            y = torch.relu(y)
        return (y if channels_first else y.permute(0, *range(2, axes + 2), 1)).reshape(result)

    return Program(t.program(), reference, scale=.25)


def convolution(images, size, channels, columns, window, stride=1, pad=0, dilation=1, channels_first=False, relu=False,
                dtype="bf16", groups=1):
    """`size` and `window` have an entry for each axis."""
    axes = len(size)
    positions, taps, loops = loops_of(axes, grouped=groups > 1)
    t = Text()
    around = [0] + [pad] * axes + [0]
    shape = [images, *size, channels]
    weights = [*window, channels, columns] if groups == 1 else [*window, channels]
    access_w = [*taps, "c", "f"] if groups == 1 else [*taps, "f"]
    read = [f"{p} * {stride} + {k} * {dilation}" for p, k in zip(positions, taps)]
    access_x = ["n", *read, "c" if groups == 1 else "f"]
    out = [(extent + 2 * pad - dilation * (k - 1) - 1) // stride + 1 for extent, k in zip(size, window)]
    result, access = [images, *out, columns], ["n", *positions, "f"]
    if channels_first:
        move = lambda values: [values[0], values[-1], *values[1:-1]]
        around, shape, access_x, result, access = map(move, (around, shape, access_x, result, access))
        if groups == 1:
            weights, access_w = [columns, channels, *window], ["f", "c", *taps]
        else:
            weights, access_w = [channels, *window], ["f", *taps]
    x, w = t.argument(shape, dtype), t.argument(weights, dtype)
    bias = t.argument([columns], "f32") if relu else None
    source = t.pad(x, around, around) if pad else x
    sums = t.contract(loops, source, access_x, w, access_w, result, access, wide_type(dtype))
    if relu:
        axis = 1 if channels_first else len(result) - 1

        def work(body, total, b):
            return body.op("arith.maximumf", body.op("arith.addf", total, b), body.constant("0.0"))

        t.result(t.map([sums, bias], result, dtype, work, [range(len(result)), [axis]]))
    else:
        t.result(t.round(sums, dtype) if is_float(dtype) else sums)

    def reference(x, w, bias=None):
        import torch
        last = x.dim() - 1
        if not channels_first:
            w = w.permute(last, last - 1, *range(last - 1)) if groups == 1 else w.permute(axes, *range(axes))[:, None]
        elif groups > 1:
            w = w[:, None]
        y = run_torch(x, w, bias, channels_first, stride, pad, dilation, groups)
        if relu:
            y = torch.relu(y)
        return y if channels_first else y.permute(0, *range(2, last + 1), 1)

    return Program(t.program(), reference, scale=.25)


def pooling(images, size, channels, window, stride, pad, dtype, largest):
    t = Text()
    x = t.argument([images, size, size, channels], dtype)
    out = (size + 2 * pad - window) // stride + 1
    around = [0, pad, pad, 0]
    source = t.pad(x, around, around) if pad else x
    init = t.fill([images, out, out, channels], "f32", "0xFF800000" if largest else "0.0")
    window_of = t.empty([window, window], "f32")

    def region(body, element, _, total):
        return body.op("arith.maximumf" if largest else "arith.addf", total, body.cast(element, dtype, "f32"))

    loops = ["n", "p0", "p1", "c", "t0", "t1"]
    sums = t.generic(loops, ["t0", "t1"], [source, window_of],
                     [["n", f"p0 * {stride} + t0", f"p1 * {stride} + t1", "c"], ["t0", "t1"]], init,
                     ["n", "p0", "p1", "c"], region)
    share = 1 / window ** 2

    def work(body, total):
        return total if largest else body.op("arith.mulf", total, body.constant(f"{share:.8f}"))

    t.result(t.map([sums], sums.shape, dtype, work))

    def reference(x):
        import torch
        function = torch.nn.functional.max_pool2d if largest else torch.nn.functional.avg_pool2d
        return function(x.permute(0, 3, 1, 2), window, stride, pad).permute(0, 2, 3, 1)

    return Program(t.program(), reference)


SQUARE = {"large": dict(images=32, size=(56, 56), channels=128, columns=128),
          "small": dict(images=1, size=(14, 14), channels=256, columns=256),
          "odd": dict(images=3, size=(19, 23), channels=40, columns=56)}


def sized(sizes=SQUARE, **common):
    return {name: {**size, **common} for name, size in sizes.items()}


def channels_alone(**common):
    sizes = {name: {key: value for key, value in size.items() if key != "columns"} for name, size in SQUARE.items()}
    return sized(sizes, **common)


KINDS = [
    ("conv3x3-nhwc", convolution, sized(window=(3, 3), pad=1)),
    ("conv3x3-nchw", convolution, sized(window=(3, 3), pad=1, channels_first=True)),
    ("conv3x3-nhwc-relu", convolution, sized(window=(3, 3), pad=1, relu=True)),
    ("conv3x3-nchw-relu", convolution, sized(window=(3, 3), pad=1, channels_first=True, relu=True)),
    ("conv3x3-stride2", convolution, sized(window=(3, 3), pad=1, stride=2)),
    ("conv3x3-dilated", convolution, sized(window=(3, 3), pad=2, dilation=2, dtype="f16")),
    ("conv1x1", convolution, sized(window=(1, 1))),
    ("conv1x1-stride2", convolution, sized(window=(1, 1), stride=2)),
    ("conv5x5", convolution, sized(window=(5, 5), pad=2)),
    ("stem7x7", convolution, {
        "large": dict(images=32, size=(224, 224), channels=3, columns=64, window=(7, 7), stride=2, pad=3, channels_first=True),
        "small": dict(images=1, size=(64, 64), channels=3, columns=64, window=(7, 7), stride=2, pad=3, channels_first=True),
        "odd": dict(images=2, size=(37, 41), channels=3, columns=24, window=(7, 7), stride=2, pad=3, channels_first=True)}),
    ("conv1d", convolution, {
        "large": dict(images=16, size=(4096,), channels=512, columns=512, window=(3,), pad=1),
        "small": dict(images=1, size=(300,), channels=80, columns=512, window=(3,), pad=1),
        "odd": dict(images=3, size=(101,), channels=24, columns=40, window=(5,), pad=2)}),
    ("conv3d", convolution, {
        "large": dict(images=4, size=(16, 28, 28), channels=128, columns=128, window=(3, 3, 3), pad=1),
        "small": dict(images=1, size=(8, 14, 14), channels=64, columns=64, window=(3, 3, 3), pad=1),
        "odd": dict(images=2, size=(5, 7, 9), channels=16, columns=24, window=(2, 3, 3))}),
    ("conv3x3-f32", convolution, sized({
        "large": dict(images=32, size=(28, 28), channels=128, columns=128), "small": SQUARE["small"], "odd": SQUARE["odd"]},
        window=(3, 3), pad=1, dtype="f32")),
    ("depthwise3x3-f32", convolution, sized({
        name: {**size, "columns": size["channels"], "groups": size["channels"]} for name, size in SQUARE.items()},
        window=(3, 3), pad=1, dtype="f32")),
    ("depthwise3x3-bf16", depthwise, channels_alone(window=(3, 3), pad=1, dtype="bf16")),
    ("depthwise3x3-relu", depthwise, channels_alone(window=(3, 3), pad=1, dtype="f16", relu=True)),
    ("depthwise3x3-nchw", depthwise, channels_alone(window=(3, 3), pad=1, channels_first=True)),
    ("depthwise3x3-nchw-bf16", depthwise, channels_alone(window=(3, 3), pad=1, channels_first=True, dtype="bf16", relu=True)),
    ("depthwise3x3-stride2", depthwise, channels_alone(window=(3, 3), pad=1, stride=2, dtype="bf16")),
    ("depthwise5x5-dilated", depthwise, channels_alone(window=(5, 5), pad=4, dilation=2)),
    ("depthwise7x7", depthwise, channels_alone(window=(7, 7), pad=3, dtype="bf16")),
    ("depthwise3x3-f64", depthwise, channels_alone(window=(3, 3), pad=1, dtype="f64")),
    ("depthwise3x3-i8", depthwise, channels_alone(window=(3, 3), pad=1, dtype="i8")),
    ("depthwise3x3-multiplier", depthwise, channels_alone(window=(3, 3), pad=1, multiplier=2)),
    ("depthwise-1d", depthwise, {
        "large": dict(images=16, size=(4096,), channels=512, window=(4,), pad=3, dtype="bf16"),
        "small": dict(images=1, size=(100,), channels=256, window=(4,), pad=3, dtype="bf16"),
        "odd": dict(images=3, size=(101,), channels=39, window=(4,), pad=3, dtype="bf16")}),
    ("depthwise-1d-ncl", depthwise, {
        "large": dict(images=16, size=(4096,), channels=512, window=(4,), pad=3, channels_first=True),
        "small": dict(images=1, size=(100,), channels=256, window=(4,), pad=3, channels_first=True),
        "odd": dict(images=3, size=(101,), channels=39, window=(4,), pad=3, channels_first=True)}),
    ("depthwise-3d", depthwise, {
        "large": dict(images=4, size=(16, 56, 56), channels=64, window=(3, 3, 3), pad=1),
        "small": dict(images=1, size=(4, 14, 14), channels=64, window=(3, 3, 3), pad=1),
        "odd": dict(images=2, size=(5, 9, 7), channels=12, window=(3, 3, 3), pad=1)}),
    ("grouped3x3-nhwc", grouped, {
        "large": dict(images=32, size=(56, 56), channels=256, columns=256, groups=4, window=(3, 3), pad=1),
        "small": dict(images=1, size=(14, 14), channels=128, columns=128, groups=2, window=(3, 3), pad=1),
        "odd": dict(images=3, size=(9, 11), channels=72, columns=60, groups=3, window=(3, 3), pad=1, relu=True)}),
    ("grouped3x3-nchw", grouped, {
        "large": dict(images=32, size=(56, 56), channels=256, columns=256, groups=8, window=(3, 3), pad=1, channels_first=True),
        "small": dict(images=1, size=(14, 14), channels=128, columns=128, groups=4, window=(3, 3), pad=1, channels_first=True),
        "odd": dict(images=2, size=(9, 11), channels=20, columns=50, groups=5, window=(3, 3), pad=1, channels_first=True)}),
    ("grouped3x3-f32", grouped, {
        "large": dict(images=16, size=(28, 28), channels=256, columns=256, groups=4, window=(3, 3), pad=1, dtype="f32"),
        "small": dict(images=1, size=(14, 14), channels=128, columns=128, groups=2, window=(3, 3), pad=1, dtype="f32"),
        "odd": dict(images=2, size=(9, 11), channels=24, columns=36, groups=3, window=(3, 3), pad=1, dtype="f32")}),
    ("stem7x7-nhwc-relu", convolution, {
        "large": dict(images=32, size=(224, 224), channels=3, columns=64, window=(7, 7), stride=2, pad=3, relu=True),
        "small": dict(images=1, size=(64, 64), channels=3, columns=64, window=(7, 7), stride=2, pad=3, relu=True),
        "odd": dict(images=2, size=(37, 41), channels=5, columns=24, window=(7, 7), stride=2, pad=3, relu=True)}),
    ("patches16x16", convolution, {
        "large": dict(images=64, size=(224, 224), channels=3, columns=768, window=(16, 16), stride=16, channels_first=True),
        "small": dict(images=1, size=(64, 64), channels=3, columns=96, window=(16, 16), stride=16, channels_first=True),
        "odd": dict(images=2, size=(49, 33), channels=3, columns=40, window=(16, 16), stride=16, channels_first=True)}),
    ("max-pool3x3", pooling, {
        "large": dict(images=32, size=112, channels=64, window=3, stride=2, pad=0, dtype="bf16", largest=True),
        "small": dict(images=1, size=28, channels=64, window=3, stride=2, pad=0, dtype="bf16", largest=True),
        "odd": dict(images=3, size=29, channels=37, window=2, stride=2, pad=0, dtype="f32", largest=True)}),
    ("average-pool2x2", pooling, {
        "large": dict(images=32, size=56, channels=128, window=2, stride=2, pad=0, dtype="bf16", largest=False),
        "small": dict(images=1, size=28, channels=64, window=2, stride=2, pad=0, dtype="bf16", largest=False),
        "odd": dict(images=3, size=29, channels=37, window=3, stride=2, pad=1, dtype="f32", largest=False)}),
]
