// RUN: pit-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize | FileCheck %s

!idx = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// The index owns its lists: those that somebody else reads are copied.
// CHECK-LABEL: func @lists
// CHECK-SAME:    (%[[O:.*]]: memref<?xi64>, %[[C:.*]]: memref<?xi32>, %[[T:.*]]: index) -> (!pit.index_buffer<<[?, 8], coordinate = 0, tile = [1, 1], width = 32>>
// CHECK:         memref.copy %[[C]], %[[OWNED:.*]] :
// CHECK:         pit.assemble %{{.*}}, %[[OWNED]] extents(%[[T]])
func.func @lists(%o: tensor<?xi64>, %c: tensor<?xi32>, %t: index) -> (!idx, tensor<?xi32>) {
  %i = pit.assemble %o, %c extents(%t) : tensor<?xi64>, tensor<?xi32> -> !idx
  %l = pit.coords %i : !idx -> tensor<?xi32>
  return %i, %l : !idx, tensor<?xi32>
}

// An argument that the function must not write to stays as it is, unless the index leaves the function.
// CHECK-LABEL: func @constant_lists
// CHECK-SAME:    (%[[O:.*]]: memref<?xi64>, %[[C:.*]]: memref<?xi32>, %[[T:.*]]: index, %{{.*}}: memref<?xf32>
// CHECK-NOT:     memref.copy
// CHECK:         pit.assemble %[[O]], %[[C]] extents(%[[T]])
func.func @constant_lists(%o: tensor<?xi64> {bufferization.writable = false}, %c: tensor<?xi32> {bufferization.writable = false}, %t: index,
                          %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %i = pit.assemble %o, %c extents(%t) : tensor<?xi64>, tensor<?xi32> -> !idx
  %r = pit.tiled tile 4 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: false, true>}
      over(%i : !idx) ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    pit.yield %a : tensor<?xf32>
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @constant_lists_leave
// CHECK-COUNT-2: memref.copy
// CHECK:         pit.assemble
func.func @constant_lists_leave(%o: tensor<?xi64> {bufferization.writable = false}, %c: tensor<?xi32> {bufferization.writable = false}, %t: index) -> !idx {
  %i = pit.assemble %o, %c extents(%t) : tensor<?xi64>, tensor<?xi32> -> !idx
  return %i : !idx
}

// Nobody writes to the lists of an index.
// CHECK-LABEL: func @written
// CHECK:         %[[L:.*]] = pit.coords
// CHECK:         memref.copy %[[L]], %[[COPY:.*]] :
// CHECK:         memref.store %{{.*}}, %[[COPY]]
func.func @written(%i: !idx) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i32
  %l = pit.coords %i : !idx -> tensor<?xi32>
  %w = tensor.insert %v into %l[%c0] : tensor<?xi32>
  return %w : tensor<?xi32>
}

// CHECK-LABEL: func @read
// CHECK-SAME:    (%[[I:.*]]: !pit.index_buffer{{.*}}, %[[X:.*]]: memref<?x4xf32>, %[[LO:.*]]: index, %[[N:.*]]: index)
// CHECK:         %[[P:.*]] = memref.alloc(%[[N]])
// CHECK:         %[[L:.*]] = pit.coords %[[I]]
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %[[N]]
// CHECK:           %[[POSITION:.*]] = arith.addi %[[LO]], %[[K]]
// CHECK:           %[[COORD:.*]] = memref.load %[[L]][%[[POSITION]]]
// CHECK:           %[[ROW:.*]] = arith.index_cast %[[COORD]]
// CHECK:           %[[FROM:.*]] = memref.subview %[[X]][%[[ROW]], 0] [1, 4]
// CHECK:           %[[TO:.*]] = memref.subview %[[P]][%[[K]], 0] [1, 4]
// CHECK:           memref.copy %[[FROM]], %[[TO]]
func.func @read(%i: !idx, %x: tensor<?x4xf32>, %lo: index, %n: index) -> tensor<?x4xf32> {
  %r = pit.sread %x[%i] tile(%lo, %n) sizes(%n) dims = [0, -1] : tensor<?x4xf32>, !idx -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func @write
// CHECK-SAME:    (%{{.*}}: !pit.index_buffer{{.*}}, %[[P:.*]]: memref<?x4xf32>, %[[X:.*]]: memref<?x4xf32>,
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for %[[K:.*]] =
// CHECK:           memref.subview %[[P]][%[[K]], 0]
// CHECK:           memref.subview %[[X]][%{{.*}}, 0]
// CHECK:         return %[[X]]
func.func @write(%i: !idx, %p: tensor<?x4xf32>, %x: tensor<?x4xf32>, %lo: index, %n: index) -> tensor<?x4xf32> {
  %r = pit.swrite %p into %x[%i] tile(%lo, %n) store dims = [0, -1] : tensor<?x4xf32>, tensor<?x4xf32>, !idx
  return %r : tensor<?x4xf32>
}

// A tiled op stays whole and works in place.
// CHECK-LABEL: func @tiled
// CHECK-SAME:    (%[[I:.*]]: !pit.index_buffer{{.*}}, %[[X:.*]]: memref<?x4xf32>, %[[Y:.*]]: memref<?x4xf32>)
// CHECK-NEXT:    pit.tiled tile 64
// CHECK-SAME:      over(%[[I]] : !pit.index_buffer{{.*}}) ins(%[[X]] : memref<?x4xf32>) outs(%[[Y]] : memref<?x4xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: memref<?x4xf32, strided<[?, ?], offset: ?>>, %[[OUT:.*]]: memref
// CHECK-NEXT:      linalg.generic
// CHECK-SAME:        ins(%[[IN]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NOT:     memref.copy
// CHECK:         return %[[Y]]
#id = affine_map<(t, d) -> (t, d)>
func.func @tiled(%i: !idx, %x: tensor<?x4xf32>, %init: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: false, true>}
      over(%i : !idx) ins(%x : tensor<?x4xf32>) outs(%init : tensor<?x4xf32>) {
  ^bb0(%in: tensor<?x4xf32>, %out: tensor<?x4xf32>):
    %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%in : tensor<?x4xf32>) outs(%out : tensor<?x4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %m = arith.mulf %a, %a : f32
      linalg.yield %m : f32
    } -> tensor<?x4xf32>
    pit.yield %s : tensor<?x4xf32>
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// An output that is read later is copied first.
// CHECK-LABEL: func @kept
// CHECK-SAME:    (%[[I:.*]]: !pit.index_buffer{{.*}}, %[[Y:.*]]: memref<?x4xf32>)
// CHECK:         memref.copy %[[Y]], %[[COPY:.*]] :
// CHECK:         pit.tiled
// CHECK-SAME:      outs(%[[COPY]] :
// CHECK:         memref.copy
// CHECK:         return %[[Y]], %[[COPY]]
func.func @kept(%i: !idx, %init: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %r = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: false, true>}
      over(%i : !idx) ins(%init : tensor<?x4xf32>) outs(%init : tensor<?x4xf32>) {
  ^bb0(%in: tensor<?x4xf32>, %out: tensor<?x4xf32>):
    pit.yield %in : tensor<?x4xf32>
  } -> tensor<?x4xf32>
  return %init, %r : tensor<?x4xf32>, tensor<?x4xf32>
}

// Lists that are buffers stay, and alias analysis is not asked of them.
// CHECK-LABEL: func @assembled_of_buffers
// CHECK-SAME:    (%[[O:.*]]: memref<65xi64>, %[[C:.*]]: memref<256xi32>)
// CHECK-NEXT:    pit.assemble %[[O]], %[[C]] : memref<65xi64>, memref<256xi32> ->
!lists = !pit.index_buffer<!pit.index<[64, 64], coordinate = 1, tile = [1, 1], width = 32>>
func.func @assembled_of_buffers(%o: memref<65xi64>, %c: memref<256xi32>) -> !lists {
  %i = pit.assemble %o, %c : memref<65xi64>, memref<256xi32> -> !lists
  return %i : !lists
}
