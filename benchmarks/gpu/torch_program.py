# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled program on tensors of torch, for the scripts that compare with it."""
import json
import os

import torch

import run_manifest

DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "i1": torch.bool,
          "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64}


class TorchProgram:
    """The first function of a directory with manifest.json and kernels.ptx, or kernels.cubin."""

    def __init__(self, driver, directory):
        self.driver, self.name = driver, os.path.basename(os.path.normpath(directory))
        with open(os.path.join(directory, "manifest.json"), encoding="utf-8") as file:
            self.function = json.load(file)["functions"][0]
        for name in ("kernels.cubin", "kernels.ptx"):
            try:
                with open(os.path.join(directory, name), "rb") as file:
                    self.module = driver.load(file.read())
                break
            except (OSError, RuntimeError):
                if name == "kernels.ptx":
                    raise

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
            elif buffer["kind"] != "status" and made.is_floating_point():
                made.fill_(float("nan"))
            self.buffers.append(made)
        self.calls = run_manifest.prepare_launches(self.driver, self.module, self.function,
                                                   [x.data_ptr() for x in self.buffers], inputs)
        return [self.buffers[result["buffer"]] for result in self.function["results"]]

    def launch(self):
        for call in self.calls:
            self.driver.launch(*call)

    def check_status(self):
        torch.cuda.synchronize()
        status = self.function["status_buffer"]
        if status is not None and int(self.buffers[status][0]):
            raise RuntimeError(f"{self.name}: the program reports {self.buffers[status].tolist()}")
