// What micro-tiles would cost, and which was taken; and options that kernels alone have.

// RUN: rm -rf %t && mkdir %t
// RUN: pit-compile %s --chip sm_90a --report -o %t/model.o 2>&1 | FileCheck %s
// CHECK: report.mlir:[[#@LINE+12]]:{{.*}} remark: micro-tiles for 32x1, 95.0 % dead: dense {{[0-9.]+}} ms, {{.*}}32x1 {{[0-9.]+}} ms (index {{[0-9.]+}}, 5.0 % live){{.*}}; chosen: 32x1
// RUN: pit-compile %s --chip sm_90a -o %t/model.o 2>&1 | count 0

// RUN: not pit-compile %s --report -o %t/no.o 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: pit-compile: error: --report is for target 'cuda'
// RUN: not pit-compile %s --target cpu --short-segments -o %t/no.o 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: pit-compile: error: --short-segments is for target 'cuda'
// RUN: not pit-compile %s --chip sm_90a --f32-products f32 -o %t/no.o 2>&1 | FileCheck %s --check-prefix=F32
// F32: error: f32-products must be simt, tf32 or tf32x3, not f32
// RUN: ls %t | FileCheck %s --check-prefix=FILES --implicit-check-not=no
// FILES: model.h

func.func @main(%a: tensor<4096x4096xbf16> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero",
                                                          granularity = array<i64: 32, 1>, live = 0.05 : f64}},
                %b: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>)
    outs(%f : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %o = tensor.empty() : tensor<4096x4096xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4096x4096xf32>) outs(%o : tensor<4096x4096xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4096x4096xbf16>
  return %r : tensor<4096x4096xbf16>
}
