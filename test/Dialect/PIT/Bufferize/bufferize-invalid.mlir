// RUN: pit-opt %s --one-shot-bufferize="bufferize-function-boundaries" --split-input-file --verify-diagnostics

!idx = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

func.func @whole(%i: !idx, %x: tensor<?x8xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @below {{covers a whole tensor, which has no buffer form; run --pit-tile-rules and --pit-expand-tiles first}}
  // expected-error @below {{failed to bufferize op}}
  %p = pit.sread %x[%i] sizes(%n) dims = [0, 1] : tensor<?x8xf32>, !idx -> tensor<?xf32>
  return %p : tensor<?xf32>
}
