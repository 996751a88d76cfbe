# ===- version.py - The version of the package ------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""The version of the package, which is that of PIT (CMakeLists.txt)."""

__version__ = "0.1.0"
