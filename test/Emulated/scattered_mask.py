#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes masks whose live keys are scattered, as boolean .npy files.

    scattered_mask.py KIND QUERIES KEYS OUT.npy

KIND is tokens (a band, some queries that see all keys, and keys that all queries see), columns (a band and such keys),
few (one of fifty lives), queries (some see all, the others nothing), or edges (one query and one key at each end).
"""
import random
import sys


def make(kind, queries, keys):
    draw = random.Random(0)

    def take(count, share):
        return set(draw.sample(range(count), count // share))

    rows = {"tokens": take(queries, 30), "queries": take(queries, 12), "edges": {0, queries - 1}}.get(kind, set())
    columns = {"edges": {0, keys - 1}}.get(kind, take(keys, 40) if kind in ("tokens", "columns") else set())

    def lives(i, j):
        if kind == "few":
            return draw.random() < 0.02
        return i in rows or j in columns or kind != "queries" and abs(i * keys // queries - j) <= 40

    return bytes(lives(i, j) for i in range(queries) for j in range(keys))


def main():
    kind, queries, keys, out = sys.argv[1:]
    shape = (int(queries), int(keys))
    header = f"{{'descr': '|b1', 'fortran_order': False, 'shape': {shape}, }}"
    # Format 1.0: the data start at a multiple of 64 bytes.
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(out, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + make(kind, *shape))


if __name__ == "__main__":
    main()
