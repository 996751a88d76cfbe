// RUN: pit-opt %s --transform-interpreter --verify-diagnostics

!idx = !pit.index<[?], coordinate = 0, tile = [1], width = 32>

func.func @listed(%i: !idx, %p: tensor<?x32xf32>, %y: tensor<?x32xf32>) -> tensor<?x32xf32> {
  // expected-error @below {{cannot be cut along axis 0, which its index lists or a subscript is computed from}}
  // expected-error @below {{to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %r = pit.swrite %p into %y[%i] store dims = [0] : tensor<?x32xf32>, tensor<?x32xf32>, !idx
  return %r : tensor<?x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pit.swrite"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
