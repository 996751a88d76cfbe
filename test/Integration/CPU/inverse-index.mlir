// Where each row of a matrix is listed by its columns: rows 0 and 2 by none, row 3 by all.
// RUN: pit-run %s --random iota --print | FileCheck %s
// CHECK:      result 0: 6xi64 = 0 0 2 2 5 6
// CHECK-NEXT: result 1: 6xi32 = 0 3 1 4 5 2
// Positions that there is no room for are left out.
// RUN: pit-run %s --entry cut --random iota --print | FileCheck %s --check-prefix=CUT
// CUT:      result 0: 6xi64 = 0 0 2 2 3 4
// CUT-NEXT: result 1: 4xi32 = 0 3 1 2

!list = !pit.index<[5, 3], coordinate = 0, tile = [1, 1], width = 32>
!inverse = !pit.index<[5, 6], coordinate = 1, tile = [1, 1], width = 32>
!short = !pit.index<[5, 4], coordinate = 1, tile = [1, 1], width = 32>

func.func private @list(%x: tensor<1xi32>) -> !list {
  // Columns list 1, 3 and 4; 1 and 3; 3.
  %offsets = arith.constant dense<[0, 3, 5, 6]> : tensor<4xi64>
  %coords = arith.constant dense<[1, 3, 4, 1, 3, 3]> : tensor<6xi32>
  %i = pit.assemble %offsets, %coords : tensor<4xi64>, tensor<6xi32> -> !list
  return %i : !list
}
func.func @main(%x: tensor<1xi32>) -> (tensor<6xi64>, tensor<6xi32>) {
  %i = func.call @list(%x) : (tensor<1xi32>) -> !list
  %v = pit.invert %i : !list -> !inverse
  %o = pit.offsets %v : !inverse -> tensor<?xi64>
  %c = pit.coords %v : !inverse -> tensor<?xi32>
  %0 = tensor.cast %o : tensor<?xi64> to tensor<6xi64>
  %1 = tensor.cast %c : tensor<?xi32> to tensor<6xi32>
  return %0, %1 : tensor<6xi64>, tensor<6xi32>
}
func.func @cut(%x: tensor<1xi32>) -> (tensor<6xi64>, tensor<4xi32>) {
  %i = func.call @list(%x) : (tensor<1xi32>) -> !list
  %v = pit.invert %i : !list -> !short
  %o = pit.offsets %v : !short -> tensor<?xi64>
  %c = pit.coords %v : !short -> tensor<?xi32>
  %0 = tensor.cast %o : tensor<?xi64> to tensor<6xi64>
  %1 = tensor.cast %c : tensor<?xi32> to tensor<4xi32>
  return %0, %1 : tensor<6xi64>, tensor<4xi32>
}
