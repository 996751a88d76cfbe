// What is wrong is reported once, with its place, and without the op behind it, which may be a whole module.
// RUN: split-file %s %t
// RUN: not pit-opt %t/name.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not pit-run %t/name.mlir --random=ones 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not pit-compile %t/name.mlir -o %t/name.so 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: name.mlir:1:1: error: 'func.func' op argument 0: the pit dialect has no attribute 'pit.spars'; did you mean 'pit.sparse'?
// NAME-NOT: {{note|error}}:

// What the compiler has reported, tools do not report again.
// RUN: not pit-opt %t/call.mlir --pit-to-cpu 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not pit-opt %t/call.mlir --pit-to-cuda=chip=sm_80 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not pit-compile %t/call.mlir -o %t/call.so 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not pit-run %t/call.mlir --target cpu --random=ones 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not %cuda pit-run %t/call.mlir --target cuda --random=ones 2>&1 | FileCheck %s --check-prefix=CALL
// CALL: call.mlir:3:8: error: 'func.call' op calls 'elsewhere', which is only declared
// CALL-NOT: {{note|error}}:

// Whoever asks is shown it.
// RUN: not pit-opt %t/name.mlir --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED: note: see current operation:

// What cannot be translated is reported by the translation.
// RUN: not pit-compile %t/shape.mlir -o %t/shape.so 2>&1 | FileCheck %s --check-prefix=TRANSLATE
// TRANSLATE: shape.mlir:{{.*}}: error: {{.*}}has no code for the CPU
// TRANSLATE-NOT: {{note|error}}:

// Programs that are not compiled are read by the translations, whatever their ops, and what is missing is said.
// RUN: not pit-translate --pit-to-ptx %t/hint.mlir 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: not pit-translate --pit-to-manifest %t/hint.mlir 2>&1 | FileCheck %s --check-prefix=MANIFEST
// RUN: not pit-translate --pit-to-header %t/hint.mlir 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: not pit-translate --mlir-to-llvmir %t/hint.mlir 2>&1 | FileCheck %s --check-prefix=LLVMIR
// PTX: error: no gpu.binary and no gpu.module to take PTX from; 'pit-opt --pit-to-ptx' makes one
// PTX-NOT: {{note|error}}:
// MANIFEST: error: {{.*}}has 0 GPU modules or binaries with kernels; a manifest describes exactly one, as 'pit-opt --pit-to-ptx' makes it
// MANIFEST-NOT: {{note|error}}:
// HEADER: error: the module is no compiled program: it lacks the attribute 'pit.program'; 'pit-opt --pit-to-cuda' and '--pit-to-cpu=entry-points' compile one
// HEADER-NOT: {{note|error}}:
// LLVMIR: hint.mlir:1:1: error: cannot be converted to LLVM IR: {{.*}}func.func
// LLVMIR-NOT: {{note|error}}:

// A warning is given once, although --check compiles twice.
// RUN: pit-run %t/warning.mlir --target cpu --random=ones --check 2>&1 | FileCheck %s --check-prefix=WARNING
// WARNING: warning.mlir:1:1: warning: argument 0: 'pad' of a 'pit.sparse' mark has no effect with the source "values"
// WARNING-NOT: warning:
// WARNING: check: result 0: bit-identical

// So is that of a misspelt name, at the line of the program. The program runs.
// RUN: pit-run %t/hint.mlir --target cpu --random=ones --check 2>&1 | FileCheck %s --check-prefix=HINT
// RUN: pit-compile %t/hint.mlir -o %t/hint.so 2>&1 | FileCheck %s --check-prefix=HINT-ONCE
// HINT: hint.mlir:2:8: warning: the pit dialect has no attribute 'pit.denze'; did you mean 'pit.dense'? It has no effect.
// HINT-NOT: warning:
// HINT: check: result 0: bit-identical
// HINT-ONCE: hint.mlir:2:8: warning: the pit dialect has no attribute 'pit.denze'; did you mean 'pit.dense'? It has no effect.
// HINT-ONCE-NOT: warning:

//--- hint.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp {pit.denze} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- name.mlir
func.func @main(%x: tensor<4xf32> {pit.spars}) -> tensor<4xf32> { return %x : tensor<4xf32> }

//--- shape.mlir
func.func @main(%n: index) -> index {
  %s = shape.from_extents %n, %n : index, index
  %c = shape.num_elements %s : !shape.shape -> !shape.size
  %i = shape.size_to_index %c : !shape.size
  return %i : index
}

//--- warning.mlir
func.func @main(%x: tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>, pad = "left"}}) -> tensor<4xf32> { return %x : tensor<4xf32> }

//--- call.mlir
func.func private @elsewhere(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
