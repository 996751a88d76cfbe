// One writer, one schema: kernels that others launch and entry points are described alike, as far as they have the same.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-manifest -o %t.kernels.json
// RUN: pit-opt %s --pit-to-cuda="chip=sm_90a" | pit-translate --pit-to-manifest -o %t.calls.json
// RUN: %python %S/Inputs/compare_manifests.py %t.kernels.json %t.calls.json

// What is of neither kind.
// RUN: echo "module {}" | not pit-translate --pit-to-manifest 2>&1 | FileCheck %s
// CHECK: error: 'builtin.module' op has 0 GPU modules or binaries with kernels; a manifest describes exactly one
// RUN: echo 'module attributes {pit.program = {target = "cuda", chip = "sm_90a"}} {}' | not pit-translate --pit-to-manifest 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: the module has no entry points
func.func @main(%x: tensor<?x64xf32>, %s: f16, %n: i64) -> (tensor<?x64xf32>, tensor<4x8xi32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%rows) : tensor<?x64xf32>
  %y = linalg.exp ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %i = tensor.empty() : tensor<4x8xi32>
  %one = arith.constant 1 : i32
  %z = linalg.fill ins(%one : i32) outs(%i : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %y, %z : tensor<?x64xf32>, tensor<4x8xi32>
}
