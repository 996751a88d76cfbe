// The whole CPU pipeline runs inside mlir-opt and leaves nothing but the LLVM dialect.
// REQUIRES: plugin
// RUN: mlir-opt %examples/padded_mlp.mlir \
// RUN:   --load-dialect-plugin=%pit_lib/PITPlugin.so --load-pass-plugin=%pit_lib/PITPlugin.so \
// RUN:   --pass-pipeline='builtin.module(pit-to-cpu)' 2>/dev/null | FileCheck %s

// CHECK: llvm.func
// CHECK-NOT: {{^ *(%[0-9a-z_:, %]+ = )?"?(pit|linalg|tensor|scf|memref|func|builtin)\.[a-z_]+}}
