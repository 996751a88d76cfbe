// What is looked up at the places of loops is an operand; comparisons that extents decide are decided.
// RUN: pit-opt %s --pit-normalize | FileCheck %s

// A broadcast of a mask as exporters write it.
// CHECK-LABEL: func.func @broadcast
// CHECK-NOT: tensor.extract
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<4x128xi1>)
// CHECK-NOT: cmpi
func.func @broadcast(%m: tensor<4x128xi1>) -> tensor<4x64x128xi1> {
  %eb = tensor.empty() : tensor<4xi64>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%eb : tensor<4xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i64
    linalg.yield %c : i64
  } -> tensor<4xi64>
  %e = tensor.empty() : tensor<4x64x128xi1>
  %r = linalg.generic {indexing_maps = [affine_map<(b, q, k) -> (b)>, affine_map<(b, q, k) -> (b, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<4xi64>) outs(%e : tensor<4x64x128xi1>) {
  ^bb0(%a: i64, %o: i1):
    %c0 = arith.constant 0 : i64
    %c4 = arith.constant 4 : i64
    %negative = arith.cmpi slt, %a, %c0 : i64
    %wrapped = arith.addi %a, %c4 : i64
    %s = arith.select %negative, %wrapped, %a : i64
    %i = arith.index_cast %s : i64 to index
    %in = arith.cmpi slt, %s, %c4 : i64
    cf.assert %in, "index must be smaller than dim size"
    %k = linalg.index 2 : index
    %x = tensor.extract %m[%i, %k] : tensor<4x128xi1>
    linalg.yield %x : i1
  } -> tensor<4x64x128xi1>
  return %r : tensor<4x64x128xi1>
}

// Positions from the first one on, or behind some, are a part of the table. What ends behind it, and places that data
// says, stay.
// CHECK-LABEL: func.func @part
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[0] [64] [1]
// CHECK: return %[[PART]]
// CHECK-LABEL: func.func @behind
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[2] [64] [1]
// CHECK: return %[[PART]]
// CHECK-LABEL: func.func @beyond
// CHECK: tensor.extract %
// CHECK-LABEL: func.func @data
// CHECK: tensor.extract %
func.func @part(%m: tensor<128xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %x = tensor.extract %m[%i] : tensor<128xf32>
    linalg.yield %x : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @behind(%m: tensor<128xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %c = arith.constant 2 : i64
    %n = arith.index_cast %i : index to i64
    %s = arith.addi %n, %c : i64
    %j = arith.index_cast %s : i64 to index
    %x = tensor.extract %m[%j] : tensor<128xf32>
    linalg.yield %x : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @beyond(%m: tensor<128xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %c = arith.constant 65 : i64
    %n = arith.index_cast %i : index to i64
    %s = arith.addi %n, %c : i64
    %j = arith.index_cast %s : i64 to index
    %x = tensor.extract %m[%j] : tensor<128xf32>
    linalg.yield %x : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @data(%m: tensor<128xf32>, %ids: tensor<64xi64>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%ids : tensor<64xi64>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: i64, %o: f32):
    %i = arith.index_cast %a : i64 to index
    %x = tensor.extract %m[%i] : tensor<128xf32>
    linalg.yield %x : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// Behind a reshape that joins sequences and heads, the place is a sum of both: it is looked up in front of it.
// CHECK-LABEL: func.func @joined(
// CHECK: %[[B:.*]] = linalg.index 0
// CHECK-NEXT: %[[H:.*]] = linalg.index 1
// CHECK-NEXT: %[[Q:.*]] = linalg.index 2
// CHECK: tensor.extract %arg0[%[[B]], %[[H]], %[[Q]], %{{.*}}] : tensor<2x4x8x6xf32>
func.func @joined(%t: tensor<2x4x8x6xf32>, %ids: tensor<8x8xi64>) -> tensor<2x4x8x8xf32> {
  %c = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x4x8x6xf32> into tensor<8x8x6xf32>
  %e = tensor.empty() : tensor<2x4x8x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, q, k) -> (q, k)>, affine_map<(b, h, q, k) -> (b, h, q, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%ids : tensor<8x8xi64>) outs(%e : tensor<2x4x8x8xf32>) {
  ^bb0(%id: i64, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %q = linalg.index 2 : index
    %bh = affine.apply affine_map<(b, h) -> (b * 4 + h)>(%b, %h)
    %i = arith.index_cast %id : i64 to index
    %x = tensor.extract %c[%bh, %q, %i] : tensor<8x8x6xf32>
    linalg.yield %x : f32
  } -> tensor<2x4x8x8xf32>
  return %r : tensor<2x4x8x8xf32>
}

// The op is still one of joined heads, and what it reads them of is expanded: as exporters write it.
// CHECK-LABEL: func.func @joined_by_ops
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : tensor<2x4x8x6xf32>
func.func @joined_by_ops(%t: tensor<2x4x8x6xf32>, %ids: tensor<8x8xi64>, %mask: tensor<2x8xi1>) -> tensor<2x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x4x8x6xf32> into tensor<8x8x6xf32>
  %e = tensor.empty() : tensor<8x8x8xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(n, q, k) -> (q, k)>, affine_map<(n, q, k) -> (n, q, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<8x8xi64>) outs(%e : tensor<8x8x8xf32>) {
  ^bb0(%id: i64, %o: f32):
    %n = linalg.index 0 : index
    %q = linalg.index 1 : index
    %i = arith.index_cast %id : i64 to index
    %x = tensor.extract %c[%n, %q, %i] : tensor<8x8x6xf32>
    linalg.yield %x : f32
  } -> tensor<8x8x8xf32>
  %h = tensor.expand_shape %g [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
  %s = tensor.empty() : tensor<2x4x8x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, q, k) -> (b, k)>, affine_map<(b, h, q, k) -> (b, h, q, k)>, affine_map<(b, h, q, k) -> (b, h, q, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%mask, %h : tensor<2x8xi1>, tensor<2x4x8x8xf32>) outs(%s : tensor<2x4x8x8xf32>) {
  ^bb0(%m: i1, %x: f32, %o: f32):
    %y = arith.select %m, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<2x4x8x8xf32>
  return %r : tensor<2x4x8x8xf32>
}

// The number of sequences need not be known.
// CHECK-LABEL: func.func @joined_unknown(
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}, %{{.*}}] : tensor<?x4x6xf32>
func.func @joined_unknown(%t: tensor<?x4x6xf32>, %ids: tensor<?x4xi64>) -> tensor<?x4xf32> {
  %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x4x6xf32> into tensor<?x6xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?x4x6xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h) -> (b, h)>, affine_map<(b, h) -> (b, h)>],
      iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<?x4xi64>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%id: i64, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %bh = affine.apply affine_map<(b, h) -> (h + b * 4)>(%b, %h)
    %i = arith.index_cast %id : i64 to index
    %x = tensor.extract %c[%bh, %i] : tensor<?x6xf32>
    linalg.yield %x : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// Another stride, a part of the heads, and places with something added to them, are other elements.
// CHECK-LABEL: func.func @other_stride
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x6xf32>
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x6xf32>
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x6xf32>
func.func @other_stride(%t: tensor<2x4x6xf32>, %ids: tensor<2x3xi64>) -> tensor<2x3xf32> {
  %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x4x6xf32> into tensor<8x6xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h) -> (b, h)>, affine_map<(b, h) -> (b, h)>],
      iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<2x3xi64>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%id: i64, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = arith.index_cast %id : i64 to index
    %at3 = affine.apply affine_map<(b, h) -> (b * 3 + h)>(%b, %h)
    %x = tensor.extract %c[%at3, %i] : tensor<8x6xf32>
    %at4 = affine.apply affine_map<(b, h) -> (b * 4 + h)>(%b, %h)
    %y = tensor.extract %c[%at4, %i] : tensor<8x6xf32>
    %next = affine.apply affine_map<(b, h) -> (b * 4 + h + 1)>(%b, %h)
    %z = tensor.extract %c[%next, %i] : tensor<8x6xf32>
    %xy = arith.addf %x, %y : f32
    %xyz = arith.addf %xy, %z : f32
    linalg.yield %xyz : f32
  } -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// One sequence: extents of 1 say nothing, in a collapse and in an expansion.
// CHECK-LABEL: func.func @one_sequence
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}] : tensor<4x6xf32>
func.func @one_sequence(%t: tensor<4x6xf32>, %ids: tensor<4xi64>) -> tensor<4xf32> {
  %x1 = tensor.expand_shape %t [[0, 1], [2]] output_shape [1, 4, 6] : tensor<4x6xf32> into tensor<1x4x6xf32>
  %c = tensor.collapse_shape %x1 [[0, 1], [2]] : tensor<1x4x6xf32> into tensor<4x6xf32>
  %back = tensor.expand_shape %c [[0, 1], [2]] output_shape [1, 4, 6] : tensor<4x6xf32> into tensor<1x4x6xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h) -> (h)>, affine_map<(h) -> (h)>],
      iterator_types = ["parallel"]} ins(%ids : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%id: i64, %o: f32):
    %c0 = arith.constant 0 : index
    %h = linalg.index 0 : index
    %i = arith.index_cast %id : i64 to index
    %x = tensor.extract %back[%c0, %h, %i] : tensor<1x4x6xf32>
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
