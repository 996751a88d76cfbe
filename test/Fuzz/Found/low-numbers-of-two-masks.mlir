// Wrong results: a row that one of two masks leaves without a number that the other one leaves is what the low numbers of both give.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (

#map = affine_map<(d0, d1) -> (d0, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d0)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d0)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
module {
  func.func @main(%arg0: tensor<?x?x11x11xbf16>, %arg1: tensor<?x?xi1>, %arg2: tensor<?x?xi64>, %arg3: tensor<?x?x11x11xi1>, %arg4: tensor<?x11x11xi32>, %arg5: tensor<?x11x?xbf16>, %arg6: tensor<11x?xbf16>, %arg7: tensor<?x11x11xbf16>) -> (tensor<11x11x?x11xf32>, tensor<?x?x11x11xbf16>, tensor<?x11x22xbf16>, tensor<11x?xbf16>) attributes {inputs = ["kind=ints shape=1x1x11x11 lo=1 hi=2 live=30% dead=zero seed=13889", "kind=ints shape=1x1 lo=1 hi=2 live=25% dead=zero seed=612808", "kind=ints shape=1x1 lo=1 hi=2 live=5% dead=zero seed=95964", "kind=ints shape=1x1x11x11 lo=0 hi=2 seed=40573", "kind=ints shape=1x11x11 lo=1 hi=2 seed=323361", "kind=ints shape=11x11x1 lo=1 hi=2 live=0% dead=zero seed=315501", "kind=ints shape=11x1 lo=1 hi=2 seed=617643", "kind=ints shape=1x11x11 lo=1 hi=2 live=10% dead=zero seed=896260"]} {
    %c2 = arith.constant 2 : index
    %dim = tensor.dim %arg5, %c2 : tensor<?x11x?xbf16>
    %c0 = arith.constant 0 : index
    %dim_0 = tensor.dim %arg0, %c0 : tensor<?x?x11x11xbf16>
    %0 = tensor.empty(%dim_0, %dim_0) : tensor<?x?xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<?x?xi64>) outs(%0 : tensor<?x?xi1>) {
    ^bb0(%in: i64, %out: i1):
      %c0_i64 = arith.constant 0 : i64
      %40 = arith.cmpi ne, %in, %c0_i64 : i64
      linalg.yield %40 : i1
    } -> tensor<?x?xi1>
    %2 = tensor.empty(%dim_0, %dim_0) : tensor<?x?xi1>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1, %1 : tensor<?x?xi1>, tensor<?x?xi1>) outs(%2 : tensor<?x?xi1>) {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %40 = arith.andi %in, %in_5 : i1
      linalg.yield %40 : i1
    } -> tensor<?x?xi1>
    %4 = tensor.empty(%dim_0, %dim_0) : tensor<?x?x11x11xbf16>
    %5 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %arg0 : tensor<?x?xi1>, tensor<?x?x11x11xbf16>) outs(%4 : tensor<?x?x11x11xbf16>) {
    ^bb0(%in: i1, %in_5: bf16, %out: bf16):
      %cst_6 = arith.constant 0xFF80 : bf16
      %true = arith.constant true
      %40 = arith.xori %in, %true : i1
      %41 = arith.select %40, %cst_6, %in_5 : bf16
      linalg.yield %41 : bf16
    } -> tensor<?x?x11x11xbf16>
    %6 = tensor.empty(%dim_0, %dim_0) : tensor<?x?x11x11xbf16>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %5 : tensor<?x?x11x11xi1>, tensor<?x?x11x11xbf16>) outs(%6 : tensor<?x?x11x11xbf16>) {
    ^bb0(%in: i1, %in_5: bf16, %out: bf16):
      %cst_6 = arith.constant -3.389530e+38 : bf16
      %40 = arith.select %in, %in_5, %cst_6 : bf16
      linalg.yield %40 : bf16
    } -> tensor<?x?x11x11xbf16>
    %cst = arith.constant 0xFF80 : bf16
    %8 = tensor.empty(%dim_0, %dim_0) : tensor<?x?x11xbf16>
    %9 = linalg.fill ins(%cst : bf16) outs(%8 : tensor<?x?x11xbf16>) -> tensor<?x?x11xbf16>
    %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%7 : tensor<?x?x11x11xbf16>) outs(%9 : tensor<?x?x11xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %40 = arith.maximumf %out, %in : bf16
      linalg.yield %40 : bf16
    } -> tensor<?x?x11xbf16>
    %11 = tensor.empty(%dim_0, %dim_0) : tensor<?x?x11x11xbf16>
    %12 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %10 : tensor<?x?x11x11xbf16>, tensor<?x?x11xbf16>) outs(%11 : tensor<?x?x11x11xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %40 = arith.subf %in, %in_5 : bf16
      %41 = math.exp %40 : bf16
      linalg.yield %41 : bf16
    } -> tensor<?x?x11x11xbf16>
    %cst_1 = arith.constant 0.000000e+00 : bf16
    %13 = tensor.empty(%dim_0, %dim_0) : tensor<?x?x11xbf16>
    %14 = linalg.fill ins(%cst_1 : bf16) outs(%13 : tensor<?x?x11xbf16>) -> tensor<?x?x11xbf16>
    %15 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<?x?x11x11xbf16>) outs(%14 : tensor<?x?x11xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %40 = arith.addf %out, %in : bf16
      linalg.yield %40 : bf16
    } -> tensor<?x?x11xbf16>
    %16 = tensor.empty(%dim_0, %dim_0) : tensor<?x?x11x11xbf16>
    %17 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<?x?x11x11xbf16>, tensor<?x?x11xbf16>) outs(%16 : tensor<?x?x11x11xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %cst_6 = arith.constant 1.000000e+00 : bf16
      %40 = arith.maximumf %in_5, %cst_6 : bf16
      %41 = arith.divf %in, %40 : bf16
      linalg.yield %41 : bf16
    } -> tensor<?x?x11x11xbf16>
    %18 = tensor.empty(%dim_0) : tensor<?x11x11xi1>
    %19 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<?x11x11xi32>) outs(%18 : tensor<?x11x11xi1>) {
    ^bb0(%in: i32, %out: i1):
      %c0_i32 = arith.constant 0 : i32
      %40 = arith.cmpi ne, %in, %c0_i32 : i32
      linalg.yield %40 : i1
    } -> tensor<?x11x11xi1>
    %20 = tensor.empty(%dim_0, %dim_0) : tensor<?x?x11x11xbf16>
    %21 = linalg.generic {indexing_maps = [#map7, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %17 : tensor<?x11x11xi1>, tensor<?x?x11x11xbf16>) outs(%20 : tensor<?x?x11x11xbf16>) {
    ^bb0(%in: i1, %in_5: bf16, %out: bf16):
      %cst_6 = arith.constant 0.000000e+00 : bf16
      %true = arith.constant true
      %40 = arith.xori %in, %true : i1
      %41 = arith.select %40, %cst_6, %in_5 : bf16
      linalg.yield %41 : bf16
    } -> tensor<?x?x11x11xbf16>
    %cst_2 = arith.constant 0.000000e+00 : bf16
    %22 = tensor.empty(%dim_0, %dim_0) : tensor<?x?x11x11xbf16>
    %23 = linalg.fill ins(%cst_2 : bf16) outs(%22 : tensor<?x?x11x11xbf16>) -> tensor<?x?x11x11xbf16>
    %reduced = linalg.reduce ins(%21 : tensor<?x?x11x11xbf16>) outs(%23 : tensor<?x?x11x11xbf16>) dimensions = [] 
      (%in: bf16, %init: bf16) {
        %cst_5 = arith.constant 0.000000e+00 : bf16
        %cst_6 = arith.constant 2.000000e+00 : bf16
        %40 = arith.maximumf %in, %cst_5 : bf16
        %41 = arith.addf %init, %40 : bf16
        linalg.yield %41 : bf16
      }
    %24 = tensor.empty(%dim_0, %dim_0) : tensor<?x?x11x11xbf16>
    %25 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %reduced : tensor<?x?x11x11xi1>, tensor<?x?x11x11xbf16>) outs(%24 : tensor<?x?x11x11xbf16>) {
    ^bb0(%in: i1, %in_5: bf16, %out: bf16):
      %cst_6 = arith.constant 0.000000e+00 : bf16
      %40 = arith.select %in, %in_5, %cst_6 : bf16
      linalg.yield %40 : bf16
    } -> tensor<?x?x11x11xbf16>
    %cst_3 = arith.constant 0.000000e+00 : bf16
    %26 = tensor.empty(%dim_0) : tensor<?x11x11xbf16>
    %27 = linalg.fill ins(%cst_3 : bf16) outs(%26 : tensor<?x11x11xbf16>) -> tensor<?x11x11xbf16>
    %28 = linalg.generic {indexing_maps = [#map3, #map3, #map8, #map7], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%5, %25, %arg6 : tensor<?x?x11x11xbf16>, tensor<?x?x11x11xbf16>, tensor<11x?xbf16>) outs(%27 : tensor<?x11x11xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %in_6: bf16, %out: bf16):
      %40 = arith.mulf %in, %in_5 : bf16
      %41 = arith.mulf %40, %in_6 : bf16
      %42 = arith.addf %out, %41 : bf16
      linalg.yield %42 : bf16
    } -> tensor<?x11x11xbf16>
    %29 = tensor.empty(%dim_0) : tensor<?x11xi1>
    %30 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%29 : tensor<?x11xi1>) {
    ^bb0(%out: i1):
      %40 = linalg.index 0 : index
      %41 = arith.index_cast %40 : index to i64
      %42 = linalg.index 1 : index
      %43 = arith.index_cast %42 : index to i64
      %44 = arith.cmpi sge, %41, %43 : i64
      linalg.yield %44 : i1
    } -> tensor<?x11xi1>
    %31 = tensor.empty(%dim_0) : tensor<?x11x11xbf16>
    %32 = linalg.generic {indexing_maps = [#map9, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %arg7 : tensor<?x11xi1>, tensor<?x11x11xbf16>) outs(%31 : tensor<?x11x11xbf16>) {
    ^bb0(%in: i1, %in_5: bf16, %out: bf16):
      %cst_6 = arith.constant 0.000000e+00 : bf16
      %true = arith.constant true
      %40 = arith.xori %in, %true : i1
      %41 = arith.select %40, %cst_6, %in_5 : bf16
      linalg.yield %41 : bf16
    } -> tensor<?x11x11xbf16>
    %concat = tensor.concat dim(2) %28, %32 : (tensor<?x11x11xbf16>, tensor<?x11x11xbf16>) -> tensor<?x11x22xbf16>
    %33 = tensor.empty(%dim_0, %dim_0) : tensor<?x?x11x11xbf16>
    %34 = linalg.softmax dimension(3) ins(%25 : tensor<?x?x11x11xbf16>) outs(%33 : tensor<?x?x11x11xbf16>) -> tensor<?x?x11x11xbf16>
    %35 = tensor.empty(%dim_0, %dim_0) : tensor<?x?x11x11xbf16>
    %36 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %34 : tensor<?x?x11x11xi1>, tensor<?x?x11x11xbf16>) outs(%35 : tensor<?x?x11x11xbf16>) {
    ^bb0(%in: i1, %in_5: bf16, %out: bf16):
      %cst_6 = arith.constant 0xFF80 : bf16
      %40 = arith.select %in, %in_5, %cst_6 : bf16
      linalg.yield %40 : bf16
    } -> tensor<?x?x11x11xbf16>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %37 = tensor.empty(%dim) : tensor<11x11x?x11xf32>
    %38 = linalg.fill ins(%cst_4 : f32) outs(%37 : tensor<11x11x?x11xf32>) -> tensor<11x11x?x11xf32>
    %39 = linalg.generic {indexing_maps = [#map10, #map11, #map12], iterator_types = ["reduction", "parallel", "parallel", "parallel", "parallel"]} ins(%32, %arg6 : tensor<?x11x11xbf16>, tensor<11x?xbf16>) outs(%38 : tensor<11x11x?x11xf32>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: f32):
      %40 = arith.extf %in : bf16 to f32
      %41 = arith.extf %in_5 : bf16 to f32
      %42 = arith.mulf %40, %41 : f32
      %43 = arith.addf %out, %42 : f32
      linalg.yield %43 : f32
    } -> tensor<11x11x?x11xf32>
    return %39, %36, %concat, %arg6 : tensor<11x11x?x11xf32>, tensor<?x?x11x11xbf16>, tensor<?x11x22xbf16>, tensor<11x?xbf16>
  }
}

