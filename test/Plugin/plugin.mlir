// An unmodified mlir-opt gains the dialect and the passes.
// REQUIRES: plugin
// RUN: mlir-opt %s --load-dialect-plugin=%pit_lib/PITPlugin.so --load-pass-plugin=%pit_lib/PITPlugin.so \
// RUN:   --pass-pipeline='builtin.module(pit-annotate-axes)' 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @matmul
// CHECK: linalg.matmul {pit.axes = ["parallel", "parallel", "reduction"]}
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK: func.func private @carries_pit_types(!pit.index<{{.*}}>)
func.func private @carries_pit_types(!pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>)
