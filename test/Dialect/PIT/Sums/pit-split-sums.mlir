// RUN: pit-opt %s --pit-split-sums --canonicalize --split-input-file | FileCheck %s

#a = affine_map<(t, d, f) -> (t, f)>
#w = affine_map<(t, d, f) -> (f, d)>
#y = affine_map<(t, d, f) -> (t, d)>
!i = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// A contraction: its rows packed, from zero, and their sum over the inverse index into what was there.
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @contraction
// CHECK-SAME: (%[[A:.*]]: tensor<?x16xf32>, %[[W:.*]]: tensor<8x16x32xf32>, %[[Y:.*]]: tensor<?x32xf32>, %[[I:.*]]: !pit.index
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[A]]
// CHECK-DAG: %[[T:.*]] = pit.extent %[[I]][0]
// CHECK-DAG: %[[V:.*]] = pit.invert %[[I]] extents(%[[T]], %[[N]]) : {{.*}} -> <[?, ?], coordinate = 1, tile = [1, 1], width = 32>
// CHECK-DAG: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x32xf32>
// CHECK: %[[P:.*]] = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, true>, rule = 7 : i64}
// CHECK-SAME: over(%[[I]] : {{.*}}) ins(%[[A]], %[[W]] : {{.*}}) outs(%[[E]] :
// CHECK: ^bb0(%{{.*}}, %{{.*}}, %[[TILE:.*]]: tensor<?x32xf32>):
// CHECK: %[[ZERO:.*]] = linalg.fill ins(%{{.*}}) outs(%[[TILE]]
// CHECK: linalg.generic {{.*}} outs(%[[ZERO]]
// CHECK: %[[R:.*]] = pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>, rule = 7 : i64}
// CHECK-SAME: over(%[[V]] : {{.*}}) ins(%[[P]] : {{.*}}) outs(%[[Y]] :
// CHECK: ^bb0(%[[IN:.*]]: tensor<?x32xf32>, %[[OUT:.*]]: tensor<32xf32>):
// CHECK: linalg.generic {indexing_maps = [#[[$ROWS]], #[[$ROW]]], iterator_types = ["reduction", "parallel"]} ins(%[[IN]] : {{.*}}) outs(%[[OUT]] :
// CHECK: ^bb0(%[[ROWV:.*]]: f32, %[[BEFORE:.*]]: f32):
// CHECK: arith.addf %[[BEFORE]], %[[ROWV]]
// CHECK: return %[[R]]
func.func @contraction(%a: tensor<?x16xf32>, %w: tensor<8x16x32xf32>, %y: tensor<?x32xf32>, %i: !i) -> tensor<?x32xf32> {
  %r = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, false>, rule = 7 : i64}
      over(%i : !i) ins(%a, %w : tensor<?x16xf32>, tensor<8x16x32xf32>) outs(%y : tensor<?x32xf32>) {
  ^bb0(%ta: tensor<?x16xf32>, %tw: tensor<16x32xf32>, %ty: tensor<?x32xf32>):
    %s = linalg.generic {indexing_maps = [#a, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tw : tensor<?x16xf32>, tensor<16x32xf32>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%x: f32, %v: f32, %acc: f32):
      %m = arith.mulf %x, %v : f32
      %n = arith.addf %acc, %m : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %s : tensor<?x32xf32>
  } -> tensor<?x32xf32>
  return %r : tensor<?x32xf32>
}

// -----

#p = affine_map<(t, d) -> (t, d)>
#g = affine_map<(t, d) -> (t)>
#c = affine_map<(t, d) -> (d)>
!i = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>

// No reduction of its own: only the sum, with the gate packed, rows of the result and columns where they were.
// CHECK-DAG: #[[$G:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$P:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$C:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @gated
// CHECK-SAME: (%[[GATE:.*]]: tensor<16x8xf32>, %[[ROWS:.*]]: tensor<48x32xbf16>, %[[X:.*]]: tensor<16x32xf32>, %[[S:.*]]: tensor<32xf32>, %[[Y:.*]]: tensor<16x32xf32>, %[[I:.*]]: !pit.index
// CHECK-DAG: %[[V:.*]] = pit.invert %[[I]] : {{.*}} -> <[16, 48], coordinate = 1, tile = [1, 1], width = 32>
// CHECK-DAG: %[[E:.*]] = tensor.empty() : tensor<48xf32>
// CHECK: %[[PACKED:.*]] = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, -1>], packed = array<i1: false, true>}
// CHECK-SAME: over(%[[I]] : {{.*}}) ins(%[[GATE]] : {{.*}}) outs(%[[E]] :
// CHECK: pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: -1, 0>, array<i64: 0, -1>, array<i64: -1, -1>, array<i64: 0, -1>], packed = array<i1: false, false, false, false, false>}
// CHECK-SAME: over(%[[V]] : {{.*}}) ins(%[[PACKED]], %[[ROWS]], %[[X]], %[[S]] : {{.*}}) outs(%[[Y]] :
// CHECK: ^bb0(%{{.*}}: tensor<?xf32>, %{{.*}}: tensor<?x32xbf16>, %{{.*}}: tensor<32xf32>, %{{.*}}: tensor<32xf32>, %{{.*}}: tensor<32xf32>):
// CHECK: linalg.generic {indexing_maps = [#[[$G]], #[[$P]], #[[$C]], #[[$C]], #[[$C]]], iterator_types = ["reduction", "parallel"]}
func.func @gated(%gate: tensor<16x8xf32>, %rows: tensor<48x32xbf16>, %x: tensor<16x32xf32>, %s: tensor<32xf32>,
                 %y: tensor<16x32xf32>, %i: !i) -> tensor<16x32xf32> {
  %r = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, -1>, array<i64: 0, -1>, array<i64: -1, -1>, array<i64: 0, -1>],
                          packed = array<i1: false, true, false, false, false>}
      over(%i : !i) ins(%gate, %rows, %x, %s : tensor<16x8xf32>, tensor<48x32xbf16>, tensor<16x32xf32>, tensor<32xf32>)
      outs(%y : tensor<16x32xf32>) {
  ^bb0(%tg: tensor<?xf32>, %tr: tensor<?x32xbf16>, %tx: tensor<?x32xf32>, %ts: tensor<32xf32>, %ty: tensor<?x32xf32>):
    %z = linalg.generic {indexing_maps = [#g, #p, #p, #c, #p], iterator_types = ["parallel", "parallel"]}
        ins(%tg, %tr, %tx, %ts : tensor<?xf32>, tensor<?x32xbf16>, tensor<?x32xf32>, tensor<32xf32>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%gv: f32, %rv: bf16, %xv: f32, %sv: f32, %acc: f32):
      %f = arith.extf %rv : bf16 to f32
      %q = arith.mulf %gv, %f : f32
      %h = arith.mulf %xv, %sv : f32
      %m = arith.addf %q, %h : f32
      %n = arith.addf %acc, %m : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %z : tensor<?x32xf32>
  } -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}

// -----

#p = affine_map<(t, d) -> (t, d)>
#c = affine_map<(t, d) -> (d)>
!i = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
!wide = !pit.index<[16, 8], coordinate = 0, tile = [4, 1], width = 32>

// What a segment adds to all of its rows would have to be written once per row; wide micro-tiles have no inverse; what
// is stored, not added, belongs to the last segment; a list of one segment needs none of it.
// CHECK-LABEL: func @left_alone
// CHECK-NOT: pit.invert
func.func @left_alone(%bias: tensor<8x32xf32>, %rows: tensor<48x32xf32>, %y: tensor<16x32xf32>, %i: !i, %w: !wide)
    -> (tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) {
  %0 = pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: false, true, false>}
      over(%i : !i) ins(%bias, %rows : tensor<8x32xf32>, tensor<48x32xf32>) outs(%y : tensor<16x32xf32>) {
  ^bb0(%tb: tensor<32xf32>, %tr: tensor<?x32xf32>, %ty: tensor<?x32xf32>):
    %z = linalg.generic {indexing_maps = [#c, #p, #p], iterator_types = ["parallel", "parallel"]}
        ins(%tb, %tr : tensor<32xf32>, tensor<?x32xf32>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%b: f32, %r: f32, %acc: f32):
      %m = arith.mulf %b, %r : f32
      %n = arith.addf %acc, %m : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %z : tensor<?x32xf32>
  } -> tensor<16x32xf32>
  %1 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false>}
      over(%w : !wide) ins(%rows : tensor<48x32xf32>) outs(%y : tensor<16x32xf32>) {
  ^bb0(%tr: tensor<?x32xf32>, %ty: tensor<?x32xf32>):
    %z = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel"]}
        ins(%tr : tensor<?x32xf32>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%r: f32, %acc: f32):
      %n = arith.addf %acc, %r : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %z : tensor<?x32xf32>
  } -> tensor<16x32xf32>
  %2 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false>}
      over(%i : !i) ins(%rows : tensor<48x32xf32>) outs(%y : tensor<16x32xf32>) {
  ^bb0(%tr: tensor<?x32xf32>, %ty: tensor<?x32xf32>):
    pit.yield %tr : tensor<?x32xf32>
  } -> tensor<16x32xf32>
  return %0, %1, %2 : tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>
}

// -----

#p = affine_map<(t, d) -> (t, d)>
!i = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>

// A scalar of the device would have to cross the launches of the inversion.
// CHECK-LABEL: func @crossed
// CHECK-NOT: pit.invert
func.func @crossed(%rows: tensor<48x32xf32>, %s: tensor<1xf32>, %y: tensor<16x32xf32>, %i: !i) -> (tensor<16x32xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %s[%c0] : tensor<1xf32>
  %0 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false>}
      over(%i : !i) ins(%rows : tensor<48x32xf32>) outs(%y : tensor<16x32xf32>) {
  ^bb0(%tr: tensor<?x32xf32>, %ty: tensor<?x32xf32>):
    %z = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel"]}
        ins(%tr : tensor<?x32xf32>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%r: f32, %acc: f32):
      %n = arith.addf %acc, %r : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %z : tensor<?x32xf32>
  } -> tensor<16x32xf32>
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<f32>) -> tensor<f32>
  return %0, %f : tensor<16x32xf32>, tensor<f32>
}
