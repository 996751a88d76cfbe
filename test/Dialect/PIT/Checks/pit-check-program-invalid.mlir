// What no pipeline takes is one error, and attributes that nothing reads are warnings.
// RUN: pit-opt %s --pit-check-program -split-input-file -verify-diagnostics
// The same in front of every pipeline.
// RUN: not pit-opt %s --pit-to-cpu -split-input-file 2>&1 | FileCheck %s
// RUN: not pit-opt %s --pit-to-ptx=chip=sm_90a -split-input-file 2>&1 | FileCheck %s
// RUN: not pit-opt %s --pit-to-loops -split-input-file 2>&1 | FileCheck %s
// CHECK-NOT: see current operation

// CHECK: error: 'func.call' op calls 'elsewhere', which is only declared
// CHECK-NOT: {{error|warning}}:
func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{calls 'elsewhere', which is only declared; a program is compiled as a whole, so it has to define what it calls}}
  %0 = func.call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: error: 'func.call' op calls 'number', which is only declared
// CHECK-NOT: {{error|warning}}:
func.func private @number() -> i64
func.func @main(%c: i1) -> i64 {
  %0 = scf.if %c -> i64 {
    // expected-error @below {{calls 'number', which is only declared}}
    %1 = func.call @number() : () -> i64
    scf.yield %1 : i64
  } else {
    %1 = arith.constant 0 : i64
    scf.yield %1 : i64
  }
  return %0 : i64
}

// -----

// CHECK: error: 'func.func' op argument 1 is a tensor with the encoding "x"
// CHECK-NOT: {{error|warning}}:
// expected-error @below {{argument 1 is a tensor with the encoding "x"; no pass keeps encodings}}
func.func @main(%x: tensor<4xf32>, %y: tensor<?xf32, "x">) -> tensor<?xf32, "x"> { return %y : tensor<?xf32, "x"> }

// -----

// CHECK: error: 'tensor.empty' op result 0 is a tensor with the encoding 1 : i64
// CHECK-NOT: {{error|warning}}:
func.func @main(%c: i1) -> index {
  %c0 = arith.constant 0 : index
  // expected-error @below {{result 0 is a tensor with the encoding 1 : i64}}
  %0 = tensor.empty() : tensor<4xf16, 1 : i64>
  %1 = tensor.dim %0, %c0 : tensor<4xf16, 1 : i64>
  return %1 : index
}

// -----

// CHECK: error: 'tensor.pad' op pads dimension 1 by -1 in front
// CHECK-NOT: {{error|warning}}:
func.func @main(%x: tensor<3x6xf32>) -> tensor<4x4xf32> {
  %z = arith.constant 0.0 : f32
  // expected-error @below {{pads dimension 1 by -1 in front; padding is 0 or more, and less of a tensor is a 'tensor.extract_slice'}}
  %p = tensor.pad %x low[0, -1] high[1, -1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %z : f32
  } : tensor<3x6xf32> to tensor<4x4xf32>
  return %p : tensor<4x4xf32>
}

// -----

// CHECK: error: 'tensor.pad' op pads dimension 0 by -2 behind
// CHECK-NOT: {{error|warning}}:
func.func @main(%x: tensor<?xi8>) -> tensor<?xi8> {
  %z = arith.constant 0 : i8
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.subi %c1, %c3 : index
  // expected-error @below {{pads dimension 0 by -2 behind}}
  %p = tensor.pad %x low[%c1] high[%n] {
  ^bb0(%a: index):
    tensor.yield %z : i8
  } : tensor<?xi8> to tensor<?xi8>
  return %p : tensor<?xi8>
}

// -----

// CHECK: warning: argument 0: 'pit.sparse' has no effect on a function that is only declared
// CHECK-NOT: {{error|warning}}:
// expected-warning @below {{argument 0: 'pit.sparse' has no effect on a function that is only declared; it marks arguments of a func.func with a body in the outermost module, and ops in it}}
func.func private @declared(tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>}}) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }

// -----

// CHECK: warning: argument 0: 'pit.sparse' has no effect in a function that is not in the outermost module
// CHECK: warning: 'pit.sparse' has no effect in a function that is not in the outermost module
// What is in an inner module has no code for the CPU, which is an error of its own.
// CHECK-NOT: warning:
module {
  module {
    // expected-warning @below {{argument 0: 'pit.sparse' has no effect in a function that is not in the outermost module}}
    func.func @nested(%x: tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>}}) -> tensor<4xf32> {
      // expected-warning @below {{'pit.sparse' has no effect in a function that is not in the outermost module}}
      %0 = tensor.cast %x {pit.sparse = {source = "values", axes = array<i64: 0>}} : tensor<4xf32> to tensor<?xf32>
      %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
      return %1 : tensor<4xf32>
    }
  }
}

// -----

// CHECK: warning: argument 0: 'pad' of a 'pit.sparse' mark has no effect with the source "values"
// CHECK-NOT: {{error|warning}}:
// expected-warning @below {{argument 0: 'pad' of a 'pit.sparse' mark has no effect with the source "values"; it says which end of a sequence is padded where the source is "lengths"}}
func.func @main(%x: tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>, pad = "left"}}) -> tensor<4xf32> { return %x : tensor<4xf32> }

// -----

// CHECK: warning: 'pit.dense' has no effect on 'arith.addi'
// CHECK-NOT: {{error|warning}}:
func.func @main(%x: i64) -> i64 {
  // expected-warning @below {{'pit.dense' has no effect on 'arith.addi'; it leaves structured ops, and tensor ops that move data, as they are}}
  %0 = arith.addi %x, %x {pit.dense} : i64
  return %0 : i64
}

// -----

// CHECK: error: 'func.call' op operand 0: 'pit.spars' has no meaning on operands of calls
// CHECK-NOT: {{error|warning}}:
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{operand 0: 'pit.spars' has no meaning on operands of calls; mark the function's own argument, or the op that computes the value}}
  %0 = "func.call"(%x) <{callee = @callee, arg_attrs = [{pit.spars = 1 : i64}]}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: error: 'func.call' op result 0: 'pit.sparse' has no meaning on results of calls
// CHECK-NOT: {{error|warning}}:
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{result 0: 'pit.sparse' has no meaning on results of calls}}
  %0 = "func.call"(%x) <{callee = @callee, res_attrs = [{pit.sparse = {source = "values", axes = array<i64: 0>}}]}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: error: 'tensor.extract_slice' op takes 10 elements of dimension 0, from element 0 in steps of 1, of which there are 5
// CHECK-NOT: {{error|warning}}:
func.func @slice_behind_a_cast(%x: tensor<5xf32>) -> tensor<10xf32> {
  %c = tensor.cast %x : tensor<5xf32> to tensor<?xf32>
  // expected-error @below {{takes 10 elements of dimension 0, from element 0 in steps of 1, of which there are 5}}
  %s = tensor.extract_slice %c[0] [10] [1] : tensor<?xf32> to tensor<10xf32>
  return %s : tensor<10xf32>
}

// -----

// CHECK: error: 'tensor.insert_slice' op takes -5 elements of dimension 0
// CHECK-NOT: {{error|warning}}:
func.func @less_than_nothing(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %n = arith.constant -5 : index
  // expected-error @below {{takes -5 elements of dimension 0}}
  %s = tensor.insert_slice %x into %y[2] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

// CHECK: error: 'tensor.cast' op says that dimension 0 has 8 elements, where it has 4
// CHECK-NOT: {{error|warning}}:
func.func @cast_to_others(%x: tensor<4x8xi32>) -> tensor<8x4xi32> {
  %c = tensor.cast %x : tensor<4x8xi32> to tensor<?x?xi32>
  // expected-error @below {{says that dimension 0 has 8 elements, where it has 4}}
  %d = tensor.cast %c : tensor<?x?xi32> to tensor<8x4xi32>
  return %d : tensor<8x4xi32>
}

// -----

// CHECK: error: 'tensor.expand_shape' op gives dimension 1 3 elements, where its type says 2
// CHECK-NOT: {{error|warning}}:
func.func @expand_to_others(%x: tensor<?xf32>, %n: index) -> tensor<?x2xf32> {
  // expected-error @below {{gives dimension 1 3 elements, where its type says 2}}
  %e = tensor.expand_shape %x [[0, 1]] output_shape [%n, 3] : tensor<?xf32> into tensor<?x2xf32>
  return %e : tensor<?x2xf32>
}

// -----

// CHECK: error: 'tensor.dim' op asks for dimension 5 of a tensor of rank 2
// CHECK-NOT: {{error|warning}}:
func.func @no_such_dimension(%x: tensor<?x?xf32>) -> index {
  %c5 = arith.constant 5 : index
  // expected-error @below {{asks for dimension 5 of a tensor of rank 2}}
  %d = tensor.dim %x, %c5 : tensor<?x?xf32>
  return %d : index
}

// -----

// CHECK: error: 'tensor.empty' op makes a tensor whose unknown extent 0 is -1
// CHECK-NOT: {{error|warning}}:
func.func @negative_extent() -> tensor<4x?xf32> {
  %n = arith.constant -1 : index
  // expected-error @below {{makes a tensor whose unknown extent 0 is -1}}
  %e = tensor.empty(%n) : tensor<4x?xf32>
  return %e : tensor<4x?xf32>
}

// -----

// CHECK: error: 'arith.constant' op is a resource, 'elsewhere', whose data is not in this file
// CHECK-NOT: {{error|warning}}:
func.func @no_data() -> tensor<2xi8> {
  // expected-error @below {{is a resource, 'elsewhere', whose data is not in this file}}
  %c = arith.constant dense_resource<elsewhere> : tensor<2xi8>
  return %c : tensor<2xi8>
}

// -----

// CHECK: error: 'func.func' op has a value of type 'tensor<4xui32>'; integers of programs have no sign, 'i32'
// CHECK-NOT: {{error|warning}}:
// expected-error @below {{has a value of type 'tensor<4xui32>'; integers of programs have no sign, 'i32'}}
func.func @unsigned(%x: tensor<4xui32>) -> tensor<4xui32> {
  return %x : tensor<4xui32>
}

// -----

// CHECK: error: 'tensor.scatter' op has no code; a loop with 'tensor.insert_slice' does the same
func.func @scatter(%x: tensor<3x1x4xf32>, %d: tensor<8x4xf32>, %i: tensor<3x1xindex>) -> tensor<8x4xf32> {
  // expected-error @below {{has no code; a loop with 'tensor.insert_slice' does the same}}
  %s = tensor.scatter %x into %d[%i] scatter_dims([0]) unique : (tensor<3x1x4xf32>, tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<8x4xf32>
  return %s : tensor<8x4xf32>
}

// -----

// CHECK: error: 'func.func' op has a value of type 'tensor<?xtf32>'; tf32 is how products round elements of f32
// CHECK-NOT: {{error|warning}}:
// expected-error @below {{has a value of type 'tensor<?xtf32>'; tf32 is how products round elements of f32}}
func.func @rounded(%x: tensor<?xtf32>) -> tensor<?xtf32> {
  return %x : tensor<?xtf32>
}

// -----

// CHECK: error: 'func.func' op is called 'pit_rt_check'; names that begin with 'pit_rt_' are the runtime library's
// expected-error @below {{is called 'pit_rt_check'; names that begin with 'pit_rt_' are the runtime library's}}
func.func private @pit_rt_check(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
