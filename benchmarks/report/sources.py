# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""On what, and when, each file of results was measured, as far as the file itself says."""
import json
import os

UNKNOWN = "not recorded"


def origin(data):
    """(device, version of torch, date); what a file does not say is empty."""
    if isinstance(data, list):
        return "", "", ""
    return data.get("device") or data.get("machine", ""), data.get("torch", ""), data.get("date", "")


def report(contents, results):
    """One row per origin, with all files of the folder that have it."""
    files = {}
    for name in sorted(os.listdir(results)):
        if name.endswith(".json"):
            with open(os.path.join(results, name), encoding="utf-8") as file:
                files.setdefault(origin(json.load(file)), []).append(name.removesuffix(".json"))
    contents.table("sources", ["measured on", "PyTorch", "date", "files of results"], [
        [device or UNKNOWN, torch, date or UNKNOWN, ", ".join(names)]
        for (device, torch, date), names in sorted(files.items(), key=lambda item: (-len(item[1]), item[0]))])
