# ===- __init__.py - JAX ----------------------------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""JAX: `pit_mlir.jax.jit(f)`, by jaxlib's own passes from StableHLO to linalg; `call` of a program
of MLIR in a function of JAX; `sparse`, a mark inside of one."""

from .ffi import call, check
from .jit import jit
from .marks import sparse

__all__ = ["call", "check", "jit", "sparse"]
