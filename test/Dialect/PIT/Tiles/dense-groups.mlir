// Rules under a mask that pass packed values to each other run dense together, where more is live than pays.
// RUN: pit-opt %s -split-input-file --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --canonicalize --cse --pit-add-dense-variants --canonicalize --cse | FileCheck %s

// The masked weight is passed packed where rules skip, and whole where they do not. What can stand together is one branch.
// CHECK-LABEL: func @masked_weight
// CHECK: %[[I:.*]] = pit.detect by(
// CHECK: %[[O:.*]] = pit.offsets %[[I]]
// CHECK: %[[COUNT:.*]] = tensor.extract %[[O]]
// CHECK: %[[DENSE:.*]] = arith.cmpi ugt, %[[COUNT]],
// CHECK: %[[R:.*]]:3 = scf.if %[[DENSE]] -> (tensor<4096x32xf32>, tensor<64x512xf32>, tensor<256x512xf32>)
// CHECK: %[[W:.*]] = linalg.generic
// CHECK-SAME: pit.dense_variant_of
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[W]]
// CHECK: scf.yield %{{.*}}, %[[Y]], %[[W]]
// CHECK: else
// CHECK: %[[P:.*]] = pit.generic {{.*}} over(%[[I]]
// CHECK: %[[Y2:.*]] = pit.generic {{.*}} over(%[[I]] {{.*}} ins(%{{.*}}, %[[P]]
// CHECK: scf.yield %[[P]], %[[Y2]], %{{.*}} : tensor<4096x32xf32>, tensor<64x512xf32>, tensor<256x512xf32>
// CHECK: math.tanh
// CHECK: scf.if %[[DENSE]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[R]]#2
// CHECK: else
// CHECK: pit.generic {{.*}} over(%[[I]] {{.*}} ins(%{{.*}}, %[[R]]#0
#identity = affine_map<(i, j) -> (i, j)>
func.func @masked_weight(%x: tensor<64x256xf32>, %w: tensor<256x512xf32>,
    %m: tensor<256x512xi1> {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0, 1>, granularity = array<i64: 32, 32>}}) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<256x512xf32>
  %masked = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%m, %w : tensor<256x512xi1>, tensor<256x512xf32>) outs(%ew : tensor<256x512xf32>) {
  ^bb0(%live: i1, %a: f32, %out: f32):
    %r = arith.select %live, %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<256x512xf32>
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %y = linalg.matmul ins(%x, %masked : tensor<64x256xf32>, tensor<256x512xf32>) outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  %h = linalg.tanh ins(%y : tensor<64x512xf32>) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %et = tensor.empty() : tensor<512x256xf32>
  %t = linalg.transpose ins(%masked : tensor<256x512xf32>) outs(%et : tensor<512x256xf32>) permutation = [1, 0]
  %eb = tensor.empty() : tensor<64x256xf32>
  %fb = linalg.fill ins(%zero : f32) outs(%eb : tensor<64x256xf32>) -> tensor<64x256xf32>
  %back = linalg.matmul ins(%h, %t : tensor<64x512xf32>, tensor<512x256xf32>) outs(%fb : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %back : tensor<64x256xf32>
}

// -----

// Single rows cost little where all are live.
// CHECK-LABEL: func @rows
// CHECK-NOT: scf.if
// CHECK: return
#rows = affine_map<(i, j) -> (i)>
#identity = affine_map<(i, j) -> (i, j)>
func.func @rows(%x: tensor<256x64xf32>, %w: tensor<64x128xf32>,
    %m: tensor<256xi1> {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0>}}) -> tensor<256x128xf32> {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<256x64xf32>
  %masked = linalg.generic {indexing_maps = [#rows, #identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%m, %x : tensor<256xi1>, tensor<256x64xf32>) outs(%ex : tensor<256x64xf32>) {
  ^bb0(%live: i1, %a: f32, %out: f32):
    %r = arith.select %live, %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<256x64xf32>
  %e = tensor.empty() : tensor<256x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x128xf32>) -> tensor<256x128xf32>
  %y = linalg.matmul ins(%masked, %w : tensor<256x64xf32>, tensor<64x128xf32>) outs(%f : tensor<256x128xf32>) -> tensor<256x128xf32>
  return %y : tensor<256x128xf32>
}

// -----

// All of them or none: one rule may have no variant.
// CHECK-LABEL: func @no_variant
// CHECK: pit.detect
// CHECK-NOT: scf.if
// CHECK: return
#identity = affine_map<(i, j) -> (i, j)>
func.func @no_variant(%x: tensor<64x256xf32>, %w: tensor<256x512xf32>,
    %m: tensor<256x512xi1> {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0, 1>, granularity = array<i64: 32, 32>}}) -> tensor<64x512xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<256x512xf32>
  %masked = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%m, %w : tensor<256x512xi1>, tensor<256x512xf32>) outs(%ew : tensor<256x512xf32>) {
  ^bb0(%live: i1, %a: f32, %out: f32):
    %r = arith.select %live, %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<256x512xf32>
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %y = linalg.matmul {pit.dense_variant = false} ins(%x, %masked : tensor<64x256xf32>, tensor<256x512xf32>)
      outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}
