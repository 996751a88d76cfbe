// What a mark expects of a row's pieces, from a program written dense to its
// kernels.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" -o %t.mlir
// RUN: pit-translate --pit-to-ptx %t.mlir | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// Found in the values, gathered, or the dense product.
// CHECK: .entry pieces_contraction_0(
// CHECK: .reqntid 640
// CHECK: popc.b32
// CHECK: setmaxnreg
// CHECK: cp.async.cg
// CHECK: .entry pieces_detect_0(
func.func @pieces(%a: tensor<1024x1024xbf16> {pit.sparse = {source = "values", axes = array<i64: 0, 1>,
      granularity = array<i64: 1, 64>, absent = "zero", live = 0.05}},
    %b: tensor<1024x2560xbf16>) -> tensor<1024x2560xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x2560xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x2560xf32>) -> tensor<1024x2560xf32>
  %p = linalg.matmul ins(%a, %b : tensor<1024x1024xbf16>, tensor<1024x2560xbf16>)
    outs(%z : tensor<1024x2560xf32>) -> tensor<1024x2560xf32>
  %f = tensor.empty() : tensor<1024x2560xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x2560xf32>) outs(%f : tensor<1024x2560xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x2560xbf16>
  return %r : tensor<1024x2560xbf16>
}

// Expected to be live, nothing is looked for.
// CHECK-NOT: .entry live_detect_0(
// CHECK: .entry live_contraction_0(
// CHECK: .reqntid 384
// CHECK-NOT: .entry live_detect_0(
func.func @live(%a: tensor<1024x1024xbf16> {pit.sparse = {source = "values", axes = array<i64: 0, 1>,
      granularity = array<i64: 1, 64>, absent = "zero", live = 0.4}},
    %b: tensor<1024x2560xbf16>) -> tensor<1024x2560xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x2560xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x2560xf32>) -> tensor<1024x2560xf32>
  %p = linalg.matmul ins(%a, %b : tensor<1024x1024xbf16>, tensor<1024x2560xbf16>)
    outs(%z : tensor<1024x2560xf32>) -> tensor<1024x2560xf32>
  %f = tensor.empty() : tensor<1024x2560xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x2560xf32>) outs(%f : tensor<1024x2560xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x2560xbf16>
  return %r : tensor<1024x2560xbf16>
}
