// JAX's dot_product_attention with a local window in bf16, through StableHLO; its products are written out.
#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1) -> (d0)>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
#map9 = affine_map<(d0, d1) -> (d1)>
#map10 = affine_map<(d0, d1) -> ()>
#map11 = affine_map<(d0, d1) -> (d0, 0)>
#map12 = affine_map<(d0, d1) -> (0, d1)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map19 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map20 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d0, d1, d4, d5)>
#map21 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map22 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
module {
  func.func public @main(%arg0: tensor<2x64x4x32xbf16>, %arg1: tensor<2x64x2x32xbf16>, %arg2: tensor<2x64x2x32xbf16>) -> tensor<2x64x4x32xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %cst_3 = arith.constant dense<0> : tensor<i32>
    %cst_4 = arith.constant dense<8> : tensor<i32>
    %cst_5 = arith.constant dense<true> : tensor<i1>
    %cst_6 = arith.constant dense<0.176776692> : tensor<f32>
    %cst_7 = arith.constant 0.000000e+00 : f32
    %cst_8 = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]> : tensor<64xi32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [2, 64, 2, 2, 32] : tensor<2x64x4x32xbf16> into tensor<2x64x2x2x32xbf16>
    %0 = tensor.empty() : tensor<2x2x64x2x64xf32>
    %1 = linalg.fill ins(%cst_7 : f32) outs(%0 : tensor<2x2x64x2x64xf32>) -> tensor<2x2x64x2x64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<2x64x2x2x32xbf16>, tensor<2x64x2x32xbf16>) outs(%1 : tensor<2x2x64x2x64xf32>) {
    ^bb0(%in: bf16, %in_9: bf16, %out: f32):
      %88 = arith.extf %in : bf16 to f32
      %89 = arith.extf %in_9 : bf16 to f32
      %90 = arith.mulf %88, %89 : f32
      %91 = arith.addf %out, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<2x2x64x2x64xf32>
    %3 = tensor.empty() : tensor<2x2x64x2x64xf32>
    %4 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%3 : tensor<2x2x64x2x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x64x2x64xf32>
    %5 = tensor.empty() : tensor<2x2x64x2x64xf32>
    %6 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2, %4 : tensor<2x2x64x2x64xf32>, tensor<2x2x64x2x64xf32>) outs(%5 : tensor<2x2x64x2x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %88 = arith.mulf %in, %in_9 : f32
      linalg.yield %88 : f32
    } -> tensor<2x2x64x2x64xf32>
    %7 = tensor.empty() : tensor<2x2x64x64xi1>
    %8 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<i1>) outs(%7 : tensor<2x2x64x64xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x2x64x64xi1>
    %9 = tensor.empty() : tensor<64x1xi32>
    %10 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<64xi32>) outs(%9 : tensor<64x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<64x1xi32>
    %11 = tensor.empty() : tensor<1x64xi32>
    %12 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<64xi32>) outs(%11 : tensor<1x64xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x64xi32>
    %13 = tensor.empty() : tensor<1x64xi32>
    %14 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<i32>) outs(%13 : tensor<1x64xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x64xi32>
    %15 = tensor.empty() : tensor<1x64xi32>
    %16 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%12, %14 : tensor<1x64xi32>, tensor<1x64xi32>) outs(%15 : tensor<1x64xi32>) {
    ^bb0(%in: i32, %in_9: i32, %out: i32):
      %88 = arith.addi %in, %in_9 : i32
      linalg.yield %88 : i32
    } -> tensor<1x64xi32>
    %17 = tensor.empty() : tensor<64x64xi32>
    %18 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<64x1xi32>) outs(%17 : tensor<64x64xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<64x64xi32>
    %19 = tensor.empty() : tensor<64x64xi32>
    %20 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<1x64xi32>) outs(%19 : tensor<64x64xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<64x64xi32>
    %21 = tensor.empty() : tensor<64x64xi1>
    %22 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%18, %20 : tensor<64x64xi32>, tensor<64x64xi32>) outs(%21 : tensor<64x64xi1>) {
    ^bb0(%in: i32, %in_9: i32, %out: i1):
      %88 = arith.cmpi sle, %in, %in_9 : i32
      linalg.yield %88 : i1
    } -> tensor<64x64xi1>
    %23 = tensor.empty() : tensor<64x1xi32>
    %24 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<64xi32>) outs(%23 : tensor<64x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<64x1xi32>
    %25 = tensor.empty() : tensor<1x64xi32>
    %26 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<64xi32>) outs(%25 : tensor<1x64xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x64xi32>
    %27 = tensor.empty() : tensor<1x64xi32>
    %28 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<i32>) outs(%27 : tensor<1x64xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x64xi32>
    %29 = tensor.empty() : tensor<1x64xi32>
    %30 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%26, %28 : tensor<1x64xi32>, tensor<1x64xi32>) outs(%29 : tensor<1x64xi32>) {
    ^bb0(%in: i32, %in_9: i32, %out: i32):
      %88 = arith.subi %in, %in_9 : i32
      linalg.yield %88 : i32
    } -> tensor<1x64xi32>
    %31 = tensor.empty() : tensor<64x64xi32>
    %32 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<64x1xi32>) outs(%31 : tensor<64x64xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<64x64xi32>
    %33 = tensor.empty() : tensor<64x64xi32>
    %34 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<1x64xi32>) outs(%33 : tensor<64x64xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<64x64xi32>
    %35 = tensor.empty() : tensor<64x64xi1>
    %36 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%32, %34 : tensor<64x64xi32>, tensor<64x64xi32>) outs(%35 : tensor<64x64xi1>) {
    ^bb0(%in: i32, %in_9: i32, %out: i1):
      %88 = arith.cmpi sge, %in, %in_9 : i32
      linalg.yield %88 : i1
    } -> tensor<64x64xi1>
    %37 = tensor.empty() : tensor<64x64xi1>
    %38 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%36, %22 : tensor<64x64xi1>, tensor<64x64xi1>) outs(%37 : tensor<64x64xi1>) {
    ^bb0(%in: i1, %in_9: i1, %out: i1):
      %88 = arith.andi %in, %in_9 : i1
      linalg.yield %88 : i1
    } -> tensor<64x64xi1>
    %39 = tensor.empty() : tensor<1x1x64x64xi1>
    %40 = linalg.generic {indexing_maps = [#map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<64x64xi1>) outs(%39 : tensor<1x1x64x64xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x64x64xi1>
    %41 = tensor.empty() : tensor<2x2x64x64xi1>
    %42 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x1x64x64xi1>) outs(%41 : tensor<2x2x64x64xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x2x64x64xi1>
    %43 = tensor.empty() : tensor<2x2x64x64xi1>
    %44 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %42 : tensor<2x2x64x64xi1>, tensor<2x2x64x64xi1>) outs(%43 : tensor<2x2x64x64xi1>) {
    ^bb0(%in: i1, %in_9: i1, %out: i1):
      %88 = arith.andi %in, %in_9 : i1
      linalg.yield %88 : i1
    } -> tensor<2x2x64x64xi1>
    %45 = tensor.empty() : tensor<2x2x64x64xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%45 : tensor<2x2x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x64x64xf32>
    %47 = tensor.empty() : tensor<2x2x2x64x64xi1>
    %48 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<2x2x64x64xi1>) outs(%47 : tensor<2x2x2x64x64xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x2x2x64x64xi1>
    %49 = tensor.empty() : tensor<2x2x2x64x64xf32>
    %50 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<2x2x64x64xf32>) outs(%49 : tensor<2x2x2x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x64x64xf32>
    %51 = tensor.empty() : tensor<2x2x2x64x64xf32>
    %52 = linalg.generic {indexing_maps = [#map16, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x2x64x2x64xf32>) outs(%51 : tensor<2x2x2x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x64x64xf32>
    %53 = tensor.empty() : tensor<2x2x2x64x64xf32>
    %54 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%48, %52, %50 : tensor<2x2x2x64x64xi1>, tensor<2x2x2x64x64xf32>, tensor<2x2x2x64x64xf32>) outs(%53 : tensor<2x2x2x64x64xf32>) {
    ^bb0(%in: i1, %in_9: f32, %in_10: f32, %out: f32):
      %88 = arith.select %in, %in_9, %in_10 : f32
      linalg.yield %88 : f32
    } -> tensor<2x2x2x64x64xf32>
    %55 = tensor.empty() : tensor<2x2x2x64xf32>
    %56 = linalg.fill ins(%cst_0 : f32) outs(%55 : tensor<2x2x2x64xf32>) -> tensor<2x2x2x64xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%54 : tensor<2x2x2x64x64xf32>) outs(%56 : tensor<2x2x2x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.maximumf %out, %in : f32
      linalg.yield %88 : f32
    } -> tensor<2x2x2x64xf32>
    %58 = tensor.empty() : tensor<2x2x2x64xf32>
    %59 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%58 : tensor<2x2x2x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x64xf32>
    %60 = tensor.empty() : tensor<2x2x2x64xf32>
    %61 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %57 : tensor<2x2x2x64xf32>, tensor<2x2x2x64xf32>) outs(%60 : tensor<2x2x2x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %88 = arith.maximumf %in, %in_9 : f32
      linalg.yield %88 : f32
    } -> tensor<2x2x2x64xf32>
    %62 = tensor.empty() : tensor<2x2x2x64x1xf32>
    %63 = linalg.generic {indexing_maps = [#map17, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<2x2x2x64xf32>) outs(%62 : tensor<2x2x2x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x64x1xf32>
    %64 = tensor.empty() : tensor<2x2x2x64x64xf32>
    %65 = linalg.generic {indexing_maps = [#map18, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<2x2x2x64x1xf32>) outs(%64 : tensor<2x2x2x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x64x64xf32>
    %66 = tensor.empty() : tensor<2x2x2x64x64xf32>
    %67 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54, %65 : tensor<2x2x2x64x64xf32>, tensor<2x2x2x64x64xf32>) outs(%66 : tensor<2x2x2x64x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %88 = arith.subf %in, %in_9 : f32
      linalg.yield %88 : f32
    } -> tensor<2x2x2x64x64xf32>
    %68 = tensor.empty() : tensor<2x2x2x64x64xf32>
    %69 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<2x2x2x64x64xf32>) outs(%68 : tensor<2x2x2x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = math.exp %in : f32
      linalg.yield %88 : f32
    } -> tensor<2x2x2x64x64xf32>
    %70 = tensor.empty() : tensor<2x2x2x64xf32>
    %71 = linalg.fill ins(%cst_7 : f32) outs(%70 : tensor<2x2x2x64xf32>) -> tensor<2x2x2x64xf32>
    %72 = linalg.generic {indexing_maps = [#map4, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<2x2x2x64x64xf32>) outs(%71 : tensor<2x2x2x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.addf %out, %in : f32
      linalg.yield %88 : f32
    } -> tensor<2x2x2x64xf32>
    %73 = tensor.empty() : tensor<2x2x2x64x1xf32>
    %74 = linalg.generic {indexing_maps = [#map17, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%72 : tensor<2x2x2x64xf32>) outs(%73 : tensor<2x2x2x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x64x1xf32>
    %75 = tensor.empty() : tensor<2x2x2x64x64xf32>
    %76 = linalg.generic {indexing_maps = [#map18, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<2x2x2x64x1xf32>) outs(%75 : tensor<2x2x2x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x64x64xf32>
    %77 = tensor.empty() : tensor<2x2x2x64x64xf32>
    %78 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%69, %76 : tensor<2x2x2x64x64xf32>, tensor<2x2x2x64x64xf32>) outs(%77 : tensor<2x2x2x64x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %88 = arith.divf %in, %in_9 : f32
      linalg.yield %88 : f32
    } -> tensor<2x2x2x64x64xf32>
    %79 = tensor.empty() : tensor<2x2x2x64x64xbf16>
    %80 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<2x2x2x64x64xf32>) outs(%79 : tensor<2x2x2x64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %88 = arith.truncf %in : f32 to bf16
      linalg.yield %88 : bf16
    } -> tensor<2x2x2x64x64xbf16>
    %81 = tensor.empty() : tensor<2x2x32x2x64xbf16>
    %82 = linalg.fill ins(%cst : bf16) outs(%81 : tensor<2x2x32x2x64xbf16>) -> tensor<2x2x32x2x64xbf16>
    %83 = linalg.generic {indexing_maps = [#map19, #map20, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %80 : tensor<2x64x2x32xbf16>, tensor<2x2x2x64x64xbf16>) outs(%82 : tensor<2x2x32x2x64xbf16>) {
    ^bb0(%in: bf16, %in_9: bf16, %out: bf16):
      %88 = arith.mulf %in, %in_9 : bf16
      %89 = arith.addf %out, %88 : bf16
      linalg.yield %89 : bf16
    } -> tensor<2x2x32x2x64xbf16>
    %84 = tensor.empty() : tensor<2x2x64x2x32xbf16>
    %85 = linalg.generic {indexing_maps = [#map21, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<2x2x32x2x64xbf16>) outs(%84 : tensor<2x2x64x2x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x64x2x32xbf16>
    %86 = tensor.empty() : tensor<2x64x2x2x32xbf16>
    %87 = linalg.generic {indexing_maps = [#map22, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<2x2x64x2x32xbf16>) outs(%86 : tensor<2x64x2x2x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x64x2x2x32xbf16>
    %collapsed = tensor.collapse_shape %87 [[0], [1], [2, 3], [4]] : tensor<2x64x2x2x32xbf16> into tensor<2x64x4x32xbf16>
    return %collapsed : tensor<2x64x4x32xbf16>
  }
}

