// RUN: pit-opt %s | pit-opt | FileCheck %s
// It is no dead code, and stays in order; equal ones are not merged by passes that know nothing of it.
// RUN: pit-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @checks
// CHECK: pit.check %{{.*}}, "{0} is not {1}"(%{{.*}}, %{{.*}})
// CHECK-NEXT: pit.check %{{.*}}, "nor is {1} {0}"(%{{.*}}, %{{.*}})
func.func private @checks(%a: index, %b: index) {
  %same = arith.cmpi eq, %a, %b : index
  pit.check %same, "{0} is not {1}"(%a, %b)
  pit.check %same, "nor is {1} {0}"(%a, %b)
  return
}

// CHECK: func.func @main({{.*}}) attributes {pit.checks = @checks}
func.func @main(%a: index, %b: index) attributes {pit.checks = @checks} { return }
