// Listed rows of f64 and of i8, whose products are kernels of matrix units; dead rows hold what the same work makes of zero.
// UNSUPPORTED: sanitizer
// RUN: split-file %s %t
// RUN: pit-opt %t/f64.mlir --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=F64
// RUN: pit-opt %t/f64.mlir --pit-to-ptx="chip=sm_80" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=F64-OLD
// RUN: pit-opt %t/i8.mlir --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=I8
// RUN: %emulated-cuda pit-run %t/f64.mlir --target=cuda --chip=sm_90a --random normal@200x96 --random bool:0.3@200 --random normal --check | FileCheck %s
// RUN: %emulated-cuda pit-run %t/f64.mlir --target=cuda --chip=sm_80 --random normal@77x96 --random bool:0.6@77 --random normal --check | FileCheck %s
// RUN: %emulated-cuda pit-run %t/i8.mlir --target=cuda --chip=sm_90a --random randint:-128:128@200x96 --random bool:0.3@200 --random randint:-128:128 --random normal --check | FileCheck %s
// RUN: %emulated-cuda pit-run %t/i8.mlir --target=cuda --chip=sm_80 --random randint:-128:128@77x96 --random bool:0.6@77 --random randint:-128:128 --random normal --check | FileCheck %s
// Segments: experts.
// RUN: sed s/f32/f64/g %pit_src/examples/moe_dense_einsum.mlir > %t/moe.mlir
// RUN: pit-opt %t/moe.mlir --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=MOE
// RUN: %emulated-cuda pit-run %t/moe.mlir --target=cuda --chip=sm_90a --random normal@40x256 --random sparse:0.8@40x8 --random normal:0.1 --check | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}
// F64: mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64
// F64-OLD: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
// I8: mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32
// MOE: mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64

//--- f64.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @main(%a: tensor<?x96xf64> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<?xi1>, %b: tensor<96x80xf64>, %bias: tensor<80xf64>) -> tensor<?x80xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %a, %c0 : tensor<?x96xf64>
  %e = tensor.empty(%m) : tensor<?x80xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<?x80xf64>) -> tensor<?x80xf64>
  %s = linalg.matmul ins(%a, %b : tensor<?x96xf64>, tensor<96x80xf64>) outs(%z : tensor<?x80xf64>) -> tensor<?x80xf64>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %bias : tensor<?x80xf64>, tensor<80xf64>) outs(%e : tensor<?x80xf64>) {
  ^bb0(%x: f64, %y: f64, %u: f64):
    %p = arith.addf %x, %y : f64
    %q = arith.maximumf %p, %zero : f64
    linalg.yield %q : f64
  } -> tensor<?x80xf64>
  return %r : tensor<?x80xf64>
}

//--- i8.mlir
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @main(%a: tensor<?x96xi8> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<?xi1>, %b: tensor<80x96xi8>, %scale: tensor<80xf32>) -> tensor<?x80xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %m = tensor.dim %a, %c0 : tensor<?x96xi8>
  %e = tensor.empty(%m) : tensor<?x80xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<?x80xi32>) -> tensor<?x80xi32>
  %s = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x96xi8>, tensor<80x96xi8>) outs(%z : tensor<?x80xi32>) {
  ^bb0(%x: i8, %y: i8, %t: i32):
    %v = arith.extsi %x : i8 to i32
    %w = arith.extui %y : i8 to i32
    %p = arith.muli %v, %w : i32
    %q = arith.addi %t, %p : i32
    linalg.yield %q : i32
  } -> tensor<?x80xi32>
  %f = tensor.empty(%m) : tensor<?x80xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %scale : tensor<?x80xi32>, tensor<80xf32>) outs(%f : tensor<?x80xf32>) {
  ^bb0(%x: i32, %y: f32, %u: f32):
    %v = arith.sitofp %x : i32 to f32
    %p = arith.mulf %v, %y : f32
    linalg.yield %p : f32
  } -> tensor<?x80xf32>
  return %r : tensor<?x80xf32>
}
