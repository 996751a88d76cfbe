# ===- targets.py - What programs are compiled for --------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""What programs are compiled for: "cpu", "cpu:NAME", "cuda", "cuda:sm_90a", "auto"."""

import hashlib
import platform
from dataclasses import dataclass

from . import runtime
from .errors import ArgumentError, DeviceError

# Chips whose instructions are those of one family alone, which are faster.
_ALONE = {(9, 0): "sm_90a", (10, 0): "sm_100a", (10, 3): "sm_103a", (11, 0): "sm_110a", (12, 0): "sm_120a"}


@dataclass(frozen=True)
class Target:
    """`kind` is "cpu" or "cuda", `chip` the CPU's or the GPU's name ("native", "sm_90a")."""

    kind: str
    chip: str

    def __str__(self):
        return f"{self.kind}:{self.chip}"

    def flags(self):
        """Arguments of pit-compile."""
        return ["--chip=" + self.chip] if self.kind == "cuda" else ["--target=cpu", "--cpu=" + self.chip]

    def identity(self):
        """What a cached program depends on: for "native", what this CPU can do."""
        return f"cpu:{_this_cpu()}" if self == Target("cpu", "native") else str(self)


def _this_cpu():
    wanted, found = ("model name", "flags", "CPU implementer", "CPU part", "Features"), {}
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                name, _, value = line.partition(":")
                if name.strip() in wanted and name.strip() not in found:
                    found[name.strip()] = value.strip()
    except OSError:
        pass
    text = repr(sorted(found.items())) + platform.machine()
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def chip_of_device(index=0):
    """The chip's name of a CUDA device, as the compiler has it."""
    major, minor = runtime.device_capability(index)
    return _ALONE.get((major, minor), f"sm_{major}{minor}")


def resolve(target):
    """A `Target` of what a user wrote.

    "auto" is the first CUDA device, or this CPU where there is none; "cuda" the first device,
    which must be there; "cuda:sm_90a" any chip, with or without a device; "cpu" this CPU;
    "cpu:x86-64" a CPU by LLVM's name, so that the code runs elsewhere.
    """
    if isinstance(target, Target):
        return target
    if not isinstance(target, str):
        raise ArgumentError(f"target: expected a string, got {type(target).__name__}")
    kind, _, chip = target.partition(":")
    if kind == "auto" and not chip:
        return Target("cuda", chip_of_device()) if runtime.device_count() else Target("cpu", "native")
    if kind == "cpu":
        return Target("cpu", chip or "native")
    if kind == "cuda":
        if chip.isdigit():
            return Target("cuda", chip_of_device(int(chip)))
        if not chip and not runtime.device_count():
            raise DeviceError("target 'cuda': no CUDA device; name a chip, as in 'cuda:sm_90a', to compile without one")
        return Target("cuda", chip or chip_of_device())
    raise ArgumentError(f"unknown target '{target}': expected auto, cpu, cpu:NAME, cuda or cuda:sm_XY")
