// Indexes that a program computes or reads are looked at before they are used, on the CPU and on devices: one error that
// says which, and the process goes on.

// Rows of a table.
// RUN: pit-run %s --entry gather --random normal@5x64 --random const:4@3 --check
// RUN: pit-run %s --entry gather --random normal@0x64 --random const:0@0 --check
// RUN: not pit-run %s --entry gather --random normal@5x64 --random const:5@3 --output %t 2>&1 | FileCheck %s --check-prefix=GATHER -DGOT=5
// RUN: not pit-run %s --entry gather --random normal@5x64 --random const:-1@3 2>&1 | FileCheck %s --check-prefix=GATHER -DGOT=-1
// RUN: not pit-run %s --entry gather --random normal@0x64 --random const:0@3 2>&1 | FileCheck %s --check-prefix=NO-ROWS
// RUN: not ls %t
// RUN: %cuda pit-run %s --entry gather --random normal@5x64 --random const:4@3 --target cuda --chip sm_90a --check
// RUN: not %cuda pit-run %s --entry gather --random normal@5x64 --random const:2000000000@3 --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=GATHER -DGOT=2000000000
// RUN: not %cuda pit-run %s --entry gather --random normal@5x64 --random const:5@3 --target cuda --chip sm_80 2>&1 | FileCheck %s --check-prefix=GATHER -DGOT=5
// GATHER: pit-run: error: line [[#@LINE+13]]: index out of range: reads index [[GOT]] of dimension 0, which is 5
// NO-ROWS: pit-run: error: {{.*}}: 'tensor.extract': needs an element along dimension 0, which is 0
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

// An element that is written.
// RUN: pit-run %s --entry insert --random normal@5 --random const:4@4 --check
// RUN: not pit-run %s --entry insert --random normal@5 --random const:5@4 2>&1 | FileCheck %s --check-prefix=INSERT
// RUN: %cuda pit-run %s --entry insert --random normal@5 --random const:4@4 --target cuda --chip sm_90a --check
// RUN: not %cuda pit-run %s --entry insert --random normal@5 --random const:5@4 --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=INSERT
// INSERT: pit-run: error: line [[#]]: index out of range: writes to index 5 of dimension 0, which is 5
func.func @insert(%x: tensor<?xf32>, %ids: tensor<4xi64>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %z = arith.constant 7.0 : f32
  %b = tensor.extract %ids[%c1] : tensor<4xi64>
  %j = arith.index_cast %b : i64 to index
  %r = tensor.insert %z into %x[%j] : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Rows that are updated in place of others, as in a cache.
// RUN: pit-run %s --entry update --random normal@5x8 --random const:2@1 --random normal --check
// RUN: not pit-run %s --entry update --random normal@5x8 --random const:3@1 --random normal 2>&1 | FileCheck %s --check-prefix=UPDATE
// RUN: not pit-run %s --entry update --random normal@2x8 --random const:0@1 --random normal 2>&1 | FileCheck %s --check-prefix=TOO-SMALL
// RUN: %cuda pit-run %s --entry update --random normal@5x8 --random const:2@1 --random normal --target cuda --chip sm_90a --check
// RUN: not %cuda pit-run %s --entry update --random normal@5x8 --random const:-2000@1 --random normal --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=UPDATE
// UPDATE: pit-run: error: line [[#]]: index out of range: the offset {{3|-2000}} of dimension 0 of a slice is not within 0 to 2
// TOO-SMALL: pit-run: error: {{.*}}: 'tensor.insert_slice': takes 3 elements of dimension 0, which is 2
func.func @update(%x: tensor<?x8xf32>, %at: tensor<1xi64>, %y: tensor<3x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %at[%c0] : tensor<1xi64>
  %i = arith.index_cast %a : i64 to index
  %r = tensor.insert_slice %y into %x[%i, 0] [3, 8] [1, 1] : tensor<3x8xf32> into tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// Rows of other lengths.
// RUN: pit-run %s --entry ragged --random normal@5x6 --random lengths:0:6@5 --check
// RUN: not pit-run %s --entry ragged --random normal@5x6 --random const:7@5 2>&1 | FileCheck %s --check-prefix=RAGGED -DGOT=7
// RUN: not pit-run %s --entry ragged --random normal@5x6 --random const:-7@5 2>&1 | FileCheck %s --check-prefix=RAGGED -DGOT=-7
// RUN: not %cuda pit-run %s --entry ragged --random normal@5x6 --random const:77@5 --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=RAGGED -DGOT=77
// RAGGED: pit-run: error: line [[#]]: index out of range: the size [[GOT]] of dimension 1 of a slice is not within 0 to 6
func.func @ragged(%x: tensor<?x?xf32>, %lens: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %e) -> tensor<?xf32> {
    %l = tensor.extract %lens[%i] : tensor<?xi64>
    %k = arith.index_cast %l : i64 to index
    %s = tensor.extract_slice %x[%i, 0] [1, %k] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
    %f = tensor.empty() : tensor<f32>
    %g = linalg.fill ins(%z : f32) outs(%f : tensor<f32>) -> tensor<f32>
    %sum = linalg.reduce { arith.addf } ins(%s : tensor<?xf32>) outs(%g : tensor<f32>) dimensions = [0]
    %v = tensor.extract %sum[] : tensor<f32>
    %o = tensor.insert %v into %acc[%i] : tensor<?xf32>
    scf.yield %o : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// What a loop carries.
// RUN: pit-run %s --entry carried --random const:8@9 --random const:2 --check
// RUN: not pit-run %s --entry carried --random const:9@9 --random const:2 2>&1 | FileCheck %s --check-prefix=CARRIED
// CARRIED: pit-run: error: line [[#]]: index out of range: reads index 9 of dimension 0, which is 9
func.func @carried(%next: tensor<?xi64>, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0, %last = %z) -> (index, i64) {
    %m = tensor.extract %next[%at] : tensor<?xi64>
    %k = arith.index_cast %m : i64 to index
    scf.yield %k, %m : index, i64
  }
  return %r#1 : i64
}

// A gather along two dimensions, left out and kept; of a tensor without rows; and one without anything to gather.
// RUN: pit-run %s --entry gather_pairs --random normal@5x4 --random randint:0:4@3x2 --check
// RUN: not pit-run %s --entry gather_pairs --random normal@5x4 --random const:4@3x2 2>&1 | FileCheck %s --check-prefix=PAIRS -DGOT=4
// RUN: not pit-run %s --entry gather_pairs --random normal@5x4 --random const:-1@3x2 2>&1 | FileCheck %s --check-prefix=PAIRS -DGOT=-1
// RUN: %cuda pit-run %s --entry gather_pairs --random normal@5x4 --random randint:0:4@3x2 --target cuda --chip sm_90a --check
// RUN: not %cuda pit-run %s --entry gather_pairs --random normal@5x4 --random const:4@3x2 --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=PAIRS -DGOT=4
// PAIRS: pit-run: error: line [[#@LINE+2]]: index out of range: reads index [[GOT]] of dimension {{[01]}}, which is {{4|5}}
func.func @gather_pairs(%x: tensor<?x?xbf16>, %at: tensor<?x2xi32>) -> tensor<?xbf16> {
  %r = tensor.gather %x[%at] gather_dims([0, 1]) : (tensor<?x?xbf16>, tensor<?x2xi32>) -> tensor<?xbf16>
  return %r : tensor<?xbf16>
}

// RUN: pit-run %s --entry gather_kept --random randint:0:9@1x4 --random const:0 --check
// RUN: not pit-run %s --entry gather_kept --random randint:0:9@1x4 --random const:1 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not pit-run %s --entry gather_kept --random randint:0:9@0x4 --random const:0 2>&1 | FileCheck %s --check-prefix=NO-ROWS
// RUN: not %cuda pit-run %s --entry gather_kept --random randint:0:9@1x4 --random const:1 --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: pit-run: error: line [[#@LINE+2]]: index out of range: reads index 1 of dimension 0, which is 1
func.func @gather_kept(%x: tensor<?x4xi8>, %at: tensor<2x3x1xindex>) -> tensor<2x3x1x4xi8> {
  %r = tensor.gather %x[%at] gather_dims([0]) : (tensor<?x4xi8>, tensor<2x3x1xindex>) -> tensor<2x3x1x4xi8>
  return %r : tensor<2x3x1x4xi8>
}

// RUN: pit-run %s --entry gather_nothing --random normal@0x4 --random const:9 --check
// RUN: %cuda pit-run %s --entry gather_nothing --random normal@0x4 --random const:9 --target cuda --chip sm_90a --check
func.func @gather_nothing(%x: tensor<?x4xf32>, %at: tensor<0x1xindex>) -> tensor<0x4xf32> {
  %r = tensor.gather %x[%at] gather_dims([0]) : (tensor<?x4xf32>, tensor<0x1xindex>) -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}

// A shape that is written out.
// RUN: pit-run %s --entry reshape --random normal@12 --random const:3 --random const:4 --check
// RUN: not pit-run %s --entry reshape --random normal@12 --random const:3 --random const:5 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: not %cuda pit-run %s --entry reshape --random normal@12 --random const:3 --random const:5 --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RESHAPE: pit-run: error: {{.*}}wrong-indexes.mlir:[[#@LINE+3]]:8: 'tensor.expand_shape': dimension 0 of its operand is 12, what it becomes has 15 elements
func.func @reshape(%x: tensor<?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %s = tensor.from_elements %m, %n : tensor<2xindex>
  %r = tensor.reshape %x(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A build without checks looks at nothing.
// RUN: pit-opt %s --pit-to-cpu="unchecked-extents=true" | FileCheck %s --check-prefix=UNCHECKED
// UNCHECKED-NOT: pit_rt_bad_index
// UNCHECKED: llvm.func @gather(
// UNCHECKED-NOT: pit_rt_bad_index
