// Attention as a program writes it densely: softmax(mask(Q * K^T / 8)) * V, where query i sees key j if j <= i and a boolean mask
// allows it. There is no mark. On a GPU with mma.sync, all of it becomes one op, `pit.attend`, whose kernel skips tiles of keys that
// lie behind the diagonal or that the mask leaves nothing of. On the CPU the same is found as a mask of 32x32 blocks.
// Run:  pit-run examples/causal_attention_bf16.mlir --random=normal --random=normal --random=normal --random=bool:0.9 --check --report
//       pit-opt examples/causal_attention_bf16.mlir --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null
// Look at: on the CPU, a third of the blocks is skipped, in all ops from the scores to the product with V; for a GPU, thirteen ops
// are merged into one kernel, `fused attention`.

#s = affine_map<(h, i, j) -> (h, i, j)>
#m = affine_map<(h, i, j) -> (i, j)>
#r = affine_map<(h, i, j) -> (h, i)>

func.func @main(%q: tensor<4x256x64xbf16>, %k: tensor<4x256x64xbf16>, %v: tensor<4x256x64xbf16>,
                %mask: tensor<256x256xi1>) -> tensor<4x256x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %kte = tensor.empty() : tensor<4x64x256xbf16>
  %kt = linalg.transpose ins(%k : tensor<4x256x64xbf16>) outs(%kte : tensor<4x64x256xbf16>) permutation = [0, 2, 1]
  %se = tensor.empty() : tensor<4x256x256xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
  %qk = linalg.batch_matmul ins(%q, %kt : tensor<4x256x64xbf16>, tensor<4x64x256xbf16>)
    outs(%sz : tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
  %scores = linalg.generic {
      indexing_maps = [#m, #s, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %qk : tensor<256x256xi1>, tensor<4x256x256xf32>)
      outs(%se : tensor<4x256x256xf32>) {
  ^bb0(%given: i1, %x: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %causal = arith.cmpi sle, %j, %i : index
    %live = arith.andi %causal, %given : i1
    %scaled = arith.mulf %x, %scale : f32
    %y = arith.select %live, %scaled, %ninf : f32
    linalg.yield %y : f32
  } -> tensor<4x256x256xf32>

  %re = tensor.empty() : tensor<4x256xf32>
  %ri = linalg.fill ins(%ninf : f32) outs(%re : tensor<4x256xf32>) -> tensor<4x256xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<4x256xf32>) -> tensor<4x256xf32>
  %largest = linalg.generic {
      indexing_maps = [#s, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores : tensor<4x256x256xf32>) outs(%ri : tensor<4x256xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %y = arith.maximumf %x, %acc : f32
    linalg.yield %y : f32
  } -> tensor<4x256xf32>
  %e = linalg.generic {
      indexing_maps = [#s, #r, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %largest : tensor<4x256x256xf32>, tensor<4x256xf32>)
      outs(%se : tensor<4x256x256xf32>) {
  ^bb0(%x: f32, %most: f32, %out: f32):
    %shifted = arith.subf %x, %most : f32
    %y = math.exp %shifted : f32
    linalg.yield %y : f32
  } -> tensor<4x256x256xf32>
  %sum = linalg.generic {
      indexing_maps = [#s, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<4x256x256xf32>) outs(%rz : tensor<4x256xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %y = arith.addf %x, %acc : f32
    linalg.yield %y : f32
  } -> tensor<4x256xf32>
  %pe = tensor.empty() : tensor<4x256x256xbf16>
  %p = linalg.generic {
      indexing_maps = [#s, #r, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<4x256x256xf32>, tensor<4x256xf32>)
      outs(%pe : tensor<4x256x256xbf16>) {
  ^bb0(%x: f32, %all: f32, %out: bf16):
    %share = arith.divf %x, %all : f32
    %y = arith.truncf %share : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<4x256x256xbf16>
  %oe = tensor.empty() : tensor<4x256x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x256x256xbf16>, tensor<4x256x64xbf16>)
    outs(%oz : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
  %ne = tensor.empty() : tensor<4x256x64xbf16>
  %n = linalg.generic {
      indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o : tensor<4x256x64xf32>) outs(%ne : tensor<4x256x64xbf16>) {
  ^bb0(%x: f32, %out: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<4x256x64xbf16>
  return %n : tensor<4x256x64xbf16>
}
