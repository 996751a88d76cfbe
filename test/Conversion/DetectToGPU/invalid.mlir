// RUN: pit-opt %s -convert-detect-to-gpu --split-input-file --verify-diagnostics

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
func.func @tensors(%x: tensor<4x8xf32>, %o: tensor<5xi64>, %c: tensor<32xi32>) -> (tensor<5xi64>, tensor<32xi32>) {
  // expected-error @below {{works on tensors; bufferize before converting to GPU kernels}}
  %l:2 = pit.detect_into values(%x : tensor<4x8xf32>) outs(%o, %c : tensor<5xi64>, tensor<32xi32>)
    <kind = values, axes = [0, 1]> : !i -> tensor<5xi64>, tensor<32xi32>
  return %l#0, %l#1 : tensor<5xi64>, tensor<32xi32>
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
func.func @nested(%x: memref<4x8xf32>, %o: memref<5xi64>, %c: memref<32xi32>, %b: i1) {
  scf.if %b {
    // expected-error @below {{is not at the top level of its function, from which kernels are launched}}
    pit.detect_into values(%x : memref<4x8xf32>) outs(%o, %c : memref<5xi64>, memref<32xi32>)
      <kind = values, axes = [0, 1]> : !i
  }
  return
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
func.func @element(%x: memref<4x8xf8E4M3FN>, %o: memref<5xi64>, %c: memref<32xi32>) {
  // expected-error @below {{reads elements of type 'f8E4M3FN', which detection on the GPU does not know}}
  pit.detect_into values(%x : memref<4x8xf8E4M3FN>) outs(%o, %c : memref<5xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1]> : !i
  return
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
func.func @element_integer(%x: memref<4x8xi4>, %o: memref<5xi64>, %c: memref<32xi32>) {
  // expected-error @below {{reads elements of type 'i4', which detection on the GPU does not know}}
  pit.detect_into values(%x : memref<4x8xi4>) outs(%o, %c : memref<5xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1]> : !i
  return
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
func.func @lists(%x: memref<4x8xf32>, %o: memref<5xi64>, %c: memref<32xi32, strided<[2]>>) {
  // expected-error @below {{writes a list of type 'memref<32xi32, strided<[2]>>'; it must be contiguous}}
  pit.detect_into values(%x : memref<4x8xf32>) outs(%o, %c : memref<5xi64>, memref<32xi32, strided<[2]>>)
    <kind = values, axes = [0, 1]> : !i
  return
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
// expected-error @below {{has the name that the kernels of 'name' need}}
func.func private @name_kernels()
func.func @name(%x: memref<4x8xf32>, %o: memref<5xi64>, %c: memref<32xi32>) {
  pit.detect_into values(%x : memref<4x8xf32>) outs(%o, %c : memref<5xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1]> : !i
  return
}

// -----

!i = !pit.index<[64, 512], coordinate = 1, tile = [32, 64], width = 32>
func.func @bits(%x: memref<64x512xbf16>, %bits: memref<2xi32, strided<[2]>>) {
  // expected-error @below {{writes a list of type 'memref<2xi32, strided<[2]>>'; it must be contiguous}}
  pit.detect_bits_into values(%x : memref<64x512xbf16>) outs(%bits : memref<2xi32, strided<[2]>>)
    <kind = values, axes = [0, 1], tile = [32, 64]> : !i
  return
}

// -----

!i = !pit.index<[64, 512], coordinate = 1, tile = [32, 64], width = 32>
func.func @nested(%x: memref<64x512xbf16>, %bits: memref<2xi32>, %c: i1) {
  scf.if %c {
    // expected-error @below {{is not at the top level of its function, from which kernels are launched}}
    pit.detect_bits_into values(%x : memref<64x512xbf16>) outs(%bits : memref<2xi32>)
      <kind = values, axes = [0, 1], tile = [32, 64]> : !i
  }
  return
}
