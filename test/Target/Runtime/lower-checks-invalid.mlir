// RUN: pit-opt %s --pit-lower-checks -split-input-file -verify-diagnostics
// The conversions to entry points look at the same.
// RUN: not pit-opt %s --convert-functions-to-runtime -split-input-file 2>&1 | FileCheck %s
// RUN: not pit-opt %s --convert-launches-to-runtime -split-input-file 2>&1 | FileCheck %s
// CHECK-COUNT-5: error: {{.*}}pit.checks

// expected-error @below {{has checks, and result #0 of type 'memref<?xf32, strided<[2]>>', of which there is none to return where they fail}}
func.func @main(%a: memref<?xf32, strided<[2]>>, %n: index) -> memref<?xf32, strided<[2]>> attributes {pit.checks = @main_checks} {
  return %a : memref<?xf32, strided<[2]>>
}
func.func private @main_checks(%a: memref<?xf32, strided<[2]>>, %n: index) {
  %c0 = arith.constant 0 : index
  %good = arith.cmpi sge, %n, %c0 : index
  pit.check %good, "n is {0}, less than {1}"(%n, %c0)
  return
}

// -----

// expected-error @below {{'pit.checks' names '@elsewhere', which is no function with a body}}
func.func @main(%n: index) attributes {pit.checks = @elsewhere} { return }

// -----

// expected-error @below {{'pit.checks' names '@main_checks', which has other arguments}}
func.func @main(%n: index) attributes {pit.checks = @main_checks} { return }
func.func private @main_checks(%n: i64) { return }

// -----

// expected-error @below {{'pit.checks' names '@main_checks', which has other arguments}}
func.func @main(%n: index) attributes {pit.checks = @main_checks} { return }
func.func private @main_checks(%n: index, %m: index) { return }

// -----

// expected-error @below {{'pit.checks' names '@main_checks', which is not private, and never called}}
func.func @main(%n: index) attributes {pit.checks = @main_checks} { return }
func.func @main_checks(%n: index) { return }

// -----

// expected-error @below {{'pit.checks' names '@main_checks', which holds something else than checks and arithmetic}}
func.func @main(%n: index) attributes {pit.checks = @main_checks} { return }
func.func private @main_checks(%n: index) {
  %0 = memref.alloc(%n) : memref<?xf32>
  return
}
