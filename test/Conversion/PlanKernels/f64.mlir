// Tiles of f64 products: one of 128 x 64 with eight warps where each multiprocessor has one at most and most have one; smaller ones of four warps
// where there are few or a second round would be short, or A lies along m; larger parts of a warp where there are many.
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a --mlir-print-ir-after=pit-plan-kernels -o %t 2>&1 | FileCheck %s
// A smaller chip has room for fewer stages.
// RUN: pit-opt %s --pit-to-ptx=chip=sm_86 --mlir-print-ir-after=pit-plan-kernels -o %t 2>&1 | FileCheck %s --check-prefix=SMALL

// CHECK-LABEL: func.func @one_each
// CHECK: tile = [128, 64, 32], warp_tile = [32, 32], stages = 3
// SMALL-LABEL: func.func @one_each
// SMALL: tile = [128, 64, 32], warp_tile = [32, 32], stages = 2
func.func @one_each(%a: tensor<1024x1024xf64>, %b: tensor<1024x1024xf64>) -> tensor<1024x1024xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1024x1024xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<1024x1024xf64>) -> tensor<1024x1024xf64>
  %r = linalg.matmul ins(%a, %b : tensor<1024x1024xf64>, tensor<1024x1024xf64>) outs(%f : tensor<1024x1024xf64>) -> tensor<1024x1024xf64>
  return %r : tensor<1024x1024xf64>
}

// CHECK-LABEL: func.func @few
// CHECK: tile = [64, 64, 32], warp_tile = [32, 32], stages = 3
func.func @few(%a: tensor<768x512xf64>, %b: tensor<512x640xf64>) -> tensor<768x640xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<768x640xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<768x640xf64>) -> tensor<768x640xf64>
  %r = linalg.matmul ins(%a, %b : tensor<768x512xf64>, tensor<512x640xf64>) outs(%f : tensor<768x640xf64>) -> tensor<768x640xf64>
  return %r : tensor<768x640xf64>
}

// CHECK-LABEL: func.func @along_m
// CHECK: tile = [64, 64, 16], warp_tile = [32, 32], stages = 4
func.func @along_m(%a: tensor<1024x1024xf64>, %b: tensor<1024x1024xf64>) -> tensor<1024x1024xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1024x1024xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<1024x1024xf64>) -> tensor<1024x1024xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<1024x1024xf64>, tensor<1024x1024xf64>) outs(%f : tensor<1024x1024xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<1024x1024xf64>
  return %r : tensor<1024x1024xf64>
}

// CHECK-LABEL: func.func @many
// CHECK: tile = [128, 64, 32], warp_tile = [64, 32], stages = 2
func.func @many(%a: tensor<4096x4096xf64>, %b: tensor<4096x4096xf64>) -> tensor<4096x4096xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4096x4096xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<4096x4096xf64>) -> tensor<4096x4096xf64>
  %r = linalg.matmul ins(%a, %b : tensor<4096x4096xf64>, tensor<4096x4096xf64>) outs(%f : tensor<4096x4096xf64>) -> tensor<4096x4096xf64>
  return %r : tensor<4096x4096xf64>
}
