// Reshapes of tensors with an extent of 0 and another one that is not known did not compile.
// RUN: split-file %s %t
// RUN: pit-fuzz %t/result.mlir %t/behind.mlir | FileCheck %s
// RUN: pit-fuzz %t/detection.mlir --target cuda --compile-only | FileCheck %s --check-prefix=DETECT
// CHECK: result.mlir: agrees (0 elements
// CHECK: behind.mlir: agrees (6 elements
// DETECT: detection.mlir: compiled

//--- result.mlir
func.func @main(%a: tensor<0x?xi1>) -> tensor<?xi1> attributes {inputs = ["kind=ints shape=0x13 lo=1 hi=2 seed=1"]} {
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<0x?xi1> into tensor<?xi1>
  return %c : tensor<?xi1>
}
//--- behind.mlir
func.func @main(%a: tensor<?x0x?x?xf32>) -> tensor<?xf32> attributes {
    inputs = ["kind=ints shape=16x0x33x6 lo=1 hi=2 seed=1"]} {
  %c = tensor.collapse_shape %a [[0, 1, 2], [3]] : tensor<?x0x?x?xf32> into tensor<?x?xf32>
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %c, %one : tensor<?x?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.reduce { arith.addf } ins(%c : tensor<?x?xf32>) outs(%init : tensor<?xf32>) dimensions = [0]
  return %sum : tensor<?xf32>
}
//--- detection.mlir
#map = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<?x16xbf16>, %arg1: tensor<?x0xbf16>, %arg2: tensor<0x16x6xbf16>, %arg3: tensor<0x6x16xbf16>) -> tensor<?x16xbf16> attributes {inputs = ["kind=ints shape=24x16 lo=1 hi=2 seed=265551", "kind=ints shape=24x0 lo=1 hi=2 most=2 seed=919996", "kind=ints shape=0x16x6 lo=1 hi=2 seed=925494", "kind=ints shape=0x6x16 lo=1 hi=2 seed=317578"], pipeline = "strict=true"} {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x16xbf16>
    %0 = pit.sparse %arg1 <kind = values, axes = [0, 1], at_most = 2> : tensor<?x0xbf16>
    %cst = arith.constant 0.000000e+00 : bf16
    %1 = tensor.empty(%dim) : tensor<?x0x6xbf16>
    %2 = linalg.fill ins(%cst : bf16) outs(%1 : tensor<?x0x6xbf16>) -> tensor<?x0x6xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg2 : tensor<?x16xbf16>, tensor<0x16x6xbf16>) outs(%2 : tensor<?x0x6xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %10 = arith.mulf %in, %in_1 : bf16
      %11 = arith.addf %out, %10 : bf16
      linalg.yield %11 : bf16
    } -> tensor<?x0x6xbf16>
    %4 = tensor.empty(%dim) : tensor<?x0x6xbf16>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<?x0x6xbf16>) outs(%4 : tensor<?x0x6xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst_1 = arith.constant 0.000000e+00 : bf16
      %10 = arith.maximumf %in, %cst_1 : bf16
      linalg.yield %10 : bf16
    } -> tensor<?x0x6xbf16>
    %cst_0 = arith.constant 0.000000e+00 : bf16
    %6 = tensor.empty(%dim) : tensor<?x16xbf16>
    %7 = linalg.fill ins(%cst_0 : bf16) outs(%6 : tensor<?x16xbf16>) -> tensor<?x16xbf16>
    %8 = linalg.generic {indexing_maps = [#map4, #map2, #map5, #map], iterator_types = ["parallel", "reduction", "reduction", "parallel"]} ins(%0, %5, %arg3 : tensor<?x0xbf16>, tensor<?x0x6xbf16>, tensor<0x6x16xbf16>) outs(%7 : tensor<?x16xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %in_2: bf16, %out: bf16):
      %10 = arith.mulf %in, %in_1 : bf16
      %11 = arith.mulf %10, %in_2 : bf16
      %12 = arith.addf %out, %11 : bf16
      linalg.yield %12 : bf16
    } -> tensor<?x16xbf16>
    %9 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<?x16xbf16>) outs(%arg0 : tensor<?x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst_1 = arith.constant 0.000000e+00 : bf16
      %cst_2 = arith.constant 2.000000e+00 : bf16
      %cst_3 = arith.constant 5.000000e-01 : bf16
      %10 = arith.mulf %in, %cst_3 : bf16
      linalg.yield %10 : bf16
    } -> tensor<?x16xbf16>
    return %9 : tensor<?x16xbf16>
  }
}

