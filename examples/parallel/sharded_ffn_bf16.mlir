// A feed-forward layer for two GPUs, tensor-parallel: it is written for all of its columns, and upstream's `shard` dialect says that
// each GPU has half of those of the first weights. All else follows: halves of the activations, of the rows of the second weights,
// and a sum over both GPUs. Tokens may be cut as well, or in place of it: [[0]] for x.
// Run:  pit-run examples/parallel/sharded_ffn_bf16.mlir --random=normal --random=normal:0.05 --random=normal:0.05 --check
//       pit-opt examples/parallel/sharded_ffn_bf16.mlir --pit-read-shardings --pit-shard-experts=ranks=0 --canonicalize --cse
//       pit-compile examples/parallel/sharded_ffn_bf16.mlir --chip sm_90a -o ffn.so
// Look at: `pit.splits` in the second, how a host cuts arguments, and `shard.all_gather` with `pit.in_place`: the partial results of
// both GPUs, which each adds up in the order of ranks. The first runs on one CPU, for which shardings mean nothing.

#id = affine_map<(i, j) -> (i, j)>

shard.grid @gpus(shape = 2)

func.func @main(%x: tensor<64x256xbf16>, %w1: tensor<256x1024xbf16>, %w2: tensor<1024x256xbf16>) -> tensor<64x256xbf16> {
  %whole = shard.sharding @gpus split_axes = [[]] : !shard.sharding
  %columns = shard.sharding @gpus split_axes = [[], [0]] : !shard.sharding
  %tokens = shard.shard %x to %whole annotate_for_users : tensor<64x256xbf16>
  %up = shard.shard %w1 to %columns annotate_for_users : tensor<256x1024xbf16>

  %zero = arith.constant 0.0 : f32
  %he = tensor.empty() : tensor<64x1024xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %h = linalg.matmul ins(%tokens, %up : tensor<64x256xbf16>, tensor<256x1024xbf16>)
    outs(%hz : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %ae = tensor.empty() : tensor<64x1024xbf16>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<64x1024xf32>) outs(%ae : tensor<64x1024xbf16>) {
  ^bb0(%v: f32, %out: bf16):
    %t = math.tanh %v : f32
    %rounded = arith.truncf %t : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x1024xbf16>
  %ye = tensor.empty() : tensor<64x256xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<64x256xf32>) -> tensor<64x256xf32>
  %sums = linalg.matmul ins(%a, %w2 : tensor<64x1024xbf16>, tensor<1024x256xbf16>)
    outs(%yz : tensor<64x256xf32>) -> tensor<64x256xf32>
  %narrow = tensor.empty() : tensor<64x256xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<64x256xf32>) outs(%narrow : tensor<64x256xbf16>) {
  ^bb0(%sum: f32, %out: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x256xbf16>
  return %y : tensor<64x256xbf16>
}
