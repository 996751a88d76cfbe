// Rows of a batch of matrices that a mask leaves out, each matrix times a weight of its own: packed in front of the first product, and
// grouped GEMMs of both. It was a loop of scalars.
// DEFINE: %{run} = %emulated-cuda pit-run %s --target cuda --no-dense-variants --random normal --random bool --random normal:.1 --random normal:.1 --check --quiet
// RUN: %{run} --entry chain --chip sm_90a | FileCheck %s
// RUN: %{run} --entry chain --chip sm_80 | FileCheck %s
// RUN: %{run} --entry f32 --chip sm_90a | FileCheck %s
// RUN: %emulated-cuda pit-run %s --target cuda --no-dense-variants --entry chain --chip sm_90a --random normal --random const:0 --random normal:.1 --random normal:.1 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --target cuda --no-dense-variants --entry chain --chip sm_90a --random normal --random const:1 --random normal:.1 --random normal:.1 --check --quiet | FileCheck %s
// CHECK: check: result 0: {{bit-identical|agrees}}
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a dense-variants=false" --pit-explain=%t -o /dev/null
// RUN: FileCheck %s --check-prefix=KERNELS --input-file=%t
// KERNELS: linalg.batch_matmul in @chain
// KERNELS: grouped GEMM, Instructions wgmma
// KERNELS: linalg.batch_matmul in @chain
// KERNELS: grouped GEMM, Instructions wgmma

#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @chain(%x: tensor<3x96x64xbf16>, %live: tensor<3x96xi1>, %w1: tensor<3x64x128xbf16>, %w2: tensor<3x128x64xbf16>) -> tensor<3x96x64xbf16> {
  %z = arith.constant 0.0 : f32
  %zb = arith.constant 0.0 : bf16
  %s = pit.sparse %x by(%live : tensor<3x96xi1>) <kind = mask, axes = [0, 1]> : tensor<3x96x64xbf16>
  %e = tensor.empty() : tensor<3x96x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x96x128xf32>) -> tensor<3x96x128xf32>
  %h = linalg.batch_matmul ins(%s, %w1 : tensor<3x96x64xbf16>, tensor<3x64x128xbf16>) outs(%f : tensor<3x96x128xf32>) -> tensor<3x96x128xf32>
  %he = tensor.empty() : tensor<3x96x128xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h : tensor<3x96x128xf32>) outs(%he : tensor<3x96x128xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    %c = arith.cmpf ugt, %t, %zb : bf16
    %y = arith.select %c, %t, %zb : bf16
    linalg.yield %y : bf16
  } -> tensor<3x96x128xbf16>
  %e2 = tensor.empty() : tensor<3x96x64xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<3x96x64xf32>) -> tensor<3x96x64xf32>
  %y = linalg.batch_matmul ins(%r, %w2 : tensor<3x96x128xbf16>, tensor<3x128x64xbf16>) outs(%f2 : tensor<3x96x64xf32>) -> tensor<3x96x64xf32>
  %oe = tensor.empty() : tensor<3x96x64xbf16>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y : tensor<3x96x64xf32>) outs(%oe : tensor<3x96x64xbf16>) {
  ^bb0(%a: f32, %q: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x96x64xbf16>
  return %o : tensor<3x96x64xbf16>
}

// Two weights: what both read is packed once. An odd number of rows and columns.
func.func @f32(%x: tensor<3x37x20xf32>, %live: tensor<3x37xi1>, %w1: tensor<3x20x24xf32>, %w2: tensor<3x20x24xf32>) -> tensor<3x37x24xf32> {
  %z = arith.constant 0.0 : f32
  %s = pit.sparse %x by(%live : tensor<3x37xi1>) <kind = mask, axes = [0, 1]> : tensor<3x37x20xf32>
  %e = tensor.empty() : tensor<3x37x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x37x24xf32>) -> tensor<3x37x24xf32>
  %g = linalg.batch_matmul ins(%s, %w1 : tensor<3x37x20xf32>, tensor<3x20x24xf32>) outs(%f : tensor<3x37x24xf32>) -> tensor<3x37x24xf32>
  %h = linalg.batch_matmul ins(%s, %w2 : tensor<3x37x20xf32>, tensor<3x20x24xf32>) outs(%f : tensor<3x37x24xf32>) -> tensor<3x37x24xf32>
  %y = linalg.mul ins(%g, %h : tensor<3x37x24xf32>, tensor<3x37x24xf32>) outs(%e : tensor<3x37x24xf32>) -> tensor<3x37x24xf32>
  return %y : tensor<3x37x24xf32>
}
