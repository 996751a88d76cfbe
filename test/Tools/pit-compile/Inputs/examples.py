"""examples.py BIN SOURCE FOLDER: compiles every example of examples.test, and loads it with its first arguments."""
import glob
import os
import re
import subprocess
import sys

bin_folder, source, folder = sys.argv[1:4]
cases = {}
with open(os.path.join(source, "test", "Examples", "examples.test")) as file:
    for line in file:
        match = re.match(r"# RUN: pit-run %pit_src/(examples/\S+) (.*?) --check", line)
        if match:
            cases.setdefault(match.group(1), match.group(2).split())
# Those of several ranks have tests of their own.
missing = [path for path in glob.glob(os.path.join(source, "examples", "**", "*.mlir"), recursive=True)
           if os.path.relpath(path, source) not in cases and not os.path.relpath(path, source).startswith("examples/parallel/")]
assert not missing, missing


def run(tool, *arguments):
    subprocess.run([os.path.join(bin_folder, tool), *arguments], check=True, stdout=subprocess.DEVNULL)


for program, arguments in sorted(cases.items()):
    path, prefix = os.path.join(source, program), os.path.join(folder, os.path.basename(program))
    run("pit-compile", path, "-o", prefix + ".cuda.so", "--chip", "sm_90a")
    if "/torch/" in program and "dynamic" not in program:
        # Seconds each, for what the others show.
        print(f"{program}: compiled", flush=True)
        continue
    run("pit-compile", path, "-o", prefix + ".so", "--cpu", "native")
    run("pit-run-loaded", "--load", prefix + ".so", *arguments, "--output", prefix + ".loaded")
    run("pit-run", path, "--target", "cpu", *arguments, "--output", prefix + ".jit")
    results = sorted(glob.glob(prefix + ".jit.*.npy"))
    equal = bool(results)
    for result in results:
        with open(result, "rb") as a, open(result.replace(".jit.", ".loaded."), "rb") as b:
            equal &= a.read() == b.read()
    print(f"{program}: {'equal' if equal else 'differs'}", flush=True)
