// RUN: pit-opt %s -convert-linalg-to-gpu -split-input-file -verify-diagnostics

func.func @unbounded(%n: memref<1xindex>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-note @+1 {{the size is computed here}}
    %size = memref.load %n[%c0] : memref<1xindex>
    // expected-error @+1 {{needs a buffer in a kernel, of a size that the host can bound}}
    %tile = memref.alloc(%size) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%tile : memref<?xf32>)
  }
  return
}

// -----

// Nor can it bound a dimension of what depends on it, or the offset of a view.
func.func @unbounded_dimension(%n: memref<1xindex>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %count = memref.load %n[%c0] : memref<1xindex>
  scf.for %i = %c0 to %count step %c1 {
    %part = memref.subview %x[%i] [%count] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    // expected-note @+1 {{the size is computed here}}
    %size = memref.dim %part, %c0 : memref<?xf32, strided<[1], offset: ?>>
    // expected-error @+1 {{needs a buffer in a kernel, of a size that the host can bound}}
    %tile = memref.alloc(%size) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%tile : memref<?xf32>)
    memref.dealloc %tile : memref<?xf32>
  }
  return
}

// -----

func.func @unbounded_offset(%n: memref<1xindex>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %count = memref.load %n[%c0] : memref<1xindex>
  scf.for %i = %c0 to %count step %c1 {
    %part = memref.subview %x[%count] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
    // expected-note @+1 {{the size is computed here}}
    %base, %offset, %sizes, %strides = memref.extract_strided_metadata %part
      : memref<4xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
    // expected-error @+1 {{needs a buffer in a kernel, of a size that the host can bound}}
    %tile = memref.alloc(%offset) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%tile : memref<?xf32>)
    memref.dealloc %tile : memref<?xf32>
  }
  return
}

// -----

func.func @scalar_result(%x: memref<1xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{a result is a scalar that the device computes}}
  %v = memref.load %x[%c0] : memref<1xf32>
  return %v : f32
}

// -----

func.func private @other(memref<1xf32>)

func.func @call(%x: memref<1xf32>) {
  // expected-error @+1 {{calls 'other', which is no function of the device}}
  func.call @other(%x) : (memref<1xf32>) -> ()
  return
}

// -----

func.func @tensors(%x: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  // expected-error @+1 {{works on tensors; bufferize}}
  %y = linalg.fill ins(%v : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

module attributes {gpu.container_module} {
  func.func @scalar_across_launch(%a: memref<8xf32>, %b: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.load %a[%c0] : memref<8xf32>
    // expected-error @+1 {{stands between a scalar that the device computes and its use}}
    gpu.launch_func @kernels::@other blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    memref.store %v, %b[%c0] : memref<8xf32>
    return
  }
  gpu.module @kernels {
    gpu.func @other() kernel {
      gpu.return
    }
  }
}
