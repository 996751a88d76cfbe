// RUN: pit-opt %s --pit-normalize | FileCheck %s

// Named ops lose their names, not their marks.
// CHECK-LABEL: func @named
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]{{.*}} attrs = {pit.dense}
func.func @named(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.matmul {pit.dense} ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// A softmax is a maximum, a sum and two elementwise ops.
// CHECK-LABEL: func @softmax
// CHECK-NOT: linalg.softmax
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
func.func @softmax(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

#collapsed = affine_map<(i, j) -> (i, j)>
// Behind a collapse, the pattern's axes are axes of the op.
// CHECK-LABEL: func @reshape
// CHECK-SAME: (%[[X:.*]]: tensor<4x8x16xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]
// CHECK-SAME: ins(%[[X]] :
func.func @reshape(%x: tensor<4x8x16xf32>) -> tensor<32x16xf32> {
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x8x16xf32> into tensor<32x16xf32>
  %e = tensor.empty() : tensor<32x16xf32>
  %0 = linalg.generic {indexing_maps = [#collapsed, #collapsed], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<32x16xf32>) outs(%e : tensor<32x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}

// A transpose goes into the maps of whoever reads it.
// CHECK-LABEL: func @transposed
// CHECK-SAME: (%[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<8x6xf32>
// CHECK-COUNT-1: linalg.generic
// CHECK-SAME: ins(%[[A]], %[[B]] :
// CHECK-NOT: linalg.generic
func.func @transposed(%a: tensor<8x4xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%a : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %0 = linalg.matmul ins(%t, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

#te = affine_map<(t, e, f, d) -> (t, e)>
#tef = affine_map<(t, e, f, d) -> (t, e, f)>
#efd = affine_map<(t, e, f, d) -> (e, f, d)>
#td = affine_map<(t, e, f, d) -> (t, d)>
// The product of gate and activation does not depend on d: it is computed once.
// CHECK-LABEL: func @invariant_product
// CHECK-SAME: (%[[G:.*]]: tensor<4x2xf32>, %[[H:.*]]: tensor<4x2x8xf32>, %[[W:.*]]: tensor<2x8x6xf32>
// CHECK: %[[GH:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[G]], %[[H]] :
// CHECK: linalg.generic {{.*}} ins(%[[GH]], %[[W]] :
func.func @invariant_product(%g: tensor<4x2xf32>, %h: tensor<4x2x8xf32>, %w: tensor<2x8x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.generic {indexing_maps = [#te, #tef, #efd, #td], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%g, %h, %w : tensor<4x2xf32>, tensor<4x2x8xf32>, tensor<2x8x6xf32>) outs(%y : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %acc: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.mulf %1, %c : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// Packing whole tiles copies once, with the tiles as axes of their own; unpacking copies them back.
// CHECK-LABEL: func @pack
// CHECK-NOT: linalg.pack
// CHECK-NOT: linalg.unpack
// CHECK: return
func.func @pack(%x: tensor<12x8xf32>, %p: tensor<3x4x4x2xf32>, %y: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %0 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %p : tensor<12x8xf32> -> tensor<3x4x4x2xf32>
  %1 = linalg.exp ins(%0 : tensor<3x4x4x2xf32>) outs(%p : tensor<3x4x4x2xf32>) -> tensor<3x4x4x2xf32>
  %2 = linalg.unpack %1 inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %y : tensor<3x4x4x2xf32> -> tensor<12x8xf32>
  return %2 : tensor<12x8xf32>
}

// Winograd's transforms are small products.
// CHECK-LABEL: func @winograd
// CHECK-NOT: linalg.winograd
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: return
func.func @winograd(%f: tensor<2x3x3x5xf32>, %e: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>) outs(%e : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %0 : tensor<6x6x5x2xf32>
}

// Transforms of images run over the tiles of each image.
// CHECK-LABEL: func @winograd_image
// CHECK: scf.for
// CHECK: return
func.func @winograd_image(%x: tensor<2x10x10x5xf32>, %e: tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32> {
  %0 = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<2x10x10x5xf32>) outs(%e : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  return %0 : tensor<6x6x2x2x2x5xf32>
}

// A tile whose extent a cast hides.
// CHECK-LABEL: func.func @hidden_tile(
// CHECK-NOT: linalg.unpack
// CHECK: return
func.func @hidden_tile(%x: tensor<1x8xi32>, %tile: index) -> tensor<7xi32> {
  %0 = tensor.empty() : tensor<7xi32>
  %cast = tensor.cast %x : tensor<1x8xi32> to tensor<1x?xi32>
  %1 = linalg.unpack %cast inner_dims_pos = [0] inner_tiles = [%tile] into %0 : tensor<1x?xi32> -> tensor<7xi32>
  return %1 : tensor<7xi32>
}

// Extents that are constants only behind a value: normalisation ends.
// CHECK-LABEL: func.func @constant_extent(
// CHECK: linalg.generic
// CHECK: return
func.func @constant_extent(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %0 = tensor.empty(%c4) : tensor<?xf32>
  %1 = linalg.exp ins(%x : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @extent_behind_cast(
// CHECK: linalg.generic
// CHECK: return
func.func @extent_behind_cast(%x: tensor<8xf32>) -> tensor<?xf32> {
  %cast = tensor.cast %x : tensor<8xf32> to tensor<?xf32>
  %c8 = arith.constant 8 : index
  %0 = tensor.empty(%c8) : tensor<?xf32>
  %1 = linalg.exp ins(%cast : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// A product of one row or one column keeps three loops, whatever becomes of
// the axes of extent 1 on the way.
// CHECK-LABEL: func @one_row
// CHECK-SAME: (%[[A:.*]]: tensor<1x64xf32>, %[[B:.*]]: tensor<64x32xf32>
// CHECK-NOT: shape
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] : tensor<1x64xf32>, tensor<64x32xf32>)
func.func @one_row(%a: tensor<1x64xf32>, %b: tensor<64x32xf32>, %c: tensor<1x32xf32>) -> tensor<1x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x64xf32>, tensor<64x32xf32>) outs(%c : tensor<1x32xf32>) -> tensor<1x32xf32>
  return %0 : tensor<1x32xf32>
}

// CHECK-LABEL: func @one_column
// CHECK-SAME: (%[[A:.*]]: tensor<32x64xf32>, %[[B:.*]]: tensor<64x1xf32>
// CHECK-NOT: shape
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] : tensor<32x64xf32>, tensor<64x1xf32>)
func.func @one_column(%a: tensor<32x64xf32>, %b: tensor<64x1xf32>, %c: tensor<32x1xf32>) -> tensor<32x1xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<32x64xf32>, tensor<64x1xf32>) outs(%c : tensor<32x1xf32>) -> tensor<32x1xf32>
  return %0 : tensor<32x1xf32>
}
