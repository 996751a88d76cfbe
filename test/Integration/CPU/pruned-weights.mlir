// A training step of a pruned layer: forward, and the gradients of the input and of the weight, whose mask is an argument of
// floats or of truth values. What the mask selects is found by blocks. All rules of the mask run dense where most is live.
// DEFINE: %{run} = pit-run %s --random=normal@300x130 --random=normal@130x190 --random=normal@300x190
// RUN: %{run} --random=bool:0 --check --report=all --quiet | FileCheck %s --check-prefixes=CHECK,SPARSE
// RUN: %{run} --random=mask:32x32:0.02 --check --report=all --quiet | FileCheck %s --check-prefixes=CHECK,SPARSE
// RUN: %{run} --random=mask:32x32:0.9 --check --report=all --quiet | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --random=bool:0.5 --check --report=all --quiet | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --entry floats --random=block-sparse:32x32:0.9 --check --report=all --quiet | FileCheck %s --check-prefixes=CHECK,SPARSE
// RUN: %{run} --entry floats --random=sparse:0.9 --check --report=all --quiet | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: pit-run %s --entry inference --random=normal@300x130 --random=normal@130x190 --random=block-sparse:32x32:0.9 --check --report=all --quiet | FileCheck %s --check-prefix=ONE
// CHECK: check: result 0: {{bit-identical|agrees}}
// CHECK: check: result 1: {{bit-identical|agrees}}
// CHECK: check: result 2: {{bit-identical|agrees}}
// Masked weight, forward, gradient of the weight, gradient of the input, masked gradient.
// SPARSE-COUNT-5: {{[0-9.]+%}} sparse
// DENSE-COUNT-5: {{[0-9.]+%}} dense
// ONE: check: result 0: {{bit-identical|agrees}}
// ONE: mask, annihilated

// RUN: pit-opt %s --pit-to-cpu -o /dev/null --pit-explain 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: has a dense variant, which runs with those of all rules of the pattern where more is live

#identity = affine_map<(i, j) -> (i, j)>

func.func @main(%x: tensor<300x130xf32>, %w: tensor<130x190xf32>, %dy: tensor<300x190xf32>, %mask: tensor<130x190xi1>)
    -> (tensor<300x190xf32>, tensor<300x130xf32>, tensor<130x190xf32>) {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<130x190xf32>
  %masked = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %w : tensor<130x190xi1>, tensor<130x190xf32>) outs(%ew : tensor<130x190xf32>) {
  ^bb0(%m: i1, %a: f32, %out: f32):
    %r = arith.select %m, %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<130x190xf32>
  %y, %dx, %dw = call @products(%x, %masked, %dy) : (tensor<300x130xf32>, tensor<130x190xf32>, tensor<300x190xf32>)
      -> (tensor<300x190xf32>, tensor<300x130xf32>, tensor<130x190xf32>)
  %kept = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %dw : tensor<130x190xi1>, tensor<130x190xf32>) outs(%ew : tensor<130x190xf32>) {
  ^bb0(%m: i1, %a: f32, %out: f32):
    %r = arith.select %m, %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<130x190xf32>
  return %y, %dx, %kept : tensor<300x190xf32>, tensor<300x130xf32>, tensor<130x190xf32>
}

func.func @floats(%x: tensor<300x130xf32>, %w: tensor<130x190xf32>, %dy: tensor<300x190xf32>, %mask: tensor<130x190xf32>)
    -> (tensor<300x190xf32>, tensor<300x130xf32>, tensor<130x190xf32>) {
  %ew = tensor.empty() : tensor<130x190xf32>
  %masked = linalg.mul ins(%w, %mask : tensor<130x190xf32>, tensor<130x190xf32>) outs(%ew : tensor<130x190xf32>) -> tensor<130x190xf32>
  %y, %dx, %dw = call @products(%x, %masked, %dy) : (tensor<300x130xf32>, tensor<130x190xf32>, tensor<300x190xf32>)
      -> (tensor<300x190xf32>, tensor<300x130xf32>, tensor<130x190xf32>)
  %kept = linalg.mul ins(%dw, %mask : tensor<130x190xf32>, tensor<130x190xf32>) outs(%ew : tensor<130x190xf32>) -> tensor<130x190xf32>
  return %y, %dx, %kept : tensor<300x190xf32>, tensor<300x130xf32>, tensor<130x190xf32>
}

// Which of the two is the mask does not matter.
func.func @inference(%x: tensor<300x130xf32>, %w: tensor<130x190xf32>, %mask: tensor<130x190xf32>) -> tensor<300x190xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<130x190xf32>
  %masked = linalg.mul ins(%w, %mask : tensor<130x190xf32>, tensor<130x190xf32>) outs(%ew : tensor<130x190xf32>) -> tensor<130x190xf32>
  %ey = tensor.empty() : tensor<300x190xf32>
  %fy = linalg.fill ins(%zero : f32) outs(%ey : tensor<300x190xf32>) -> tensor<300x190xf32>
  %y = linalg.matmul ins(%x, %masked : tensor<300x130xf32>, tensor<130x190xf32>) outs(%fy : tensor<300x190xf32>) -> tensor<300x190xf32>
  return %y : tensor<300x190xf32>
}

func.func private @products(%x: tensor<300x130xf32>, %w: tensor<130x190xf32>, %dy: tensor<300x190xf32>)
    -> (tensor<300x190xf32>, tensor<300x130xf32>, tensor<130x190xf32>) {
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<300x190xf32>
  %fy = linalg.fill ins(%zero : f32) outs(%ey : tensor<300x190xf32>) -> tensor<300x190xf32>
  %y = linalg.matmul ins(%x, %w : tensor<300x130xf32>, tensor<130x190xf32>) outs(%fy : tensor<300x190xf32>) -> tensor<300x190xf32>
  %ewt = tensor.empty() : tensor<190x130xf32>
  %wt = linalg.transpose ins(%w : tensor<130x190xf32>) outs(%ewt : tensor<190x130xf32>) permutation = [1, 0]
  %ex = tensor.empty() : tensor<300x130xf32>
  %fx = linalg.fill ins(%zero : f32) outs(%ex : tensor<300x130xf32>) -> tensor<300x130xf32>
  %dx = linalg.matmul ins(%dy, %wt : tensor<300x190xf32>, tensor<190x130xf32>) outs(%fx : tensor<300x130xf32>) -> tensor<300x130xf32>
  %ext = tensor.empty() : tensor<130x300xf32>
  %xt = linalg.transpose ins(%x : tensor<300x130xf32>) outs(%ext : tensor<130x300xf32>) permutation = [1, 0]
  %edw = tensor.empty() : tensor<130x190xf32>
  %fdw = linalg.fill ins(%zero : f32) outs(%edw : tensor<130x190xf32>) -> tensor<130x190xf32>
  %dw = linalg.matmul ins(%xt, %dy : tensor<130x300xf32>, tensor<300x190xf32>) outs(%fdw : tensor<130x190xf32>) -> tensor<130x190xf32>
  return %y, %dx, %dw : tensor<300x190xf32>, tensor<300x130xf32>, tensor<130x190xf32>
}
