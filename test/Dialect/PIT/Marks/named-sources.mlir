// Marks whose patterns the program computes, and patterns of numbers.
// RUN: pit-opt %s --pit-materialize-marks -split-input-file | FileCheck %s

#id = affine_map<(i) -> (i)>

// A result of the name, whichever of several; no name is left.
// CHECK-LABEL: func @op
// CHECK-NOT: pit.source
func.func @op(%x: tensor<4x8xf32>, %n: tensor<4xi64>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[R:.*]]:2 = linalg.generic
  %zero = arith.constant 0 : i64
  %t = tensor.empty() : tensor<4xi1>
  %i = tensor.empty() : tensor<4xi64>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%n : tensor<4xi64>)
      outs(%i, %t : tensor<4xi64>, tensor<4xi1>) attrs = {pit.source = ["", "live"]} {
  ^bb0(%a: i64, %o: i64, %p: i1):
    %c = arith.cmpi sgt, %a, %zero : i64
    linalg.yield %a, %c : i64, i1
  } -> (tensor<4xi64>, tensor<4xi1>)
  // CHECK: %[[E:.*]] = linalg.exp ins
  // CHECK-NEXT: %[[S:.*]] = pit.sparse %[[E]] by(%[[R]]#1 : tensor<4xi1>) <kind = mask, axes = [0], absent = undef> {pit.live = 2.500000e-01 : f64}
  // CHECK-NEXT: return %[[S]]
  %y = linalg.exp {pit.sparse = {source = "mask", from = "live", axes = array<i64: 0>, absent = "undef", live = 0.25}}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Lengths that are computed stay as they are.
// CHECK-LABEL: func @lengths
// CHECK: %[[L:.*]] = tensor.collapse_shape
// CHECK-NEXT: %[[E:.*]] = linalg.exp ins
// CHECK-NEXT: pit.sparse %[[E]] by(%[[L]] : tensor<4xi8>) <kind = lengths, axes = [0, 1]>
func.func @lengths(%x: tensor<4x8xf32>, %n: tensor<4x1xi8>) -> tensor<4x8xf32> {
  %l = tensor.collapse_shape %n [[0, 1]] {pit.source = "lengths"} : tensor<4x1xi8> into tensor<4xi8>
  %y = linalg.exp {pit.sparse = {source = "lengths", from = "lengths", axes = array<i64: 0, 1>}}
      ins(%x : tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A source that is marked is what its mark makes of it; an op may be its own.
// CHECK-LABEL: func @chain
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[G:.*]]: tensor<4x8xf32>)
// CHECK: %[[A:.*]] = linalg.exp ins(%[[G]]
// CHECK-NEXT: %[[SA:.*]] = pit.sparse %[[A]] by(%[[A]] : tensor<4x8xf32>) <kind = routing, axes = [0, 1]>
// CHECK-NEXT: %[[B:.*]] = linalg.exp ins(%[[X]]
// CHECK-NEXT: pit.sparse %[[B]] by(%[[SA]] : tensor<4x8xf32>) <kind = routing, axes = [0, 1]>
func.func @chain(%x: tensor<4x8xf32>, %g: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = linalg.exp {pit.source = "gate", pit.sparse = {source = "routing", from = "gate", axes = array<i64: 0, 1>}}
      ins(%g : tensor<4x8xf32>) outs(%g : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.exp {pit.sparse = {source = "routing", from = "gate", axes = array<i64: 0, 1>}}
      ins(%x : tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// -----

// Its own numbers as a mask.
// CHECK-LABEL: func @own
// CHECK: %[[A:.*]] = linalg.exp ins
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<?x8xf32>) outs(%{{.*}} : tensor<?x8xi1>)
// CHECK: arith.cmpf une
// CHECK: %[[S:.*]] = pit.sparse %[[A]] by(%[[T]] : tensor<?x8xi1>) <kind = mask, axes = [0, 1]>
// CHECK-NEXT: return %[[S]]
func.func @own(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %a = linalg.exp {pit.source = "own", pit.sparse = {source = "mask", from = "own", axes = array<i64: 0, 1>}}
      ins(%x : tensor<?x8xf32>) outs(%x : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %a : tensor<?x8xf32>
}

// -----

// The mark of an argument stands in front of what reads it; its source is moved there.
// CHECK-LABEL: func @argument
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[N:.*]]: tensor<4x8xi1>,
// CHECK: %[[F:.*]] = linalg.fill
// CHECK: %[[M:.*]] = linalg.reduce { arith.ori } ins(%[[N]]
// CHECK: %[[S:.*]] = pit.sparse %[[X]] by(%[[M]] : tensor<4xi1>) <kind = mask, axes = [0]>
// CHECK: %[[Y:.*]] = linalg.exp ins(%[[S]]
// CHECK: return %[[Y]], %[[S]]
func.func @argument(%x: tensor<4x8xf32> {pit.sparse = {source = "mask", from = "any", axes = array<i64: 0>}},
                    %n: tensor<4x8xi1>, %e: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %y = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %false = arith.constant false
  %t = tensor.empty() : tensor<4xi1>
  %f = linalg.fill ins(%false : i1) outs(%t : tensor<4xi1>) -> tensor<4xi1>
  %m = linalg.reduce {arith.ori} ins(%n : tensor<4x8xi1>) outs(%f : tensor<4xi1>) dimensions = [1] {pit.source = "any"}
  return %y, %x : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Arguments that are read from such an argument come behind it.
// CHECK-LABEL: func @argument_of_argument
// CHECK-SAME: (%[[W:.*]]: tensor<4x8xf32>, %[[X:.*]]: tensor<4xf32>, %[[N:.*]]: tensor<4x1xi1>,
// CHECK: %[[M:.*]] = tensor.collapse_shape %[[N]]
// CHECK-NEXT: %[[S:.*]] = pit.sparse %[[X]] by(%[[M]] : tensor<4xi1>)
// CHECK-NEXT: %[[R:.*]] = pit.sparse %[[W]] by(%[[S]] : tensor<4xf32>) <kind = routing, axes = [0]>
// CHECK: linalg.exp ins(%[[R]]
func.func @argument_of_argument(%w: tensor<4x8xf32> {pit.sparse = {source = "routing", from = 1 : i64, axes = array<i64: 0>}},
                                %x: tensor<4xf32> {pit.sparse = {source = "mask", from = "live", axes = array<i64: 0>}},
                                %n: tensor<4x1xi1>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = linalg.exp ins(%w : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = tensor.collapse_shape %n [[0, 1]] {pit.source = "live"} : tensor<4x1xi1> into tensor<4xi1>
  return %y : tensor<4x8xf32>
}

// -----

// Numbers as masks: two marks share one comparison, which reads what the mark of the numbers makes of them.
// CHECK-LABEL: func @numbers
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>, %[[M:.*]]: tensor<4xi64>, %[[N:.*]]: tensor<4xi1>)
// CHECK: %[[SM:.*]] = pit.sparse %[[M]] by(%[[N]]
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[SM]] : tensor<4xi64>)
// CHECK: arith.cmpi ne
// CHECK: pit.sparse %[[X]] by(%[[T]] : tensor<4xi1>) <kind = mask, axes = [0]>
// CHECK-NOT: linalg.generic
// CHECK: pit.sparse %[[Y]] by(%[[T]] : tensor<4xi1>) <kind = blocks, axes = [0], tile = [1]>
func.func @numbers(%x: tensor<4x8xf32> {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0>}},
                   %y: tensor<4x8xf32> {pit.sparse = {source = "blocks", from = 2 : i64, axes = array<i64: 0>, granularity = array<i64: 1>}},
                   %m: tensor<4xi64> {pit.sparse = {source = "mask", from = 3 : i64, axes = array<i64: 0>}},
                   %n: tensor<4xi1>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  return %x, %y : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Every type; -0.0 is dead and NaN is live, as unordered is not equal.
// CHECK-LABEL: func @types
// CHECK: arith.cmpi ne, %{{.*}} : i8
// CHECK: arith.cmpf une, %{{.*}} : bf16
// CHECK: arith.cmpf une, %{{.*}} : f8E4M3FN
// CHECK: arith.cmpi ne, %{{.*}} : index
// CHECK: arith.cmpi ne, %{{.*}} : index
// CHECK-NOT: arith.cmp
func.func @types(%a: tensor<4xf32> {pit.sparse = {source = "mask", from = 5 : i64, axes = array<i64: 0>}},
                 %b: tensor<4xf32> {pit.sparse = {source = "mask", from = 6 : i64, axes = array<i64: 0>}},
                 %c: tensor<4xf32> {pit.sparse = {source = "mask", from = 7 : i64, axes = array<i64: 0>}},
                 %d: tensor<4xf32> {pit.sparse = {source = "mask", from = 8 : i64, axes = array<i64: 0>}},
                 %e: tensor<4xf32> {pit.sparse = {source = "routing", from = 9 : i64, axes = array<i64: 0>}},
                 %i8: tensor<4xi8>, %bf16: tensor<4xbf16>, %f8: tensor<4xf8E4M3FN>, %index: tensor<4xindex>, %other: tensor<4xindex>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  return %a, %b, %c, %d, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Constants are compared here.
// CHECK-LABEL: func @constants
// CHECK-DAG: arith.constant dense<[true, false, false, true]> : tensor<4xi1>
// CHECK-DAG: arith.constant dense<[true, false, true, false]> : tensor<4xi1>
// CHECK-DAG: arith.constant dense<true> : tensor<4xi1>
// CHECK-NOT: linalg.generic
func.func @constants(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = "floats", axes = array<i64: 0>}},
                     %y: tensor<4xf32> {pit.sparse = {source = "mask", from = "integers", axes = array<i64: 0>}},
                     %z: tensor<4xf32> {pit.sparse = {source = "mask", from = "splat", axes = array<i64: 0>}})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = arith.constant {pit.source = "floats"} dense<[1.0, -0.0, 0.0, 0x7FC00000]> : tensor<4xf32>
  %1 = arith.constant {pit.source = "integers"} dense<[-1, 0, 7, 0]> : tensor<4xi32>
  %2 = arith.constant {pit.source = "splat"} dense<3> : tensor<4xi64>
  return %x, %y, %z : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
