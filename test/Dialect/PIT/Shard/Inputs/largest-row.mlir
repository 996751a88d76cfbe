// Experts of which a row has the largest results, and no sum.
#map = affine_map<()[s0] -> (s0 * 2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @experts(%arg0: tensor<?x16xf32>, %arg1: tensor<?x8xf32>, %arg2: tensor<8x16x24xf32>, %arg3: tensor<8x24x16xf32>) -> tensor<?x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg1, %c0 : tensor<?x8xf32>
    %0 = pit.detect values(%arg1 : tensor<?x8xf32>) extents(%dim) <kind = values, axes = [0, 1], at_most = 2> rule 0 : <[?, 8], coordinate = 0, tile = [1, 1], width = 32>
    %1 = affine.apply #map()[%dim]
    %2 = pit.invert %0 extents(%dim, %1) : <[?, 8], coordinate = 0, tile = [1, 1], width = 32> -> <[?, ?], coordinate = 1, tile = [1, 1], width = 32>
    %dim_0 = tensor.dim %arg0, %c0 : tensor<?x16xf32>
    %3 = tensor.empty(%1) : tensor<?x24xf32>
    %4 = tensor.empty(%dim_0) : tensor<?x16xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %6 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, 1>, array<i64: 0, -1>], packed = array<i1: false, false, false, true>, rule = 0 : i64} over(%0 : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>) ins(%arg0, %arg2, %arg1 : tensor<?x16xf32>, tensor<8x16x24xf32>, tensor<?x8xf32>) outs(%3 : tensor<?x24xf32>) {
    ^bb0(%arg4: tensor<?x16xf32>, %arg5: tensor<16x24xf32>, %arg6: tensor<?xf32>, %arg7: tensor<?x24xf32>):
      %dim_1 = tensor.dim %arg6, %c0 : tensor<?xf32>
      %10 = tensor.empty(%dim_1) : tensor<?x24xf32>
      %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<?x24xf32>) -> tensor<?x24xf32>
      %12 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg4, %arg5 : tensor<?x16xf32>, tensor<16x24xf32>) outs(%11 : tensor<?x24xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %14 = arith.mulf %in, %in_2 : f32
        %15 = arith.addf %out, %14 : f32
        linalg.yield %15 : f32
      } -> tensor<?x24xf32>
      %13 = linalg.generic {indexing_maps = [#map4, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg6, %12 : tensor<?xf32>, tensor<?x24xf32>) outs(%arg7 : tensor<?x24xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %14 = arith.maximumf %in_2, %cst : f32
        %15 = arith.mulf %in, %14 : f32
        linalg.yield %15 : f32
      } -> tensor<?x24xf32>
      pit.yield %13 : tensor<?x24xf32>
    } -> tensor<?x24xf32>
    %7 = tensor.empty(%1) : tensor<?x16xf32>
    %8 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, true>, rule = 2 : i64} over(%0 : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>) ins(%6, %arg3 : tensor<?x24xf32>, tensor<8x24x16xf32>) outs(%7 : tensor<?x16xf32>) {
    ^bb0(%arg4: tensor<?x24xf32>, %arg5: tensor<24x16xf32>, %arg6: tensor<?x16xf32>):
      %10 = linalg.fill ins(%cst : f32) outs(%arg6 : tensor<?x16xf32>) -> tensor<?x16xf32>
      %11 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg4, %arg5 : tensor<?x24xf32>, tensor<24x16xf32>) outs(%10 : tensor<?x16xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %12 = arith.mulf %in, %in_1 : f32
        %13 = arith.addf %out, %12 : f32
        linalg.yield %13 : f32
      } -> tensor<?x16xf32>
      pit.yield %11 : tensor<?x16xf32>
    } -> tensor<?x16xf32>
    %9 = pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>, rule = 2 : i64} over(%2 : !pit.index<[?, ?], coordinate = 1, tile = [1, 1], width = 32>) ins(%8 : tensor<?x16xf32>) outs(%5 : tensor<?x16xf32>) {
    ^bb0(%arg4: tensor<?x16xf32>, %arg5: tensor<16xf32>):
      %10 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction", "parallel"]} ins(%arg4 : tensor<?x16xf32>) outs(%arg5 : tensor<16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %11 = arith.maximumf %out, %in : f32
        linalg.yield %11 : f32
      } -> tensor<16xf32>
      pit.yield %10 : tensor<16xf32>
    } -> tensor<?x16xf32>
    return %9 : tensor<?x16xf32>
  }
}
