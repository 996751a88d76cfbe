// RUN: pit-opt %s --split-input-file --verify-diagnostics

func.func @unknown(%x: tensor<?xf32>, %words: tensor<?xi32>, %rank: index) -> tensor<?xf32> {
  // expected-error @below {{P1: the number of pieces is not known, or 0}}
  %all = pit.await_pieces %x arrived(%words) own(%rank) : tensor<?xf32>, tensor<?xi32> -> tensor<?xf32>
  return %all : tensor<?xf32>
}

// -----

func.func @scalar(%x: memref<f32>, %words: memref<2xi32>, %rank: index) {
  // expected-error @below {{P1: a scalar has no pieces}}
  pit.await_pieces %x arrived(%words) own(%rank) : memref<f32>, memref<2xi32>
  return
}

// -----

func.func @odd(%x: tensor<7x4xf32>, %words: tensor<2xi32>, %rank: index) -> tensor<7x4xf32> {
  // expected-error @below {{P1: 7 rows are not 2 pieces of equal size}}
  %all = pit.await_pieces %x arrived(%words) own(%rank) : tensor<7x4xf32>, tensor<2xi32> -> tensor<7x4xf32>
  return %all : tensor<7x4xf32>
}

// -----

func.func @resultless(%x: tensor<6x4xf32>, %words: tensor<2xi32>, %rank: index) {
  // expected-error @below {{P2: tensors have a result of the type of the source, buffers have none}}
  pit.await_pieces %x arrived(%words) own(%rank) : tensor<6x4xf32>, tensor<2xi32>
  return
}

// -----

func.func @mixed(%x: memref<6x4xf32>, %words: tensor<2xi32>, %rank: index) {
  // expected-error @below {{P2: tensors have a result of the type of the source, buffers have none}}
  pit.await_pieces %x arrived(%words) own(%rank) : memref<6x4xf32>, tensor<2xi32>
  return
}
