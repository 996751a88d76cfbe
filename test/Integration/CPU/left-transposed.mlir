// Products whose left input is transposed, as gradients of weights have it: rows and steps that are no multiple of a vector's elements, types
// that are extended, and several threads.
// RUN: pit-run %s --entry weight --random=normal@301x77 --random=normal@301x45 --check --quiet | FileCheck %s
// RUN: pit-run %s --entry weight --random=normal@5x77 --random=normal@5x45 --check --quiet | FileCheck %s
// RUN: pit-run %s --entry weight --random=normal@600x300 --random=normal@600x45 --check --quiet --threads 3 | FileCheck %s
// RUN: pit-run %s --entry halves --random=normal@301x77 --random=normal@301x45 --check --quiet | FileCheck %s
// CHECK: check: result 0: {{bit-identical|agrees}}

#left = affine_map<(i, j, p) -> (p, i)>
#right = affine_map<(i, j, p) -> (p, j)>
#result = affine_map<(i, j, p) -> (i, j)>

func.func @weight(%dy: tensor<?x?xf32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %dy, %c1 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %dw = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%dy, %x : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %dw : tensor<?x?xf32>
}

func.func @halves(%dy: tensor<301x77xbf16>, %x: tensor<301x45xbf16>) -> tensor<77x45xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<77x45xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<77x45xf32>) -> tensor<77x45xf32>
  %dw = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%dy, %x : tensor<301x77xbf16>, tensor<301x45xbf16>) outs(%init : tensor<77x45xf32>) {
  ^bb0(%a: bf16, %b: bf16, %acc: f32):
    %wa = arith.extf %a : bf16 to f32
    %wb = arith.extf %b : bf16 to f32
    %0 = arith.mulf %wa, %wb : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<77x45xf32>
  return %dw : tensor<77x45xf32>
}
