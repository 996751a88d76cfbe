// Behind a product that skips zeros of its own operand, what is elementwise
// stays in the product's kernel, also where rows of padding need no results.
// RUN: pit-opt %s --pit-normalize --convert-linalg-to-pit="kernels=true list-kernels=true" --pit-explain -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t
// RUN: pit-opt %s --pit-normalize --convert-linalg-to-pit | FileCheck %s --check-prefix=FOLLOWED

// REMARK: computed densely
// REMARK-NEXT: because the kernel of the product in front of it computes it, which follows another pattern

// CHECK: %[[SUMS:.+]] = pit.generic
// CHECK: arith.mulf
// CHECK: linalg.generic {{.*}}ins(%[[SUMS]] :
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.truncf
// CHECK: pit.generic
// CHECK: arith.addf

// FOLLOWED: %[[SUMS:.+]] = pit.generic
// FOLLOWED: pit.generic {{.*}}ins(%[[SUMS]] :
// FOLLOWED-NEXT: ^bb0
// FOLLOWED-NEXT: arith.truncf

#points = affine_map<(i, j) -> (i, j)>
#all = affine_map<(b, s, j) -> (b, s, j)>
func.func @main(%x: tensor<8x256x512xbf16>, %lengths: tensor<8xi64>, %hidden: tensor<2048x1024xbf16>, %weights: tensor<1024x512xbf16>) -> tensor<8x256x512xbf16> {
  %zero = arith.constant 0.0 : f32
  %padded = pit.sparse %x by(%lengths : tensor<8xi64>) <kind = lengths, axes = [0, 1], absent = undef> : tensor<8x256x512xbf16>
  %blocks = pit.sparse %hidden <kind = values, axes = [0, 1], tile = [32, 1]> : tensor<2048x1024xbf16>
  %0 = tensor.empty() : tensor<2048x512xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2048x512xf32>) -> tensor<2048x512xf32>
  %2 = linalg.matmul ins(%blocks, %weights : tensor<2048x1024xbf16>, tensor<1024x512xbf16>) outs(%1 : tensor<2048x512xf32>) -> tensor<2048x512xf32>
  %3 = tensor.empty() : tensor<2048x512xbf16>
  %4 = linalg.generic {indexing_maps = [#points, #points], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<2048x512xf32>) outs(%3 : tensor<2048x512xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %n = arith.truncf %in : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<2048x512xbf16>
  %5 = tensor.expand_shape %4 [[0, 1], [2]] output_shape [8, 256, 512] : tensor<2048x512xbf16> into tensor<8x256x512xbf16>
  %6 = tensor.empty() : tensor<8x256x512xbf16>
  %7 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%padded, %5 : tensor<8x256x512xbf16>, tensor<8x256x512xbf16>) outs(%6 : tensor<8x256x512xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %s = arith.addf %a, %b : bf16
    linalg.yield %s : bf16
  } -> tensor<8x256x512xbf16>
  return %7 : tensor<8x256x512xbf16>
}
