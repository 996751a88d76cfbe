// Inferred marks stay where a product is restricted by them.
// RUN: pit-opt %s --split-input-file --pit-infer-marks --pit-normalize --pit-select-marks | FileCheck %s
// RUN: pit-opt %s --split-input-file --pit-infer-marks --pit-normalize --pit-select-marks=rows=true | FileCheck %s --check-prefix=ROWS
// RUN: pit-opt %s --split-input-file --pit-infer-marks --pit-normalize --pit-select-marks=finite=false --remarks-filter=pit-rules 2>&1 | FileCheck %s --check-prefix=EXACT

// Rows of a product, by what comes behind it.
// CHECK-LABEL: func.func @rows
// CHECK: pit.sparse %{{.*}} <kind = mask, axes = [0]> {{.*}}: tensor<512xi1>
// ROWS-LABEL: func.func @rows
// ROWS: pit.sparse %{{.*}} <kind = mask, axes = [0]> {__kept_mark, __rows_only} : tensor<512xi1>
func.func @rows(%x: tensor<512x64xf32>, %w: tensor<64x64xf32>, %live: tensor<512xi1>) -> tensor<512x64xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x64xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<512x64xf32>, tensor<64x64xf32>) outs(%z : tensor<512x64xf32>) -> tensor<512x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%live, %p : tensor<512xi1>, tensor<512x64xf32>) outs(%e : tensor<512x64xf32>) {
  ^bb0(%l: i1, %a: f32, %o: f32):
    %s = arith.select %l, %a, %c0 : f32
    linalg.yield %s : f32
  } -> tensor<512x64xf32>
  return %r : tensor<512x64xf32>
}

// -----

// Points of a product are sampled in blocks (SDDMM).
// CHECK-LABEL: func.func @points
// CHECK: pit.sparse %{{.*}} <kind = mask, axes = [0, 1], tile = [32, 32]>
// ROWS-LABEL: func.func @points
// ROWS-NOT: pit.sparse
func.func @points(%x: tensor<512x64xf32>, %w: tensor<64x512xf32>, %live: tensor<512x512xi1>) -> tensor<512x512xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %p = linalg.matmul ins(%x, %w : tensor<512x64xf32>, tensor<64x512xf32>) outs(%z : tensor<512x512xf32>) -> tensor<512x512xf32>
  %zero = arith.constant dense<0.0> : tensor<512x512xf32>
  %r = arith.select %live, %p, %zero : tensor<512x512xi1>, tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// -----

// Nothing is restricted: what was tried goes without a trace.
// CHECK-LABEL: func.func @served_nothing
// CHECK-NOT: pit.sparse
// CHECK: linalg.generic
// CHECK-NOT: xori
// CHECK: return
// EXACT: [Missed] inferred mark | {{.*}}Reason="no product is restricted to where it is live", Remark="not kept"
func.func @served_nothing(%x: tensor<64xf32>, %out: tensor<64xi1>) -> tensor<64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %r = arith.select %out, %zero, %x : tensor<64xi1>, tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

// A row of a gate has two points: that stays everywhere.
// ROWS-LABEL: func.func @gate
// ROWS: pit.sparse %{{.*}} <kind = mask, axes = [0, 1], at_most = 1>
// CHECK-LABEL: func.func @gate
// CHECK: at_most = 1
func.func @gate(%x: tensor<64x32xf32>, %w: tensor<8x32x16xf32>, %choice: tensor<64xi64>) -> tensor<64x16xf32> {
  %c0 = arith.constant 0.0 : f32
  %em = tensor.empty() : tensor<64x8xi1>
  %m = linalg.generic {indexing_maps = [affine_map<(t, e) -> (t)>, affine_map<(t, e) -> (t, e)>], iterator_types = ["parallel", "parallel"]}
      ins(%choice : tensor<64xi64>) outs(%em : tensor<64x8xi1>) {
  ^bb0(%a: i64, %o: i1):
    %e = linalg.index 1 : index
    %i = arith.index_cast %e : index to i64
    %c = arith.cmpi eq, %i, %a : i64
    linalg.yield %c : i1
  } -> tensor<64x8xi1>
  %eo = tensor.empty() : tensor<64x8x16xf32>
  %zo = linalg.fill ins(%c0 : f32) outs(%eo : tensor<64x8x16xf32>) -> tensor<64x8x16xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(t, e, n, k) -> (t, k)>, affine_map<(t, e, n, k) -> (e, k, n)>, affine_map<(t, e, n, k) -> (t, e, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x32xf32>, tensor<8x32x16xf32>) outs(%zo : tensor<64x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %v = arith.mulf %a, %b : f32
    %s = arith.addf %c, %v : f32
    linalg.yield %s : f32
  } -> tensor<64x8x16xf32>
  %chosen = linalg.generic {indexing_maps = [affine_map<(t, e, n) -> (t, e)>, affine_map<(t, e, n) -> (t, e, n)>, affine_map<(t, e, n) -> (t, e, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%m, %p : tensor<64x8xi1>, tensor<64x8x16xf32>) outs(%eo : tensor<64x8x16xf32>) {
  ^bb0(%l: i1, %a: f32, %o: f32):
    %s = arith.select %l, %a, %c0 : f32
    linalg.yield %s : f32
  } -> tensor<64x8x16xf32>
  %ey = tensor.empty() : tensor<64x16xf32>
  %zy = linalg.fill ins(%c0 : f32) outs(%ey : tensor<64x16xf32>) -> tensor<64x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, e, n) -> (t, e, n)>, affine_map<(t, e, n) -> (t, n)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%chosen : tensor<64x8x16xf32>) outs(%zy : tensor<64x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// -----

// A mark that serves nothing goes, and what was kept apart for it comes together, without an axis of extent 1 for all
// that reads it.
// ROWS-LABEL: func.func @units
// ROWS-NOT: x1x
// ROWS: pit.sparse %{{.*}} <kind = mask, axes = [0, 1]> {__kept_mark, __rows_only} : tensor<4x512xi1>
// ROWS-NOT: x1x
// ROWS: return
func.func @units(%x: tensor<4x512x64xf32>, %places: tensor<1x512xi64>, %w: tensor<64x64xf32>, %live: tensor<4x512xi1>) -> tensor<4x512x64xf32> {
  %c0 = arith.constant 0.0 : f32
  %zero = arith.constant 0 : i64
  %ep = tensor.empty() : tensor<1x512xi64>
  %shown = linalg.generic {indexing_maps = [affine_map<(u, i) -> (u, i)>, affine_map<(u, i) -> (u, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%places : tensor<1x512xi64>) outs(%ep : tensor<1x512xi64>) {
  ^bb0(%a: i64, %o: i64):
    %n = arith.cmpi ne, %a, %zero : i64
    %s = arith.select %n, %a, %zero : i64
    linalg.yield %s : i64
  } -> tensor<1x512xi64>
  %e = tensor.empty() : tensor<4x512x64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (0, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %shown : tensor<4x512x64xf32>, tensor<1x512xi64>) outs(%e : tensor<4x512x64xf32>) {
  ^bb0(%a: f32, %p: i64, %o: f32):
    %f = arith.sitofp %p : i64 to f32
    %s = arith.addf %a, %f : f32
    linalg.yield %s : f32
  } -> tensor<4x512x64xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (k, j)>, affine_map<(b, i, j, k) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%y, %w : tensor<4x512x64xf32>, tensor<64x64xf32>) outs(%z : tensor<4x512x64xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x512x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%live, %q : tensor<4x512xi1>, tensor<4x512x64xf32>) outs(%e : tensor<4x512x64xf32>) {
  ^bb0(%l: i1, %a: f32, %o: f32):
    %s = arith.select %l, %a, %c0 : f32
    linalg.yield %s : f32
  } -> tensor<4x512x64xf32>
  return %r : tensor<4x512x64xf32>
}
