# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of functions that launch something, by events on the device, alternating between all functions."""
import statistics
import time

import torch


def events(count):
    return [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(count)]


def capture(function):
    """One call of `function`, which gets the number of a stream, as a CUDA graph: what replays it."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        function(side.cuda_stream)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        function(torch.cuda.current_stream().cuda_stream)
    return graph.replay


def time_flushed(functions, flush, rounds):
    """Milliseconds per function and round, one launch each after a flush."""
    marks = [events(rounds) for _ in functions]
    for i in range(rounds):
        for function, mark in zip(functions, marks):
            flush.zero_()
            mark[i][0].record()
            function()
            mark[i][1].record()
    torch.cuda.synchronize()
    return [[start.elapsed_time(end) for start, end in mark] for mark in marks]


def time_launches(program, flush, rounds):
    """Median milliseconds per launch of a program, one after the other, with the gaps that launching makes."""
    times = [[] for _ in program.calls]
    for _ in range(rounds):
        marks = [torch.cuda.Event(enable_timing=True) for _ in range(len(times) + 1)]
        flush.zero_()
        marks[0].record()
        for call, mark in zip(program.calls, marks[1:]):
            program.driver.launch(*call[:-1])
            mark.record()
        torch.cuda.synchronize()
        for i, values in enumerate(times):
            values.append(marks[i].elapsed_time(marks[i + 1]))
    return [statistics.median(values) for values in times]


def time_block(function, count):
    """Milliseconds per call of `count` calls in a row."""
    start, end = events(1)[0]
    start.record()
    for _ in range(count):
        function()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / count


def time_blocks(functions, milliseconds, pause, rounds):
    """Milliseconds per function and round, in blocks of about so many milliseconds after pauses in seconds."""
    result = [[] for _ in functions]
    for _ in range(rounds):
        for function, times in zip(functions, result):
            if pause:
                time.sleep(pause)
            one = time_block(function, 2)
            times.append(time_block(function, max(3, int(milliseconds / one))))
    return result


def median_ratio(theirs, ours):
    """The median over rounds of their time over ours: above 1, ours is faster."""
    return round(statistics.median(t / o for t, o in zip(theirs, ours)), 4)


def median_ms(times, digits=4):
    return round(statistics.median(times), digits)
