// RUN: pit-opt %s --one-shot-bufferize="must-infer-memory-space" --split-input-file --verify-diagnostics

// Where bufferization cannot say in which memory space an operand lies, ops that read and write tiles are refused, whichever
// operand it is.

!idx = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// expected-error @below {{could not infer memory space}}
func.func @read(%i: !idx, %x: tensor<?x4xf32>, %lo: index, %n: index) -> tensor<?x4xf32> {
  // expected-error @below {{failed to bufferize op}}
  %r = pit.sread %x[%i] tile(%lo, %n) sizes(%n) dims = [0, -1] : tensor<?x4xf32>, !idx -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

!idx = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// expected-error @below {{could not infer memory space}}
func.func @written_source(%i: !idx, %p: tensor<?x4xf32>, %m: memref<?x4xf32>, %lo: index, %n: index) -> tensor<?x4xf32> {
  %x = bufferization.to_tensor %m restrict writable : memref<?x4xf32> to tensor<?x4xf32>
  // expected-error @below {{failed to bufferize op}}
  %r = pit.swrite %p into %x[%i] tile(%lo, %n) store dims = [0, -1] : tensor<?x4xf32>, tensor<?x4xf32>, !idx
  return %r : tensor<?x4xf32>
}

// -----

!idx = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// expected-error @below {{could not infer memory space}}
func.func @written_dest(%i: !idx, %x: tensor<?x4xf32>, %m: memref<?x4xf32>, %lo: index, %n: index) -> tensor<?x4xf32> {
  %p = bufferization.to_tensor %m restrict : memref<?x4xf32> to tensor<?x4xf32>
  // expected-error @below {{failed to bufferize op}}
  %r = pit.swrite %p into %x[%i] tile(%lo, %n) store dims = [0, -1] : tensor<?x4xf32>, tensor<?x4xf32>, !idx
  return %r : tensor<?x4xf32>
}
