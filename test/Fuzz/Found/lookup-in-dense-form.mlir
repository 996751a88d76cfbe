// The dense form of a rule that looks elements of another one's result up read
// that result, which the branch for what is sparse computes.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (11 elements

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1) -> (d0)>
#points = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> ()>
func.func @main(%table: tensor<11x11x19xbf16>, %lengths: tensor<11xi32>, %which: tensor<i32>, %weights: tensor<19xbf16>) -> tensor<11xf32> attributes {
    inputs = ["kind=ints shape=11x11x19 lo=1 hi=2 seed=322546", "kind=ints shape=11 lo=0 hi=20 seed=347057", "kind=ints lo=0 hi=11 seed=635575", "kind=ints shape=19 lo=-3 hi=3 seed=752667"]} {
  %zero = arith.constant 0.000000e+00 : bf16
  %wide_zero = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<11x11x19xbf16>
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%table : tensor<11x11x19xbf16>) outs(%0 : tensor<11x11x19xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %m = arith.maximumf %in, %zero : bf16
    linalg.yield %m : bf16
  } -> tensor<11x11x19xbf16>
  %2 = tensor.empty() : tensor<11x19xi1>
  %3 = linalg.generic {indexing_maps = [#row, #points], iterator_types = ["parallel", "parallel"]} ins(%lengths : tensor<11xi32>) outs(%2 : tensor<11x19xi1>) {
  ^bb0(%in: i32, %out: i1):
    %k = linalg.index 1 : index
    %place = arith.index_cast %k : index to i32
    %isLive = arith.cmpi slt, %place, %in : i32
    linalg.yield %isLive : i1
  } -> tensor<11x19xi1>
  %4 = tensor.empty() : tensor<11x19xbf16>
  %5 = linalg.generic {indexing_maps = [#one, #points], iterator_types = ["parallel", "parallel"]} ins(%which : tensor<i32>) outs(%4 : tensor<11x19xbf16>) {
  ^bb0(%in: i32, %out: bf16):
    %i = arith.index_cast %in : i32 to index
    %j = linalg.index 0 : index
    %k = linalg.index 1 : index
    %found = tensor.extract %1[%i, %j, %k] : tensor<11x11x19xbf16>
    linalg.yield %found : bf16
  } -> tensor<11x19xbf16>
  %6 = linalg.generic {indexing_maps = [#points, #points, #points], iterator_types = ["parallel", "parallel"]} ins(%3, %5 : tensor<11x19xi1>, tensor<11x19xbf16>) outs(%4 : tensor<11x19xbf16>) {
  ^bb0(%live: i1, %in: bf16, %out: bf16):
    %chosen = arith.select %live, %in, %zero : bf16
    linalg.yield %chosen : bf16
  } -> tensor<11x19xbf16>
  %7 = tensor.empty() : tensor<11xf32>
  %8 = linalg.fill ins(%wide_zero : f32) outs(%7 : tensor<11xf32>) -> tensor<11xf32>
  %9 = linalg.matvec ins(%6, %weights : tensor<11x19xbf16>, tensor<19xbf16>) outs(%8 : tensor<11xf32>) -> tensor<11xf32>
  return %9 : tensor<11xf32>
}
