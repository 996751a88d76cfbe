// The dense mixture of experts becomes three ops over one index: tokens are gathered per expert, the intermediate is
// packed, and nothing of tokens x experts x hidden is left.
// RUN: pit-opt %pit_src/examples/moe_dense_einsum.mlir --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:arg0]]: tensor<?x256xf32>
// CHECK-NOT: tensor<?x8x512xf32>
// CHECK: %[[I:.*]] = pit.detect values(%arg1
// CHECK-SAME: <[?, 8], coordinate = 0
// CHECK-NOT: pit.detect
// CHECK: pit.generic {{.*}}packed = array<i1: false, false, true>{{.*}} over(%[[I]]
// CHECK-SAME: ins(%[[X]], %arg2
// CHECK: pit.generic {{.*}}packed = array<i1: false, true, true>{{.*}} over(%[[I]]
// CHECK: pit.generic {{.*}}packed = array<i1: true, false, false>{{.*}} over(%[[I]]
// CHECK-NOT: linalg.generic
// CHECK: return
