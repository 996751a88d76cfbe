// softmax(mask(Q * K^T)) * V with a mask that all heads share. Masked scores are -inf, exp(-inf) is 0, and 0 times a row of V adds
// nothing: the 32x32 blocks of the mask without a live bit are skipped in both products and in the softmax between them. A fully
// masked row yields NaN, as it does when run densely.
// Run:  pit-run examples/masked_attention.mlir --random=normal --random=normal --random=normal --random=mask:32:0.2 --check --report=all
// Look at: seven rules share pattern 0. Nothing is marked: PIT finds that the mask decides what is -inf, and the rules follow.

#s = affine_map<(h, i, j) -> (h, i, j)>
#m = affine_map<(h, i, j) -> (i, j)>
#r = affine_map<(h, i, j) -> (h, i)>

func.func @main(%q: tensor<4x256x64xf32>, %k: tensor<4x256x64xf32>, %v: tensor<4x256x64xf32>,
                %mask: tensor<256x256xi1>) -> tensor<4x256x64xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %kte = tensor.empty() : tensor<4x64x256xf32>
  %kt = linalg.transpose ins(%k : tensor<4x256x64xf32>) outs(%kte : tensor<4x64x256xf32>)
    permutation = [0, 2, 1]
  %se = tensor.empty() : tensor<4x256x256xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
  %qk = linalg.batch_matmul ins(%q, %kt : tensor<4x256x64xf32>, tensor<4x64x256xf32>)
    outs(%sz : tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
  %scores = linalg.generic {
      indexing_maps = [#m, #s, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %qk : tensor<256x256xi1>, tensor<4x256x256xf32>)
      outs(%se : tensor<4x256x256xf32>) {
  ^bb0(%live: i1, %x: f32, %out: f32):
    %y = arith.mulf %x, %scale : f32
    %z = arith.select %live, %y, %ninf : f32
    linalg.yield %z : f32
  } -> tensor<4x256x256xf32>

  // Softmax over j: largest, exponential, sum, quotient.
  %re = tensor.empty() : tensor<4x256xf32>
  %rn = linalg.fill ins(%ninf : f32) outs(%re : tensor<4x256xf32>) -> tensor<4x256xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<4x256xf32>) -> tensor<4x256xf32>
  %top = linalg.reduce { arith.maximumf } ins(%scores : tensor<4x256x256xf32>)
    outs(%rn : tensor<4x256xf32>) dimensions = [2]
  %e = linalg.generic {
      indexing_maps = [#s, #r, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %top : tensor<4x256x256xf32>, tensor<4x256xf32>)
      outs(%se : tensor<4x256x256xf32>) {
  ^bb0(%x: f32, %t: f32, %out: f32):
    %d = arith.subf %x, %t : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x256x256xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<4x256x256xf32>)
    outs(%rz : tensor<4x256xf32>) dimensions = [2]
  %p = linalg.generic {
      indexing_maps = [#s, #r, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<4x256x256xf32>, tensor<4x256xf32>)
      outs(%se : tensor<4x256x256xf32>) {
  ^bb0(%x: f32, %t: f32, %out: f32):
    %y = arith.divf %x, %t : f32
    linalg.yield %y : f32
  } -> tensor<4x256x256xf32>

  %oe = tensor.empty() : tensor<4x256x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x256x256xf32>, tensor<4x256x64xf32>)
    outs(%oz : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
  return %o : tensor<4x256x64xf32>
}
