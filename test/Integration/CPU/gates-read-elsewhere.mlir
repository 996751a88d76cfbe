// Experts of rows that are left out of a result are not listed, unless somebody else reads what the gate holds there: who returns it, or
// an op that asks which rows have an expert.
// RUN: pit-opt %s --convert-linalg-to-pit --remarks-filter=pit-rules -o /dev/null 2>&1 | FileCheck %s --check-prefix=RULES
// RULES: Function=limited{{.*}}outside of pattern {{[0-9]+}}
// RULES-NOT: outside of pattern
// DEFINE: %{run} = pit-run %s --target=cpu --no-dense-variants --quiet --check --random=normal --random=topk-gate:2 --random=bool:0.5 --random=normal
// RUN: %{run} --entry=limited | FileCheck %s --check-prefix=ONE
// RUN: %{run} --entry=returned | FileCheck %s --check-prefixes=ONE,TWO
// RUN: %{run} --entry=counted | FileCheck %s --check-prefixes=ONE,TWO
// ONE: check: result 0: {{agrees|bit-identical}}
// TWO: check: result 1: {{agrees|bit-identical}}

#all = affine_map<(t, e) -> (t, e)>
func.func @limited(%x: tensor<96x64xf32>, %p: tensor<96x8xf32>, %m: tensor<96xi1>, %w: tensor<8x64x32xf32>) -> tensor<96x32xf32> {
  %zero = arith.constant 0.0 : f32
  %eg = tensor.empty() : tensor<96x8xf32>
  %gate = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<96x8xf32>) outs(%eg : tensor<96x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.addf %a, %a : f32
    linalg.yield %n : f32
  } -> tensor<96x8xf32>
  %g = pit.sparse %gate <kind = values, axes = [0, 1], at_most = 2> : tensor<96x8xf32>
  %e = tensor.empty() : tensor<96x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<96x32xf32>) -> tensor<96x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, f, e, k) -> (t, e)>, affine_map<(t, f, e, k) -> (t, k)>, affine_map<(t, f, e, k) -> (e, k, f)>, affine_map<(t, f, e, k) -> (t, f)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%g, %x, %w : tensor<96x8xf32>, tensor<96x64xf32>, tensor<8x64x32xf32>) outs(%z : tensor<96x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %q = arith.mulf %a, %b : f32
    %r = arith.mulf %q, %c : f32
    %n = arith.addf %o, %r : f32
    linalg.yield %n : f32
  } -> tensor<96x32xf32>
  %s = pit.sparse %y by(%m : tensor<96xi1>) <kind = mask, axes = [0]> : tensor<96x32xf32>
  return %s : tensor<96x32xf32>
}

func.func @returned(%x: tensor<96x64xf32>, %p: tensor<96x8xf32>, %m: tensor<96xi1>, %w: tensor<8x64x32xf32>) -> (tensor<96x32xf32>, tensor<96x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %eg = tensor.empty() : tensor<96x8xf32>
  %gate = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<96x8xf32>) outs(%eg : tensor<96x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.addf %a, %a : f32
    linalg.yield %n : f32
  } -> tensor<96x8xf32>
  %g = pit.sparse %gate <kind = values, axes = [0, 1], at_most = 2> : tensor<96x8xf32>
  %e = tensor.empty() : tensor<96x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<96x32xf32>) -> tensor<96x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, f, e, k) -> (t, e)>, affine_map<(t, f, e, k) -> (t, k)>, affine_map<(t, f, e, k) -> (e, k, f)>, affine_map<(t, f, e, k) -> (t, f)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%g, %x, %w : tensor<96x8xf32>, tensor<96x64xf32>, tensor<8x64x32xf32>) outs(%z : tensor<96x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %q = arith.mulf %a, %b : f32
    %r = arith.mulf %q, %c : f32
    %n = arith.addf %o, %r : f32
    linalg.yield %n : f32
  } -> tensor<96x32xf32>
  %s = pit.sparse %y by(%m : tensor<96xi1>) <kind = mask, axes = [0]> : tensor<96x32xf32>
  return %s, %g : tensor<96x32xf32>, tensor<96x8xf32>
}

func.func @counted(%x: tensor<96x64xf32>, %p: tensor<96x8xf32>, %m: tensor<96xi1>, %w: tensor<8x64x32xf32>) -> (tensor<96x32xf32>, tensor<96x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %eg = tensor.empty() : tensor<96x8xf32>
  %gate = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<96x8xf32>) outs(%eg : tensor<96x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.addf %a, %a : f32
    linalg.yield %n : f32
  } -> tensor<96x8xf32>
  %g = pit.sparse %gate <kind = values, axes = [0, 1], at_most = 2> : tensor<96x8xf32>
  %e = tensor.empty() : tensor<96x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<96x32xf32>) -> tensor<96x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, f, e, k) -> (t, e)>, affine_map<(t, f, e, k) -> (t, k)>, affine_map<(t, f, e, k) -> (e, k, f)>, affine_map<(t, f, e, k) -> (t, f)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%g, %x, %w : tensor<96x8xf32>, tensor<96x64xf32>, tensor<8x64x32xf32>) outs(%z : tensor<96x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %q = arith.mulf %a, %b : f32
    %r = arith.mulf %q, %c : f32
    %n = arith.addf %o, %r : f32
    linalg.yield %n : f32
  } -> tensor<96x32xf32>
  %s = pit.sparse %y by(%m : tensor<96xi1>) <kind = mask, axes = [0]> : tensor<96x32xf32>
  %ez = tensor.empty() : tensor<96x8xf32>
  %zz = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<96x8xf32>) outs(%ez : tensor<96x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %at = linalg.index 1 : index
    %i = arith.index_cast %at : index to i32
    %f = arith.sitofp %i : i32 to f32
    %n = arith.mulf %a, %f : f32
    linalg.yield %n : f32
  } -> tensor<96x8xf32>
  return %s, %zz : tensor<96x32xf32>, tensor<96x8xf32>
}
