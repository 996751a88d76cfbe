# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all peers have in common, and what becomes of one that is not there or cannot do a case."""
import importlib
import statistics

import torch

import harness
from bench_encoder import capture
from timing import median_ms, median_ratio, time_flushed


class Peer:
    """`setup` makes of a case's tensors a function without arguments that computes the result on the current stream.

    facts  numbers and words for the record
    parts  more functions to be timed, by the name of their time in the record
    """
    captures = True  # whether the function may become a CUDA graph: it waits for nothing on the host
    computes_result = True

    def __init__(self, name, quick=False):
        self.name, self.quick, self.facts, self.parts = name, quick, {}, {}

    def available(self):
        """Why not; empty if it is."""
        return ""

    def setup(self, data):
        raise NotImplementedError


class Absent(Peer):
    """One whose package is not installed."""

    def __init__(self, name, reason):
        super().__init__(name)
        self.reason = reason

    def available(self):
        return self.reason


def load(places, quick=False):
    """A list of peers, of where they are: {name: "module:class"}, modules of this package."""
    found = []
    for name, place in places.items():
        module, _, kind = place.partition(":")
        try:
            found.append(getattr(importlib.import_module("peers." + module), kind)(name, quick))
        except ImportError as error:
            found.append(Absent(name, str(error)))
    return found


def describe(failure):
    return f"{type(failure).__name__}: {failure}".strip().replace("\n", " ")[:300]


class Runner:
    """The peers of one case: which can do it, with results that are right, and how long they take.

    records    by name of the peer, for the file of results: {"missing": reason}, or times and facts
    functions  of those that can, by name of the peer: what is timed, by the name of its time
    """

    def __init__(self, peers, data, check):
        """`check` returns the relative error of a result, and raises if it is too large."""
        self.records, self.functions = {}, {}
        for peer in peers:
            self.records[peer.name] = self.start(peer, data, check)
            torch.cuda.empty_cache()

    def start(self, peer, data, check):
        reason = peer.available()
        if reason:
            return {"missing": reason}
        try:
            function = peer.setup(data)
            result = function()
            record = {"error": check(result)} if peer.computes_result else {}
            torch.cuda.synchronize()
        except Exception as failure:  # whatever a library that is not ours raises
            reason = describe(failure)
            if any(sign in reason for sign in harness.LOST_CONTEXT):
                raise RuntimeError(f"{peer.name}: {reason}") from failure
            return {"missing": reason}
        self.functions[peer.name] = {"ms": function, **peer.parts}
        record.update(peer.facts)
        if peer.captures:
            graph, reason = as_graph(function)
            if graph:
                self.functions[peer.name]["graph_ms"] = graph
            else:
                record["no_graph"] = reason
        return record

    def time(self, ours, flush, rounds):
        """Times {name: function} of ours and all that the peers have, in the same rounds, and adds to the peers' records;
        `ratio` is a peer's time, as a graph if that is faster, over the fastest of ours. Returns the times of ours."""
        keys = [(name, key) for name, parts in self.functions.items() for key in parts]
        functions = [*ours.values(), *(self.functions[name][key] for name, key in keys)]
        time_flushed(functions, flush, 2)
        times = time_flushed(functions, flush, rounds)
        mine, theirs = dict(zip(ours, times)), dict(zip(keys, times[len(ours):]))
        for (name, key), values in theirs.items():
            self.records[name][key] = median_ms(values, 5)
        fastest = min(mine.values(), key=statistics.median)
        for name, record in self.records.items():
            calls = [theirs[name, key] for key in ("ms", "graph_ms") if (name, key) in theirs]
            if calls:
                record["ratio"] = median_ratio(min(calls, key=statistics.median), fastest)
        return mine


def as_graph(function):
    """(what replays the function as a CUDA graph, "") or (None, why there is none)."""
    stream = torch.cuda.current_stream()
    try:
        return capture(lambda _: function()), ""
    except Exception as failure:  # as above
        torch.cuda.set_stream(stream)
        torch.cuda.synchronize()
        return None, describe(failure)


def add_options(parser, places):
    parser.add_argument("--peers", default=",".join(places), help="some of them: %(default)s")
    parser.add_argument("--quick", action="store_true", help="one configuration of each peer that has several")


def chosen(parser, options, places):
    """Of the options, what makes the peers for one case: they keep what they made of it."""
    names = options.peers.split(",")
    unknown = [name for name in names if name not in places]
    if unknown:
        parser.error(f"no such peer: {', '.join(unknown)}; there are {', '.join(places)}")
    return lambda: load({name: places[name] for name in names}, options.quick)


def relative_error(result, reference):
    return float((result.double() - reference.double()).norm() / reference.double().norm().clamp_min(1e-30))


def checker(reference, tolerance):
    """What Runner checks with. NaN is an error, too."""
    def check(result):
        error = relative_error(result, reference)
        if not error <= tolerance:
            raise RuntimeError(f"relative error {error}")
        return error

    return check
