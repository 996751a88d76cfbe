// Kernels of a program start while those before end: each waits before it reads, and all but the first say so to whoever launches them.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90" -o %t.mlir
// RUN: pit-translate --pit-to-ptx %t.mlir | FileCheck %s --check-prefix=PTX
// RUN: pit-translate --pit-to-manifest %t.mlir | FileCheck %s --check-prefix=MANIFEST
// RUN: pit-opt %s --pit-to-cuda="chip=sm_90" | FileCheck %s --check-prefix=CALLS
// RUN: pit-opt %s --pit-to-ptx="chip=sm_80" -o %t.old.mlir
// RUN: pit-translate --pit-to-ptx %t.old.mlir | FileCheck %s --check-prefix=OLD-PTX --implicit-check-not=griddepcontrol
// RUN: pit-translate --pit-to-manifest %t.old.mlir | FileCheck %s --check-prefix=OLD-MANIFEST
// RUN: pit-opt %s --pit-to-cuda="chip=sm_80" | FileCheck %s --check-prefix=OLD-CALLS --implicit-check-not=pit_rt_launch_waiting

// PTX: .entry main_0(
// PTX-NOT: ld.global
// PTX-NOT: st.global
// PTX: griddepcontrol.wait
// PTX: griddepcontrol.launch_dependents
// PTX: ld.global
// PTX: .entry main_1(
// PTX-NOT: ld.global
// PTX-NOT: st.global
// PTX: griddepcontrol.wait
// PTX: ld.global

// MANIFEST: "early": false,
// MANIFEST: "kernel": "main_0"
// MANIFEST: "early": true,
// MANIFEST: "kernel": "main_1"

// CALLS-LABEL: llvm.func @pit_main(
// CALLS: llvm.call @pit_rt_launch_waiting
// CALLS: llvm.call @pit_rt_launch_waiting

// OLD-PTX: .entry main_0(
// OLD-PTX: .entry main_1(

// OLD-MANIFEST: "early": false,
// OLD-MANIFEST: "kernel": "main_0"
// OLD-MANIFEST: "early": false,
// OLD-MANIFEST: "kernel": "main_1"

// OLD-CALLS-LABEL: llvm.func @pit_main(
// OLD-CALLS: llvm.call @pit_rt_launch(
// OLD-CALLS: llvm.call @pit_rt_launch(
func.func @main(%x: tensor<128x64xf32>) -> (tensor<128x64xf32>, tensor<64x128xf32>) {
  %e = tensor.empty() : tensor<128x64xf32>
  %y = linalg.exp ins(%x : tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %f = tensor.empty() : tensor<64x128xf32>
  %z = linalg.transpose ins(%y : tensor<128x64xf32>) outs(%f : tensor<64x128xf32>) permutation = [1, 0]
  return %y, %z : tensor<128x64xf32>, tensor<64x128xf32>
}
