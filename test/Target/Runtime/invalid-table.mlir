// RUN: pit-opt %s --pit-emit-program-table --split-input-file --verify-diagnostics
// RUN: not pit-opt %s --pit-emit-program-table="target=tpu" --split-input-file 2>&1 | FileCheck %s
// RUN: not pit-translate --pit-to-header --split-input-file %s 2>&1 | FileCheck %s --check-prefix=TEXT
// CHECK: error: unknown target 'tpu' of a program: expected cpu or cuda
// TEXT: error: the module is no compiled program: it lacks the attribute 'pit.program'

// expected-error @+1 {{the module has no entry points}}
module {
}

// -----

module {
  // expected-error @+1 {{the module has a 'pit_program' already}}
  llvm.mlir.global @pit_program(1 : i32) : i32
}

// -----

module {
  // expected-error @+1 {{has a malformed 'pit.entry': expected a name and a function's type}}
  llvm.func @pit_f() attributes {pit.entry = {name = "f"}}
}

// -----

module {
  // expected-error @+1 {{is not the entry point that its 'pit.entry' describes}}
  llvm.func @pit_f(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32 attributes {pit.entry = {name = "f", type = (i32) -> ()}}
}
