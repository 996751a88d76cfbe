// RUN: pit-opt %s --split-input-file --verify-diagnostics

!i = !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>
func.func @source(%x: memref<4x8xf32>, %o: memref<9xi64>, %c: memref<32xi32>) {
  // expected-error @below {{D1: a values pattern takes 'values', any other kind takes 'by'}}
  pit.detect_into by(%x : memref<4x8xf32>) outs(%o, %c : memref<9xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1]> : !i
  return
}

// -----

!i = !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>
func.func @extents(%x: memref<4x9xf32>, %o: memref<9xi64>, %c: memref<32xi32>) {
  // expected-error @below {{D2: axis 1 of 'memref<4x9xf32>' does not fit extent 1 of the index}}
  pit.detect_into values(%x : memref<4x9xf32>) outs(%o, %c : memref<9xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1]> : !i
  return
}

// -----

!i = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
func.func @dynamic(%x: memref<?x8xf32>, %o: memref<9xi64>, %c: memref<32xi32>) {
  // expected-error @below {{D3: got 0 extents for 1 dynamic extents of the index}}
  pit.detect_into values(%x : memref<?x8xf32>) outs(%o, %c : memref<9xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1]> : !i
  return
}

// -----

!i = !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 64>
func.func @width(%x: memref<4x8xf32>, %o: memref<9xi64>, %c: memref<32xi32>) {
  // expected-error @below {{D4: the index has coordinates of 64 bits, the list is 'memref<32xi32>'}}
  pit.detect_into values(%x : memref<4x8xf32>) outs(%o, %c : memref<9xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1]> : !i
  return
}

// -----

!i = !pit.index<[4, 9], coordinate = 0, tile = [1, 2], width = 32>
func.func @offsets(%x: memref<4x9xf32>, %o: memref<5xi64>, %c: memref<32xi32>) {
  // expected-error @below {{D4: 5 segments need 6 offsets, got 5}}
  pit.detect_into values(%x : memref<4x9xf32>) outs(%o, %c : memref<5xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1], tile = [1, 2]> : !i
  return
}

// -----

!i = !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>
func.func @mixed(%x: tensor<4x8xf32>, %o: memref<9xi64>, %c: memref<32xi32>) {
  // expected-error @below {{D5: mixes tensors and buffers}}
  pit.detect_into values(%x : tensor<4x8xf32>) outs(%o, %c : memref<9xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1]> : !i
  return
}

// -----

!i = !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>
func.func @results(%x: tensor<4x8xf32>, %o: tensor<9xi64>, %c: tensor<32xi32>) {
  // expected-error @below {{expected the number of tensor results (0) to be equal to the number of output tensors (2)}}
  pit.detect_into values(%x : tensor<4x8xf32>) outs(%o, %c : tensor<9xi64>, tensor<32xi32>)
    <kind = values, axes = [0, 1]> : !i
  return
}
