# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a detection must list, by numpy."""
import numpy as np


def expected(case, source):
    """Offsets and coordinates without a bound on the list, of an array (floats as such, not their bits)."""
    kind, extents, tile = case["kind"], case["extents"], case["tile"]
    if kind == "lengths":
        positions, lengths = np.arange(extents[1])[None], source.astype(np.int64)[:, None]
        live = positions < lengths if case["pad"] == "right" else positions >= extents[1] - lengths
    elif kind == "mask":
        live = source
    elif kind == "values":
        live = source != (-np.inf if case["absent"] == "neg_inf" else 0)
        others = tuple(axis for axis in range(live.ndim) if axis not in case["axes"])
        kept = [axis for axis in range(live.ndim) if axis in case["axes"]]
        live = live.any(axis=others).transpose([kept.index(axis) for axis in case["axes"]])
    else:
        live = source != 0
    if kind != "blocks":
        pad = [(0, -n % t) for n, t in zip(extents, tile)]
        live = np.pad(live, pad)
        live = live.reshape([x for n, t in zip(live.shape, tile) for x in (n // t, t)])
        live = live.any(axis=tuple(range(1, live.ndim, 2)))
    live = np.moveaxis(live, case["coordinate"], -1)
    live = live.reshape(case["segments"], live.shape[-1])
    offsets = np.concatenate([[0], live.sum(1).cumsum()]).astype(np.int64)
    return offsets, np.nonzero(live)[1]
