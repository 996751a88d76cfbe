// RUN: pit-opt %s -split-input-file -verify-diagnostics

!wide = !pit.index<[16, 8], coordinate = 0, tile = [4, 1], width = 32>
!inverse = !pit.index<[16, 32], coordinate = 1, tile = [1, 1], width = 32>
func.func @f(%i: !wide) {
  // expected-error @below {{V1: micro-tiles must be single elements, got}}
  %v = pit.invert %i : !wide -> !inverse
  return
}

// -----

!gate = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
!other = !pit.index<[16, 32], coordinate = 0, tile = [1, 1], width = 32>
func.func @f(%i: !gate) {
  // expected-error @below {{V2: the result must list single elements along the second of two dimensions}}
  %v = pit.invert %i : !gate -> !other
  return
}

// -----

!gate = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
!inverse = !pit.index<[8, 32], coordinate = 1, tile = [1, 1], width = 32>
func.func @f(%i: !gate) {
  // expected-error @below {{V2: the coordinate of the source has extent 16, the result has 8 segments}}
  %v = pit.invert %i : !gate -> !inverse
  return
}

// -----

!gate = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!inverse = !pit.index<[?, 32], coordinate = 1, tile = [1, 1], width = 32>
func.func @f(%i: !gate) {
  // expected-error @below {{V3: got 0 extents for 1 dynamic extents of the result}}
  %v = pit.invert %i : !gate -> !inverse
  return
}

// -----

!wide = !pit.index<[16, 8], coordinate = 0, tile = [4, 1], width = 32>
func.func @f(%i: !wide, %o: tensor<5xi64>, %c: tensor<?xi32>) {
  // expected-error @below {{V1: micro-tiles must be single elements, got}}
  %l:2 = pit.invert_into %i outs(%o, %c : tensor<5xi64>, tensor<?xi32>) : !wide -> tensor<5xi64>, tensor<?xi32>
  return
}

// -----

!gate = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
func.func @f(%i: !gate, %o: tensor<16xi64>, %c: tensor<?xi32>) {
  // expected-error @below {{V4: 16 coordinates need 17 offsets, got 16}}
  %l:2 = pit.invert_into %i outs(%o, %c : tensor<16xi64>, tensor<?xi32>) : !gate -> tensor<16xi64>, tensor<?xi32>
  return
}

// -----

!gate = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
func.func @f(%i: !gate, %o: memref<17xi64>, %c: memref<?xi32>) {
  // expected-error @below {{V5: mixes tensors and buffers}}
  pit.invert_into %i outs(%o, %c : memref<17xi64>, memref<?xi32>) : !gate
  return
}

// -----

!gate = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
func.func @f(%i: !gate, %o: tensor<17xi64>, %c: tensor<?xi32>) {
  // expected-error @below {{V5: gives results for tensors, and none for buffers}}
  pit.invert_into %i outs(%o, %c : tensor<17xi64>, tensor<?xi32>) : !gate
  return
}
