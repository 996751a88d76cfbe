#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies compiled cases, with another number of bytes that the L2 cache fetches at a time for tensor maps.

    set_promotion.py BYTES DIRECTORY...

BYTES is 0, 64, 128 or 256. DIRECTORY is a case of a build script; the copy stands beside it as DIRECTORY@BYTES, to
be given to the bench script as a variant of it. Kernels stay what they are. Needs no GPU, no numpy.
"""
import argparse
import json
import os
import shutil

# Of the driver's CUtensorMapL2promotion.
CODES = {0: 0, 64: 1, 128: 2, 256: 3}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bytes", type=int, choices=CODES)
    parser.add_argument("directories", nargs="+", metavar="DIRECTORY")
    options = parser.parse_args()
    for directory in options.directories:
        copy = f"{directory.rstrip('/')}@{options.bytes}"
        shutil.copytree(directory, copy, dirs_exist_ok=True)
        path = os.path.join(copy, "manifest.json")
        with open(path, encoding="utf-8") as file:
            manifest = json.load(file)
        for function in manifest["functions"]:
            for launch in function["launches"]:
                for argument in launch["arguments"]:
                    if "tensor_map" in argument:
                        argument["tensor_map"]["l2_promotion"] = CODES[options.bytes]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(manifest, file)


if __name__ == "__main__":
    main()
