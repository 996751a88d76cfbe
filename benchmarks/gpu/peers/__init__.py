# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a user could run instead of a program compiled by PIT, for the scripts bench_peers_*.py; see peer.py."""
