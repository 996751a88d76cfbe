// Bad input is one diagnostic, a non-zero exit code, and no file.

// RUN: rm -rf %t && mkdir %t
// RUN: split-file %s %t/in

// RUN: not pit-compile %t/none.mlir -o %t/m.so 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: pit-compile: error: cannot read '{{.*}}none.mlir': No such file or directory
// RUN: not pit-compile -o %t/m.so 2>&1 | FileCheck %s --check-prefix=NOARG
// NOARG: pit-compile: error: expected a FILE.mlir
// RUN: not pit-compile %t/in/good.mlir 2>&1 | FileCheck %s --check-prefix=NOOUT
// NOOUT: pit-compile: error: expected an output, -o FILE.so or -o FILE.o
// RUN: not pit-compile %t/in/good.mlir -o %t/m.exe 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: pit-compile: error: cannot tell what '{{.*}}m.exe' should be: expected FILE.so or FILE.o
// RUN: not pit-compile %t/in/good.mlir -o %t/m.so --target tpu 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: pit-compile: error: unknown target 'tpu': expected cpu or cuda
// RUN: not pit-compile %t/in/good.mlir -o %t/m.so --target cpu --chip sm_80 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: pit-compile: error: --chip is for target 'cuda'; --cpu names a CPU
// RUN: not pit-compile %t/in/good.mlir -o %t/m.so --chip sm_12 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: unknown chip 'sm_12'; known are: sm_75
// RUN: not pit-compile %t/in/good.mlir -o %t/m.so --cpu z80 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: unknown CPU 'z80' for '{{.*}}'; 'native' is the one at hand

// RUN: not pit-compile %t/in/cut.mlir -o %t/m.so 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: cut.mlir:{{.*}}: error:
// RUN: not pit-compile %t/in/private.mlir -o %t/m.so 2>&1 | FileCheck %s --check-prefix=NOENTRY
// NOENTRY: error: no public function is defined, so there is nothing to call
// RUN: not pit-compile %t/in/good.mlir -o %t/m.so --entry missing 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: no function 'missing' is defined
// RUN: not pit-compile %t/in/type.mlir -o %t/m.so 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: type.mlir:1:1: error: argument #0 has elements of type 'i4', which the runtime cannot pass; it passes f16, bf16, f32, f64, i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2 and index
// RUN: not pit-compile %t/in/type.mlir -o %t/m.so --chip sm_80 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not pit-compile %t/in/name.mlir -o %t/m.so 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: the function 'a.b' has no name for C, so no header can declare it
// RUN: not pit-compile %t/in/extern.mlir -o %t/m.so 2>&1 | FileCheck %s --check-prefix=EXTERN
// EXTERN: error: 'func.call' op calls 'elsewhere', which is only declared

// RUN: not pit-compile %t/in/good.mlir -o %t/no/folder/m.so 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: pit-compile: error: cannot write '{{.*}}no/folder/m.so': No such file or directory
// RUN: not pit-compile %t/in/good.mlir -o %t/m.so --manifest %t/no/m.json 2>&1 | FileCheck %s --check-prefix=MANIFEST
// MANIFEST: pit-compile: error: cannot write '{{.*}}no/m.json': No such file or directory
// RUN: not pit-compile %t/in/good.mlir -o %t/m.so --linker %t/no-cc 2>&1 | FileCheck %s --check-prefix=LINKER
// LINKER: error: cannot link with '{{.*}}no-cc': there is no such program
// RUN: not env PATH=%t %pit_build/bin/pit-compile %t/in/good.mlir -o %t/m.so 2>&1 | FileCheck %s --check-prefix=NOCC
// NOCC: error: no C compiler to link with: none of cc, gcc and clang is in PATH; an output that ends in .o needs none
// RUN: not pit-compile %t/in/good.mlir -o %t/m.so --linker false 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: error: '{{.*}}false' cannot link the program
// RUN: not pit-compile %t/in/good.mlir -o %t/m.so --runtime %t/none.so 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUNTIME: error: cannot link with '{{.*}}none.so': there is no such runtime

// One diagnostic each, and nothing is left.
// RUN: not pit-compile %t/in/good.mlir -o %t/m.so --linker %t/no-cc 2>&1 | grep -c error: | grep -x 1
// RUN: not pit-compile %t/in/extern.mlir -o %t/m.so 2>&1 | grep -c error: | grep -x 1
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// FILES: {{^in$}}
// FILES-NOT: {{.}}

// What cannot be loaded.
// RUN: pit-compile %t/in/good.mlir -o %t/good.so
// RUN: echo "no library" > %t/text.so
// RUN: not pit-run-loaded --load %t/text.so 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: pit-run: error: cannot load '{{.*}}text.so': it is no shared object
// RUN: not pit-run-loaded --load %pit_lib/libpit_runtime.so 2>&1 | FileCheck %s --check-prefix=NOTABLE
// NOTABLE: pit-run: error: cannot load '{{.*}}': it has no table 'pit_program', so it is no program
// RUN: echo "#include <stdint.h>" > %t/old.c
// RUN: echo "struct { int32_t version, runtime; } pit_program = {77, 0};" >> %t/old.c
// RUN: %cc -shared -fPIC %t/old.c -o %t/old.so
// RUN: not pit-run-loaded --load %t/old.so 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: pit-run: error: cannot load '{{.*}}old.so': its table has version 77, this library reads version 1
// RUN: echo "struct { int version, runtime; } pit_program = {1, 999};" > %t/new.c
// RUN: %cc -shared -fPIC %t/new.c -o %t/new.so
// RUN: not pit-run-loaded --load %t/new.so 2>&1 | FileCheck %s --check-prefix=NEW
// NEW: pit-run: error: cannot load '{{.*}}new.so': it was compiled for version 999 of the runtime, this is
// RUN: not pit-run --load %t/good.so --entry other 2>&1 | FileCheck %s --check-prefix=LOADENTRY
// LOADENTRY: pit-run: error: '{{.*}}good.so' has no entry point 'other'; --entry names another
// RUN: not pit-run --load %t/good.so --target cuda --random ones 2>&1 | FileCheck %s --check-prefix=LOADTARGET
// LOADTARGET: pit-run: error: '{{.*}}good.so' is compiled for target 'cpu', not 'cuda'
// RUN: not pit-run --load %t/good.so %t/in/good.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: pit-run: error: expected a FILE.mlir or --load FILE.so, not both
// RUN: not pit-run --load %t/good.so --random ones --check 2>&1 | FileCheck %s --check-prefix=CHECKED
// CHECKED: pit-run: error: --check needs the program's source, not --load
// RUN: not pit-run-loaded %t/in/good.mlir 2>&1 | FileCheck %s --check-prefix=NOCOMPILER
// NOCOMPILER: pit-run: error: expected --load FILE.so alone: this pit-run has no compiler
// RUN: not pit-run-loaded --load 2>&1 | FileCheck %s --check-prefix=NOVALUE
// NOVALUE: pit-run: error: --load needs a value, --load=FILE.so
// RUN: not pit-run-loaded --lod x 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: pit-run: error: unknown option '--lod'; pit-run --help-all lists them
// RUN: not pit-run-loaded --load %t/good.so --random ones --bench 0 2>&1 | FileCheck %s --check-prefix=BENCH
// RUN: not pit-run %s --opt-level=4 2>&1 | FileCheck %s --check-prefix=LEVEL
// BENCH: pit-run: error: --bench needs at least one run
// LEVEL: pit-run: error: --opt-level wants 0 to 3
// RUN: not pit-run-loaded --load %t/good.so --random ones --seed x 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: pit-run: error: --seed=x: expected a number
// RUN: not pit-run-loaded --load %t/good.so --random ones@5 --output %t/out 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: pit-run: error: argument #0 of 'main': the extents 5xf32 do not fit 4xf32

//--- good.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

//--- cut.mlir
func.func @main() { return

//--- private.mlir
func.func private @main() {
  return
}

//--- type.mlir
func.func @main(%x: tensor<2xi4>) {
  return
}

//--- name.mlir
func.func @a.b(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

//--- extern.mlir
func.func private @elsewhere(f32) -> f32
func.func @main(%x: f32) -> f32 {
  %y = call @elsewhere(%x) : (f32) -> f32
  return %y : f32
}
