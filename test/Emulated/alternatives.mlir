// Few rows run a dense version, many are listed: the host chooses in each call, and both are what the dense program computes.
// REQUIRES: numpy
// UNSUPPORTED: sanitizer
// DEFINE: %{run} = %emulated-cuda EMULATED_CUDA_TRACE=1 %pit-python %t %numpy-python %S/compared.py %s --options least-us=0.01
// RUN: %{run} --entry rows --unknown 2,200,0,2,200 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: %{run} --entry layer --unknown 1,20,0,1,20 --error 1e-2 2>&1 | FileCheck %s --check-prefix=LAYER
// RUN: %emulated-cuda EMULATED_CUDA_TRACE=1 pit-run %s --target=cuda --chip=sm_80 --entry=rows --random=normal@100x64 --random=bool:0.3@100 --random=normal --check --quiet 2>&1 | FileCheck %s
// Experts: of few tokens, all experts compute all of them.
// RUN: %emulated-cuda EMULATED_CUDA_TRACE=1 pit-run %examples/moe_dense_einsum_bf16.mlir --target=cuda --chip=sm_90a --random=normal@5x256 --random=topk-gate:2@5x8 --random=normal:0.05 --check --quiet 2>&1 | FileCheck %s --check-prefix=EXPERTS
// EXPERTS-NOT: launch: main_{{detect|list|sum}}
// EXPERTS: launch: main_dense_contraction
// EXPERTS: check: result 0: {{agrees|bit-identical}}
// All of them unknown: versions of a version.
// RUN: %emulated-cuda EMULATED_CUDA_TRACE=1 pit-run %s --target=cuda --chip=sm_90a --entry=all --random=normal@37x40 --random=bool:0.4@37 --random=normal@40x33 --check --quiet 2>&1 | FileCheck %s --check-prefix=ALL
// ALL-COUNT-1: launch: all_dense_contraction
// ALL-NOT: launch: all_
// ALL: check: result 0: {{agrees|bit-identical}}

// ROWS: unknown: 2
// ROWS-NOT: launch: rows_{{detect|list|contraction}}
// ROWS: launch: rows_dense_contraction
// ROWS-NOT: launch: rows_{{detect|list|contraction}}
// ROWS: result 0: as dense
// ROWS: unknown: 200
// ROWS-NOT: launch: rows_dense
// ROWS: launch: rows_detect
// ROWS-NOT: launch: rows_dense
// ROWS: launch: rows_contraction
// ROWS-NOT: launch: rows_dense
// ROWS: result 0: as dense
// ROWS: unknown: 0
// ROWS: result 0: as dense
// ROWS: unknown: 2
// ROWS: launch: rows_dense_contraction
// ROWS: result 0: as dense
// ROWS: unknown: 200
// ROWS: launch: rows_contraction
// ROWS: result 0: as dense

// LAYER: unknown: 1
// LAYER: launch: layer_dense_contraction
// LAYER: result 0: as dense
// LAYER-NEXT: result 1: as dense
// LAYER: unknown: 20
// LAYER: launch: layer_detect
// LAYER: launch: layer_contraction
// LAYER-COUNT-2: as dense
// LAYER: unknown: 0
// LAYER-COUNT-2: as dense
// LAYER: unknown: 1
// LAYER-COUNT-2: as dense
// LAYER: unknown: 20
// LAYER-COUNT-2: as dense

// CHECK: launch: rows_dense_contraction
// CHECK: check: result 0: {{agrees|bit-identical}}

func.func @rows(%a: tensor<?x64xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
                %live: tensor<?xi1>, %b: tensor<64x128xf32>) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x128xf32>) outs(%f : tensor<?x128xf32>) -> tensor<?x128xf32>
  return %c : tensor<?x128xf32>
}

// Two results, one of them through a buffer of its own.
#in = affine_map<(b, s, n, k) -> (b, s, k)>
#weight = affine_map<(b, s, n, k) -> (k, n)>
#out = affine_map<(b, s, n, k) -> (b, s, n)>
#all = affine_map<(b, s, n) -> (b, s, n)>
func.func @layer(%x: tensor<?x?x64xbf16> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, absent = "zero"}},
                 %lengths: tensor<?xi32>, %w1: tensor<64x128xbf16>, %w2: tensor<128x64xbf16>) -> (tensor<?x?x64xf32>, tensor<?x?x128xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zero16 = arith.constant 0.0 : bf16
  %b = tensor.dim %x, %c0 : tensor<?x?x64xbf16>
  %s = tensor.dim %x, %c1 : tensor<?x?x64xbf16>
  %e1 = tensor.empty(%b, %s) : tensor<?x?x128xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x?x128xf32>) -> tensor<?x?x128xf32>
  %h1 = linalg.generic {indexing_maps = [#in, #weight, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<?x?x64xbf16>, tensor<64x128xbf16>) outs(%f1 : tensor<?x?x128xf32>) {
  ^bb0(%p: bf16, %q: bf16, %o: f32):
    %p32 = arith.extf %p : bf16 to f32
    %q32 = arith.extf %q : bf16 to f32
    %t = arith.mulf %p32, %q32 : f32
    %u = arith.addf %o, %t : f32
    linalg.yield %u : f32
  } -> tensor<?x?x128xf32>
  %e2 = tensor.empty(%b, %s) : tensor<?x?x128xbf16>
  %h = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h1 : tensor<?x?x128xf32>) outs(%e2 : tensor<?x?x128xbf16>) {
  ^bb0(%p: f32, %o: bf16):
    %r = arith.maximumf %p, %zero : f32
    %r16 = arith.truncf %r : f32 to bf16
    linalg.yield %r16 : bf16
  } -> tensor<?x?x128xbf16>
  %e3 = tensor.empty(%b, %s) : tensor<?x?x64xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %y = linalg.generic {indexing_maps = [#in, #weight, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%h, %w2 : tensor<?x?x128xbf16>, tensor<128x64xbf16>) outs(%f3 : tensor<?x?x64xf32>) {
  ^bb0(%p: bf16, %q: bf16, %o: f32):
    %p32 = arith.extf %p : bf16 to f32
    %q32 = arith.extf %q : bf16 to f32
    %t = arith.mulf %p32, %q32 : f32
    %u = arith.addf %o, %t : f32
    linalg.yield %u : f32
  } -> tensor<?x?x64xf32>
  return %y, %h : tensor<?x?x64xf32>, tensor<?x?x128xbf16>
}

func.func @all(%a: tensor<?x?xf16> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
               %live: tensor<?xi1>, %b: tensor<?x?xf16>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf16>
  %n = tensor.dim %b, %c1 : tensor<?x?xf16>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
