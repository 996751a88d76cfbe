// Modifiers of logits that are no masks: sums of products, looked up by relative positions, scaled and added. Data of the caller's may be
// one, and so may what is chosen by truth values.
// RUN: pit-opt %s --pit-form-attention --canonicalize --cse | FileCheck %s
// RUN: sed 's/arith.mulf %x, %half : f32/arith.select %close, %x, %least : f32/' %s | pit-opt - --pit-form-attention --canonicalize --cse | FileCheck %s --check-prefix=MASK
// RUN: sed 's/arith.mulf %x, %half : f32/arith.addf %x, %least : f32/' %s | pit-opt - --pit-form-attention --canonicalize --cse | FileCheck %s --check-prefix=MASK
// RUN: sed 's/extract %by/extract %given/' %s | pit-opt - --pit-form-attention --canonicalize --cse | FileCheck %s --check-prefix=MASK

// CHECK: pit.attend {biases = array<i64: 0>} ins({{.*}}) modifiers(%{{.*}} : tensor<2x32x32xf32>)
// MASK: pit.attend ins({{.*}}) modifiers(%{{.*}} : tensor<2x32x32xf32>)

#rows = affine_map<(b, i, j) -> (b, i, j)>

func.func @main(%q: tensor<2x32x64xbf16>, %k: tensor<2x32x64xbf16>, %v: tensor<2x32x64xbf16>, %relative: tensor<64x64xbf16>, %given: tensor<2x32x64xf32>) -> tensor<2x32x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %least = arith.constant -1.0e9 : f32
  %ep = tensor.empty() : tensor<2x32x64xf32>
  %zp = linalg.fill ins(%zero : f32) outs(%ep : tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  // Queries by what stands for distances.
  %by = linalg.generic {indexing_maps = [affine_map<(b, i, r, e) -> (b, i, e)>, affine_map<(b, i, r, e) -> (r, e)>, affine_map<(b, i, r, e) -> (b, i, r)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %relative : tensor<2x32x64xbf16>, tensor<64x64xbf16>) outs(%zp : tensor<2x32x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x32x64xf32>
  %es = tensor.empty() : tensor<2x32x32xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
  %bias = linalg.generic {indexing_maps = [#rows], iterator_types = ["parallel", "parallel", "parallel"]} outs(%es : tensor<2x32x32xf32>) {
  ^bb0(%o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.constant 31 : index
    %apart = arith.subi %i, %j : index
    %place = arith.addi %apart, %c : index
    %close = arith.cmpi ult, %place, %c : index
    %x = tensor.extract %by[%b, %i, %place] : tensor<2x32x64xf32>
    %scaled = arith.mulf %x, %half : f32
    linalg.yield %scaled : f32
  } -> tensor<2x32x32xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(b, i, j, e) -> (b, i, e)>, affine_map<(b, i, j, e) -> (b, j, e)>, affine_map<(b, i, j, e) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x32x64xbf16>, tensor<2x32x64xbf16>) outs(%zs : tensor<2x32x32xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x32x32xf32>
  %logits = linalg.add ins(%scores, %bias : tensor<2x32x32xf32>, tensor<2x32x32xf32>) outs(%es : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
  %weights = linalg.softmax dimension(2) ins(%logits : tensor<2x32x32xf32>) outs(%es : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
  %ew = tensor.empty() : tensor<2x32x32xbf16>
  %rounded = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel", "parallel"]} ins(%weights : tensor<2x32x32xf32>) outs(%ew : tensor<2x32x32xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<2x32x32xbf16>
  %sum = linalg.generic {indexing_maps = [affine_map<(b, i, f, j) -> (b, i, j)>, affine_map<(b, i, f, j) -> (b, j, f)>, affine_map<(b, i, f, j) -> (b, i, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%rounded, %v : tensor<2x32x32xbf16>, tensor<2x32x64xbf16>) outs(%zp : tensor<2x32x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x32x64xf32>
  %eo = tensor.empty() : tensor<2x32x64xbf16>
  %out = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum : tensor<2x32x64xf32>) outs(%eo : tensor<2x32x64xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<2x32x64xbf16>
  return %out : tensor<2x32x64xbf16>
}
