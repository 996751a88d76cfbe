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

!list = !pit.index<[256], coordinate = 0, tile = [1], width = 32>
!parts = !pit.index<[256, 8], coordinate = 0, tile = [1, 1], width = 32>

// Indexes of one list share it, as long as all that is done with it is to read it.
// CHECK-LABEL: func @shared_list(
// CHECK-NOT:     memref.copy
// CHECK:         pit.detect_into {{.*}} outs(%[[O:.*]], %[[C:.*]] : memref<2xi64>, memref<256xi32>)
// CHECK-NOT:     memref.copy
// CHECK:         %[[OFFSETS:.*]] = memref.cast %[[O]]
// CHECK:         %[[COORDS:.*]] = memref.cast %[[C]]
// CHECK:         pit.assemble %[[OFFSETS]], %[[COORDS]]
// CHECK-NOT:     memref.copy
// CHECK:         %[[COORDS:.*]] = memref.cast %[[C]]
// CHECK:         pit.assemble %{{.*}}, %[[COORDS]] {{.*}}<[256, 8]
func.func @shared_list(%mask: tensor<256xi1>, %p: tensor<9xi64> {bufferization.writable = false}, %x: tensor<256xf32>, %y: tensor<256xf32>, %z: tensor<8xf32>)
    -> (tensor<256xf32>, tensor<8xf32>, i64, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = bufferization.alloc_tensor() : tensor<2xi64>
  %c = bufferization.alloc_tensor() : tensor<256xi32>
  %d:2 = pit.detect_into by(%mask : tensor<256xi1>) outs(%o, %c : tensor<2xi64>, tensor<256xi32>) <kind = mask, axes = [0]> : !list -> tensor<2xi64>, tensor<256xi32>
  %i = pit.assemble %d#0, %d#1 : tensor<2xi64>, tensor<256xi32> -> !list
  %j = pit.assemble %p, %d#1 : tensor<9xi64>, tensor<256xi32> -> !parts
  %r = pit.tiled tile 4 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>}
      over(%i : !list) ins(%x : tensor<256xf32>) outs(%y : tensor<256xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    pit.yield %a : tensor<?xf32>
  } -> tensor<256xf32>
  %s = pit.tiled tile 4 {dims = [array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: false, false>}
      over(%j : !parts) ins(%x : tensor<256xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<f32>):
    %t = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
        ins(%a : tensor<?xf32>) outs(%b : tensor<f32>) {
    ^bb1(%v: f32, %acc: f32):
      %n = arith.addf %acc, %v : f32
      linalg.yield %n : f32
    } -> tensor<f32>
    pit.yield %t : tensor<f32>
  } -> tensor<8xf32>
  %count = tensor.extract %d#0[%c1] : tensor<2xi64>
  %first = tensor.extract %d#1[%c0] : tensor<256xi32>
  return %r, %s, %count, %first : tensor<256xf32>, tensor<8xf32>, i64, i32
}

// Where somebody else writes to it, each has a copy.
// CHECK-LABEL: func @shared_list_written(
// CHECK:         linalg.fill {{.*}} outs(%[[C:.*]] : memref<256xi32>)
// CHECK:         memref.copy %[[C]], %[[COPY:.*]] :
// CHECK:         %[[COORDS:.*]] = memref.cast %[[COPY]]
// CHECK:         pit.assemble %{{.*}}, %[[COORDS]]
// CHECK:         memref.copy %[[C]], %[[COPY:.*]] :
// CHECK:         %[[COORDS:.*]] = memref.cast %[[COPY]]
// CHECK:         pit.assemble %{{.*}}, %[[COORDS]] {{.*}}<[256, 8]
// CHECK:         memref.store %{{.*}}, %[[C]]
func.func @shared_list_written(%p: tensor<2xi64> {bufferization.writable = false}, %q: tensor<9xi64> {bufferization.writable = false}, %x: tensor<256xf32>)
    -> (tensor<256xf32>, tensor<256xf32>, i32) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %e = bufferization.alloc_tensor() : tensor<256xi32>
  %c = linalg.fill ins(%seven : i32) outs(%e : tensor<256xi32>) -> tensor<256xi32>
  %i = pit.assemble %p, %c : tensor<2xi64>, tensor<256xi32> -> !list
  %j = pit.assemble %q, %c : tensor<9xi64>, tensor<256xi32> -> !parts
  %w = tensor.insert %seven into %c[%c0] : tensor<256xi32>
  %y = bufferization.alloc_tensor() : tensor<256xf32>
  %r = pit.tiled tile 4 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>}
      over(%i : !list) ins(%x : tensor<256xf32>) outs(%y : tensor<256xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    pit.yield %a : tensor<?xf32>
  } -> tensor<256xf32>
  %z = bufferization.alloc_tensor() : tensor<256xf32>
  %s = pit.tiled tile 4 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: false, true>}
      over(%j : !parts) ins(%x : tensor<256xf32>) outs(%z : tensor<256xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    pit.yield %a : tensor<?xf32>
  } -> tensor<256xf32>
  %first = tensor.extract %w[%c0] : tensor<256xi32>
  return %r, %s, %first : tensor<256xf32>, tensor<256xf32>, i32
}

// An index that leaves the function has a copy of its own; the other one has the list itself.
// CHECK-LABEL: func @shared_list_leaves(
// CHECK:         linalg.fill {{.*}} outs(%[[C:.*]] : memref<256xi32>)
// CHECK-NOT:     memref.copy
// CHECK:         %[[COORDS:.*]] = memref.cast %[[C]]
// CHECK:         pit.assemble %{{.*}}, %[[COORDS]]
// CHECK:         memref.copy %[[C]], %[[COPY:.*]] :
// CHECK:         %[[COORDS:.*]] = memref.cast %[[COPY]]
// CHECK:         %[[J:.*]] = pit.assemble %{{.*}}, %[[COORDS]] {{.*}}<[256, 8]
// CHECK:         return %{{.*}}, %[[J]]
func.func @shared_list_leaves(%p: tensor<2xi64> {bufferization.writable = false}, %q: tensor<9xi64>, %x: tensor<256xf32>, %y: tensor<256xf32>)
    -> (tensor<256xf32>, !parts) {
  %seven = arith.constant 7 : i32
  %e = bufferization.alloc_tensor() : tensor<256xi32>
  %c = linalg.fill ins(%seven : i32) outs(%e : tensor<256xi32>) -> tensor<256xi32>
  %i = pit.assemble %p, %c : tensor<2xi64>, tensor<256xi32> -> !list
  %j = pit.assemble %q, %c : tensor<9xi64>, tensor<256xi32> -> !parts
  %r = pit.tiled tile 4 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>}
      over(%i : !list) ins(%x : tensor<256xf32>) outs(%y : tensor<256xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    pit.yield %a : tensor<?xf32>
  } -> tensor<256xf32>
  return %r, %j : tensor<256xf32>, !parts
}
