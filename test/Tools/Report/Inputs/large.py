"""Prints a program of so many layers, of three structured ops each: large.py LAYERS."""

import sys

MATRIX = "tensor<?x64xf32>"
print(f"func.func @main(%x0: {MATRIX}, %w: tensor<64x64xf32>) -> {MATRIX} {{")
print("  %zero = arith.constant 0.0 : f32")
print("  %zeroth = arith.constant 0 : index")
print(f"  %m = tensor.dim %x0, %zeroth : {MATRIX}")
print(f"  %e = tensor.empty(%m) : {MATRIX}")
layers = int(sys.argv[1])
for i in range(layers):
    print(f"  %f{i} = linalg.fill ins(%zero : f32) outs(%e : {MATRIX}) -> {MATRIX}")
    print(f"  %c{i} = linalg.matmul ins(%x{i}, %w : {MATRIX}, tensor<64x64xf32>) outs(%f{i} : {MATRIX}) -> {MATRIX}")
    print(f"  %x{i + 1} = linalg.exp ins(%c{i} : {MATRIX}) outs(%e : {MATRIX}) -> {MATRIX}")
print(f"  return %x{layers} : {MATRIX}\n}}")
