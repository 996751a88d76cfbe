// Where one op reads the index of a large tensor's values, a sample of them is looked at before they are found.
// RUN: pit-opt %s --split-input-file --convert-linalg-to-pit --pit-add-dense-variants=database=%S/../Inputs/dense-variants.json | FileCheck %s
// RUN: pit-opt %s --split-input-file --convert-linalg-to-pit --pit-add-dense-variants="database=%S/../Inputs/dense-variants.json sample=false" | FileCheck %s --check-prefix=WHOLE

// 16 boxes of 16 micro-tiles; half of 256 may be live, and twice the error of the sample, 16, on top.
// CHECK-LABEL: func.func @large
// CHECK: %[[LIVE:.*]] = scf.for
// CHECK: tensor.extract_slice {{.*}} [32, 16] [1, 1]
// CHECK: %[[MOST:.*]] = arith.constant 144 : i64
// CHECK: %[[MUCH:.*]] = arith.cmpi ugt, %[[LIVE]], %[[MOST]]
// CHECK: scf.if %[[MUCH]]
// CHECK-NEXT: linalg.generic
// CHECK: } else {
// CHECK-NEXT: pit.detect values
// CHECK: scf.if
// CHECK: pit.generic
// WHOLE-LABEL: func.func @large
// WHOLE-NOT: scf.for
// WHOLE: pit.detect values
// WHOLE-COUNT-1: scf.if
// WHOLE-NOT: scf.if
// WHOLE: return
func.func @large(%a: tensor<1024x128xf32>, %b: tensor<128x64xf32>) -> tensor<1024x64xf32> {
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [32, 1]> : tensor<1024x128xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  %c = linalg.matmul ins(%m, %b : tensor<1024x128xf32>, tensor<128x64xf32>) outs(%f : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  return %c : tensor<1024x64xf32>
}

// -----

// Of a dynamic number of rows, none may fit a box: then there is no sample.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[FIT:.*]] = arith.divui
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[FIT]]
// CHECK: arith.select %[[NONE]]
// CHECK: scf.for
// CHECK: pit.detect values
func.func @dynamic(%a: tensor<?x128xf32>, %b: tensor<128x64xf32>, %c: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [32, 1]> : tensor<?x128xf32>
  %r = linalg.matmul ins(%m, %b : tensor<?x128xf32>, tensor<128x64xf32>) outs(%c : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// -----

// No sample of what is small, and none where two ops read the index.
// CHECK-LABEL: func.func @small
// CHECK-NOT: scf.for
// CHECK: return
func.func @small(%a: tensor<64x128xf32>, %b: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %m = pit.sparse %a <kind = values, axes = [0, 1], tile = [32, 1]> : tensor<64x128xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%m, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
