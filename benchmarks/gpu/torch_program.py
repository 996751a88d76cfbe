# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled program on tensors of torch, for the scripts that compare with it."""
import os

import torch

import harness
import run_manifest

DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "i1": torch.bool,
          "f8E4M3FN": torch.float8_e4m3fn, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64}
# ||out - reference|| / ||reference||: rounding of the output, or of f32 sums.
TOLERANCE = {"bf16": 3e-3, "f16": 4e-4, "f32": 2e-5, "tf32": 1e-3, "f8E4M3FN": 1e-3}


def tolerance(case):
    """That of a product, from its case.json."""
    return max(TOLERANCE[case.get("out", "bf16")], *(TOLERANCE.get(case.get(key), 0) for key in ("products", "dtype")))


class TorchProgram:
    """The first function of a directory with manifest.json and kernels.ptx, or kernels.cubin."""

    def __init__(self, driver, directory):
        self.driver, self.name = driver, os.path.basename(os.path.normpath(directory))
        self.function = harness.read_json(directory, "manifest.json")["functions"][0]
        self.module = driver.load_kernels(directory)

    def prepare(self, inputs):
        """Makes the buffers of a call and returns its results, tensors that each launch writes anew."""
        self.inputs, self.buffers = inputs, []
        for buffer in self.function["buffers"]:
            shape = [run_manifest.evaluate(e, inputs) for e in buffer["shape"]]
            if buffer["kind"] == "argument":
                self.buffers.append(inputs[buffer["argument"]])
                continue
            made = torch.zeros(shape, dtype=DTYPES[buffer["dtype"]], device="cuda")
            if buffer["kind"] == "constant":
                made.copy_(torch.from_numpy(run_manifest.host_contents(buffer, shape, inputs)))
            elif buffer["kind"] != "status":
                # What nobody wrote must not matter.
                made.fill_(float("nan") if made.is_floating_point() else -1)
            self.buffers.append(made)
        self.calls = run_manifest.prepare_launches(self.driver, self.module, self.function,
                                                   [x.data_ptr() for x in self.buffers], inputs)
        return [self.buffers[result["buffer"]] for result in self.function["results"]]

    def buffers_of(self, kind):
        return [made for made, buffer in zip(self.buffers, self.function["buffers"]) if buffer["kind"] == kind]

    def launch(self, stream=None):
        for call in self.calls:
            self.driver.launch(*call, stream=stream)

    def check_status(self):
        torch.cuda.synchronize()
        status = self.function["status_buffer"]
        if status is not None and int(self.buffers[status][0]):
            raise RuntimeError(f"{self.name}: the program reports {self.buffers[status].tolist()}")


def check_same_bits(name, out, launch, reruns, fill=None):
    """Launches again and again; raises where `out`, filled before if `fill` is given, does not come out the same."""
    first, same = out.clone().view(torch.int8), torch.ones((), dtype=torch.bool, device="cuda")
    for _ in range(reruns):
        if fill is not None:
            out.fill_(fill)
        launch()
        same &= (out.view(torch.int8) == first).all()
    if not bool(same):
        raise RuntimeError(f"{name}: another run, other bits")
