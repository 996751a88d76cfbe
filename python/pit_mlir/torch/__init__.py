# ===- __init__.py - PyTorch ------------------------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""PyTorch: the backend "pit" of torch.compile, marks, and layers.

    model = torch.compile(model, backend="pit")

The package's entry point (`torch_dynamo_backends`) makes the name known; importing this module does, too.
"""

import torch._dynamo

from .ahead import fill_cache
from .calls import check
from .dynamo import Settings, backend
from .hugging_face import register_hugging_face, use_experts
from .layers import Experts, Linear, attention, experts, linear
from .marks import sparse
from .package import export, load
from .steps import export_step

__all__ = ["Experts", "Linear", "Settings", "attention", "backend", "check", "experts", "export", "export_step", "fill_cache", "linear", "load", "register_hugging_face", "sparse", "use_experts"]

if "pit" not in torch._dynamo.list_backends(exclude_tags=()):
    torch._dynamo.register_backend(backend, name="pit")
