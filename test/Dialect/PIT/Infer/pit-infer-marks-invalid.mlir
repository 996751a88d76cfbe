// Who wrote a mark has said what is sparse; declarations have nothing to say.
// RUN: pit-opt %s --pit-infer-marks | FileCheck %s

// CHECK-LABEL: func.func @marked
// CHECK: pit.sparse
// CHECK-NOT: pit.sparse
func.func @marked(%x: tensor<8x16xf32>, %m: tensor<8x16xi1>) -> tensor<8x16xf32> {
  %s = pit.sparse %x <kind = values, axes = [0, 1]> : tensor<8x16xf32>
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %y = arith.select %m, %s, %zero : tensor<8x16xi1>, tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// CHECK: func.func private @elsewhere
func.func private @elsewhere(tensor<8xi1>)
