// A mark loses axes of extent 1 that its pattern does not have, as ops do.
// RUN: pit-opt %s --pit-normalize -split-input-file | FileCheck %s

// CHECK-LABEL: func @one_head(
// CHECK: pit.sparse %{{.*}} by(%{{.*}} : tensor<256x128xi1>) <kind = mask, axes = [0, 1], absent = neg_inf, tile = [32, 32]> : tensor<256x128xf32>
func.func @one_head(%x: tensor<1x256x1x128xf32>, %m: tensor<256x128xi1>) -> tensor<1x256x1x128xf32> {
  %s = pit.sparse %x by(%m : tensor<256x128xi1>) <kind = mask, axes = [1, 3], absent = neg_inf, tile = [32, 32]> : tensor<1x256x1x128xf32>
  return %s : tensor<1x256x1x128xf32>
}

// -----

// One sequence is an axis of its lengths.
// CHECK-LABEL: func @one_sequence(
// CHECK: pit.sparse %{{.*}} by(%{{.*}} : tensor<1xi64>) <kind = lengths, axes = [0, 1]> : tensor<1x?x8xf32>
func.func @one_sequence(%x: tensor<1x?x8xf32>, %l: tensor<1xi64>) -> tensor<1x?x8xf32> {
  %s = pit.sparse %x by(%l : tensor<1xi64>) <kind = lengths, axes = [0, 1]> : tensor<1x?x8xf32>
  return %s : tensor<1x?x8xf32>
}
