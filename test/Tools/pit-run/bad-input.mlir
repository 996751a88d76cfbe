// Bad input is one line that names the thing, a non-zero exit code, and no output file.

// RUN: rm -rf %t && mkdir %t

// RUN: not pit-run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: pit-run: error: cannot read '{{.*}}none.mlir': No such file or directory
// RUN: not pit-run 2>&1 | FileCheck %s --check-prefix=NOARG
// NOARG: pit-run: error: expected a FILE.mlir
// RUN: echo "func.func @main() { return" > %t/cut.mlir
// RUN: not pit-run %t/cut.mlir 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: cut.mlir:{{.*}}: error:

// RUN: not pit-run %s --entry missing 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: pit-run: error: '{{.*}}bad-input.mlir' defines no function 'missing'; --entry names another
// RUN: not pit-run %s --entry declared 2>&1 | FileCheck %s --check-prefix=DECLARED
// DECLARED: pit-run: error: {{.*}} defines no function 'declared'
// RUN: not pit-run %s --target tpu 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: pit-run: error: unknown target 'tpu': expected auto, cpu or cuda
// RUN: not pit-run %s --target cuda --random ones --output %t/out 2>&1 | FileCheck %s --check-prefix=CUDA
// CUDA: pit-run: error: target 'cuda': no CUDA driver: PIT_CUDA_DRIVER is 'none'

// RUN: not pit-run %s --output %t/out 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: pit-run: error: 'main' takes 2 inputs, 0 are given; add --input=FILE.npy or --random=SPEC for each
// RUN: not pit-run %s --random normal --random ones --random ones 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: pit-run: error: 'main' takes 2 inputs, 3 are given{{$}}
// RUN: not pit-run %s --entry strange --random ones 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: pit-run: error: argument #0 of 'strange' has type tensor<2xi4>: expected a ranked tensor or a scalar of

// RUN: not pit-run %s --random normal 2>&1 | FileCheck %s --check-prefix=INTEGER
// INTEGER: pit-run: error: argument #1 of 'main': --random normal: needs a floating-point argument, not i64
// RUN: not pit-run %s --random gauss 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: pit-run: error: argument #0 of 'main': --random gauss: unknown kind of data; pit-run --help-all lists them
// RUN: not pit-run %s --random normal:x 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: argument #0 of 'main': --random normal:x: 'x' is not a number
// RUN: not pit-run %s --random block-sparse:0x1:0.5 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: error: argument #0 of 'main': --random block-sparse:0x1:0.5: expected block extents and a probability
// RUN: not pit-run %s --random topk-gate:9 2>&1 | FileCheck %s --check-prefix=GATE
// GATE: error: argument #0 of 'main': --random topk-gate:9: expected a K between 1 and the row's extent 3
// RUN: not pit-run %s --random randint:3:3 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: argument #0 of 'main': --random randint:3:3: the range is empty
// RUN: not pit-run %s --random ones@2 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: argument #0 of 'main': the extents 2xf32 do not fit 2x3xf32
// RUN: not pit-run %s --random ones --shape 0:2x3 2>&1 | FileCheck %s --check-prefix=SHAPEARG
// SHAPEARG: error: --shape=0:2x3: expected ARGUMENT=EXTENTS
// RUN: not pit-run %s --random ones --shape 5=2x3 2>&1 | FileCheck %s --check-prefix=SHAPENUM
// SHAPENUM: error: --shape names argument #5, but 'main' takes 2 inputs
// RUN: not pit-run %s --entry dynamic --random ones --shape 1=2 2>&1 | FileCheck %s --check-prefix=SHAPEONE
// SHAPEONE: error: --shape names argument #1, but 'dynamic' takes 1 input{{$}}
// RUN: not pit-run %s --entry dynamic --random ones 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: argument #0 of 'dynamic': the extents of ?xf32 are not known: add --shape 0=AxB, or write SPEC@AxB
// RUN: not pit-run %s --entry dynamic --random ones@9999999999999 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: argument #0 of 'dynamic': cannot allocate 39999999999996 bytes

// RUN: not pit-run %s --input %t/none.npy --random ones 2>&1 | FileCheck %s --check-prefix=NONPY
// NONPY: error: argument #0 of 'main': cannot read '{{.*}}none.npy': No such file or directory
// RUN: echo "plain text" > %t/bad.npy
// RUN: not pit-run %s --input %t/bad.npy --random ones --output %t/out 2>&1 | FileCheck %s --check-prefix=BADNPY
// BADNPY: error: argument #0 of 'main': cannot read '{{.*}}bad.npy': not a .npy file
// RUN: pit-run %s --random ones --output %t/good
// RUN: not pit-run %s --random ones --input %t/good.0.npy --output %t/out 2>&1 | FileCheck %s --check-prefix=MISMATCH
// MISMATCH: error: argument #1 of 'main': '{{.*}}good.0.npy' holds 2x3xf32, expected 2xi64
// RUN: not pit-run %s --random ones --output %t/no/folder/out 2>&1 | FileCheck %s --check-prefix=NOFOLDER
// NOFOLDER: error: cannot write '{{.*}}no/folder/out.0.npy': No such file or directory
// RUN: ls %t | FileCheck %s --check-prefix=FILES --implicit-check-not=out
// FILES: good.0.npy

func.func @main(%a: tensor<2x3xf32>, %b: tensor<2xi64>) -> tensor<2x3xf32> {
  return %a : tensor<2x3xf32>
}

func.func private @declared()

func.func @strange(%a: tensor<2xi4>) {
  return
}

func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
