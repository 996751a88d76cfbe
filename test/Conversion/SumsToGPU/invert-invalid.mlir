// RUN: pit-opt %s -convert-invert-to-gpu --split-input-file --verify-diagnostics

!i = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
func.func @tensors(%i: !i, %o: tensor<17xi64>, %c: tensor<32xi32>) -> (tensor<17xi64>, tensor<32xi32>) {
  // expected-error @below {{works on tensors; bufferize before converting to GPU kernels}}
  %l:2 = pit.invert_into %i outs(%o, %c : tensor<17xi64>, tensor<32xi32>) : !i -> tensor<17xi64>, tensor<32xi32>
  return %l#0, %l#1 : tensor<17xi64>, tensor<32xi32>
}

// -----

!i = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
func.func @nested(%fo: memref<9xi64>, %fc: memref<32xi32>, %o: memref<17xi64>, %c: memref<32xi32>, %cond: i1) {
  %i = pit.assemble %fo, %fc : memref<9xi64>, memref<32xi32> -> !b
  scf.if %cond {
    // expected-error @below {{is not at the top level of its function, from which kernels are launched}}
    pit.invert_into %i outs(%o, %c : memref<17xi64>, memref<32xi32>) : !b
  }
  return
}

// -----

!i = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
func.func @whole(%i: !pit.index_buffer<!i>, %o: memref<17xi64>, %c: memref<32xi32>) {
  // expected-error @below {{inverts an index that was not put together from contiguous lists}}
  pit.invert_into %i outs(%o, %c : memref<17xi64>, memref<32xi32>) : !pit.index_buffer<!i>
  return
}

// -----

!i = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
func.func @strided(%fo: memref<9xi64>, %fc: memref<32xi32>, %o: memref<17xi64>, %c: memref<32xi32, strided<[2]>>) {
  %i = pit.assemble %fo, %fc : memref<9xi64>, memref<32xi32> -> !b
  // expected-error @below {{; it must be contiguous}}
  pit.invert_into %i outs(%o, %c : memref<17xi64>, memref<32xi32, strided<[2]>>) : !b
  return
}
