// Norms and a masked softmax with several axes of rows, as models write them: a kernel for each, which computes what
// the CPU does. What is elementwise before the sums and behind them is part of it.
// UNSUPPORTED: sanitizer
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --random=normal --check --quiet
// RUN: %{run} --entry=layer_norm --random=normal --random=normal | FileCheck %s
// RUN: %{run} --entry=odd_norm --random=normal | FileCheck %s
// RUN: %{run} --entry=masked_softmax --random=mask:1x1:0.4 | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" --pit-explain=%t.txt -o /dev/null && FileCheck %s --check-prefix=KERNELS --input-file=%t.txt
// CHECK: check: result 0: {{agrees|bit-identical}}
// One for each function, and no other.
// KERNELS-NOT: kernels
// KERNELS: kernels   whole rows, Columns 96, Steps 6
// KERNELS-NOT: kernels
// KERNELS: kernels   whole rows, Columns 1000, Steps 5
// KERNELS-NOT: kernels
// KERNELS: kernels   whole rows, Columns 48, Steps 7
// KERNELS-NOT: kernels

#id = affine_map<(b, s, j) -> (b, s, j)>
#row = affine_map<(b, s, j) -> (b, s)>
#vec = affine_map<(b, s, j) -> (j)>

// The variance in f64, as exporters write it; weights for all rows.
func.func @layer_norm(%x: tensor<3x7x96xbf16>, %w: tensor<96xbf16>, %bias: tensor<96xbf16>) -> tensor<3x7x96xbf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : f64
  %count = arith.constant 96.0 : f32
  %counts = arith.constant 96.0 : f64
  %eps = arith.constant 1.0e-5 : f32
  %ef = tensor.empty() : tensor<3x7x96xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<3x7x96xbf16>) outs(%ef : tensor<3x7x96xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %u = arith.extf %a : bf16 to f32
    linalg.yield %u : f32
  } -> tensor<3x7x96xf32>
  %es = tensor.empty() : tensor<3x7xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<3x7xf32>) -> tensor<3x7xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%f : tensor<3x7x96xf32>) outs(%zs : tensor<3x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %u = arith.addf %a, %o : f32
    linalg.yield %u : f32
  } -> tensor<3x7xf32>
  %ed = tensor.empty() : tensor<3x7x96xf64>
  %apart = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%f, %sum : tensor<3x7x96xf32>, tensor<3x7xf32>) outs(%ed : tensor<3x7x96xf64>) {
  ^bb0(%a: f32, %s: f32, %o: f64):
    %m = arith.divf %s, %count : f32
    %d = arith.subf %a, %m : f32
    %e = arith.extf %d : f32 to f64
    %u = arith.mulf %e, %e : f64
    linalg.yield %u : f64
  } -> tensor<3x7x96xf64>
  %ev = tensor.empty() : tensor<3x7xf64>
  %zv = linalg.fill ins(%none : f64) outs(%ev : tensor<3x7xf64>) -> tensor<3x7xf64>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%apart : tensor<3x7x96xf64>) outs(%zv : tensor<3x7xf64>) {
  ^bb0(%a: f64, %o: f64):
    %u = arith.addf %a, %o : f64
    linalg.yield %u : f64
  } -> tensor<3x7xf64>
  %er = tensor.empty() : tensor<3x7x96xbf16>
  %r = linalg.generic {indexing_maps = [#id, #row, #row, #vec, #vec, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%f, %sum, %squares, %w, %bias : tensor<3x7x96xf32>, tensor<3x7xf32>, tensor<3x7xf64>, tensor<96xbf16>, tensor<96xbf16>)
      outs(%er : tensor<3x7x96xbf16>) {
  ^bb0(%a: f32, %s: f32, %q: f64, %g: bf16, %h: bf16, %o: bf16):
    %m = arith.divf %s, %count : f32
    %d = arith.subf %a, %m : f32
    %v = arith.divf %q, %counts : f64
    %vf = arith.truncf %v : f64 to f32
    %ve = arith.addf %vf, %eps : f32
    %i = math.rsqrt %ve : f32
    %n = arith.mulf %d, %i : f32
    %gf = arith.extf %g : bf16 to f32
    %hf = arith.extf %h : bf16 to f32
    %p = arith.mulf %n, %gf : f32
    %t = arith.addf %p, %hf : f32
    %u = arith.truncf %t : f32 to bf16
    linalg.yield %u : bf16
  } -> tensor<3x7x96xbf16>
  return %r : tensor<3x7x96xbf16>
}

// A norm of rows whose columns are no multiple of a vector of all lanes; x + y, which is a result, too.
func.func @odd_norm(%x: tensor<2x3x1000xf16>, %y: tensor<2x3x1000xf16>) -> (tensor<2x3x1000xf16>, tensor<2x3x1000xf16>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 1000.0 : f32
  %e = tensor.empty() : tensor<2x3x1000xf16>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<2x3x1000xf16>, tensor<2x3x1000xf16>) outs(%e : tensor<2x3x1000xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %u = arith.addf %a, %b : f16
    linalg.yield %u : f16
  } -> tensor<2x3x1000xf16>
  %eq = tensor.empty() : tensor<2x3x1000xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x3x1000xf16>) outs(%eq : tensor<2x3x1000xf32>) {
  ^bb0(%a: f16, %o: f32):
    %b = arith.extf %a : f16 to f32
    %u = arith.mulf %b, %b : f32
    linalg.yield %u : f32
  } -> tensor<2x3x1000xf32>
  %es = tensor.empty() : tensor<2x3xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q : tensor<2x3x1000xf32>) outs(%zs : tensor<2x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %u = arith.addf %a, %o : f32
    linalg.yield %u : f32
  } -> tensor<2x3xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %sum : tensor<2x3x1000xf16>, tensor<2x3xf32>) outs(%e : tensor<2x3x1000xf16>) {
  ^bb0(%a: f16, %t: f32, %o: f16):
    %m = arith.divf %t, %count : f32
    %i = math.rsqrt %m : f32
    %b = arith.extf %a : f16 to f32
    %n = arith.mulf %b, %i : f32
    %u = arith.truncf %n : f32 to f16
    linalg.yield %u : f16
  } -> tensor<2x3x1000xf16>
  return %r, %s : tensor<2x3x1000xf16>, tensor<2x3x1000xf16>
}

// A mask of bits, with a byte each.
func.func @masked_softmax(%x: tensor<3x5x48xf32>, %mask: tensor<3x5x48xi1>) -> tensor<3x5x48xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -3.0e+38 : f32
  %none = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<3x5x48xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %mask : tensor<3x5x48xf32>, tensor<3x5x48xi1>) outs(%e : tensor<3x5x48xf32>) {
  ^bb0(%a: f32, %b: i1, %o: f32):
    %u = arith.select %b, %a, %least : f32
    linalg.yield %u : f32
  } -> tensor<3x5x48xf32>
  %es = tensor.empty() : tensor<3x5xf32>
  %nm = linalg.fill ins(%none : f32) outs(%es : tensor<3x5xf32>) -> tensor<3x5xf32>
  %top = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<3x5x48xf32>) outs(%nm : tensor<3x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %u = arith.maximumf %a, %o : f32
    linalg.yield %u : f32
  } -> tensor<3x5xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %top : tensor<3x5x48xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5x48xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %u = math.exp %d : f32
    linalg.yield %u : f32
  } -> tensor<3x5x48xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<3x5xf32>) -> tensor<3x5xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p : tensor<3x5x48xf32>) outs(%zs : tensor<3x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %u = arith.addf %a, %o : f32
    linalg.yield %u : f32
  } -> tensor<3x5xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %sum : tensor<3x5x48xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5x48xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %u = arith.divf %a, %t : f32
    linalg.yield %u : f32
  } -> tensor<3x5x48xf32>
  return %r : tensor<3x5x48xf32>
}
