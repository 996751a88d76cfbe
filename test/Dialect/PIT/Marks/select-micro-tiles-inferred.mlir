// Marks of --pit-infer-values stay on products of few rows that take a hundred times what a look at a sample takes.
// RUN: pit-opt %s --split-input-file --pit-infer-values=tile=0 --pit-select-micro-tiles="chip=sm_90a inferred" | FileCheck %s
// RUN: pit-opt %s --split-input-file --pit-infer-values=tile=0 --pit-select-micro-tiles="chip=sm_90a inferred" --remarks-filter='pit-.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK


#e = affine_map<(i, j) -> (i, j)>

// REMARK: inferred mark{{.*}}found: data says what is zero here
// CHECK-LABEL: func.func @large
// CHECK: pit.sparse %{{.*}} <kind = values, axes = [0, 1], tile = [32, 1]> {__kept_mark}
func.func @large(%x: tensor<32x20480xf32>, %w: tensor<20480x5120xbf16>) -> tensor<32x5120xbf16> {
  %c0 = arith.constant 0.0 : f32
  %he = tensor.empty() : tensor<32x20480xbf16>
  %ye = tensor.empty() : tensor<32x5120xbf16>
  %h = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x20480xf32>) outs(%he : tensor<32x20480xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %m = arith.maximumf %a, %c0 : f32
    %r = arith.truncf %m : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<32x20480xbf16>
  %e = tensor.empty() : tensor<32x5120xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<32x5120xf32>) -> tensor<32x5120xf32>
  %s = linalg.matmul ins(%h, %w : tensor<32x20480xbf16>, tensor<20480x5120xbf16>) outs(%z : tensor<32x5120xf32>) -> tensor<32x5120xf32>
  %y = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<32x5120xf32>) outs(%ye : tensor<32x5120xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<32x5120xbf16>
  return %y : tensor<32x5120xbf16>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// REMARK: a look at a sample would take more than 1 % of its products
// CHECK-LABEL: func.func @small
// CHECK-NOT: pit.sparse
// CHECK: return
func.func @small(%x: tensor<16x512xf32>, %w: tensor<512x512xbf16>) -> tensor<16x512xbf16> {
  %c0 = arith.constant 0.0 : f32
  %he = tensor.empty() : tensor<16x512xbf16>
  %h = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x512xf32>) outs(%he : tensor<16x512xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %m = arith.maximumf %a, %c0 : f32
    %r = arith.truncf %m : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<16x512xbf16>
  %e = tensor.empty() : tensor<16x512xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<16x512xf32>) -> tensor<16x512xf32>
  %s = linalg.matmul ins(%h, %w : tensor<16x512xbf16>, tensor<512x512xbf16>) outs(%z : tensor<16x512xf32>) -> tensor<16x512xf32>
  %y = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<16x512xf32>) outs(%he : tensor<16x512xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<16x512xbf16>
  return %y : tensor<16x512xbf16>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// Kernels for f32 do not pack.
// REMARK: zeros of data
// CHECK-LABEL: func.func @f32
// CHECK-NOT: pit.sparse
// CHECK: return
func.func @f32(%x: tensor<4096x4096xf32>, %w: tensor<4096x4096xf32>, %z: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %c0 = arith.constant 0.0 : f32
  %he = tensor.empty() : tensor<4096x4096xf32>
  %h = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4096x4096xf32>) outs(%he : tensor<4096x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %c0 : f32
    linalg.yield %m : f32
  } -> tensor<4096x4096xf32>
  %s = linalg.matmul ins(%h, %w : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%z : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %s : tensor<4096x4096xf32>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// REMARK: of more than 64 rows, or a number that is not known
// CHECK-LABEL: func.func @rows
// CHECK-NOT: pit.sparse
// CHECK: return
func.func @rows(%x: tensor<?x8192xf32>, %w: tensor<8192x8192xbf16>, %he: tensor<?x8192xbf16>, %e: tensor<?x8192xf32>) -> tensor<?x8192xbf16> {
  %c0 = arith.constant 0.0 : f32
  %h = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x8192xf32>) outs(%he : tensor<?x8192xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %m = arith.maximumf %a, %c0 : f32
    %r = arith.truncf %m : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x8192xbf16>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<?x8192xf32>) -> tensor<?x8192xf32>
  %s = linalg.matmul ins(%h, %w : tensor<?x8192xbf16>, tensor<8192x8192xbf16>) outs(%z : tensor<?x8192xf32>) -> tensor<?x8192xf32>
  %y = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<?x8192xf32>) outs(%he : tensor<?x8192xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x8192xbf16>
  return %y : tensor<?x8192xbf16>
}
