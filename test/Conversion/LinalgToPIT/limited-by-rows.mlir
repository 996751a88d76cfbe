// Experts of rows that a mask keeps: the gate's points of other rows are not listed. The gate stands in front of all products, as routers do, so that it
// is packed by rows before anybody asks for its points. They are found in what is packed, and the router is not computed for all rows as well.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit | FileCheck %s --implicit-check-not='linalg.generic {{.*}}"reduction"'
// RUN: pit-run %s --target=cpu --quiet --check --no-dense-variants --random=normal --random=prefix:20:20 --random=normal --random=normal --random=normal | FileCheck %s --check-prefix=AGREES
// AGREES: check: result 0: {{agrees|bit-identical}}

// CHECK-LABEL: func @main
// CHECK: %[[ROWS:.*]] = pit.detect by(%arg1 : tensor<64xi1>)
// CHECK: pit.generic {{.*}} over(%[[ROWS]]{{.*}} ins(%arg0, %arg2
// CHECK: %[[POINTS:.*]] = pit.swrite %{{.*}} into %{{.*}}[%[[ROWS]]] {{.*}} : tensor<64x8xi1>
// CHECK: %[[BOTH:.*]] = linalg.generic {{.*}} ins(%[[POINTS]], %arg1 : tensor<64x8xi1>, tensor<64xi1>)
// CHECK: pit.detect by(%[[BOTH]] : tensor<64x8xi1>)
// CHECK: return

func.func @main(%x: tensor<64x32xf32>, %mask: tensor<64xi1>, %wr: tensor<32x8xf32>, %w1: tensor<8x32x48xf32>, %w2: tensor<8x48x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %eg = tensor.empty() : tensor<64x8xf32>
  %zg = linalg.fill ins(%zero : f32) outs(%eg : tensor<64x8xf32>) -> tensor<64x8xf32>
  %h = linalg.matmul ins(%x, %wr : tensor<64x32xf32>, tensor<32x8xf32>) outs(%zg : tensor<64x8xf32>) -> tensor<64x8xf32>
  // The expert with the largest logit, and its weight in its column.
  %least = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i64
  %e0 = tensor.empty() : tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xi64>
  %s0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %s1 = linalg.fill ins(%first : i64) outs(%e1 : tensor<64xi64>) -> tensor<64xi64>
  %best:2 = linalg.generic {indexing_maps = [affine_map<(t, e) -> (t, e)>, affine_map<(t, e) -> (t)>, affine_map<(t, e) -> (t)>], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<64x8xf32>) outs(%s0, %s1 : tensor<64xf32>, tensor<64xi64>) {
  ^bb0(%a: f32, %m: f32, %i: i64):
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %larger = arith.cmpf ogt, %a, %m : f32
    %most = arith.maximumf %a, %m : f32
    %place = arith.select %larger, %here, %i : i64
    linalg.yield %most, %place : f32, i64
  } -> (tensor<64xf32>, tensor<64xi64>)
  %chosen = tensor.expand_shape %best#1 [[0, 1]] output_shape [64, 1] : tensor<64xi64> into tensor<64x1xi64>
  %weights = tensor.expand_shape %best#0 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %ek = tensor.empty() : tensor<64x1x8xf32>
  %each = linalg.generic {indexing_maps = [affine_map<(t, k, e) -> (t, k)>, affine_map<(t, k, e) -> (t, k)>, affine_map<(t, k, e) -> (t, k, e)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%chosen, %weights : tensor<64x1xi64>, tensor<64x1xf32>) outs(%ek : tensor<64x1x8xf32>) {
  ^bb0(%i: i64, %a: f32, %o: f32):
    %at = linalg.index 2 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %i : i64
    %one = arith.uitofp %is : i1 to f32
    %w = arith.mulf %one, %a : f32
    linalg.yield %w : f32
  } -> tensor<64x1x8xf32>
  %gate = linalg.generic {indexing_maps = [affine_map<(t, e, k) -> (t, k, e)>, affine_map<(t, e, k) -> (t, e)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%each : tensor<64x1x8xf32>) outs(%zg : tensor<64x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<64x8xf32>
  %eu = tensor.empty() : tensor<64x8x48xf32>
  %zu = linalg.fill ins(%zero : f32) outs(%eu : tensor<64x8x48xf32>) -> tensor<64x8x48xf32>
  %u = linalg.generic {indexing_maps = [affine_map<(t, e, f, d) -> (t, d)>, affine_map<(t, e, f, d) -> (e, d, f)>, affine_map<(t, e, f, d) -> (t, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w1 : tensor<64x32xf32>, tensor<8x32x48xf32>) outs(%zu : tensor<64x8x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x8x48xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(t, e, f) -> (t, e)>, affine_map<(t, e, f) -> (t, e, f)>, affine_map<(t, e, f) -> (t, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gate, %u : tensor<64x8xf32>, tensor<64x8x48xf32>) outs(%eu : tensor<64x8x48xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r : f32
    linalg.yield %m : f32
  } -> tensor<64x8x48xf32>
  %ey = tensor.empty() : tensor<64x32xf32>
  %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, d, e, f) -> (t, e, f)>, affine_map<(t, d, e, f) -> (e, f, d)>, affine_map<(t, d, e, f) -> (t, d)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%g, %w2 : tensor<64x8x48xf32>, tensor<8x48x32xf32>) outs(%zy : tensor<64x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x32xf32>
  %kept = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t)>, affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %y : tensor<64xi1>, tensor<64x32xf32>) outs(%ey : tensor<64x32xf32>) {
  ^bb0(%b: i1, %a: f32, %o: f32):
    %s = arith.select %b, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  return %kept : tensor<64x32xf32>
}
