// RUN: pit-opt %s --pit-split-sums --canonicalize --split-input-file | FileCheck %s

#p = affine_map<(t, d) -> (t, d)>
#g = affine_map<(t, d) -> (t)>
!i = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// One expert per token: no inverse, and what follows the sum is computed for each row before it is written. Rows that
// nobody writes hold what it makes of the value before.
// CHECK-LABEL: func @once
// CHECK-SAME: (%[[GATE:.*]]: tensor<?x8xf32>, %[[ROWS:.*]]: tensor<?x32xbf16>)
// CHECK-DAG: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG: %[[OTHER:.*]] = arith.constant 2.500000e-01 : bf16
// CHECK: %[[I:.*]] = pit.detect
// CHECK-NOT: pit.invert
// CHECK: %[[PACKED:.*]] = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, -1>], packed = array<i1: false, true>}
// CHECK-SAME: over(%[[I]] : {{.*}}) ins(%[[GATE]]
// CHECK: %[[INIT:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} outs(%{{.*}} : tensor<?x32xbf16>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: linalg.yield %[[OTHER]] : bf16
// CHECK: %[[R:.*]] = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true, false>, rule = 3 : i64}
// CHECK-SAME: over(%[[I]] : {{.*}}) ins(%[[PACKED]], %[[ROWS]] : tensor<?xf32>, tensor<?x32xbf16>) outs(%[[INIT]] :
// CHECK: ^bb0(%[[TG:.*]]: tensor<?xf32>, %[[TR:.*]]: tensor<?x32xbf16>, %[[TY:.*]]: tensor<?x32xbf16>):
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[TG]], %[[TR]] : {{.*}}) outs(%[[TY]] :
// CHECK-NEXT: ^bb0(%[[GV:.*]]: f32, %[[RV:.*]]: bf16, %{{.*}}: bf16):
// CHECK-NEXT: %[[F:.*]] = arith.extf %[[RV]]
// CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[GV]], %[[F]]
// CHECK-NEXT: %[[N:.*]] = arith.addf %[[Q]], %[[HALF]]
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[N]], %[[HALF]]
// CHECK-NEXT: %[[B:.*]] = arith.truncf %[[S]]
// CHECK-NEXT: linalg.yield %[[B]]
// CHECK: return %[[R]]
func.func @once(%gate: tensor<?x8xf32>, %rows: tensor<?x32xbf16>) -> tensor<?x32xbf16> {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %t = tensor.dim %gate, %c0 : tensor<?x8xf32>
  %i = pit.detect values(%gate : tensor<?x8xf32>) extents(%t) <kind = values, axes = [0, 1], at_most = 1> : !i
  %e = tensor.empty(%t) : tensor<?x32xf32>
  %y = linalg.fill ins(%half : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %r = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: false, true, false>, rule = 3 : i64}
      over(%i : !i) ins(%gate, %rows : tensor<?x8xf32>, tensor<?x32xbf16>) outs(%y : tensor<?x32xf32>) {
  ^bb0(%tg: tensor<?xf32>, %tr: tensor<?x32xbf16>, %ty: tensor<?x32xf32>):
    %z = linalg.generic {indexing_maps = [#g, #p, #p], iterator_types = ["parallel", "parallel"]}
        ins(%tg, %tr : tensor<?xf32>, tensor<?x32xbf16>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%gv: f32, %rv: bf16, %acc: f32):
      %f = arith.extf %rv : bf16 to f32
      %q = arith.mulf %gv, %f : f32
      %n = arith.addf %acc, %q : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %z : tensor<?x32xf32>
  } -> tensor<?x32xf32>
  %e2 = tensor.empty(%t) : tensor<?x32xbf16>
  %out = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<?x32xf32>) outs(%e2 : tensor<?x32xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %s = arith.mulf %v, %half : f32
    %b = arith.truncf %s : f32 to bf16
    linalg.yield %b : bf16
  } -> tensor<?x32xbf16>
  return %out : tensor<?x32xbf16>
}

// -----

#a = affine_map<(t, d, f) -> (t, f)>
#w = affine_map<(t, d, f) -> (f, d)>
#y = affine_map<(t, d, f) -> (t, d)>
!i = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// A contraction is summed up packed and scattered by a second op, which --pit-fuse-tiles puts behind it.
// CHECK-LABEL: func @contraction
// CHECK-NOT: pit.invert
// CHECK: %[[P:.*]] = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, true>}
// CHECK: %[[R:.*]] = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false>}
// CHECK-SAME: ins(%[[P]] :
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK: return %[[R]]
func.func @contraction(%gate: tensor<?x8xf32>, %a: tensor<?x16xf32>, %w: tensor<8x16x32xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %gate, %c0 : tensor<?x8xf32>
  %i = pit.detect values(%gate : tensor<?x8xf32>) extents(%t) <kind = values, axes = [0, 1], at_most = 1> : !i
  %e = tensor.empty(%t) : tensor<?x32xf32>
  %y = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %r = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, false>}
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
!i = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// Two experts per token, or rows that hold more than one value before, need a sum; what reads another tensor stays
// behind.
// CHECK-LABEL: func @inverted
// CHECK-COUNT-2: pit.invert
// CHECK-NOT: pit.invert
// CHECK: pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false>}
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} :
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.mulf
func.func @inverted(%gate: tensor<?x8xf32>, %rows: tensor<?x32xf32>, %y: tensor<?x32xf32>)
    -> (tensor<?x32xf32>, tensor<?x32xf32>, tensor<?x32xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %gate, %c0 : tensor<?x8xf32>
  %two = pit.detect values(%gate : tensor<?x8xf32>) extents(%t) <kind = values, axes = [0, 1], at_most = 2> : !i
  %one = pit.detect values(%gate : tensor<?x8xf32>) extents(%t) <kind = values, axes = [0, 1], at_most = 1> : !i
  %e = tensor.empty(%t) : tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %0 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false>}
      over(%two : !i) ins(%rows : tensor<?x32xf32>) outs(%z : tensor<?x32xf32>) {
  ^bb0(%tr: tensor<?x32xf32>, %ty: tensor<?x32xf32>):
    %g = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel"]}
        ins(%tr : tensor<?x32xf32>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%r: f32, %acc: f32):
      %n = arith.addf %acc, %r : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %g : tensor<?x32xf32>
  } -> tensor<?x32xf32>
  %1 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false>}
      over(%one : !i) ins(%rows : tensor<?x32xf32>) outs(%y : tensor<?x32xf32>) {
  ^bb0(%tr: tensor<?x32xf32>, %ty: tensor<?x32xf32>):
    %g = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel"]}
        ins(%tr : tensor<?x32xf32>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%r: f32, %acc: f32):
      %n = arith.addf %acc, %r : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %g : tensor<?x32xf32>
  } -> tensor<?x32xf32>
  %2 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false>}
      over(%one : !i) ins(%rows : tensor<?x32xf32>) outs(%z : tensor<?x32xf32>) {
  ^bb0(%tr: tensor<?x32xf32>, %ty: tensor<?x32xf32>):
    %g = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel"]}
        ins(%tr : tensor<?x32xf32>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%r: f32, %acc: f32):
      %n = arith.addf %acc, %r : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %g : tensor<?x32xf32>
  } -> tensor<?x32xf32>
  %3 = linalg.generic {indexing_maps = [#p, #p, #p], iterator_types = ["parallel", "parallel"]}
      ins(%2, %y : tensor<?x32xf32>, tensor<?x32xf32>) outs(%e : tensor<?x32xf32>) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %m = arith.mulf %v, %w : f32
    linalg.yield %m : f32
  } -> tensor<?x32xf32>
  return %0, %1, %3 : tensor<?x32xf32>, tensor<?x32xf32>, tensor<?x32xf32>
}

// -----

#p = affine_map<(t, d) -> (t, d)>
#more = affine_map<(t, d, x) -> (t, d)>
#x = affine_map<(t, d, x) -> (x)>
!i = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// A value that only the device may know would cross the launches of what is packed; a loop that the output lacks adds
// to an element more than once; an elementwise op of another type stays.
// CHECK-LABEL: func @refused
// CHECK-COUNT-2: pit.invert
// CHECK-NOT: pit.invert
// CHECK: pit.tiled {{.*}} packed = array<i1: true, false>}
// CHECK: arith.addf
// CHECK-NOT: arith.mulf
// CHECK: pit.yield
// CHECK: arith.mulf
func.func @refused(%gate: tensor<?x8xf32>, %rows: tensor<?x32xf32>, %v: f32, %xs: tensor<3xf32>)
    -> (tensor<?x32xf32>, tensor<?x32xf32>, tensor<40x32xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %gate, %c0 : tensor<?x8xf32>
  %i = pit.detect values(%gate : tensor<?x8xf32>) extents(%t) <kind = values, axes = [0, 1], at_most = 1> : !i
  %e = tensor.empty(%t) : tensor<?x32xf32>
  %y = linalg.fill ins(%v : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %0 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false>}
      over(%i : !i) ins(%rows : tensor<?x32xf32>) outs(%y : tensor<?x32xf32>) {
  ^bb0(%tr: tensor<?x32xf32>, %ty: tensor<?x32xf32>):
    %g = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel"]}
        ins(%tr : tensor<?x32xf32>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%r: f32, %acc: f32):
      %n = arith.addf %acc, %r : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %g : tensor<?x32xf32>
  } -> tensor<?x32xf32>
  %1 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, -1>, array<i64: 0, -1>], packed = array<i1: true, false, false>}
      over(%i : !i) ins(%rows, %xs : tensor<?x32xf32>, tensor<3xf32>) outs(%z : tensor<?x32xf32>) {
  ^bb0(%tr: tensor<?x32xf32>, %tx: tensor<3xf32>, %ty: tensor<?x32xf32>):
    %g = linalg.generic {indexing_maps = [#more, #x, #more], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%tr, %tx : tensor<?x32xf32>, tensor<3xf32>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%r: f32, %x: f32, %acc: f32):
      %m = arith.mulf %r, %x : f32
      %n = arith.addf %acc, %m : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %g : tensor<?x32xf32>
  } -> tensor<?x32xf32>
  %2 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false>}
      over(%i : !i) ins(%rows : tensor<?x32xf32>) outs(%z : tensor<?x32xf32>) {
  ^bb0(%tr: tensor<?x32xf32>, %ty: tensor<?x32xf32>):
    %g = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel"]}
        ins(%tr : tensor<?x32xf32>) outs(%ty : tensor<?x32xf32>) {
    ^bb1(%r: f32, %acc: f32):
      %n = arith.addf %acc, %r : f32
      linalg.yield %n : f32
    } -> tensor<?x32xf32>
    pit.yield %g : tensor<?x32xf32>
  } -> tensor<?x32xf32>
  %e40 = tensor.empty() : tensor<40x32xf32>
  %3 = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<?x32xf32>) outs(%e40 : tensor<40x32xf32>) {
  ^bb0(%w: f32, %o: f32):
    %m = arith.mulf %w, %w : f32
    linalg.yield %m : f32
  } -> tensor<40x32xf32>
  return %0, %1, %3 : tensor<?x32xf32>, tensor<?x32xf32>, tensor<40x32xf32>
}
