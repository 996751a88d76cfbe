// What follows from two patterns lies along no axis that a tensor has twice: rows of the diagonal of a product are read where either
// factor lives, and packed rows have no diagonal.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1, d2) -> (d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0) -> (d0, d0)>
module {
  func.func @main(%arg0: tensor<?x?x?xi32>, %arg1: tensor<?xi1>, %arg2: tensor<?x?xi32>, %arg3: tensor<?xi64>, %arg4: tensor<?xi32>, %arg5: tensor<?xi32>) -> tensor<?xi32> attributes {inputs = ["kind=ints shape=13x13x6 lo=1 hi=2 live=50% block=13x1x6 dead=zero seed=644287", "kind=ints shape=6 lo=0 hi=2 live=25% block=4 dead=zero seed=37923", "kind=ints shape=13x6 lo=1 hi=2 seed=790838", "kind=ints shape=13 lo=0 hi=7 seed=633412", "kind=ints shape=13 lo=-120 hi=120 live=50% dead=zero seed=26334", "kind=ints shape=13 lo=1 hi=2 live=25% dead=zero seed=157631"]} {
    %c2 = arith.constant 2 : index
    %dim = tensor.dim %arg0, %c2 : tensor<?x?x?xi32>
    %c0 = arith.constant 0 : index
    %dim_0 = tensor.dim %arg0, %c0 : tensor<?x?x?xi32>
    %0 = tensor.empty(%dim_0, %dim_0, %dim) : tensor<?x?x?xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %arg0 : tensor<?xi1>, tensor<?x?x?xi32>) outs(%0 : tensor<?x?x?xi32>) {
    ^bb0(%in: i1, %in_2: i32, %out: i32):
      %c0_i32_3 = arith.constant 0 : i32
      %16 = arith.select %in, %in_2, %c0_i32_3 : i32
      linalg.yield %16 : i32
    } -> tensor<?x?x?xi32>
    %2 = tensor.empty(%dim_0, %dim) : tensor<?x?xi1>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<?xi64>) outs(%2 : tensor<?x?xi1>) {
    ^bb0(%in: i64, %out: i1):
      %16 = linalg.index 1 : index
      %17 = arith.index_cast %16 : index to i64
      %18 = arith.cmpi slt, %17, %in : i64
      linalg.yield %18 : i1
    } -> tensor<?x?xi1>
    %4 = tensor.empty(%dim_0, %dim) : tensor<?x?xi32>
    %5 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3, %arg2 : tensor<?x?xi1>, tensor<?x?xi32>) outs(%4 : tensor<?x?xi32>) {
    ^bb0(%in: i1, %in_2: i32, %out: i32):
      %c0_i32_3 = arith.constant 0 : i32
      %16 = arith.select %in, %in_2, %c0_i32_3 : i32
      linalg.yield %16 : i32
    } -> tensor<?x?xi32>
    %c0_i32 = arith.constant 0 : i32
    %6 = tensor.empty(%dim_0, %dim_0) : tensor<?x?xi32>
    %7 = linalg.fill ins(%c0_i32 : i32) outs(%6 : tensor<?x?xi32>) -> tensor<?x?xi32>
    %8 = linalg.batch_matvec ins(%1, %5 : tensor<?x?x?xi32>, tensor<?x?xi32>) outs(%7 : tensor<?x?xi32>) -> tensor<?x?xi32>
    %9 = tensor.empty(%dim_0) : tensor<?xi1>
    %10 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg5 : tensor<?xi32>) outs(%9 : tensor<?xi1>) {
    ^bb0(%in: i32, %out: i1):
      %c0_i32_2 = arith.constant 0 : i32
      %16 = arith.cmpi ne, %in, %c0_i32_2 : i32
      linalg.yield %16 : i1
    } -> tensor<?xi1>
    %11 = tensor.empty(%dim_0) : tensor<?xi32>
    %12 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%10, %arg4 : tensor<?xi1>, tensor<?xi32>) outs(%11 : tensor<?xi32>) {
    ^bb0(%in: i1, %in_2: i32, %out: i32):
      %c0_i32_3 = arith.constant 0 : i32
      %16 = arith.select %in, %in_2, %c0_i32_3 : i32
      linalg.yield %16 : i32
    } -> tensor<?xi32>
    %c0_i32_1 = arith.constant 0 : i32
    %13 = tensor.empty(%dim_0) : tensor<?xi32>
    %14 = linalg.fill ins(%c0_i32_1 : i32) outs(%13 : tensor<?xi32>) -> tensor<?xi32>
    %15 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel"]} ins(%12, %8 : tensor<?xi32>, tensor<?x?xi32>) outs(%14 : tensor<?xi32>) {
    ^bb0(%in: i32, %in_2: i32, %out: i32):
      %16 = arith.muli %in, %in_2 : i32
      %17 = arith.addi %out, %16 : i32
      linalg.yield %17 : i32
    } -> tensor<?xi32>
    return %15 : tensor<?xi32>
  }
}

