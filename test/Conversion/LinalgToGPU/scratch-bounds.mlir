// What a buffer in a kernel needs at most, where its sizes are dimensions of other buffers.
// RUN: pit-opt %s -convert-linalg-to-gpu | FileCheck %s

// Of an argument, asked for in the loop.
// CHECK-LABEL: func.func @argument(
// CHECK-SAME: %[[X:[^:]*]]: memref<?x9xf32>
// CHECK: %[[ROWS:.*]] = memref.dim %[[X]], %{{.*}} : memref<?x9xf32>
// CHECK: memref.alloc(%[[ROWS]]) : memref<?xf32>
// CHECK: gpu.launch
// CHECK-NOT: memref.alloc
func.func @argument(%n: memref<1xindex>, %x: memref<?x9xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %count = memref.load %n[%c0] : memref<1xindex>
  scf.for %i = %c0 to %count step %c1 {
    %rows = memref.dim %x, %c0 : memref<?x9xf32>
    %tile = memref.alloc(%rows) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%tile : memref<?xf32>)
    memref.dealloc %tile : memref<?xf32>
  }
  return
}

// Of a view, without the dimension that it drops; of a cast of it; of two dimensions in one; of one in two.
// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[X:[^:]*]]: memref<4x?x9xf32>
// CHECK: memref.alloc(%c7{{[_0-9]*}}) : memref<?xf32>
// CHECK: %[[ROWS:.*]] = arith.muli %c1{{[_0-9]*}}, %c7{{[_0-9]*}} : index
// CHECK: %[[ALL:.*]] = arith.muli %[[ROWS]], %c9{{[_0-9]*}} : index
// CHECK: memref.alloc(%[[ALL]]) : memref<?xf32>
// CHECK: memref.alloc(%c7{{[_0-9]*}}) : memref<?xf32>
// CHECK: gpu.launch
// CHECK-NOT: memref.alloc
func.func @views(%n: memref<1xindex>, %x: memref<4x?x9xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %count = memref.load %n[%c0] : memref<1xindex>
  scf.for %i = %c0 to %count step %c1 {
    %size = arith.minui %i, %c7 : index
    %part = memref.subview %x[%i, 0, 0] [1, %size, 9] [1, 1, 1]
      : memref<4x?x9xf32> to memref<?x9xf32, strided<[9, 1], offset: ?>>
    %cast = memref.cast %part : memref<?x9xf32, strided<[9, 1], offset: ?>> to memref<?x9xf32, strided<[?, 1], offset: ?>>
    %rows = memref.dim %cast, %c0 : memref<?x9xf32, strided<[?, 1], offset: ?>>
    %one = memref.alloc(%rows) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%one : memref<?xf32>)
    %flat = memref.collapse_shape %part [[0, 1]]
      : memref<?x9xf32, strided<[9, 1], offset: ?>> into memref<?xf32, strided<[1], offset: ?>>
    %elements = memref.dim %flat, %c0 : memref<?xf32, strided<[1], offset: ?>>
    %two = memref.alloc(%elements) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%two : memref<?xf32>)
    %rows_of_one = memref.dim %one, %c0 : memref<?xf32>
    %expanded = memref.expand_shape %one [[0, 1]] output_shape [1, %rows_of_one] : memref<?xf32> into memref<1x?xf32>
    %columns = memref.dim %expanded, %c1 : memref<1x?xf32>
    %three = memref.alloc(%columns) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%three : memref<?xf32>)
    memref.dealloc %three : memref<?xf32>
    memref.dealloc %two : memref<?xf32>
    memref.dealloc %one : memref<?xf32>
  }
  return
}

// Of a view that its parts make.
// CHECK-LABEL: func.func @parts(
// CHECK-COUNT-2: memref.alloc(%c5{{[_0-9]*}}) : memref<?xf32>
// CHECK: memref.alloc(%c6{{[_0-9]*}}) : memref<?xf32>
// CHECK: gpu.launch
// CHECK-NOT: memref.alloc
func.func @parts(%n: memref<1xindex>, %x: memref<64xf32>, %bytes: memref<256xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %count = memref.load %n[%c0] : memref<1xindex>
  scf.for %i = %c0 to %count step %c1 {
    %size = arith.minui %i, %c5 : index
    %part = memref.reinterpret_cast %x to offset: [%i], sizes: [%size], strides: [1]
      : memref<64xf32> to memref<?xf32, strided<[1], offset: ?>>
    %rows = memref.dim %part, %c0 : memref<?xf32, strided<[1], offset: ?>>
    %one = memref.alloc(%rows) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%one : memref<?xf32>)
    %base, %offset, %sizes, %strides = memref.extract_strided_metadata %part
      : memref<?xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
    %two = memref.alloc(%sizes) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%two : memref<?xf32>)
    %few = arith.minui %i, %c6 : index
    %view = memref.view %bytes[%i][%few] : memref<256xi8> to memref<?xf32>
    %words = memref.dim %view, %c0 : memref<?xf32>
    %three = memref.alloc(%words) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%three : memref<?xf32>)
    memref.dealloc %three : memref<?xf32>
    memref.dealloc %two : memref<?xf32>
    memref.dealloc %one : memref<?xf32>
  }
  return
}

// A view of unknown strides that drops one of several dimensions of size 1: the rows are bounded by 6, not by 5.
// CHECK-LABEL: func.func @dropped(
// CHECK-DAG: %[[FIVE:.*]] = arith.constant 5 : index
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : index
// CHECK: memref.alloc(%[[SIX]])
// CHECK: gpu.launch
func.func @dropped(%n: memref<1xindex>, %x: memref<1x?x1x1x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %count = memref.load %n[%c0] : memref<1xindex>
  scf.for %i = %c0 to %count step %c1 {
    %rows = arith.minui %i, %c6 : index
    %columns = arith.minui %i, %c5 : index
    %view = memref.subview %x[0, 0, 0, 0, 0] [1, %rows, 1, 1, %columns] [1, 1, 1, 1, 1]
      : memref<1x?x1x1x?xf32> to memref<1x?x1x?xf32, strided<[?, ?, ?, 1]>>
    %size = memref.dim %view, %c1 : memref<1x?x1x?xf32, strided<[?, ?, ?, 1]>>
    %one = memref.alloc(%size) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%one : memref<?xf32>)
    memref.dealloc %one : memref<?xf32>
  }
  return
}
