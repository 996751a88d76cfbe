// Long sums of products with few tiles become several batches, whose results the op behind adds up.
// RUN: pit-opt %s --pit-split-reductions -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-split-reductions=chip=sm_80 -split-input-file | FileCheck %s --check-prefix=OTHER
// A device of one multiprocessor has always something to do.
// RUN: pit-opt %s --pit-split-reductions=multiprocessors=1 -split-input-file | FileCheck %s --check-prefix=OTHER
// RUN: pit-opt %s --pit-split-reductions --remarks-filter=pit-kernels -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Strict programs keep the order of sums.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a strict" --remarks-filter=pit-kernels -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// OTHER-LABEL: func @weight_gradient(
// OTHER-NOT: extract_slice
// OTHER: return
// STRICT-NOT: parts, a batch each
// STRICT: Family="dense GEMM"
// STRICT-NOT: parts, a batch each
// REMARK: split-reduction {{.*}}Reason="the product has few tiles", Remark="the sum is in {{[0-9]+}} parts, a batch each"

#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func @weight_gradient(
// CHECK-SAME: %[[X:.*]]: tensor<8192x768xbf16>, %[[DY:.*]]: tensor<8192x768xbf16>)
// CHECK-DAG: %[[A:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1], [2]] {{.*}} into tensor<[[PARTS:[0-9]+]]x[[K:[0-9]+]]x768xbf16>
// CHECK-DAG: %[[B:.*]] = tensor.expand_shape %[[DY]] {{\[\[}}0, 1], [2]] {{.*}} into tensor<[[PARTS]]x[[K]]x768xbf16>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}
// CHECK: } -> tensor<[[PARTS]]x768x768xf32>
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %[[SUMS]][0, 0, 0] [1, 768, 768] [1, 1, 1]
// CHECK: %[[SECOND:.*]] = tensor.extract_slice %[[SUMS]][1, 0, 0] [1, 768, 768] [1, 1, 1]
// CHECK: %[[R:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[FIRST]], %[[SECOND]], {{.*}}
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: } -> tensor<768x768xbf16>
// CHECK: return %[[R]]
func.func @weight_gradient(%x: tensor<8192x768xbf16>, %dy: tensor<8192x768xbf16>) -> tensor<768x768xbf16> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<768x768xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<768x768xf32>) -> tensor<768x768xf32>
  %2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %dy : tensor<8192x768xbf16>, tensor<8192x768xbf16>) outs(%1 : tensor<768x768xf32>) -> tensor<768x768xf32>
  %3 = tensor.empty() : tensor<768x768xbf16>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<768x768xf32>) outs(%3 : tensor<768x768xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %5 = arith.truncf %s : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<768x768xbf16>
  return %4 : tensor<768x768xbf16>
}

// -----

// Both axes of tokens are summed over, and the sums are what is asked for.
// CHECK-LABEL: func @two_axes(
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<8x1024x768xf16> into tensor<8192x768xf16>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ["parallel", "parallel"]}
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]]
func.func @two_axes(%x: tensor<8x1024x768xf16>, %dy: tensor<8x1024x768xf16>) -> tensor<768x768xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<768x768xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<768x768xf32>) -> tensor<768x768xf32>
  %2 = linalg.generic {
      indexing_maps = [affine_map<(m, n, b, k) -> (b, k, m)>, affine_map<(m, n, b, k) -> (b, k, n)>, affine_map<(m, n, b, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %dy : tensor<8x1024x768xf16>, tensor<8x1024x768xf16>) outs(%1 : tensor<768x768xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %3 = arith.extf %a : f16 to f32
    %4 = arith.extf %b : f16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %c, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<768x768xf32>
  return %2 : tensor<768x768xf32>
}

// -----

// There are tiles enough; a sum of other types, or of unknown length, has no kernel that it would wait for.
// CHECK-LABEL: func @stay(
// CHECK-NOT: extract_slice
func.func @stay(%x: tensor<4096x4096xbf16>, %a: tensor<8192x512xf32>, %d: tensor<?x512xbf16>) -> (tensor<4096x4096xf32>, tensor<512x512xf32>, tensor<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4096x4096xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %2 = linalg.matmul ins(%x, %x : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%1 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %3 = tensor.empty() : tensor<512x512xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %5 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %a : tensor<8192x512xf32>, tensor<8192x512xf32>) outs(%4 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %6 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%d, %d : tensor<?x512xbf16>, tensor<?x512xbf16>) outs(%4 : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %2, %5, %6 : tensor<4096x4096xf32>, tensor<512x512xf32>, tensor<512x512xf32>
}

// -----

// Two tokens fewer, and no number of parts has whole steps.
// REMARK: [Missed] split-reduction {{.*}}Function=uneven{{.*}}a sum of 8190 has no parts of the same number of whole steps of 64
// CHECK-LABEL: func @uneven(
// CHECK-NOT: extract_slice
// CHECK: return
func.func @uneven(%x: tensor<8190x768xbf16>, %dy: tensor<8190x768xbf16>) -> tensor<768x768xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<768x768xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<768x768xf32>) -> tensor<768x768xf32>
  %2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %dy : tensor<8190x768xbf16>, tensor<8190x768xbf16>) outs(%1 : tensor<768x768xf32>) -> tensor<768x768xf32>
  return %2 : tensor<768x768xf32>
}
