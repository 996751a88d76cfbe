// 8-bit floats are loaded as bytes. Their sum in f32 is exact, in any order: they are multiples of 2^-9 below 1.
// UNSUPPORTED: sanitizer
// RUN: pit-run %s --target=cpu --random uniform --print > %t.cpu
// RUN: %emulated-cuda pit-run %s --target=cuda --random uniform --print > %t.cuda
// RUN: diff %t.cpu %t.cuda
// RUN: FileCheck %s --input-file=%t.cuda
// CHECK: result 0: f32 = 1{{[0-9]+}}
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a | FileCheck %s --check-prefix=KERNELS
// KERNELS: gpu.launch_func @main_kernels::@main_reduce_0

func.func @main(%x: tensor<20011xf8E4M3FN>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<20011xf8E4M3FN>) outs(%f : tensor<f32>) {
  ^bb0(%a: f8E4M3FN, %b: f32):
    %w = arith.extf %a : f8E4M3FN to f32
    %t = arith.addf %b, %w : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
