// Branches around structured ops become two loops of the host, of at most one iteration each; counting while loops become loops of the host.
// RUN: pit-opt %s --pit-outline-loops -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-outline-loops -split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @known(
// CHECK-DAG: %[[HOLDS:.*]] = arith.select %{{.*}}, %c1{{.*}}, %c0
// CHECK-DAG: %[[FAILS:.*]] = arith.select %{{.*}}, %c0{{.*}}, %c1
// CHECK: %[[FIRST:.*]]:2 = pit.host_loop @known_loop{{.*}}(%{{.*}} to %[[HOLDS]] step
// CHECK: pit.host_loop @known_loop{{.*}}(%{{.*}} to %[[FAILS]] step %{{.*}}) carries(%[[FIRST]]#0
// REMARK: the host runs it, around launches
func.func @known(%x: tensor<128x64xf32>, %c: i1) -> tensor<128x64xf32> {
  %r = scf.if %c -> tensor<128x64xf32> {
    %y = linalg.abs ins(%x : tensor<128x64xf32>) outs(%x : tensor<128x64xf32>) -> tensor<128x64xf32>
    scf.yield %y : tensor<128x64xf32>
  } else {
    scf.yield %x : tensor<128x64xf32>
  }
  return %r : tensor<128x64xf32>
}

// -----

// CHECK-LABEL: func.func @element(
// CHECK: scf.if
// REMARK: only the device knows its condition; one that is an argument, or follows from extents, would let the host choose; one block of threads runs the whole branch
func.func @element(%x: tensor<128x64xf32>, %s: tensor<i1>) -> tensor<128x64xf32> {
  %c = tensor.extract %s[] : tensor<i1>
  %r = scf.if %c -> tensor<128x64xf32> {
    %y = linalg.abs ins(%x : tensor<128x64xf32>) outs(%x : tensor<128x64xf32>) -> tensor<128x64xf32>
    scf.yield %y : tensor<128x64xf32>
  } else {
    scf.yield %x : tensor<128x64xf32>
  }
  return %r : tensor<128x64xf32>
}

// -----

// CHECK-LABEL: func.func @extents(
// CHECK: scf.if
// REMARK: a result may have other extents in each of its regions; one block of threads runs the whole branch
func.func @extents(%x: tensor<?x64xf32>, %z: tensor<?x64xf32>, %c: i1) -> tensor<?x64xf32> {
  %r = scf.if %c -> tensor<?x64xf32> {
    %y = linalg.abs ins(%x : tensor<?x64xf32>) outs(%x : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.yield %y : tensor<?x64xf32>
  } else {
    scf.yield %z : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}

// -----

// CHECK-LABEL: func.func @small(
// CHECK: scf.if
// REMARK: its ops are too small for launches of their own; one block of threads runs the whole branch
func.func @small(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    %y = linalg.abs ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @halves(
// CHECK: scf.while
// REMARK: it is not known before it starts how often it iterates; {{.*}}one block of threads runs the whole loop
func.func @halves(%x: tensor<128x64xf32>, %n: index) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.while (%i = %n, %t = %x) : (index, tensor<128x64xf32>) -> (index, tensor<128x64xf32>) {
    %c = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%c) %i, %t : index, tensor<128x64xf32>
  } do {
  ^bb0(%i: index, %t: tensor<128x64xf32>):
    %y = linalg.abs ins(%t : tensor<128x64xf32>) outs(%t : tensor<128x64xf32>) -> tensor<128x64xf32>
    %next = arith.divsi %i, %c2 : index
    scf.yield %next, %y : index, tensor<128x64xf32>
  }
  return %r#1 : tensor<128x64xf32>
}
