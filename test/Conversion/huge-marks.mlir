// Marks whose capacity would overflow are refused before an index is built.
// RUN: pit-opt %s --convert-linalg-to-pit --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --pit-tile-rules --split-input-file --verify-diagnostics -o /dev/null

func.func @tile(%x: tensor<?x8xf32>, %m: tensor<?xi1>) -> tensor<?x8xf32> {
  // expected-error @below {{'pit.sparse' op lists 2^56 points or more, in whole micro-tiles}}
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0], tile = [9223372036854775807]> : tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// -----

func.func @bound(%x: tensor<4x?xf32>, %m: tensor<4x?xf32>) -> tensor<4x?xf32> {
  // expected-error @below {{'pit.sparse' op lists 2^56 points or more, in whole micro-tiles}}
  %s = pit.sparse %x by(%m : tensor<4x?xf32>) <kind = routing, axes = [0, 1], at_most = 4611686018427387904> : tensor<4x?xf32>
  return %s : tensor<4x?xf32>
}

// -----

func.func @bound_of_tiles(%x: tensor<4x?xf32>, %m: tensor<4x?xf32>) -> tensor<4x?xf32> {
  // expected-error @below {{'pit.sparse' op lists 2^56 points or more, in whole micro-tiles}}
  %s = pit.sparse %x by(%m : tensor<4x?xf32>) <kind = routing, axes = [0, 1], tile = [1, 1048576], at_most = 17179869184> : tensor<4x?xf32>
  return %s : tensor<4x?xf32>
}

// -----

func.func @fits(%x: tensor<4x?xf32>, %m: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %s = pit.sparse %x by(%m : tensor<4x?xf32>) <kind = routing, axes = [0, 1], tile = [1, 1048576], at_most = 1048576> : tensor<4x?xf32>
  return %s : tensor<4x?xf32>
}
