# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sum over listed k: bench_listed_sum.py."""
from charts import Lines
from page import number
from records import by_case

RESULTS = ["h200-kgather.json"]


def report(contents, kgather):
    entry, = by_case(kgather)["ksum-4096"]
    times = [(time["what"].split(" listed, "), time) for time in entry["times"] if " listed, " in time["what"]]
    contents.table("kgather", ["listed", "ms", "over dense"], [
        [", ".join(what), f"{number(time['flushed']['ms'], 3)} ({number(time['burst']['ms'], 3)})",
         f"{number(time['flushed']['ratio'], 3)} ({number(time['burst']['ratio'], 3)})"] for what, time in times])
    lines = {name: [(int(what[0]) / entry["k"] * 100, time[name]["ratio"]) for what, time in times
                    if what[1] == "random"] for name in ("flushed", "burst")}
    contents.figure("kgather", Lines(
        "A sum over listed k on an H200 (4096 x 4096 x 4096)", "share of k that is listed, %",
        "time of our dense kernel\nover that of the list", lines, x_logarithmic=True, y_logarithmic=True, reference=1))
