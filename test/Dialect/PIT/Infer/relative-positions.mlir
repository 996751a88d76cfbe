// DeBERTa's attention: scores by relative positions are looked up in products of queries, and of keys, with a table of
// distances; heads are joined with sequences. A mask of both sides says which positions count. What is found goes through
// the lookups to all products but those of the table, and the mask of both sides, which would list rows of dead queries as a
// whole, is not kept. The number of sequences is not known.
// RUN: pit-opt %s --pit-check-extents --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit | FileCheck %s
// RUN: pit-run %s --target cpu --random=normal@3x64x32 --random=prefix:5:60@3x64 --random=normal:0.2 --check --report 2>&1 | FileCheck %s --check-prefix=RULES
// RUN: pit-run %s --target cpu --random=normal@3x64x32 --random=suffix:0:64@3x64 --random=normal:0.2 --check --quiet 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: pit-run %s --target cpu --random=normal@1x64x32 --random=bool:0.4@1x64 --random=normal:0.2 --check --quiet 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: pit-run %s --target cpu --random=normal@0x64x32 --random=bool:0.4@0x64 --random=normal:0.2 --check --quiet 2>&1 | FileCheck %s --check-prefix=SAME

// CHECK: pit.detect by(%{{.*}} : tensor<?x64xi1>) {{.*}}<kind = mask, axes = [0, 1]>
// CHECK-NOT: pit.detect
// RULES: check: result 0: {{bit-identical|agrees}}
// RULES-COUNT-5: loop over listed tiles
// SAME: check: result 0: {{bit-identical|agrees}}

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%x: tensor<?x64x32xf32>, %tokens: tensor<?x64xi64>, %wq: tensor<32x32xf32>, %wk: tensor<32x32xf32>,
                %wv: tensor<32x32xf32>, %wo: tensor<32x32xf32>, %near: tensor<2x16x16xf32>, %far: tensor<2x16x16xf32>) -> tensor<?x64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %min = arith.constant -3.40282347E+38 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %x, %c0 : tensor<?x64x32xf32>
  %n = arith.muli %b, %c2 : index

  // Q, K and V, of [sequence * head].
  %pe = tensor.empty(%b) : tensor<?x64x32xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<?x64x32xf32>) -> tensor<?x64x32xf32>
  %he = tensor.empty(%b) : tensor<?x2x64x16xf32>
  %q = func.call @project(%x, %wq) : (tensor<?x64x32xf32>, tensor<32x32xf32>) -> tensor<?x64x16xf32>
  %k = func.call @project(%x, %wk) : (tensor<?x64x32xf32>, tensor<32x32xf32>) -> tensor<?x64x16xf32>
  %v = func.call @project(%x, %wv) : (tensor<?x64x32xf32>, tensor<32x32xf32>) -> tensor<?x64x16xf32>

  // Scores, and scores of 16 distances by queries and by keys.
  %se = tensor.empty(%n) : tensor<?x64x64xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<?x64x64xf32>) -> tensor<?x64x64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, q, k, d) -> (n, q, d)>, affine_map<(n, q, k, d) -> (n, k, d)>, affine_map<(n, q, k, d) -> (n, q, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<?x64x16xf32>, tensor<?x64x16xf32>) outs(%sz : tensor<?x64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %lr = arith.mulf %l, %r : f32
    %sum = arith.addf %o, %lr : f32
    linalg.yield %sum : f32
  } -> tensor<?x64x64xf32>
  %byq = func.call @distances(%q, %near) : (tensor<?x64x16xf32>, tensor<2x16x16xf32>) -> tensor<?x64x16xf32>
  %byk = func.call @distances(%k, %far) : (tensor<?x64x16xf32>, tensor<2x16x16xf32>) -> tensor<?x64x16xf32>
  %de = tensor.empty() : tensor<64x64xi64>
  %distance = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%de : tensor<64x64xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %d = arith.subi %i, %j : index
    %w = arith.index_cast %d : index to i64
    %c8 = arith.constant 8 : i64
    %c15 = arith.constant 15 : i64
    %c0i = arith.constant 0 : i64
    %shifted = arith.addi %w, %c8 : i64
    %low = arith.maxsi %shifted, %c0i : i64
    %id = arith.minsi %low, %c15 : i64
    linalg.yield %id : i64
  } -> tensor<64x64xi64>
  %bias = linalg.generic {indexing_maps = [affine_map<(n, q, k) -> (q, k)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%distance : tensor<64x64xi64>) outs(%se : tensor<?x64x64xf32>) {
  ^bb0(%d: i64, %o: f32):
    %ni = linalg.index 0 : index
    %qi = linalg.index 1 : index
    %id = arith.index_cast %d : i64 to index
    %y = tensor.extract %byq[%ni, %qi, %id] : tensor<?x64x16xf32>
    linalg.yield %y : f32
  } -> tensor<?x64x64xf32>
  %sait = linalg.generic {indexing_maps = [affine_map<(n, k, q) -> (k, q)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%distance : tensor<64x64xi64>) outs(%se : tensor<?x64x64xf32>) {
  ^bb0(%d: i64, %o: f32):
    %ni = linalg.index 0 : index
    %ki = linalg.index 1 : index
    %id = arith.index_cast %d : i64 to index
    %y = tensor.extract %byk[%ni, %ki, %id] : tensor<?x64x16xf32>
    linalg.yield %y : f32
  } -> tensor<?x64x64xf32>
  %biased = linalg.generic {indexing_maps = [#id3, #id3, affine_map<(n, q, k) -> (n, k, q)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %bias, %sait : tensor<?x64x64xf32>, tensor<?x64x64xf32>, tensor<?x64x64xf32>) outs(%se : tensor<?x64x64xf32>) {
  ^bb0(%a: f32, %l: f32, %r: f32, %o: f32):
    %al = arith.addf %a, %l : f32
    %alr = arith.addf %al, %r : f32
    linalg.yield %alr : f32
  } -> tensor<?x64x64xf32>

  // The mask of both sides.
  %me = tensor.empty(%b) : tensor<?x64x64xi1>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, q, k) -> (b, q)>, affine_map<(b, q, k) -> (b, k)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%tokens, %tokens : tensor<?x64xi64>, tensor<?x64xi64>) outs(%me : tensor<?x64x64xi1>) {
  ^bb0(%l: i64, %r: i64, %o: i1):
    %c0i = arith.constant 0 : i64
    %lr = arith.muli %l, %r : i64
    %m = arith.cmpi ne, %lr, %c0i : i64
    linalg.yield %m : i1
  } -> tensor<?x64x64xi1>
  %fe = tensor.empty(%b) : tensor<?x2x64x64xf32>
  %split = tensor.expand_shape %biased [[0, 1], [2], [3]] output_shape [%b, 2, 64, 64] : tensor<?x64x64xf32> into tensor<?x2x64x64xf32>
  %logits = linalg.generic {indexing_maps = [affine_map<(b, h, q, k) -> (b, q, k)>, #id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%mask, %split : tensor<?x64x64xi1>, tensor<?x2x64x64xf32>) outs(%fe : tensor<?x2x64x64xf32>) {
  ^bb0(%m: i1, %a: f32, %o: f32):
    %y = arith.select %m, %a, %min : f32
    linalg.yield %y : f32
  } -> tensor<?x2x64x64xf32>
  %weights = linalg.softmax dimension(3) ins(%logits : tensor<?x2x64x64xf32>) outs(%fe : tensor<?x2x64x64xf32>) -> tensor<?x2x64x64xf32>

  %joined = tensor.collapse_shape %weights [[0, 1], [2], [3]] : tensor<?x2x64x64xf32> into tensor<?x64x64xf32>
  %oe = tensor.empty(%n) : tensor<?x64x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x64x16xf32>) -> tensor<?x64x16xf32>
  %o = linalg.batch_matmul ins(%joined, %v : tensor<?x64x64xf32>, tensor<?x64x16xf32>) outs(%oz : tensor<?x64x16xf32>) -> tensor<?x64x16xf32>
  %oh = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [%b, 2, 64, 16] : tensor<?x64x16xf32> into tensor<?x2x64x16xf32>
  %te = tensor.empty(%b) : tensor<?x64x2x16xf32>
  %t = linalg.transpose ins(%oh : tensor<?x2x64x16xf32>) outs(%te : tensor<?x64x2x16xf32>) permutation = [0, 2, 1, 3]
  %flat = tensor.collapse_shape %t [[0], [1], [2, 3]] : tensor<?x64x2x16xf32> into tensor<?x64x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, s, f, d) -> (b, s, d)>, affine_map<(b, s, f, d) -> (d, f)>, affine_map<(b, s, f, d) -> (b, s, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%flat, %wo : tensor<?x64x32xf32>, tensor<32x32xf32>) outs(%pz : tensor<?x64x32xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %lr = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %lr : f32
    linalg.yield %sum : f32
  } -> tensor<?x64x32xf32>
  %counted = linalg.generic {indexing_maps = [#id3, affine_map<(b, s, f) -> (b, s)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %tokens : tensor<?x64x32xf32>, tensor<?x64xi64>) outs(%pe : tensor<?x64x32xf32>) {
  ^bb0(%a: f32, %m: i64, %out: f32):
    %f = arith.sitofp %m : i64 to f32
    %r = arith.mulf %a, %f : f32
    linalg.yield %r : f32
  } -> tensor<?x64x32xf32>
  return %counted : tensor<?x64x32xf32>
}

// [sequence, position, hidden] to [sequence * head, position, hidden / heads].
func.func private @project(%x: tensor<?x64x32xf32>, %w: tensor<32x32xf32>) -> tensor<?x64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %b = tensor.dim %x, %c0 : tensor<?x64x32xf32>
  %pe = tensor.empty(%b) : tensor<?x64x32xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<?x64x32xf32>) -> tensor<?x64x32xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, s, f, d) -> (b, s, d)>, affine_map<(b, s, f, d) -> (d, f)>, affine_map<(b, s, f, d) -> (b, s, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<?x64x32xf32>, tensor<32x32xf32>) outs(%pz : tensor<?x64x32xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %lr = arith.mulf %l, %r : f32
    %sum = arith.addf %o, %lr : f32
    linalg.yield %sum : f32
  } -> tensor<?x64x32xf32>
  %h = tensor.expand_shape %p [[0], [1], [2, 3]] output_shape [%b, 64, 2, 16] : tensor<?x64x32xf32> into tensor<?x64x2x16xf32>
  %e = tensor.empty(%b) : tensor<?x2x64x16xf32>
  %t = linalg.transpose ins(%h : tensor<?x64x2x16xf32>) outs(%e : tensor<?x2x64x16xf32>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<?x2x64x16xf32> into tensor<?x64x16xf32>
  return %c : tensor<?x64x16xf32>
}

// Products with a table of distances, which each sequence repeats.
func.func private @distances(%x: tensor<?x64x16xf32>, %table: tensor<2x16x16xf32>) -> tensor<?x64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x64x16xf32>
  %b = arith.divui %n, %c2 : index
  %re = tensor.empty(%b) : tensor<?x2x16x16xf32>
  %rep = linalg.generic {indexing_maps = [affine_map<(b, h, r, d) -> (h, r, d)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%table : tensor<2x16x16xf32>) outs(%re : tensor<?x2x16x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x2x16x16xf32>
  %t = tensor.collapse_shape %rep [[0, 1], [2], [3]] : tensor<?x2x16x16xf32> into tensor<?x16x16xf32>
  %e = tensor.empty(%n) : tensor<?x64x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64x16xf32>) -> tensor<?x64x16xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(n, s, r, d) -> (n, s, d)>, affine_map<(n, s, r, d) -> (n, r, d)>, affine_map<(n, s, r, d) -> (n, s, r)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %t : tensor<?x64x16xf32>, tensor<?x16x16xf32>) outs(%z : tensor<?x64x16xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %lr = arith.mulf %l, %r : f32
    %sum = arith.addf %o, %lr : f32
    linalg.yield %sum : f32
  } -> tensor<?x64x16xf32>
  return %p : tensor<?x64x16xf32>
}
