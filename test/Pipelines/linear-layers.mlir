// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a --split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a strict=true" --split-input-file | FileCheck %s --check-prefix=STRICT

// A linear layer on [batch, position, feature], its bias, and what comes behind: one kernel, for each number of rows.
// CHECK-LABEL: func @linear(
// CHECK: gpu.launch_func {{.*}}@linear_contraction_0
// CHECK-NOT: gpu.launch_func {{.*}}::@{{[a-z]+_[0-9rf]}}
// CHECK: return
// STRICT-LABEL: func @linear(
// STRICT: gpu.launch_func {{.*}}@linear_contraction_0
func.func @linear(%x: tensor<?x?x768xbf16>, %w: tensor<768x3072xbf16>, %bias: tensor<3072xbf16>) -> tensor<?x?x3072xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?x768xbf16>
  %d1 = tensor.dim %x, %c1 : tensor<?x?x768xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%d0, %d1) : tensor<?x?x3072xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x3072xf32>) -> tensor<?x?x3072xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<?x?x768xbf16>, tensor<768x3072xbf16>) outs(%z : tensor<?x?x3072xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x?x3072xf32>
  %f = tensor.empty(%d0, %d1) : tensor<?x?x3072xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %bias : tensor<?x?x3072xf32>, tensor<3072xbf16>) outs(%f : tensor<?x?x3072xbf16>) {
  ^bb0(%v: f32, %c: bf16, %o: bf16):
    %cf = arith.extf %c : bf16 to f32
    %w2 = arith.addf %v, %cf : f32
    %zz = arith.constant 0.0 : f32
    %y = arith.maximumf %w2, %zz : f32
    %t = arith.truncf %y : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x?x3072xbf16>
  return %r : tensor<?x?x3072xbf16>
}

// -----

// The same on a tensor that the program itself collapses.
// CHECK-LABEL: func @collapsed(
// CHECK: gpu.launch_func {{.*}}@collapsed_contraction_0
// CHECK-NOT: gpu.launch_func {{.*}}::@{{[a-z]+_[0-9rf]}}
// CHECK: return
// STRICT-LABEL: func @collapsed(
// STRICT: gpu.launch_func {{.*}}@collapsed_contraction_0
func.func @collapsed(%x: tensor<8x512x768xbf16>, %w: tensor<768x3072xbf16>) -> tensor<8x512x3072xf32> {
  %zero = arith.constant 0.0 : f32
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<8x512x768xbf16> into tensor<4096x768xbf16>
  %e = tensor.empty() : tensor<4096x3072xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x3072xf32>) -> tensor<4096x3072xf32>
  %s = linalg.matmul ins(%c, %w : tensor<4096x768xbf16>, tensor<768x3072xbf16>) outs(%z : tensor<4096x3072xf32>) -> tensor<4096x3072xf32>
  %r = tensor.expand_shape %s [[0, 1], [2]] output_shape [8, 512, 3072] : tensor<4096x3072xf32> into tensor<8x512x3072xf32>
  return %r : tensor<8x512x3072xf32>
}

// -----

// A product as exporters write it, whose sums have 16 bits.
// CHECK-LABEL: func @narrow(
// CHECK: gpu.launch_func {{.*}}@narrow_contraction_0
// CHECK-NOT: gpu.launch_func {{.*}}::@{{[a-z]+_[0-9rf]}}
// CHECK: return
// STRICT-LABEL: func @narrow(
// STRICT-NOT: contraction
// STRICT: return
func.func @narrow(%x: tensor<?x768xbf16>, %w: tensor<768x3072xbf16>) -> tensor<?x3072xbf16> {
  %zero = arith.constant 0.0 : bf16
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x768xbf16>
  %e = tensor.empty(%d) : tensor<?x3072xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<?x3072xbf16>) -> tensor<?x3072xbf16>
  %s = linalg.matmul ins(%x, %w : tensor<?x768xbf16>, tensor<768x3072xbf16>) outs(%z : tensor<?x3072xbf16>) -> tensor<?x3072xbf16>
  return %s : tensor<?x3072xbf16>
}

// -----

// One that adds to something, with two axes of rows.
// CHECK-LABEL: func @adds(
// CHECK: gpu.launch_func {{.*}}@adds_contraction_0
// CHECK-NOT: gpu.launch_func {{.*}}::@{{[a-z]+_[0-9rf]}}
// CHECK: return
// STRICT-LABEL: func @adds(
// STRICT-NOT: contraction
// STRICT: return
func.func @adds(%x: tensor<?x64x768xbf16>, %w: tensor<768x3072xbf16>, %c: tensor<?x64x3072xf32>) -> tensor<?x64x3072xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<?x64x768xbf16>, tensor<768x3072xbf16>) outs(%c : tensor<?x64x3072xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x64x3072xf32>
  return %s : tensor<?x64x3072xf32>
}
