# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is run again and again: programs written dense, and what their arguments are made of (data.py)."""
import dataclasses
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.append(os.path.join(ROOT, "benchmarks", "gpu"))


@dataclasses.dataclass
class Workload:
    text: str
    arguments: list  # of each, a method of data.Data and its arguments; the last one goes for all others
    shapes: dict = dataclasses.field(default_factory=dict)  # of arguments with extents that the caller chooses
    relative: float = 1e-3  # of what the dense program gives, in norm
    lengths: int = None  # the argument that says how many positions of each batch are promised


def example(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


NUMBERS, WEIGHTS = ("floats",), ("small",)


def of_masked_k(m, n, k):
    """A product whose k a mask says."""
    return f"""
func.func @main(%a: tensor<{m}x{k}xbf16> {{pit.sparse = {{source = "mask", from = 1 : i64, axes = array<i64: 1>, absent = "zero"}}}},
    %live: tensor<{k}xi1>, %b: tensor<{k}x{n}xbf16>) -> tensor<{m}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16>) outs(%z : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %c : tensor<{m}x{n}xf32>
}}
"""


def for_device():
    from build_blocks import write_program as blocks
    from build_epilogues import write_program as product
    from build_feed_forward import write_program as feed_forward
    from build_moe import Experts, write_program as experts
    from build_matmul import matmul
    from encoder_program import Shape, whole_layer

    rounded = {"relative": 2e-2}
    normed = [WEIGHTS, ("small",)] * 4 + [("positive",), WEIGHTS] + [WEIGHTS, WEIGHTS] * 2 + [("positive",), WEIGHTS]
    return {
        "experts": Workload(experts(Experts(16, 2, 256, 512, "swiglu")), [NUMBERS, ("gate", 2), WEIGHTS, WEIGHTS, WEIGHTS],
                            {0: [500, 256], 1: [500, 16]}, **rounded),
        "experts-uneven": Workload(experts(Experts(40, 1, 192, 320, "relu")), [NUMBERS, ("gate", 1, True), WEIGHTS, WEIGHTS],
                                   {0: [700, 192], 1: [700, 40]}, **rounded),
        "encoder": Workload(whole_layer(Shape(5, 80, width=128, inner=256, heads=4)), [NUMBERS, ("lengths", 1, 80), *normed],
                            lengths=1, **rounded),
        "feed-forward": Workload(feed_forward(128, 256, 1024), [NUMBERS, WEIGHTS, ("biases", .8), WEIGHTS, WEIGHTS], **rounded),
        "feed-forward-blocks": Workload(feed_forward(2000, 256, 1024, 64),
                                        [NUMBERS, WEIGHTS, ("biases", .7, 64), WEIGHTS, WEIGHTS], **rounded),
        "sparse-32x1": Workload(blocks(512, 512, 1024, (32, 1)), [("tiles", 32, 1, .9), WEIGHTS], **rounded),
        "sparse-32x64": Workload(blocks(1000, 328, 1112, (32, 64)), [("tiles", 32, 64, .8), WEIGHTS], **rounded),
        "gathered-k": Workload(of_masked_k(256, 320, 2048), [NUMBERS, ("bools", .2), WEIGHTS], **rounded),
        "dense": Workload(matmul(512, 512, 512), [NUMBERS, WEIGHTS], **rounded),
        "masked-rows": Workload(example("benchmarks/gpu/programs/masked_rows.mlir").replace("4096", "256"),
                                [NUMBERS, ("bools", .4), WEIGHTS], {0: [1000, 256], 1: [1000]}, **rounded),
        "lists": Workload(example("examples/reduce_sum.mlir"), [("tiles", 1, 16, .9)]),
        "routing": Workload(example("examples/torch/moe_topk_inside.mlir"), [NUMBERS, WEIGHTS, WEIGHTS, WEIGHTS]),
        "decode": Workload(product(16, 1024, 2048, ["bias", "relu"]), [NUMBERS, WEIGHTS, NUMBERS], **rounded),
        "attention": Workload(example("examples/masked_attention.mlir"), [NUMBERS, NUMBERS, NUMBERS, ("bools", .3)]),
    }


def for_host():
    def of(name, *arguments, **options):
        return Workload(example(f"examples/{name}.mlir"), list(arguments), **options)

    return {
        "sparse_matmul_k": of("sparse_matmul_k", ("tiles", 32, 1, .9), NUMBERS),
        "sparse_matmul_m": of("sparse_matmul_m", NUMBERS, ("bools", .3), NUMBERS, shapes={0: [100, 256], 1: [100]}),
        "sparse_matmul_n": of("sparse_matmul_n", NUMBERS, NUMBERS, ("bools", .3)),
        "sparse_matmul_both": of("sparse_matmul_both", NUMBERS, NUMBERS, ("bools", .3), ("bools", .3)),
        "sparse_matmul_blocks": of("sparse_matmul_blocks", NUMBERS, ("bools", .2), NUMBERS),
        "batch_matmul_lengths": of("batch_matmul_lengths", NUMBERS, ("lengths", 0, 25), NUMBERS,
                                   shapes={0: [5, 50, 64], 1: [5], 2: [5, 64, 96]}),
        "moe_dense_einsum": of("moe_dense_einsum", NUMBERS, ("gate", 2), WEIGHTS, WEIGHTS, shapes={0: [130, 256], 1: [130, 8]}),
        "padded_mlp": of("padded_mlp", NUMBERS, ("lengths", 1, 60), WEIGHTS, WEIGHTS, shapes={0: [4, 128, 256], 1: [4]}, lengths=1),
        "relu_ffn": of("relu_ffn", ("positive",), ("columns", .9), WEIGHTS),
        "masked_attention": of("masked_attention", NUMBERS, NUMBERS, NUMBERS, ("bools", .1)),
        "reduce_sum": of("reduce_sum", ("tiles", 1, 16, .9)),
        "conv2d_channels": of("conv2d_channels", ("tiles", 18, 18, .8), NUMBERS),
    }


TARGETS = {"cuda": for_device, "cpu": for_host}
