"""replay.py PIT-OPT FILE PIPELINE OUT: runs what --dump-pass-pipeline printed."""
import subprocess
import sys

opt, program, dump, out = sys.argv[1:5]
with open(dump) as file:
    lines = [line.strip() for line in file if line.strip()]
text = next(line for line in lines if line.startswith("builtin.module("))
sys.exit(subprocess.run([opt, program, "--pass-pipeline=" + text, "-o", out]).returncode)
