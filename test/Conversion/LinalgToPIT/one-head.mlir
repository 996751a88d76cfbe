// Attention with one head derives what attention with several does, wherever the axis of extent 1 is.
// RUN: pit-opt %s --pit-materialize-marks --pit-normalize --convert-linalg-to-pit | FileCheck %s
// RUN: sed 's/tensor<1x/tensor<2x/g;s/x1x/x2x/g;s/x1xf/x2xf/g' %s | pit-opt --pit-materialize-marks --pit-normalize --convert-linalg-to-pit | FileCheck %s --check-prefixes=TWO
// Scores, their mask, maxima, exponentials, sums, quotients, the product with the values.
// CHECK-LABEL: func @heads_first(
// CHECK-COUNT-7: pit.generic {{.*}} rule =
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func @heads_in_the_middle(
// CHECK-COUNT-7: pit.generic {{.*}} rule =
// CHECK-NOT: linalg.generic
// TWO-LABEL: func @heads_first(
// TWO-COUNT-7: pit.generic {{.*}} rule =
// TWO-LABEL: func @heads_in_the_middle(
// TWO-COUNT-7: pit.generic {{.*}} rule =

#s = affine_map<(h, i, j) -> (h, i, j)>
#m = affine_map<(h, i, j) -> (i, j)>
#r = affine_map<(h, i, j) -> (h, i)>

func.func @heads_first(%q: tensor<1x256x64xf32>, %k: tensor<1x256x64xf32>, %v: tensor<1x256x64xf32>,
                %mask: tensor<256x256xi1>) -> tensor<1x256x64xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %kte = tensor.empty() : tensor<1x64x256xf32>
  %kt = linalg.transpose ins(%k : tensor<1x256x64xf32>) outs(%kte : tensor<1x64x256xf32>)
    permutation = [0, 2, 1]
  %se = tensor.empty() : tensor<1x256x256xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1x256x256xf32>) -> tensor<1x256x256xf32>
  %qk = linalg.batch_matmul ins(%q, %kt : tensor<1x256x64xf32>, tensor<1x64x256xf32>)
    outs(%sz : tensor<1x256x256xf32>) -> tensor<1x256x256xf32>
  %scores = linalg.generic {
      indexing_maps = [#m, #s, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %qk : tensor<256x256xi1>, tensor<1x256x256xf32>)
      outs(%se : tensor<1x256x256xf32>)
      attrs = {pit.sparse = {
        source = "mask", from = 3 : i64, axes = array<i64: 1, 2>,
        granularity = array<i64: 32, 32>, absent = "neg_inf"}} {
  ^bb0(%live: i1, %x: f32, %out: f32):
    %y = arith.mulf %x, %scale : f32
    %z = arith.select %live, %y, %ninf : f32
    linalg.yield %z : f32
  } -> tensor<1x256x256xf32>

  // Softmax over j: largest, exponential, sum, quotient.
  %re = tensor.empty() : tensor<1x256xf32>
  %rn = linalg.fill ins(%ninf : f32) outs(%re : tensor<1x256xf32>) -> tensor<1x256xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<1x256xf32>) -> tensor<1x256xf32>
  %top = linalg.reduce { arith.maximumf } ins(%scores : tensor<1x256x256xf32>)
    outs(%rn : tensor<1x256xf32>) dimensions = [2]
  %e = linalg.generic {
      indexing_maps = [#s, #r, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %top : tensor<1x256x256xf32>, tensor<1x256xf32>)
      outs(%se : tensor<1x256x256xf32>) {
  ^bb0(%x: f32, %t: f32, %out: f32):
    %d = arith.subf %x, %t : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<1x256x256xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<1x256x256xf32>)
    outs(%rz : tensor<1x256xf32>) dimensions = [2]
  %p = linalg.generic {
      indexing_maps = [#s, #r, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<1x256x256xf32>, tensor<1x256xf32>)
      outs(%se : tensor<1x256x256xf32>) {
  ^bb0(%x: f32, %t: f32, %out: f32):
    %y = arith.divf %x, %t : f32
    linalg.yield %y : f32
  } -> tensor<1x256x256xf32>

  %oe = tensor.empty() : tensor<1x256x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x256x64xf32>) -> tensor<1x256x64xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<1x256x256xf32>, tensor<1x256x64xf32>)
    outs(%oz : tensor<1x256x64xf32>) -> tensor<1x256x64xf32>
  return %o : tensor<1x256x64xf32>
}

#sm = affine_map<(i, h, j) -> (i, h, j)>
#mm = affine_map<(i, h, j) -> (i, j)>
#rm = affine_map<(i, h, j) -> (i, h)>
#pq = affine_map<(i, h, j, d) -> (i, h, d)>
#pk = affine_map<(i, h, j, d) -> (j, h, d)>
#ps = affine_map<(i, h, j, d) -> (i, h, j)>

func.func @heads_in_the_middle(%q: tensor<256x1x64xf32>, %k: tensor<256x1x64xf32>, %v: tensor<256x1x64xf32>,
                               %mask: tensor<256x256xi1>) -> tensor<256x1x64xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<256x1x256xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<256x1x256xf32>) -> tensor<256x1x256xf32>
  %qk = linalg.generic {indexing_maps = [#pq, #pk, #ps], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<256x1x64xf32>, tensor<256x1x64xf32>) outs(%sz : tensor<256x1x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x1x256xf32>
  %scores = linalg.generic {indexing_maps = [#mm, #sm, #sm], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %qk : tensor<256x256xi1>, tensor<256x1x256xf32>) outs(%se : tensor<256x1x256xf32>)
      attrs = {pit.sparse = {source = "mask", from = 3 : i64, axes = array<i64: 0, 2>, granularity = array<i64: 32, 32>, absent = "neg_inf"}} {
  ^bb0(%live: i1, %x: f32, %out: f32):
    %z = arith.select %live, %x, %ninf : f32
    linalg.yield %z : f32
  } -> tensor<256x1x256xf32>
  %re = tensor.empty() : tensor<256x1xf32>
  %rn = linalg.fill ins(%ninf : f32) outs(%re : tensor<256x1xf32>) -> tensor<256x1xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<256x1xf32>) -> tensor<256x1xf32>
  %top = linalg.reduce { arith.maximumf } ins(%scores : tensor<256x1x256xf32>) outs(%rn : tensor<256x1xf32>) dimensions = [2]
  %e = linalg.generic {indexing_maps = [#sm, #rm, #sm], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %top : tensor<256x1x256xf32>, tensor<256x1xf32>) outs(%se : tensor<256x1x256xf32>) {
  ^bb0(%x: f32, %t: f32, %out: f32):
    %d = arith.subf %x, %t : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<256x1x256xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<256x1x256xf32>) outs(%rz : tensor<256x1xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [#sm, #rm, #sm], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<256x1x256xf32>, tensor<256x1xf32>) outs(%se : tensor<256x1x256xf32>) {
  ^bb0(%x: f32, %t: f32, %out: f32):
    %y = arith.divf %x, %t : f32
    linalg.yield %y : f32
  } -> tensor<256x1x256xf32>
  %oe = tensor.empty() : tensor<256x1x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<256x1x64xf32>) -> tensor<256x1x64xf32>
  %o = linalg.generic {indexing_maps = [#ps, #pk, #pq], iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%p, %v : tensor<256x1x256xf32>, tensor<256x1x64xf32>) outs(%oz : tensor<256x1x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x1x64xf32>
  return %o : tensor<256x1x64xf32>
}
