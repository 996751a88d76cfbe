// A manifest of kernels says what must hold of the arguments, for hosts that launch them themselves.
// REQUIRES: numpy
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-manifest -o %t.json
// RUN: %numpy-python -B %S/Inputs/refuse_extents.py %pit_src/benchmarks/gpu %t.json | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a unchecked-extents" | pit-translate --pit-to-manifest | FileCheck %s --check-prefix=NONE

// CHECK: 9 9 8 1 accepted
// CHECK: 0 0 8 0 accepted
// CHECK: 9 8 8 1 {{.*}}'pit.sparse': dimension 0 of its mask is 8, dimension 0 of the marked tensor is 9
// CHECK: 0 9 8 0 {{.*}}'pit.sparse': dimension 0 of its mask is 9, dimension 0 of the marked tensor is 0
// CHECK: 9 9 7 1 {{.*}}'linalg.matmul': dimension 1 of operand 0 is 8, dimension 0 of operand 1 is 7
// CHECK: 9 9 8 6 {{.*}}'tensor.extract_slice': takes 3 elements of dimension 1, where 0 to 2 are from the offset on
// CHECK: 9 9 8 -1 {{.*}}'tensor.extract_slice': offset -1 of dimension 1 is not within 0 to 8
// CHECK: 9 9 8 4611686018427387904 {{.*}}'tensor.extract_slice': offset 4611686018427387904 of dimension 1 is not within 0 to 8
// NONE: "checks": [],
func.func @main(%a: tensor<?x8xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}}, %m: tensor<?xi1>,
                %b: tensor<?x5xf32>, %o: index) -> (tensor<?x5xf32>, tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<?x5xf32>) outs(%f : tensor<?x5xf32>) -> tensor<?x5xf32>
  %s = tensor.extract_slice %a[0, %o] [%n, 3] [1, 1] : tensor<?x8xf32> to tensor<?x3xf32>
  %t = math.absf %s : tensor<?x3xf32>
  return %r, %t : tensor<?x5xf32>, tensor<?x3xf32>
}
