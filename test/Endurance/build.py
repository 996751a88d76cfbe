#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the workloads of programs.py for endurance.py.

    build.py BUILD OUT --target cuda|cpu [NAME...]

BUILD is a build folder. Each workload becomes NAME.so and NAME.dense.so of OUT, next to the runtime; for a device there is
NAME.json, too, from which the places of buffers in the workspace follow. What runs them needs no LLVM and no compiler.
"""
import argparse
import os
import shutil
import subprocess
import sys

import programs


def build(options, name, workload):
    path = os.path.join(options.out, name)
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        file.write(workload.text)
    compiler = [os.path.join(options.build, "bin", "pit-compile"), path + ".mlir", "--target", options.target]
    if options.target == "cuda":
        # What is rerun are kernels that skip, also where dense ones are faster.
        compiler += ["--chip", options.chip, "--no-dense-variants"]
    for arguments in (["-o", path + ".so"], ["--dense", "-o", path + ".dense.so"]):
        subprocess.run([*compiler, *arguments], check=True)
    if options.target == "cuda":
        module = path + ".module.mlir"
        subprocess.run([os.path.join(options.build, "bin", "pit-opt"), path + ".mlir", f"--pit-to-ptx=chip={options.chip} dense-variants=false",
                        "-o", module],
                       check=True)
        subprocess.run([os.path.join(options.build, "bin", "pit-translate"), "--pit-to-manifest", module, "-o", path + ".json"], check=True)
        os.remove(module)
    for kind in (".h", ".dense.h"):
        os.remove(path + kind)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("out")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--target", choices=list(programs.TARGETS), default="cuda")
    parser.add_argument("--chip", default="sm_90a")
    options = parser.parse_intermixed_args()
    os.makedirs(options.out, exist_ok=True)
    workloads = programs.TARGETS[options.target]()
    for name in options.names or workloads:
        if name not in workloads:
            sys.exit(f"no workload {name}; there are {', '.join(workloads)}")
        build(options, name, workloads[name])
    shutil.copy(os.path.join(options.build, "lib", "libpit_runtime.so.0"), options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
