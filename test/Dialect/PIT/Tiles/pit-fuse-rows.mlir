// RUN: pit-opt %s --pit-fuse-rows --canonicalize --cse | FileCheck %s
// RUN: pit-opt %s --pit-fuse-rows --remarks-filter=pit-fusion -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: [Missed] rows | Category:pit-fusion | Function=read_before | Op=pit.tiled, Reason="other ops read them before, or the two ops pack them differently", Remark="reads rows that the op at

!i = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// x - sum(x): the sum is no tensor any more, and x is one operand.
// CHECK-LABEL: func @centre
// CHECK: pit.tiled {{.*}} ins(%arg1 : tensor<64x8xf32>) outs(%{{.*}} : tensor<64x8xf32>) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<?x8xf32>, %{{.*}}: tensor<?x8xf32>):
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[X]]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[X]], %[[SUM]]
// CHECK-NOT: pit.tiled
func.func @centre(%i: !i, %x: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<64xf32>
  %sum = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, true>} over(%i : !i)
      ins(%x : tensor<64x8xf32>) outs(%e1 : tensor<64xf32>) {
  ^bb0(%a: tensor<?x8xf32>, %o: tensor<?xf32>):
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    %r = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<?x8xf32>) outs(%f : tensor<?xf32>) {
    ^bb0(%s: f32, %acc: f32):
      %n = arith.addf %acc, %s : f32
      linalg.yield %n : f32
    } -> tensor<?xf32>
    pit.yield %r : tensor<?xf32>
  } -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x8xf32>
  %d = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>, array<i64: 0>], packed = array<i1: true, true, true>}
      over(%i : !i) ins(%x, %sum : tensor<64x8xf32>, tensor<64xf32>) outs(%e2 : tensor<64x8xf32>) {
  ^bb0(%a: tensor<?x8xf32>, %b: tensor<?xf32>, %o: tensor<?x8xf32>):
    %r = linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : tensor<?x8xf32>, tensor<?xf32>) outs(%o : tensor<?x8xf32>) {
    ^bb0(%s: f32, %t: f32, %acc: f32):
      %n = arith.subf %s, %t : f32
      linalg.yield %n : f32
    } -> tensor<?x8xf32>
    pit.yield %r : tensor<?x8xf32>
  } -> tensor<64x8xf32>
  return %d : tensor<64x8xf32>
}

// A result that others read as well stays one; where they read it before, nothing is moved behind them.
// CHECK-LABEL: func @shared
// CHECK: %[[BOTH:.*]]:2 = pit.tiled {{.*}} outs(%{{.*}}, %{{.*}} : tensor<64xf32>, tensor<64xf32>)
// CHECK: return %[[BOTH]]#0, %[[BOTH]]#1
func.func @shared(%i: !i, %x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %a = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, true>} over(%i : !i)
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%s: tensor<?xf32>, %o: tensor<?xf32>):
    %r = linalg.exp ins(%s : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    pit.yield %r : tensor<?xf32>
  } -> tensor<64xf32>
  %b = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, true>} over(%i : !i)
      ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%s: tensor<?xf32>, %o: tensor<?xf32>):
    %r = linalg.negf ins(%s : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    pit.yield %r : tensor<?xf32>
  } -> tensor<64xf32>
  return %a, %b : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func @read_before
// CHECK: pit.tiled
// CHECK: arith.addf
// CHECK: pit.tiled
func.func @read_before(%i: !i, %x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %a = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, true>} over(%i : !i)
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%s: tensor<?xf32>, %o: tensor<?xf32>):
    %r = linalg.exp ins(%s : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    pit.yield %r : tensor<?xf32>
  } -> tensor<64xf32>
  %f = tensor.extract_slice %a[0] [64] [1] : tensor<64xf32> to tensor<64xf32>
  %c = arith.addf %f, %f : tensor<64xf32>
  %b = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>, array<i64: 0>], packed = array<i1: true, true, true>} over(%i : !i)
      ins(%a, %c : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%s: tensor<?xf32>, %t: tensor<?xf32>, %o: tensor<?xf32>):
    %r = linalg.add ins(%s, %t : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    pit.yield %r : tensor<?xf32>
  } -> tensor<64xf32>
  return %b : tensor<64xf32>
}
