// Quantised products with zero points: the kernel multiplies what is in memory, and takes the rest from sums along rows and columns. To the bit.
// UNSUPPORTED: sanitizer
// RUN: split-file %s %t
// RUN: pit-opt %t/named.mlir --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %emulated-cuda pit-run %t/named.mlir --target=cuda --chip=sm_90a --random randint:-128:128@100x50 --random randint:-128:128 --random randint:-9:9 --random const:5 --check | FileCheck %s
// RUN: %emulated-cuda pit-run %t/generic.mlir --target=cuda --chip=sm_80 --random randint:-128:128 --check | FileCheck %s
// CHECK: check: result 0: bit-identical
// PTX: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32

//--- named.mlir
func.func @main(%a: tensor<?x50xi8>, %b: tensor<50x70xi8>, %p: i32, %q: i32) -> tensor<?x70xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %m = tensor.dim %a, %c0 : tensor<?x50xi8>
  %e = tensor.empty(%m) : tensor<?x70xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<?x70xi32>) -> tensor<?x70xi32>
  %r = linalg.quantized_matmul ins(%a, %b, %p, %q : tensor<?x50xi8>, tensor<50x70xi8>, i32, i32) outs(%z : tensor<?x70xi32>) -> tensor<?x70xi32>
  return %r : tensor<?x70xi32>
}

//--- generic.mlir
// Batches; A is unsigned, with a zero point that is known; B has none. What the sums are added to is no zero.
func.func @main(%a: tensor<3x40x48xi8>, %b: tensor<3x56x48xi8>, %c: tensor<3x40x56xi32>) -> tensor<3x40x56xi32> {
  %p = arith.constant 128 : i32
  %r = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x40x48xi8>, tensor<3x56x48xi8>) outs(%c : tensor<3x40x56xi32>) {
  ^bb0(%x: i8, %y: i8, %t: i32):
    %v = arith.extui %x : i8 to i32
    %u = arith.subi %v, %p : i32
    %w = arith.extsi %y : i8 to i32
    %s = arith.muli %u, %w : i32
    %q = arith.addi %s, %t : i32
    linalg.yield %q : i32
  } -> tensor<3x40x56xi32>
  return %r : tensor<3x40x56xi32>
}
