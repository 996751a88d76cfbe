// A program becomes a shared object that needs only the runtime and libc, a header that C11 takes, and a manifest.

// RUN: rm -rf %t && mkdir %t
// RUN: pit-compile %s -o %t/model.so --manifest %t/model.json
// RUN: FileCheck %s --input-file=%t/model.h --check-prefix=HEADER
// RUN: FileCheck %s --input-file=%t/model.json --check-prefix=JSON
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// FILES: {{^}}model.h{{$}}
// FILES-NEXT: {{^}}model.json{{$}}
// FILES-NEXT: {{^}}model.so{{$}}
// FILES-NOT: {{.}}

// Everything that it lacks is the runtime's or libc's; everything that it has for others is an entry point or the table.
// RUN: %python %S/Inputs/symbols.py %t/model.so | FileCheck %s --check-prefix=SYMBOLS
// SYMBOLS: foreign:{{$}}
// SYMBOLS-NEXT: defined: pit_main pit_main_shapes pit_main_xla pit_program pit_several pit_several_shapes pit_several_xla{{$}}
// SYMBOLS-NEXT: needed:{{.*}} libpit_runtime.so.0

// HEADER: Entry points of a program that PIT compiled for cpu,
// HEADER: #ifndef PIT_MODEL_H
// HEADER: #include "pit_runtime.h"
// HEADER: arg0     f32 [?, 64], strides [64, 1]
// HEADER: arg1     i1 [?], strides [1]
// HEADER: result0  f32 [?, 32], strides [32, 1]; extents[0..1]
// HEADER: #define PIT_MAIN_NUM_EXTENTS 2
// HEADER-NEXT: int32_t pit_main_shapes(
// HEADER-NEXT: pit_context *context,
// HEADER-NEXT: const pit_tensor *arg0,
// HEADER-NEXT: const pit_tensor *arg1,
// HEADER-NEXT: const pit_tensor *arg2,
// HEADER-NEXT: int64_t *extents,
// HEADER-NEXT: int64_t *workspace_size);
// HEADER-NEXT: int32_t pit_main(
// HEADER: result1  f16, by its bits
// HEADER: int32_t pit_several(
// HEADER-NEXT: pit_context *context,
// HEADER-NEXT: pit_stream stream,
// HEADER-NEXT: const pit_tensor *arg0,
// HEADER-NEXT: uint16_t arg1,
// HEADER-NEXT: uint8_t arg2,
// HEADER-NEXT: int64_t arg3,
// HEADER-NEXT: const pit_tensor *result0,
// HEADER-NEXT: uint16_t *result1,
// HEADER-NEXT: const pit_tensor *result2,
// HEADER-NEXT: const pit_tensor *result3,
// HEADER-NEXT: int64_t *result4,
// HEADER-NEXT: void *workspace,
// HEADER-NEXT: int64_t workspace_size);

// JSON: "functions": [
// JSON: "call": "pit_main"
// JSON: "schema": "pit-manifest"
// JSON: "table": "pit_program"
// JSON: "target": "cpu"
// JSON: "version": 2

// A host in C that was compiled with the header, linked to the shared object and to the object file.
// RUN: %cc -std=c11 -pedantic-errors -Wall -Wextra -Werror -I %t -I %pit_src/runtime/include %S/Inputs/call.c %t/model.so %pit_lib/libpit_runtime.so -Wl,-rpath,%t:%pit_lib -lm -o %t/call
// RUN: %t/call | FileCheck %s --check-prefix=CALL
// RUN: pit-compile %s -o %t/model.o --header %t/other.h --cpu native
// RUN: %cc -std=c11 -I %t -I %pit_src/runtime/include %S/Inputs/call.c %t/model.o %pit_lib/libpit_runtime.so -Wl,-rpath,%pit_lib -lm -o %t/call-object
// RUN: %t/call-object | FileCheck %s --check-prefix=CALL
// CALL: main: ok
// CALL-NEXT: several: ok
// CALL-NEXT: wrong shape: 1: argument 0: got 3x63xf32; expected ?x64xf32
// CALL-NEXT: small result: 1: result 0: got 2x32xf32; expected 3x32xf32
// CALL-NEXT: after errors: ok

// Loaded by a pit-run that has a compiler and by one that has none, it gives the bytes that the first one computes.
// RUN: pit-compile %s -o %t/native.so --cpu native
// RUN: pit-run %s --target cpu --random normal@100x64 --random bool:0.3@100 --random normal --output %t/jit
// RUN: pit-run --load %t/native.so --random normal@100x64 --random bool:0.3@100 --random normal --output %t/a --bench 1 | FileCheck %s --check-prefix=ROWS
// RUN: pit-run-loaded --load %t/native.so --random normal@100x64 --random bool:0.3@100 --random normal --output %t/b | FileCheck %s --check-prefix=ROWS
// RUN: cmp %t/a.0.npy %t/jit.0.npy && cmp %t/b.0.npy %t/jit.0.npy
// RUN: pit-run-loaded --load %t/model.so --entry several --random ones@3 --print | FileCheck %s --check-prefix=SEVERAL
// RUN: pit-run %s --entry several --target cpu --random ones@3 --print | FileCheck %s --check-prefix=SEVERAL
// RUN: pit-run-loaded --load %t/native.so --random normal@0x64 --random ones@0 --random normal | FileCheck %s --check-prefix=EMPTY
// RUN: cd %t && pit-run-loaded --load model.so --random zeros@2x64 --random zeros@2 --random zeros --print --save-inputs in | FileCheck %s --check-prefix=ZEROS
// RUN: ls %t | FileCheck %s --check-prefix=SAVED
// ROWS: result 0: 100x32xf32
// SEVERAL: result 0: 3xf32 = 1 1 1
// SEVERAL-NEXT: result 1: f16 = 1
// SEVERAL-NEXT: result 2: 3xf32 = 2 2 2
// SEVERAL-NEXT: result 3: 3xf32 = 2 2 2
// SEVERAL-NEXT: result 4: i64 = 2
// EMPTY: result 0: 0x32xf32
// ZEROS: result 0: 2x32xf32 = 0 0 0
// SAVED: in.0.npy
// SAVED: in.2.npy

// RUN: ldd %pit_build/bin/pit-run-loaded | not grep -E 'LLVM|MLIR'
// RUN: pit-run-loaded --help-all | FileCheck %s --check-prefix=HELP
// RUN: pit-run-loaded --version | FileCheck %s --check-prefix=VERSION
// RUN: pit-run --help-all | FileCheck %s --check-prefix=FULL
// HELP: USAGE: pit-run [options] --load=FILE.so
// HELP-NOT: --check
// VERSION: pit-run {{[0-9.]+}}, runtime 0.
// FULL: --check

func.func @main(%a: tensor<?x64xf32> {pit.sparse = {
      source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<?xi1>, %b: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x32xf32>) outs(%z : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %c : tensor<?x32xf32>
}

// An argument that is returned, one result twice, and scalars that C has no type for.
func.func @several(%x: tensor<?xf32>, %h: f16, %flag: i1, %n: index)
    -> (tensor<?xf32>, f16, tensor<?xf32>, tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %s = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %zero = arith.constant 0.0 : f16
  %g = arith.select %flag, %h, %zero : f16
  %k = arith.addi %n, %n : index
  return %x, %g, %s, %s, %k : tensor<?xf32>, f16, tensor<?xf32>, tensor<?xf32>, index
}
