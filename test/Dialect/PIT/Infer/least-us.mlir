// Lists of rows are kept for products that take as long as listing and packing cost. This one takes .105 us by threads, .0084 us by matrix units.
// RUN: pit-opt %s --split-input-file --pit-infer-marks --pit-normalize --pit-select-marks="rows=true least-us=.1" | FileCheck %s --check-prefix=KEPT
// RUN: pit-opt %s --split-input-file --pit-infer-marks --pit-normalize --pit-select-marks="rows=true least-us=.2" | FileCheck %s --check-prefix=DROPPED
// RUN: pit-opt %s --split-input-file --pit-infer-marks --pit-normalize --pit-select-marks="rows=false least-us=.2" | FileCheck %s --check-prefix=CPU
// RUN: pit-opt %s --split-input-file --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// KEPT-LABEL: func.func @of_threads
// KEPT: pit.sparse
// KEPT-LABEL: func.func @of_matrix_units
// KEPT-NOT: pit.sparse
// KEPT-LABEL: func.func @unknown
// KEPT: pit.sparse
// DROPPED-LABEL: func.func @of_threads
// DROPPED-NOT: pit.sparse
// DROPPED-LABEL: func.func @unknown
// DROPPED: pit.sparse
// CPU-COUNT-3: pit.sparse
// EXPLAIN: its products take less time than to list rows and to pack them does; a written mark is followed
func.func @of_threads(%x: tensor<512x64xf32>, %w: tensor<64x64xf32>, %live: tensor<512xi1>) -> tensor<512x64xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x64xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<512x64xf32>, tensor<64x64xf32>) outs(%z : tensor<512x64xf32>) -> tensor<512x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%live, %p : tensor<512xi1>, tensor<512x64xf32>) outs(%e : tensor<512x64xf32>) {
  ^bb0(%l: i1, %a: f32, %o: f32):
    %s = arith.select %l, %a, %c0 : f32
    linalg.yield %s : f32
  } -> tensor<512x64xf32>
  return %r : tensor<512x64xf32>
}

// -----

func.func @of_matrix_units(%x: tensor<512x64xbf16>, %w: tensor<64x64xbf16>, %live: tensor<512xi1>) -> tensor<512x64xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x64xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%z : tensor<512x64xf32>) -> tensor<512x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%live, %p : tensor<512xi1>, tensor<512x64xf32>) outs(%e : tensor<512x64xf32>) {
  ^bb0(%l: i1, %a: f32, %o: f32):
    %s = arith.select %l, %a, %c0 : f32
    linalg.yield %s : f32
  } -> tensor<512x64xf32>
  return %r : tensor<512x64xf32>
}

// -----

func.func @unknown(%x: tensor<?x64xf32>, %w: tensor<64x64xf32>, %live: tensor<?xi1>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %d = tensor.dim %x, %i0 : tensor<?x64xf32>
  %e = tensor.empty(%d) : tensor<?x64xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x64xf32>) outs(%z : tensor<?x64xf32>) -> tensor<?x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%live, %p : tensor<?xi1>, tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%l: i1, %a: f32, %o: f32):
    %s = arith.select %l, %a, %c0 : f32
    linalg.yield %s : f32
  } -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
