#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes masks whose live keys are scattered, as .npy files.

    scattered_mask.py KIND QUERIES KEYS OUT.npy [NUMBER [OTHER]]

Elements are truth values, or with NUMBER, -inf or lowest or f16, numbers that are added: 0, or that where a key is dead
(f16: the lowest of its own type). With OTHER, live keys of queries from that one on have other numbers.

KIND is tokens (a band, some queries that see all keys, and keys that all queries see), columns (a band and such keys),
few (one of fifty lives), queries (some see all, the others nothing), or edges (one query and one key at each end).
"""
import random
import struct
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
    kind, queries, keys, out = sys.argv[1:5]
    shape = (int(queries), int(keys))
    data, element = make(kind, *shape), "|b1"
    if len(sys.argv) > 5:
        number = sys.argv[5]
        first = int(sys.argv[6]) if len(sys.argv) > 6 else shape[0]
        dead = {"-inf": float("-inf"), "lowest": -3.4028234663852886e38, "f16": -65504.0}[number]
        element, code = ("<f2", "e") if number == "f16" else ("<f4", "f")
        data = b"".join(struct.pack("<" + code, dead if not live else (i % 7) / 4 - 0.5 if i // shape[1] >= first else 0.0)
                        for i, live in enumerate(data))
    header = f"{{'descr': '{element}', 'fortran_order': False, 'shape': {shape}, }}"
    # Format 1.0: the data start at a multiple of 64 bytes.
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(out, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data)


if __name__ == "__main__":
    main()
