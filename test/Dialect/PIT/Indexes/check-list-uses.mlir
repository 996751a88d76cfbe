// What follows a brought index has to be as large as the index says, and to have room for what it lists.
// RUN: pit-opt %s --pit-check-lists | FileCheck %s
// RUN: pit-opt %s --pit-to-cpu -o /dev/null
// RUN: pit-opt %s --pit-to-ptx -o /dev/null

!rows = !pit.index<[?], coordinate = 0, tile = [1], width = 32>

// Extents of the tensor that is read, and room for all coordinates: nothing is compared.
// CHECK-LABEL: func @known(
// CHECK:         %[[I:.*]] = pit.assemble
// CHECK-NOT:     pit.assemble
// CHECK:         pit.sread %{{.*}}[%[[I]]]
func.func @known(%x: tensor<?x8xf32>, %offsets: tensor<2xi64>, %coords: tensor<?xi32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x8xf32>
  %n = tensor.dim %coords, %c0 : tensor<?xi32>
  %i = pit.assemble %offsets, %coords extents(%m) : tensor<2xi64>, tensor<?xi32> -> !rows
  %r = pit.sread %x[%i] sizes(%n) dims = [0] : tensor<?x8xf32>, !rows -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @unknown(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32>, %{{.*}}: tensor<2xi64>, %[[COORDS:.*]]: tensor<?xi32>, %[[M:.*]]: index, %[[N:.*]]: index)
// CHECK:         pit.assemble %[[OFFSETS:.*]], %[[COORDS]] extents(%[[M]])
// CHECK:         %[[DIM:.*]] = tensor.dim %[[X]]
// CHECK:         %[[FITS:.*]] = arith.cmpi sle, %[[M]], %[[DIM]]
// CHECK:         %[[LAST:.*]] = tensor.extract %[[OFFSETS]]
// CHECK:         %[[COUNT:.*]] = arith.index_cast %[[LAST]]
// CHECK:         %[[HAS_ROOM:.*]] = arith.cmpi sle, %[[COUNT]], %[[N]]
// CHECK:         %[[BOTH:.*]] = arith.andi %[[FITS]], %[[HAS_ROOM]]
// CHECK:         %[[NOT:.*]] = arith.xori %[[BOTH]]
// CHECK:         scf.if %[[NOT]]
// CHECK:           func.call @pit_rt_bad_index
// CHECK:         %[[KEPT:.*]] = linalg.generic {{.*}} ins(%[[OFFSETS]] :
// CHECK:           arith.select %[[BOTH]]
// CHECK:         %[[I:.*]] = pit.assemble %[[KEPT]], %[[COORDS]] extents(%[[M]])
// CHECK:         pit.sread %[[X]][%[[I]]]
func.func @unknown(%x: tensor<?x8xf32>, %offsets: tensor<2xi64>, %coords: tensor<?xi32>, %m: index, %n: index) -> tensor<?x8xf32> {
  %i = pit.assemble %offsets, %coords extents(%m) : tensor<2xi64>, tensor<?xi32> -> !rows
  %r = pit.sread %x[%i] sizes(%n) dims = [0] : tensor<?x8xf32>, !rows -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// What is written has to have the listed rows, and where they go has to be as large.
// CHECK-LABEL: func @write(
// CHECK-SAME:    %[[P:.*]]: tensor<?x8xf32>, %[[D:.*]]: tensor<16x8xf32>
// CHECK:         %[[ROWS:.*]] = tensor.dim %[[P]]
// CHECK:         arith.cmpi sle, %{{.*}}, %[[ROWS]]
// CHECK-NOT:     arith.cmpi
// CHECK:         pit.swrite
!static = !pit.index<[16], coordinate = 0, tile = [1], width = 32>
func.func @write(%p: tensor<?x8xf32>, %d: tensor<16x8xf32>, %offsets: tensor<2xi64>, %coords: tensor<?xi32>) -> tensor<16x8xf32> {
  %i = pit.assemble %offsets, %coords : tensor<2xi64>, tensor<?xi32> -> !static
  %r = pit.swrite %p into %d[%i] store dims = [0] : tensor<?x8xf32>, tensor<16x8xf32>, !static
  return %r : tensor<16x8xf32>
}

// The micro-tile has two rows: so many are listed as the offsets say, twice.
// CHECK-LABEL: func @pairs(
// CHECK:         affine.apply
// CHECK:         %[[FITS:.*]] = arith.cmpi sle, %{{.*}}, %c6
// CHECK:         arith.xori %[[FITS]]
!pairs = !pit.index<[16], coordinate = 0, tile = [2], width = 32>
func.func @pairs(%x: tensor<16x8xf32>, %offsets: tensor<2xi64>, %coords: tensor<3xi32>) -> tensor<6x8xf32> {
  %i = pit.assemble %offsets, %coords : tensor<2xi64>, tensor<3xi32> -> !pairs
  %r = pit.sread %x[%i] dims = [0] : tensor<16x8xf32>, !pairs -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}

// Two indexes, one of which lists packed rows; the other runs along columns of the packed operand.
// CHECK-LABEL: func @both(
// CHECK-SAME:    %[[P:.*]]: tensor<?x?xf32>, %[[Q:.*]]: tensor<?xf32>
// CHECK-SAME:    %[[O1:.*]]: tensor<2xi64>, %[[C1:.*]]: tensor<?xi32>, %[[M:.*]]: index, %[[O2:.*]]: tensor<2xi64>, %[[C2:.*]]: tensor<?xi32>, %[[N:.*]]: index)
// CHECK:         %[[ROOM:.*]] = tensor.dim %[[P]], %c0
// CHECK:         arith.cmpi sle, %{{.*}}, %[[ROOM]]
// CHECK:         %[[ROOM:.*]] = tensor.dim %[[Q]], %c0
// CHECK:         arith.cmpi sle, %{{.*}}, %[[ROOM]]
// CHECK:         %[[MAIN:.*]] = pit.assemble
// CHECK:         %[[COLUMNS:.*]] = tensor.dim %[[P]], %c1
// CHECK:         arith.cmpi sle, %[[N]], %[[COLUMNS]]
// CHECK:         %[[FURTHER:.*]] = pit.assemble
// CHECK:         pit.generic {{.*}} over(%[[MAIN]] : {{.*}}) also(%[[FURTHER]]
func.func @both(%p: tensor<?x?xf32>, %q: tensor<?xf32>, %o1: tensor<2xi64>, %c1: tensor<?xi32>, %m: index,
                %o2: tensor<2xi64>, %c2: tensor<?xi32>, %n: index) -> tensor<?xf32> {
  %i = pit.assemble %o1, %c1 extents(%m) : tensor<2xi64>, tensor<?xi32> -> !rows
  %j = pit.assemble %o2, %c2 extents(%n) : tensor<2xi64>, tensor<?xi32> -> !rows
  %r = pit.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], index_axes = array<i64: 0>,
      packed = array<i1: true, true>, further_axes = [array<i64: 1>],
      iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>]}
      over(%i : !rows) also(%j : !rows) ins(%p : tensor<?x?xf32>) outs(%q : tensor<?xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %acc, %v : f32
    pit.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// There is an offset per coordinate of the source.
// CHECK-LABEL: func @invert(
// CHECK-SAME:    %[[M:[^ ]*]]: index, %[[K:[^ ]*]]: index)
// CHECK:         arith.cmpi sle, %[[M]], %[[K]]
// CHECK-NOT:     arith.cmpi
// CHECK:         pit.invert
func.func @invert(%offsets: tensor<2xi64>, %coords: tensor<?xi32>, %m: index, %k: index) -> !pit.index<[?, 8], coordinate = 1, tile = [1, 1], width = 32> {
  %i = pit.assemble %offsets, %coords extents(%m) : tensor<2xi64>, tensor<?xi32> -> !rows
  %r = pit.invert %i extents(%k) : !rows -> !pit.index<[?, 8], coordinate = 1, tile = [1, 1], width = 32>
  return %r : !pit.index<[?, 8], coordinate = 1, tile = [1, 1], width = 32>
}
