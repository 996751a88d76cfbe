// Terms with gates of their own are added up one after another, each in place of the sum so far.
// RUN: pit-opt %s --split-input-file --pit-normalize | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @experts
// CHECK-SAME: %[[P0:[a-z0-9]*]]: tensor<64x32xf32>, %[[P1:[a-z0-9]*]]: tensor<64x32xf32>, %[[P2:[a-z0-9]*]]: tensor<64x32xf32>
// CHECK-DAG: %[[G0:.*]] = pit.sparse %{{.*}} <kind = values, axes = [0]> : tensor<64xf32>
// CHECK-DAG: %[[G1:.*]] = pit.sparse %{{.*}} <kind = values, axes = [0]> : tensor<64xf32>
// CHECK-DAG: %[[G2:.*]] = pit.sparse %{{.*}} <kind = values, axes = [0]> : tensor<64xf32>
// CHECK: %[[S0:.*]] = linalg.generic {{.*}} ins(%[[P0]], %[[G0]] :
// CHECK: %[[S1:.*]] = linalg.generic {{.*}} ins(%[[P1]], %[[G1]] : {{.*}} outs(%[[S0]] :
// CHECK: ^bb0(%[[P:.*]]: f32, %[[G:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK: %[[TERM:.*]] = arith.mulf %[[P]], %[[G]]
// CHECK: arith.addf %[[SUM]], %[[TERM]]
// CHECK: %[[S2:.*]] = linalg.generic {{.*}} ins(%[[P2]], %[[G2]] : {{.*}} outs(%[[S1]] :
// CHECK: return %[[S2]]
func.func @experts(%p0: tensor<64x32xf32>, %p1: tensor<64x32xf32>, %p2: tensor<64x32xf32>, %gate: tensor<64x8xf32>) -> tensor<64x32xf32> {
  %m = pit.sparse %gate <kind = values, axes = [0, 1], at_most = 2> : tensor<64x8xf32>
  %g0 = tensor.extract_slice %m[0, 0] [64, 1] [1, 1] : tensor<64x8xf32> to tensor<64xf32>
  %g1 = tensor.extract_slice %m[0, 1] [64, 1] [1, 1] : tensor<64x8xf32> to tensor<64xf32>
  %g2 = tensor.extract_slice %m[0, 2] [64, 1] [1, 1] : tensor<64x8xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64x32xf32>
  %c0 = arith.constant 0.0 : f32
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %t0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p0, %g0 : tensor<64x32xf32>, tensor<64xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x32xf32>
  %s0 = linalg.add ins(%z, %t0 : tensor<64x32xf32>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %t1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p1, %g1 : tensor<64x32xf32>, tensor<64xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x32xf32>
  %s1 = linalg.add ins(%s0, %t1 : tensor<64x32xf32>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %t2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p2, %g2 : tensor<64x32xf32>, tensor<64xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x32xf32>
  %s2 = linalg.add ins(%s1, %t2 : tensor<64x32xf32>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %s2 : tensor<64x32xf32>
}

// -----

// Who else reads the sum so far sees it: it stays. Terms of one gate are one op.
// CHECK-LABEL: func.func @others
// CHECK: pit.sparse
// CHECK: %[[S:.*]] = linalg.generic
// CHECK-NOT: linalg.generic {{.*}} outs(%[[S]] :
// CHECK: return %[[S]]
func.func @others(%x: tensor<64x32xf32>, %p: tensor<64x32xf32>, %q: tensor<64x32xf32>, %gate: tensor<64xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %g = pit.sparse %gate <kind = values, axes = [0]> : tensor<64xf32>
  %e = tensor.empty() : tensor<64x32xf32>
  %s = linalg.exp ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %p, %g : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %m = arith.mulf %b, %c : f32
    %r = arith.addf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<64x32xf32>
  return %s, %t : tensor<64x32xf32>, tensor<64x32xf32>
}
