# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a sparse matrix as torch has them: CSR by cuSPARSE, BSR by Triton.

What turns the dense matrix into the format is timed on its own, `conversion_ms`: where a pattern is new in each call, a
user pays both. Indices of CSR are of 32 bits, as cuSPARSE prefers them, and made so in the conversion.
"""
import importlib

import torch

from peers.peer import Peer


class Csr(Peer):
    """The matrix `a` as CSR times `b`, in one type."""
    dtype = torch.bfloat16
    captures = False

    def setup(self, data):
        a, b = data.a.to(self.dtype), data.b.to(self.dtype)

        def convert():
            wide = a.to_sparse_csr()
            return torch.sparse_csr_tensor(wide.crow_indices().int(), wide.col_indices().int(), wide.values(), a.shape)

        sparse = convert()
        self.parts["conversion_ms"] = convert
        self.facts["live"] = round(sparse.values().numel() / a.numel(), 4)
        return lambda: sparse @ b


class CsrF32(Csr):
    dtype = torch.float32


class Bsr(Peer):
    """The matrix `a` as BSR of `block` times `b`: torch's kernels for it are written in Triton."""
    block = (32, 32)

    def available(self):
        try:
            importlib.import_module("triton")
            importlib.import_module("torch.sparse._triton_ops")
        except ImportError as error:
            return str(error)
        return ""

    def setup(self, data):
        multiply = importlib.import_module("torch.sparse._triton_ops").bsr_dense_mm
        block = self.block
        sparse = data.a.to_sparse_bsr(block)
        self.parts["conversion_ms"] = lambda: data.a.to_sparse_bsr(block)
        self.facts["live"] = round(sparse.values().numel() / data.a.numel(), 4)
        return lambda: multiply(sparse, data.b)


class Bsr64(Bsr):
    block = (64, 64)


class BsrOblong(Bsr):
    """Blocks as the pattern has them, which torch may not take."""
    block = (32, 64)
