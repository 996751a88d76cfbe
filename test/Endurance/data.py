# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of the workloads: bytes that a seed decides, made with Python alone.

A floating-point number is made of random bytes for the mantissa, and a byte of sign and exponent out of a few, so that sizes
stay between known powers of two, and millions of numbers take no time.
"""
import math
import random
from array import array

# What the highest byte may be: it holds the sign and seven bits of the exponent, of f32 and bf16 alike.
LARGE = bytes([0x3e, 0xbe, 0x3f, 0xbf])  # 0.125 to 2
SMALL = bytes([0x3c, 0xbc, 0x3d, 0xbd])  # 0.008 to 0.125
POSITIVE = bytes([0x3e, 0x3f])


class Data:
    """Bytes of a tensor in row-major order."""

    def __init__(self, dtype, shape, seed):
        self.dtype, self.shape, self.dice = dtype, shape, random.Random(seed)
        self.size = {"f32": 4, "bf16": 2, "i1": 1, "i32": 4, "i64": 8}[dtype]
        self.count = math.prod(shape)

    def floats(self, tops=LARGE):
        result = bytearray(self.count * self.size)
        for place in range(self.size - 1):
            result[place::self.size] = self.dice.randbytes(self.count)
        table = bytes(tops[i % len(tops)] for i in range(256))
        result[self.size - 1::self.size] = self.dice.randbytes(self.count).translate(table)
        return result

    def small(self):
        return self.floats(SMALL)

    def positive(self):
        return self.floats(POSITIVE)

    def encode(self, values):
        """A list of numbers; those that do not fit bf16 are cut."""
        if self.dtype == "bf16":
            return bytearray(array("H", array("H", array("f", values).tobytes())[1::2]).tobytes())
        return bytearray(array({"f32": "f", "i32": "i", "i64": "q", "i1": "B"}[self.dtype], values).tobytes())

    def bools(self, live):
        """Some are true."""
        return self.encode([int(self.dice.random() < live) for _ in range(self.count)])

    def lengths(self, low, high):
        return self.encode([self.dice.randint(low, high) for _ in range(self.count)])

    def constant(self, value):
        return self.encode([value] * self.count)

    def biases(self, dead, together=1):
        """A number that nothing added makes positive, but for some, so many of which are alike."""
        values = []
        while len(values) < self.count:
            is_dead = self.dice.random() < dead
            values += [-1000.0 if is_dead else self.dice.uniform(-.5, .5) for _ in range(together)]
        return self.encode(values[:self.count])

    def gate(self, top_k, uneven=False):
        """Weights of `top_k` columns in each row, zeros else; `uneven`: in three of four rows, of the first ones."""
        rows, columns = self.shape
        values = [0.0] * self.count
        for row in range(rows):
            first = uneven and self.dice.random() < .75
            for column in range(top_k) if first else self.dice.sample(range(columns), top_k):
                values[row * columns + column] = self.dice.uniform(.1, 1)
        return self.encode(values)

    def tiles(self, rows, columns, dead):
        """Numbers with zeros in some micro-tiles of the last two axes."""
        result, (height, width) = self.floats(), self.shape[-2:]
        for first in range(0, self.count, height * width):
            for top in range(0, height, rows):
                for left in range(0, width, columns):
                    if self.dice.random() >= dead:
                        continue
                    span = (min(left + columns, width) - left) * self.size
                    for row in range(top, min(top + rows, height)):
                        at = (first + row * width + left) * self.size
                        result[at:at + span] = bytes(span)
        return result

    def columns(self, dead):
        """Numbers of which some columns are negative, and the others positive."""
        width = self.shape[-1]
        result = self.positive()
        for column in range(width):
            if self.dice.random() < dead:
                place = column * self.size + self.size - 1
                tops = result[place::width * self.size]
                result[place::width * self.size] = bytes(top | 0x80 for top in tops)
        return result


def make(kind, dtype, shape, seed):
    """`kind` is a method of Data, and its arguments."""
    name, *arguments = kind
    made = getattr(Data(dtype, shape, seed), name)(*arguments)
    return bytes(made)
