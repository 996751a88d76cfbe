"""assemble.py PIT-OPT PIT-TRANSLATE EXAMPLES TMP: compiles and assembles every example."""
import glob
import json
import os
import subprocess
import sys

opt, translate, examples, tmp = sys.argv[1:5]
os.makedirs(tmp, exist_ok=True)
# A program of ranks has a module of kernels for each phase, which text and manifests do not: test/Emulated/sharded.test runs it.
programs = sorted(path for path in glob.glob(os.path.join(examples, "**", "*.mlir"), recursive=True) if os.path.basename(os.path.dirname(path)) != "parallel")
assert len(programs) >= 10


def check_manifest(name):
    """Every launch passes what its kernel takes, in buffers that exist."""
    with open(name) as file:
        manifest = json.load(file)
    kernels = {kernel["entry"]: kernel for kernel in manifest["kernels"]}
    for function in manifest["functions"]:
        assert function["results"] and function["launches"]
        for launch in function["launches"]:
            kernel = kernels[launch["kernel"]]
            assert launch["block"] == kernel["block"]
            assert len(launch["arguments"]) == len(kernel["arguments"])
            for passed, taken in zip(launch["arguments"], kernel["arguments"]):
                assert ("buffer" in passed) == (taken["kind"] == "pointer")
                assert ("tensor_map" in passed) == (taken["kind"] == "tensor_map")
                assert passed.get("tensor_map", passed).get("buffer", 0) < len(function["buffers"])
                assert taken["kind"] != "scalar" or passed["dtype"] == taken["dtype"]


failures = 0
# The oldest chips have the oldest PTX, which lacks some of what newer ones have.
variants = [("sm_90a", ""), ("sm_80", ""), ("sm_75", "")]
for program in programs:
    for chip, options in variants:
        name = os.path.join(tmp, os.path.basename(program))
        steps = [
            [opt, program, f"--pit-to-ptx=chip={chip} {options}", "-o", name],
            [translate, "--pit-to-ptx", name, "-o", name + ".ptx"],
            [translate, "--pit-to-manifest", name, "-o", name + ".json"],
            ["ptxas", f"-arch={chip}", "-o", "/dev/null", name + ".ptx"],
        ]
        for step in steps:
            result = subprocess.run(step, stderr=subprocess.PIPE, text=True)
            if result.returncode:
                failures += 1
                print(f"{program} {chip} {options}: {step[0]}: {result.stderr}")
                break
        else:
            check_manifest(name + ".json")
sys.exit(1 if failures else 0)
