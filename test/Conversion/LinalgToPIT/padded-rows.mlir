// Next tokens: all positions but the last one have one. What a mask says of rows [batch, position - 1] is said of those of [batch, position], too: nobody reads
// what is computed for others, and gradients, which are padded by zeros, are zero there. Rows stay packed across the slice, and are counted anew.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit --split-input-file | FileCheck %s --implicit-check-not='linalg.generic {{.*}}"reduction"'

#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>
#row = affine_map<(b, s, n) -> (b, s)>
#all = affine_map<(b, s, n) -> (b, s, n)>

// CHECK-LABEL: func @read
// CHECK-DAG: %[[ROWS:.*]] = pit.detect by(%arg1 : tensor<4x15xi1>) {{.*}} : <[4, 15]
// CHECK-DAG: %[[MASK:.*]] = tensor.insert_slice %arg1 into %{{.*}}[0, 1] [4, 15] [1, 1] : tensor<4x15xi1> into tensor<4x16xi1>
// CHECK-DAG: %[[PADDED:.*]] = pit.detect by(%[[MASK]] : tensor<4x16xi1>) {{.*}} : <[4, 16]
// The product, of as many rows as the part has.
// CHECK: %[[Y:.*]] = pit.generic {{.*}} over(%[[PADDED]]{{.*}} ins(%arg0, %arg2 : {{.*}}) outs(%{{.*}} : tensor<60x64xf32>)
// CHECK: %[[KEPT:.*]] = pit.generic {{.*}} over(%[[ROWS]]{{.*}} ins(%[[Y]] : tensor<60x64xf32>)
// CHECK: pit.swrite %[[KEPT]] into %{{.*}}[%[[ROWS]]]
// CHECK: return
func.func @read(%x: tensor<4x16x64xf32>, %mask: tensor<4x15xi1>, %w: tensor<64x64xf32>) -> tensor<4x15x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
  %h = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x16x64xf32>, tensor<64x64xf32>) outs(%f : tensor<4x16x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x16x64xf32>
  %part = tensor.extract_slice %h[0, 1, 0] [4, 15, 64] [1, 1, 1] : tensor<4x16x64xf32> to tensor<4x15x64xf32>
  %eo = tensor.empty() : tensor<4x15x64xf32>
  %kept = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %part : tensor<4x15xi1>, tensor<4x15x64xf32>) outs(%eo : tensor<4x15x64xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4x15x64xf32>
  return %kept : tensor<4x15x64xf32>
}

// -----

#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>

// What is zero by rows of a part, and the rows of all, of which the loss has those of the flattened part.
// CHECK-LABEL: func @gradient
// CHECK-DAG: %[[SHAPED:.*]] = tensor.expand_shape %arg1 {{.*}} output_shape [4, 15]
// CHECK-DAG: %[[MASK:.*]] = tensor.insert_slice %[[SHAPED]] into %{{.*}}[0, 0] [4, 15] [1, 1] : tensor<4x15xi1> into tensor<4x16xi1>
// CHECK-DAG: %[[PADDED:.*]] = pit.detect by(%[[MASK]] : tensor<4x16xi1>)
// CHECK: pit.generic {{.*}} over(%[[PADDED]]
// CHECK: return
func.func @gradient(%dy: tensor<60x64xf32>, %mask: tensor<60xi1>, %w: tensor<64x64xf32>) -> tensor<4x16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %ed = tensor.empty() : tensor<60x64xf32>
  %live = linalg.generic {indexing_maps = [affine_map<(t, n) -> (t)>, affine_map<(t, n) -> (t, n)>, affine_map<(t, n) -> (t, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %dy : tensor<60xi1>, tensor<60x64xf32>) outs(%ed : tensor<60x64xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<60x64xf32>
  %shaped = tensor.expand_shape %live [[0, 1], [2]] output_shape [4, 15, 64] : tensor<60x64xf32> into tensor<4x15x64xf32>
  %e = tensor.empty() : tensor<4x16x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
  %whole = tensor.insert_slice %shaped into %f[0, 0, 0] [4, 15, 64] [1, 1, 1] : tensor<4x15x64xf32> into tensor<4x16x64xf32>
  %dx = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%whole, %w : tensor<4x16x64xf32>, tensor<64x64xf32>) outs(%f : tensor<4x16x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x16x64xf32>
  return %dx : tensor<4x16x64xf32>
}
