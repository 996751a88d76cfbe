// Written marks are not its concern, whether they serve or not.
// RUN: pit-opt %s --pit-select-marks | FileCheck %s

// CHECK: pit.sparse
func.func @written(%x: tensor<64xf32>, %m: tensor<64xi1>) -> tensor<64xf32> {
  %s = pit.sparse %x by(%m : tensor<64xi1>) <kind = mask, axes = [0]> : tensor<64xf32>
  return %s : tensor<64xf32>
}

func.func private @elsewhere(tensor<64xf32>)
