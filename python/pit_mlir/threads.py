# ===- threads.py - How many threads programs on the CPU use ----------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""How many threads programs on the CPU use."""

import os

from . import runtime
from .errors import ArgumentError

# Whether the host has said a number, and the one of torch that was taken over last.
_is_set = False
_followed = None


def set_num_threads(threads):
    """Sets how many threads a program on the CPU may use, for the whole process: 1 to 1024, or None for the default.
    Results have the same bits with any number. Raises ArgumentError for anything else.

    The default is the environment variable PIT_NUM_THREADS, else torch's number for models of torch, else
    OMP_NUM_THREADS, else the CPUs that the process may use."""
    global _is_set, _followed
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024):
        raise ArgumentError(f"threads are a number from 1 to 1024, or None, and not {threads!r}")
    runtime.library().pit_set_num_threads(threads or 0)
    _is_set, _followed = threads is not None, None


def get_num_threads():
    """How many threads a program on the CPU may use."""
    return runtime.library().pit_num_threads()


def follow(threads):
    """Takes over the number of threads of torch, unless the host or the environment has said another one."""
    global _followed
    if threads == _followed:
        return
    if not _is_set and not os.environ.get("PIT_NUM_THREADS"):
        runtime.library().pit_set_num_threads(threads)
    _followed = threads
