// Extents that elements say are compared in front of the op that needs them, unless the function itself says that they are the same.
// RUN: pit-opt %s --pit-check-extents --canonicalize --cse -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-check-extents=computed-extents=false -split-input-file --remarks-filter=pit-checks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: pit-opt %s --pit-check-extents -split-input-file --remarks-filter=pit-checks -o /dev/null 2>&1 | count 0

// One look at the size, which all that is made of it shares, the larger one first; nothing else.
// CHECK-LABEL: func.func @shared(
// CHECK: %[[N:.*]] = arith.index_cast
// CHECK: pit.check %[[FITS:.*]], "{{.*}}: 'tensor.empty': result 0 of type tensor<?x5xf32>: its dynamic extent is {0}, where 0 to {1} fit into 2^56 bytes"(%[[N]], %{{.*}})
// CHECK: %[[ROOM:.*]] = call @pit_rt_room(
// CHECK: %[[GOOD:.*]] = arith.select %{{.*}}, %[[N]], %c0
// CHECK: tensor.empty(%[[GOOD]]) : tensor<?xf32>
// CHECK: tensor.empty(%[[GOOD]]) : tensor<?x5xf32>
// CHECK-NOT: pit.check %
// CHECK-NOT: scf.if
// CHECK: linalg.broadcast
// CHECK-NOT: pit.check %
// CHECK-NOT: scf.if
// CHECK: return
// REMARK-DAG: Function=shared | Op=tensor.empty,
// REMARK-DAG: Function=shared | Op=linalg.broadcast,
func.func @shared(%extent: tensor<1xi64>, %z: f32) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %g = tensor.empty(%n) : tensor<?x5xf32>
  %b = linalg.broadcast ins(%f : tensor<?xf32>) outs(%g : tensor<?x5xf32>) dimensions = [1]
  %s = tensor.empty() : tensor<5xf32>
  %t = linalg.fill ins(%z : f32) outs(%s : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.reduce { arith.addf } ins(%b : tensor<?x5xf32>) outs(%t : tensor<5xf32>) dimensions = [0]
  return %r : tensor<5xf32>
}

// -----

// A slice is looked at, and what has its size fits as it does.
// CHECK-LABEL: func.func @sliced(
// CHECK: call @pit_rt_bad_index
// CHECK: %[[GOOD:.*]] = arith.select
// CHECK-NOT: pit.check %
// CHECK: tensor.empty(%[[GOOD]]) : tensor<?x5xf32>
// CHECK-NOT: pit.check %
// CHECK: linalg.matmul
// CHECK-NOT: pit.check %
// CHECK: return
func.func @sliced(%x: tensor<?x8xf32>, %w: tensor<8x5xf32>, %extent: tensor<1xi64>, %z: f32) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %f = tensor.extract_slice %x[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x5xf32>
  %ee = linalg.fill ins(%z : f32) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %m = linalg.matmul ins(%f, %w : tensor<?x8xf32>, tensor<8x5xf32>) outs(%ee : tensor<?x5xf32>) -> tensor<?x5xf32>
  %se = tensor.empty() : tensor<5xf32>
  %s = linalg.fill ins(%z : f32) outs(%se : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.reduce { arith.addf } ins(%m : tensor<?x5xf32>) outs(%s : tensor<5xf32>) dimensions = [0]
  return %r : tensor<5xf32>
}

// -----

// What does not fit is not run, and has its destination as its result.
// CHECK-LABEL: func.func @mismatch(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>, %[[DEST:.*]]: tensor<?xf32>,
// CHECK: %[[N:.*]] = tensor.dim %[[DEST]], %c0
// CHECK: pit.check %[[SAME:.*]], "{{.*}}: 'linalg.exp': dimension 0 of operand 0 is {0}, dimension 0 of operand 1 is {1}"(
// CHECK: %[[R:.*]] = scf.if %[[SAME]]
// CHECK: linalg.exp
// CHECK: else
// CHECK: scf.yield %[[DEST]]
// What is returned has extents that follow from arguments.
// CHECK: tensor.extract_slice %[[R]][0] [%[[N]]] [1]
func.func @mismatch(%x: tensor<?xf32>, %y: tensor<?xf32>, %dest: tensor<?xf32>, %extent: tensor<1xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = linalg.exp ins(%s : tensor<?xf32>) outs(%dest : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A mark stays one, of a mask of the marked tensor's extents.
// CHECK-LABEL: func.func @mark(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>,
// CHECK: %[[BY:.*]] = scf.if
// CHECK: else
// CHECK: tensor.splat %false
// CHECK: pit.sparse %[[X]] by(%[[BY]] : tensor<?xi1>)
func.func @mark(%x: tensor<?x4xf32>, %live: tensor<?xi1>, %extent: tensor<1xi64>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %m = tensor.extract_slice %live[0] [%n] [1] : tensor<?xi1> to tensor<?xi1>
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x4xf32>
  %r = math.absf %s : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

// What a loop of unknown length carries keeps its extents, so that nothing is compared in it.
// CHECK-LABEL: func.func @carried(
// CHECK-NOT: pit.check %
// CHECK: scf.while
// CHECK-NOT: pit.check %
// CHECK: linalg.exp
// CHECK-NOT: pit.check %
// CHECK: return
func.func @carried(%x: tensor<?xf32>, %times: tensor<1xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.extract %times[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %r:2 = scf.while (%i = %c0, %t = %x) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %t : index, tensor<?xf32>
  } do {
  ^bb0(%i: index, %t: tensor<?xf32>):
    %m = tensor.dim %t, %c0 : tensor<?xf32>
    %e = tensor.empty(%m) : tensor<?xf32>
    %s = linalg.exp ins(%t : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %s : index, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}
// Extents that elements say are compared in front of the op that needs them, unless the function itself says that they are the same.
// RUN: pit-opt %s --pit-check-extents --canonicalize --cse -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-check-extents=computed-extents=false -split-input-file --remarks-filter=pit-checks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: pit-opt %s --pit-check-extents -split-input-file --remarks-filter=pit-checks -o /dev/null 2>&1 | count 0

// One look at the size, which all that is made of it shares, the larger one first; nothing else.
// CHECK-LABEL: func.func @shared(
// CHECK: %[[N:.*]] = arith.index_cast
// CHECK: pit.check %[[FITS:.*]], "{{.*}}: 'tensor.empty': result 0 of type tensor<?x5xf32>: its dynamic extent is {0}, where 0 to {1} fit into 2^56 bytes"(%[[N]], %{{.*}})
// CHECK: %[[ROOM:.*]] = call @pit_rt_room(
// CHECK: %[[GOOD:.*]] = arith.select %{{.*}}, %[[N]], %c0
// CHECK: tensor.empty(%[[GOOD]]) : tensor<?xf32>
// CHECK: tensor.empty(%[[GOOD]]) : tensor<?x5xf32>
// CHECK-NOT: pit.check %
// CHECK-NOT: scf.if
// CHECK: linalg.broadcast
// CHECK-NOT: pit.check %
// CHECK-NOT: scf.if
// CHECK: return
// REMARK-DAG: Function=shared | Op=tensor.empty,
// REMARK-DAG: Function=shared | Op=linalg.broadcast,
func.func @shared(%extent: tensor<1xi64>, %z: f32) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %g = tensor.empty(%n) : tensor<?x5xf32>
  %b = linalg.broadcast ins(%f : tensor<?xf32>) outs(%g : tensor<?x5xf32>) dimensions = [1]
  %s = tensor.empty() : tensor<5xf32>
  %t = linalg.fill ins(%z : f32) outs(%s : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.reduce { arith.addf } ins(%b : tensor<?x5xf32>) outs(%t : tensor<5xf32>) dimensions = [0]
  return %r : tensor<5xf32>
}

// -----

// A slice is looked at, and what has its size fits as it does.
// CHECK-LABEL: func.func @sliced(
// CHECK: call @pit_rt_bad_index
// CHECK: %[[GOOD:.*]] = arith.select
// CHECK-NOT: pit.check %
// CHECK: tensor.empty(%[[GOOD]]) : tensor<?x5xf32>
// CHECK-NOT: pit.check %
// CHECK: linalg.matmul
// CHECK-NOT: pit.check %
// CHECK: return
func.func @sliced(%x: tensor<?x8xf32>, %w: tensor<8x5xf32>, %extent: tensor<1xi64>, %z: f32) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %f = tensor.extract_slice %x[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x5xf32>
  %ee = linalg.fill ins(%z : f32) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %m = linalg.matmul ins(%f, %w : tensor<?x8xf32>, tensor<8x5xf32>) outs(%ee : tensor<?x5xf32>) -> tensor<?x5xf32>
  %se = tensor.empty() : tensor<5xf32>
  %s = linalg.fill ins(%z : f32) outs(%se : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.reduce { arith.addf } ins(%m : tensor<?x5xf32>) outs(%s : tensor<5xf32>) dimensions = [0]
  return %r : tensor<5xf32>
}

// -----

// What does not fit is not run, and has its destination as its result.
// CHECK-LABEL: func.func @mismatch(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>, %[[DEST:.*]]: tensor<?xf32>,
// CHECK: %[[N:.*]] = tensor.dim %[[DEST]], %c0
// CHECK: pit.check %[[SAME:.*]], "{{.*}}: 'linalg.exp': dimension 0 of operand 0 is {0}, dimension 0 of operand 1 is {1}"(
// CHECK: %[[R:.*]] = scf.if %[[SAME]]
// CHECK: linalg.exp
// CHECK: else
// CHECK: scf.yield %[[DEST]]
// What is returned has extents that follow from arguments.
// CHECK: tensor.extract_slice %[[R]][0] [%[[N]]] [1]
func.func @mismatch(%x: tensor<?xf32>, %y: tensor<?xf32>, %dest: tensor<?xf32>, %extent: tensor<1xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = linalg.exp ins(%s : tensor<?xf32>) outs(%dest : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A mark stays one, of a mask of the marked tensor's extents.
// CHECK-LABEL: func.func @mark(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>,
// CHECK: %[[BY:.*]] = scf.if
// CHECK: else
// CHECK: tensor.splat %false
// CHECK: pit.sparse %[[X]] by(%[[BY]] : tensor<?xi1>)
func.func @mark(%x: tensor<?x4xf32>, %live: tensor<?xi1>, %extent: tensor<1xi64>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %m = tensor.extract_slice %live[0] [%n] [1] : tensor<?xi1> to tensor<?xi1>
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x4xf32>
  %r = math.absf %s : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

// What a loop of unknown length carries keeps its extents, so that nothing is compared in it.
// CHECK-LABEL: func.func @carried(
// CHECK-NOT: pit.check %
// CHECK: scf.while
// CHECK-NOT: pit.check %
// CHECK: linalg.exp
// CHECK-NOT: pit.check %
// CHECK: return
func.func @carried(%x: tensor<?xf32>, %times: tensor<1xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.extract %times[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %r:2 = scf.while (%i = %c0, %t = %x) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %t : index, tensor<?xf32>
  } do {
  ^bb0(%i: index, %t: tensor<?xf32>):
    %m = tensor.dim %t, %c0 : tensor<?xf32>
    %e = tensor.empty(%m) : tensor<?xf32>
    %s = linalg.exp ins(%t : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %s : index, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// -----

// An index that is looked at in front of the op is one more input of it. The op's own extents are looked at as before.
// CHECK-LABEL: func.func @gather(
// CHECK: %[[INDEXES:.*]] = linalg.generic
// CHECK: call @pit_rt_bad_index
// CHECK: pit.check %[[SAME:.*]], "{{.*}}: 'linalg.generic': dimension 0 of operand 0 is {0}, dimension 0 of operand
// CHECK: scf.if
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[INDEXES]] : tensor<?xi64>, tensor<?xi64>)
// CHECK-NOT: linalg.generic
func.func @gather(%table: tensor<?xf32>, %ids: tensor<?xi64>, %extent: tensor<1xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %t = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    ins(%ids : tensor<?xi64>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%id: i64, %out: f32):
    %i = arith.index_cast %id : i64 to index
    %x = tensor.extract %table[%i] : tensor<?xf32>
    linalg.yield %x : f32
  } -> tensor<?x4xf32>
  %s = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce { arith.addf } ins(%t : tensor<?x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
  return %r : tensor<4xf32>
}

// -----

// Iterations that write where elements say go one after the other, and where they write is looked at once.
// CHECK-LABEL: func.func @scatter(
// CHECK: scf.for
// CHECK: call @pit_rt_bad_index
// CHECK-NOT: call @pit_rt_bad_index
// CHECK: = tensor.insert_slice
// CHECK-NOT: = tensor.insert_slice
// CHECK-NOT: call @pit_rt_bad_index
// CHECK: return
func.func @scatter(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>, %at: tensor<?xi64>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %r = scf.forall (%i, %k) in (%n, 1) shared_outs(%o = %y) -> tensor<?x2xf32> {
    %a = tensor.extract %at[%i] : tensor<?xi64>
    %j = arith.index_cast %a : i64 to index
    %s = tensor.extract_slice %x[%i, %k] [1, 2] [1, 1] : tensor<?x2xf32> to tensor<1x2xf32>
    %t = tensor.concat dim(0) %s, %s : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%j, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<?x2xf32>
    }
  }
  return %r : tensor<?x2xf32>
}
