# ===- __init__.py - Random modules of PyTorch ------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Random modules of PyTorch, compiled by `torch.compile(backend="pit")` and compared with eager.

    python -m random_modules --seeds 0:500 -o FILE      a run, as JSON
    python -m random_modules --show 17                  the module of a seed, and what becomes of it

`maker.py` keeps what is known of a module that is made, `ops.py` has the operations it draws from, `check.py` compares.
"""
