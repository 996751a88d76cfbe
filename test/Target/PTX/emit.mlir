// RUN: pit-opt %s --pit-to-ptx="chip=sm_80" | pit-translate --pit-to-ptx | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a features=+ptx83" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=HOPPER
// RUN: pit-opt %s --pit-to-ptx | pit-translate --pit-to-manifest > %t.json && %python %S/Inputs/read_manifest.py %t.json

// CHECK: .version 7.0
// CHECK: .target sm_80
// CHECK: .visible .entry main_0(
// CHECK: .maxntid 256
// HOPPER: .version 8.3
// HOPPER: .target sm_90a
func.func @main(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %y = linalg.exp ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
