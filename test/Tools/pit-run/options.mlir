// Options that pipelines have mean here what they mean there.

// RUN: rm -rf %t && mkdir %t
// RUN: pit-run %examples/sparse_matmul_k.mlir --random block-sparse:32x1:0.9 --random normal --report | FileCheck %s --check-prefix=DEFAULT
// RUN: pit-run %examples/sparse_matmul_k.mlir --random block-sparse:32x1:0.9 --random normal --report --strict=false --finite | FileCheck %s --check-prefix=DEFAULT
// RUN: pit-run %examples/sparse_matmul_k.mlir --random block-sparse:32x1:0.9 --random normal --report --check --strict | FileCheck %s --check-prefix=STRICT
// RUN: pit-run %examples/sparse_matmul_k.mlir --random block-sparse:32x1:0.9 --random normal --report --finite=false | FileCheck %s --check-prefix=EXACT
// DEFAULT: annihilated{{ +}}d2 (reduction)
// STRICT: check: result 0: bit-identical
// STRICT: dead-result{{ +}}d0 (parallel)
// STRICT-NOT: d2 (reduction)
// EXACT: report: no rule applies

// Kernels are those of --pit-to-cuda. Products of tf32 drop the last bits of 1 + 2^-13.
// RUN: %fake-cuda FAKE_CUDA_IMAGE=%t/default.ptx pit-run %s --target cuda --random normal
// RUN: %fake-cuda FAKE_CUDA_IMAGE=%t/run.ptx pit-run %s --target cuda --random normal --features=+ptx83 --f32-products=tf32
// RUN: pit-opt %s --pit-to-ptx="features=+ptx83 f32-products=tf32" | pit-translate --pit-to-ptx -o %t/opt.ptx
// RUN: diff %t/run.ptx %t/opt.ptx
// RUN: not diff %t/run.ptx %t/default.ptx | FileCheck %s --check-prefix=PTX
// PTX: < .version 8.3
// PTX: > .version 8.0
// RUN: %emulated-cuda pit-run %s --target cuda --random const:1.0001220703125 --print --f32-products tf32 | FileCheck %s --check-prefix=TF32
// RUN: %emulated-cuda pit-run %s --target cuda --random const:1.0001220703125 --print --f32-products tf32x3 | FileCheck %s --check-prefix=SIMT
// TF32: result 0: 64x64xf32 = 64 64 64
// SIMT: result 0: 64x64xf32 = 64.015625 64.015625

// RUN: %fake-cuda FAKE_CUDA_IMAGE=%t/long.ptx pit-run %examples/moe_shared_expert.mlir --target cuda --random normal@64x256 --random topk-gate:2@64x8 --random normal
// RUN: %fake-cuda FAKE_CUDA_IMAGE=%t/short.ptx pit-run %examples/moe_shared_expert.mlir --target cuda --random normal@64x256 --random topk-gate:2@64x8 --random normal --short-segments
// RUN: pit-opt %examples/moe_shared_expert.mlir --pit-to-ptx=short-segments | pit-translate --pit-to-ptx -o %t/opt.ptx
// RUN: diff %t/short.ptx %t/opt.ptx
// RUN: not diff %t/short.ptx %t/long.ptx > %t/diff

// A value that is none, and options of another target, are one line.
// RUN: not pit-run %s --finite=maybe 2>&1 | FileCheck %s --check-prefix=BOOL --implicit-check-not=error
// BOOL: {{^}}pit-run: error: --finite=maybe: expected true or false{{$}}
// RUN: not pit-run %s --strict=1 2>&1 | FileCheck %s --check-prefix=ONE --implicit-check-not=error
// ONE: {{^}}pit-run: error: --strict=1: expected true or false{{$}}
// RUN: not pit-run %s --f32-products f32 2>&1 | FileCheck %s --check-prefix=PRODUCTS --implicit-check-not=error
// PRODUCTS: {{^}}pit-run: error: --f32-products=f32: expected simt, tf32 or tf32x3{{$}}
// RUN: not pit-run %s --f32-products 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=error
// NONE: {{^}}pit-run: error: --f32-products needs a value, --f32-products=NAME{{$}}
// RUN: not pit-run %s "--features=+ptx83 strict=true" 2>&1 | FileCheck %s --check-prefix=FEATURES --implicit-check-not=error
// FEATURES: {{^}}pit-run: error: --features=+ptx83 strict=true: expected a PTX version, such as +ptx83{{$}}
// RUN: not %fake-cuda pit-run %s --target cuda --random normal --features +ptx50 2>&1 | FileCheck %s --check-prefix=OLD --implicit-check-not=error
// OLD: {{^}}pit-run: error: 'sm_90a' does not go with the features '+ptx50'; possible is one of: +ptx80, +ptx81
// RUN: not pit-run %s --target cpu --random normal --short-segments 2>&1 | FileCheck %s --check-prefix=CPU --implicit-check-not=error
// CPU: {{^}}pit-run: error: --short-segments is for target 'cuda'{{$}}
// RUN: not pit-run %s --random normal --features=+ptx83 2>&1 | FileCheck %s --check-prefix=AUTO --implicit-check-not=error
// AUTO: {{^}}pit-run: error: --features is for target 'cuda': no CUDA driver: PIT_CUDA_DRIVER is 'none'{{$}}
// RUN: not pit-run --load x.so --strict 2>&1 | FileCheck %s --check-prefix=LOAD --implicit-check-not=error
// LOAD: {{^}}pit-run: error: --strict needs the program's source, not --load{{$}}
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
