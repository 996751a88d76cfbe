// An index is made in one function and used in others, carried by a loop that makes new ones.
// RUN: pit-run %s --random sparse:0.3@20x8 --check | FileCheck %s
// RUN: pit-run %s --random sparse:1@20x8 --check | FileCheck %s
// RUN: pit-run %s --random normal@0x8 --check | FileCheck %s
// CHECK: check: result 0: bit-identical

!idx = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
func.func private @use(%i: !idx, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c = pit.extent %i[0] : !idx
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%c) : tensor<?x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %n = arith.constant 8 : index
  %cap = arith.muli %c, %n : index
  %p = pit.sread %x[%i] sizes(%cap) dims = [0, 1] : tensor<?x8xf32>, !idx -> tensor<?xf32>
  %w = pit.swrite %p into %f[%i] store dims = [0, 1] : tensor<?xf32>, tensor<?x8xf32>, !idx
  return %w : tensor<?x8xf32>
}
func.func private @make(%x: tensor<?x8xf32>) -> !idx {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x8xf32>
  %i = pit.detect values(%x : tensor<?x8xf32>) extents(%t) <kind = values, axes = [0, 1]> : !idx
  return %i : !idx
}
func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %i = func.call @make(%x) : (tensor<?x8xf32>) -> !idx
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%j = %i, %acc = %x) -> (!idx, tensor<?x8xf32>) {
    %y = func.call @use(%j, %acc) : (!idx, tensor<?x8xf32>) -> tensor<?x8xf32>
    %j2 = func.call @make(%y) : (tensor<?x8xf32>) -> !idx
    scf.yield %j2, %y : !idx, tensor<?x8xf32>
  }
  return %r#1 : tensor<?x8xf32>
}
