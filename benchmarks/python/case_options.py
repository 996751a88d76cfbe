# ===- case_options.py - Options of benchmarks in two steps -----------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Options of benchmarks that compile cases on one machine and run them on another."""

import argparse


def parser_of(text):
    """A parser with what they have in common; more may be added. The first line of `text` is the summary."""
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    parser.add_argument("--compile", metavar="OUT")
    parser.add_argument("--run", metavar="OUT")
    parser.add_argument("--target", default="cuda:sm_90a")
    parser.add_argument("--json")
    parser.add_argument("--only", action="append")
    return parser


def parse(parser, cases):
    """The options; ends the process where a case is unknown, or not one of both steps is asked for."""
    options = parser.parse_args()
    for name in options.only or []:
        if name not in cases:
            parser.error(f"no case '{name}'; there are {', '.join(cases)}")
    if bool(options.compile) == bool(options.run):
        parser.error("give --compile OUT or --run OUT")
    return options
