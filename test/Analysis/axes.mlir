// RUN: pit-opt %s --pit-annotate-axes 2>/dev/null | FileCheck %s

// One entry per iteration axis, in order. Nothing here depends on an op's name.

// CHECK-LABEL: func @matmul
// CHECK: linalg.matmul {pit.axes = ["parallel", "parallel", "reduction"]}
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Mixed precision casts what comes in; the combiner is the same.
// CHECK-LABEL: func @matmul_f16
// CHECK: linalg.matmul {pit.axes = ["parallel", "parallel", "reduction"]}
func.func @matmul_f16(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x4xf16>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func @matmul_int
// CHECK: linalg.matmul {pit.axes = ["parallel", "parallel", "reduction"]}
func.func @matmul_int(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x4xi8>) outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// CHECK-LABEL: func @matmul_complex
// CHECK: linalg.matmul {pit.axes = ["parallel", "parallel", "reduction"]}
func.func @matmul_complex(%a: tensor<4x8xcomplex<f32>>, %b: tensor<8x4xcomplex<f32>>, %c: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xcomplex<f32>>, tensor<8x4xcomplex<f32>>) outs(%c : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  return %0 : tensor<4x4xcomplex<f32>>
}

// Buffers have axes too.
// CHECK-LABEL: func @matmul_memref
// CHECK: linalg.matmul {pit.axes = ["parallel", "parallel", "reduction"]}
func.func @matmul_memref(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// CHECK-LABEL: func @batch_matmul
// CHECK: linalg.batch_matmul {pit.axes = ["parallel", "parallel", "parallel", "reduction"]}
func.func @batch_matmul(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %c: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%c : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// Y[t, d] = sum over e, f: every axis of a mixture-of-experts contraction.
// CHECK-LABEL: func @contract
// CHECK: linalg.contract
// CHECK-SAME: pit.axes = ["parallel", "parallel", "reduction", "reduction"]
func.func @contract(%a: tensor<4x2x8xf32>, %b: tensor<2x8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.contract
    indexing_maps = [affine_map<(t, d, e, f) -> (t, e, f)>, affine_map<(t, d, e, f) -> (e, f, d)>, affine_map<(t, d, e, f) -> (t, d)>]
    ins(%a, %b : tensor<4x2x8xf32>, tensor<2x8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK-LABEL: func @reduce_sum
// CHECK: linalg.reduce
// CHECK: pit.axes = ["parallel", "reduction"]
func.func @reduce_sum(%x: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [1]
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @reduce_max
// CHECK: linalg.reduce
// CHECK: pit.axes = ["reduction", "parallel"]
func.func @reduce_max(%x: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [0]
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @reduce_min_int
// CHECK: linalg.reduce
// CHECK: pit.axes = ["parallel", "reduction"]
func.func @reduce_min_int(%x: tensor<?x?xi32>, %c: tensor<?xi32>) -> tensor<?xi32> {
  %0 = linalg.reduce { arith.minsi } ins(%x : tensor<?x?xi32>) outs(%c : tensor<?xi32>) dimensions = [1]
  return %0 : tensor<?xi32>
}

// CHECK-LABEL: func @reduce_any
// CHECK: linalg.reduce
// CHECK: pit.axes = ["parallel", "reduction"]
func.func @reduce_any(%x: tensor<?x?xi1>, %c: tensor<?xi1>) -> tensor<?xi1> {
  %0 = linalg.reduce { arith.ori } ins(%x : tensor<?x?xi1>) outs(%c : tensor<?xi1>) dimensions = [1]
  return %0 : tensor<?xi1>
}

// CHECK-LABEL: func @elementwise
// CHECK: linalg.add {pit.axes = ["parallel", "parallel"]}
// CHECK: linalg.exp {pit.axes = ["parallel", "parallel"]}
// CHECK: linalg.map
// CHECK: pit.axes = ["parallel", "parallel"]
// CHECK: linalg.fill {pit.axes = ["parallel", "parallel"]}
func.func @elementwise(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = linalg.add ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.exp ins(%0 : tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = linalg.map { arith.mulf } ins(%1, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%x : tensor<?x?xf32>)
  %zero = arith.constant 0.0 : f32
  %3 = linalg.fill ins(%zero : f32) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func @transpose
// CHECK: linalg.transpose
// CHECK-SAME: pit.axes = ["parallel", "parallel", "parallel"]
func.func @transpose(%x: tensor<2x3x4xf32>, %y: tensor<4x2x3xf32>) -> tensor<4x2x3xf32> {
  %0 = linalg.transpose ins(%x : tensor<2x3x4xf32>) outs(%y : tensor<4x2x3xf32>) permutation = [2, 0, 1]
  return %0 : tensor<4x2x3xf32>
}

// CHECK-LABEL: func @broadcast
// CHECK: linalg.broadcast
// CHECK-SAME: pit.axes = ["parallel", "parallel"]
func.func @broadcast(%x: tensor<3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.broadcast ins(%x : tensor<3xf32>) outs(%y : tensor<2x3xf32>) dimensions = [0]
  return %0 : tensor<2x3xf32>
}

// Two outputs, two combiners, independent of each other.
// CHECK-LABEL: func @sum_and_max
// CHECK: pit.axes = ["parallel", "reduction"]
func.func @sum_and_max(%x: tensor<?x?xf32>, %s: tensor<?xf32>, %m: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%s, %m : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%in: f32, %sum: f32, %max: f32):
    %1 = arith.addf %sum, %in : f32
    %2 = arith.maximumf %in, %max : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// acc + a + b is still a sum.
// CHECK-LABEL: func @chained_sum
// CHECK: pit.axes = ["reduction"]
func.func @chained_sum(%x: tensor<?xf32>, %y: tensor<?xf32>, %s: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
      iterator_types = ["reduction"]}
      ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%s : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %1 = arith.addf %acc, %a : f32
    %2 = arith.addf %b, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// A constant position in a map uses no axis.
// CHECK-LABEL: func @constant_position
// CHECK: pit.axes = ["parallel"]
func.func @constant_position(%x: tensor<?x1xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0, 0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?x1xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// A table look-up by value: the region does not know where it is.
// CHECK-LABEL: func @embedding
// CHECK: pit.axes = ["parallel"]
func.func @embedding(%ids: tensor<?xi64>, %table: tensor<100xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%ids : tensor<?xi64>) outs(%y : tensor<?xf32>) {
  ^bb0(%in: i64, %out: f32):
    %i = arith.index_cast %in : i64 to index
    %v = tensor.extract %table[%i] : tensor<100xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
