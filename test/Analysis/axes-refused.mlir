// RUN: pit-opt %s --pit-annotate-axes --verify-diagnostics | FileCheck %s

// Every refusal says why, at the op.

// CHECK-LABEL: func @conv2d_nchw
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-SAME: pit.axes = ["parallel", "parallel", "refused: {{[^"]*}}", "refused: {{[^"]*}}", "reduction", "refused: {{[^"]*}}", "refused: {{[^"]*}}"]
func.func @conv2d_nchw(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %y: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  // expected-remark @below {{axis 2 refused: input #0 is indexed by 'd2 + d5', which is derived from the axis}}
  // expected-remark @below {{axis 3 refused: input #0 is indexed by 'd3 + d6', which is derived from the axis}}
  // expected-remark @below {{axis 5 refused: input #0 is indexed by 'd2 + d5', which is derived from the axis}}
  // expected-remark @below {{axis 6 refused: input #0 is indexed by 'd3 + d6', which is derived from the axis}}
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%y : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// Pooling: batch and channel are free, the windows are not, strided or not.
// CHECK-LABEL: func @pooling
// CHECK: linalg.pooling_nhwc_max
// CHECK-SAME: pit.axes = ["parallel", "refused: {{[^"]*}}", "refused: {{[^"]*}}", "parallel", "refused: {{[^"]*}}", "refused: {{[^"]*}}"]
func.func @pooling(%x: tensor<1x8x8x4xf32>, %w: tensor<2x2xf32>, %y: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  // expected-remark @below {{axis 1 refused: input #0 is indexed by 'd1 * 2 + d4'}}
  // expected-remark @below {{axis 2 refused: input #0 is indexed by 'd2 * 2 + d5'}}
  // expected-remark @below {{axis 4 refused: input #0 is indexed by 'd1 * 2 + d4'}}
  // expected-remark @below {{axis 5 refused: input #0 is indexed by 'd2 * 2 + d5'}}
  %0 = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x4xf32>, tensor<2x2xf32>) outs(%y : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// A causal mask knows both positions.
// CHECK-LABEL: func @index
// CHECK: pit.axes = ["parallel", "refused: the region reads 'linalg.index 1'", "refused: the region reads 'linalg.index 2'"]
func.func @index(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{axis 1 refused: the region reads 'linalg.index 1'}}
  // expected-remark @below {{axis 2 refused: the region reads 'linalg.index 2'}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%x : tensor<?x?x?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %1 = arith.select %later, %zero, %out : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// What is looked up by a place may not be compared by it, too, and what comes from inside is not looked up.
// CHECK-LABEL: func @lookup_and_more
// CHECK: pit.axes = ["refused: the region reads 'linalg.index 0'", "parallel"]
func.func @lookup_and_more(%t: tensor<8x6xf32>, %ids: tensor<8x4xindex>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : index
  // expected-remark @below {{axis 0 refused: the region reads 'linalg.index 0'}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<8x4xindex>) outs(%y : tensor<8x4xf32>) {
  ^bb0(%id: index, %out: f32):
    %i = linalg.index 0 : index
    %x = tensor.extract %t[%i, %id] : tensor<8x6xf32>
    %late = arith.cmpi ugt, %i, %c3 : index
    %1 = arith.select %late, %zero, %x : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func @subtract
// CHECK: pit.axes = ["parallel", "refused: combiner 'arith.subf' of output #0 is not known to be associative and commutative"]
func.func @subtract(%x: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  // expected-remark @below {{axis 1 refused: combiner 'arith.subf' of output #0 is not known to be associative and commutative}}
  %0 = linalg.reduce { arith.subf } ins(%x : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [1]
  return %0 : tensor<?xf32>
}

// acc * a + b: a linear recurrence.
func.func @scan(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{axis 0 refused: output #0 is accumulated by a mix of 'arith.mulf' and 'arith.addf'}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<f32>) {
  ^bb0(%ina: f32, %inb: f32, %acc: f32):
    %1 = arith.mulf %acc, %ina : f32
    %2 = arith.addf %1, %inb : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// The last one wins.
func.func @overwrite(%a: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{axis 0 refused: output #0 is overwritten, not accumulated}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<?xf32>) outs(%c : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    linalg.yield %in : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// acc + acc * x is no reduction of x.
func.func @accumulator_twice(%a: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{axis 0 refused: output #0 is not accumulated by one binary operation on its old value}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<?xf32>) outs(%c : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %1 = arith.mulf %acc, %in : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// argmax: which of several equal elements is found depends on the order.
func.func @argmax(%x: tensor<?xf32>, %m: tensor<f32>, %i: tensor<i64>) -> tensor<i64> {
  // expected-remark @below {{axis 0 refused: the region reads 'linalg.index 0'}}
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%m, %i : tensor<f32>, tensor<i64>) {
  ^bb0(%in: f32, %max: f32, %at: i64):
    %pos = linalg.index 0 : index
    %p = arith.index_cast %pos : index to i64
    %new = arith.maximumf %in, %max : f32
    %gt = arith.cmpf ogt, %in, %max : f32
    %1 = arith.select %gt, %p, %at : i64
    linalg.yield %new, %1 : f32, i64
  } -> (tensor<f32>, tensor<i64>)
  return %0#1 : tensor<i64>
}

// The second output adds what the first one held: it depends on the order,
// although both combiners are sums.
func.func @prefix(%x: tensor<?xf32>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{axis 0 refused: output #0 is not accumulated by one binary operation on its old value}}
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%a, %b : tensor<f32>, tensor<f32>) {
  ^bb0(%in: f32, %sum: f32, %sums: f32):
    %1 = arith.addf %sum, %in : f32
    %2 = arith.addf %sums, %1 : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}

// What goes into output #0 is the old value of output #1.
func.func @crossed(%x: tensor<?xf32>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{axis 0 refused: what is accumulated into output #0 depends on the old value of output #1}}
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%a, %b : tensor<f32>, tensor<f32>) {
  ^bb0(%in: f32, %p: f32, %q: f32):
    %1 = arith.addf %p, %q : f32
    linalg.yield %1, %in : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return %0#0 : tensor<f32>
}

// A mixed op: one output is reduced over the axis, the other keeps it.
func.func @output_keeps_axis(%x: tensor<?xf32>, %s: tensor<f32>, %y: tensor<?xf32>) -> tensor<f32> {
  // expected-remark @below {{axis 0 refused: output #1 is indexed by this reduction axis}}
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%s, %y : tensor<f32>, tensor<?xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %1 = arith.addf %sum, %in : f32
    linalg.yield %1, %in : f32, f32
  } -> (tensor<f32>, tensor<?xf32>)
  return %0#0 : tensor<f32>
}

// An axis called parallel that the output does not have.
func.func @parallel_missing(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  // expected-remark @below {{axis 1 refused: output #0 is not indexed by this parallel axis}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @floordiv
// CHECK: pit.axes = ["refused: {{[^"]*}}", "parallel"]
func.func @floordiv(%x: tensor<4x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{axis 0 refused: input #0 is indexed by 'd0 floordiv 2', which is derived from the axis}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0 floordiv 2, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%y : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// One operand may be plain and another one not.
func.func @mod(%x: tensor<2xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{axis 0 refused: input #0 is indexed by 'd0 mod 2', which is derived from the axis}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0 mod 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A permutation P of d0 permutes both dimensions of the operand alike: a[P i, P i]. Data packed through an index
// holds one coordinate per gathered element, so the axis is refused; the other axes of the op are not affected.
// CHECK-LABEL: func @diagonal
// CHECK: pit.axes = ["refused: {{[^"]*}}", "parallel"]
func.func @diagonal(%x: tensor<8x8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-remark @below {{axis 0 refused: input #0 is accessed along its diagonal: 'd0' indexes dimensions 0 and 1, while packed data is gathered along one dimension}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8x4xf32>) outs(%y : tensor<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

func.func @diagonal_output(%x: tensor<8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{axis 0 refused: output #0 is accessed along its diagonal}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%y : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

func.func @trace(%x: tensor<8x8xf32>, %s: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{axis 0 refused: input #0 is accessed along its diagonal}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8x8xf32>) outs(%s : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %1 = arith.addf %acc, %in : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// A side effect happens in the written order.
func.func @side_effect(%x: tensor<?xf32>, %y: tensor<?xf32>, %log: memref<f32>) -> tensor<?xf32> {
  // expected-remark @below {{axis 0 refused: the region has side effects ('memref.store')}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    memref.store %in, %log[] : memref<f32>
    linalg.yield %in : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// No signed wrap holds for the written order of partial sums only.
func.func @overflow_flags(%x: tensor<?xi32>, %s: tensor<i32>) -> tensor<i32> {
  // expected-remark @below {{axis 0 refused: combiner 'arith.addi' of output #0 may not be reordered: it carries overflow flags}}
  %0 = linalg.reduce { arith.addi {overflowFlags = #arith.overflow<nsw>} } ins(%x : tensor<?xi32>) outs(%s : tensor<i32>) dimensions = [0]
  return %0 : tensor<i32>
}

// Random filling is a function of the position.
func.func @fill_rng(%seed: i32, %min: f64, %max: f64, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-remark @below {{axis 0 refused: the region reads 'linalg.index 0'}}
  // expected-remark @below {{axis 1 refused: the region reads 'linalg.index 1'}}
  %0 = linalg.fill_rng_2d ins(%min, %max, %seed : f64, f64, i32) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
