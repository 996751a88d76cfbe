// Extents that are data, on a device: where they fit, what is computed is right; where not, one error that names the op
// and both numbers, and nothing outside of tensors is read or written.
// UNSUPPORTED: sanitizer

// New tensors that are as large as elements say, within what the host reserves.
// RUN: %emulated-cuda pit-run %s --entry make --target cuda --chip sm_90a --random const:5@3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry make --target cuda --chip sm_90a --random const:0@3 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry make --target cuda --chip sm_90a --random const:-5@3 2>&1 | FileCheck %s --check-prefix=MAKE
// CHECK: check: result 0: {{bit-identical|agrees|.*within}}
// MAKE-NOT: error
// MAKE: pit-run: error: {{.*}}computed-extents.mlir:[[#@LINE+14]]:{{[0-9]+}}: 'tensor.empty': result 0 of type tensor<?xf32>: its dynamic extent is -5, where 0 to 18014398509481984 fit into 2^56 bytes
// MAKE-NOT: error
func.func @make(%extents: tensor<?xi64>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %z = arith.constant 1.0 : f32
  %i0 = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%z : f32) outs(%i0 : tensor<f32>) -> tensor<f32>
  %times = tensor.dim %extents, %c0 : tensor<?xi64>
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%sum = %init) -> tensor<f32> {
    %a = tensor.extract %extents[%i] : tensor<?xi64>
    %k = arith.index_cast %a : i64 to index
    %n = arith.minsi %k, %c100 : index
    %e = tensor.empty(%n) : tensor<?xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %s = linalg.reduce { arith.addf } ins(%f : tensor<?xf32>) outs(%sum : tensor<f32>) dimensions = [0]
    scf.yield %s : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func private @sum(%x: tensor<?xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %s = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%s : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// An op between what is given and what was made; more rows than it has, and fewer. What follows from the first error is not reported.
// RUN: %emulated-cuda pit-run %s --entry mismatch --target cuda --chip sm_90a --random normal@5x2 --random const:5@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry mismatch --target cuda --chip sm_90a --random normal@5x2 --random const:4@1 2>&1 | FileCheck %s --check-prefix=MISMATCH -DGOT=4
// RUN: not %emulated-cuda pit-run %s --entry mismatch --target cuda --chip sm_80 --random normal@5x2 --random const:900@1 2>&1 | FileCheck %s --check-prefix=MISMATCH -DGOT=900
// RUN: not %emulated-cuda pit-run %s --entry mismatch --target cuda --chip sm_90a --random normal@1x2 --random const:0@1 2>&1 | FileCheck %s --check-prefix=MISMATCH -DGOT=0
// MISMATCH-NOT: error
// MISMATCH: pit-run: error: {{.*}}: 'linalg.exp': dimension 0 of operand 0 is {{5|1}}, dimension 0 of operand 1 is [[GOT]]
// MISMATCH-NOT: error
func.func @mismatch(%x: tensor<?x2xf32>, %extents: tensor<?xi64>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %z = arith.constant 0.0 : f32
  %i0 = tensor.empty() : tensor<2xf32>
  %init = linalg.fill ins(%z : f32) outs(%i0 : tensor<2xf32>) -> tensor<2xf32>
  %times = tensor.dim %extents, %c0 : tensor<?xi64>
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%sum = %init) -> tensor<2xf32> {
    %a = tensor.extract %extents[%i] : tensor<?xi64>
    %k = arith.index_cast %a : i64 to index
    %n = arith.minsi %k, %c1000 : index
    %e = tensor.empty(%n) : tensor<?x2xf32>
    %t = linalg.exp ins(%x : tensor<?x2xf32>) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<?x2xf32>) outs(%sum : tensor<2xf32>) dimensions = [0]
    scf.yield %s : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// Paddings by what elements say, of a bounded extent, and to the one of the type.
// RUN: %emulated-cuda pit-run %s --entry pad --target cuda --chip sm_90a --random iota@5 --random const:2@2 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry pad --target cuda --chip sm_90a --random iota@5 --random const:-2@2 2>&1 | FileCheck %s --check-prefix=PAD
// PAD: pit-run: error: {{.*}}: 'tensor.pad': pads dimension 0 by -2 in front, which is not within 0 to
func.func @pad(%x: tensor<?xf32>, %by: tensor<?xi64>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %z = arith.constant 1.0 : f32
  %i0 = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%z : f32) outs(%i0 : tensor<f32>) -> tensor<f32>
  %times = tensor.dim %by, %c0 : tensor<?xi64>
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%sum = %init) -> tensor<f32> {
    %a = tensor.extract %by[%i] : tensor<?xi64>
    %k = arith.index_cast %a : i64 to index
    %l = arith.minsi %k, %c9 : index
    %p = tensor.pad %x low[%l] high[%l] {
    ^bb0(%j: index):
      tensor.yield %z : f32
    } : tensor<?xf32> to tensor<?xf32>
    %s = linalg.reduce { arith.addf } ins(%p : tensor<?xf32>) outs(%sum : tensor<f32>) dimensions = [0]
    scf.yield %s : tensor<f32>
  }
  return %r : tensor<f32>
}

// RUN: %emulated-cuda pit-run %s --entry pad_to --target cuda --chip sm_90a --random normal@5x3 --random const:3@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry pad_to --target cuda --chip sm_90a --random normal@6x3 --random const:3@1 2>&1 | FileCheck %s --check-prefix=PAD-TO -DGOT=9
// RUN: not %emulated-cuda pit-run %s --entry pad_to --target cuda --chip sm_90a --random normal@600x3 --random const:-3@1 2>&1 | FileCheck %s --check-prefix=PAD-BY
// PAD-TO: pit-run: error: {{.*}}: 'tensor.pad': dimension 0 becomes [[GOT]] elements long, of its result 8
// PAD-BY: pit-run: error: {{.*}}: 'tensor.pad': pads dimension 0 by -3 in front
func.func @pad_to(%x: tensor<?x3xf32>, %by: tensor<1xi64>) -> tensor<8x4xf32> {
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

// Other shapes of the same elements.
// RUN: %emulated-cuda pit-run %s --entry reshape --target cuda --chip sm_90a --random normal@12 --random const:4@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry reshape --target cuda --chip sm_90a --random normal@12 --random const:5@1 2>&1 | FileCheck %s --check-prefix=EXPAND
// RUN: not %emulated-cuda pit-run %s --entry reshape --target cuda --chip sm_90a --random normal@12 --random const:-4@1 2>&1 | FileCheck %s --check-prefix=EXPANDED
// EXPAND: pit-run: error: {{.*}}: 'tensor.expand_shape': dimension 0 of its operand is 12, what it becomes has 15 elements
// EXPANDED: pit-run: error: {{.*}}: 'tensor.expand_shape': result 0 of type tensor<3x?xf32>: its dynamic extent is -4, where
func.func @reshape(%x: tensor<?xf32>, %extent: tensor<1xi64>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %t = tensor.expand_shape %x [[0, 1]] output_shape [3, %n] : tensor<?xf32> into tensor<3x?xf32>
  %s = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%z : f32) outs(%s : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.reduce { arith.addf } ins(%t : tensor<3x?xf32>) outs(%f : tensor<3xf32>) dimensions = [1]
  return %r : tensor<3xf32>
}

// A shape that is a tensor. 2^32 times 2^32 is 0 in 64 bits.
// RUN: not %emulated-cuda pit-run %s --entry wrap --target cuda --chip sm_90a --random normal@0 --random const:4294967296@2 2>&1 | FileCheck %s --check-prefix=WRAP
// RUN: not %emulated-cuda pit-run %s --entry wrap --target cuda --chip sm_90a --random normal@6 --random const:1@2 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %emulated-cuda pit-run %s --entry wrap --target cuda --chip sm_90a --random normal@9 --random const:3@2 --check --quiet | FileCheck %s
// WRAP: pit-run: error: {{.*}}: 'tensor.expand_shape': result 0 of type tensor<?x?xf32>: its dynamic extent 1 is 4294967296, where 0 to
// ONE: 'tensor.expand_shape': dimension 0 of its operand is 6, what it becomes has 1 elements
func.func @wrap(%x: tensor<?xf32>, %shape: tensor<2xi64>) -> tensor<f32> {
  %r = tensor.reshape %x(%shape) : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %s = func.call @sum(%c) : (tensor<?xf32>) -> tensor<f32>
  return %s : tensor<f32>
}

// What a type says: of a cast to all extents and to one of two, and of parts side by side.
// RUN: %emulated-cuda pit-run %s --entry cast --target cuda --chip sm_90a --random normal@9 --random const:4@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry cast --target cuda --chip sm_90a --random normal@9 --random const:5@1 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: not %emulated-cuda pit-run %s --entry cast --target cuda --chip sm_90a --random normal@3 --random const:3@1 2>&1 | FileCheck %s --check-prefix=CAST
// CAST: pit-run: error: {{.*}}: 'tensor.cast': dimension 0 of its operand is {{3|5}}, of its result 4
func.func @cast(%x: tensor<?xf32>, %extent: tensor<1xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = tensor.cast %s : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// RUN: %emulated-cuda pit-run %s --entry cast_one --target cuda --chip sm_90a --random normal@9x5 --random const:4@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry cast_one --target cuda --chip sm_90a --random normal@3x5 --random const:3@1 2>&1 | FileCheck %s --check-prefix=CAST
func.func @cast_one(%x: tensor<?x?xf32>, %extent: tensor<1xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %s = tensor.extract_slice %x[0, 0] [%n, %m] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %c = tensor.cast %s : tensor<?x?xf32> to tensor<4x?xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce { arith.addf } ins(%c : tensor<4x?xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// RUN: %emulated-cuda pit-run %s --entry concat --target cuda --chip sm_90a --random normal@9 --random const:3@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry concat --target cuda --chip sm_90a --random normal@9 --random const:4@1 2>&1 | FileCheck %s --check-prefix=CONCAT
// RUN: not %emulated-cuda pit-run %s --entry concat --target cuda --chip sm_90a --random normal@900 --random const:400@1 2>&1 | FileCheck %s --check-prefix=CONCAT
// CONCAT: pit-run: error: {{.*}}: 'tensor.concat': its operands have {{8|800}} along dimension 0, its result 6
func.func @concat(%x: tensor<?xf32>, %extent: tensor<1xi64>) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = tensor.concat dim(0) %s, %s : (tensor<?xf32>, tensor<?xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// Arithmetic on tensors.
// RUN: %emulated-cuda pit-run %s --entry elementwise --target cuda --chip sm_90a --random normal@9 --random const:4@2 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry elementwise --target cuda --chip sm_90a --random normal@9 --random iota@2 2>&1 | FileCheck %s --check-prefix=ELEMENTWISE
// ELEMENTWISE: pit-run: error: {{.*}}: 'arith.addf': dimension 0 of operand 0 is 0, dimension 0 of operand 1 is 1
func.func @elementwise(%x: tensor<?xf32>, %extents: tensor<?xi64>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f32
  %i0 = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%z : f32) outs(%i0 : tensor<f32>) -> tensor<f32>
  %times = tensor.dim %extents, %c0 : tensor<?xi64>
  %rows = tensor.dim %x, %c0 : tensor<?xf32>
  %a = tensor.extract %extents[%c0] : tensor<?xi64>
  %j = arith.index_cast %a : i64 to index
  %n = arith.minsi %j, %rows : index
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%sum = %init) -> tensor<f32> {
    %b = tensor.extract %extents[%i] : tensor<?xi64>
    %k = arith.index_cast %b : i64 to index
    %m = arith.minsi %k, %rows : index
    %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
    %t = tensor.extract_slice %x[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    %u = arith.addf %s, %t : tensor<?xf32>
    %v = linalg.reduce { arith.addf } ins(%u : tensor<?xf32>) outs(%sum : tensor<f32>) dimensions = [0]
    scf.yield %v : tensor<f32>
  }
  return %r : tensor<f32>
}

// Steps of a slice and of a loop.
// RUN: %emulated-cuda pit-run %s --entry stride --target cuda --chip sm_90a --random normal@9 --random const:3@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry stride --target cuda --chip sm_90a --random normal@9 --random const:5@1 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: not %emulated-cuda pit-run %s --entry stride --target cuda --chip sm_90a --random normal@9 --random const:-1@1 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: not %emulated-cuda pit-run %s --entry stride --target cuda --chip sm_90a --random normal@1 --random const:1@1 2>&1 | FileCheck %s --check-prefix=STRIDE
// STRIDE: pit-run: error: {{.*}}: 'tensor.extract_slice': {{takes 3 elements of dimension 0, where 0 to [12] are from the offset on|stride -1 of dimension 0 is not within 1 to}}
func.func @stride(%x: tensor<?xf32>, %by: tensor<1xi64>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %by[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %r = tensor.extract_slice %x[0] [3] [%n] : tensor<?xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}

// RUN: %emulated-cuda pit-run %s --entry step --target cuda --chip sm_90a --random normal@9 --random const:2@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry step --target cuda --chip sm_90a --random normal@9 --random const:0@1 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: pit-run: error: {{.*}}: 'scf.for': step 0 is not within 1 to
func.func @step(%x: tensor<?xf32>, %by: tensor<1xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %a = tensor.extract %by[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %r = scf.for %i = %c0 to %c8 step %n iter_args(%t = %x) -> tensor<?xf32> {
    %s = tensor.insert %z into %t[%i] : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A branch that elements decide, and a loop of as many iterations as they say: what is in there may not run.
// RUN: %emulated-cuda pit-run %s --entry branch --target cuda --chip sm_90a --random normal@5 --random normal@5 --random const:1@1 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry branch --target cuda --chip sm_90a --random normal@5 --random normal@6 --random const:0@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry branch --target cuda --chip sm_90a --random normal@5 --random normal@6000 --random const:1@1 2>&1 | FileCheck %s --check-prefix=BRANCH
// BRANCH: pit-run: error: {{.*}}: 'linalg.add': dimension 0 of operand 0 is 5, dimension 0 of operand 1 is 6000
func.func @branch(%x: tensor<?xf32>, %y: tensor<?xf32>, %which: tensor<1xi1>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c = tensor.extract %which[%c0] : tensor<1xi1>
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.if %c -> tensor<?xf32> {
    %e = tensor.empty(%n) : tensor<?xf32>
    %s = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// RUN: %emulated-cuda pit-run %s --entry loop --target cuda --chip sm_90a --random normal@5 --random normal@5 --random const:3@1 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry loop --target cuda --chip sm_90a --random normal@5 --random normal@6 --random const:0@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry loop --target cuda --chip sm_90a --random normal@5 --random normal@6 --random const:3@1 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: pit-run: error: {{.*}}: 'linalg.add': dimension 0 of operand 0 is 5, dimension 0 of operand 1 is 6
func.func @loop(%x: tensor<?xf32>, %y: tensor<?xf32>, %times: tensor<1xi64>) -> tensor<?xf32> {
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
    %s = linalg.add ins(%t, %y : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %s : index, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// A mark whose mask is as long as an element says.
// RUN: %emulated-cuda pit-run %s --entry mark --target cuda --chip sm_90a --random normal@5x4 --random bool@8 --random const:5@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry mark --target cuda --chip sm_90a --random normal@5x4 --random bool@8 --random const:4@1 2>&1 | FileCheck %s --check-prefix=MARK -DGOT=4
// RUN: not %emulated-cuda pit-run %s --entry mark --target cuda --chip sm_90a --random normal@5x4 --random bool@800 --random const:700@1 2>&1 | FileCheck %s --check-prefix=MARK -DGOT=700
// MARK: pit-run: error: {{.*}}: 'pit.sparse': dimension 0 of its mask is [[GOT]], dimension 0 of the marked tensor is 5
func.func @mark(%x: tensor<?x4xf32>, %live: tensor<?xi1>, %extent: tensor<1xi64>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %m = tensor.extract_slice %live[0] [%n] [1] : tensor<?xi1> to tensor<?xi1>
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x4xf32>
  %r = math.absf %s : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// Iterations in any order that write where elements say.
// RUN: %emulated-cuda pit-run %s --entry scatter --target cuda --chip sm_90a --random normal@4x2 --random normal@8x2 --random randint:0:7@4 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry scatter --target cuda --chip sm_90a --random normal@4x2 --random normal@8x2 --random const:7@4 2>&1 | FileCheck %s --check-prefix=SCATTER -DGOT=7
// RUN: not %emulated-cuda pit-run %s --entry scatter --target cuda --chip sm_90a --random normal@4x2 --random normal@8x2 --random const:-1@4 2>&1 | FileCheck %s --check-prefix=SCATTER -DGOT=-1
// SCATTER: pit-run: error: line [[#@LINE+10]]: index out of range: the offset [[GOT]] of dimension 0 of a slice is not within 0 to 6
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

// Rows of a table, whose number and indexes are elements: the op gets one more input and is looked at all the same.
// RUN: %emulated-cuda pit-run %s --entry gather --target cuda --chip sm_90a --random normal@7 --random randint:0:7@5 --random const:5@1 --check --quiet | FileCheck %s
// RUN: not %emulated-cuda pit-run %s --entry gather --target cuda --chip sm_90a --random normal@7 --random randint:0:7@5 --random const:4@1 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not %emulated-cuda pit-run %s --entry gather --target cuda --chip sm_90a --random normal@7 --random const:7@5 --random const:5@1 2>&1 | FileCheck %s --check-prefix=GATHERED
// GATHER: pit-run: error: {{.*}}: 'linalg.generic': dimension 0 of operand 0 is 5, dimension 0 of operand {{[0-9]}} is 4
// GATHERED: pit-run: error: line [[#@LINE+19]]: index out of range: reads index 7 of dimension 0, which is 7
func.func @gather(%table: tensor<?xf32>, %ids: tensor<?xi64>, %extents: tensor<?xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %z = arith.constant 0.0 : f32
  %i0 = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%z : f32) outs(%i0 : tensor<4xf32>) -> tensor<4xf32>
  %times = tensor.dim %extents, %c0 : tensor<?xi64>
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%sum = %init) -> tensor<4xf32> {
    %a = tensor.extract %extents[%i] : tensor<?xi64>
    %k = arith.index_cast %a : i64 to index
    %n = arith.minsi %k, %c1000 : index
    %e = tensor.empty(%n) : tensor<?x4xf32>
    %t = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<?xi64>) outs(%e : tensor<?x4xf32>) {
    ^bb0(%id: i64, %out: f32):
      %j = arith.index_cast %id : i64 to index
      %x = tensor.extract %table[%j] : tensor<?xf32>
      linalg.yield %x : f32
    } -> tensor<?x4xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<?x4xf32>) outs(%sum : tensor<4xf32>) dimensions = [0]
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
