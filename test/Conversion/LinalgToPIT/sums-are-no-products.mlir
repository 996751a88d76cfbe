// The sum of a softmax and an arg-max read several tensors, and are no products: that no kernel skips in them says nothing of
// what lies next to them.
// RUN: pit-opt %s --convert-linalg-to-pit="kernels=true" --remarks-filter=pit-rules -o /dev/null 2>&1 | FileCheck %s
// CHECK-NOT: Missed
// CHECK-COUNT-4: [Passed] rule
// CHECK-NOT: Missed

#all = affine_map<(i, e) -> (i, e)>
#row = affine_map<(i, e) -> (i)>
func.func @main(%x: tensor<64x8xf32>, %m: tensor<64xi1>, %places: tensor<8xi64>) -> (tensor<64xf32>, tensor<64xi64>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %most = arith.constant 8 : i64
  %e = tensor.empty() : tensor<64xf32>
  %low = linalg.fill ins(%least : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %large = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x8xf32>) outs(%low : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.maximumf %a, %o : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %large : tensor<64x8xf32>, tensor<64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp %d : f32
    %n = arith.addf %p, %o : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  %f = tensor.empty() : tensor<64xi64>
  %last = linalg.fill ins(%most : i64) outs(%f : tensor<64xi64>) -> tensor<64xi64>
  %first = linalg.generic {indexing_maps = [#all, #row, affine_map<(i, e) -> (e)>, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %large, %places : tensor<64x8xf32>, tensor<64xf32>, tensor<8xi64>) outs(%last : tensor<64xi64>) {
  ^bb0(%a: f32, %b: f32, %p: i64, %o: i64):
    %is = arith.cmpf oeq, %a, %b : f32
    %c = arith.select %is, %p, %most : i64
    %n = arith.minsi %c, %o : i64
    linalg.yield %n : i64
  } -> tensor<64xi64>
  %g = tensor.empty() : tensor<64xf32>
  %inverse = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%sum : tensor<64xf32>) outs(%g : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  %y = pit.sparse %inverse by(%m : tensor<64xi1>) <kind = mask, axes = [0], absent = undef> : tensor<64xf32>
  %w = pit.sparse %first by(%m : tensor<64xi1>) <kind = mask, axes = [0], absent = undef> : tensor<64xi64>
  return %y, %w : tensor<64xf32>, tensor<64xi64>
}
