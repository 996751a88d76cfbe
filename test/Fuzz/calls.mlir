// Each way in which a call can be wrong is noticed, in programs that do not check anything.
// RUN: split-file %s %t
// RUN: not pit-fuzz --wrong-arguments %t/reads-beyond.mlir | FileCheck %s --check-prefix=READS
// RUN: not pit-fuzz --wrong-arguments %t/writes-beyond.mlir | FileCheck %s --check-prefix=WRITES
// RUN: not pit-fuzz --wrong-arguments %t/negative-pad.mlir | FileCheck %s --check-prefix=PAD
// RUN: pit-fuzz --wrong-arguments %t/checked.mlir | FileCheck %s --check-prefix=CHECKED
// RUN: not pit-fuzz --wrong-arguments %t/no-calls.mlir | FileCheck %s --check-prefix=NONE
// RUN: not pit-fuzz --wrong-arguments %t/too-few.mlir | FileCheck %s --check-prefix=FEW

// Memory in front of and behind each tensor cannot be touched.
//--- reads-beyond.mlir
// READS: crash: signal Segmentation fault
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> attributes {
    pipeline = "unchecked-extents=true", inputs = ["shape=4", "shape=4"],
    calls = [["a is longer", "shape=5000", "shape=4"]]} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// A few bytes behind a buffer of the program's own are looked at when it is released.
//--- writes-beyond.mlir
// WRITES: {{damage: the offset is 5: wrote beyond a buffer of its own|crash: signal}}
func.func @main(%a: tensor<3xf32>, %at: index) -> tensor<8xf32> attributes {
    pipeline = "unchecked-extents=true", inputs = ["shape=3 lo=1 hi=2", "lo=0 hi=1"],
    calls = [["the offset is 5", "shape=3 lo=1 hi=2", "lo=60 hi=61"]]} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.insert_slice %a into %f[%at] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

//--- negative-pad.mlir
// PAD: {{(accepted|damage|crash): }}
func.func @main(%a: tensor<?xf32>, %low: index) -> tensor<?xf32> attributes {
    pipeline = "unchecked-extents=true", inputs = ["shape=9", "lo=1 hi=2"],
    calls = [["pads by -2", "shape=9", "lo=-2 hi=-1"]]} {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a low[%low] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- checked.mlir
// CHECKED: agrees
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> attributes {
    inputs = ["shape=4", "shape=4"],
    calls = [["as it is", "shape=4 hi=3", "shape=4 hi=3"], ["a is longer", "shape=5000", "shape=4"],
             ["a is far longer", "shape=4611686018427387904", "shape=4"], ["nothing", "shape=0", "shape=0"]]} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- no-calls.mlir
// NONE: invalid: 'main' has no attribute 'calls' with the calls to make
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> attributes {inputs = ["shape=4"]} {
  return %a : tensor<?xf32>
}

//--- too-few.mlir
// FEW: invalid: a call needs a text of its own and one per argument
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> attributes {inputs = ["shape=4"], calls = [["shape=4"]]} {
  return %a : tensor<?xf32>
}
