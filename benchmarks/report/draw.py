# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws charts with matplotlib. The same chart gives the same bytes with the same matplotlib."""
import math

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: E402

from charts import Dots, Lines, Ratios, Stacks  # noqa: E402

# Okabe and Ito, "Color Universal Design" (2008); markers differ as well.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
MARKERS = ["o", "s", "^", "D", "v", "P"]
STYLE = {
    "svg.hashsalt": "pit",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    # Readers' dark pages must not show through.
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "axes.facecolor": "white",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
}
WIDTH, ROW, MARGIN = 7.5, .17, 1.1  # inches
ACROSS = 4  # names in a line of a legend


def rows_figure(chart, lines):
    """Axes with one row of `lines` lines per label, the first on top."""
    figure, axes = plt.subplots(figsize=(WIDTH, MARGIN + ROW * len(chart.labels) * (lines + .9)))
    axes.set_yticks(range(len(chart.labels)), chart.labels)
    axes.set_ylim(len(chart.labels) - .4, -.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(chart.axis)
    axes.grid(axis="x", color="#dddddd", linewidth=.6)
    return figure, axes


def plain_numbers(axis, logarithmic=False):
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    if logarithmic:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_minor_formatter(NullFormatter())


def draw_ratios(chart):
    count = len(chart.series)
    figure, axes = rows_figure(chart, count)
    for i, (name, values) in enumerate(chart.series.items()):
        points = [(value, row + (i - (count - 1) / 2) * .8 / count) for row, value in enumerate(values)
                  if value is not None]
        numbers, rows = zip(*points)
        axes.hlines(rows, 1, numbers, color=COLOURS[i], linewidth=1.5)
        axes.plot(numbers, rows, MARKERS[i], color=COLOURS[i], markersize=5, label=name)
    axes.axvline(1, color="black", linewidth=1)
    axes.margins(x=.08)
    plain_numbers(axes.xaxis)
    return figure, axes


def draw_dots(chart):
    figure, axes = rows_figure(chart, 1)
    axes.set_xscale("log")
    for row, values in enumerate(zip(*chart.series.values())):
        numbers = [value for value in values if value is not None]
        axes.hlines(row, min(numbers), max(numbers), color="#bbbbbb", linewidth=1.5)
    for (name, values), colour, marker in zip(chart.series.items(), COLOURS, MARKERS):
        points = [(value, row) for row, value in enumerate(values) if value is not None]
        axes.plot(*zip(*points), marker, color=colour, markersize=6, label=name)
    plain_numbers(axes.xaxis, logarithmic=True)
    return figure, axes


def draw_stacks(chart):
    figure, axes = rows_figure(chart, 1)
    starts = [0.] * len(chart.labels)
    for (name, values), colour in zip(chart.series.items(), COLOURS):
        axes.barh(range(len(values)), values, .6, starts, color=colour, label=name)
        starts = [start + value for start, value in zip(starts, values)]
    axes.set_xlim(0, max(starts))
    plain_numbers(axes.xaxis)
    return figure, axes


def draw_lines(chart):
    figure, axes = plt.subplots(figsize=(WIDTH, 3.6))
    for (name, points), colour, marker in zip(chart.series.items(), COLOURS, MARKERS):
        axes.plot(*zip(*points), marker=marker, color=colour, markersize=5, linewidth=1.5, label=name)
    if chart.reference is not None:
        axes.axhline(chart.reference, color="black", linewidth=1, linestyle="--")
    for axis, logarithmic, scale in ((axes.xaxis, chart.x_logarithmic, axes.set_xscale),
                                     (axes.yaxis, chart.y_logarithmic, axes.set_yscale)):
        if logarithmic:
            scale("log")
        plain_numbers(axis, logarithmic)
    if chart.y_from_zero:
        axes.set_ylim(bottom=0)
    if chart.x_ticks:
        axes.set_xticks(chart.x_ticks)
        axes.set_xticks([], minor=True)
    axes.set_xlabel(chart.x_axis)
    axes.set_ylabel(chart.y_axis)
    axes.grid(color="#dddddd", linewidth=.6)
    return figure, axes


DRAW = {Ratios: draw_ratios, Dots: draw_dots, Stacks: draw_stacks, Lines: draw_lines}


def save(chart, path):
    with plt.rc_context(STYLE):
        figure, axes = DRAW[type(chart)](chart)
        lines = 0
        if len(chart.series) > 1:
            # Outside of the data, whatever the data is.
            legend = axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=min(len(chart.series), ACROSS),
                                 frameon=False, borderaxespad=0)
            lines = math.ceil(len(legend.get_texts()) / ACROSS)
        axes.set_title(chart.title, loc="left", fontsize=10, pad=8 + 14 * lines)
        figure.savefig(path, bbox_inches="tight", pad_inches=.1, metadata={
            "Date": None, "Creator": None, "Title": chart.title, "Description": chart.fingerprint()})
        plt.close(figure)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line.rstrip() + "\n" for line in text.splitlines())
