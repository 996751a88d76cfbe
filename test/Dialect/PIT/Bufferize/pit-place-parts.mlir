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
