// A result that is the first rows of another one, which lies with the caller, was released.
// RUN: pit-fuzz %s --wrong-arguments | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<6x1xi64>, %arg1: tensor<6xi32>, %arg2: tensor<6xi32>) -> (tensor<4x1xi64>, tensor<6x1xi64>) attributes {calls = [["as it is", "kind=ints shape=6x1 lo=-4 hi=5 seed=419371", "kind=ints shape=6 lo=0 hi=1 seed=348586", "kind=ints shape=6 lo=0 hi=1 seed=119555"]], inputs = ["kind=ints shape=6x1 lo=-4 hi=5 seed=419371", "kind=ints shape=6 lo=0 hi=1 seed=348586", "kind=ints shape=6 lo=0 hi=1 seed=119555"], pipeline = "entry-points=true"} {
    %0 = tensor.empty() : tensor<6x1xi1>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x1xi1>) {
    ^bb0(%out: i1):
      %8 = linalg.index 0 : index
      %9 = arith.index_cast %8 : index to i32
      %10 = linalg.index 1 : index
      %11 = arith.index_cast %10 : index to i32
      %12 = arith.cmpi sge, %9, %11 : i32
      %c3_i32 = arith.constant 3 : i32
      %13 = arith.addi %11, %c3_i32 : i32
      %14 = arith.cmpi sle, %9, %13 : i32
      %15 = arith.andi %12, %14 : i1
      linalg.yield %15 : i1
    } -> tensor<6x1xi1>
    %2 = tensor.empty() : tensor<6x1xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg2 : tensor<6xi32>, tensor<6xi32>) outs(%2 : tensor<6x1xi1>) {
    ^bb0(%in: i32, %in_0: i32, %out: i1):
      %8 = linalg.index 1 : index
      %9 = arith.index_cast %8 : index to i32
      %10 = arith.cmpi eq, %9, %in : i32
      linalg.yield %10 : i1
    } -> tensor<6x1xi1>
    %4 = tensor.empty() : tensor<6x1xi1>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<6x1xi1>, tensor<6x1xi1>) outs(%4 : tensor<6x1xi1>) {
    ^bb0(%in: i1, %in_0: i1, %out: i1):
      %8 = arith.andi %in, %in_0 : i1
      linalg.yield %8 : i1
    } -> tensor<6x1xi1>
    %6 = tensor.empty() : tensor<6x1xi64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %arg0 : tensor<6x1xi1>, tensor<6x1xi64>) outs(%6 : tensor<6x1xi64>) {
    ^bb0(%in: i1, %in_0: i64, %out: i64):
      %c0_i64_1 = arith.constant 0 : i64
      %8 = arith.select %in, %in_0, %c0_i64_1 : i64
      linalg.yield %8 : i64
    } -> tensor<6x1xi64>
    %c0_i64 = arith.constant 0 : i64
    %padded = tensor.pad %7 low[0, 0] high[0, 0] {
    ^bb0(%arg3: index, %arg4: index):
      tensor.yield %c0_i64 : i64
    } : tensor<6x1xi64> to tensor<6x1xi64>
    %extracted_slice = tensor.extract_slice %7[0, 0] [4, 1] [1, 1] : tensor<6x1xi64> to tensor<4x1xi64>
    return %extracted_slice, %padded : tensor<4x1xi64>, tensor<6x1xi64>
  }
}
