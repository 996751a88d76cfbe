// Products of f64 whose tiles of 128 x 64 each have a multiprocessor of their own: eight warps, and words that are read ahead across stages. With and without
// ends inside of tiles.
// UNSUPPORTED: sanitizer
// RUN: %emulated-cuda pit-run %s --entry=whole --target=cuda --chip=sm_90a --random=normal --random=normal --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=uneven --target=cuda --chip=sm_90a --random=normal --random=normal --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=uneven --target=cuda --chip=sm_80 --random=normal --random=normal --check --quiet | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

func.func @whole(%a: tensor<1152x96xf64>, %b: tensor<96x512xf64>) -> tensor<1152x512xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1152x512xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<1152x512xf64>) -> tensor<1152x512xf64>
  %r = linalg.matmul ins(%a, %b : tensor<1152x96xf64>, tensor<96x512xf64>) outs(%f : tensor<1152x512xf64>) -> tensor<1152x512xf64>
  return %r : tensor<1152x512xf64>
}

func.func @uneven(%a: tensor<1100x77xf64>, %b: tensor<77x500xf64>) -> tensor<1100x500xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1100x500xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<1100x500xf64>) -> tensor<1100x500xf64>
  %r = linalg.matmul ins(%a, %b : tensor<1100x77xf64>, tensor<77x500xf64>) outs(%f : tensor<1100x500xf64>) -> tensor<1100x500xf64>
  return %r : tensor<1100x500xf64>
}
