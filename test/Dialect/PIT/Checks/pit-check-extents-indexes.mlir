// What only elements say, or what a loop carries, is looked at where it is used: reported where it is outside, and 0 instead.
// RUN: pit-opt %s --pit-check-extents -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-check-extents=computed-extents=false -split-input-file --remarks-filter=pit-checks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --allow-empty

// An index that is the same along a row is looked at once per row, by an op of its own.
// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[X:.*]]: tensor<?x64xf32>, %[[IDS:.*]]: tensor<?xi32>)
// CHECK: %[[EXTENT:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[SAFE:.*]] = linalg.generic {indexing_maps = [#[[ID:.*]], #[[ID]]], iterator_types = ["parallel"]} ins(%[[IDS]] : tensor<?xi32>) outs(%{{.*}} : tensor<?xi64>)
// CHECK: %[[I:.*]] = arith.index_cast %in : i32 to index
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[I]], %[[EXTENT]]
// CHECK: scf.if
// CHECK: func.call @pit_rt_bad_index(
// CHECK: arith.select %[[IN]], %[[I]], %c0
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[IDS]], %[[SAFE]] : tensor<?xi32>, tensor<?xi64>)
// CHECK-NOT: call
// CHECK: tensor.extract %[[X]]
// CHECK-LABEL: func.func private @gather_checks(
// There is a row where there is something to gather.
// CHECK: pit.check {{.*}}'tensor.extract': needs an element along dimension 0, which is {0}
// REMARK-NOT: Op=tensor.extract,
#t = affine_map<(t, d) -> (t)>
#td = affine_map<(t, d) -> (t, d)>
func.func @gather(%x: tensor<?x64xf32>, %ids: tensor<?xi32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %r = linalg.generic {indexing_maps = [#t, #td], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<?xi32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%id: i32, %o: f32):
    %i = arith.index_cast %id : i32 to index
    %d = linalg.index 1 : index
    %v = tensor.extract %x[%i, %d] : tensor<?x64xf32>
    linalg.yield %v : f32
  } -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// -----

// An index of its own for each point is looked at there.
// CHECK-LABEL: func.func @gather_elements(
// CHECK: linalg.generic
// CHECK: arith.cmpi ult
// CHECK: func.call @pit_rt_bad_index(
// CHECK: tensor.extract
#id = affine_map<(i) -> (i)>
func.func @gather_elements(%x: tensor<?xf32>, %ids: tensor<7xi64>, %e: tensor<7xf32>) -> tensor<7xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%ids : tensor<7xi64>) outs(%e : tensor<7xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %v = tensor.extract %x[%i] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// Sums of iteration axes follow from extents: nothing is looked at in the loop.
// CHECK-LABEL: func.func @shifted(
// CHECK-NOT: pit_rt_bad_index
// CHECK-LABEL: func.func private @shifted_checks(
// CHECK: pit.check {{.*}}'tensor.extract': reaches index {0} of dimension 0 of its tensor, which is {1}
#id = affine_map<(i) -> (i)>
func.func @shifted(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.addi %i, %c2 : index
    %v = tensor.extract %x[%j] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// What is written where it does not belong is what is there already.
// CHECK-LABEL: func.func @insert(
// CHECK-SAME: %[[X:.*]]: tensor<9xf32>, %[[IDS:.*]]: tensor<1xi64>, %[[V:.*]]: f32)
// CHECK: %[[IN:.*]] = arith.cmpi ult
// CHECK: func.call @pit_rt_bad_index(
// CHECK: %[[AT:.*]] = arith.select %[[IN]]
// CHECK: %[[OLD:.*]] = tensor.extract %[[X]][%[[AT]]]
// CHECK: %[[NEW:.*]] = arith.select %[[IN]], %[[V]], %[[OLD]]
// CHECK: tensor.insert %[[NEW]] into %[[X]][%[[AT]]]
func.func @insert(%x: tensor<9xf32>, %ids: tensor<1xi64>, %v: f32) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %ids[%c0] : tensor<1xi64>
  %i = arith.index_cast %a : i64 to index
  %r = tensor.insert %v into %x[%i] : tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

// Offsets leave room for the slice; a tensor that has none for any is refused by the call.
// CHECK-LABEL: func.func @slice(
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %c3
// CHECK: arith.cmpi sge, %[[I:.*]], %c0
// CHECK: arith.cmpi sle, %[[I]], %[[LAST]]
// CHECK: func.call @pit_rt_bad_index(
// CHECK: %[[AT:.*]] = arith.select
// CHECK: tensor.extract_slice %{{.*}}[%[[AT]], 0] [3, 8] [1, 1]
// CHECK-LABEL: func.func private @slice_checks(
// CHECK: pit.check {{.*}}'tensor.extract_slice': takes {0} elements of dimension 0, which is {1}
// REMARK-NOT: Function=slice
func.func @slice(%x: tensor<?x8xf32>, %ids: tensor<1xi64>) -> tensor<3x8xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %ids[%c0] : tensor<1xi64>
  %i = arith.index_cast %a : i64 to index
  %r = tensor.extract_slice %x[%i, 0] [3, 8] [1, 1] : tensor<?x8xf32> to tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}

// -----

// A size is one everywhere: where it is computed, in front of the tensors that have it as well.
// CHECK-LABEL: func.func @size(
// CHECK: %[[N:.*]] = arith.index_cast
// CHECK: %[[GOOD:.*]] = arith.select %{{.*}}, %[[N]], %c0
// CHECK: tensor.empty(%[[GOOD]])
// CHECK: tensor.extract_slice %{{.*}}[0] [%[[GOOD]]] [1]
// What else has such a size is compared where it is used, or is said not to be.
// REMARK: Function=size | Op=tensor.empty,
// REMARK-NOT: Op=tensor.extract
func.func @size(%x: tensor<?xf32>, %lengths: tensor<1xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %lengths[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = linalg.exp ins(%s : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// What a loop carries.
// CHECK-LABEL: func.func @carried(
// CHECK: scf.for
// CHECK: arith.cmpi ult
// CHECK: func.call @pit_rt_bad_index(
func.func @carried(%next: tensor<5xindex>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> index {
    %m = tensor.extract %next[%at] : tensor<5xindex>
    scf.yield %m : index
  }
  return %r : index
}

// -----

// What is always inside is not looked at.
// CHECK-LABEL: func.func @inside(
// CHECK-NOT: pit_rt_bad_index
func.func @inside(%x: tensor<9xf32>) -> f32 {
  %c8 = arith.constant 8 : index
  %v = tensor.extract %x[%c8] : tensor<9xf32>
  return %v : f32
}

// -----

// Where extents are known, too, a number of a row is compared once, by an op of its own.
// CHECK-LABEL: func.func private @pit_rt_bad_index
// CHECK: func.func @rows_of_a_known_table(
// CHECK: linalg.generic
// CHECK: %[[ROWS:.*]] = arith.constant 128 : index
// CHECK: arith.cmpi ult, %{{.*}}, %[[ROWS]] : index
// CHECK: linalg.generic
// CHECK: tensor.extract
func.func @rows_of_a_known_table(%ids: tensor<4xi64>, %table: tensor<128x64xf32>) -> tensor<4x64xf32> {
  %e = tensor.empty() : tensor<4x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<4xi64>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %table[%i, %j] : tensor<128x64xf32>
    linalg.yield %x : f32
  } -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}
