// A sum of what experts give, each chosen by a mask of its own, as a loop over experts has it that was unrolled: where its mask does not hold, nobody needs
// what an expert computes, although the sum is computed there. A term that is divided by would not be the same.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit | FileCheck %s --check-prefix=RULES
// RULES-LABEL: func @sum
// RULES-DAG: %[[ONE:.*]] = pit.detect by(%{{.*}} : tensor<64xi1>)
// RULES-DAG: %[[TWO:.*]] = pit.detect by(%{{.*}} : tensor<64xi1>)
// RULES-DAG: pit.generic {{.*}}iterator_type<reduction>{{.*}} over(%[[ONE]]
// RULES-DAG: pit.generic {{.*}}iterator_type<reduction>{{.*}} over(%[[TWO]]
// RULES-NOT: linalg.generic {{.*}}"reduction"
// RULES-LABEL: func @weighted
// RULES-COUNT-2: pit.generic {{.*}}iterator_type<reduction>
// RULES-NOT: linalg.generic {{.*}}"reduction"
// RULES-LABEL: func @divided
// RULES-NOT: pit.detect
// DEFINE: %{run} = pit-run %s --no-dense-variants --quiet --check --random=normal
// DEFINE: %{rest} = --random=normal:0.1 --random=normal:0.1
// RUN: %emulated-cuda %{run} --entry=sum --target=cuda --chip=sm_90a --random=bool:0.3 --random=bool:0.5 %{rest} | FileCheck %s
// RUN: %{run} --entry=sum --target=cpu --random=bool:0.3 --random=bool:0.5 %{rest} | FileCheck %s
// RUN: %{run} --entry=sum --target=cpu --random=bool:0 --random=bool:1 %{rest} | FileCheck %s
// RUN: %{run} --entry=weighted --target=cpu --random=bool:0.3 --random=bool:0.5 %{rest} | FileCheck %s
// RUN: %{run} --entry=divided --target=cpu --random=bool:0.3 --random=bool:0.5 %{rest} | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

#row = affine_map<(t, n) -> (t)>
#all = affine_map<(t, n) -> (t, n)>
func.func @sum(%x: tensor<64x64xbf16>, %m1: tensor<64xi1>, %m2: tensor<64xi1>, %w1: tensor<64x64xbf16>, %w2: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h1 = linalg.matmul ins(%x, %w1 : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h2 = linalg.matmul ins(%x, %w2 : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#row, #row, #all, #all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m1, %m2, %h1, %h2, %x : tensor<64xi1>, tensor<64xi1>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%c: i1, %d: i1, %a: f32, %b: f32, %s: bf16, %o: f32):
    %p = arith.select %c, %a, %zero : f32
    %q = arith.select %d, %b, %zero : f32
    %r = arith.addf %p, %q : f32
    %w = arith.extf %s : bf16 to f32
    %t = arith.addf %r, %w : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// Weights of 0 and 1 in the place of truth values.
func.func @weighted(%x: tensor<64x64xbf16>, %m1: tensor<64xi1>, %m2: tensor<64xi1>, %w1: tensor<64x64xbf16>, %w2: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h1 = linalg.matmul ins(%x, %w1 : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h2 = linalg.matmul ins(%x, %w2 : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#row, #row, #all, #all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m1, %m2, %h1, %h2, %x : tensor<64xi1>, tensor<64xi1>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%c: i1, %d: i1, %a: f32, %b: f32, %s: bf16, %o: f32):
    %cw = arith.uitofp %c : i1 to f32
    %dw = arith.uitofp %d : i1 to f32
    %p = arith.mulf %cw, %a : f32
    %q = arith.mulf %dw, %b : f32
    %r = arith.addf %p, %q : f32
    %w = arith.extf %s : bf16 to f32
    %t = arith.addf %r, %w : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// Zero for what is not computed would be divided by.
func.func @divided(%x: tensor<64x64xbf16>, %m1: tensor<64xi1>, %m2: tensor<64xi1>, %w1: tensor<64x64xbf16>, %w2: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h1 = linalg.matmul ins(%x, %w1 : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#row, #all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m1, %h1, %x : tensor<64xi1>, tensor<64x64xf32>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%c: i1, %a: f32, %s: bf16, %o: f32):
    %cw = arith.uitofp %c : i1 to f32
    %w = arith.extf %s : bf16 to f32
    %p = arith.divf %w, %a : f32
    %q = arith.mulf %cw, %p : f32
    %t = arith.addf %q, %w : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
