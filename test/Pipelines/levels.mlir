// Every level can be stopped at, printed, read back and gone on from, with the same code in the end.
// Rules name the places of the ops they were derived from, so level 1 is printed with its locations.
// RUN: pit-opt %examples/padded_mlp.mlir --pit-to-cpu --dump-pass-pipeline > %t.once 2> %t.dump
// RUN: %python %S/Inputs/cut.py %t.dump %t pit-normalize pit-lower-sparse pit-expand-tiles eliminate-empty-tensors convert-contractions-to-cpu convert-vector-to-llvm
// RUN: pit-opt %examples/padded_mlp.mlir @%t.0 --mlir-print-debuginfo > %t.level1
// RUN: pit-opt %t.level1 @%t.1 > %t.level2
// RUN: pit-opt %t.level2 @%t.2 > %t.level3
// RUN: pit-opt %t.level3 @%t.3 > %t.loops
// RUN: pit-opt %t.loops @%t.4 > %t.buffers
// RUN: pit-opt %t.buffers @%t.5 > %t.vectors
// RUN: pit-opt %t.vectors @%t.6 > %t.steps
// RUN: diff %t.once %t.steps

// As bytecode, too.
// RUN: pit-opt %t.level1 @%t.1 --emit-bytecode | pit-opt @%t.2 --emit-bytecode | pit-opt @%t.3 > %t.bytecode
// RUN: diff %t.loops %t.bytecode

// RUN: FileCheck %s --input-file=%t.level1 --check-prefix=LEVEL1
// RUN: FileCheck %s --input-file=%t.level2 --check-prefix=LEVEL2
// RUN: FileCheck %s --input-file=%t.level3 --check-prefix=LEVEL3
// RUN: FileCheck %s --input-file=%t.loops --check-prefix=LOOPS
// RUN: FileCheck %s --input-file=%t.buffers --check-prefix=BUFFERS

// LEVEL1: pit.sparse %
// LEVEL1: linalg.
// LEVEL2-NOT: linalg.generic
// LEVEL2: pit.detect
// LEVEL2: pit.generic
// LEVEL3-NOT: pit.generic
// LEVEL3: pit.tiled
// LOOPS-NOT: pit.{{tiled|detect|sread}}
// LOOPS: scf.for
// BUFFERS-NOT: {{-> tensor<|iter_args.*tensor<}}
// BUFFERS: memref.alloc
