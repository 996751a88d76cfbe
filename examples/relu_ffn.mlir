// Y = max(X * W1, 0) * W2: the sparsity appears half way, where ReLU makes zeros. The mark sits on the operation that makes them. How
// many there are, and where, is found at run time; the second product skips every 32x1 micro-tile that is all zero.
// Run:  pit-run examples/relu_ffn.mlir --random=uniform --random=column-signs:0.9 --random=normal:0.05 --check --report
// Look at: "live/total" of the second product. With --random=normal throughout, more is live than "sparse up to": the dense op runs.

#id = affine_map<(i, j) -> (i, j)>

func.func @main(%x: tensor<512x256xf32>, %w1: tensor<256x1024xf32>,
                %w2: tensor<1024x256xf32>) -> tensor<512x256xf32> {
  %zero = arith.constant 0.0 : f32
  %he = tensor.empty() : tensor<512x1024xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<512x256xf32>, tensor<256x1024xf32>)
    outs(%hz : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %a = linalg.generic {
      indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<512x1024xf32>) outs(%he : tensor<512x1024xf32>)
      attrs = {pit.sparse = {
        source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>,
        absent = "zero"}} {
  ^bb0(%v: f32, %out: f32):
    %r = arith.maximumf %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<512x1024xf32>
  %ye = tensor.empty() : tensor<512x256xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<512x256xf32>) -> tensor<512x256xf32>
  %y = linalg.matmul ins(%a, %w2 : tensor<512x1024xf32>, tensor<1024x256xf32>)
    outs(%yz : tensor<512x256xf32>) -> tensor<512x256xf32>
  return %y : tensor<512x256xf32>
}
