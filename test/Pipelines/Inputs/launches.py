"""Prints the kernels of a manifest's first function in order, and how many axes its workspaces have: launches.py MANIFEST"""

import json
import sys

function = json.load(open(sys.argv[1]))["functions"][0]
for launch in function["launches"]:
    print(launch["kernel"])
print("axes of workspaces:", *sorted({len(b["shape"]) for b in function["buffers"] if b["kind"] == "workspace"}))
