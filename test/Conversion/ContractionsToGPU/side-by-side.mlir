// Kernels take one axis of batches, of rows, of columns and of the sum. Where several of a kind do not lie side by side in an operand, it is copied.
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null 2>&1 | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx=chip=sm_80 --pit-explain -o /dev/null 2>&1 | FileCheck %s
// RUN: %cuda pit-run %s --entry gqa --target cuda --chip sm_90a --random normal --check | FileCheck %s --check-prefix=VALUE
// RUN: %cuda pit-run %s --entry heads --target cuda --chip sm_90a --random normal@3x4x5x32 --random normal --check | FileCheck %s --check-prefix=VALUE
// CHECK: linalg.generic in @gqa
// CHECK: + kernels batched GEMM
// CHECK: linalg.generic in @heads
// CHECK: + kernels dense GEMM
// CHECK-NOT: one thread for each element
// VALUE: {{bit-identical|agrees}}
func.func @gqa(%q: tensor<2x4x3x40x32xbf16>, %k: tensor<2x4x48x32xbf16>) -> tensor<2x4x3x40x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x3x40x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x4x3x40x48xf32>) -> tensor<2x4x3x40x48xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b,h,g,s,t,d)->(b,h,g,s,d)>, affine_map<(b,h,g,s,t,d)->(b,h,t,d)>, affine_map<(b,h,g,s,t,d)->(b,h,g,s,t)>], iterator_types = ["parallel","parallel","parallel","parallel","parallel","reduction"]} ins(%q, %k : tensor<2x4x3x40x32xbf16>, tensor<2x4x48x32xbf16>) outs(%f : tensor<2x4x3x40x48xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x4x3x40x48xf32>
  return %r : tensor<2x4x3x40x48xf32>
}
func.func @heads(%a: tensor<?x4x?x32xf32>, %w: tensor<96x4x32xf32>) -> tensor<?x?x96xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x4x?x32xf32>
  %d2 = tensor.dim %a, %c2 : tensor<?x4x?x32xf32>
  %e = tensor.empty(%d0, %d2) : tensor<?x?x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?x96xf32>) -> tensor<?x?x96xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b,s,n,h,d)->(b,h,s,d)>, affine_map<(b,s,n,h,d)->(n,h,d)>, affine_map<(b,s,n,h,d)->(b,s,n)>], iterator_types = ["parallel","parallel","parallel","reduction","reduction"]} ins(%a, %w : tensor<?x4x?x32xf32>, tensor<96x4x32xf32>) outs(%f : tensor<?x?x96xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<?x?x96xf32>
  return %r : tensor<?x?x96xf32>
}
