// GPUs have kernels of listed rows for all types. What else may be skipped, they skip in products of 16 bits; the rest stays dense.
// RUN: pit-opt %s --split-input-file --pit-materialize-marks --convert-linalg-to-pit=kernels=true -o %t
// RUN: FileCheck %s < %t
// RUN: pit-opt %s --split-input-file --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: pit-opt %s --split-input-file --pit-to-ptx="chip=sm_90a dense-variants=false" --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALWAYS

// CHECK-LABEL: func.func @columns_f32
// CHECK-NOT: pit.generic
// CHECK: linalg.matmul
// EXPLAIN: linalg.matmul in @columns_f32
// EXPLAIN: - rules computed densely
// EXPLAIN: a GPU has kernels that skip along rows alone in such a product
// EXPLAIN: dense GEMM, Instructions fma of threads
// ALWAYS: linalg.matmul in @columns_f32
// ALWAYS: + rules visits only what is live
func.func @columns_f32(%a: tensor<64x128xf32>, %b: tensor<128x256xf32> {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 1>, absent = "zero"}},
                       %live: tensor<256xi1>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %c : tensor<64x256xf32>
}

// -----

// CHECK-LABEL: func.func @rows_f32
// CHECK: pit.generic
func.func @rows_f32(%a: tensor<64x128xf32> {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0>, absent = "zero"}}, %b: tensor<128x256xf32>,
                    %live: tensor<64xi1>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %c : tensor<64x256xf32>
}

// -----

// CHECK-LABEL: func.func @blocks_bf16
// CHECK: pit.generic
func.func @blocks_bf16(%a: tensor<64x128xbf16> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", granularity = array<i64: 32, 64>}},
                       %b: tensor<128x256xbf16>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xbf16>, tensor<128x256xbf16>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %c : tensor<64x256xf32>
}

// -----

// To look for zeros takes as long as to add everything up.
// CHECK-LABEL: func.func @sum
// CHECK-NOT: pit.generic
// CHECK: linalg.generic
func.func @sum(%a: tensor<64x128xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", granularity = array<i64: 1, 16>}}) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x128xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

// Two lists of columns behind each other, with an elementwise op between: what stands between dense products is dense.
// CHECK-LABEL: func.func @between
// CHECK-NOT: pit.generic
// CHECK: return
func.func @between(%a: tensor<64x128xf32>, %b: tensor<128x256xf32> {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 1>, absent = "zero"}},
                   %live: tensor<256xi1>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.tanh %x : f32
    linalg.yield %s : f32
  } -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}

// -----

// Columns have no kernel in any type.
// CHECK-LABEL: func.func @columns_bf16
// CHECK-NOT: pit.generic
// CHECK: linalg.matmul
func.func @columns_bf16(%a: tensor<64x128xbf16>, %b: tensor<128x256xbf16> {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 1>, absent = "zero"}},
                        %live: tensor<256xi1>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xbf16>, tensor<128x256xbf16>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %c : tensor<64x256xf32>
}
