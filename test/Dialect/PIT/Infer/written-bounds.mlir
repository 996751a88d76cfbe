// Promises of marks, and what the program proves of their sources.
// RUN: pit-opt %s --pit-materialize-marks --pit-infer-marks --split-input-file --remarks-filter=pit-rules 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// Constants: too many in all; too many in one row of one; as many as there is room for.
// REMARK: {{\[Missed\]}} written mark {{.*}}the mark has at_most = 2, but its source is a constant with 12 live points in 3 rows, and up to 4 in a row; the bound is left out
// REMARK: the mark has at_most = 1, but its source is a constant with 2 live points in 3 rows, and up to 2 in a row; the bound is left out
// CHECK-LABEL: func.func @constants
// CHECK-DAG: pit.sparse %{{.*}} <kind = mask, axes = [0, 1]> : tensor<3x4xf32>
// CHECK-DAG: pit.sparse %{{.*}} <kind = mask, axes = [0, 1]> : tensor<3x4xf16>
// CHECK-DAG: pit.sparse %{{.*}} <kind = mask, axes = [0, 1], at_most = 2> : tensor<3x4xbf16>
func.func @constants(%x: tensor<3x4xf32> {pit.sparse = {source = "mask", from = "all", axes = array<i64: 0, 1>, at_most = 2 : i64}},
                     %y: tensor<3x4xf16> {pit.sparse = {source = "mask", from = "row", axes = array<i64: 0, 1>, at_most = 1 : i64}},
                     %z: tensor<3x4xbf16> {pit.sparse = {source = "mask", from = "shared", axes = array<i64: 0, 1>, at_most = 2 : i64}})
    -> (tensor<3x4xf32>, tensor<3x4xf16>, tensor<3x4xbf16>) {
  %0 = arith.constant {pit.source = "all"} dense<1.0> : tensor<3x4xf32>
  %1 = arith.constant {pit.source = "row"} dense<[[0, 5, 5, 0], [0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<3x4xi32>
  %2 = arith.constant {pit.source = "shared"} dense<[[1, 1, 1, 1], [0, 0, 0, 0], [0, 0, 1, 0]]> : tensor<3x4xi1>
  return %x, %y, %z : tensor<3x4xf32>, tensor<3x4xf16>, tensor<3x4xbf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// One choice a row: what is written is wider, and what is not written is said.
// REMARK: the mark has no at_most, and the program proves 1
// REMARK: the mark has at_most = 3, and the program proves 1; the smaller bound counts
// CHECK-LABEL: func.func @choice
// CHECK-DAG: pit.sparse %{{.*}} <kind = mask, axes = [0, 1], at_most = 1> : tensor<?x8xf32>
// CHECK-DAG: pit.sparse %{{.*}} <kind = mask, axes = [0, 1]> : tensor<?x8xf16>
func.func @choice(%x: tensor<?x8xf32> {pit.sparse = {source = "mask", from = "choice", axes = array<i64: 0, 1>, at_most = 3 : i64}},
                  %y: tensor<?x8xf16> {pit.sparse = {source = "mask", from = "choice", axes = array<i64: 0, 1>}},
                  %c: tensor<?xi32>, %n: index) -> (tensor<?x8xf32>, tensor<?x8xf16>) {
  %e = tensor.empty(%n) : tensor<?x8xi1>
  %m = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<?xi32>) outs(%e : tensor<?x8xi1>)
      attrs = {pit.source = "choice"} {
  ^bb0(%l: i32, %o: i1):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %q = arith.cmpi eq, %k, %l : i32
    linalg.yield %q : i1
  } -> tensor<?x8xi1>
  return %x, %y : tensor<?x8xf32>, tensor<?x8xf16>
}
