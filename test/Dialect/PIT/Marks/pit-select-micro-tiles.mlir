// RUN: pit-opt %s -split-input-file --pit-materialize-marks \
// RUN:   --pit-select-micro-tiles="database=%S/../Inputs/tile-database.json report" \
// RUN:   -verify-diagnostics | FileCheck %s

#e = affine_map<(i, j) -> (i, j)>

// Of blocks of 4 rows 95 % are dead: of 16 rows .95^4, of 32 rows .95^8.
// CHECK-LABEL: @coarser
// CHECK: pit.sparse %{{.*}} <kind = values, axes = [0, 1], tile = [16, 1]>
// CHECK-NOT: pit.live
// CHECK: return
func.func @coarser(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{micro-tiles for 4x1, 95.0 % dead: dense 1.0000 ms, 16x1 0.4710 ms (index 0.1000, 18.5 % live), 32x1 0.6385 ms (index 0.1000, 33.7 % live), 32x64 1.1200 ms (index 0.0200, 100.0 % live); chosen: 16x1}}
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [4, 1]> {pit.live = 0.05 : f64}
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul ins(%m, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
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

// Nothing skips enough.
// CHECK-LABEL: @dense
// CHECK-NOT: pit.sparse
// CHECK: linalg.matmul ins(%arg0, %arg1
func.func @dense(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{chosen: dense}}
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [2, 1]> {pit.live = 0.5 : f64}
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul ins(%m, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
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

// A micro-tile may be smaller than what is dead together.
// CHECK-LABEL: @finer
// CHECK: pit.sparse %{{.*}} tile = [32, 64]>
func.func @finer(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{32x64 0.1300 ms (index 0.0200, 10.0 % live); chosen: 32x64}}
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [128, 128]> {pit.live = 0.1 : f64}
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul ins(%m, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
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

// What a kernel takes stays where nothing is expected.
// CHECK-LABEL: @kept
// CHECK: pit.sparse %{{.*}} tile = [32, 1]>
func.func @kept(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [32, 1]>
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul ins(%m, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
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

// The fastest on average; whether to skip at all is for the kernel to say.
// CHECK-LABEL: @average
// CHECK: pit.sparse %{{.*}} tile = [16, 1]>
func.func @average(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{micro-tiles for 2x1, 50 to 99 % dead, mean: dense 1.0000 ms, 16x1 1.1015 ms, 32x1 1.1447 ms, 32x64 1.1200 ms; chosen: 16x1}}
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [2, 1]>
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul ins(%m, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
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

// Rows of B are not contiguous, and cannot be gathered.
// CHECK-LABEL: @columns_of_b
// CHECK: pit.sparse %{{.*}} tile = [32, 64]>
func.func @columns_of_b(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{dense 1.0000 ms, 32x64 0.2290 ms (index 0.0200, 19.0 % live); chosen: 32x64}}
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [32, 32]> {pit.live = 0.1 : f64}
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>] ins(%m, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
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

// Kernels that skip write 16 bits.
// CHECK-LABEL: @not_rounded
// CHECK: pit.sparse %{{.*}} tile = [4, 1]>
func.func @not_rounded(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xf32> {
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [4, 1]> {pit.live = 0.05 : f64}
    : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul ins(%m, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %s : tensor<1024x1024xf32>
}

// -----

#e = affine_map<(i, j) -> (i, j)>

// All of a few rows are one strip, also where that ends behind them.
// CHECK-LABEL: @few_rows
// CHECK: pit.sparse %{{.*}} tile = [16, 1]>
func.func @few_rows(%a: tensor<3x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<3x1024xbf16> {
  // expected-remark @below {{micro-tiles for 1x1, few rows, all of them one strip; chosen: 16x1}}
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [1, 1]> {pit.live = 0.5 : f64}
    : tensor<3x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x1024xf32>) -> tensor<3x1024xf32>
  %s = linalg.matmul ins(%m, %b : tensor<3x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<3x1024xf32>) -> tensor<3x1024xf32>
  %f = tensor.empty() : tensor<3x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<3x1024xf32>) outs(%f : tensor<3x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x1024xbf16>
  return %r : tensor<3x1024xbf16>
}

// -----

// A result of indices is not one of 16 bits.
// CHECK-LABEL: @indices
// CHECK: pit.sparse %{{.*}} tile = [4, 1]>
func.func @indices(%a: tensor<256x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<256x1024xindex> {
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [4, 1]> {pit.live = 0.5 : f64}
    : tensor<256x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %s = linalg.matmul ins(%m, %b : tensor<256x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %f = tensor.empty() : tensor<256x1024xindex>
  %r = linalg.map ins(%s : tensor<256x1024xf32>) outs(%f : tensor<256x1024xindex>)
    (%x: f32, %o: index) {
      %i = arith.fptosi %x : f32 to i32
      %j = arith.index_cast %i : i32 to index
      linalg.yield %j : index
    }
  return %r : tensor<256x1024xindex>
}
