# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One file per family of benchmarks. Each has

    RESULTS                     the names of the files of benchmarks/results that it reads
    report(contents, *results)  puts its tables and figures, made of their contents, on the page

and is found by being here.
"""
import importlib
import json
import os
import pkgutil

import sources
from page import Contents


def collect(results):
    """What all families say about a folder of results. Raises ValueError for results that a family cannot read."""
    contents = Contents()
    for _, name, _ in sorted(pkgutil.iter_modules(__path__), key=lambda module: module[1]):
        family = importlib.import_module(f"{__name__}.{name}")
        data = []
        # What was never measured has nothing to say, and no marks on the page.
        if not any(os.path.exists(os.path.join(results, file_name)) for file_name in family.RESULTS):
            continue
        for file_name in family.RESULTS:
            with open(os.path.join(results, file_name), encoding="utf-8") as file:
                data.append(json.load(file))
        try:
            family.report(contents, *data)
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"{name}: {', '.join(family.RESULTS)}: {type(error).__name__}: {error}") from error
    sources.report(contents, results)
    return contents
