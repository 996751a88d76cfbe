// RUN: pit-opt %s | FileCheck %s
// RUN: pit-opt %s --canonicalize \
// RUN:   | FileCheck %s --check-prefix=OTHER
// RUN: pit-opt %s --cse 2>&1 | FileCheck %s --check-prefixes=FIRST,SECOND --allow-empty && pit-opt %s
// RUN: pit-opt %s -o %t && FileCheck %s --input-file=%t --check-prefix=ABSENT
// RUN: pit-opt %s | FileCheck %s --check-prefixes=ONE,TWO

// CHECK-LABEL: func.func @f
// OTHER-NOT: pit.sparse
// FIRST-NOT: error
// SECOND-NOT: warning
// ONE-NOT: pit.sparse
// TWO-NEXT: return
func.func private @f()
