// RUN: pit-opt %s | pit-opt | FileCheck %s

// Positions of all sequences one after another, with micro-tiles of one position, said or not.
!flat = !pit.index<[32], coordinate = 0, tile = [1], width = 32>
// CHECK-LABEL: func @said
// CHECK: pit.detect by(%{{.*}} : tensor<4xi64>) <kind = lengths, axes = [0, 1]
func.func @said(%lengths: tensor<4xi64>) -> !flat {
  %i = pit.detect by(%lengths : tensor<4xi64>) <kind = lengths, axes = [0, 1], tile = [1, 1]> : !flat
  return %i : !flat
}

// CHECK-LABEL: func @not_said
// CHECK: pit.detect by(%{{.*}} : tensor<4xi64>) <kind = lengths, axes = [0, 1]
func.func @not_said(%lengths: tensor<4xi64>) -> !flat {
  %i = pit.detect by(%lengths : tensor<4xi64>) <kind = lengths, axes = [0, 1]> : !flat
  return %i : !flat
}
