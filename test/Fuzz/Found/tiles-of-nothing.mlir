// Tiles of a matrix with an extent of 0 were slices out of bounds.
// RUN: split-file %s %t
// RUN: pit-fuzz %t/tensors.mlir %t/buffers.mlir | FileCheck %s
// CHECK: tensors.mlir: agrees (
// CHECK: buffers.mlir: agrees (

//--- tensors.mlir
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>
#map4 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<?x?x0xi32>, %arg1: tensor<?x?x?x0xi32>, %arg2: tensor<?xi32>, %arg3: tensor<?xi32>, %arg4: tensor<?x?xi32>, %arg5: tensor<?xi1>) -> tensor<?x?xi32> attributes {inputs = ["kind=ints shape=2x8x0 lo=1 hi=2 most=1 seed=593276", "kind=ints shape=2x8x8x0 lo=1 hi=2 seed=530380", "kind=ints shape=8 lo=1 hi=4 live=0% block=1 dead=zero seed=827497", "kind=ints shape=0 lo=0 hi=4 live=5% dead=zero seed=233102", "kind=ints shape=2x8 lo=1 hi=2 live=2% block=1x4 dead=signed_zero seed=380612", "kind=ints shape=2 lo=0 hi=2 live=25% dead=zero seed=119699"]} {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg4, %c0 : tensor<?x?xi32>
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim_1 = tensor.dim %arg0, %c1 : tensor<?x?x0xi32>
    %c-1_i32 = arith.constant -1 : i32
    %0 = tensor.empty(%dim_1, %dim_1) : tensor<?x0x?xi32>
    %1 = linalg.fill ins(%c-1_i32 : i32) outs(%0 : tensor<?x0x?xi32>) -> tensor<?x0x?xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map3], iterator_types = ["reduction", "parallel", "reduction", "parallel", "parallel"]} ins(%arg0, %arg0, %arg1 : tensor<?x?x0xi32>, tensor<?x?x0xi32>, tensor<?x?x?x0xi32>) outs(%1 : tensor<?x0x?xi32>) {
    ^bb0(%in: i32, %in_2: i32, %in_3: i32, %out: i32):
      %10 = arith.andi %in, %in_2 : i32
      %11 = arith.andi %10, %in_3 : i32
      %12 = arith.andi %out, %11 : i32
      linalg.yield %12 : i32
    } -> tensor<?x0x?xi32>
    %3 = arith.muli %c0_0, %dim_1 : index
    %collapsed = tensor.collapse_shape %2 [[0], [1, 2]] {pit.sparse = {absent = "zero", axes = array<i64: 1>, from = 3 : i64, pad = "left", source = "routing"}} : tensor<?x0x?xi32> into tensor<?x?xi32>
    %4 = tensor.empty(%dim) : tensor<?xi1>
    %5 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg5 : tensor<?xi1>) outs(%4 : tensor<?xi1>) {
    ^bb0(%in: i1, %out: i1):
      %true = arith.constant true
      %10 = arith.xori %in, %true : i1
      linalg.yield %10 : i1
    } -> tensor<?xi1>
    %6 = pit.sparse %arg4 by(%5 : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x?xi32>
    %c0_i32 = arith.constant 0 : i32
    %7 = tensor.empty(%dim, %3) : tensor<?x?xi32>
    %8 = linalg.fill ins(%c0_i32 : i32) outs(%7 : tensor<?x?xi32>) -> tensor<?x?xi32>
    %9 = linalg.matmul ins(%6, %collapsed : tensor<?x?xi32>, tensor<?x?xi32>) outs(%8 : tensor<?x?xi32>) -> tensor<?x?xi32>
    return %9 : tensor<?x?xi32>
  }
}

//--- buffers.mlir
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>
#map4 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<?x?x0xi32>, %arg1: tensor<?x?x?x0xi32>, %arg2: tensor<?xi32>, %arg3: tensor<?xi32>, %arg4: tensor<?x?xi32>, %arg5: tensor<?xi1>) -> tensor<?x?xi32> attributes {inputs = ["kind=ints shape=2x8x0 lo=1 hi=2 most=1 seed=593276", "kind=ints shape=2x8x8x0 lo=1 hi=2 seed=530380", "kind=ints shape=8 lo=1 hi=4 live=0% block=1 dead=zero seed=827497", "kind=ints shape=0 lo=0 hi=4 live=5% dead=zero seed=233102", "kind=ints shape=2x8 lo=1 hi=2 live=2% block=1x4 dead=signed_zero seed=380612", "kind=ints shape=2 lo=0 hi=2 live=25% dead=zero seed=119699"], pipeline = "tile-size=2 tiles-on-buffers=true"} {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg4, %c0 : tensor<?x?xi32>
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim_1 = tensor.dim %arg0, %c1 : tensor<?x?x0xi32>
    %c-1_i32 = arith.constant -1 : i32
    %0 = tensor.empty(%dim_1, %dim_1) : tensor<?x0x?xi32>
    %1 = linalg.fill ins(%c-1_i32 : i32) outs(%0 : tensor<?x0x?xi32>) -> tensor<?x0x?xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map3], iterator_types = ["reduction", "parallel", "reduction", "parallel", "parallel"]} ins(%arg0, %arg0, %arg1 : tensor<?x?x0xi32>, tensor<?x?x0xi32>, tensor<?x?x?x0xi32>) outs(%1 : tensor<?x0x?xi32>) {
    ^bb0(%in: i32, %in_2: i32, %in_3: i32, %out: i32):
      %10 = arith.andi %in, %in_2 : i32
      %11 = arith.andi %10, %in_3 : i32
      %12 = arith.andi %out, %11 : i32
      linalg.yield %12 : i32
    } -> tensor<?x0x?xi32>
    %3 = arith.muli %c0_0, %dim_1 : index
    %collapsed = tensor.collapse_shape %2 [[0], [1, 2]] {pit.sparse = {absent = "zero", axes = array<i64: 1>, from = 3 : i64, pad = "left", source = "routing"}} : tensor<?x0x?xi32> into tensor<?x?xi32>
    %4 = tensor.empty(%dim) : tensor<?xi1>
    %5 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg5 : tensor<?xi1>) outs(%4 : tensor<?xi1>) {
    ^bb0(%in: i1, %out: i1):
      %true = arith.constant true
      %10 = arith.xori %in, %true : i1
      linalg.yield %10 : i1
    } -> tensor<?xi1>
    %6 = pit.sparse %arg4 by(%5 : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x?xi32>
    %c0_i32 = arith.constant 0 : i32
    %7 = tensor.empty(%dim, %3) : tensor<?x?xi32>
    %8 = linalg.fill ins(%c0_i32 : i32) outs(%7 : tensor<?x?xi32>) -> tensor<?x?xi32>
    %9 = linalg.matmul ins(%6, %collapsed : tensor<?x?xi32>, tensor<?x?xi32>) outs(%8 : tensor<?x?xi32>) -> tensor<?x?xi32>
    return %9 : tensor<?x?xi32>
  }
}
