"""Checks the manifest of tensor-maps.mlir."""
import json
import sys

with open(sys.argv[1]) as file:
    manifest = json.load(file)
assert manifest["version"] == 2
kernel = manifest["kernels"][-1]  # the one for many rows
assert kernel["block"] == [384, 1, 1] and kernel["shared_static"] == 0
kinds = [argument["kind"] for argument in kernel["arguments"]]
assert kinds == ["tensor_map"] * 3 + ["scalar"] * 3
assert [argument["bytes"] for argument in kernel["arguments"]] == [128] * 3 + [4] * 3
(function,) = manifest["functions"]
assert [buffer["dtype"] for buffer in function["buffers"]] == ["bf16"] * 3  # the sums are gone
launch = function["launches"][-1]
rows = {"op": "dim", "argument": 0, "axis": 0}
a, b, c, m, n, k = launch["arguments"]
codes = {"dtype": "bf16", "offset": 0, "interleave": 0, "swizzle": 3, "l2_promotion": 2, "out_of_bounds": 0}
assert a["tensor_map"] == {"buffer": 0, "sizes": [128, rows], "strides": [256], "box": [64, 128], **codes}
assert b["tensor_map"] == {"buffer": 1, "sizes": [64, 128, 8], "strides": [1024, 128], "box": [64, 64, 4], **codes}
assert c["tensor_map"] == {"buffer": 2, "sizes": [512, rows], "strides": [1024], "box": [64, 16], **codes}
assert [x["value"] for x in (m, n, k)] == [rows, 512, 128]
assert launch["shared_dynamic"] > 200000
