// RUN: pit-opt %s --pit-check-lists --split-input-file --verify-diagnostics

!four = !pit.index<[2, 4], coordinate = 1, tile = [1, 1], width = 32>
func.func @beyond() -> !four {
  %offsets = arith.constant dense<[0, 1, 2]> : tensor<3xi64>
  %coords = arith.constant dense<[1, 4]> : tensor<2xi32>
  // expected-error @below {{the list of segment 1 does not ascend, or leaves its bounds}}
  %i = pit.assemble %offsets, %coords : tensor<3xi64>, tensor<2xi32> -> !four
  return %i : !four
}

// -----

!four = !pit.index<[2, 4], coordinate = 1, tile = [1, 1], width = 32>
func.func @too_many() -> !four {
  %offsets = arith.constant dense<[0, 1, 90000]> : tensor<3xi64>
  %coords = arith.constant dense<[1, 3]> : tensor<2xi32>
  // expected-error @below {{offsets do not ascend up to the number of coordinates}}
  %i = pit.assemble %offsets, %coords : tensor<3xi64>, tensor<2xi32> -> !four
  return %i : !four
}

// -----

!four = !pit.index<[2, 4], coordinate = 1, tile = [1, 1], width = 32>
func.func @segments() -> !four {
  %offsets = arith.constant dense<[0, 1]> : tensor<2xi64>
  %coords = arith.constant dense<[1, 3]> : tensor<2xi32>
  // expected-error @below {{got 2 offsets for 2 segments}}
  %i = pit.assemble %offsets, %coords : tensor<2xi64>, tensor<2xi32> -> !four
  return %i : !four
}

// -----

// The index names more rows than there are.
!four = !pit.index<[4], coordinate = 0, tile = [1], width = 32>
func.func @rows(%x: tensor<2x8xf32>, %offsets: tensor<2xi64>, %coords: tensor<?xi32>, %n: index) -> tensor<?x8xf32> {
  %i = pit.assemble %offsets, %coords : tensor<2xi64>, tensor<?xi32> -> !four
  // expected-error @below {{follows an index of 4 elements along dimension 0 into 2}}
  %r = pit.sread %x[%i] sizes(%n) dims = [0] : tensor<2x8xf32>, !four -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
