// A slice that cuts the axes of a values pattern has a pattern of its own: its values say it, too.
// RUN: pit-opt %s --pit-normalize -split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-linalg-to-pit -split-input-file -o /dev/null

// One column of a gate.
// CHECK-LABEL: func.func @column(
// CHECK: %[[GATE:.*]] = pit.sparse %{{.*}} <kind = values, axes = [0, 1], at_most = 1>
// CHECK: tensor.extract_slice %[[GATE]][0, 2] [512, 1] [1, 1]
// CHECK: pit.sparse %{{.*}} <kind = values, axes = [0]> : tensor<512xf32>
func.func @column(%gate: tensor<512x8xf32>, %x: tensor<512x96xf32>) -> tensor<512x96xf32> {
  %g = pit.sparse %gate <kind = values, axes = [0, 1], at_most = 1> : tensor<512x8xf32>
  %s = tensor.extract_slice %g[0, 2] [512, 1] [1, 1] : tensor<512x8xf32> to tensor<512x1xf32>
  %e = tensor.empty() : tensor<512x96xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s, %x : tensor<512x1xf32>, tensor<512x96xf32>) outs(%e : tensor<512x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<512x96xf32>
  return %r : tensor<512x96xf32>
}

// -----

// Of another type, of extents that are not known, and without the dimension that is cut.
// CHECK-LABEL: func.func @row(
// CHECK: tensor.extract_slice
// CHECK: pit.sparse %{{.*}} <kind = values, axes = [1]> : tensor<?x?xbf16>
func.func @row(%x: tensor<3x?x?xbf16>, %at: index) -> tensor<?x?xbf16> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = pit.sparse %x <kind = values, axes = [0, 2]> : tensor<3x?x?xbf16>
  %n = tensor.dim %m, %c1 : tensor<3x?x?xbf16>
  %k = tensor.dim %m, %c2 : tensor<3x?x?xbf16>
  %s = tensor.extract_slice %m[%at, 0, 0] [1, %n, %k] [1, 1, 1] : tensor<3x?x?xbf16> to tensor<?x?xbf16>
  %r = math.absf %s : tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// -----

// A slice along another axis keeps the pattern of the whole, which passes. One of micro-tiles, or of a mask, has none of its own.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: pit.sparse
// CHECK-NOT: pit.sparse
func.func @others(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %z: tensor<8x16xf32>, %live: tensor<8xi1>) -> (tensor<8x4xf32>, tensor<4x16xf32>, tensor<4x16xf32>) {
  %a = pit.sparse %x <kind = values, axes = [0]> : tensor<8x16xf32>
  %b = pit.sparse %y <kind = values, axes = [0], tile = [8]> : tensor<8x16xf32>
  %c = pit.sparse %z by(%live : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x16xf32>
  %s = tensor.extract_slice %a[0, 0] [8, 4] [1, 1] : tensor<8x16xf32> to tensor<8x4xf32>
  %t = tensor.extract_slice %b[0, 0] [4, 16] [1, 1] : tensor<8x16xf32> to tensor<4x16xf32>
  %u = tensor.extract_slice %c[0, 0] [4, 16] [1, 1] : tensor<8x16xf32> to tensor<4x16xf32>
  return %s, %t, %u : tensor<8x4xf32>, tensor<4x16xf32>, tensor<4x16xf32>
}
