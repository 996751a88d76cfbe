// Extents that are data are looked at before a tensor of that size is made or read, on the CPU: one error that names the op
// and both numbers, nothing is written, and the process goes on.

// RUN: rm -rf %t && mkdir %t

// A new tensor: of no elements, of fewer than none, of more than there is memory for, of more than can be counted.
// RUN: pit-run %s --entry make --random const:5@1 --check
// RUN: pit-run %s --entry make --random const:0@1 --check
// RUN: not pit-run %s --entry make --random const:-5@1 --output %t/out 2>&1 | FileCheck %s --check-prefix=MAKE -DGOT=-5
// RUN: not pit-run %s --entry make --random const:4611686018427387904@1 --output %t/out 2>&1 | FileCheck %s --check-prefix=MAKE -DGOT=4611686018427387904
// RUN: not pit-run %s --entry make --random const:1099511627776@1 --output %t/out 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not ls %t/out
// MAKE-NOT: error
// MAKE: pit-run: error: {{.*}}computed-extents.mlir:[[#@LINE+8]]:{{[0-9]+}}: 'tensor.empty': result 0 of type tensor<?xf32>: its dynamic extent is [[GOT]], where 0 to 18014398509481984 fit into 2^56 bytes
// MAKE-NOT: error
// MEMORY: pit-run: error: the program needs {{[0-9]+}} bytes of buffers for these arguments, more than the system has
func.func @make(%extent: tensor<1xi64>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = func.call @sum(%f) : (tensor<?xf32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @sum(%x: tensor<?xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %s = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%s : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// Two extents, which are 2^64 elements together; and by other ops that make tensors.
// RUN: pit-run %s --entry generate --random const:5@1 --check
// RUN: not pit-run %s --entry generate --random const:4294967296@1 2>&1 | FileCheck %s --check-prefix=GENERATE
// RUN: not pit-run %s --entry generate --random const:-1@1 2>&1 | FileCheck %s --check-prefix=GENERATE
// GENERATE: pit-run: error: {{.*}}: 'tensor.generate': result 0 of type tensor<?x?xf16>: its dynamic extent {{0|1}} is {{-1|4294967296}}, where 0 to {{[0-9]+}} fit into 2^56 bytes
func.func @generate(%extent: tensor<1xi64>) -> tensor<1xf16> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f16
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %t = tensor.generate %n, %n {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f16
  } : tensor<?x?xf16>
  %e = tensor.empty() : tensor<f16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<f16>) -> tensor<f16>
  %r = linalg.reduce { arith.maximumf } ins(%t : tensor<?x?xf16>) outs(%f : tensor<f16>) dimensions = [0, 1]
  %x = tensor.expand_shape %r [] output_shape [1] : tensor<f16> into tensor<1xf16>
  return %x : tensor<1xf16>
}

// RUN: pit-run %s --entry splat --random const:1@1 --check
// RUN: not pit-run %s --entry splat --random const:-1@1 2>&1 | FileCheck %s --check-prefix=SPLAT
// SPLAT: pit-run: error: {{.*}}: 'tensor.splat': result 0 of type tensor<?x3xi8>: its dynamic extent is -1
func.func @splat(%extent: tensor<1xi64>) -> tensor<3xi8> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1 : i8
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %t = tensor.splat %z[%n] : tensor<?x3xi8>
  %e = tensor.empty() : tensor<3xi8>
  %f = linalg.fill ins(%z : i8) outs(%e : tensor<3xi8>) -> tensor<3xi8>
  %r = linalg.reduce { arith.addi } ins(%t : tensor<?x3xi8>) outs(%f : tensor<3xi8>) dimensions = [0]
  return %r : tensor<3xi8>
}

// An op between what is given and what was made.
// RUN: pit-run %s --entry mismatch --random normal@5x2 --random const:5@1 --check
// RUN: not pit-run %s --entry mismatch --random normal@5x2 --random const:4@1 2>&1 | FileCheck %s --check-prefix=MISMATCH -DGOT=4
// RUN: not pit-run %s --entry mismatch --random normal@5x2 --random const:900000@1 2>&1 | FileCheck %s --check-prefix=MISMATCH -DGOT=900000
// RUN: not pit-run %s --entry mismatch --random normal@1x2 --random const:0@1 2>&1 | FileCheck %s --check-prefix=MISMATCH -DGOT=0
// MISMATCH: pit-run: error: {{.*}}: 'linalg.exp': dimension 0 of operand 0 is {{5|1}}, dimension 0 of operand 1 is [[GOT]]
func.func @mismatch(%x: tensor<?x2xf32>, %extent: tensor<1xi64>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %e = tensor.empty(%n) : tensor<?x2xf32>
  %t = linalg.exp ins(%x : tensor<?x2xf32>) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
  %s = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%z : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.reduce { arith.addf } ins(%t : tensor<?x2xf32>) outs(%f : tensor<2xf32>) dimensions = [0]
  return %r : tensor<2xf32>
}

// Paddings: each of them, all together, and what the type says of the result.
// RUN: pit-run %s --entry pad --random normal@5 --random const:2@2 --check
// RUN: not pit-run %s --entry pad --random normal@5 --random const:-2@2 2>&1 | FileCheck %s --check-prefix=PAD
// RUN: not pit-run %s --entry pad --random normal@5 --random const:4611686018427387904@2 2>&1 | FileCheck %s --check-prefix=PAD
// PAD: pit-run: error: {{.*}}: 'tensor.pad': pads dimension 0 by {{-2|4611686018427387904}} in front, which is not within 0 to
func.func @pad(%x: tensor<?xf32>, %by: tensor<2xi64>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f32
  %a = tensor.extract %by[%c0] : tensor<2xi64>
  %b = tensor.extract %by[%c1] : tensor<2xi64>
  %l = arith.index_cast %a : i64 to index
  %h = arith.index_cast %b : i64 to index
  %p = tensor.pad %x low[%l] high[%h] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  %r = func.call @sum(%p) : (tensor<?xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// RUN: pit-run %s --entry pad_to --random normal@5 --random const:3@1 --check
// RUN: not pit-run %s --entry pad_to --random normal@6 --random const:3@1 2>&1 | FileCheck %s --check-prefix=PAD-TO -DGOT=9
// RUN: not pit-run %s --entry pad_to --random normal@600 --random const:3@1 2>&1 | FileCheck %s --check-prefix=PAD-TO -DGOT=603
// PAD-TO: pit-run: error: {{.*}}: 'tensor.pad': dimension 0 becomes [[GOT]] elements long, of its result 8
func.func @pad_to(%x: tensor<?xf32>, %by: tensor<1xi64>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %a = tensor.extract %by[%c0] : tensor<1xi64>
  %l = arith.index_cast %a : i64 to index
  %p = tensor.pad %x low[%l] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}
// Of amounts that are given, before anything else.
// RUN: pit-run %s --entry pad_by --random normal@5 --random const:3 --check
// RUN: not pit-run %s --entry pad_by --random normal@500 --random const:3 2>&1 | FileCheck %s --check-prefix=PAD-TO -DGOT=503
// RUN: not %cuda pit-run %s --entry pad_by --random normal@500 --random const:3 --target cuda --chip sm_90a 2>&1 | FileCheck %s --check-prefix=PAD-TO -DGOT=503
func.func @pad_by(%x: tensor<?xf32>, %l: index) -> tensor<8xf32> {
  %z = arith.constant 1.0 : f32
  %p = tensor.pad %x low[%l] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}

// Other shapes of the same elements.
// RUN: pit-run %s --entry reshape --random normal@12 --random const:4@1 --check
// RUN: not pit-run %s --entry reshape --random normal@12 --random const:5@1 2>&1 | FileCheck %s --check-prefix=EXPAND -DGOT=15
// RUN: not pit-run %s --entry reshape --random normal@12 --random const:-4@1 2>&1 | FileCheck %s --check-prefix=EXPANDED
// RUN: not pit-run %s --entry reshape --random normal@0 --random const:-1@1 2>&1 | FileCheck %s --check-prefix=EXPANDED
// EXPAND: pit-run: error: {{.*}}: 'tensor.expand_shape': dimension 0 of its operand is 12, what it becomes has [[GOT]] elements
// EXPANDED: pit-run: error: {{.*}}: 'tensor.expand_shape': result 0 of type tensor<3x?xf32>: its dynamic extent is {{-1|-4}}, where
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

// 2^32 times 2^32 is 0 in 64 bits.
// RUN: not pit-run %s --entry wrap --random normal@0 --random const:4294967296@2 2>&1 | FileCheck %s --check-prefix=WRAP
// WRAP: pit-run: error: {{.*}}: 'tensor.expand_shape': result 0 of type tensor<?x?xf32>: its dynamic extent 1 is 4294967296, where 0 to
// RUN: not pit-run %s --entry wrap --random normal@6 --random const:1@2 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: 'tensor.expand_shape': dimension 0 of its operand is 6, what it becomes has 1 elements
func.func @wrap(%x: tensor<?xf32>, %shape: tensor<2xi64>) -> tensor<f32> {
  %r = tensor.reshape %x(%shape) : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %s = func.call @sum(%c) : (tensor<?xf32>) -> tensor<f32>
  return %s : tensor<f32>
}

// What a type says: of a cast, and of parts side by side.
// RUN: pit-run %s --entry cast --random normal@9 --random const:4@1 --check
// RUN: not pit-run %s --entry cast --random normal@9 --random const:5@1 2>&1 | FileCheck %s --check-prefix=CAST
// CAST: pit-run: error: {{.*}}: 'tensor.cast': dimension 0 of its operand is 5, of its result 4
func.func @cast(%x: tensor<?xf32>, %extent: tensor<1xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = tensor.cast %s : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}

// RUN: pit-run %s --entry concat --random normal@9 --random const:3@1 --check
// RUN: not pit-run %s --entry concat --random normal@9 --random const:4@1 2>&1 | FileCheck %s --check-prefix=CONCAT
// CONCAT: pit-run: error: {{.*}}: 'tensor.concat': its operands have 8 along dimension 0, its result 6
func.func @concat(%x: tensor<?xf32>, %extent: tensor<1xi64>) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = tensor.concat dim(0) %s, %s : (tensor<?xf32>, tensor<?xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// Tiles, and steps of a slice and of a loop.
// RUN: pit-run %s --entry pack --random normal@8x2 --random const:4@1 --random normal@2x2x4 --check
// RUN: not pit-run %s --entry pack --random normal@8x2 --random const:0@1 --random normal@2x2x4 2>&1 | FileCheck %s --check-prefix=PACK
// RUN: not pit-run %s --entry pack --random normal@8x2 --random const:40@1 --random normal@2x2x4 2>&1 | FileCheck %s --check-prefix=PACK
// PACK: pit-run: error: {{.*}}: 'linalg.pack': {{tile 0 is 0, where 1 to|dimension 2 of the packed tensor is 4, its tile 40}}
func.func @pack(%x: tensor<?x2xf32>, %tile: tensor<1xi64>, %d: tensor<?x2x?xf32>) -> tensor<?x2x?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = tensor.extract %tile[%c0] : tensor<1xi64>
  %t = arith.index_cast %a : i64 to index
  %p = linalg.pack %x padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [%t] into %d : tensor<?x2xf32> -> tensor<?x2x?xf32>
  return %p : tensor<?x2x?xf32>
}

// RUN: pit-run %s --entry stride --random normal@9 --random const:3@1 --check
// RUN: not pit-run %s --entry stride --random normal@9 --random const:5@1 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: not pit-run %s --entry stride --random normal@9 --random const:-1@1 2>&1 | FileCheck %s --check-prefix=STRIDE
// STRIDE: pit-run: error: {{.*}}: 'tensor.extract_slice': {{takes 3 elements of dimension 0, where 0 to 2 are from the offset on|stride -1 of dimension 0 is not within 1 to}}
func.func @stride(%x: tensor<?xf32>, %by: tensor<1xi64>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %by[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %r = tensor.extract_slice %x[0] [3] [%n] : tensor<?xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}

// RUN: pit-run %s --entry step --random normal@9 --random const:2@1 --check
// RUN: not pit-run %s --entry step --random normal@9 --random const:0@1 2>&1 | FileCheck %s --check-prefix=STEP
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
// RUN: pit-run %s --entry branch --random normal@5 --random normal@5 --random const:1@1 --check
// RUN: pit-run %s --entry branch --random normal@5 --random normal@6 --random const:0@1 --check
// RUN: not pit-run %s --entry branch --random normal@5 --random normal@600000 --random const:1@1 2>&1 | FileCheck %s --check-prefix=BRANCH
// BRANCH: pit-run: error: {{.*}}: 'linalg.add': dimension 0 of operand 0 is 5, dimension 0 of operand 1 is 600000
func.func @branch(%x: tensor<?xf32>, %y: tensor<?xf32>, %which: tensor<1xi1>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c = tensor.extract %which[%c0] : tensor<1xi1>
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %r = scf.if %c -> tensor<?xf32> {
    %e = tensor.empty(%n) : tensor<?xf32>
    %s = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// RUN: pit-run %s --entry loop --random normal@5 --random normal@5 --random const:3@1 --check
// RUN: pit-run %s --entry loop --random normal@5 --random normal@6 --random const:0@1 --check
// RUN: not pit-run %s --entry loop --random normal@5 --random normal@6 --random const:3@1 2>&1 | FileCheck %s --check-prefix=LOOP
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
// RUN: pit-run %s --entry mark --random normal@5x4 --random bool@8 --random const:5@1 --check
// RUN: not pit-run %s --entry mark --random normal@5x4 --random bool@8 --random const:4@1 2>&1 | FileCheck %s --check-prefix=MARK
// MARK: pit-run: error: {{.*}}: 'pit.sparse': dimension 0 of its mask is 4, dimension 0 of the marked tensor is 5
func.func @mark(%x: tensor<?x4xf32>, %live: tensor<?xi1>, %extent: tensor<1xi64>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %m = tensor.extract_slice %live[0] [%n] [1] : tensor<?xi1> to tensor<?xi1>
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x4xf32>
  %r = math.absf %s : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// More rows than a mask has whose type says how many.
// RUN: pit-run %s --entry mark_known --random iota@9x4 --random bool@4 --random const:4@1 --check
// RUN: not pit-run %s --entry mark_known --random iota@9000000x4 --random bool@4 --random const:9000000@1 2>&1 | FileCheck %s --check-prefix=KNOWN
// KNOWN: pit-run: error: {{.*}}: 'pit.sparse': dimension 0 of its mask is 4, dimension 0 of the marked tensor is 9000000
func.func @mark_known(%x: tensor<?x4xf32>, %live: tensor<4xi1>, %extent: tensor<1xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %m = tensor.extract_slice %x[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %s = pit.sparse %m by(%live : tensor<4xi1>) <kind = mask, axes = [0]> : tensor<?x4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce { arith.addf } ins(%s : tensor<?x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
  return %r : tensor<4xf32>
}

// Iterations in any order that write where elements say.
// RUN: pit-run %s --entry scatter --random normal@4x2 --random normal@8x2 --random randint:0:7@4 --check
// RUN: not pit-run %s --entry scatter --random normal@4x2 --random normal@8x2 --random const:7@4 2>&1 | FileCheck %s --check-prefix=SCATTER -DGOT=7
// RUN: not pit-run %s --entry scatter --random normal@4x2 --random normal@8x2 --random const:-1@4 2>&1 | FileCheck %s --check-prefix=SCATTER -DGOT=-1
// RUN: not pit-run %s --entry scatter --random normal@5x2 --random normal@8x2 --random const:0@4 2>&1 | FileCheck %s --check-prefix=SCATTERED
// SCATTER: pit-run: error: line [[#@LINE+11]]: index out of range: the offset [[GOT]] of dimension 0 of a slice is not within 0 to 6
// SCATTERED: pit-run: error: {{.*}}: 'tensor.extract': index 4 of dimension 0 is not less than 4, or negative
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
// RUN: pit-run %s --entry gather --random normal@7 --random randint:0:7@5 --random const:5@1 --check
// RUN: not pit-run %s --entry gather --random normal@7 --random randint:0:7@5 --random const:4@1 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not pit-run %s --entry gather --random normal@7 --random const:7@5 --random const:5@1 2>&1 | FileCheck %s --check-prefix=GATHERED
// GATHER: pit-run: error: {{.*}}: 'linalg.generic': dimension 0 of operand 0 is 5, dimension 0 of operand {{[0-9]}} is 4
// GATHERED: pit-run: error: line [[#@LINE+12]]: index out of range: reads index 7 of dimension 0, which is 7
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

// A build without checks looks at nothing.
// RUN: pit-opt %s --pit-to-cpu=unchecked-extents | FileCheck %s --check-prefix=UNCHECKED --implicit-check-not=pit_rt_check --implicit-check-not=pit_rt_room
// UNCHECKED: llvm.func @make(
