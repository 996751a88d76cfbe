// RUN: pit-opt %s --pit-lower-access | FileCheck %s

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 2], width = 32>

// Position p of the tile is element (p mod 2) of micro-tile p / 2; rows are copied whole.
// CHECK-LABEL: func @read
// CHECK-SAME: (%[[X:.*]]: tensor<8x16xf32>, %[[I:.*]]: !pit.index<{{.*}}>, %[[LO:.*]]: index, %[[N:.*]]: index)
// CHECK: %[[COORDS:.*]] = pit.coords %[[I]]
// CHECK: scf.for %[[K:.*]] = %c0 to %[[N]] step %{{.*}} iter_args(%[[OUT:.*]] = %{{.*}})
// CHECK: %[[P:.*]] = arith.addi %[[LO]], %[[K]]
// CHECK: %[[NUMBER:.*]] = arith.divui %[[P]], %[[TWO:.*]] : index
// CHECK: %[[C32:.*]] = tensor.extract %[[COORDS]][%[[NUMBER]]]
// CHECK: %[[C:.*]] = arith.index_cast %[[C32]]
// CHECK: %[[START:.*]] = arith.muli %[[C]], %[[TWO]]
// CHECK: %[[REST:.*]] = arith.remui %[[P]], %[[TWO]]
// CHECK: %[[FROM:.*]] = arith.addi %[[START]], %[[REST]]
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[X]][%[[FROM]], 0]
// CHECK: tensor.insert_slice %[[ROW]] into %[[OUT]][%[[K]], 0]
func.func @read(%x: tensor<8x16xf32>, %i: !i, %lo: index, %n: index) -> tensor<?x16xf32> {
  %r = pit.sread %x[%i] tile(%lo, %n) sizes(%n) dims = [-1, 0] : tensor<8x16xf32>, !i -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// Storing goes the other way, and does not read the destination.
// CHECK-LABEL: func @store
// CHECK-SAME: (%[[X:.*]]: tensor<8x16xf32>, %[[T:.*]]: tensor<?x16xf32>
// CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(%[[OUT:.*]] = %[[X]])
// CHECK: %[[TO:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[T]][%[[K]], 0]
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.insert_slice %[[ROW]] into %[[OUT]]
func.func @store(%x: tensor<8x16xf32>, %t: tensor<?x16xf32>, %i: !i, %lo: index, %n: index) -> tensor<8x16xf32> {
  %r = pit.swrite %t into %x[%i] tile(%lo, %n) store dims = [-1, 0] : tensor<?x16xf32>, tensor<8x16xf32>, !i
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func @accumulate
// CHECK: %[[NEW:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}, 0]
// CHECK: %[[OLD:.*]] = tensor.extract_slice %[[OUT:.*]][%[[TO:.*]], 0]
// CHECK: %[[SUM:.*]] = linalg.add ins(%[[OLD]], %[[NEW]] :
// CHECK: tensor.insert_slice %[[SUM]] into %[[OUT]][%[[TO]], 0]
func.func @accumulate(%x: tensor<8x16xf32>, %t: tensor<?x16xf32>, %i: !i, %lo: index, %n: index) -> tensor<8x16xf32> {
  %r = pit.swrite %t into %x[%i] tile(%lo, %n) accumulate dims = [-1, 0] : tensor<?x16xf32>, tensor<8x16xf32>, !i
  return %r : tensor<8x16xf32>
}
