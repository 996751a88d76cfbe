"""In the place of a fuzzer of libFuzzer's and of pit-opt, for a test of coverage.py. As a fuzzer, it counts its first inputs and
finds nothing; with FOLDER COUNT alone, it writes a program with so many pipelines of its own."""

import os
import re
import sys

words = sys.argv[1:]
if len(words) == 2 and words[1].isdigit():
    with open(os.path.join(words[0], "program.mlir"), "w", encoding="utf-8") as file:
        file.writelines(f"// RUN: pit-opt %s --pit-tile-rules=tile-size={number}\n" for number in range(int(words[1])))
        file.write("module {}\n")
elif "--dump-pass-pipeline" in words:
    pipeline = re.sub("^--", "", words[0])
    sys.stderr.write(f"Pass Manager with 1 passes:\nbuiltin.module({pipeline})\n")
else:
    print(f"#{len(os.listdir(words[-1]))}: cov: 5 ft: 6 corp: {len(os.listdir(words[-1]))} exec/s 1")
