"""Compares manifests of one program: of its kernels, and of its entry points."""
import json
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def described(manifest):
    """What both say."""
    (function,) = manifest["functions"]
    values = [[{name: value[name] for name in ("kind", "dtype", "shape") if name in value} for value in function[kind]]
              for kind in ("arguments", "results")]
    return [manifest[name] for name in ("schema", "version", "target", "chip")], function["name"], values


kernels, calls = map(read, sys.argv[1:])
assert described(kernels) == described(calls), (described(kernels), described(calls))
assert described(calls) == (["pit-manifest", 2, "cuda", "sm_90a"], "main", [
    [{"kind": "tensor", "dtype": "f32", "shape": [-1, 64]}, {"kind": "scalar", "dtype": "f16"}, {"kind": "scalar", "dtype": "i64"}],
    [{"kind": "tensor", "dtype": "f32", "shape": [-1, 64]}, {"kind": "tensor", "dtype": "i32", "shape": [4, 8]}]])
assert set(kernels) - set(calls) == {"features", "module", "kernels"}
assert set(calls) - set(kernels) == {"runtime_version", "table"}
launched, called = kernels["functions"][0], calls["functions"][0]
assert set(launched) - set(called) == {"buffers", "checks", "launches", "status_buffer"}
assert set(called) - set(launched) == {"call", "shapes"}
assert called["call"] == "pit_main" and called["shapes"] == "pit_main_shapes"
