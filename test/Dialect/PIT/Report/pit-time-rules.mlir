// RUN: pit-opt %s --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --pit-tile-rules --pit-time-rules | FileCheck %s --check-prefixes=CHECK,SPARSE
// RUN: pit-opt %s --pit-materialize-marks --pit-normalize --convert-linalg-to-pit=number-only --pit-time-rules | FileCheck %s --check-prefixes=CHECK,DENSE

// RUN: pit-opt %s --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --pit-add-dense-variants=database=%S/../Inputs/dense-variants.json --pit-tile-rules --pit-time-rules | FileCheck %s --check-prefix=BOTH

// The same rule is timed in the sparse and in the dense program; ops without a rule are not.

// CHECK-DAG:     func.func private @pit_rt_timer_start(i64)
// CHECK-DAG:     func.func private @pit_rt_timer_stop(i64)
// CHECK-LABEL:   func.func @main
// CHECK-SAME:      pit.rules = [{{.*}}id = 0
// CHECK:         call @pit_rt_timer_start(%[[RULE:.*]]) :
// SPARSE-NEXT:   %{{.*}} = pit.tiled {{.*}}rule = 0
// DENSE-NEXT:    %{{.*}} = linalg.generic {{.*}} attrs = {pit.rule = 0 : i64}
// CHECK:         call @pit_rt_timer_stop(%[[RULE]]) :
// CHECK-NOT:     call @pit_rt_timer_start

// Its dense variant has a timer of its own, number 2^33 + 0.
// BOTH-LABEL:    func.func @main
// BOTH:          scf.if
// BOTH-DAG:        arith.constant 8589934592 : i64
// BOTH:            call @pit_rt_timer_start(%[[VARIANT:.*]]) :
// BOTH-NEXT:       linalg.generic {{.*}}attrs = {pit.dense_variant_of = 0 : i64}
// BOTH:            call @pit_rt_timer_stop(%[[VARIANT]]) :
// BOTH:          else
// BOTH:            %[[RULE:.*]] = arith.constant 0 : i64
// BOTH:            call @pit_rt_timer_start(%[[RULE]]) :
// BOTH-NEXT:       pit.tiled
// BOTH:            call @pit_rt_timer_stop(%[[RULE]]) :
func.func @main(%a: tensor<8x16xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 4, 1>}},
                %b: tensor<16x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
  %x = linalg.exp ins(%c : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %x : tensor<8x16xf32>
}
