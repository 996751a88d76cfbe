// RUN: pit-opt %s -split-input-file --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --canonicalize --cse --pit-add-dense-variants=database=%S/../Inputs/dense-variants.json --canonicalize | FileCheck %s
// RUN: pit-opt %s -split-input-file --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --canonicalize --cse --pit-add-dense-variants="database=%S/../Inputs/dense-variants.json finite=false" --canonicalize | FileCheck %s --check-prefix=EXACT
// What is built in, whatever it says, gives valid IR.
// RUN: pit-opt %s -split-input-file --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --pit-add-dense-variants -o /dev/null

// 2 strips of 128 micro-tiles each, of which half may be live.

// CHECK-LABEL: func @columns
// CHECK-SAME:    (%[[A:.*]]: tensor<64x128xf32>, %[[B:.*]]: tensor<128x64xf32>)
// CHECK-SAME:    most_live = 500 : i64
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 128 : i64
// CHECK:         %[[I:.*]] = pit.detect values(%[[A]]
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK:         %[[O:.*]] = pit.offsets %[[I]]
// CHECK:         %[[COUNT:.*]] = tensor.extract %[[O]][%[[TWO]]]
// CHECK:         %[[TOO:.*]] = arith.cmpi ugt, %[[COUNT]], %[[MOST]] : i64
// CHECK:         %[[R:.*]] = scf.if %[[TOO]]
// CHECK-NEXT:      %[[D:.*]] = linalg.generic
// CHECK-SAME:        ins(%[[A]], %[[B]]
// CHECK-SAME:        outs(%[[F]]
// CHECK-SAME:        attrs = {pit.dense_variant_of = 0 : i64}
// CHECK:           scf.yield %[[D]]
// CHECK:         else
// CHECK-NEXT:      %[[S:.*]] = pit.generic
// CHECK-SAME:        over(%[[I]]
// CHECK:           scf.yield %[[S]]
// CHECK:         return %[[R]]
// 0 * x is no 0 then, and nothing was skipped to begin with.
// EXACT-LABEL: func @columns
// EXACT-NOT:     scf.if
// EXACT:         return
func.func @columns(%a: tensor<64x128xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>}},
                   %b: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// Rows are written packed, and stored into zeros: the dense op writes those.

// CHECK-LABEL: func @rows
// CHECK-SAME:    (%[[A:.*]]: tensor<?x128xf32>, %[[B:.*]]: tensor<128x64xf32>)
// CHECK-SAME:    most_live = 250 : i64
// CHECK:         %[[I:.*]] = pit.detect values(%[[A]]
// CHECK:         affine.apply #{{.*}}()[%{{.*}}]
// CHECK:         %[[O:.*]] = pit.offsets %[[I]]
// CHECK:         %[[R:.*]] = scf.if
// CHECK-NEXT:      %[[D:.*]] = linalg.generic
// CHECK-SAME:        outs(%[[F:.*]] : tensor<?x64xf32>)
// CHECK:         else
// CHECK-NEXT:      %[[P:.*]] = pit.generic
// CHECK:           %[[S:.*]] = pit.swrite %[[P]] into %[[F]][%[[I]]] store
// CHECK-NEXT:      scf.yield %[[S]]
// CHECK:         return %[[R]]
func.func @rows(%a: tensor<?x128xf32> {pit.sparse = {source = "values", axes = array<i64: 0>}},
                %b: tensor<128x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x128xf32>
  %e = tensor.empty(%m) : tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x128xf32>, tensor<128x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %c : tensor<?x64xf32>
}

// -----

// Finding the zeros takes longer than adding everything up: nothing is found.

// CHECK-LABEL: func @sum
// CHECK-SAME:    most_live = 0 : i64
// CHECK-NOT:     pit.detect
// CHECK-NOT:     scf.if
// CHECK:         linalg.generic
// CHECK-SAME:      attrs = {pit.dense_variant_of = 0 : i64}
// CHECK-NOT:     pit.generic
// Adding a zero changes nothing but its sign, in IEEE arithmetic as well.
// EXACT-LABEL: func @sum
// EXACT-NOT:     pit.generic
// EXACT:         return
func.func @sum(%x: tensor<64x128xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 1, 16>}})
    -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x128xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
  return %s : tensor<64xf32>
}

// -----

// Found for the product as well, it may serve the sum, too, where less than half is live.

// CHECK-LABEL: func @shared
// CHECK-SAME:    most_live = 500 : i64{{.*}}most_live = 500 : i64
// CHECK-COUNT-2: scf.if
// CHECK-NOT:     scf.if
func.func @shared(%x: tensor<64x128xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>}},
                  %b: tensor<128x4096xf32>) -> (tensor<64x4096xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x128xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
  %ce = tensor.empty() : tensor<64x4096xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %c = linalg.matmul ins(%x, %b : tensor<64x128xf32>, tensor<128x4096xf32>) outs(%cf : tensor<64x4096xf32>) -> tensor<64x4096xf32>
  return %c, %s : tensor<64x4096xf32>, tensor<64xf32>
}

// -----

// Blocks pay whatever is live, single elements never do.

// CHECK-LABEL: func @always_sparse
// CHECK-NOT:     most_live
// CHECK-NOT:     scf.if
// CHECK:         pit.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @always_sparse(%a: tensor<128x128xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 64, 64>}},
                         %b: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x64xf32>) outs(%f : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %c : tensor<128x64xf32>
}

// CHECK-LABEL: func @never_sparse
// CHECK-SAME:    most_live = 0 : i64
// CHECK-NOT:     pit.detect
// CHECK-NOT:     pit.generic
// CHECK:         linalg.generic
func.func @never_sparse(%a: tensor<128x128xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 1, 1>}},
                        %b: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x64xf32>) outs(%f : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %c : tensor<128x64xf32>
}

// CHECK-LABEL: func @bounded
// CHECK-NOT:     scf.if
// CHECK:         pit.detect {{.*}}at_most = 64
// CHECK:         pit.generic
func.func @bounded(%a: tensor<128x128xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 1, 1>, at_most = 64}},
                   %b: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x64xf32>) outs(%f : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %c : tensor<128x64xf32>
}

// -----

// The user's word.

// CHECK-LABEL: func @opted_out
// CHECK-NOT:     scf.if
// CHECK:         pit.generic {{.*}}pit.dense_variant = false
func.func @opted_out(%a: tensor<64x128xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>}},
                     %b: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul {pit.dense_variant = false} ins(%a, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// Where a mask is given, what is dead may hold anything: %a itself is not what the dense op would have to read.

// CHECK-LABEL: func @given
// CHECK-NOT:     scf.if
// CHECK:         pit.generic
func.func @given(%a: tensor<64x128xf32>, %m: tensor<64x128xi1>, %b: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %s = pit.sparse %a by(%m : tensor<64x128xi1>) <kind = mask, axes = [0, 1]> : tensor<64x128xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%s, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// Micro-tiles that hold dead elements are read from the mark's result, which holds zeros there: that is.

// CHECK-LABEL: func @marked
// CHECK:         %[[S:.*]] = pit.sparse %
// CHECK:         scf.if
// CHECK-NEXT:      linalg.generic
// CHECK-SAME:        ins(%[[S]],
// CHECK:         else
// CHECK-NEXT:      pit.generic {{.*}} ins(%[[S]],
func.func @marked(%a: tensor<64x128xf32>, %m: tensor<64x128xi1>, %b: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %s = pit.sparse %a by(%m : tensor<64x128xi1>) <kind = mask, axes = [0, 1], tile = [32, 1]> : tensor<64x128xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%s, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// Rules by hand. The points that an index leaves out are left out: only where they change nothing may they come back.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
!index = !pit.index<[64, 128], coordinate = 1, tile = [32, 1], width = 32>

// CHECK-LABEL: func @adds
// CHECK-NOT:     scf.if
func.func @adds(%a: tensor<64x128xf32>, %b: tensor<128x64xf32>, %f: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %i = pit.detect values(%a : tensor<64x128xf32>) <kind = values, axes = [0, 1], tile = [32, 1]> : !index
  %c = pit.generic {indexing_maps = [#a, #b, #c], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
                    index_axes = array<i64: 0, 2>, packed = array<i1: false, false, false>}
      over(%i : !index) ins(%a, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.addf %x, %y : f32
    %s = arith.addf %z, %p : f32
    pit.yield %s : f32
  } -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// CHECK-LABEL: func @other_tensor
// CHECK-NOT:     scf.if
func.func @other_tensor(%a: tensor<64x128xf32>, %w: tensor<64x128xf32>, %b: tensor<128x64xf32>, %f: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %i = pit.detect values(%w : tensor<64x128xf32>) <kind = values, axes = [0, 1], tile = [32, 1]> : !index
  %c = pit.generic {indexing_maps = [#a, #b, #c], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
                    index_axes = array<i64: 0, 2>, packed = array<i1: false, false, false>}
      over(%i : !index) ins(%a, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    pit.yield %s : f32
  } -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// CHECK-LABEL: func @own_lists
// CHECK-NOT:     scf.if
func.func @own_lists(%a: tensor<64x128xf32>, %o: tensor<?xi64>, %l: tensor<?xi32>, %b: tensor<128x64xf32>, %f: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %i = pit.assemble %o, %l : tensor<?xi64>, tensor<?xi32> -> !index
  %c = pit.generic {indexing_maps = [#a, #b, #c], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
                    index_axes = array<i64: 0, 2>, packed = array<i1: false, false, false>}
      over(%i : !index) ins(%a, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    pit.yield %s : f32
  } -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// The axes the other way around: %i lists rows of strips of columns.

// CHECK-LABEL: func @other_axes
// CHECK-NOT:     scf.if
func.func @other_axes(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %f: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %i = pit.detect values(%a : tensor<64x64xf32>) <kind = values, axes = [0, 1], tile = [32, 1]> : !pit.index<[64, 64], coordinate = 1, tile = [32, 1], width = 32>
  %c = pit.generic {indexing_maps = [#a, #b, #c], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
                    index_axes = array<i64: 2, 0>, packed = array<i1: false, false, false>}
      over(%i : !pit.index<[64, 64], coordinate = 1, tile = [32, 1], width = 32>) ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    pit.yield %s : f32
  } -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// Stored into ones, of which the dense op would write zeros.

// CHECK-LABEL: func @other_around
// CHECK-NOT:     scf.if
func.func @other_around(%a: tensor<64x128xf32>, %b: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %g = linalg.fill ins(%one : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %i = pit.detect values(%a : tensor<64x128xf32>) <kind = values, axes = [0]> : !pit.index<[64], coordinate = 0, tile = [1], width = 32>
  %p = pit.generic {indexing_maps = [#a, #b, #c], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
                    index_axes = array<i64: 0>, packed = array<i1: false, false, true>}
      over(%i : !pit.index<[64], coordinate = 0, tile = [1], width = 32>) ins(%a, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    pit.yield %s : f32
  } -> tensor<64x64xf32>
  %c = pit.swrite %p into %g[%i] store dims = [0] : tensor<64x64xf32>, tensor<64x64xf32>, !pit.index<[64], coordinate = 0, tile = [1], width = 32>
  return %c : tensor<64x64xf32>
}
