// A mixture of experts as three dense einsums, for any number of tokens.
//   H[t,e,f] = sum_d X[t,d] * W1[e,d,f]
//   A[t,e,f] = max(H[t,e,f], 0)
//   Y[t,d]   = sum_e,f G[t,e] * A[t,e,f] * W2[e,f,d]
// Only the gate G is sparse: at most two experts per token. Backwards from Y, A and H are needed only where G is live, so both
// products run over (expert, live token) and the tokens x experts x hidden tensor never exists.
// Run:  pit-run examples/moe_dense_einsum.mlir --random=normal@64x256 --random=topk-gate:2@64x8 --random=normal:0.05 --check --report
// Look at: the first rule is of kind "demand": nobody reads results of experts that the gate leaves out. On a GPU
//   (pit-opt --pit-to-ptx=chip=sm_90a --pit-explain) both products are a grouped GEMM.

#x   = affine_map<(t, e, f, d) -> (t, d)>
#w1  = affine_map<(t, e, f, d) -> (e, d, f)>
#h   = affine_map<(t, e, f, d) -> (t, e, f)>
#id  = affine_map<(t, e, f) -> (t, e, f)>
#yg  = affine_map<(t, d, e, f) -> (t, e)>
#yh  = affine_map<(t, d, e, f) -> (t, e, f)>
#yw2 = affine_map<(t, d, e, f) -> (e, f, d)>
#y   = affine_map<(t, d, e, f) -> (t, d)>

func.func @main(
    %x: tensor<?x256xf32>,
    %gate: tensor<?x8xf32> {pit.sparse = {
      source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 2 : i64}},
    %w1: tensor<8x256x512xf32>,
    %w2: tensor<8x512x256xf32>) -> tensor<?x256xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.dim %x, %c0 : tensor<?x256xf32>
  %he = tensor.empty(%tokens) : tensor<?x8x512xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<?x8x512xf32>) -> tensor<?x8x512xf32>
  %h = linalg.generic {
      indexing_maps = [#x, #w1, #h],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<?x256xf32>, tensor<8x256x512xf32>)
      outs(%hz : tensor<?x8x512xf32>) {
  ^bb0(%xv: f32, %wv: f32, %acc: f32):
    %p = arith.mulf %xv, %wv : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x8x512xf32>
  %a = linalg.generic {
      indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h : tensor<?x8x512xf32>) outs(%he : tensor<?x8x512xf32>) {
  ^bb0(%v: f32, %out: f32):
    %r = arith.maximumf %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x8x512xf32>
  %ye = tensor.empty(%tokens) : tensor<?x256xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x256xf32>) -> tensor<?x256xf32>
  %y = linalg.generic {
      indexing_maps = [#yg, #yh, #yw2, #y],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%gate, %a, %w2 : tensor<?x8xf32>, tensor<?x8x512xf32>, tensor<8x512x256xf32>)
      outs(%yz : tensor<?x256xf32>) {
  ^bb0(%g: f32, %av: f32, %wv: f32, %acc: f32):
    %ga = arith.mulf %g, %av : f32
    %p = arith.mulf %ga, %wv : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}
