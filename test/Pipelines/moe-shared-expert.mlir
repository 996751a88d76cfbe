// A layer of experts with GEGLU, biases and an expert that all tokens share: two kernels of the matrix units for the
// experts, the first with both products and all that is elementwise, two for the shared one, the last with the sum of
// both; and nothing in memory has an axis of tokens and one of experts but the gate.
// RUN: pit-opt %examples/moe_shared_expert.mlir --pit-to-ptx="chip=sm_90a least-us=0" | pit-translate --pit-to-manifest > %t.json
// RUN: %python %S/Inputs/launches.py %t.json | FileCheck %s
// CHECK: main_contraction_0
// CHECK-NEXT: main_contraction_1
// CHECK: main_sum_0
// Those of the shared expert stand once for each number of rows whose kernels differ.
// CHECK-NEXT: main_contraction_2
// CHECK-COUNT-6: main_contraction_
// CHECK-NEXT: axes of workspaces: 1 2
