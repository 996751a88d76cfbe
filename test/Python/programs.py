# ===- programs.py - Programs that the tests of the package compile ---------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Programs that the tests of the package compile, small ones."""

ADD = """
func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %r = linalg.add ins(%a, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""

# Rows that a mask selects, times W; the others are zero.
MASKED = """
func.func @main(%x: tensor<?x16xf32>
    {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}}, %m: tensor<?xi1>, %w: tensor<16x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
"""

# Two products of any extents, and softmax of their rows.
SOFTMAX_OF_PRODUCTS = """
func.func @main(%a: tensor<2x?x?xf32>, %b: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c1 : tensor<2x?x?xf32>
  %n = tensor.dim %b, %c2 : tensor<2x?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<2x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<2x?x?xf32>, tensor<2x?x?xf32>) outs(%f : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.softmax dimension(2) ins(%p : tensor<2x?x?xf32>) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  return %s : tensor<2x?x?xf32>
}
"""

# A row that an argument names: wrong numbers are found while the program runs.
PICK = """
func.func @main(%x: tensor<5x4xf32>, %i: tensor<i64>) -> tensor<4xf32> {
  %n = tensor.extract %i[] : tensor<i64>
  %k = arith.index_cast %n : i64 to index
  %s = tensor.extract_slice %x[%k, 0] [1, 4] [1, 1] : tensor<5x4xf32> to tensor<4xf32>
  return %s : tensor<4xf32>
}
"""

SCALED = """
func.func @main(%x: tensor<3xTYPE>, %s: TYPE) -> tensor<3xTYPE> {
  %e = tensor.empty() : tensor<3xTYPE>
  %f = linalg.fill ins(%s : TYPE) outs(%e : tensor<3xTYPE>) -> tensor<3xTYPE>
  %r = linalg.OP ins(%x, %f : tensor<3xTYPE>, tensor<3xTYPE>) outs(%e : tensor<3xTYPE>) -> tensor<3xTYPE>
  return %r : tensor<3xTYPE>
}
"""

TWO = """
func.func @double(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.add ins(%x, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r, %x : tensor<2x3xf32>, tensor<2x3xf32>
}
func.func @square(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.mul ins(%x, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
"""

# Two errors that a user meets: extents that disagree, and a type without code.
WRONG_EXTENTS = """
func.func @main(%a: tensor<4x5xf32>, %b: tensor<6x7xf32>, %c: tensor<4x7xf32>) -> tensor<4x7xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<6x7xf32>) outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}
"""
