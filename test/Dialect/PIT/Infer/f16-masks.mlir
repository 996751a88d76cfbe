// The lowest number of f16 is a mask where a select writes it. Other numbers are none, nor is it one where it is added, as scores of f16 may be as large.
// DEFINE: %{find} = pit-opt - --pit-check-extents --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit
// RUN: %{find} < %s | FileCheck %s
// RUN: sed 's/-6.550400e+04/-6.547200e+04/' %s | %{find} | FileCheck %s --check-prefix=NONE
// RUN: sed 's/^ *%%s = arith.select.*/%%n = arith.uitofp %%c : i1 to f16\n    %%p = arith.mulf %%n, %%lowest : f16\n    %%s = arith.addf %%a, %%p : f16/' %s | %{find} | FileCheck %s --check-prefix=NONE
// DEFINE: %{run} = pit-run %s --target=cpu --random=normal
// RUN: %{run} --random=bool:0.4 --random=normal --check --report 2>&1 | FileCheck %s --check-prefix=RULES
// Rows without a live key have the mean of all values.
// RUN: %{run} --random=bool:0.01 --random=normal --check --quiet 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %{run} --random=zeros --random=normal --check --quiet 2>&1 | FileCheck %s --check-prefix=SAME
// CHECK: pit.detect by(%{{.*}} : tensor<256x256xi1>)
// NONE-NOT: pit.detect
// NONE: return
// RULES: check: result 0: {{bit-identical|agrees}}
// RULES: loop over listed tiles
// SAME: check: result 0: {{bit-identical|agrees}}

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @main(%x: tensor<256x256xf16>, %m: tensor<256x256xi1>, %v: tensor<256x64xf32>) -> tensor<256x64xf32> {
  %lowest = arith.constant -6.550400e+04 : f16
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %ef = tensor.empty() : tensor<256x256xf32>
  %e16 = tensor.empty() : tensor<256x256xf16>
  %er = tensor.empty() : tensor<256xf32>
  %eo = tensor.empty() : tensor<256x64xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<256x256xf16>, tensor<256x256xi1>) outs(%e16 : tensor<256x256xf16>) {
  ^bb0(%a: f16, %c: i1, %o: f16):
    %s = arith.select %c, %a, %lowest : f16
    linalg.yield %s : f16
  } -> tensor<256x256xf16>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%masked : tensor<256x256xf16>) outs(%ef : tensor<256x256xf32>) {
  ^bb0(%a: f16, %o: f32):
    %w = arith.extf %a : f16 to f32
    linalg.yield %w : f32
  } -> tensor<256x256xf32>
  %r0 = linalg.fill ins(%inf : f32) outs(%er : tensor<256xf32>) -> tensor<256xf32>
  %top = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%wide : tensor<256x256xf32>) outs(%r0 : tensor<256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<256xf32>
  %power = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%wide, %top : tensor<256x256xf32>, tensor<256xf32>) outs(%ef : tensor<256x256xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %d = arith.subf %a, %t : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<256x256xf32>
  %r1 = linalg.fill ins(%zero : f32) outs(%er : tensor<256xf32>) -> tensor<256xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%power : tensor<256x256xf32>) outs(%r1 : tensor<256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<256xf32>
  %weight = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%power, %sum : tensor<256x256xf32>, tensor<256xf32>) outs(%ef : tensor<256x256xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %q = arith.divf %a, %t : f32
    linalg.yield %q : f32
  } -> tensor<256x256xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<256x64xf32>) -> tensor<256x64xf32>
  %out = linalg.matmul ins(%weight, %v : tensor<256x256xf32>, tensor<256x64xf32>) outs(%o0 : tensor<256x64xf32>) -> tensor<256x64xf32>
  return %out : tensor<256x64xf32>
}
