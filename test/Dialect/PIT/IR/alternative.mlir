// RUN: pit-opt %s | pit-opt | FileCheck %s
// It is launched for its effects.
// RUN: pit-opt %s --canonicalize --cse --symbol-dce | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: pit.alternative @main_dense if %{{.*}}
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4xf32>
  %few = arith.cmpi ult, %rows, %c128 : index
  pit.alternative @main_dense if %few
  return %x : tensor<?x4xf32>
}
// CHECK: func.func private @main_dense
func.func private @main_dense(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  return %x : tensor<?x4xf32>
}

// Each function may have a status buffer of its own.
// CHECK-LABEL: func.func @buffers
// CHECK: pit.alternative @buffers_dense if
func.func @buffers(%x: memref<?x4xf32>, %few: i1) {
  pit.alternative @buffers_dense if %few
  return
}
func.func private @buffers_dense(%x: memref<?x4xf32>, %few: i1, %status: memref<4xi64> {pit.status}) {
  return
}
