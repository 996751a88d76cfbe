// What takes long shows its progress on stderr; here everything does. Stdout stays as it is.

// RUN: pit-run %s --random block-sparse:4x1:0.5 --random normal --check --bench 2 --report --progress 0 2> %t.told > %t.text
// RUN: FileCheck %s --input-file=%t.told --match-full-lines
// RUN: FileCheck %s --input-file=%t.text --check-prefix=TEXT --implicit-check-not="{{[p]}}it-run:"
// CHECK:      pit-run: preparing the arguments
// CHECK-NEXT: pit-run: compiling the sparse program, pass 1 of [[SPARSE:[1-9][0-9]+]]
// CHECK-NEXT: pit-run: compiling the sparse program, pass 2 of [[SPARSE]]
// CHECK:      pit-run: compiling the sparse program, pass [[SPARSE]] of [[SPARSE]]
// CHECK-NEXT: pit-run: generating code of the sparse program
// CHECK-NEXT: pit-run: running the sparse program
// CHECK-NEXT: pit-run: timing the sparse rules
// CHECK-NEXT: pit-run: compiling the dense program, pass 1 of {{[1-9][0-9]+}}
// CHECK:      pit-run: generating code of the dense program
// CHECK-NEXT: pit-run: timing the dense program's ops
// CHECK-NEXT: pit-run: measuring what the machine does at most
// CHECK-NEXT: pit-run: compiling the dense reference, pass 1 of {{[1-9][0-9]+}}
// CHECK:      pit-run: running the dense reference
// CHECK-NEXT: pit-run: comparing with the dense reference
// CHECK:      pit-run: warming up
// CHECK-NEXT: pit-run: timing run 1 of 2
// CHECK-NEXT: pit-run: timing run 2 of 2
// CHECK-NOT:  {{.}}
// TEXT: result 0: 16x8xf32
// TEXT: check: result 0:
// TEXT: bench: sparse
// TEXT: report: skipped

// The last of the two options holds.
// RUN: pit-run %s --random ones --progress 0 --quiet 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not="{{[p]}}it-run"
// QUIET: result 0: 16x8xf32
// RUN: pit-run %s --random ones --quiet --progress=0 2>&1 | FileCheck %s --check-prefix=LOUD
// LOUD: pit-run: running the sparse program

// RUN: not pit-run %s --progress=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: pit-run: error: --progress=-1: expected seconds, 0 or more
// RUN: not pit-run %s --progress=soon 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: pit-run: error: --progress=soon: expected seconds, 0 or more

// Compiled programs.
// RUN: pit-compile %s -o %t.so
// RUN: pit-run-loaded --load %t.so --random ones --bench 1 --progress 0 2>&1 | FileCheck %s --check-prefix=LOADED
// LOADED: pit-run: running the program
// LOADED: pit-run: warming up
// LOADED: pit-run: timing run 1 of 1
func.func @main(%a: tensor<16x64xf32>, %b: tensor<64x8xf32>) -> tensor<16x8xf32> {
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [4, 1]> : tensor<16x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %c = linalg.matmul ins(%s, %b : tensor<16x64xf32>, tensor<64x8xf32>) outs(%f : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %c : tensor<16x8xf32>
}
