// The exported mixture of experts: torch collapses and expands around the products, and the packed intermediate must still
// start from its constant instead of from a full tensor of tokens x experts x hidden.
// RUN: pit-opt %pit_src/examples/torch/moe_gate_arg.mlir --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor<512x8x512xf32>
// CHECK-NOT: pit.sread
// CHECK: linalg.fill {{.*}} -> tensor<1024x512xf32>
// CHECK: pit.generic
// CHECK-NOT: tensor<512x8x512xf32>
// CHECK: return
