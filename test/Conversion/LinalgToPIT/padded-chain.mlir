// A padded chain stays packed from the first matmul to the last layer-norm, and is written once at the end.
// RUN: pit-opt %pit_src/examples/padded_mlp.mlir --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: %[[I:.*]] = pit.detect by(%arg1
// CHECK-NOT: pit.detect
// CHECK-COUNT-7: pit.generic {{.*}} over(%[[I]]
// CHECK: %[[Y:.*]] = pit.swrite
// CHECK-NOT: pit.swrite
// CHECK: return %[[Y]]
