// What a mark promises of its pattern holds: a bounded pattern of this program is an argument that has a mark of its own, which makes
// more of it live once it is the argument's attribute.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<7x7xbf16>, %arg1: tensor<7x2xbf16>, %arg2: tensor<7x2xbf16>, %arg3: tensor<4x2xi1>, %arg4: tensor<7x7xbf16>, %arg5: tensor<7x7xbf16>, %arg6: tensor<7x7xi1>, %arg7: tensor<7x7x7xbf16> {pit.sparse = {absent = "neg_inf", axes = array<i64: 0>, from = 8 : i64, granularity = array<i64: 2>, pad = "right", source = "blocks"}}, %arg8: tensor<4xi1>, %arg9: tensor<7x7x7xbf16> {pit.sparse = {absent = "zero", axes = array<i64: 0, 1>, from = 10 : i64, pad = "right", source = "lengths"}}, %arg10: tensor<7xi64>, %arg11: tensor<2x7x2xbf16>, %arg12: tensor<2x7x2xbf16> {pit.sparse = {absent = "zero", at_most = 3 : i64, axes = array<i64: 0, 1, 2>, from = 13 : i64, pad = "left", source = "routing"}}, %arg13: tensor<2x7x2xbf16>) -> (tensor<2x7x2xbf16>, tensor<7xbf16>, tensor<2x2x7x2x2xbf16>) attributes {inputs = ["kind=ints shape=7x7 lo=-1 hi=1 seed=637487", "kind=reals shape=7x2 lo=-3 hi=3 live=2% block=2x2 dead=zero seed=333052", "kind=ints shape=7x2 lo=-2 hi=2 seed=683005", "kind=ints shape=4x2 lo=1 hi=2 live=80% dead=zero seed=455157", "kind=reals shape=7x7 lo=-3 hi=3 live=30% block=7x1 dead=signed_zero seed=954862", "kind=ints shape=7x7 lo=-1 hi=1 live=0% block=1x2 dead=zero seed=106538", "kind=ints shape=7x7 lo=1 hi=2 live=50% dead=zero most=1 seed=947634", "kind=reals shape=7x7x7 lo=-1 hi=1 seed=935556", "kind=ints shape=4 lo=1 hi=2 live=5% block=1 dead=zero seed=397435", "kind=reals shape=7x7x7 lo=-4 hi=4 seed=234980", "kind=ints shape=7 lo=0 hi=8 live=60% dead=zero seed=11838", "kind=ints shape=2x7x2 lo=-2 hi=2 live=0% block=4x4x1 dead=zero seed=656726", "kind=reals shape=2x7x2 lo=-3 hi=3 live=50% dead=zero seed=328496", "kind=ints shape=2x7x2 lo=1 hi=4 live=50% dead=zero most=3 seed=308986"], pipeline = "tile-size=1"} {
    %0 = pit.sparse %arg2 by(%arg3 : tensor<4x2xi1>) <kind = blocks, axes = [0, 1], absent = undef, pad = left, tile = [2, 1]> : tensor<7x2xbf16>
    %1 = linalg.matmul ins(%arg0, %arg1 : tensor<7x7xbf16>, tensor<7x2xbf16>) outs(%0 : tensor<7x2xbf16>) -> tensor<7x2xbf16>
    %2 = pit.sparse %arg5 by(%arg6 : tensor<7x7xi1>) <kind = mask, axes = [0, 1], absent = undef, pad = left, at_most = 1> : tensor<7x7xbf16>
    %cst = arith.constant 0.000000e+00 : bf16
    %3 = tensor.empty() : tensor<7x7x7xbf16>
    %4 = linalg.fill ins(%cst : bf16) outs(%3 : tensor<7x7x7xbf16>) -> tensor<7x7x7xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg4, %arg7 : tensor<7x7xbf16>, tensor<7x7x7xbf16>) outs(%4 : tensor<7x7x7xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
      %28 = arith.mulf %in, %in_4 : bf16
      %29 = arith.addf %out, %28 : bf16
      linalg.yield %29 : bf16
    } -> tensor<7x7x7xbf16>
    %6 = tensor.empty() : tensor<7x7x7xbf16>
    %7 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<7x7x7xbf16>) outs(%6 : tensor<7x7x7xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst_4 = arith.constant 0.000000e+00 : bf16
      %28 = arith.addf %in, %in : bf16
      linalg.yield %28 : bf16
    } -> tensor<7x7x7xbf16>
    %cst_0 = arith.constant 0.000000e+00 : bf16
    %8 = tensor.empty() : tensor<7x7xbf16>
    %9 = linalg.fill ins(%cst_0 : bf16) outs(%8 : tensor<7x7xbf16>) -> tensor<7x7xbf16>
    %10 = linalg.generic {indexing_maps = [#map4, #map2, #map5, #map], iterator_types = ["parallel", "reduction", "reduction", "parallel"]} ins(%2, %7, %arg9 : tensor<7x7xbf16>, tensor<7x7x7xbf16>, tensor<7x7x7xbf16>) outs(%9 : tensor<7x7xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %in_5: bf16, %out: bf16):
      %28 = arith.mulf %in, %in_4 : bf16
      %29 = arith.mulf %28, %in_5 : bf16
      %30 = arith.addf %out, %29 : bf16
      linalg.yield %30 : bf16
    } -> tensor<7x7xbf16>
    %11 = pit.sparse %10 by(%arg6 : tensor<7x7xi1>) <kind = mask, axes = [0, 1], absent = undef, pad = left, at_most = 1> : tensor<7x7xbf16>
    %12 = tensor.empty() : tensor<7x7x7xbf16>
    %13 = linalg.negf ins(%arg7 : tensor<7x7x7xbf16>) outs(%12 : tensor<7x7x7xbf16>) -> tensor<7x7x7xbf16>
    %14 = tensor.empty() : tensor<2x2x7x2x2xbf16>
    %broadcasted = linalg.broadcast ins(%arg11 : tensor<2x7x2xbf16>) outs(%14 : tensor<2x2x7x2x2xbf16>) dimensions = [1, 3] 
    %cst_1 = arith.constant 0.000000e+00 : bf16
    %15 = tensor.empty() : tensor<7xbf16>
    %16 = linalg.fill ins(%cst_1 : bf16) outs(%15 : tensor<7xbf16>) -> tensor<7xbf16>
    %reduced = linalg.reduce { arith.addf } ins(%arg12 : tensor<2x7x2xbf16>) outs(%16 : tensor<7xbf16>) dimensions = [0, 2] 
    %17 = pit.sparse %arg13 by(%arg8 : tensor<4xi1>) <kind = blocks, axes = [1], absent = neg_inf, tile = [2]> : tensor<2x7x2xbf16>
    %cst_2 = arith.constant 0xFF80 : bf16
    %18 = tensor.empty() : tensor<2x7xbf16>
    %19 = linalg.fill ins(%cst_2 : bf16) outs(%18 : tensor<2x7xbf16>) -> tensor<2x7xbf16>
    %20 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<2x7x2xbf16>) outs(%19 : tensor<2x7xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %28 = arith.maximumf %out, %in : bf16
      linalg.yield %28 : bf16
    } -> tensor<2x7xbf16>
    %21 = tensor.empty() : tensor<2x7x2xbf16>
    %22 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<2x7x2xbf16>, tensor<2x7xbf16>) outs(%21 : tensor<2x7x2xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
      %28 = arith.subf %in, %in_4 : bf16
      %29 = math.exp %28 : bf16
      linalg.yield %29 : bf16
    } -> tensor<2x7x2xbf16>
    %cst_3 = arith.constant 0.000000e+00 : bf16
    %23 = tensor.empty() : tensor<2x7xbf16>
    %24 = linalg.fill ins(%cst_3 : bf16) outs(%23 : tensor<2x7xbf16>) -> tensor<2x7xbf16>
    %25 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%22 : tensor<2x7x2xbf16>) outs(%24 : tensor<2x7xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %28 = arith.addf %out, %in : bf16
      linalg.yield %28 : bf16
    } -> tensor<2x7xbf16>
    %26 = tensor.empty() : tensor<2x7x2xbf16>
    %27 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %25 : tensor<2x7x2xbf16>, tensor<2x7xbf16>) outs(%26 : tensor<2x7x2xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
      %28 = arith.divf %in, %in_4 : bf16
      linalg.yield %28 : bf16
    } -> tensor<2x7x2xbf16>
    return %27, %reduced, %broadcasted : tensor<2x7x2xbf16>, tensor<7xbf16>, tensor<2x2x7x2x2xbf16>
  }
}

