// Parts that have other points: every second row, an unknown part, rows that are written into others. The product in front has all rows then, and the gradient behind, too.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit --split-input-file | FileCheck %s --implicit-check-not=pit.detect

#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>
#row = affine_map<(b, s, n) -> (b, s)>
#all = affine_map<(b, s, n) -> (b, s, n)>

// CHECK-LABEL: func @every_second
// CHECK: linalg.generic {{.*}}"reduction"
func.func @every_second(%x: tensor<4x16x64xf32>, %mask: tensor<4x8xi1>, %w: tensor<64x64xf32>) -> tensor<4x8x64xf32> {
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
  %part = tensor.extract_slice %h[0, 0, 0] [4, 8, 64] [1, 2, 1] : tensor<4x16x64xf32> to tensor<4x8x64xf32>
  %eo = tensor.empty() : tensor<4x8x64xf32>
  %kept = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %part : tensor<4x8xi1>, tensor<4x8x64xf32>) outs(%eo : tensor<4x8x64xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4x8x64xf32>
  return %kept : tensor<4x8x64xf32>
}

// -----

#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>
#row = affine_map<(b, s, n) -> (b, s)>
#all = affine_map<(b, s, n) -> (b, s, n)>

// CHECK-LABEL: func @unknown_part
// CHECK: linalg.generic {{.*}}"reduction"
func.func @unknown_part(%x: tensor<4x16x64xf32>, %mask: tensor<4x?xi1>, %w: tensor<64x64xf32>, %count: index) -> tensor<4x?x64xf32> {
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
  %part = tensor.extract_slice %h[0, 0, 0] [4, %count, 64] [1, 1, 1] : tensor<4x16x64xf32> to tensor<4x?x64xf32>
  %eo = tensor.empty(%count) : tensor<4x?x64xf32>
  %kept = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %part : tensor<4x?xi1>, tensor<4x?x64xf32>) outs(%eo : tensor<4x?x64xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4x?x64xf32>
  return %kept : tensor<4x?x64xf32>
}

// -----

#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>
#row = affine_map<(b, s, n) -> (b, s)>
#all = affine_map<(b, s, n) -> (b, s, n)>

// CHECK-LABEL: func @into_others
// CHECK: linalg.generic {{.*}}"reduction"
func.func @into_others(%dy: tensor<4x15x64xf32>, %others: tensor<4x16x64xf32>, %mask: tensor<4x15xi1>, %w: tensor<64x64xf32>) -> tensor<4x16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %ed = tensor.empty() : tensor<4x15x64xf32>
  %live = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %dy : tensor<4x15xi1>, tensor<4x15x64xf32>) outs(%ed : tensor<4x15x64xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4x15x64xf32>
  %whole = tensor.insert_slice %live into %others[0, 0, 0] [4, 15, 64] [1, 1, 1] : tensor<4x15x64xf32> into tensor<4x16x64xf32>
  %e = tensor.empty() : tensor<4x16x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
  %dx = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%whole, %w : tensor<4x16x64xf32>, tensor<64x64xf32>) outs(%f : tensor<4x16x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x16x64xf32>
  return %dx : tensor<4x16x64xf32>
}
