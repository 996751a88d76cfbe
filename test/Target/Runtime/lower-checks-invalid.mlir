// RUN: pit-opt %s --pit-lower-checks -verify-diagnostics

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
