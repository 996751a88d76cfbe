// What does not fit on a device: an op is given nothing, or what it makes is a tensor of its own, into which nothing is copied. No branch has a
// result of other extents than another one.
// RUN: pit-opt %s --pit-check-extents=device --canonicalize --cse | FileCheck %s --implicit-check-not=pit_rt_room
// RUN: pit-opt %s --pit-check-extents=device --remarks-filter=pit-checks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// All of it is padding.
// CHECK-LABEL: func.func @pad(
// CHECK: pit.check %[[AMOUNT:.*]], "{{.*}}'tensor.pad': pads dimension 0 by {0} in front
// CHECK: pit.check %[[SUM:.*]], "{{.*}}'tensor.pad': dimension 0 becomes {0} elements long, of its result {1}"
// CHECK: %[[BOTH:.*]] = arith.andi %[[AMOUNT]], %[[SUM]]
// CHECK: %[[ROWS:.*]] = arith.select %[[BOTH]], %{{.*}}, %c0
// CHECK: %[[LOW:.*]] = arith.select %[[BOTH]], %{{.*}}, %c8
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[0, 0] [%[[ROWS]], 3] [1, 1]
// CHECK: tensor.pad %[[PART]] low[%[[LOW]], 0] high[%c0, 1]
func.func @pad(%x: tensor<?x3xf32>, %by: tensor<1xi64>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %a = tensor.extract %by[%c0] : tensor<1xi64>
  %l = arith.index_cast %a : i64 to index
  %p = tensor.pad %x low[%l, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x3xf32> to tensor<8x4xf32>
  return %p : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @reshape(
// CHECK: pit.check %{{.*}}, "{{.*}}'tensor.expand_shape': result 0
// CHECK: pit.check %{{.*}}, "{{.*}}'tensor.expand_shape': dimension 0
// CHECK: %[[ALL:.*]] = arith.select
// CHECK: %[[N:.*]] = arith.select
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[0] [%[[ALL]]] [1]
// CHECK: tensor.expand_shape %[[PART]] {{.*}} output_shape [3, %[[N]]]
func.func @reshape(%x: tensor<?xf32>, %extent: tensor<1xi64>) -> tensor<3x?xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %t = tensor.expand_shape %x [[0, 1]] output_shape [3, %n] : tensor<?xf32> into tensor<3x?xf32>
  return %t : tensor<3x?xf32>
}

// Of two extents, one of which the type says, and all of them.
// CHECK-LABEL: func.func @casts(
// CHECK: pit.check %[[FOUR:.*]], "{{.*}}'tensor.cast': dimension 0 of its operand is {0}, of its result {1}"
// CHECK: %[[THREE:.*]] = arith.select %[[FOUR]], %c3, %c0
// CHECK: %[[CAST:.*]] = tensor.extract_slice %{{.*}}[0, 0] [4, %[[THREE]]] [1, 1] : tensor<?x3xf32> to tensor<4x?xf32>
// CHECK: pit.check %[[FIVE:.*]], "{{.*}}'tensor.cast': dimension 1 of its operand is {0}, of its result {1}"
// CHECK: %[[A:.*]] = arith.select %[[FIVE]]
// CHECK: %[[B:.*]] = arith.select %[[FIVE]]
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[0, 0] [%[[A]], %[[B]]] [1, 1]
// CHECK: %[[OWN:.*]] = tensor.empty() : tensor<5x5xf32>
// CHECK: tensor.insert_slice %[[PART]] into %[[OWN]][0, 0] [%[[A]], %[[B]]] [1, 1]
// CHECK: return %[[CAST]]
func.func @casts(%x: tensor<?x?xf32>, %extent: tensor<1xi64>) -> (tensor<4x?xf32>, tensor<4x5xf32>) {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %s = tensor.extract_slice %x[0, 0] [%n, 3] [1, 1] : tensor<?x?xf32> to tensor<?x3xf32>
  %u = tensor.cast %s : tensor<?x3xf32> to tensor<4x?xf32>
  %t = tensor.extract_slice %x[0, 0] [5, %n] [1, 1] : tensor<?x?xf32> to tensor<5x?xf32>
  %v = tensor.cast %t : tensor<5x?xf32> to tensor<5x5xf32>
  %w = tensor.extract_slice %v[0, 0] [4, 5] [1, 1] : tensor<5x5xf32> to tensor<4x5xf32>
  return %u, %w : tensor<4x?xf32>, tensor<4x5xf32>
}

// CHECK-LABEL: func.func @slices(
// CHECK: pit.check %{{.*}}, "{{.*}}'tensor.extract_slice': stride {0} of dimension 0
// CHECK: pit.check %{{.*}}, "{{.*}}'tensor.extract_slice': takes {0} elements of dimension 0
// CHECK: %[[OWN:.*]] = tensor.empty() : tensor<3x1xf32>
// CHECK: %[[WHOLE:.*]] = tensor.insert_slice %{{.*}} into %[[OWN]]
// CHECK: tensor.extract_slice %[[WHOLE]][0, 0] [3, 1] [1, 1] : tensor<3x1xf32> to tensor<3xf32>
// CHECK: pit.check %[[STRIDE:.*]], "{{.*}}'tensor.extract_slice': stride {0} of dimension 0
// CHECK: pit.check %[[SIZE:.*]], "{{.*}}'tensor.extract_slice': takes {0} elements of dimension 0
// CHECK: %[[HOLDS:.*]] = arith.andi %[[STRIDE]], %[[SIZE]]
// CHECK: %[[BY:.*]] = arith.select %[[HOLDS]], %{{.*}}, %c1
// CHECK: %[[N:.*]] = arith.select %[[HOLDS]], %{{.*}}, %c0
// CHECK: tensor.extract_slice %{{.*}}[0, %{{.*}}] [%[[N]], 1] [%[[BY]], 1]
func.func @slices(%x: tensor<?x6xf32>, %by: tensor<1xi64>) -> (tensor<3xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %by[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %r = tensor.extract_slice %x[0, 1] [3, 1] [%n, 1] : tensor<?x6xf32> to tensor<3xf32>
  %t = tensor.extract_slice %x[0, 1] [%n, 1] [%n, 1] : tensor<?x6xf32> to tensor<?xf32>
  return %r, %t : tensor<3xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @concat(
// CHECK: pit.check %[[SUM:.*]], "{{.*}}'tensor.concat': its operands have {0} along dimension 0, its result {1}"
// CHECK: %[[N:.*]] = arith.select %[[SUM]], %{{.*}}, %c0
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[0, 0] [%[[N]], 2] [1, 1]
// CHECK: tensor.concat dim(0) %[[PART]], %[[PART]]
func.func @concat(%x: tensor<?x2xf32>, %extent: tensor<1xi64>) -> tensor<6x2xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %s = tensor.extract_slice %x[0, 0] [%n, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
  %r = tensor.concat dim(0) %s, %s : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<6x2xf32>
  return %r : tensor<6x2xf32>
}

// What says which rows are live has their number in any case, and the host knows it.
// CHECK-LABEL: func.func @mark(
// CHECK: %[[ROWS:.*]] = tensor.dim %arg0, %c0 : tensor<?x4xf32>
// CHECK: pit.check %[[SAME:.*]], "{{.*}}'pit.sparse': dimension 0 of its mask is {0}, dimension 0 of the marked tensor is {1}"
// CHECK: %[[N:.*]] = arith.select %[[SAME]], %{{.*}}, %c0
// CHECK: %[[DEAD:.*]] = linalg.fill
// CHECK: %[[LIVE:.*]] = tensor.insert_slice %{{.*}} into %[[DEAD]][0] [%[[N]]] [1]
// CHECK: pit.sparse %arg0 by(%[[LIVE]] : tensor<?xi1>)
func.func @mark(%x: tensor<?x4xf32>, %live: tensor<?xi1>, %extent: tensor<1xi64>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %m = tensor.extract_slice %live[0] [%n] [1] : tensor<?xi1> to tensor<?xi1>
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// What does not say which elements it writes is a remark.
// REMARK-NOT: remark
// REMARK: [[#@LINE+3]]:8: remark: {{.*}} | Function=scatter | Op=tensor.scatter,
// REMARK-NOT: remark
func.func @scatter(%x: tensor<4xf32>, %y: tensor<?xf32>, %at: tensor<4x1xi64>) -> tensor<?xf32> {
  %r = tensor.scatter %x into %y[%at] scatter_dims([0]) unique : (tensor<4xf32>, tensor<?xf32>, tensor<4x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Arithmetic on tensors; a new tensor, for which no memory is asked for; what has a destination is not run.
// CHECK-LABEL: func.func @elementwise(
// CHECK: pit.check %[[SAME:.*]], "{{.*}}'arith.addf': dimension 0 of operand 0 is {0}, dimension 0 of operand 1 is {1}"
// CHECK: %[[N:.*]] = arith.select %[[SAME]], %{{.*}}, %c0
// CHECK: %[[A:.*]] = tensor.extract_slice %{{.*}}[0] [%[[N]]] [1]
// CHECK: %[[M:.*]] = arith.select %[[SAME]], %{{.*}}, %c0
// CHECK: %[[B:.*]] = tensor.extract_slice %{{.*}}[0] [%[[M]]] [1]
// CHECK: arith.addf %[[A]], %[[B]]
// CHECK: pit.check %[[FITS:.*]], "{{.*}}'tensor.empty': result 0 of type tensor<?xf32>: its dynamic extent is {0}
// CHECK: %[[SIZE:.*]] = arith.select %[[FITS]], %{{.*}}, %c0
// CHECK: %[[NEW:.*]] = tensor.empty(%[[SIZE]])
// CHECK: pit.check %[[SAME2:.*]], "{{.*}}'linalg.exp'
// CHECK: scf.if %[[SAME2]]
// CHECK: linalg.exp
// CHECK: else
// CHECK: scf.yield %[[NEW]]
func.func @elementwise(%x: tensor<?xf32>, %extents: tensor<3xi64>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.extract %extents[%c0] : tensor<3xi64>
  %b = tensor.extract %extents[%c1] : tensor<3xi64>
  %c = tensor.extract %extents[%c2] : tensor<3xi64>
  %n = arith.index_cast %a : i64 to index
  %m = arith.index_cast %b : i64 to index
  %k = arith.index_cast %c : i64 to index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %t = tensor.extract_slice %x[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  %u = arith.addf %s, %t : tensor<?xf32>
  %e = tensor.empty(%k) : tensor<?xf32>
  %v = linalg.exp ins(%u : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %u, %v : tensor<?xf32>, tensor<?xf32>
}
