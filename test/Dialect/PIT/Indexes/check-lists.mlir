// RUN: pit-opt %s --pit-check-lists | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx -o /dev/null

!rows = !pit.index<[2, ?], coordinate = 1, tile = [1, 4], width = 32>

// CHECK: #[[SCALAR:.*]] = affine_map<(d0) -> ()>
// CHECK: func.func private @pit_rt_bad_index(i64, i64, i64)

// The number of a segment with a damaged list, or 0; offsets of 0 for all where there is one.
// CHECK-LABEL: func @brought
// CHECK-SAME:    (%[[OFFSETS:.*]]: tensor<3xi64>, %[[COORDS:.*]]: tensor<?xi32>, %[[EXTENT:.*]]: index)
// CHECK-DAG:     %[[BEGINS:.*]] = tensor.extract_slice %[[OFFSETS]][0] [2] [1]
// CHECK-DAG:     %[[ENDS:.*]] = tensor.extract_slice %[[OFFSETS]][1] [2] [1]
// CHECK:         %[[DAMAGE:.*]] = linalg.generic {{.*}}"parallel"{{.*}} ins(%[[BEGINS]], %[[ENDS]] :
// CHECK:           scf.for
// CHECK:             tensor.extract %[[COORDS]][
// CHECK:         %[[LAST:.*]] = linalg.generic {{.*}}"reduction"{{.*}} ins(%[[DAMAGE]] :
// CHECK:           arith.maxsi
// CHECK:         %[[NUMBER:.*]] = tensor.extract %[[LAST]][]
// CHECK:         %[[CHOSEN:.*]] = arith.select %{{.*}}, %[[NUMBER]],
// CHECK-NEXT:    %[[IS_DAMAGED:.*]] = arith.cmpi ne, %[[CHOSEN]],
// CHECK-NEXT:    scf.if %[[IS_DAMAGED]] {
// CHECK:           func.call @pit_rt_bad_index
// CHECK:         %[[CHECKED:.*]] = linalg.generic {{.*}} ins(%[[LAST]] :
// CHECK:           scf.if
// CHECK-NEXT:        tensor.extract %[[OFFSETS]]
// CHECK:         pit.assemble %[[CHECKED]], %[[COORDS]] extents(%[[EXTENT]])
func.func @brought(%offsets: tensor<3xi64>, %coords: tensor<?xi32>, %extent: index) -> !rows {
  %i = pit.assemble %offsets, %coords extents(%extent) : tensor<3xi64>, tensor<?xi32> -> !rows
  return %i : !rows
}

// Lists that the program holds are looked through when it is compiled.
// CHECK-LABEL: func @constant
// CHECK-NOT:     linalg.generic
// CHECK:         pit.assemble
!four = !pit.index<[2, 4], coordinate = 1, tile = [1, 1], width = 32>
func.func @constant() -> !four {
  %offsets = arith.constant dense<[0, 1, 2]> : tensor<3xi64>
  %coords = arith.constant dense<[1, 0]> : tensor<2xi32>
  %i = pit.assemble %offsets, %coords : tensor<3xi64>, tensor<2xi32> -> !four
  return %i : !four
}

// Buffers come behind the check.
// CHECK-LABEL: func @buffers
// CHECK-NOT:     linalg.generic
// CHECK:         pit.assemble
func.func @buffers(%offsets: memref<3xi64>, %coords: memref<?xi32>, %extent: index) -> !pit.index_buffer<!rows> {
  %i = pit.assemble %offsets, %coords extents(%extent) : memref<3xi64>, memref<?xi32> -> !pit.index_buffer<!rows>
  return %i : !pit.index_buffer<!rows>
}
