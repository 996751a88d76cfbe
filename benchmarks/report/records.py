# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finding entries in what the scripts of benchmarks/gpu write."""


def entries(data):
    """What was measured: some scripts write it as a list, some next to the device and versions."""
    return data if isinstance(data, list) else data["cases"]


def by_case(data):
    """Lists of entries by case: one may have been measured more than once."""
    found = {}
    for entry in entries(data):
        found.setdefault(entry["case"], []).append(entry)
    return found


def values(found, *keys):
    """What lies behind the keys in each of some entries."""
    result = []
    for entry in found:
        for key in keys:
            entry = entry[key]
        result.append(entry)
    return result
