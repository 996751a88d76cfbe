// Arguments whose extents do not agree are one error that names the op and both numbers, before anything is read or
// written, on the CPU and on devices.

// RUN: rm -rf %t && mkdir %t

// Masks: longer, shorter, far longer, of no rows, and that of no rows for none.
// RUN: pit-run %s --entry mask --random normal@9x8 --random bool@9 --random normal --check
// RUN: pit-run %s --entry mask --random normal@0x8 --random bool@0 --random normal --check
// RUN: not pit-run %s --entry mask --random normal@9x8 --random bool@1000000 --random normal --output %t/out 2>&1 | FileCheck %s --check-prefix=MASK -DGOT=1000000 -DROWS=9
// RUN: not pit-run %s --entry mask --random normal@9x8 --random bool@8 --random normal --output %t/out 2>&1 | FileCheck %s --check-prefix=MASK -DGOT=8 -DROWS=9
// RUN: not pit-run %s --entry mask --random normal@9x8 --random bool@0 --random normal --output %t/out 2>&1 | FileCheck %s --check-prefix=MASK -DGOT=0 -DROWS=9
// RUN: not pit-run %s --entry mask --random normal@0x8 --random bool@9 --random normal --output %t/out 2>&1 | FileCheck %s --check-prefix=MASK -DGOT=9 -DROWS=0
// RUN: not pit-run %s --entry mask --random normal@9x8 --random bool@10 --random normal --check --bench 1 2>&1 | FileCheck %s --check-prefix=MASK -DGOT=10 -DROWS=9
// RUN: not %cuda pit-run %s --entry mask --random normal@9x8 --random bool@10 --random normal --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=MASK -DGOT=10 -DROWS=9
// RUN: not %cuda pit-run %s --entry mask --random normal@9x8 --random bool@8 --random normal --target cuda --chip sm_80 2>&1 | FileCheck %s --check-prefix=MASK -DGOT=8 -DROWS=9
// MASK-NOT: error
// MASK: pit-run: error: {{.*}}wrong-extents.mlir:[[#]]:{{[0-9]+}}: 'pit.sparse': dimension 0 of its mask is [[GOT]], dimension 0 of the marked tensor is [[ROWS]]
// MASK-NOT: error
func.func @mask(%a: tensor<?x8xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}}, %m: tensor<?xi1>, %b: tensor<8x5xf32>) -> tensor<?x5xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x5xf32>) outs(%f : tensor<?x5xf32>) -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// Lengths of more and of fewer sequences.
// RUN: pit-run %s --entry lengths --random ones@3x6x4 --random lengths:0:6@3 --check
// RUN: not pit-run %s --entry lengths --random ones@3x6x4 --random lengths:0:6@1000 --check 2>&1 | FileCheck %s --check-prefix=LENGTHS -DGOT=1000
// RUN: not pit-run %s --entry lengths --random ones@3x6x4 --random lengths:0:6@2 --check 2>&1 | FileCheck %s --check-prefix=LENGTHS -DGOT=2
// RUN: not %cuda pit-run %s --entry lengths --random ones@3x6x4 --random lengths:0:6@2 --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=LENGTHS -DGOT=2
// LENGTHS: pit-run: error: {{.*}}: 'pit.sparse': dimension 0 of its lengths is [[GOT]], dimension 0 of the marked tensor is 3
func.func @lengths(%x: tensor<?x6x4xf32> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "right", absent = "zero"}}, %l: tensor<?xi64>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x6x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?x6x4xf32>) outs(%f : tensor<?x4xf32>) dimensions = [1]
  return %r : tensor<?x4xf32>
}

// Blocks: one per 4 rows and 8 columns, the last ones cut.
// RUN: pit-run %s --entry blocks --random normal@9x20 --random bool@3x3 --check
// RUN: not pit-run %s --entry blocks --random normal@9x20 --random bool@3x2 --check 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: pit-run: error: {{.*}}: 'pit.sparse': dimension 1 of its blocks is 2, the marked tensor has 3 along dimension 1
func.func @blocks(%x: tensor<?x?xf32> {pit.sparse = {source = "blocks", from = 1 : i64, axes = array<i64: 0, 1>, granularity = array<i64: 4, 8>, absent = "zero"}}, %m: tensor<?x?xi1>) -> tensor<?x?xf32> {
  %r = math.absf %x : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A product: k of both operands, and the extents of its destination.
// RUN: pit-run %s --entry product --random normal@4x5 --random normal@5x3 --random normal@4x3 --check
// RUN: not pit-run %s --entry product --random normal@4x5 --random normal@6x3 --random normal@4x3 --check 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not %cuda pit-run %s --entry product --random normal@4x5 --random normal@6x3 --random normal@4x3 --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: pit-run: error: {{.*}}: 'linalg.matmul': dimension 1 of operand 0 is 5, dimension 0 of operand 1 is 6
// RUN: not pit-run %s --entry product --random normal@4x5 --random normal@5x3 --random normal@5x3 2>&1 | FileCheck %s --check-prefix=DESTINATION
// DESTINATION: pit-run: error: {{.*}}: 'linalg.matmul': dimension 0 of operand 0 is 4, dimension 0 of operand 2 is 5
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A batch, and what is called: the function that is called and the one that calls it know different things.
// RUN: pit-run %s --entry caller --random normal@2x4x5 --random normal@2x5x3 --check
// RUN: not pit-run %s --entry caller --random normal@2x4x5 --random normal@3x5x3 2>&1 | FileCheck %s --check-prefix=CALL
// CALL: pit-run: error: {{.*}}: 'linalg.batch_matmul': dimension 0 of operand 0 is 2, dimension 0 of operand 1 is 3
func.func private @called(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %m: index) -> tensor<?x?x3xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
  %w = tensor.cast %b : tensor<?x?x?xf32> to tensor<?x?x3xf32>
  %r = linalg.batch_matmul ins(%a, %w : tensor<?x?x?xf32>, tensor<?x?x3xf32>) outs(%f : tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
  return %r : tensor<?x?x3xf32>
}
func.func @caller(%a: tensor<?x4x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x3xf32> {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c1 : tensor<?x4x?xf32>
  %c = tensor.cast %a : tensor<?x4x?xf32> to tensor<?x?x?xf32>
  %r = call @called(%c, %b, %m) : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, index) -> tensor<?x?x3xf32>
  return %r : tensor<?x?x3xf32>
}
// RUN: not pit-run %s --entry caller --random normal@2x4x5 --random normal@2x5x4 2>&1 | FileCheck %s --check-prefix=CAST
// CAST: pit-run: error: {{.*}}: 'tensor.cast': dimension 2 of its operand is 4, of its result 3

// Paddings and slices by numbers of the caller.
// RUN: pit-run %s --entry pad --random normal@64 --random const:3 --random const:0 --check
// RUN: not pit-run %s --entry pad --random normal@64 --random const:-4000 --random const:4001 --output %t/out 2>&1 | FileCheck %s --check-prefix=PAD
// PAD: pit-run: error: {{.*}}: 'tensor.pad': pads dimension 0 by -4000 in front, which is not within 0 to
// RUN: not pit-run %s --entry pad --random normal@64 --random const:1 --random const:-1 --output %t/out 2>&1 | FileCheck %s --check-prefix=BEHIND
// BEHIND: 'tensor.pad': pads dimension 0 by -1 behind
func.func @pad(%x: tensor<?xf32>, %l: index, %h: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[%l] high[%h] {
  ^bb0(%a: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// RUN: pit-run %s --entry slice --random normal@64 --random const:60 --random const:4 --check
// RUN: pit-run %s --entry slice --random normal@64 --random const:64 --random const:0 --check
// RUN: not pit-run %s --entry slice --random normal@64 --random const:60 --random const:5 2>&1 | FileCheck %s --check-prefix=SLICE
// SLICE: pit-run: error: {{.*}}: 'tensor.extract_slice': takes 5 elements of dimension 0, where 0 to 4 are from the offset on
// RUN: not pit-run %s --entry slice --random normal@64 --random const:-1 --random const:5 2>&1 | FileCheck %s --check-prefix=OFFSET
// OFFSET: 'tensor.extract_slice': offset -1 of dimension 0 is not within 0 to 64
// RUN: not pit-run %s --entry slice --random normal@64 --random const:4 --random const:9223372036854774784 2>&1 | FileCheck %s --check-prefix=WRAPS
// WRAPS: 'tensor.extract_slice': takes 9223372036854774784 elements of dimension 0, where 0 to 60 are
func.func @slice(%x: tensor<?xf32>, %o: index, %n: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %x[%o] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = math.absf %s : tensor<?xf32>
  return %r : tensor<?xf32>
}

// RUN: pit-run %s --entry insert --random normal@8x6 --random normal@2x6 --random const:6 --random const:2 --check
// RUN: not pit-run %s --entry insert --random normal@8x6 --random normal@3x6 --random const:6 --random const:2 2>&1 | FileCheck %s --check-prefix=INSERT
// INSERT: 'tensor.insert_slice': dimension 0 of what is inserted is 3, and 2 elements are written
func.func @insert(%x: tensor<?x?xf32>, %part: tensor<?x6xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %r = tensor.insert_slice %part into %x[%o, 0] [%n, 6] [1, 1] : tensor<?x6xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A branch that is not taken requires nothing, and no loop that does not iterate.
// RUN: pit-run %s --entry branch --random normal@4 --random normal@5 --check
// RUN: pit-run %s --entry branch --random normal@9 --random normal@9 --check
// RUN: not pit-run %s --entry branch --random normal@9 --random normal@5 2>&1 | FileCheck %s --check-prefix=BRANCH
// BRANCH: 'linalg.add': dimension 0 of operand 0 is 9, dimension 0 of operand 1 is 5
func.func @branch(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %large = arith.cmpi sgt, %n, %c8 : index
  %r = scf.if %large -> tensor<?xf32> {
    %e = tensor.empty(%n) : tensor<?xf32>
    %s = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// RUN: pit-run %s --entry loop --random normal@4 --random normal@5 --random const:0 --check
// RUN: pit-run %s --entry loop --random normal@4 --random normal@4 --random const:3 --check
// RUN: not pit-run %s --entry loop --random normal@4 --random normal@5 --random const:1 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: 'linalg.add': dimension 0 of operand 0 is 4, dimension 0 of operand 1 is 5
func.func @loop(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %s = linalg.add ins(%x, %b : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// What an iteration takes is checked for the first and the last one.
// RUN: pit-run %s --entry rows --random normal@7x4 --random const:0 --random const:6 --check
// RUN: pit-run %s --entry rows --random normal@7x4 --random const:5 --random const:3 --check
// RUN: not pit-run %s --entry rows --random normal@7x4 --random const:0 --random const:8 2>&1 | FileCheck %s --check-prefix=LAST
// LAST: 'tensor.extract_slice': takes 2 elements of dimension 0, where 0 to 1 are from the offset on
// RUN: not pit-run %s --entry rows --random normal@7x4 --random const:-1 --random const:6 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: 'tensor.extract_slice': offset -1 of dimension 0 is not within 0 to 7
func.func @rows(%x: tensor<?x4xf32>, %from: index, %to: index) -> tensor<2x4xf32> {
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %end = arith.subi %to, %c2 : index
  %c1 = arith.constant 1 : index
  %stop = arith.addi %end, %c1 : index
  %r = scf.for %i = %from to %stop step %c2 iter_args(%sum = %f) -> tensor<2x4xf32> {
    %s = tensor.extract_slice %x[%i, 0] [2, 4] [1, 1] : tensor<?x4xf32> to tensor<2x4xf32>
    %a = linalg.add ins(%s, %sum : tensor<2x4xf32>, tensor<2x4xf32>) outs(%sum : tensor<2x4xf32>) -> tensor<2x4xf32>
    scf.yield %a : tensor<2x4xf32>
  }
  return %r : tensor<2x4xf32>
}

// RUN: pit-run %s --entry points --random normal@3x4 --random const:3 --random const:4 --check
// RUN: not pit-run %s --entry points --random normal@3x4 --random const:3 --random const:5 2>&1 | FileCheck %s --check-prefix=POINTS
// POINTS: 'tensor.extract_slice': takes 1 elements of dimension 1, where 0 to 0 are from the offset on
func.func @points(%a: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %r = scf.forall (%i, %j) in (%n, %m) shared_outs(%o = %a) -> tensor<?x?xf32> {
    %s = tensor.extract_slice %a[%i, %j] [1, 1] [1, 1] : tensor<?x?xf32> to tensor<1x1xf32>
    %t = math.absf %s : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<?x?xf32>
    }
  }
  return %r : tensor<?x?xf32>
}

// An index of the caller's.
// RUN: pit-run %s --entry element --random normal@3 --random const:2 --check
// RUN: not pit-run %s --entry element --random normal@3 --random const:3 2>&1 | FileCheck %s --check-prefix=ELEMENT
// ELEMENT: 'tensor.extract': index 3 of dimension 0 is not less than 3, or negative
func.func @element(%a: tensor<?xf32>, %i: index) -> f32 {
  %e = tensor.extract %a[%i] : tensor<?xf32>
  return %e : f32
}

// A convolution reads as far as its filter reaches.
// RUN: pit-run %s --entry convolve --random normal@10 --random normal@3 --random normal@8 --check
// RUN: not pit-run %s --entry convolve --random normal@10 --random normal@3 --random normal@9 2>&1 | FileCheck %s --check-prefix=CONVOLVE
// CONVOLVE: 'linalg.conv_1d': reaches index 10 of dimension 0 of operand 0, which is 10
func.func @convolve(%x: tensor<?xf32>, %w: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// RUN: pit-run %s --entry expand --random normal@12 --random const:3 --check
// RUN: not pit-run %s --entry expand --random normal@13 --random const:3 2>&1 | FileCheck %s --check-prefix=EXPAND
// EXPAND: 'tensor.expand_shape': dimension 0 of its operand is 13, what it becomes has 12 elements
func.func @expand(%x: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %e = tensor.expand_shape %x [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %r = math.absf %e : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// RUN: not pit-run %s --entry concat --random normal@2x3 --random normal@2x4 2>&1 | FileCheck %s --check-prefix=CONCAT
// CONCAT: 'tensor.concat': dimension 1 of operand 0 is 3, dimension 1 of operand 1 is 4
func.func @concat(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tensor.concat dim(0) %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// RUN: not pit-run %s --entry elementwise --random normal@2x3 --random normal@2x4 2>&1 | FileCheck %s --check-prefix=ELEMENTWISE
// ELEMENTWISE: 'arith.addf': dimension 1 of operand 0 is 3, dimension 1 of operand 1 is 4
func.func @elementwise(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = arith.addf %x, %y : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Extents that nothing has, and that wrap around when they are multiplied.
// RUN: pit-run %s --entry fill --random const:3 --random const:4 --check
// RUN: not pit-run %s --entry fill --random const:1099511627776 --random const:4 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: pit-run: error: the program needs 17592186044416 bytes of buffers for these arguments, more than the system has
// RUN: not pit-run %s --entry fill --random const:4611686018427387904 --random const:4 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not pit-run %s --entry fill --random const:4 --random const:4611686018427387904 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not pit-run %s --entry fill --random const:4611686018427387904 --random const:0 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not pit-run %s --entry fill --random const:-1 --random const:4 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not %cuda pit-run %s --entry fill --random const:4611686018427387904 --random const:4 --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: pit-run: error: {{.*}}: result 0 of type tensor<?x?xf32>: its dynamic extent {{.}} is 4611686018427387904, where 0 to {{[0-9]+}} fit into 2^56 bytes
// NEGATIVE: result 0 of type tensor<?x?xf32>: its dynamic extent 0 is -1
func.func @fill(%m: index, %n: index) -> tensor<?x?xf32> {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %f : tensor<?x?xf32>
}

// Nothing was written by any of them.
// RUN: ls %t | count 0

// Who asks for it gets what is not checked.
// RUN: pit-opt %s --pit-to-cpu=unchecked-extents | FileCheck %s --check-prefix=UNCHECKED --implicit-check-not=pit_rt_check
// UNCHECKED: llvm.func @mask

// Tiles that callers give: 0, and of another size than the destination's. Sizes are computed in front of the check on devices.
// RUN: pit-run %s --entry tiled --random normal@16x8 --random const:3 --random normal@6x8x3 --check
// RUN: not pit-run %s --entry tiled --random normal@16x8 --random const:0 --random normal@6x8x3 2>&1 | FileCheck %s --check-prefix=TILED
// RUN: %cuda pit-run %s --entry tiled --random normal@16x8 --random const:3 --random normal@6x8x3 --target cuda --chip sm_90a --check
// RUN: not %cuda pit-run %s --entry tiled --random normal@16x8 --random const:0 --random normal@6x8x3 --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=TILED
// TILED-NOT: error
// TILED: pit-run: error: {{.*}}: 'linalg.pack': tile 0 is 0, where 1 to {{[0-9]+}} fit
func.func @tiled(%x: tensor<?x8xf32>, %t: index, %d: tensor<?x8x?xf32>) -> tensor<?x8x?xf32> {
  %z = arith.constant 0.0 : f32
  %p = linalg.pack %x padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [%t] into %d : tensor<?x8xf32> -> tensor<?x8x?xf32>
  return %p : tensor<?x8x?xf32>
}
