// Complex numbers have code for the CPU; for kernels they are refused, at their place.
// RUN: pit-opt %s --pit-to-cpu | FileCheck %s
// RUN: pit-run %s --target=cpu --random=const:2 --random=const:1 --print | FileCheck %s --check-prefix=VALUES
// RUN: not pit-opt %s --pit-to-ptx=chip=sm_90a -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// CHECK: llvm.func @main(
// CHECK-NOT: complex.
// (2 + i)^2 = 3 + 4i, of which three add up: 9 + 12i
// VALUES: result 0: f32 = 21
// KERNELS: complex.mlir:[[@LINE+5]]:11: error: computes with complex numbers, which have no code for the device
// KERNELS-NOT: {{error|module}}
#map = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<f32> {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<complex<f32>>
  %f = linalg.fill ins(%zero : complex<f32>) outs(%e : tensor<complex<f32>>) -> tensor<complex<f32>>
  %s = linalg.generic {indexing_maps = [#map, #map, #none], iterator_types = ["reduction"]} ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%f : tensor<complex<f32>>) {
  ^bb0(%a: f32, %b: f32, %out: complex<f32>):
    %c = complex.create %a, %b : complex<f32>
    %d = complex.mul %c, %c : complex<f32>
    %sum = complex.add %out, %d : complex<f32>
    linalg.yield %sum : complex<f32>
  } -> tensor<complex<f32>>
  %r = tensor.empty() : tensor<f32>
  %t = linalg.map ins(%s : tensor<complex<f32>>) outs(%r : tensor<f32>) (%c: complex<f32>, %out: f32) {
    %re = complex.re %c : complex<f32>
    %im = complex.im %c : complex<f32>
    %sum = arith.addf %re, %im : f32
    linalg.yield %sum : f32
  }
  return %t : tensor<f32>
}
