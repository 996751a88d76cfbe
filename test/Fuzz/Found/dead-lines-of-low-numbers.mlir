// Under a mask of finfo.min, a row without a live point has the softmax of what is there. It came out as 0 where only the
// maximum was computed along rows that have live points (strict), and where no kernel may leave anything out of the maximum.
// RUN: split-file %s %t
// RUN: pit-run %t/projected.mlir --target=cpu --no-dense-variants --strict --random=randint:-1:2 --random=bool:0 --random=bool:.05 --check | FileCheck %s
// RUN: pit-run %t/selected.mlir --target=cpu --no-dense-variants --random=normal --random=bool:.02 --random=normal --check | FileCheck %s
// RUN: pit-run %t/selected.mlir --target=cpu --no-dense-variants --strict --random=normal --random=bool:.3 --random=normal --check | FileCheck %s
// CHECK: check: result 0: {{bit-identical|agrees}}
// RUN: pit-opt %t/selected.mlir --pit-to-cpu --remarks-filter-missed=pit-rules -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: inferred mark | {{.*}}no product is restricted to where it is live; at {{.*}}selected.mlir:24:8 low numbers meet a reduction that reads them as they are written

//--- projected.mlir
#map = affine_map<(d0, d1, d2, d3) -> (d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d3, d2)>
#map6 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d3, d5)>
module {
  func.func @main(%arg0: tensor<13x1x9x9xf32>, %arg1: tensor<9xi1>, %arg2: tensor<13x1x9x9xi1>) -> (tensor<9x9x13xf32>, tensor<13x1x9x2xf32>) {
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 4] [13, 1, 9, 2] [1, 1, 1, 1] : tensor<13x1x9x9xf32> to tensor<13x1x9x2xf32>
    %0 = tensor.empty() : tensor<13x1x9x2xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %extracted_slice : tensor<9xi1>, tensor<13x1x9x2xf32>) outs(%0 : tensor<13x1x9x2xf32>) {
    ^bb0(%in: i1, %in_3: f32, %out: f32):
      %cst_4 = arith.constant 0xFF800000 : f32
      %19 = arith.select %in, %in_3, %cst_4 : f32
      linalg.yield %19 : f32
    } -> tensor<13x1x9x2xf32>
    %2 = tensor.empty() : tensor<13x1x9x9xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2, %arg0 : tensor<13x1x9x9xi1>, tensor<13x1x9x9xf32>) outs(%2 : tensor<13x1x9x9xf32>) {
    ^bb0(%in: i1, %in_3: f32, %out: f32):
      %cst_4 = arith.constant -3.40282347E+38 : f32
      %19 = arith.select %in, %in_3, %cst_4 : f32
      linalg.yield %19 : f32
    } -> tensor<13x1x9x9xf32>
    %cst = arith.constant 0xFF800000 : f32
    %4 = tensor.empty() : tensor<13x1x9xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<13x1x9xf32>) -> tensor<13x1x9xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%3 : tensor<13x1x9x9xf32>) outs(%5 : tensor<13x1x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.maximumf %out, %in : f32
      linalg.yield %19 : f32
    } -> tensor<13x1x9xf32>
    %7 = tensor.empty() : tensor<13x1x9x9xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %6 : tensor<13x1x9x9xf32>, tensor<13x1x9xf32>) outs(%7 : tensor<13x1x9x9xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %19 = arith.subf %in, %in_3 : f32
      %20 = math.exp %19 : f32
      linalg.yield %20 : f32
    } -> tensor<13x1x9x9xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %9 = tensor.empty() : tensor<13x1x9xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<13x1x9xf32>) -> tensor<13x1x9xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<13x1x9x9xf32>) outs(%10 : tensor<13x1x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.addf %out, %in : f32
      linalg.yield %19 : f32
    } -> tensor<13x1x9xf32>
    %12 = tensor.empty() : tensor<13x1x9x9xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %11 : tensor<13x1x9x9xf32>, tensor<13x1x9xf32>) outs(%12 : tensor<13x1x9x9xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %cst_4 = arith.constant 1.000000e+00 : f32
      %19 = arith.maximumf %in_3, %cst_4 : f32
      %20 = arith.divf %in, %19 : f32
      linalg.yield %20 : f32
    } -> tensor<13x1x9x9xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %14 = tensor.empty() : tensor<13x1x9x9xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<13x1x9x9xf32>) outs(%14 : tensor<13x1x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.maximumf %in, %cst_1 : f32
      linalg.yield %19 : f32
    } -> tensor<13x1x9x9xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %16 = tensor.empty() : tensor<9x9x13xf32>
    %17 = linalg.fill ins(%cst_2 : f32) outs(%16 : tensor<9x9x13xf32>) -> tensor<9x9x13xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map4, #map5, #map6], iterator_types = ["reduction", "reduction", "parallel", "parallel", "reduction", "parallel"]} ins(%15, %arg0, %arg0 : tensor<13x1x9x9xf32>, tensor<13x1x9x9xf32>, tensor<13x1x9x9xf32>) outs(%17 : tensor<9x9x13xf32>) {
    ^bb0(%in: f32, %in_3: f32, %in_4: f32, %out: f32):
      %19 = arith.mulf %in, %in_3 : f32
      %20 = arith.mulf %19, %in_4 : f32
      %21 = arith.addf %out, %20 : f32
      linalg.yield %21 : f32
    } -> tensor<9x9x13xf32>
    return %18, %1 : tensor<9x9x13xf32>, tensor<13x1x9x2xf32>
  }
}

//--- selected.mlir
#a = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
#k = affine_map<(d0, d1, d2) -> (d0, d2)>
#v = affine_map<(d0, d1, d2) -> (d2, d1)>
#o = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%x: tensor<16x24xf32>, %m: tensor<16x24xi1>, %v: tensor<24x8xf32>) -> tensor<16x8xf32> {
  %low = arith.constant -3.40282347E+38 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<16x24xf32>
  %s = linalg.generic {indexing_maps = [#a, #a, #a], iterator_types = ["parallel", "parallel"]} ins(%m, %x : tensor<16x24xi1>, tensor<16x24xf32>) outs(%e : tensor<16x24xf32>) {
  ^bb0(%c: i1, %y: f32, %z: f32):
    %t = arith.select %c, %y, %low : f32
    linalg.yield %t : f32
  } -> tensor<16x24xf32>
  %er = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%low : f32) outs(%er : tensor<16xf32>) -> tensor<16xf32>
  %max = linalg.generic {indexing_maps = [#a, #r], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<16x24xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%y: f32, %z: f32):
    %c = arith.cmpf ogt, %y, %z : f32
    %t = arith.select %c, %y, %z : f32
    linalg.yield %t : f32
  } -> tensor<16xf32>
  %p = linalg.generic {indexing_maps = [#a, #r, #a], iterator_types = ["parallel", "parallel"]} ins(%s, %max : tensor<16x24xf32>, tensor<16xf32>) outs(%e : tensor<16x24xf32>) {
  ^bb0(%y: f32, %w: f32, %z: f32):
    %d = arith.subf %y, %w : f32
    %t = math.exp %d : f32
    linalg.yield %t : f32
  } -> tensor<16x24xf32>
  %eo = tensor.empty() : tensor<16x8xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<16x8xf32>) -> tensor<16x8xf32>
  %out = linalg.generic {indexing_maps = [#k, #v, #o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %v : tensor<16x24xf32>, tensor<24x8xf32>) outs(%fo : tensor<16x8xf32>) {
  ^bb0(%y: f32, %w: f32, %z: f32):
    %d = arith.mulf %y, %w : f32
    %t = arith.addf %d, %z : f32
    linalg.yield %t : f32
  } -> tensor<16x8xf32>
  return %out : tensor<16x8xf32>
}
