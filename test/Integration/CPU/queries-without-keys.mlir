// A query that is padding has no key. Its softmax is the same for all keys, so that the values of padding are read.
// RUN: pit-run %s --random=lengths:3:9@2x16 --random normal --random normal --check | FileCheck %s
// CHECK: check: result 0: bit-identical (256 elements)

#k = affine_map<(b, q, k) -> (b, k)>
#q = affine_map<(b, q, k) -> (b, q)>
#s = affine_map<(b, q, k) -> (b, q, k)>
func.func @main(%m: tensor<2x16xi64>, %x: tensor<2x16x8xf32>, %w: tensor<2x8x8xf32>) -> tensor<2x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %low = arith.constant -3.40282347E+38 : f32
  %c0 = arith.constant 0 : i64
  %ev = tensor.empty() : tensor<2x16x8xf32>
  %zv = linalg.fill ins(%zero : f32) outs(%ev : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  %v = linalg.batch_matmul ins(%x, %w : tensor<2x16x8xf32>, tensor<2x8x8xf32>) outs(%zv : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  %es = tensor.empty() : tensor<2x16x16xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  %et = tensor.empty() : tensor<2x8x16xf32>
  %t = linalg.transpose ins(%x : tensor<2x16x8xf32>) outs(%et : tensor<2x8x16xf32>) permutation = [0, 2, 1]
  %scores = linalg.batch_matmul ins(%x, %t : tensor<2x16x8xf32>, tensor<2x8x16xf32>) outs(%zs : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  %masked = linalg.generic {indexing_maps = [#k, #q, #s, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %m, %scores : tensor<2x16xi64>, tensor<2x16xi64>, tensor<2x16x16xf32>) outs(%es : tensor<2x16x16xf32>) {
  ^bb0(%a: i64, %b: i64, %s: f32, %o: f32):
    %p = arith.muli %a, %b : i64
    %l = arith.cmpi ne, %p, %c0 : i64
    %r = arith.select %l, %s, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %er = tensor.empty() : tensor<2x16xf32>
  %nr = linalg.fill ins(%none : f32) outs(%er : tensor<2x16xf32>) -> tensor<2x16xf32>
  %max = linalg.generic {indexing_maps = [#s, #q], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<2x16x16xf32>) outs(%nr : tensor<2x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x16xf32>
  %e = linalg.generic {indexing_maps = [#s, #q, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %max : tensor<2x16x16xf32>, tensor<2x16xf32>) outs(%es : tensor<2x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%er : tensor<2x16xf32>) -> tensor<2x16xf32>
  %sum = linalg.generic {indexing_maps = [#s, #q], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<2x16x16xf32>) outs(%z1 : tensor<2x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x16xf32>
  %p = linalg.generic {indexing_maps = [#s, #q, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<2x16x16xf32>, tensor<2x16xf32>) outs(%es : tensor<2x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %y = linalg.batch_matmul ins(%p, %v : tensor<2x16x16xf32>, tensor<2x16x8xf32>) outs(%zv : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  return %y : tensor<2x16x8xf32>
}
