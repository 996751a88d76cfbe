"""Runs the commands in the heads of the examples: heads.py SOURCE BUILD."""

import glob
import os
import re
import subprocess
import sys

source, build = sys.argv[1:]
environment = dict(os.environ, PATH=os.path.join(build, "bin") + os.pathsep + os.environ["PATH"])
commands = wrong = 0
examples = sorted(glob.glob(f"{source}/examples/**/*.mlir", recursive=True))
for path in examples:
    with open(path, encoding="utf-8") as file:
        head = re.match(r"(?://.*\n)*", file.read())[0]
    name = os.path.relpath(path, source)
    found = re.findall(r"^// (?:Run:)? +(pit-(?:run|opt) \S+\.mlir .*)$", head, re.MULTILINE)
    problems = [] if found else ["no command in its head"]
    if "// Look at: " not in head:
        problems.append("its head does not say what to look at")
    for command in found:
        commands += 1
        if command.split()[1] != name:
            problems.append(f"a command of another program: {command}")
        # Most of the time would be LLVM's.
        command = command.replace("pit-run examples/", "pit-run --opt-level=0 examples/")
        run = subprocess.run(["bash", "-c", command + " > /dev/null"], cwd=source, env=environment, capture_output=True, text=True)
        if run.returncode:
            problems.append(f"{command}: {run.stderr}")
    for problem in problems:
        print(f"{name}: {problem}")
        wrong += 1
print(f"{commands} commands of {len(examples)} examples, {wrong} wrong")
