// What nobody asks for is computed where a reader stays dense, as kernels load
// no scattered columns, and divides by it: zeros left there would give NaN,
// which zeros of gates do not take away. Without kernels all follow the gates.
// RUN: pit-opt %s --pit-normalize --convert-linalg-to-pit="kernels=true list-kernels=true" --pit-explain -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=DENSE --input-file=%t
// RUN: pit-opt %s --pit-normalize --convert-linalg-to-pit | FileCheck %s

// REMARK: linalg.exp in @main
// REMARK: computed densely
// REMARK-NEXT: because an op behind it stays dense, which may divide zeros by zeros where this one is left out
// DENSE-NOT: pit.generic
// DENSE: math.exp
// DENSE-NOT: pit.generic
// DENSE: arith.divf
// DENSE-NOT: pit.generic
// CHECK: pit.generic
// CHECK: math.exp
// CHECK: pit.generic
// CHECK: arith.addf
// CHECK: pit.generic
// CHECK: arith.divf

func.func @main(%h: tensor<64x8x32xf32>, %mask: tensor<64x8xi1>,
                %gates: tensor<64x8xf32>) -> tensor<32x64x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x8x32xf32>
  %raised = linalg.exp ins(%h : tensor<64x8x32xf32>) outs(%e : tensor<64x8x32xf32>) -> tensor<64x8x32xf32>
  %e2 = tensor.empty() : tensor<64x8xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  %sums = linalg.reduce ins(%raised : tensor<64x8x32xf32>) outs(%f2 : tensor<64x8xf32>) dimensions = [2]
    (%in: f32, %out: f32) {
      %s = arith.addf %in, %out : f32
      linalg.yield %s : f32
    }
  %e3 = tensor.empty() : tensor<32x64x8xf32>
  %shares = linalg.generic {indexing_maps = [affine_map<(n, t, e) -> (t, e, n)>, affine_map<(n, t, e) -> (t, e)>, affine_map<(n, t, e) -> (n, t, e)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%raised, %sums : tensor<64x8x32xf32>, tensor<64x8xf32>) outs(%e3 : tensor<32x64x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<32x64x8xf32>
  %marked = pit.sparse %gates by(%mask : tensor<64x8xi1>) <kind = mask, axes = [0, 1], at_most = 2> : tensor<64x8xf32>
  %weighted = linalg.generic {indexing_maps = [affine_map<(n, t, e) -> (n, t, e)>, affine_map<(n, t, e) -> (t, e)>, affine_map<(n, t, e) -> (n, t, e)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%shares, %marked : tensor<32x64x8xf32>, tensor<64x8xf32>) outs(%e3 : tensor<32x64x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.mulf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<32x64x8xf32>
  return %weighted : tensor<32x64x8xf32>
}
