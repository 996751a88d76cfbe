// Rows that a mask leaves nothing of hold the lowest number, which was read as -inf and written as that: a softmax of them was NaN.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees ({{[1-9]}}

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d2, d1, d0, d3)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d0)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map14 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<3x3x5x5xf32>, %arg1: tensor<3xi64>, %arg2: tensor<5xi64>, %arg3: tensor<3x3xf32>, %arg4: tensor<3xi32>, %arg5: tensor<3xi32>, %arg6: tensor<3xi32>, %arg7: tensor<2xi32>, %arg8: tensor<3x2xf32>, %arg9: tensor<2xi32>) -> (tensor<3x2xf32>, tensor<3x2x5xf32>, tensor<3x5xf32>) attributes {inputs = ["kind=ints shape=3x3x5x5 lo=-1 hi=2 seed=126573", "kind=ints shape=3 lo=0 hi=3 seed=654071", "kind=ints shape=5 lo=0 hi=3 seed=667486", "kind=ints shape=3x3 lo=-4 hi=5 seed=70908", "kind=ints shape=3 lo=0 hi=2 seed=386989", "kind=ints shape=3 lo=0 hi=2 seed=697757", "kind=ints shape=3 lo=0 hi=3 seed=158487", "kind=ints shape=2 lo=0 hi=3 seed=712418", "kind=ints shape=3x2 lo=-2 hi=3 live=2% block=3x2 dead=zero seed=219922", "kind=ints shape=2 lo=1 hi=2 live=25% dead=zero seed=980349"], pipeline = "tile-size=4 "} {
    %0 = tensor.empty() : tensor<3x5xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg2 : tensor<3xi64>, tensor<5xi64>) outs(%0 : tensor<3x5xi1>) {
    ^bb0(%in: i64, %in_6: i64, %out: i1):
      %56 = arith.cmpi eq, %in, %in_6 : i64
      linalg.yield %56 : i1
    } -> tensor<3x5xi1>
    %2 = tensor.empty() : tensor<3x3x5x5xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg0 : tensor<3x5xi1>, tensor<3x3x5x5xf32>) outs(%2 : tensor<3x3x5x5xf32>) {
    ^bb0(%in: i1, %in_6: f32, %out: f32):
      %cst_7 = arith.constant 0.000000e+00 : f32
      %56 = arith.select %in, %in_6, %cst_7 : f32
      linalg.yield %56 : f32
    } -> tensor<3x3x5x5xf32>
    %expanded = tensor.expand_shape %3 [[0], [1], [2], [3, 4]] output_shape [3, 3, 5, 1, 5] : tensor<3x3x5x5xf32> into tensor<3x3x5x1x5xf32>
    %4 = tensor.empty() : tensor<5x5x3x3x1xi1>
    %5 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<5x5x3x3x1xi1>) {
    ^bb0(%out: i1):
      %c1_i32 = arith.constant 1 : i32
      %56 = linalg.index 4 : index
      %57 = arith.index_cast %56 : index to i32
      %58 = arith.cmpi slt, %57, %c1_i32 : i32
      linalg.yield %58 : i1
    } -> tensor<5x5x3x3x1xi1>
    %6 = tensor.empty() : tensor<3x3x5x1x5xf32>
    %7 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded : tensor<5x5x3x3x1xi1>, tensor<3x3x5x1x5xf32>) outs(%6 : tensor<3x3x5x1x5xf32>) {
    ^bb0(%in: i1, %in_6: f32, %out: f32):
      %cst_7 = arith.constant 0.000000e+00 : f32
      %56 = arith.select %in, %in_6, %cst_7 : f32
      linalg.yield %56 : f32
    } -> tensor<3x3x5x1x5xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %8 = tensor.empty() : tensor<3x3xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<3x3xf32>) outs(%8 : tensor<3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.maximumf %in, %cst : f32
      linalg.yield %56 : f32
    } -> tensor<3x3xf32>
    %cst_0 = arith.constant 0xFF800000 : f32
    %10 = tensor.empty() : tensor<3x5x3xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<3x5x3xf32>) -> tensor<3x5x3xf32>
    %12 = linalg.generic {indexing_maps = [#map7, #map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]} ins(%9, %9, %3 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3x5x5xf32>) outs(%11 : tensor<3x5x3xf32>) {
    ^bb0(%in: f32, %in_6: f32, %in_7: f32, %out: f32):
      %cst_8 = arith.constant 0.000000e+00 : f32
      %cst_9 = arith.constant 2.000000e+00 : f32
      %56 = arith.maximumf %in_6, %cst_8 : f32
      %57 = arith.addf %in, %56 : f32
      %58 = arith.addf %57, %in_7 : f32
      %59 = arith.maximumf %out, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<3x5x3xf32>
    %13 = tensor.empty() : tensor<3x3xi1>
    %14 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel"]} outs(%13 : tensor<3x3xi1>) {
    ^bb0(%out: i1):
      %c2_i64 = arith.constant 2 : i64
      %56 = linalg.index 1 : index
      %57 = arith.index_cast %56 : index to i64
      %58 = arith.cmpi slt, %57, %c2_i64 : i64
      linalg.yield %58 : i1
    } -> tensor<3x3xi1>
    %15 = tensor.empty() : tensor<3x5x3xf32>
    %16 = linalg.generic {indexing_maps = [#map11, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %12 : tensor<3x3xi1>, tensor<3x5x3xf32>) outs(%15 : tensor<3x5x3xf32>) {
    ^bb0(%in: i1, %in_6: f32, %out: f32):
      %cst_7 = arith.constant 0.000000e+00 : f32
      %true = arith.constant true
      %56 = arith.xori %in, %true : i1
      %57 = arith.select %56, %cst_7, %in_6 : f32
      linalg.yield %57 : f32
    } -> tensor<3x5x3xf32>
    %extracted_slice = tensor.extract_slice %9[0, 0] [3, 2] [1, 2] : tensor<3x3xf32> to tensor<3x2xf32>
    %17 = tensor.empty() : tensor<3x2x5xf32>
    %18 = linalg.generic {indexing_maps = [#map13, #map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice, %extracted_slice : tensor<3x2xf32>, tensor<3x2xf32>) outs(%17 : tensor<3x2x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %cst_7 = arith.constant 0.000000e+00 : f32
      %cst_8 = arith.constant 2.000000e+00 : f32
      %56 = arith.maximumf %in_6, %cst_7 : f32
      %57 = arith.subf %in, %56 : f32
      %58 = linalg.index 1 : index
      %59 = linalg.index 2 : index
      %60 = arith.cmpi sge, %58, %59 : index
      %cst_9 = arith.constant 0.000000e+00 : f32
      %61 = arith.select %60, %57, %cst_9 : f32
      linalg.yield %61 : f32
    } -> tensor<3x2x5xf32>
    %19 = tensor.empty() : tensor<3x2xi1>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg4, %arg5 : tensor<3xi32>, tensor<3xi32>) outs(%19 : tensor<3x2xi1>) {
    ^bb0(%in: i32, %in_6: i32, %out: i1):
      %56 = linalg.index 1 : index
      %57 = arith.index_cast %56 : index to i32
      %58 = arith.cmpi eq, %57, %in : i32
      %59 = arith.cmpi eq, %57, %in_6 : i32
      %60 = arith.ori %58, %59 : i1
      linalg.yield %60 : i1
    } -> tensor<3x2xi1>
    %21 = tensor.empty() : tensor<3x2xi1>
    %22 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg6, %arg7 : tensor<3xi32>, tensor<2xi32>) outs(%21 : tensor<3x2xi1>) {
    ^bb0(%in: i32, %in_6: i32, %out: i1):
      %56 = arith.cmpi eq, %in, %in_6 : i32
      linalg.yield %56 : i1
    } -> tensor<3x2xi1>
    %23 = tensor.empty() : tensor<3x2xi1>
    %24 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%20, %22 : tensor<3x2xi1>, tensor<3x2xi1>) outs(%23 : tensor<3x2xi1>) {
    ^bb0(%in: i1, %in_6: i1, %out: i1):
      %56 = arith.andi %in, %in_6 : i1
      linalg.yield %56 : i1
    } -> tensor<3x2xi1>
    %25 = tensor.empty() : tensor<3x2x5xf32>
    %26 = linalg.generic {indexing_maps = [#map13, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %18 : tensor<3x2xi1>, tensor<3x2x5xf32>) outs(%25 : tensor<3x2x5xf32>) {
    ^bb0(%in: i1, %in_6: f32, %out: f32):
      %56 = arith.uitofp %in : i1 to f32
      %57 = arith.mulf %in_6, %56 : f32
      linalg.yield %57 : f32
    } -> tensor<3x2x5xf32>
    %27 = tensor.empty() : tensor<2xi1>
    %28 = linalg.generic {indexing_maps = [#map14, #map14], iterator_types = ["parallel"]} ins(%arg9 : tensor<2xi32>) outs(%27 : tensor<2xi1>) {
    ^bb0(%in: i32, %out: i1):
      %c0_i32 = arith.constant 0 : i32
      %56 = arith.cmpi ne, %in, %c0_i32 : i32
      linalg.yield %56 : i1
    } -> tensor<2xi1>
    %29 = tensor.empty() : tensor<3x2xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%28, %arg8 : tensor<2xi1>, tensor<3x2xf32>) outs(%29 : tensor<3x2xf32>) {
    ^bb0(%in: i1, %in_6: f32, %out: f32):
      %56 = arith.uitofp %in : i1 to f32
      %57 = arith.mulf %in_6, %56 : f32
      linalg.yield %57 : f32
    } -> tensor<3x2xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %31 = tensor.empty() : tensor<3x5xf32>
    %32 = linalg.fill ins(%cst_1 : f32) outs(%31 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %33 = linalg.batch_vecmat ins(%30, %26 : tensor<3x2xf32>, tensor<3x2x5xf32>) outs(%32 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %cst_2 = arith.constant 0xFF800000 : f32
    %34 = tensor.empty() : tensor<3x2xf32>
    %35 = linalg.fill ins(%cst_2 : f32) outs(%34 : tensor<3x2xf32>) -> tensor<3x2xf32>
    %36 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "reduction"]} ins(%26 : tensor<3x2x5xf32>) outs(%35 : tensor<3x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.maximumf %out, %in : f32
      linalg.yield %56 : f32
    } -> tensor<3x2xf32>
    %37 = tensor.empty() : tensor<3x2x5xf32>
    %38 = linalg.generic {indexing_maps = [#map12, #map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %36 : tensor<3x2x5xf32>, tensor<3x2xf32>) outs(%37 : tensor<3x2x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %56 = arith.subf %in, %in_6 : f32
      %57 = math.exp %56 : f32
      linalg.yield %57 : f32
    } -> tensor<3x2x5xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %39 = tensor.empty() : tensor<3x2xf32>
    %40 = linalg.fill ins(%cst_3 : f32) outs(%39 : tensor<3x2xf32>) -> tensor<3x2xf32>
    %41 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "reduction"]} ins(%38 : tensor<3x2x5xf32>) outs(%40 : tensor<3x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.addf %out, %in : f32
      linalg.yield %56 : f32
    } -> tensor<3x2xf32>
    %42 = tensor.empty() : tensor<3x2x5xf32>
    %43 = linalg.generic {indexing_maps = [#map12, #map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %41 : tensor<3x2x5xf32>, tensor<3x2xf32>) outs(%42 : tensor<3x2x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %56 = arith.divf %in, %in_6 : f32
      linalg.yield %56 : f32
    } -> tensor<3x2x5xf32>
    %44 = tensor.empty() : tensor<3x2xf32>
    %45 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%24, %30 : tensor<3x2xi1>, tensor<3x2xf32>) outs(%44 : tensor<3x2xf32>) {
    ^bb0(%in: i1, %in_6: f32, %out: f32):
      %cst_7 = arith.constant -3.40282347E+38 : f32
      %56 = arith.select %in, %in_6, %cst_7 : f32
      linalg.yield %56 : f32
    } -> tensor<3x2xf32>
    %cst_4 = arith.constant 0xFF800000 : f32
    %46 = tensor.empty() : tensor<3xf32>
    %47 = linalg.fill ins(%cst_4 : f32) outs(%46 : tensor<3xf32>) -> tensor<3xf32>
    %48 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "reduction"]} ins(%45 : tensor<3x2xf32>) outs(%47 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.maximumf %out, %in : f32
      linalg.yield %56 : f32
    } -> tensor<3xf32>
    %49 = tensor.empty() : tensor<3x2xf32>
    %50 = linalg.generic {indexing_maps = [#map2, #map, #map2], iterator_types = ["parallel", "parallel"]} ins(%45, %48 : tensor<3x2xf32>, tensor<3xf32>) outs(%49 : tensor<3x2xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %56 = arith.subf %in, %in_6 : f32
      %57 = math.exp %56 : f32
      linalg.yield %57 : f32
    } -> tensor<3x2xf32>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %51 = tensor.empty() : tensor<3xf32>
    %52 = linalg.fill ins(%cst_5 : f32) outs(%51 : tensor<3xf32>) -> tensor<3xf32>
    %53 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "reduction"]} ins(%50 : tensor<3x2xf32>) outs(%52 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.addf %out, %in : f32
      linalg.yield %56 : f32
    } -> tensor<3xf32>
    %54 = tensor.empty() : tensor<3x2xf32>
    %55 = linalg.generic {indexing_maps = [#map2, #map, #map2], iterator_types = ["parallel", "parallel"]} ins(%50, %53 : tensor<3x2xf32>, tensor<3xf32>) outs(%54 : tensor<3x2xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %56 = arith.divf %in, %in_6 : f32
      linalg.yield %56 : f32
    } -> tensor<3x2xf32>
    return %55, %43, %33 : tensor<3x2xf32>, tensor<3x2x5xf32>, tensor<3x5xf32>
  }
}
