// RUN: pit-opt %s --convert-pieces-to-gpu --split-input-file --verify-diagnostics

func.func @tensors(%x: tensor<?x8xbf16>, %words: tensor<2xi32>, %rank: index) -> tensor<?x8xbf16> {
  // expected-error @below {{works on tensors; bufferize before converting to GPU kernels}}
  %all = pit.await_pieces %x arrived(%words) own(%rank) : tensor<?x8xbf16>, tensor<2xi32> -> tensor<?x8xbf16>
  return %all : tensor<?x8xbf16>
}

// -----

func.func @nested(%x: memref<6x8xf32>, %words: memref<3xi32>, %rank: index, %condition: i1) {
  scf.if %condition {
    // expected-error @below {{is not at the top level of its function, from which kernels are launched}}
    pit.await_pieces %x arrived(%words) own(%rank) : memref<6x8xf32>, memref<3xi32>
  }
  return
}
