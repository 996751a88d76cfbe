// Loops around structured ops become loops of the host where it knows how often they iterate; remarks say why others stay.
// RUN: pit-opt %s --pit-outline-loops -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-outline-loops -split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: pit-opt %s --pit-outline-loops="few=0" -split-input-file | FileCheck %s --check-prefix=ALL

// Numbers and marks come along; tensors are captured.
// CHECK-LABEL: func.func private @marked_loop(
// CHECK-SAME: %{{.*}}: index, %[[T:.*]]: tensor<?x64xf32> {bufferization.writable = false}, %[[X:[a-z0-9]*]]: tensor<?x64xf32> {bufferization.writable = false},
// CHECK-SAME: %[[LIVE:[a-z0-9]*]]: tensor<?xi1> {bufferization.writable = false}
// CHECK: %[[ROWS:.*]] = pit.sparse %[[X]] by(%[[LIVE]]
// CHECK: tensor.dim %[[X]]
// CHECK: return %{{.*}} : tensor<?x64xf32>
// CHECK-LABEL: func.func @marked(
// CHECK: %[[N:.*]] = arith.muli
// CHECK: %[[R:.*]]:2 = pit.host_loop @marked_loop(%{{.*}} to %[[N]] step %{{.*}}) carries(%[[FIRST:.*]] : tensor<?x64xf32>) captures(
// CHECK: return %[[R]]#0
// REMARK: remark: {{.*}}the host runs it, around launches
func.func @marked(%x: tensor<?x64xf32>, %live: tensor<?xi1>, %n: index) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?x64xf32>
  %end = arith.muli %n, %d : index
  %rows = pit.sparse %x by(%live : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x64xf32>
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%t = %x) -> tensor<?x64xf32> {
    %e = tensor.empty(%d) : tensor<?x64xf32>
    %y = linalg.add ins(%t, %rows : tensor<?x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.yield %y : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}

// -----

// CHECK-LABEL: func.func @elements(
// CHECK-NOT: pit.host_loop
// REMARK: remark: {{.*}}only the device knows how often it iterates; one block of threads runs the whole loop
func.func @elements(%x: tensor<128x64xf32>, %n: tensor<index>) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = tensor.extract %n[] : tensor<index>
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%t = %x) -> tensor<128x64xf32> {
    %e = tensor.empty() : tensor<128x64xf32>
    %y = linalg.add ins(%t, %x : tensor<128x64xf32>, tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
    scf.yield %y : tensor<128x64xf32>
  }
  return %r : tensor<128x64xf32>
}

// -----

// CHECK-LABEL: func.func @number(
// CHECK-NOT: pit.host_loop
// REMARK: remark: {{.*}}it carries a number, which only the device knows; one block of threads runs the whole loop
func.func @number(%x: tensor<128x64xf32>, %n: index, %a: f32) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %b = %a) -> (tensor<128x64xf32>, f32) {
    %e = tensor.empty() : tensor<128x64xf32>
    %y = linalg.fill ins(%b : f32) outs(%t : tensor<128x64xf32>) -> tensor<128x64xf32>
    %c = arith.addf %b, %b : f32
    scf.yield %y, %c : tensor<128x64xf32>, f32
  }
  return %r#0 : tensor<128x64xf32>
}

// -----

// CHECK-LABEL: func.func @captured(
// CHECK-NOT: pit.host_loop
// REMARK: remark: {{.*}}it uses a number that only the device knows; one block of threads runs the whole loop
func.func @captured(%x: tensor<128x64xf32>, %n: index, %s: tensor<f32>) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.extract %s[] : tensor<f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<128x64xf32> {
    %y = linalg.fill ins(%a : f32) outs(%t : tensor<128x64xf32>) -> tensor<128x64xf32>
    scf.yield %y : tensor<128x64xf32>
  }
  return %r : tensor<128x64xf32>
}

// -----

// Two tensors of the same extents change places; of others, nobody knows.
// CHECK-LABEL: func.func @same(
// CHECK: pit.host_loop
// CHECK-LABEL: func.func @other(
// CHECK-NOT: pit.host_loop
// REMARK-DAG: remark: {{.*}}the host runs it, around launches
// REMARK-DAG: remark: {{.*}}a tensor that it carries may have other extents in the next iteration; one block of threads runs the whole loop
func.func @same(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %y = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %u = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %v = linalg.add ins(%t, %u : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %u, %v : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0 : tensor<?xf32>
}
func.func @other(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %u = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %v = linalg.abs ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %u, %v : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @varying(
// CHECK-NOT: pit.host_loop
// REMARK: remark: {{.*}}extents inside may follow from which iteration it is, or from elements; one block of threads runs the whole loop
func.func @varying(%x: tensor<128x64xf32>, %n: index) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<128x64xf32> {
    %part = tensor.extract_slice %t[0, 0] [%i, 64] [1, 1] : tensor<128x64xf32> to tensor<?x64xf32>
    %y = linalg.abs ins(%part : tensor<?x64xf32>) outs(%part : tensor<?x64xf32>) -> tensor<?x64xf32>
    %u = tensor.insert_slice %y into %t[0, 0] [%i, 64] [1, 1] : tensor<?x64xf32> into tensor<128x64xf32>
    scf.yield %u : tensor<128x64xf32>
  }
  return %r : tensor<128x64xf32>
}

// -----

// CHECK-LABEL: func.func @small(
// CHECK-NOT: pit.host_loop
// REMARK: remark: {{.*}}its ops are too small for launches of their own; one block of threads runs the whole loop
// ALL-LABEL: func.func @small(
// ALL: pit.host_loop
func.func @small(%x: tensor<64x64xf32>, %n: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<64x64xf32> {
    %y = linalg.abs ins(%t : tensor<64x64xf32>) outs(%t : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %y : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
