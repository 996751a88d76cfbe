// RUN: pit-opt %s --pit-place-parts | FileCheck %s

// Both halves of what is concatenated are computed where they end up.
// CHECK-LABEL: func @halves
// CHECK: %[[WHOLE:.*]] = memref.alloc() : memref<8x16xf32>
// CHECK-NEXT: %[[A:.*]] = memref.subview %[[WHOLE]][0, 0]
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[A]]
// CHECK-NEXT: %[[B:.*]] = memref.subview %[[WHOLE]][0, 8]
// CHECK-NEXT: linalg.negf ins(%[[A]] {{.*}} outs(%[[B]]
// CHECK-NEXT: return %[[WHOLE]]
func.func @halves(%x: memref<8x8xf32>) -> memref<8x16xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.negf ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  %whole = memref.alloc() : memref<8x16xf32>
  %first = memref.subview %whole[0, 0] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1]>>
  memref.copy %a, %first : memref<8x8xf32> to memref<8x8xf32, strided<[16, 1]>>
  %second = memref.subview %whole[0, 8] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1], offset: 8>>
  memref.copy %b, %second : memref<8x8xf32> to memref<8x8xf32, strided<[16, 1], offset: 8>>
  return %whole : memref<8x16xf32>
}

// Not where the part is read behind the copy, where something else fills the whole before, where slices overlap, or where extents are
// not known.
// CHECK-LABEL: func @read_later
// CHECK: memref.copy
// CHECK-LABEL: func @filled
// CHECK: memref.copy
// CHECK-LABEL: func @overlapping
// CHECK: linalg.exp {{.*}} outs(%{{.*}} : memref<8x8xf32>)
// CHECK: memref.copy
// CHECK: memref.copy
// CHECK-LABEL: func @dynamic
// CHECK: memref.copy
func.func @read_later(%x: memref<8x8xf32>, %y: memref<8x8xf32>) -> memref<8x16xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %whole = memref.alloc() : memref<8x16xf32>
  %first = memref.subview %whole[0, 0] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1]>>
  memref.copy %a, %first : memref<8x8xf32> to memref<8x8xf32, strided<[16, 1]>>
  linalg.negf ins(%a : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return %whole : memref<8x16xf32>
}
func.func @filled(%x: memref<8x8xf32>) -> memref<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %whole = memref.alloc() : memref<8x16xf32>
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%whole : memref<8x16xf32>)
  %first = memref.subview %whole[0, 0] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1]>>
  memref.copy %a, %first : memref<8x8xf32> to memref<8x8xf32, strided<[16, 1]>>
  return %whole : memref<8x16xf32>
}
func.func @overlapping(%x: memref<8x8xf32>) -> memref<8x16xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.negf ins(%x : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  %whole = memref.alloc() : memref<8x16xf32>
  %first = memref.subview %whole[0, 0] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1]>>
  %second = memref.subview %whole[0, 4] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1], offset: 4>>
  memref.copy %a, %first : memref<8x8xf32> to memref<8x8xf32, strided<[16, 1]>>
  memref.copy %b, %second : memref<8x8xf32> to memref<8x8xf32, strided<[16, 1], offset: 4>>
  return %whole : memref<8x16xf32>
}
func.func @dynamic(%x: memref<?x8xf32>, %n: index) -> memref<?x16xf32> {
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
  %whole = memref.alloc(%n) : memref<?x16xf32>
  %first = memref.subview %whole[0, 0] [%n, 8] [1, 1] : memref<?x16xf32> to memref<?x8xf32, strided<[16, 1]>>
  memref.copy %a, %first : memref<?x8xf32> to memref<?x8xf32, strided<[16, 1]>>
  return %whole : memref<?x16xf32>
}

// A part that lies with more axes than its slice is computed there all the same: the slice has these axes.
// CHECK-LABEL: func @heads
// CHECK: %[[WHOLE:.*]] = memref.alloc() : memref<8x32xf32>
// CHECK-NEXT: %[[SLICE:.*]] = memref.subview %[[WHOLE]][0, 16] [8, 16] [1, 1]
// CHECK-NEXT: %[[HEADS:.*]] = memref.expand_shape %[[SLICE]] {{\[\[}}0], [1, 2]] output_shape [8, 4, 4] : {{.*}} into memref<8x4x4xf32, strided<[32, 4, 1], offset: 16>>
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[HEADS]] :
// CHECK-NEXT: return %[[WHOLE]]
func.func @heads(%x: memref<8x4x4xf32>) -> memref<8x32xf32> {
  %a = memref.alloc() : memref<8x4x4xf32>
  linalg.exp ins(%x : memref<8x4x4xf32>) outs(%a : memref<8x4x4xf32>)
  %flat = memref.collapse_shape %a [[0], [1, 2]] : memref<8x4x4xf32> into memref<8x16xf32>
  %whole = memref.alloc() : memref<8x32xf32>
  %second = memref.subview %whole[0, 16] [8, 16] [1, 1] : memref<8x32xf32> to memref<8x16xf32, strided<[32, 1], offset: 16>>
  memref.copy %flat, %second : memref<8x16xf32> to memref<8x16xf32, strided<[32, 1], offset: 16>>
  return %whole : memref<8x32xf32>
}

#q = affine_map<(b, h, i, j, e, f) -> (b, i, h, e)>
#k = affine_map<(b, h, i, j, e, f) -> (b, j, h, e)>
#v = affine_map<(b, h, i, j, e, f) -> (b, j, h, f)>
#o = affine_map<(b, h, i, j, e, f) -> (b, i, h, f)>
#row = affine_map<(b, h, i, j, e, f) -> (b, h, i)>
!heads = memref<2x8x3x16xbf16>
!flat = memref<16x48xbf16>

// Gradients of queries, keys and values that come from one projection are those of the parts of its result.
// CHECK-LABEL: func @attend_backward
// CHECK-NOT: memref.copy
// CHECK: %[[WHOLE:.*]] = memref.alloc() : memref<16x144xbf16>
// CHECK-DAG: %[[SLICE_Q:.*]] = memref.subview %[[WHOLE]][0, 0]
// CHECK-DAG: %[[SLICE_K:.*]] = memref.subview %[[WHOLE]][0, 48]
// CHECK-DAG: %[[SLICE_V:.*]] = memref.subview %[[WHOLE]][0, 96]
// CHECK-DAG: %[[DQ:.*]] = memref.expand_shape %[[SLICE_Q]] {{\[\[}}0, 1], [2, 3]] output_shape [2, 8, 3, 16]
// CHECK-DAG: %[[DK:.*]] = memref.expand_shape %[[SLICE_K]] {{\[\[}}0, 1], [2, 3]] output_shape [2, 8, 3, 16]
// CHECK-DAG: %[[DV:.*]] = memref.expand_shape %[[SLICE_V]] {{\[\[}}0, 1], [2, 3]] output_shape [2, 8, 3, 16]
// CHECK: pit.attend_backward {{.*}} outs(%[[DQ]], %[[DK]], %[[DV]] :
// CHECK-NOT: memref.copy
// CHECK: return %[[WHOLE]]
func.func @attend_backward(%q: !heads, %k: !heads, %v: !heads, %g: !heads, %l: memref<2x3x8xf32>, %d: memref<2x3x8xf32>) -> memref<16x144xbf16> {
  %dq = memref.alloc() : !heads
  %dk = memref.alloc() : !heads
  %dv = memref.alloc() : !heads
  pit.attend_backward ins(%q, %k, %v, %g : !heads, !heads, !heads, !heads) rows(%l, %d : memref<2x3x8xf32>, memref<2x3x8xf32>)
      outs(%dq, %dk, %dv : !heads, !heads, !heads) maps [#q, #k, #v, #o, #row, #row, #q, #k, #v] {
  ^bb0(%score: f32, %b: index, %h: index, %i: index, %j: index):
    pit.logit %score : f32
  }
  %whole = memref.alloc() : memref<16x144xbf16>
  %of_q = memref.collapse_shape %dq [[0, 1], [2, 3]] : !heads into !flat
  %first = memref.subview %whole[0, 0] [16, 48] [1, 1] : memref<16x144xbf16> to memref<16x48xbf16, strided<[144, 1]>>
  memref.copy %of_q, %first : !flat to memref<16x48xbf16, strided<[144, 1]>>
  %of_k = memref.collapse_shape %dk [[0, 1], [2, 3]] : !heads into !flat
  %second = memref.subview %whole[0, 48] [16, 48] [1, 1] : memref<16x144xbf16> to memref<16x48xbf16, strided<[144, 1], offset: 48>>
  memref.copy %of_k, %second : !flat to memref<16x48xbf16, strided<[144, 1], offset: 48>>
  %of_v = memref.collapse_shape %dv [[0, 1], [2, 3]] : !heads into !flat
  %last = memref.subview %whole[0, 96] [16, 48] [1, 1] : memref<16x144xbf16> to memref<16x48xbf16, strided<[144, 1], offset: 96>>
  memref.copy %of_v, %last : !flat to memref<16x48xbf16, strided<[144, 1], offset: 96>>
  return %whole : memref<16x144xbf16>
}

// Not where others read the part with fewer axes, or as it lies behind the copy.
// CHECK-LABEL: func @flat_read_later
// CHECK: linalg.exp {{.*}} outs(%[[PART:.*]] : memref<8x4x4xf32>)
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[PART]]
// CHECK: memref.copy %[[FLAT]]
// CHECK: linalg.negf ins(%[[FLAT]]
// CHECK-LABEL: func @heads_read_later
// CHECK: linalg.exp {{.*}} outs(%[[PART:.*]] : memref<8x4x4xf32>)
// CHECK: memref.copy
// CHECK: linalg.negf ins(%[[PART]]
func.func @flat_read_later(%x: memref<8x4x4xf32>, %y: memref<8x16xf32>) -> memref<8x32xf32> {
  %a = memref.alloc() : memref<8x4x4xf32>
  linalg.exp ins(%x : memref<8x4x4xf32>) outs(%a : memref<8x4x4xf32>)
  %flat = memref.collapse_shape %a [[0], [1, 2]] : memref<8x4x4xf32> into memref<8x16xf32>
  %whole = memref.alloc() : memref<8x32xf32>
  %first = memref.subview %whole[0, 0] [8, 16] [1, 1] : memref<8x32xf32> to memref<8x16xf32, strided<[32, 1]>>
  memref.copy %flat, %first : memref<8x16xf32> to memref<8x16xf32, strided<[32, 1]>>
  linalg.negf ins(%flat : memref<8x16xf32>) outs(%y : memref<8x16xf32>)
  return %whole : memref<8x32xf32>
}
func.func @heads_read_later(%x: memref<8x4x4xf32>, %y: memref<8x4x4xf32>) -> memref<8x32xf32> {
  %a = memref.alloc() : memref<8x4x4xf32>
  linalg.exp ins(%x : memref<8x4x4xf32>) outs(%a : memref<8x4x4xf32>)
  %flat = memref.collapse_shape %a [[0], [1, 2]] : memref<8x4x4xf32> into memref<8x16xf32>
  %whole = memref.alloc() : memref<8x32xf32>
  %first = memref.subview %whole[0, 0] [8, 16] [1, 1] : memref<8x32xf32> to memref<8x16xf32, strided<[32, 1]>>
  memref.copy %flat, %first : memref<8x16xf32> to memref<8x16xf32, strided<[32, 1]>>
  linalg.negf ins(%a : memref<8x4x4xf32>) outs(%y : memref<8x4x4xf32>)
  return %whole : memref<8x32xf32>
}
