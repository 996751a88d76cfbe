# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what attend-on-cpu.mlir computed with numpy: attend_reference.py INPUTS OUTPUT [nan]."""
import sys

import numpy as np

q, k, v, mask, slopes = (np.load(f"{sys.argv[1]}.{n}.npy").astype(np.float64) for n in range(5))
out = np.load(f"{sys.argv[2]}.0.npy")
i, j = np.arange(q.shape[2])[:, None], np.arange(k.shape[1])[None, :]
logits = np.einsum("bhie,bje->bhij", q, k) * 0.25 + slopes[None, :, None, None] * (j - i)
logits = np.where((j <= i) & (mask != 0), logits, -np.inf)
dead = ~np.isfinite(logits).any(-1) if j.size else np.ones(logits.shape[:3], bool)
top = np.where(dead, 0, logits.max(-1, initial=-np.inf))[..., None]
weights = np.exp(logits - top)
total = np.where(dead, 1, weights.sum(-1))[..., None]
expected = np.einsum("bhij,bjf->bihf", weights / total, v)
expected[np.swapaxes(dead, 1, 2)] = np.nan if "nan" in sys.argv else 0
if j.size and not (dead.any() and not dead.all()):
    raise SystemExit("the mask has no rows of both kinds")
if not np.allclose(out, expected, rtol=1e-5, atol=1e-5, equal_nan=True):
    raise SystemExit(f"differs by {np.nanmax(np.abs(out - expected))}")
