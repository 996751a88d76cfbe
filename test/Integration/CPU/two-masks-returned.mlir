// Two written masks over the same scores, whose softmax is returned: a row that
// only both leave empty holds what the program gives for it, at dead points, too.
// DEFINE: %{run} = pit-run %s --check --no-dense-variants --report --random=normal@64x3
// RUN: %{run} --entry=low --random=bool:0.5 --random=bool:0.5 | FileCheck %s
// RUN: %{run} --entry=infinite --random=bool:0.5 --random=bool:0.7 | FileCheck %s
// RUN: %{run} --entry=infinite_in_tiles --random=bool:0.3 --random=bool:0.3 | FileCheck %s
// RUN: %{run} --entry=joined --random=bool:0.3 --random=bool:0.7 | FileCheck %s
// A mask that another mark writes zeros into says nothing of what its own points hold.
// RUN: %{run} --entry=written_over --random=bool:0.6 --random=bool:0.5 | FileCheck %s
// CHECK: check: result 0: bit-identical (192 elements)
// CHECK: report: skipped {{[1-9]}}

func.func @low(%sc: tensor<64x3xf32>, %m1: tensor<64x3xi1>, %m2: tensor<64x3xi1>) -> tensor<64x3xf32> {
  %m1s = pit.sparse %m1 by(%m1 : tensor<64x3xi1>) <kind = mask, axes = [0, 1]> : tensor<64x3xi1>
  %m2s = pit.sparse %m2 by(%m2 : tensor<64x3xi1>) <kind = mask, axes = [0, 1]> : tensor<64x3xi1>
  %yc = arith.constant 0xFF7FFFFF : f32
  %ye = tensor.empty() : tensor<64x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m1s, %sc : tensor<64x3xi1>, tensor<64x3xf32>) outs(%ye : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %yc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %xc = arith.constant 0xFF7FFFFF : f32
  %xe = tensor.empty() : tensor<64x3xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m2s, %y : tensor<64x3xi1>, tensor<64x3xf32>) outs(%xe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %xc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %e1 = tensor.empty() : tensor<64x3xf32>
  %sm = linalg.softmax dimension(1) ins(%x : tensor<64x3xf32>) outs(%e1 : tensor<64x3xf32>) -> tensor<64x3xf32>
  return %sm : tensor<64x3xf32>
}

func.func @infinite(%sc: tensor<64x3xf32>, %m1: tensor<64x3xi1>, %m2: tensor<3xi1>) -> tensor<64x3xf32> {
  %m1s = pit.sparse %m1 by(%m1 : tensor<64x3xi1>) <kind = mask, axes = [0, 1]> : tensor<64x3xi1>
  %m2s = pit.sparse %m2 by(%m2 : tensor<3xi1>) <kind = mask, axes = [0]> : tensor<3xi1>
  %yc = arith.constant 0xFF800000 : f32
  %ye = tensor.empty() : tensor<64x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m1s, %sc : tensor<64x3xi1>, tensor<64x3xf32>) outs(%ye : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %yc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %xc = arith.constant 0xFF800000 : f32
  %xe = tensor.empty() : tensor<64x3xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m2s, %y : tensor<3xi1>, tensor<64x3xf32>) outs(%xe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %xc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %e1 = tensor.empty() : tensor<64x3xf32>
  %sm = linalg.softmax dimension(1) ins(%x : tensor<64x3xf32>) outs(%e1 : tensor<64x3xf32>) -> tensor<64x3xf32>
  return %sm : tensor<64x3xf32>
}

func.func @infinite_in_tiles(%sc: tensor<64x3xf32>, %m1: tensor<64x3xi1>, %m2: tensor<64x3xi1>) -> tensor<64x3xf32> {
  %m1s = pit.sparse %m1 by(%m1 : tensor<64x3xi1>) <kind = mask, axes = [0, 1], tile = [2, 2]> : tensor<64x3xi1>
  %m2s = pit.sparse %m2 by(%m2 : tensor<64x3xi1>) <kind = mask, axes = [0, 1], tile = [2, 2]> : tensor<64x3xi1>
  %yc = arith.constant 0xFF800000 : f32
  %ye = tensor.empty() : tensor<64x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m1s, %sc : tensor<64x3xi1>, tensor<64x3xf32>) outs(%ye : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %yc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %xc = arith.constant 0xFF800000 : f32
  %xe = tensor.empty() : tensor<64x3xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m2s, %y : tensor<64x3xi1>, tensor<64x3xf32>) outs(%xe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %xc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %e1 = tensor.empty() : tensor<64x3xf32>
  %sm = linalg.softmax dimension(1) ins(%x : tensor<64x3xf32>) outs(%e1 : tensor<64x3xf32>) -> tensor<64x3xf32>
  return %sm : tensor<64x3xf32>
}

func.func @joined(%sc: tensor<64x3xf32>, %m1: tensor<64x3xi1>, %m2: tensor<3xi1>) -> tensor<64x3xf32> {
  %m1s = pit.sparse %m1 by(%m1 : tensor<64x3xi1>) <kind = mask, axes = [0, 1]> : tensor<64x3xi1>
  %m2s = pit.sparse %m2 by(%m2 : tensor<3xi1>) <kind = mask, axes = [0]> : tensor<3xi1>
  %me = tensor.empty() : tensor<64x3xi1>
  %m = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m1s, %m2s : tensor<64x3xi1>, tensor<3xi1>) outs(%me : tensor<64x3xi1>) {
  ^bb0(%a : i1, %b : i1, %c : i1):
    %s = arith.andi %a, %b : i1
    linalg.yield %s : i1
  } -> tensor<64x3xi1>
  %xc = arith.constant 0xFF7FFFFF : f32
  %xe = tensor.empty() : tensor<64x3xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%m, %sc : tensor<64x3xi1>, tensor<64x3xf32>) outs(%xe : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %xc : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %e1 = tensor.empty() : tensor<64x3xf32>
  %sm = linalg.softmax dimension(1) ins(%x : tensor<64x3xf32>) outs(%e1 : tensor<64x3xf32>) -> tensor<64x3xf32>
  return %sm : tensor<64x3xf32>
}

func.func @written_over(%sc: tensor<64x3xf32>, %m1: tensor<64x3xi1>, %m2: tensor<64x3xi1>) -> tensor<64x3xf32> {
  %m1s = pit.sparse %m1 by(%m1 : tensor<64x3xi1>) <kind = mask, axes = [0, 1]> : tensor<64x3xi1>
  %both = pit.sparse %m1s by(%m2 : tensor<64x3xi1>) <kind = mask, axes = [0, 1]> : tensor<64x3xi1>
  %low = arith.constant 0xFF7FFFFF : f32
  %e = tensor.empty() : tensor<64x3xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%both, %sc : tensor<64x3xi1>, tensor<64x3xf32>) outs(%e : tensor<64x3xf32>) {
  ^bb0(%a : i1, %b : f32, %c : f32):
    %s = arith.select %a, %b, %low : f32
    linalg.yield %s : f32
  } -> tensor<64x3xf32>
  %sm = linalg.softmax dimension(1) ins(%x : tensor<64x3xf32>) outs(%e : tensor<64x3xf32>) -> tensor<64x3xf32>
  return %sm : tensor<64x3xf32>
}
