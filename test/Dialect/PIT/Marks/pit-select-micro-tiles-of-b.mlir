// RUN: pit-opt %s -split-input-file --pit-materialize-marks \
// RUN:   --pit-select-micro-tiles="database=%S/../Inputs/tile-database.json report" \
// RUN:   -verify-diagnostics | FileCheck %s

// Where B is marked, as pruned weights are, C^T = B^T * A^T is what is priced:
// rows of micro-tiles are columns of B.

#e = affine_map<(i, j) -> (i, j)>

// Stored [k, n], 64 k by 32 columns; the rows of C are not known.
// CHECK-LABEL: @columns
// CHECK: pit.sparse %{{.*}} tile = [64, 32]>
func.func @columns(%d: index, %a: tensor<?x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<?x1024xbf16> {
  // expected-remark @below {{micro-tiles for 32x16, 95.0 % dead: dense 4.0000 ms, 64x32 0.8362 ms (index 0.0200, 18.5 % live); chosen: 64x32}}
  %m = pit.sparse %b <kind = values, axes = [0, 1], tile = [32, 16]> {pit.live = 0.05 : f64}
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%d) : tensor<?x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %s = linalg.matmul ins(%a, %m : tensor<?x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %f = tensor.empty(%d) : tensor<?x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<?x1024xf32>) outs(%f : tensor<?x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x1024xbf16>
  return %r : tensor<?x1024xbf16>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// Stored [n, k], micro-tiles lie as the matrix does.
// CHECK-LABEL: @rows
// CHECK: pit.sparse %{{.*}} tile = [32, 64]>
func.func @rows(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{micro-tiles for 16x32, 95.0 % dead: dense 1.0000 ms, 32x64 0.2240 ms (index 0.0200, 18.5 % live); chosen: 32x64}}
  %m = pit.sparse %b <kind = values, axes = [0, 1], tile = [16, 32]> {pit.live = 0.05 : f64}
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%a, %m : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// Where most is live, nothing is skipped.
// CHECK-LABEL: @none
// CHECK-NOT: pit.sparse
// CHECK: linalg.matmul
func.func @none(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{chosen: dense}}
  %m = pit.sparse %b <kind = values, axes = [0, 1], tile = [32, 16]> {pit.live = 0.9 : f64}
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul ins(%a, %m : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// What the kernel takes stays where nothing is expected.
// CHECK-LABEL: @kept
// CHECK: pit.sparse %{{.*}} tile = [64, 32]>
func.func @kept(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %m = pit.sparse %b <kind = values, axes = [0, 1], tile = [64, 32]>
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul ins(%a, %m : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// Single columns have no kernel; what is found in larger micro-tiles has.
// CHECK-LABEL: @single
// CHECK: pit.sparse %{{.*}} tile = [64, 32]>
func.func @single(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{micro-tiles for 1x1, 50 to 99 % dead, mean: dense 1.0000 ms, 64x32 1.1200 ms; chosen: 64x32}}
  %m = pit.sparse %b <kind = values, axes = [0, 1], tile = [1, 1]>
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul ins(%a, %m : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// An A that is stored [k, m] is not packed either.
// CHECK-LABEL: @transposed
// CHECK: pit.sparse %{{.*}} tile = [64, 32]>
func.func @transposed(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{micro-tiles for 16x32, 95.0 % dead: dense 1.0000 ms, 64x32 0.2240 ms (index 0.0200, 18.5 % live); chosen: 64x32}}
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [16, 32]> {pit.live = 0.05 : f64}
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%m, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// Columns of C that are no multiple of 8 have no kernel.
// CHECK-LABEL: @unaligned
// CHECK: pit.sparse %{{.*}} tile = [1, 1]>
func.func @unaligned(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1021xbf16>) -> tensor<1024x1021xbf16> {
  %m = pit.sparse %b <kind = values, axes = [0, 1], tile = [1, 1]>
    : tensor<1024x1021xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1021xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1021xf32>) -> tensor<1024x1021xf32>
  %s = linalg.matmul ins(%a, %m : tensor<1024x1024xbf16>, tensor<1024x1021xbf16>)
    outs(%z : tensor<1024x1021xf32>) -> tensor<1024x1021xf32>
  %f = tensor.empty() : tensor<1024x1021xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1024x1021xf32>) outs(%f : tensor<1024x1021xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1021xbf16>
  return %r : tensor<1024x1021xbf16>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// Nor has an A that is stored [k, m], with an m like that.
// CHECK-LABEL: @unaligned_rows
// CHECK: pit.sparse %{{.*}} tile = [1, 1]>
func.func @unaligned_rows(%a: tensor<1024x1021xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1021x1024xbf16> {
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [1, 1]>
    : tensor<1024x1021xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1021x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1021x1024xf32>) -> tensor<1021x1024xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%m, %b : tensor<1024x1021xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<1021x1024xf32>) -> tensor<1021x1024xf32>
  %f = tensor.empty() : tensor<1021x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1021x1024xf32>) outs(%f : tensor<1021x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1021x1024xbf16>
  return %r : tensor<1021x1024xbf16>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// Micro-tiles of 96 columns do not make up the 64 that are stored at a time.
// CHECK-LABEL: @odd_columns
// CHECK: pit.sparse %{{.*}} tile = [32, 64]>
func.func @odd_columns(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{chosen: 32x64}}
  %m = pit.sparse %b <kind = values, axes = [0, 1], tile = [96, 64]>
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%a, %m : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}
