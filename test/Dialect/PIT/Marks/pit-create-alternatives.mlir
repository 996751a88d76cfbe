// RUN: pit-opt %s --split-input-file --pit-materialize-marks --pit-normalize --pit-create-alternatives --canonicalize --cse --remarks-filter=pit-selection 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: pit-opt %s --split-input-file --pit-materialize-marks --pit-normalize --pit-create-alternatives=least-us=0 | FileCheck %s --check-prefix=NONE
// RUN: pit-opt %s --split-input-file --pit-materialize-marks --pit-normalize --pit-create-alternatives=most=1 | FileCheck %s --check-prefix=ONE
// NONE-NOT: pit.alternative
// NONE: return

// The time of the product follows from the number of rows: 50 units of 1e-9 us for each of its points in f32. Threads
// compute it, so that it has to be longer than one of matrix units.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[A:.*]]: tensor<?x256xf32>, %[[LIVE:.*]]: tensor<?xi1>, %[[B:.*]]: tensor<256x512xf32>)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[UNITS:.*]] = arith.constant 6553600 : index
// CHECK-DAG: %[[MOST:.*]] = arith.constant 7500000000 : index
// CHECK: %[[M:.*]] = tensor.dim %[[A]], %[[C0]]
// CHECK: %[[TIME:.*]] = arith.muli %[[M]], %[[UNITS]]
// CHECK: %[[SHORT:.*]] = arith.cmpi ult, %[[TIME]], %[[MOST]]
// CHECK: pit.alternative @rows_dense if %[[SHORT]]
// CHECK: pit.sparse
// CHECK: linalg.generic
// Without its mark, what is dead is cleared in front of the product.
// CHECK-LABEL: func.func private @rows_dense
// CHECK-SAME: (%[[A:.*]]: tensor<?x256xf32>, %[[LIVE:.*]]: tensor<?xi1>, %[[B:.*]]: tensor<256x512xf32>) -> tensor<?x512xf32>
// CHECK-NOT: pit.sparse
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[A]], %[[LIVE]]
// CHECK: arith.select
// CHECK: linalg.generic
// CHECK: return
// ONE: pit.alternative @rows_dense
// REMARK: Function=rows
// REMARK-SAME: short inputs run a dense version
func.func @rows(%a: tensor<?x256xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
                %live: tensor<?xi1>, %b: tensor<256x512xf32>) -> tensor<?x512xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x256xf32>
  %e = tensor.empty(%m) : tensor<?x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x512xf32>) -> tensor<?x512xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x256xf32>, tensor<256x512xf32>) outs(%f : tensor<?x512xf32>) -> tensor<?x512xf32>
  return %c : tensor<?x512xf32>
}

// -----

// Two products of one list share its time. In bf16, a point is 4 units.
// CHECK-LABEL: func.func @two
// CHECK-DAG: arith.constant 10000000000 : index
// CHECK-DAG: arith.constant 262144 : index
// CHECK: pit.alternative @two_dense
// CHECK-LABEL: func.func private @two_dense
// ONE-LABEL: func.func @two
// ONE-NOT: pit.alternative
// ONE: return
func.func @two(%a: tensor<?x256xbf16> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
               %live: tensor<?xi1>, %b: tensor<256x256xbf16>) -> (tensor<?x256xf32>, tensor<?x256xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x256xbf16>
  %e = tensor.empty(%m) : tensor<?x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x256xf32>) -> tensor<?x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x256xbf16>, tensor<256x256xbf16>) outs(%f : tensor<?x256xf32>) -> tensor<?x256xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x256xbf16>, tensor<256x256xbf16>) outs(%f : tensor<?x256xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %x32 = arith.extf %x : bf16 to f32
    %y32 = arith.extf %y : bf16 to f32
    %p = arith.mulf %x32, %y32 : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x256xf32>
  return %c, %t : tensor<?x256xf32>, tensor<?x256xf32>
}

// -----

// Known extents are decided on by the compiler.
// CHECK-LABEL: func.func @known
// CHECK-NOT: pit.alternative
// CHECK: return
func.func @known(%a: tensor<64x256xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
                 %live: tensor<64xi1>, %b: tensor<256x512xf32>) -> tensor<64x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x256xf32>, tensor<256x512xf32>) outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %c : tensor<64x512xf32>
}

// -----

// Skipping k makes short products faster, too.
// CHECK-LABEL: func.func @depth
// CHECK-NOT: pit.alternative
// CHECK: return
func.func @depth(%a: tensor<?x256xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>}},
                 %b: tensor<256x512xf32>) -> tensor<?x512xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x256xf32>
  %e = tensor.empty(%m) : tensor<?x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x512xf32>) -> tensor<?x512xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x256xf32>, tensor<256x512xf32>) outs(%f : tensor<?x512xf32>) -> tensor<?x512xf32>
  return %c : tensor<?x512xf32>
}

// -----

// A row that a parameter says the number of: no argument has this extent.
// CHECK-LABEL: func.func @computed
// CHECK-NOT: pit.alternative
// CHECK: return
// REMARK: Function=computed
// REMARK-SAME: extents of products do not follow from those of arguments
// REMARK-SAME: short inputs are listed, too
func.func @computed(%a: tensor<?x256xf32>, %n: tensor<1xindex>, %live: tensor<?xi1>, %b: tensor<256x512xf32>) -> tensor<?x512xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.extract %n[%c0] : tensor<1xindex>
  %x = tensor.extract_slice %a[0, 0] [%m, 256] [1, 1] : tensor<?x256xf32> to tensor<?x256xf32>
  %marked = pit.sparse %x by(%live : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x256xf32>
  %e = tensor.empty(%m) : tensor<?x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x512xf32>) -> tensor<?x512xf32>
  %c = linalg.matmul ins(%marked, %b : tensor<?x256xf32>, tensor<256x512xf32>) outs(%f : tensor<?x512xf32>) -> tensor<?x512xf32>
  return %c : tensor<?x512xf32>
}

// -----

// Experts of which few rows need few: a product for all of them takes less than their lists, if their matrices are small. 2.5 us for each
// product, less .016 us in which 65,536 bytes are read.
// CHECK-LABEL: func.func @experts
// CHECK-DAG: arith.constant 2483616000 : index
// CHECK: pit.alternative @experts_dense
// CHECK-LABEL: func.func private @experts_dense
// CHECK-NOT: pit.sparse
// CHECK: return
func.func @experts(%x: tensor<?x64xbf16>, %gate: tensor<?x4xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 1 : i64}},
                   %w: tensor<4x64x128xbf16>) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %e = tensor.empty(%t) : tensor<?x4x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4x128xf32>) -> tensor<?x4x128xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(t, e, n, k) -> (t, k)>, affine_map<(t, e, n, k) -> (e, k, n)>, affine_map<(t, e, n, k) -> (t, e, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<?x64xbf16>, tensor<4x64x128xbf16>) outs(%f : tensor<?x4x128xf32>) {
  ^bb0(%p: bf16, %q: bf16, %o: f32):
    %p32 = arith.extf %p : bf16 to f32
    %q32 = arith.extf %q : bf16 to f32
    %m = arith.mulf %p32, %q32 : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x4x128xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(t, e, n) -> (t, e)>, affine_map<(t, e, n) -> (t, e, n)>, affine_map<(t, e, n) -> (t, e, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gate, %h : tensor<?x4xf32>, tensor<?x4x128xf32>) outs(%e : tensor<?x4x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<?x4x128xf32>
  %ye = tensor.empty(%t) : tensor<?x128xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x128xf32>) -> tensor<?x128xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, n, e) -> (t, e, n)>, affine_map<(t, n, e) -> (t, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%g : tensor<?x4x128xf32>) outs(%yf : tensor<?x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<?x128xf32>
  return %y : tensor<?x128xf32>
}

// -----

// Reading all of these takes longer than that.
// CHECK-LABEL: func.func @large_experts
// CHECK-NOT: pit.alternative
// CHECK: return
func.func @large_experts(%x: tensor<?x1024xbf16>, %gate: tensor<?x8xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 1 : i64}},
                         %w: tensor<8x1024x4096xbf16>) -> tensor<?x4096xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x1024xbf16>
  %e = tensor.empty(%t) : tensor<?x8x4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8x4096xf32>) -> tensor<?x8x4096xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(t, e, n, k) -> (t, k)>, affine_map<(t, e, n, k) -> (e, k, n)>, affine_map<(t, e, n, k) -> (t, e, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<?x1024xbf16>, tensor<8x1024x4096xbf16>) outs(%f : tensor<?x8x4096xf32>) {
  ^bb0(%p: bf16, %q: bf16, %o: f32):
    %p32 = arith.extf %p : bf16 to f32
    %q32 = arith.extf %q : bf16 to f32
    %m = arith.mulf %p32, %q32 : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x8x4096xf32>
  %ye = tensor.empty(%t) : tensor<?x4096xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, n, e) -> (t, e)>, affine_map<(t, n, e) -> (t, e, n)>, affine_map<(t, n, e) -> (t, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%gate, %h : tensor<?x8xf32>, tensor<?x8x4096xf32>) outs(%yf : tensor<?x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x4096xf32>
  return %y : tensor<?x4096xf32>
}

// -----

// CHECK-LABEL: func.func @branches
// CHECK-NOT: pit.alternative
// CHECK: return
// REMARK: Function=branches
// REMARK-SAME: the function has loops, branches or calls
func.func @branches(%a: tensor<?x256xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
                    %live: tensor<?xi1>, %b: tensor<256x512xf32>, %adds: i1) -> tensor<?x512xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x256xf32>
  %e = tensor.empty(%m) : tensor<?x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x512xf32>) -> tensor<?x512xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x256xf32>, tensor<256x512xf32>) outs(%f : tensor<?x512xf32>) -> tensor<?x512xf32>
  %r = scf.if %adds -> tensor<?x512xf32> {
    %s = linalg.add ins(%c, %c : tensor<?x512xf32>, tensor<?x512xf32>) outs(%e : tensor<?x512xf32>) -> tensor<?x512xf32>
    scf.yield %s : tensor<?x512xf32>
  } else {
    scf.yield %c : tensor<?x512xf32>
  }
  return %r : tensor<?x512xf32>
}
