# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs for GPUs; none may have a kernel in which one thread adds up more than 1,024 elements.

    long_reductions.py PIT_OPT CHIP FOLDER...

Programs that do not compile, as those of tests of what is refused, are left out.
"""
import glob
import os
import subprocess
import sys

WARNING = "one thread adds up"


def main():
    pit_opt, chip, *folders = sys.argv[1:]
    files = sorted(file for folder in folders for file in glob.glob(os.path.join(folder, "**", "*.mlir"), recursive=True))
    compiled = failures = 0
    for file in files:
        done = subprocess.run([pit_opt, file, f"--pit-to-ptx=chip={chip}", "--split-input-file", "-o", os.devnull],
                              capture_output=True, text=True, check=False)
        compiled += done.returncode == 0
        if WARNING in done.stderr:
            failures += 1
            print(file, *(line for line in done.stderr.splitlines() if WARNING in line), sep="\n")
    print(f"{compiled} programs compiled, {failures} with a thread that adds up too many elements")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
