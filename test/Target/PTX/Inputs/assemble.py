"""assemble.py PIT-OPT PIT-TRANSLATE EXAMPLES TMP: compiles and assembles every example."""
import glob
import os
import subprocess
import sys

opt, translate, examples, tmp = sys.argv[1:5]
os.makedirs(tmp, exist_ok=True)
programs = sorted(glob.glob(os.path.join(examples, "*.mlir")))
assert len(programs) >= 10
failures = 0
for program in programs:
    for options in ("", "dense=true"):
        name = os.path.join(tmp, os.path.basename(program))
        steps = [
            [opt, program, "--pit-to-ptx=chip=sm_90a " + options, "-o", name],
            [translate, "--pit-to-ptx", name, "-o", name + ".ptx"],
            [translate, "--pit-to-manifest", name, "-o", name + ".json"],
            ["ptxas", "-arch=sm_90a", "-o", "/dev/null", name + ".ptx"],
        ]
        for step in steps:
            result = subprocess.run(step, stderr=subprocess.PIPE, text=True)
            if result.returncode:
                failures += 1
                print(f"{program} {options}: {step[0]}: {result.stderr}")
                break
sys.exit(1 if failures else 0)
