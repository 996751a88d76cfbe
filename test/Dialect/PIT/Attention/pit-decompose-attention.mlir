// Attention as the ops of its formula.
// RUN: pit-opt %s --pit-decompose-attention | FileCheck %s
// RUN: pit-opt %s --pit-decompose-attention=keep-for-kernels | FileCheck %s --check-prefix=KEEP

#q = affine_map<(h, i, j, e, f) -> (h, i, e)>
#k = affine_map<(h, i, j, e, f) -> (h, j, e)>
#kt = affine_map<(h, i, j, e, f) -> (h, e, j)>
#v = affine_map<(h, i, j, e, f) -> (h, j, f)>
#o = affine_map<(h, i, j, e, f) -> (h, i, f)>
#l = affine_map<(h, i, j, e, f) -> (j)>

// Scores in f32, logits, their largest, weights, their sum, rounded weights, the product, the quotient.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[SCORES:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 :
// CHECK: %[[LOGITS:.*]] = linalg.generic {{.*}} ins(%[[SCORES]], %arg3 :
// CHECK: %[[J:.*]] = linalg.index 2
// CHECK: arith.cmpi ule, %[[J]], %{{.*}} : index
// CHECK: %[[TOP:.*]] = linalg.generic {{.*}} ins(%[[LOGITS]] :
// CHECK: arith.maximumf
// CHECK: %[[WEIGHTS:.*]] = linalg.generic {{.*}} ins(%[[LOGITS]], %[[TOP]] :
// CHECK: math.exp
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[WEIGHTS]] :
// There may be no keys.
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] :
// CHECK: arith.cmpf oeq
// CHECK: %[[ROUNDED:.*]] = linalg.generic {{.*}} ins(%[[WEIGHTS]] :
// CHECK: arith.truncf
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} ins(%[[ROUNDED]], %arg2 :
// CHECK: linalg.generic {{.*}} ins(%[[PRODUCT]], %[[SUM]] : {{.*}}) outs(%arg4 :
// CHECK: arith.divf
// KEEP-LABEL: func.func @dynamic
// KEEP: pit.attend
func.func @dynamic(%q: tensor<?x?x16xbf16>, %k: tensor<?x?x16xbf16>, %v: tensor<?x?x32xbf16>, %bias: tensor<?xf32>,
                   %init: tensor<?x?x32xbf16>) -> tensor<?x?x32xbf16> {
  %o = pit.attend ins(%q, %k, %v : tensor<?x?x16xbf16>, tensor<?x?x16xbf16>, tensor<?x?x32xbf16>) modifiers(%bias : tensor<?xf32>)
      outs(%init : tensor<?x?x32xbf16>) maps [#q, #k, #v, #l, #o] {
    ^bb0(%score: f32, %b: f32, %h: index, %i: index, %j: index):
      %dead = arith.constant 0xFF800000 : f32
      %sum = arith.addf %score, %b : f32
      %earlier = arith.cmpi ule, %j, %i : index
      %logit = arith.select %earlier, %sum, %dead : f32
      pit.logit %logit : f32
  } -> tensor<?x?x32xbf16>
  return %o : tensor<?x?x32xbf16>
}

// Keys that do not lie in memory as rows have no kernel, nor have ops in loops.
// CHECK-LABEL: func.func @none
// CHECK-NOT: pit.attend
// KEEP-LABEL: func.func @none
// KEEP-NOT: pit.attend
func.func @none(%q: tensor<2x8x16xf16>, %k: tensor<2x16x8xf16>, %k1: tensor<2x8x16xf16>, %v: tensor<2x8x16xf16>, %n: index) -> tensor<2x8x16xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = tensor.empty() : tensor<2x8x16xf16>
  %a = pit.attend ins(%q, %k, %v : tensor<2x8x16xf16>, tensor<2x16x8xf16>, tensor<2x8x16xf16>)
      outs(%init : tensor<2x8x16xf16>) maps [#q, #kt, #v, #o] {
    ^bb0(%score: f32, %h: index, %i: index, %j: index):
      pit.logit %score : f32
  } -> tensor<2x8x16xf16>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<2x8x16xf16> {
    %b = pit.attend ins(%x, %k1, %v : tensor<2x8x16xf16>, tensor<2x8x16xf16>, tensor<2x8x16xf16>)
        outs(%init : tensor<2x8x16xf16>) maps [#q, #k, #v, #o] {
      ^bb0(%score: f32, %h: index, %i: index, %j: index):
        pit.logit %score : f32
    } -> tensor<2x8x16xf16>
    scf.yield %b : tensor<2x8x16xf16>
  }
  return %r : tensor<2x8x16xf16>
}

// A sink is what the largest starts from, and its weight what the sum starts from.
// KEEP-LABEL: func.func @sink
// KEEP: pit.attend
// CHECK-LABEL: func.func @sink
// CHECK: %[[SINKS:.*]] = linalg.generic {{.*}} ins(%arg3 : tensor<2xf32>) outs(%{{.*}} : tensor<2x8xf32>)
// CHECK: arith.addf
// CHECK: %[[TOP:.*]] = linalg.generic {{.*}} outs(%[[SINKS]] :
// CHECK: arith.maximumf
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[SINKS]], %[[TOP]] :
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} outs(%[[START]] :
// CHECK: arith.addf
func.func @sink(%q: tensor<2x8x16xbf16>, %k: tensor<2x12x16xbf16>, %v: tensor<2x12x32xbf16>, %s: tensor<2xf32>, %init: tensor<2x8x32xf32>) -> tensor<2x8x32xf32> {
  %o = pit.attend ins(%q, %k, %v : tensor<2x8x16xbf16>, tensor<2x12x16xbf16>, tensor<2x12x32xbf16>) modifiers(%s : tensor<2xf32>)
      outs(%init : tensor<2x8x32xf32>) maps [#q, #k, #v, affine_map<(h, i, j, e, f) -> (h)>, #o] {
    ^bb0(%score: f32, %of_head: f32, %h: index, %i: index, %j: index):
      %sink = arith.addf %of_head, %of_head : f32
      pit.logit %score sink %sink : f32, f32
  } -> tensor<2x8x32xf32>
  return %o : tensor<2x8x32xf32>
}
