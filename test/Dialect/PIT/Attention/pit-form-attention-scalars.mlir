// What forms of masks become in the region of one pit.attend, and what nobody reads.
// RUN: pit-opt %s --pit-form-attention | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#q = affine_map<(i, j, e) -> (i, e)>
#k = affine_map<(i, j, e) -> (j, e)>
#s = affine_map<(i, j, e) -> (i, j)>

// A mask that is subtracted is one that is added. The mean of the weights has no reader.
// CHECK-LABEL: func.func @main
// CHECK-NOT: linalg
// CHECK: pit.attend
// CHECK: ^bb0(%[[SCORE:.*]]: f32, %[[MASK:.*]]: f32, %{{.*}}: index, %{{.*}}: index):
// CHECK: %[[DEAD:.*]] = arith.subf %{{.*}}, %[[MASK]] : f32
// CHECK: %[[BY:.*]] = arith.mulf %[[DEAD]], %{{.*}} : f32
// CHECK: %[[NEGATIVE:.*]] = arith.negf %[[BY]] : f32
// CHECK: %[[LOGIT:.*]] = arith.addf %[[SCORE]], %[[NEGATIVE]] : f32
// CHECK: pit.logit %[[LOGIT]]
// CHECK-NOT: linalg
// CHECK: return
func.func @main(%q: tensor<64x32xbf16>, %k: tensor<96x32xbf16>, %v: tensor<96x32xbf16>, %m: tensor<64x96xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %far = arith.constant 1.0e+30 : f32
  %least = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<64x96xf32>
  %er = tensor.empty() : tensor<64xf32>
  %ew = tensor.empty() : tensor<64x96xbf16>
  %eo = tensor.empty() : tensor<64x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<64x32xbf16>, tensor<96x32xbf16>) outs(%z : tensor<64x96xf32>) {
  ^bb0(%a: bf16, %b: bf16, %acc: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<64x96xf32>
  %logits = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%scores, %m : tensor<64x96xf32>, tensor<64x96xf32>) outs(%es : tensor<64x96xf32>) {
  ^bb0(%x: f32, %mask: f32, %o: f32):
    %dead = arith.subf %one, %mask : f32
    %by = arith.mulf %dead, %far : f32
    %l = arith.subf %x, %by : f32
    linalg.yield %l : f32
  } -> tensor<64x96xf32>
  %rl = linalg.fill ins(%least : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %top = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%logits : tensor<64x96xf32>) outs(%rl : tensor<64xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %exp = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%logits, %top : tensor<64x96xf32>, tensor<64xf32>) outs(%es : tensor<64x96xf32>) {
  ^bb0(%x: f32, %t: f32, %o: f32):
    %d = arith.subf %x, %t : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<64x96xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<64x96xf32>) outs(%rz : tensor<64xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %acc, %x : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %weights = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<64x96xf32>, tensor<64xf32>) outs(%ew : tensor<64x96xbf16>) {
  ^bb0(%x: f32, %s: f32, %o: bf16):
    %d = arith.divf %x, %s : f32
    %t = arith.truncf %d : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x96xbf16>
  %mean = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%weights : tensor<64x96xbf16>) outs(%rz : tensor<64xf32>) {
  ^bb0(%x: bf16, %acc: f32):
    %w = arith.extf %x : bf16 to f32
    %r = arith.addf %acc, %w : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x32xf32>) -> tensor<64x32xf32>
  %out = linalg.matmul ins(%weights, %v : tensor<64x96xbf16>, tensor<96x32xbf16>) outs(%oz : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %out : tensor<64x32xf32>
}
