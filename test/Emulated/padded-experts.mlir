// A layer of experts over tokens [token], between ops over [batch, position], of which a mask says what counts. Rows that are
// padding are followed through the reshapes: the experts of such rows are not listed, and nothing in front is computed for them.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit | FileCheck %s --check-prefix=RULES
// DEFINE: %{run} = pit-run %s --no-dense-variants --quiet --check --random=normal
// DEFINE: %{weights} = --random=normal --random=normal:0.2
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit --remarks-filter=pit-rules -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: %emulated-cuda %{run} --target=cuda --chip=sm_90a --random=prefix:0:12 %{weights} | FileCheck %s
// RUN: %emulated-cuda %{run} --target=cuda --chip=sm_80 --random=suffix:0:24 %{weights} | FileCheck %s
// RUN: %{run} --target=cpu --random=prefix:0:12 %{weights} | FileCheck %s
// RUN: %{run} --target=cpu --random=bool:0.4 %{weights} | FileCheck %s
// RUN: %{run} --target=cpu --random=prefix:24:24 %{weights} | FileCheck %s
// RUN: %{run} --target=cpu --random=prefix:0:0 %{weights} | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

// REMARKS: Reason="points outside of pattern {{[0-9]}} (mask at {{.*}}) are not listed: nobody needs them", Remark="marks pattern {{[0-9]}}"

// Rows, the same as tokens, and experts of those. What is packed by rows is written by tokens.
// RULES-LABEL: func @main
// RULES: %[[LIVE:.*]] = linalg.generic {{.*}} ins(%arg1
// RULES: %[[SHAPED:.*]] = tensor.collapse_shape %[[LIVE]] {{.*}} into tensor<96xi1>
// RULES: %[[TOKENS:.*]] = pit.detect by(%{{.*}} : tensor<96xi1>)
// RULES: %[[ROWS:.*]] = pit.detect by(%[[LIVE]] : tensor<4x24xi1>)
// RULES: %[[PACKED:.*]] = pit.generic {{.*}} over(%[[ROWS]]{{.*}} ins(%{{.*}} : tensor<96x64xf32>) outs({{.*}} : tensor<96x64xbf16>)
// RULES: pit.swrite %[[PACKED]] into %{{.*}}[%[[TOKENS]]]
// RULES: %[[BOTH:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[SHAPED]] : tensor<96x8xi1>, tensor<96xi1>)
// RULES: %[[EXPERTS:.*]] = pit.detect by(%[[BOTH]] : tensor<96x8xi1>) {{.*}}at_most = 1
// RULES-COUNT-3: pit.generic {{.*}} over(%[[EXPERTS]]
// RULES: pit.generic {{.*}} over(%[[ROWS]]
// RULES-NOT: pit.detect

#row = affine_map<(b, s, d) -> (b, s, d)>
#ofRow = affine_map<(b, s, d) -> (b, s)>
#all = affine_map<(t, e) -> (t, e)>
#token = affine_map<(t, e) -> (t)>
func.func @main(%x: tensor<4x24x64xbf16>, %mask: tensor<4x24xi64>, %logits: tensor<4x24x8xf32>, %w0: tensor<64x64xbf16>,
    %w1: tensor<8x64x128xbf16>, %w2: tensor<8x128x64xbf16>) -> tensor<4x24x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %zh = arith.constant 0.0 : bf16
  %least = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i64
  // A linear layer in front, over [batch, position].
  %ex = tensor.empty() : tensor<4x24x64xf32>
  %zx = linalg.fill ins(%zero : f32) outs(%ex : tensor<4x24x64xf32>) -> tensor<4x24x64xf32>
  %hx = linalg.generic {indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (k, n)>, affine_map<(b, s, n, k) -> (b, s, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w0 : tensor<4x24x64xbf16>, tensor<64x64xbf16>) outs(%zx : tensor<4x24x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x24x64xf32>
  %eh = tensor.empty() : tensor<4x24x64xbf16>
  %hb = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel", "parallel"]} ins(%hx : tensor<4x24x64xf32>) outs(%eh : tensor<4x24x64xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4x24x64xbf16>
  %tokens = tensor.collapse_shape %hb [[0, 1], [2]] : tensor<4x24x64xbf16> into tensor<96x64xbf16>
  %p = tensor.collapse_shape %logits [[0, 1], [2]] : tensor<4x24x8xf32> into tensor<96x8xf32>

  // The expert with the largest logit. Its value is read by nobody.
  %e0 = tensor.empty() : tensor<96xf32>
  %e1 = tensor.empty() : tensor<96xi64>
  %s0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<96xf32>) -> tensor<96xf32>
  %s1 = linalg.fill ins(%first : i64) outs(%e1 : tensor<96xi64>) -> tensor<96xi64>
  %best:2 = linalg.generic {indexing_maps = [#all, #token, #token], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<96x8xf32>) outs(%s0, %s1 : tensor<96xf32>, tensor<96xi64>) {
  ^bb0(%a: f32, %m: f32, %i: i64):
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %larger = arith.cmpf ogt, %a, %m : f32
    %most = arith.maximumf %a, %m : f32
    %place = arith.select %larger, %here, %i : i64
    linalg.yield %most, %place : f32, i64
  } -> (tensor<96xf32>, tensor<96xi64>)
  %eg = tensor.empty() : tensor<96x8xbf16>
  %gate = linalg.generic {indexing_maps = [#token, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%best#1, %p : tensor<96xi64>, tensor<96x8xf32>) outs(%eg : tensor<96x8xbf16>) {
  ^bb0(%i: i64, %a: f32, %o: bf16):
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %i : i64
    %t = arith.truncf %a : f32 to bf16
    %g = arith.select %is, %t, %zh : bf16
    linalg.yield %g : bf16
  } -> tensor<96x8xbf16>

  %eu = tensor.empty() : tensor<96x8x128xf32>
  %zu = linalg.fill ins(%zero : f32) outs(%eu : tensor<96x8x128xf32>) -> tensor<96x8x128xf32>
  %up = linalg.generic {indexing_maps = [affine_map<(t, e, f, k) -> (t, k)>, affine_map<(t, e, f, k) -> (e, k, f)>, affine_map<(t, e, f, k) -> (t, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%tokens, %w1 : tensor<96x64xbf16>, tensor<8x64x128xbf16>) outs(%zu : tensor<96x8x128xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<96x8x128xf32>
  %ea = tensor.empty() : tensor<96x8x128xbf16>
  %act = linalg.generic {indexing_maps = [affine_map<(t, e, f) -> (t, e, f)>, affine_map<(t, e, f) -> (t, e)>, affine_map<(t, e, f) -> (t, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%up, %gate : tensor<96x8x128xf32>, tensor<96x8xbf16>) outs(%ea : tensor<96x8x128xbf16>) {
  ^bb0(%a: f32, %g: bf16, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    %m = arith.maximumf %t, %zh : bf16
    %n = arith.mulf %m, %g : bf16
    linalg.yield %n : bf16
  } -> tensor<96x8x128xbf16>
  %ey = tensor.empty() : tensor<96x64xf32>
  %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<96x64xf32>) -> tensor<96x64xf32>
  %down = linalg.generic {indexing_maps = [affine_map<(t, d, e, f) -> (t, e, f)>, affine_map<(t, d, e, f) -> (e, f, d)>, affine_map<(t, d, e, f) -> (t, d)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%act, %w2 : tensor<96x8x128xbf16>, tensor<8x128x64xbf16>) outs(%zy : tensor<96x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<96x64xf32>

  %rows = tensor.expand_shape %down [[0, 1], [2]] output_shape [4, 24, 64] : tensor<96x64xf32> into tensor<4x24x64xf32>
  %y = linalg.generic {indexing_maps = [#row, #row, #ofRow, #row], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%rows, %hb, %mask : tensor<4x24x64xf32>, tensor<4x24x64xbf16>, tensor<4x24xi64>) outs(%eh : tensor<4x24x64xbf16>) {
  ^bb0(%a: f32, %h: bf16, %c: i64, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    %sum = arith.addf %t, %h : bf16
    %counts = arith.sitofp %c : i64 to bf16
    %m = arith.mulf %sum, %counts : bf16
    linalg.yield %m : bf16
  } -> tensor<4x24x64xbf16>
  return %y : tensor<4x24x64xbf16>
}
