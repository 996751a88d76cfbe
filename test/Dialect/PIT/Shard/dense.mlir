// RUN: pit-opt %s --split-input-file --pit-shard-experts=ranks=2 --canonicalize --cse | FileCheck %s
// RUN: pit-opt %s --split-input-file --pit-shard-experts="ranks=2 reduce=nccl" --canonicalize --cse | FileCheck %s --check-prefix=NCCL

// The second product has a part of k on each rank: its weights follow, and partial results are read where they are and
// added up in the order of ranks.
#id = affine_map<(a, b) -> (a, b)>
#col = affine_map<(a, b) -> (b)>
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[X:.*]]: tensor<16x32xf32>, %[[W1:.*]]: tensor<32x32xf32>, %[[B:.*]]: tensor<32xf32>, %[[W2:.*]]: tensor<32x32xf32>) -> tensor<16x32xf32>
// CHECK-SAME: pit.splits = {inputs = ["whole", "cut 1", "cut 0", "cut 0"], results = ["whole"]}
// CHECK: linalg.matmul ins(%[[X]], %[[W1]] : tensor<16x32xf32>, tensor<32x32xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[B]] : tensor<16x32xf32>, tensor<32xf32>)
// CHECK: %[[PART:.*]] = linalg.matmul ins(%{{.*}}, %[[W2]] :
// CHECK: %[[ALL:.*]] = shard.all_gather %[[PART]] on @ranks grid_axes = [0] gather_axis = 0 {pit.in_place} : tensor<16x32xf32> -> tensor<?x32xf32>
// CHECK: %[[DIM:.*]] = tensor.dim %[[ALL]]
// CHECK: %[[PITCH:.*]] = arith.divui %[[DIM]], %c2
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %[[ALL]][0, 0] [16, 32]
// CHECK: %[[SECOND:.*]] = tensor.extract_slice %[[ALL]][%[[PITCH]], 0] [16, 32]
// CHECK: linalg.generic {{.*}} ins(%[[FIRST]], %[[SECOND]] :
// NCCL-LABEL: func.func @columns(
// NCCL: %[[PART:.*]] = linalg.matmul ins(%{{.*}}, %arg3 :
// NCCL: %[[SUM:.*]] = shard.all_reduce %[[PART]] on @ranks grid_axes = [0] : tensor<16x32xf32> -> tensor<16x32xf32>
// NCCL: return %[[SUM]]
func.func @columns(%x: tensor<16x32xf32>, %w1: tensor<32x64xf32>, %bias: tensor<64xf32>, %w2: tensor<64x32xf32>) -> tensor<16x32xf32>
    attributes {pit.splits = {inputs = ["any", "cut 1", "any", "any"], results = ["any"]}} {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%z : tensor<16x64xf32>) -> tensor<16x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %bias : tensor<16x64xf32>, tensor<64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = math.tanh %s : f32
    linalg.yield %m : f32
  } -> tensor<16x64xf32>
  %e2 = tensor.empty() : tensor<16x32xf32>
  %z2 = linalg.fill ins(%c : f32) outs(%e2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %y = linalg.matmul ins(%r, %w2 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%z2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}

// -----

// Rows are cut: a gradient by weights adds up the sums of ranks, to what it starts from once; numbers of rows count from
// where the rank's part begins.
#id = affine_map<(a, b) -> (a, b)>
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: tensor<?x32xf32>, %[[DY:.*]]: tensor<?x16xf32>, %[[OLD:.*]]: tensor<32x16xf32>) -> (tensor<32x16xf32>, tensor<?x32xf32>)
// CHECK-SAME: pit.splits = {inputs = ["cut 0", "cut 0", "whole"], results = ["whole", "cut 0"]}
// CHECK: %[[PART:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[DY]] :
// CHECK: shard.all_gather %[[PART]] {{.*}} {pit.in_place}
// CHECK: linalg.generic {{.*}} ins(%[[OLD]], %{{.*}}, %{{.*}} : tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
// CHECK: %[[RANK:.*]] = shard.process_linear_index
// CHECK: %[[FIRST:.*]] = arith.muli %[[RANK]], %{{.*}} : index
// CHECK: linalg.generic
// CHECK: %[[NUMBER:.*]] = linalg.index 0
// CHECK: arith.addi %[[NUMBER]], %[[FIRST]]
func.func @rows(%x: tensor<?x32xf32>, %dy: tensor<?x16xf32>, %old: tensor<32x16xf32>) -> (tensor<32x16xf32>, tensor<?x32xf32>)
    attributes {pit.splits = {inputs = ["cut 0", "any", "whole"], results = ["whole", "any"]}} {
  %dw = linalg.generic {indexing_maps = [affine_map<(a, b, t) -> (t, a)>, affine_map<(a, b, t) -> (t, b)>, affine_map<(a, b, t) -> (a, b)>],
                        iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %dy : tensor<?x32xf32>, tensor<?x16xf32>) outs(%old : tensor<32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x16xf32>
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x32xf32>
  %e = tensor.empty(%tokens) : tensor<?x32xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x32xf32>) outs(%e : tensor<?x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.addf %a, %f : f32
    linalg.yield %s : f32
  } -> tensor<?x32xf32>
  return %dw, %y : tensor<32x16xf32>, tensor<?x32xf32>
}

// -----

// Heads: the cut goes through reshapes and attention. Where an outer dimension is joined in front of it, a rank has a part
// of each of its pieces.
#q = affine_map<(b, h, i, j, e, f) -> (b, i, h, e)>
#k = affine_map<(b, h, i, j, e, f) -> (b, j, h, e)>
#v = affine_map<(b, h, i, j, e, f) -> (b, j, h, f)>
#o = affine_map<(b, h, i, j, e, f) -> (b, h, i, f)>
// CHECK-LABEL: func.func @heads(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<48x32xf32>
// CHECK-SAME: pit.splits = {inputs = ["cut 1", "cut 1", "cut 1", "whole"], results = ["whole"]}
// CHECK: tensor.expand_shape %[[Q]] {{\[\[}}0, 1], [2, 3]] output_shape [2, 24, 2, 16] : tensor<48x32xf32> into tensor<2x24x2x16xf32>
// CHECK: pit.attend ins(
// CHECK: } -> tensor<2x2x24x16xf32>
// CHECK: %[[JOINED:.*]] = tensor.collapse_shape %{{.*}} : tensor<2x2x24x16xf32> into tensor<4x24x16xf32>
// CHECK: %[[E:.*]] = math.exp %[[JOINED]] : tensor<4x24x16xf32>
// CHECK: shard.all_gather %{{.*}} : tensor<4x24x16xf32> -> tensor<8x24x16xf32>
// CHECK: tensor.expand_shape {{.*}} output_shape [2, 2, 2, 24, 16]
// CHECK: linalg.transpose {{.*}} permutation = [1, 0, 2, 3, 4]
// CHECK: tensor.collapse_shape {{.*}} into tensor<8x24x16xf32>
func.func @heads(%q: tensor<48x64xf32>, %k: tensor<48x64xf32>, %v: tensor<48x64xf32>, %s: tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    attributes {pit.splits = {inputs = ["cut 1", "any", "any", "whole"], results = ["whole"]}} {
  %qs = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<48x64xf32> into tensor<2x24x4x16xf32>
  %ks = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<48x64xf32> into tensor<2x24x4x16xf32>
  %vs = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<48x64xf32> into tensor<2x24x4x16xf32>
  %e = tensor.empty() : tensor<2x4x24x16xf32>
  %a = pit.attend ins(%qs, %ks, %vs : tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>)
      outs(%e : tensor<2x4x24x16xf32>) maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %b: index, %h: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<2x4x24x16xf32>
  %joined = tensor.collapse_shape %a [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
  %x = math.exp %joined : tensor<8x24x16xf32>
  return %x : tensor<8x24x16xf32>
}

// -----

// A tensor that is cut along one dimension and needed along another is gathered, and a rank takes its part.
// CHECK-LABEL: func.func @turned(
// CHECK-SAME: %[[A:.*]]: tensor<8x2xf32>) -> tensor<4x4xf32>
// CHECK: %[[ALL:.*]] = shard.all_gather %[[A]] {{.*}} : tensor<8x2xf32> -> tensor<16x2xf32>
// CHECK: %[[STACK:.*]] = tensor.expand_shape %[[ALL]] {{\[\[}}0, 1], [2]] output_shape [2, 8, 2]
// CHECK: %[[TURNED:.*]] = linalg.transpose ins(%[[STACK]] {{.*}} permutation = [1, 0, 2]
// CHECK: %[[WHOLE:.*]] = tensor.collapse_shape %[[TURNED]] {{\[\[}}0], [1, 2]]
// CHECK: tensor.extract_slice %[[WHOLE]][%{{.*}}, 0] [4, 4]
func.func @turned(%a: tensor<8x4xf32>) -> tensor<8x4xf32>
    attributes {pit.splits = {inputs = ["cut 1"], results = ["cut 0"]}} {
  return %a : tensor<8x4xf32>
}

// -----

// A maximum along rows that are cut; and an op that nothing is known of is computed by all ranks.
// CHECK-LABEL: func.func @largest(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32>
// CHECK: %[[PART:.*]] = linalg.reduce {{.*}} ins(%[[X]] : tensor<4x6xf32>)
// CHECK: shard.all_gather %[[PART]] {{.*}} {pit.in_place} : tensor<6xf32> -> tensor<?xf32>
// CHECK: arith.maximumf
// CHECK: %[[ALL:.*]] = shard.all_gather %[[X]] {{.*}} : tensor<4x6xf32> -> tensor<8x6xf32>
// CHECK: tensor.reshape %[[ALL]]
func.func @largest(%x: tensor<8x6xf32>, %shape: tensor<1xindex>) -> (tensor<6xf32>, tensor<48xf32>)
    attributes {pit.splits = {inputs = ["cut 0", "whole"], results = ["any", "any"]}} {
  %c = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<6xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %m = linalg.reduce {arith.maximumf} ins(%x : tensor<8x6xf32>) outs(%z : tensor<6xf32>) dimensions = [0]
  %y = tensor.reshape %x(%shape) : (tensor<8x6xf32>, tensor<1xindex>) -> tensor<48xf32>
  return %m, %y : tensor<6xf32>, tensor<48xf32>
}
