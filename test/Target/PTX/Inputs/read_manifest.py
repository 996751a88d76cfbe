"""Checks the manifest of emit.mlir."""
import json
import sys

with open(sys.argv[1]) as file:
    manifest = json.load(file)
assert manifest["schema"] == "pit-manifest" and manifest["version"] == 2 and manifest["target"] == "cuda"
assert (manifest["chip"], manifest["features"]) == ("sm_90a", "+ptx80")
(kernel,) = manifest["kernels"]
assert kernel["block"] == [256, 1, 1] and kernel["shared_static"] == 0
(function,) = manifest["functions"]
assert function["name"] == "main" and function["status_buffer"] is None
assert function["arguments"] == [{"kind": "tensor", "dtype": "f32", "shape": [-1, 64], "buffer": 0}]
(launch,) = function["launches"]
assert launch["kernel"] == kernel["entry"]
assert len(launch["arguments"]) == len(kernel["arguments"])
assert [b["kind"] for b in function["buffers"]] == ["argument", "workspace"]
assert function["buffers"][1]["shape"] == [{"op": "dim", "argument": 0, "axis": 0}, 64]
(result,) = function["results"]
assert result["buffer"] == 1 and result["offset"] == 0 and result["shape"] == [-1, 64]
