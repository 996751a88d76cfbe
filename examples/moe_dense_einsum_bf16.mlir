// moe_dense_einsum.mlir as models have it: bf16 in and out, sums in f32. The gate of f32 multiplies what comes out of an expert, since the
// matrix units take two operands and no third one. Both products become grouped GEMM: rows of X are gathered while they are loaded, ReLU
// and rounding are in the epilogue of the first, and a third kernel adds up each token's experts.
// Run:  pit-run examples/moe_dense_einsum_bf16.mlir --random=normal@64x256 --random=topk-gate:2@64x8 --random=normal:0.05 --check --report
//       pit-opt examples/moe_dense_einsum_bf16.mlir --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null
// Look at: "grouped GEMM, Instructions wgmma" twice in the second, and "sums of listed rows". moe_shared_expert.mlir has biases, GEGLU
// and a shared expert besides.

#x   = affine_map<(t, e, f, d) -> (t, d)>
#w1  = affine_map<(t, e, f, d) -> (e, d, f)>
#h   = affine_map<(t, e, f, d) -> (t, e, f)>
#ids = affine_map<(t, e, f) -> (t, e, f)>
#da  = affine_map<(t, e, d, f) -> (t, e, f)>
#dw2 = affine_map<(t, e, d, f) -> (e, f, d)>
#dy  = affine_map<(t, e, d, f) -> (t, e, d)>
#yg  = affine_map<(t, d, e) -> (t, e)>
#ye  = affine_map<(t, d, e) -> (t, e, d)>
#y   = affine_map<(t, d, e) -> (t, d)>
#id  = affine_map<(t, d) -> (t, d)>

func.func @main(
    %x: tensor<?x256xbf16>,
    %gate: tensor<?x8xf32> {pit.sparse = {
      source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 2 : i64}},
    %w1: tensor<8x256x512xbf16>,
    %w2: tensor<8x512x256xbf16>) -> tensor<?x256xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %he = tensor.empty(%tokens) : tensor<?x8x512xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<?x8x512xf32>) -> tensor<?x8x512xf32>
  %h = linalg.generic {
      indexing_maps = [#x, #w1, #h],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<?x256xbf16>, tensor<8x256x512xbf16>)
      outs(%hz : tensor<?x8x512xf32>) {
  ^bb0(%xv: bf16, %wv: bf16, %acc: f32):
    %xf = arith.extf %xv : bf16 to f32
    %wf = arith.extf %wv : bf16 to f32
    %p = arith.mulf %xf, %wf : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x8x512xf32>
  %ae = tensor.empty(%tokens) : tensor<?x8x512xbf16>
  %a = linalg.generic {
      indexing_maps = [#ids, #ids], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h : tensor<?x8x512xf32>) outs(%ae : tensor<?x8x512xbf16>) {
  ^bb0(%v: f32, %out: bf16):
    %r = arith.maximumf %v, %zero : f32
    %rounded = arith.truncf %r : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<?x8x512xbf16>
  %de = tensor.empty(%tokens) : tensor<?x8x256xf32>
  %dz = linalg.fill ins(%zero : f32) outs(%de : tensor<?x8x256xf32>) -> tensor<?x8x256xf32>
  %down = linalg.generic {
      indexing_maps = [#da, #dw2, #dy],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %w2 : tensor<?x8x512xbf16>, tensor<8x512x256xbf16>)
      outs(%dz : tensor<?x8x256xf32>) {
  ^bb0(%av: bf16, %wv: bf16, %acc: f32):
    %af = arith.extf %av : bf16 to f32
    %wf = arith.extf %wv : bf16 to f32
    %p = arith.mulf %af, %wf : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x8x256xf32>
  %ne = tensor.empty(%tokens) : tensor<?x8x256xbf16>
  %each = linalg.generic {
      indexing_maps = [#ids, #ids], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%down : tensor<?x8x256xf32>) outs(%ne : tensor<?x8x256xbf16>) {
  ^bb0(%v: f32, %out: bf16):
    %rounded = arith.truncf %v : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<?x8x256xbf16>
  %se = tensor.empty(%tokens) : tensor<?x256xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<?x256xf32>) -> tensor<?x256xf32>
  %sums = linalg.generic {
      indexing_maps = [#yg, #ye, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%gate, %each : tensor<?x8xf32>, tensor<?x8x256xbf16>)
      outs(%sz : tensor<?x256xf32>) {
  ^bb0(%g: f32, %v: bf16, %acc: f32):
    %vf = arith.extf %v : bf16 to f32
    %p = arith.mulf %g, %vf : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x256xf32>
  %narrow = tensor.empty(%tokens) : tensor<?x256xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<?x256xf32>) outs(%narrow : tensor<?x256xbf16>) {
  ^bb0(%sum: f32, %out: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<?x256xbf16>
  return %y : tensor<?x256xbf16>
}
