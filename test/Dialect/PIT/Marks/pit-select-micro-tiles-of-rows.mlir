// RUN: pit-opt %s --pit-select-micro-tiles="database=%S/../Inputs/tile-database-pieces.json report" \
// RUN:   -verify-diagnostics | FileCheck %s

// Micro-tiles of one row have a kernel for some products only.

#e = affine_map<(i, j) -> (i, j)>

// Of 16 rows' pieces, .95^16 are dead.
// CHECK-LABEL: @sparse(
// CHECK: pit.sparse %{{.*}} tile = [1, 64]>
// CHECK-NOT: pit.live
// CHECK: return
func.func @sparse(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{micro-tiles for 1x64, 95.0 % dead: dense 1.0000 ms, 1x64 0.2200 ms (index 0.0200, 5.0 % live), 16x64 0.8038 ms (index 0.0200, 56.0 % live); chosen: 1x64}}
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [1, 64]> {pit.live = 0.05 : f64} : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %p = linalg.matmul ins(%s, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// Adding up pieces takes longer than multiplying all of it.
// CHECK-LABEL: @denser(
// CHECK-NOT: pit.sparse
// CHECK: linalg.matmul ins(%arg0, %arg1
func.func @denser(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{1x64 1.2200 ms (index 0.0200, 30.0 % live), 16x64 1.4153 ms (index 0.0200, 99.7 % live); chosen: dense}}
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [1, 64]> {pit.live = 0.3 : f64} : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %p = linalg.matmul ins(%s, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// A piece is dead where all 16 rows are: as good, but slower.
// CHECK-LABEL: @wider(
// CHECK: pit.sparse %{{.*}} tile = [16, 64]>
func.func @wider(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{1x64 0.4200 ms (index 0.0200, 10.0 % live), 16x64 0.1600 ms (index 0.0200, 10.0 % live); chosen: 16x64}}
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [16, 64]> {pit.live = 0.1 : f64} : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %p = linalg.matmul ins(%s, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// What a kernel takes stays where nothing is expected; that decides whether to skip.
// CHECK-LABEL: @kept(
// CHECK: pit.sparse %{{.*}} tile = [1, 64]>
func.func @kept(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [1, 64]> : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %p = linalg.matmul ins(%s, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// Rows may be dynamic.
// CHECK-LABEL: @dynamic(
// CHECK: pit.sparse %{{.*}} tile = [1, 64]>
func.func @dynamic(%a: tensor<?x1024xbf16>, %b: tensor<1024x1024xbf16>, %m: index) -> tensor<?x1024xbf16> {
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [1, 64]> : tensor<?x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<?x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %p = linalg.matmul ins(%s, %b : tensor<?x1024xbf16>, tensor<1024x1024xbf16>) outs(%z : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %f = tensor.empty(%m) : tensor<?x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x1024xf32>) outs(%f : tensor<?x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x1024xbf16>
  return %r : tensor<?x1024xbf16>
}

// Something else than rounding follows.
// CHECK-LABEL: @epilogue(
// CHECK: pit.sparse %{{.*}} tile = [16, 64]>
func.func @epilogue(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{dense 1.0000 ms, 16x64 0.8038 ms (index 0.0200, 56.0 % live); chosen: 16x64}}
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [1, 64]> {pit.live = 0.05 : f64} : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %p = linalg.matmul ins(%s, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.maximumf %x, %zero : f32
    %t = arith.truncf %y : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// Boxes of a B stored [n, k] would hold other rows.
// CHECK-LABEL: @columns_of_b(
// CHECK: pit.sparse %{{.*}} tile = [16, 64]>
func.func @columns_of_b(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{dense 1.0000 ms, 16x64 0.8038 ms (index 0.0200, 56.0 % live); chosen: 16x64}}
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [1, 64]> {pit.live = 0.05 : f64} : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %p = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%s, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// Pieces of an A stored [k, m] are no rows of memory.
// CHECK-LABEL: @columns_of_a(
// CHECK: pit.sparse %{{.*}} tile = [64, 16]>
func.func @columns_of_a(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{dense 1.0000 ms, 64x16 0.8038 ms (index 0.0200, 56.0 % live); chosen: 64x16}}
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [64, 1]> {pit.live = 0.05 : f64} : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %p = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%s, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// Columns end inside of a tile.
// CHECK-LABEL: @n(
// CHECK: pit.sparse %{{.*}} tile = [16, 64]>
func.func @n(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1000xbf16>) -> tensor<1024x1000xbf16> {
  // expected-remark @below {{chosen: 16x64}}
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [1, 64]> : tensor<1024x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1000xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1000xf32>) -> tensor<1024x1000xf32>
  %p = linalg.matmul ins(%s, %b : tensor<1024x1024xbf16>, tensor<1024x1000xbf16>) outs(%z : tensor<1024x1000xf32>) -> tensor<1024x1000xf32>
  %f = tensor.empty() : tensor<1024x1000xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x1000xf32>) outs(%f : tensor<1024x1000xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1000xbf16>
  return %r : tensor<1024x1000xbf16>
}

// The last piece is shorter.
// CHECK-LABEL: @k(
// CHECK: pit.sparse %{{.*}} tile = [16, 64]>
func.func @k(%a: tensor<1024x1000xbf16>, %b: tensor<1000x1024xbf16>) -> tensor<1024x1024xbf16> {
  // expected-remark @below {{chosen: 16x64}}
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [1, 64]> : tensor<1024x1000xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %p = linalg.matmul ins(%s, %b : tensor<1024x1000xbf16>, tensor<1000x1024xbf16>) outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// Few rows are one strip.
// CHECK-LABEL: @few_rows(
// CHECK: pit.sparse %{{.*}} tile = [64, 1]>
func.func @few_rows(%a: tensor<40x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<40x1024xbf16> {
  // expected-remark @below {{micro-tiles for 1x64, few rows, all of them one strip; chosen: 64x1}}
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [1, 64]> : tensor<40x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<40x1024xf32>) -> tensor<40x1024xf32>
  %p = linalg.matmul ins(%s, %b : tensor<40x1024xbf16>, tensor<1024x1024xbf16>) outs(%z : tensor<40x1024xf32>) -> tensor<40x1024xf32>
  %f = tensor.empty() : tensor<40x1024xbf16>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<40x1024xf32>) outs(%f : tensor<40x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<40x1024xbf16>
  return %r : tensor<40x1024xbf16>
}
