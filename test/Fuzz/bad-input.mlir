// RUN: split-file %s %t
// RUN: not pit-fuzz %t/no-inputs.mlir | FileCheck %s --check-prefix=NONE
// RUN: not pit-fuzz %t/bad-word.mlir | FileCheck %s --check-prefix=WORD
// RUN: not pit-fuzz %t/bad-shape.mlir | FileCheck %s --check-prefix=SHAPE
// RUN: pit-fuzz %t/unknown-op.mlir | FileCheck %s --check-prefix=UNKNOWN

//--- no-inputs.mlir
// NONE: invalid: 'main' needs an attribute 'inputs' with one text per argument
func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  return %a : tensor<3xf32>
}
//--- bad-word.mlir
// WORD: invalid: 'lively=3' describes no data
func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> attributes {inputs = ["shape=3 lively=3"]} {
  return %a : tensor<3xf32>
}
//--- bad-shape.mlir
// SHAPE: invalid: the extents in 'shape=4 lo=0 hi=2' are not the argument's
func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> attributes {inputs = ["shape=4 lo=0 hi=2"]} {
  return %a : tensor<3xf32>
}
//--- unknown-op.mlir
// What the interpreter does not know is counted, and no failure.
// UNKNOWN: skipped: interpreter: 'tensor.from_elements': not known
func.func @main(%a: f32) -> tensor<1xf32> attributes {inputs = ["lo=0 hi=2"]} {
  %t = tensor.from_elements %a : tensor<1xf32>
  return %t : tensor<1xf32>
}
