// RUN: pit-opt %s --pit-lower-sparse | FileCheck %s
// RUN: pit-opt %s --pit-lower-sparse=undef-fill=7.0 | FileCheck %s --check-prefix=FILL

// The mask chooses between the source and the absent value; its map picks the pattern's axes.
// CHECK: #[[$ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @mask
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[M:.*]]: tensor<4xi1>)
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$ROW]], #[[$ALL]]], {{.*}} ins(%[[X]], %[[M]] :
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[LIVE:.*]]: i1,
// CHECK-NEXT: %[[INF:.*]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT: %[[V:.*]] = arith.select %[[LIVE]], %[[A]], %[[INF]] : f32
// CHECK-NEXT: linalg.yield %[[V]]
// CHECK: return %[[R]]
func.func @mask(%x: tensor<4x8xf32>, %m: tensor<4xi1>) -> tensor<4x8xf32> {
  %s = pit.sparse %x by(%m : tensor<4xi1>) <kind = mask, axes = [0], absent = neg_inf> : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// A dead value is the absent value already.
// CHECK-LABEL: func @values
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: return %[[X]]
func.func @values(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = pit.sparse %x <kind = values, axes = [0, 1]> : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// What undef elements hold varies with the position.
// CHECK-LABEL: func @right_padding
// CHECK: %[[P:.*]] = linalg.index 1
// CHECK: arith.cmpi slt, %[[P]], %{{.*}} : index
// FILL-LABEL: func @right_padding
// FILL: linalg.index 0
// FILL: %[[SEVEN:.*]] = arith.constant 7.000000e+00 : f64
// FILL: %[[WIDE:.*]] = arith.addf %{{.*}}, %[[SEVEN]]
// FILL: %[[FILL:.*]] = arith.truncf %[[WIDE]]
// FILL: arith.select %{{.*}}, %{{.*}}, %[[FILL]]
func.func @right_padding(%x: tensor<4x8xf32>, %l: tensor<4xi32>) -> tensor<4x8xf32> {
  %s = pit.sparse %x by(%l : tensor<4xi32>) <kind = lengths, axes = [0, 1], absent = undef> : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// CHECK-LABEL: func @left_padding
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<4x?xf32>
// CHECK: %[[P:.*]] = linalg.index 1
// CHECK: %[[FIRST:.*]] = arith.subi %[[N]], %{{.*}} : index
// CHECK: arith.cmpi sge, %[[P]], %[[FIRST]] : index
func.func @left_padding(%x: tensor<4x?xf32>, %l: tensor<4xi32>) -> tensor<4x?xf32> {
  %s = pit.sparse %x by(%l : tensor<4xi32>) <kind = lengths, axes = [0, 1], pad = left> : tensor<4x?xf32>
  return %s : tensor<4x?xf32>
}

// NaN gates are live: not equal, unordered.
// CHECK-LABEL: func @routing
// CHECK: arith.cmpf une
func.func @routing(%x: tensor<4x8xf32>, %g: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = pit.sparse %x by(%g : tensor<4x8xf32>) <kind = routing, axes = [0, 1]> : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// One bit per block.
// CHECK-LABEL: func @blocks
// CHECK-SAME: %[[B:[a-z0-9]*]]: tensor<2x1xi1>
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: %[[BLOCK:.*]] = arith.divui %[[ROW]], %c2
// CHECK: tensor.extract %[[B]][%[[BLOCK]], %{{.*}}]
func.func @blocks(%x: tensor<4x8xf32>, %b: tensor<2x1xi1>) -> tensor<4x8xf32> {
  %s = pit.sparse %x by(%b : tensor<2x1xi1>) <kind = blocks, axes = [0, 1], tile = [2, 8]> : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
