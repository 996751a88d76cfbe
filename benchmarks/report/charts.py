# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures as plain data. draw.py makes SVG of them; nothing here needs matplotlib."""
import dataclasses
import hashlib
import json


@dataclasses.dataclass
class Chart:
    title: str

    def fingerprint(self):
        """What an SVG drawn from this data carries."""
        data = json.dumps([type(self).__name__, dataclasses.asdict(self)], default=str, sort_keys=True)
        return "data " + hashlib.sha256(data.encode()).hexdigest()[:32]


@dataclasses.dataclass
class Ratios(Chart):
    """Ratios to a peer, one row per label, as distances from 1."""
    axis: str
    labels: list
    series: dict  # name: a ratio per label, None where it was not measured


@dataclasses.dataclass
class Dots(Chart):
    """Quantities of very different size on a logarithmic axis, one row per label."""
    axis: str
    labels: list
    series: dict  # name: a value per label, None where it was not measured


@dataclasses.dataclass
class Stacks(Chart):
    """Parts of a whole, one row per label."""
    axis: str
    labels: list
    series: dict  # name: a value per label


@dataclasses.dataclass
class Lines(Chart):
    """Points over a quantity."""
    x_axis: str
    y_axis: str
    series: dict  # name: [(x, y)]
    x_logarithmic: bool = False
    y_logarithmic: bool = False
    y_from_zero: bool = False
    reference: float = None  # a dashed line at this height
    x_ticks: list = None
