// RUN: pit-opt %s --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --canonicalize --cse --pit-fuse-attention --canonicalize --cse | FileCheck %s

#id4 = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#id3b = affine_map<(b, s, j) -> (b, s, j)>
#id3 = affine_map<(h, i, j) -> (h, i, j)>

// Scores, mask, softmax and the product with values, of the packed rows alone.
// CHECK-LABEL: func @right
// CHECK: %[[INDEX:.*]] = pit.detect
// CHECK: %[[OFFSETS:.*]] = pit.offsets %[[INDEX]]
// CHECK: pit.attend %{{.*}}, %{{.*}}, %{{.*}} sequences(%[[OFFSETS]] : tensor<?xi64>) outs(%{{.*}}) {extent = 16 : i64, rounds_scores, scale = 0.176776692 : f32}
// CHECK-SAME: : tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16> -> tensor<64x2x32xbf16>
// CHECK-NOT: math.exp
func.func @right(%x: tensor<4x16x64xbf16> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "right", absent = "undef"}}, %lengths: tensor<4xi64>) -> tensor<4x16x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0xFF800000 : f32
  %per_root = arith.constant 0.1767766952966369 : f32
  %length = arith.constant 16 : i64
  %1 = tensor.empty() : tensor<4x16x64xbf16>
  %2 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%1 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.mulf %l, %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %7 = tensor.empty() : tensor<4x16x64xbf16>
  %8 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%7 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.addf %l, %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %9 = tensor.empty() : tensor<4x16x64xbf16>
  %10 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%9 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.negf %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %11 = tensor.expand_shape %2 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %12 = tensor.empty() : tensor<4x2x16x32xbf16>
  %13 = linalg.transpose ins(%11 : tensor<4x16x2x32xbf16>) outs(%12 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %14 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %15 = tensor.empty() : tensor<4x2x16x32xbf16>
  %16 = linalg.transpose ins(%14 : tensor<4x16x2x32xbf16>) outs(%15 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %17 = tensor.empty() : tensor<4x2x32x16xbf16>
  %18 = linalg.transpose ins(%16 : tensor<4x2x16x32xbf16>) outs(%17 : tensor<4x2x32x16xbf16>) permutation = [0, 1, 3, 2]
  %19 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<4x2x16x32xbf16> into tensor<8x16x32xbf16>
  %20 = tensor.collapse_shape %18 [[0, 1], [2], [3]] : tensor<4x2x32x16xbf16> into tensor<8x32x16xbf16>
  %21 = tensor.empty() : tensor<8x16x16xf32>
  %22 = linalg.fill ins(%zero : f32) outs(%21 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %23 = linalg.batch_matmul ins(%19, %20 : tensor<8x16x32xbf16>, tensor<8x32x16xbf16>) outs(%22 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %24 = tensor.empty() : tensor<8x16x16xbf16>
  %25 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<8x16x16xf32>) outs(%24 : tensor<8x16x16xbf16>) {
  ^bb0(%l: f32, %acc: bf16):
    %n = arith.truncf %l : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<8x16x16xbf16>
  %26 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [4, 2, 16, 16] : tensor<8x16x16xbf16> into tensor<4x2x16x16xbf16>
  %27 = tensor.empty() : tensor<16xi64>
  %28 = linalg.generic {indexing_maps = [affine_map<(s) -> (s)>], iterator_types = ["parallel"]} outs(%27 : tensor<16xi64>) {
  ^bb0(%acc: i64):
    %p = linalg.index 0 : index
    %n = arith.index_cast %p : index to i64
    linalg.yield %n : i64
  } -> tensor<16xi64>
  %29 = tensor.empty() : tensor<4x16xi1>
  %30 = linalg.generic {indexing_maps = [affine_map<(b, s) -> (s)>, affine_map<(b, s) -> (b)>, affine_map<(b, s) -> (b, s)>], iterator_types = ["parallel", "parallel"]} ins(%28, %lengths : tensor<16xi64>, tensor<4xi64>) outs(%29 : tensor<4x16xi1>) {
  ^bb0(%l: i64, %r: i64, %acc: i1):
    %k = arith.cmpi slt, %l, %r : i64
    linalg.yield %k : i1
  } -> tensor<4x16xi1>
  %31 = tensor.empty() : tensor<4x16xf32>
  %32 = linalg.generic {indexing_maps = [affine_map<(b, s) -> (b, s)>, affine_map<(b, s) -> (b, s)>], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<4x16xi1>) outs(%31 : tensor<4x16xf32>) attrs = {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "right", absent = "neg_inf"}} {
  ^bb0(%l: i1, %acc: f32):
    %v = arith.select %l, %zero, %infinity : f32
    linalg.yield %v : f32
  } -> tensor<4x16xf32>
  %33 = tensor.expand_shape %32 [[0, 1, 2], [3]] output_shape [4, 1, 1, 16] : tensor<4x16xf32> into tensor<4x1x1x16xf32>
  %34 = tensor.empty() : tensor<4x2x16x16xf32>
  %35 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<4x2x16x16xbf16>) outs(%34 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: bf16, %acc: f32):
    %w = arith.extf %l : bf16 to f32
    %d = arith.mulf %w, %per_root : f32
    linalg.yield %d : f32
  } -> tensor<4x2x16x16xf32>
  %36 = tensor.empty() : tensor<4x2x16x16xf32>
  %37 = linalg.generic {indexing_maps = [#id4, affine_map<(b, h, i, j) -> (b, 0, 0, j)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %33 : tensor<4x2x16x16xf32>, tensor<4x1x1x16xf32>) outs(%36 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<4x2x16x16xf32>
  %38 = tensor.empty() : tensor<4x2x16x1xf32>
  %39 = linalg.fill ins(%infinity : f32) outs(%38 : tensor<4x2x16x1xf32>) -> tensor<4x2x16x1xf32>
  %40 = linalg.generic {indexing_maps = [#id4, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<4x2x16x16xf32>) outs(%39 : tensor<4x2x16x1xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %m = arith.maximumf %l, %acc : f32
    linalg.yield %m : f32
  } -> tensor<4x2x16x1xf32>
  %41 = tensor.empty() : tensor<4x2x16x16xf32>
  %42 = linalg.generic {indexing_maps = [#id4, #row, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %40 : tensor<4x2x16x16xf32>, tensor<4x2x16x1xf32>) outs(%41 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %d = arith.subf %l, %r : f32
    linalg.yield %d : f32
  } -> tensor<4x2x16x16xf32>
  %43 = tensor.empty() : tensor<4x2x16x16xf32>
  %44 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<4x2x16x16xf32>) outs(%43 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %e = math.exp %l : f32
    linalg.yield %e : f32
  } -> tensor<4x2x16x16xf32>
  %45 = tensor.empty() : tensor<4x2x16x1xf32>
  %46 = linalg.fill ins(%zero : f32) outs(%45 : tensor<4x2x16x1xf32>) -> tensor<4x2x16x1xf32>
  %47 = linalg.generic {indexing_maps = [#id4, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<4x2x16x16xf32>) outs(%46 : tensor<4x2x16x1xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %l, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4x2x16x1xf32>
  %48 = tensor.empty() : tensor<4x2x16x16xbf16>
  %49 = linalg.generic {indexing_maps = [#id4, #row, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %47 : tensor<4x2x16x16xf32>, tensor<4x2x16x1xf32>) outs(%48 : tensor<4x2x16x16xbf16>) {
  ^bb0(%l: f32, %r: f32, %acc: bf16):
    %q = arith.divf %l, %r : f32
    %n = arith.truncf %q : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<4x2x16x16xbf16>
  %50 = tensor.expand_shape %10 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %51 = tensor.empty() : tensor<4x2x16x32xbf16>
  %52 = linalg.transpose ins(%50 : tensor<4x16x2x32xbf16>) outs(%51 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %53 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<4x2x16x16xbf16> into tensor<8x16x16xbf16>
  %54 = tensor.collapse_shape %52 [[0, 1], [2], [3]] : tensor<4x2x16x32xbf16> into tensor<8x16x32xbf16>
  %55 = tensor.empty() : tensor<8x16x32xf32>
  %56 = linalg.fill ins(%zero : f32) outs(%55 : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  %57 = linalg.batch_matmul ins(%53, %54 : tensor<8x16x16xbf16>, tensor<8x16x32xbf16>) outs(%56 : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  %58 = tensor.empty() : tensor<8x16x32xbf16>
  %59 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<8x16x32xf32>) outs(%58 : tensor<8x16x32xbf16>) {
  ^bb0(%l: f32, %acc: bf16):
    %n = arith.truncf %l : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<8x16x32xbf16>
  %60 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [4, 2, 16, 32] : tensor<8x16x32xbf16> into tensor<4x2x16x32xbf16>
  %61 = tensor.empty() : tensor<4x16x2x32xbf16>
  %62 = linalg.transpose ins(%60 : tensor<4x2x16x32xbf16>) outs(%61 : tensor<4x16x2x32xbf16>) permutation = [0, 2, 1, 3]
  %63 = tensor.collapse_shape %62 [[0], [1], [2, 3]] : tensor<4x16x2x32xbf16> into tensor<4x16x64xbf16>
  return %63 : tensor<4x16x64xbf16>
}

// Padding on the left.
// CHECK-LABEL: func @left
// CHECK: %[[INDEX:.*]] = pit.detect
// CHECK: %[[OFFSETS:.*]] = pit.offsets %[[INDEX]]
// CHECK: pit.attend %{{.*}}, %{{.*}}, %{{.*}} sequences(%[[OFFSETS]] : tensor<?xi64>) outs(%{{.*}}) {extent = 16 : i64, rounds_scores, scale = 0.176776692 : f32}
// CHECK-SAME: : tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16> -> tensor<64x2x32xbf16>
// CHECK-NOT: math.exp
func.func @left(%x: tensor<4x16x64xbf16> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "left", absent = "undef"}}, %lengths: tensor<4xi64>) -> tensor<4x16x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0xFF800000 : f32
  %per_root = arith.constant 0.1767766952966369 : f32
  %length = arith.constant 16 : i64
  %1 = tensor.empty() : tensor<4x16x64xbf16>
  %2 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%1 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.mulf %l, %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %7 = tensor.empty() : tensor<4x16x64xbf16>
  %8 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%7 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.addf %l, %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %9 = tensor.empty() : tensor<4x16x64xbf16>
  %10 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%9 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.negf %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %11 = tensor.expand_shape %2 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %12 = tensor.empty() : tensor<4x2x16x32xbf16>
  %13 = linalg.transpose ins(%11 : tensor<4x16x2x32xbf16>) outs(%12 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %14 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %15 = tensor.empty() : tensor<4x2x16x32xbf16>
  %16 = linalg.transpose ins(%14 : tensor<4x16x2x32xbf16>) outs(%15 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %17 = tensor.empty() : tensor<4x2x32x16xbf16>
  %18 = linalg.transpose ins(%16 : tensor<4x2x16x32xbf16>) outs(%17 : tensor<4x2x32x16xbf16>) permutation = [0, 1, 3, 2]
  %19 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<4x2x16x32xbf16> into tensor<8x16x32xbf16>
  %20 = tensor.collapse_shape %18 [[0, 1], [2], [3]] : tensor<4x2x32x16xbf16> into tensor<8x32x16xbf16>
  %21 = tensor.empty() : tensor<8x16x16xf32>
  %22 = linalg.fill ins(%zero : f32) outs(%21 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %23 = linalg.batch_matmul ins(%19, %20 : tensor<8x16x32xbf16>, tensor<8x32x16xbf16>) outs(%22 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %24 = tensor.empty() : tensor<8x16x16xbf16>
  %25 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<8x16x16xf32>) outs(%24 : tensor<8x16x16xbf16>) {
  ^bb0(%l: f32, %acc: bf16):
    %n = arith.truncf %l : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<8x16x16xbf16>
  %26 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [4, 2, 16, 16] : tensor<8x16x16xbf16> into tensor<4x2x16x16xbf16>
  %27 = tensor.empty() : tensor<16xi64>
  %28 = linalg.generic {indexing_maps = [affine_map<(s) -> (s)>], iterator_types = ["parallel"]} outs(%27 : tensor<16xi64>) {
  ^bb0(%acc: i64):
    %p = linalg.index 0 : index
    %n = arith.index_cast %p : index to i64
    linalg.yield %n : i64
  } -> tensor<16xi64>
  %29 = tensor.empty() : tensor<4xi64>
  %30 = linalg.generic {indexing_maps = [affine_map<(b) -> (b)>, affine_map<(b) -> (b)>], iterator_types = ["parallel"]} ins(%lengths : tensor<4xi64>) outs(%29 : tensor<4xi64>) {
  ^bb0(%l: i64, %acc: i64):
    %n = arith.subi %length, %l : i64
    linalg.yield %n : i64
  } -> tensor<4xi64>
  %31 = tensor.empty() : tensor<4x16xi1>
  %32 = linalg.generic {indexing_maps = [affine_map<(b, s) -> (s)>, affine_map<(b, s) -> (b)>, affine_map<(b, s) -> (b, s)>], iterator_types = ["parallel", "parallel"]} ins(%28, %30 : tensor<16xi64>, tensor<4xi64>) outs(%31 : tensor<4x16xi1>) {
  ^bb0(%l: i64, %r: i64, %acc: i1):
    %k = arith.cmpi sge, %l, %r : i64
    linalg.yield %k : i1
  } -> tensor<4x16xi1>
  %33 = tensor.empty() : tensor<4x16xf32>
  %34 = linalg.generic {indexing_maps = [affine_map<(b, s) -> (b, s)>, affine_map<(b, s) -> (b, s)>], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<4x16xi1>) outs(%33 : tensor<4x16xf32>) attrs = {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "left", absent = "neg_inf"}} {
  ^bb0(%l: i1, %acc: f32):
    %v = arith.select %l, %zero, %infinity : f32
    linalg.yield %v : f32
  } -> tensor<4x16xf32>
  %35 = tensor.expand_shape %34 [[0, 1, 2], [3]] output_shape [4, 1, 1, 16] : tensor<4x16xf32> into tensor<4x1x1x16xf32>
  %36 = tensor.empty() : tensor<4x2x16x16xf32>
  %37 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<4x2x16x16xbf16>) outs(%36 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: bf16, %acc: f32):
    %w = arith.extf %l : bf16 to f32
    %d = arith.mulf %w, %per_root : f32
    linalg.yield %d : f32
  } -> tensor<4x2x16x16xf32>
  %38 = tensor.empty() : tensor<4x2x16x16xf32>
  %39 = linalg.generic {indexing_maps = [#id4, affine_map<(b, h, i, j) -> (b, 0, 0, j)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %35 : tensor<4x2x16x16xf32>, tensor<4x1x1x16xf32>) outs(%38 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<4x2x16x16xf32>
  %40 = tensor.empty() : tensor<4x2x16x1xf32>
  %41 = linalg.fill ins(%infinity : f32) outs(%40 : tensor<4x2x16x1xf32>) -> tensor<4x2x16x1xf32>
  %42 = linalg.generic {indexing_maps = [#id4, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<4x2x16x16xf32>) outs(%41 : tensor<4x2x16x1xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %m = arith.maximumf %l, %acc : f32
    linalg.yield %m : f32
  } -> tensor<4x2x16x1xf32>
  %43 = tensor.empty() : tensor<4x2x16x16xf32>
  %44 = linalg.generic {indexing_maps = [#id4, #row, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %42 : tensor<4x2x16x16xf32>, tensor<4x2x16x1xf32>) outs(%43 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %d = arith.subf %l, %r : f32
    linalg.yield %d : f32
  } -> tensor<4x2x16x16xf32>
  %45 = tensor.empty() : tensor<4x2x16x16xf32>
  %46 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<4x2x16x16xf32>) outs(%45 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %e = math.exp %l : f32
    linalg.yield %e : f32
  } -> tensor<4x2x16x16xf32>
  %47 = tensor.empty() : tensor<4x2x16x1xf32>
  %48 = linalg.fill ins(%zero : f32) outs(%47 : tensor<4x2x16x1xf32>) -> tensor<4x2x16x1xf32>
  %49 = linalg.generic {indexing_maps = [#id4, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<4x2x16x16xf32>) outs(%48 : tensor<4x2x16x1xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %l, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4x2x16x1xf32>
  %50 = tensor.empty() : tensor<4x2x16x16xbf16>
  %51 = linalg.generic {indexing_maps = [#id4, #row, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %49 : tensor<4x2x16x16xf32>, tensor<4x2x16x1xf32>) outs(%50 : tensor<4x2x16x16xbf16>) {
  ^bb0(%l: f32, %r: f32, %acc: bf16):
    %q = arith.divf %l, %r : f32
    %n = arith.truncf %q : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<4x2x16x16xbf16>
  %52 = tensor.expand_shape %10 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %53 = tensor.empty() : tensor<4x2x16x32xbf16>
  %54 = linalg.transpose ins(%52 : tensor<4x16x2x32xbf16>) outs(%53 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %55 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<4x2x16x16xbf16> into tensor<8x16x16xbf16>
  %56 = tensor.collapse_shape %54 [[0, 1], [2], [3]] : tensor<4x2x16x32xbf16> into tensor<8x16x32xbf16>
  %57 = tensor.empty() : tensor<8x16x32xf32>
  %58 = linalg.fill ins(%zero : f32) outs(%57 : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  %59 = linalg.batch_matmul ins(%55, %56 : tensor<8x16x16xbf16>, tensor<8x16x32xbf16>) outs(%58 : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  %60 = tensor.empty() : tensor<8x16x32xbf16>
  %61 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<8x16x32xf32>) outs(%60 : tensor<8x16x32xbf16>) {
  ^bb0(%l: f32, %acc: bf16):
    %n = arith.truncf %l : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<8x16x32xbf16>
  %62 = tensor.expand_shape %61 [[0, 1], [2], [3]] output_shape [4, 2, 16, 32] : tensor<8x16x32xbf16> into tensor<4x2x16x32xbf16>
  %63 = tensor.empty() : tensor<4x16x2x32xbf16>
  %64 = linalg.transpose ins(%62 : tensor<4x2x16x32xbf16>) outs(%63 : tensor<4x16x2x32xbf16>) permutation = [0, 2, 1, 3]
  %65 = tensor.collapse_shape %64 [[0], [1], [2, 3]] : tensor<4x16x2x32xbf16> into tensor<4x16x64xbf16>
  return %65 : tensor<4x16x64xbf16>
}

// A mask that says more than which positions count is not left out.
// CHECK-LABEL: func @values_in_mask
// CHECK-NOT: pit.attend
// CHECK: math.exp
func.func @values_in_mask(%x: tensor<4x16x64xbf16> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "right", absent = "undef"}}, %lengths: tensor<4xi64>) -> tensor<4x16x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0xFF800000 : f32
  %per_root = arith.constant 0.1767766952966369 : f32
  %length = arith.constant 16 : i64
  %1 = tensor.empty() : tensor<4x16x64xbf16>
  %2 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%1 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.mulf %l, %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %7 = tensor.empty() : tensor<4x16x64xbf16>
  %8 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%7 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.addf %l, %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %9 = tensor.empty() : tensor<4x16x64xbf16>
  %10 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%9 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.negf %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %11 = tensor.expand_shape %2 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %12 = tensor.empty() : tensor<4x2x16x32xbf16>
  %13 = linalg.transpose ins(%11 : tensor<4x16x2x32xbf16>) outs(%12 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %14 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %15 = tensor.empty() : tensor<4x2x16x32xbf16>
  %16 = linalg.transpose ins(%14 : tensor<4x16x2x32xbf16>) outs(%15 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %17 = tensor.empty() : tensor<4x2x32x16xbf16>
  %18 = linalg.transpose ins(%16 : tensor<4x2x16x32xbf16>) outs(%17 : tensor<4x2x32x16xbf16>) permutation = [0, 1, 3, 2]
  %19 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<4x2x16x32xbf16> into tensor<8x16x32xbf16>
  %20 = tensor.collapse_shape %18 [[0, 1], [2], [3]] : tensor<4x2x32x16xbf16> into tensor<8x32x16xbf16>
  %21 = tensor.empty() : tensor<8x16x16xf32>
  %22 = linalg.fill ins(%zero : f32) outs(%21 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %23 = linalg.batch_matmul ins(%19, %20 : tensor<8x16x32xbf16>, tensor<8x32x16xbf16>) outs(%22 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %24 = tensor.empty() : tensor<8x16x16xbf16>
  %25 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<8x16x16xf32>) outs(%24 : tensor<8x16x16xbf16>) {
  ^bb0(%l: f32, %acc: bf16):
    %n = arith.truncf %l : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<8x16x16xbf16>
  %26 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [4, 2, 16, 16] : tensor<8x16x16xbf16> into tensor<4x2x16x16xbf16>
  %27 = tensor.empty() : tensor<16xi64>
  %28 = linalg.generic {indexing_maps = [affine_map<(s) -> (s)>], iterator_types = ["parallel"]} outs(%27 : tensor<16xi64>) {
  ^bb0(%acc: i64):
    %p = linalg.index 0 : index
    %n = arith.index_cast %p : index to i64
    linalg.yield %n : i64
  } -> tensor<16xi64>
  %29 = tensor.empty() : tensor<4x16xi1>
  %30 = linalg.generic {indexing_maps = [affine_map<(b, s) -> (s)>, affine_map<(b, s) -> (b)>, affine_map<(b, s) -> (b, s)>], iterator_types = ["parallel", "parallel"]} ins(%28, %lengths : tensor<16xi64>, tensor<4xi64>) outs(%29 : tensor<4x16xi1>) {
  ^bb0(%l: i64, %r: i64, %acc: i1):
    %k = arith.cmpi slt, %l, %r : i64
    linalg.yield %k : i1
  } -> tensor<4x16xi1>
  %31 = tensor.empty() : tensor<4x16xf32>
  %32 = linalg.generic {indexing_maps = [affine_map<(b, s) -> (b, s)>, affine_map<(b, s) -> (b, s)>], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<4x16xi1>) outs(%31 : tensor<4x16xf32>) attrs = {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "right", absent = "neg_inf"}} {
  ^bb0(%l: i1, %acc: f32):
    %v = arith.select %l, %per_root, %infinity : f32
    linalg.yield %v : f32
  } -> tensor<4x16xf32>
  %33 = tensor.expand_shape %32 [[0, 1, 2], [3]] output_shape [4, 1, 1, 16] : tensor<4x16xf32> into tensor<4x1x1x16xf32>
  %34 = tensor.empty() : tensor<4x2x16x16xf32>
  %35 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<4x2x16x16xbf16>) outs(%34 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: bf16, %acc: f32):
    %w = arith.extf %l : bf16 to f32
    %d = arith.mulf %w, %per_root : f32
    linalg.yield %d : f32
  } -> tensor<4x2x16x16xf32>
  %36 = tensor.empty() : tensor<4x2x16x16xf32>
  %37 = linalg.generic {indexing_maps = [#id4, affine_map<(b, h, i, j) -> (b, 0, 0, j)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %33 : tensor<4x2x16x16xf32>, tensor<4x1x1x16xf32>) outs(%36 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<4x2x16x16xf32>
  %38 = tensor.empty() : tensor<4x2x16x1xf32>
  %39 = linalg.fill ins(%infinity : f32) outs(%38 : tensor<4x2x16x1xf32>) -> tensor<4x2x16x1xf32>
  %40 = linalg.generic {indexing_maps = [#id4, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<4x2x16x16xf32>) outs(%39 : tensor<4x2x16x1xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %m = arith.maximumf %l, %acc : f32
    linalg.yield %m : f32
  } -> tensor<4x2x16x1xf32>
  %41 = tensor.empty() : tensor<4x2x16x16xf32>
  %42 = linalg.generic {indexing_maps = [#id4, #row, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %40 : tensor<4x2x16x16xf32>, tensor<4x2x16x1xf32>) outs(%41 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %d = arith.subf %l, %r : f32
    linalg.yield %d : f32
  } -> tensor<4x2x16x16xf32>
  %43 = tensor.empty() : tensor<4x2x16x16xf32>
  %44 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<4x2x16x16xf32>) outs(%43 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %e = math.exp %l : f32
    linalg.yield %e : f32
  } -> tensor<4x2x16x16xf32>
  %45 = tensor.empty() : tensor<4x2x16x1xf32>
  %46 = linalg.fill ins(%zero : f32) outs(%45 : tensor<4x2x16x1xf32>) -> tensor<4x2x16x1xf32>
  %47 = linalg.generic {indexing_maps = [#id4, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<4x2x16x16xf32>) outs(%46 : tensor<4x2x16x1xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %l, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4x2x16x1xf32>
  %48 = tensor.empty() : tensor<4x2x16x16xbf16>
  %49 = linalg.generic {indexing_maps = [#id4, #row, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %47 : tensor<4x2x16x16xf32>, tensor<4x2x16x1xf32>) outs(%48 : tensor<4x2x16x16xbf16>) {
  ^bb0(%l: f32, %r: f32, %acc: bf16):
    %q = arith.divf %l, %r : f32
    %n = arith.truncf %q : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<4x2x16x16xbf16>
  %50 = tensor.expand_shape %10 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %51 = tensor.empty() : tensor<4x2x16x32xbf16>
  %52 = linalg.transpose ins(%50 : tensor<4x16x2x32xbf16>) outs(%51 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %53 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<4x2x16x16xbf16> into tensor<8x16x16xbf16>
  %54 = tensor.collapse_shape %52 [[0, 1], [2], [3]] : tensor<4x2x16x32xbf16> into tensor<8x16x32xbf16>
  %55 = tensor.empty() : tensor<8x16x32xf32>
  %56 = linalg.fill ins(%zero : f32) outs(%55 : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  %57 = linalg.batch_matmul ins(%53, %54 : tensor<8x16x16xbf16>, tensor<8x16x32xbf16>) outs(%56 : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  %58 = tensor.empty() : tensor<8x16x32xbf16>
  %59 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<8x16x32xf32>) outs(%58 : tensor<8x16x32xbf16>) {
  ^bb0(%l: f32, %acc: bf16):
    %n = arith.truncf %l : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<8x16x32xbf16>
  %60 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [4, 2, 16, 32] : tensor<8x16x32xbf16> into tensor<4x2x16x32xbf16>
  %61 = tensor.empty() : tensor<4x16x2x32xbf16>
  %62 = linalg.transpose ins(%60 : tensor<4x2x16x32xbf16>) outs(%61 : tensor<4x16x2x32xbf16>) permutation = [0, 2, 1, 3]
  %63 = tensor.collapse_shape %62 [[0], [1], [2, 3]] : tensor<4x16x2x32xbf16> into tensor<4x16x64xbf16>
  return %63 : tensor<4x16x64xbf16>
}

// Nor is anything else taken for a softmax.
// CHECK-LABEL: func @other_function
// CHECK-NOT: pit.attend
// CHECK: math.exp2
func.func @other_function(%x: tensor<4x16x64xbf16> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "right", absent = "undef"}}, %lengths: tensor<4xi64>) -> tensor<4x16x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0xFF800000 : f32
  %per_root = arith.constant 0.1767766952966369 : f32
  %length = arith.constant 16 : i64
  %1 = tensor.empty() : tensor<4x16x64xbf16>
  %2 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%1 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.mulf %l, %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %7 = tensor.empty() : tensor<4x16x64xbf16>
  %8 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%7 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.addf %l, %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %9 = tensor.empty() : tensor<4x16x64xbf16>
  %10 = linalg.generic {indexing_maps = [#id3b, #id3b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x64xbf16>) outs(%9 : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %acc: bf16):
    %s = arith.negf %l : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %11 = tensor.expand_shape %2 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %12 = tensor.empty() : tensor<4x2x16x32xbf16>
  %13 = linalg.transpose ins(%11 : tensor<4x16x2x32xbf16>) outs(%12 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %14 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %15 = tensor.empty() : tensor<4x2x16x32xbf16>
  %16 = linalg.transpose ins(%14 : tensor<4x16x2x32xbf16>) outs(%15 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %17 = tensor.empty() : tensor<4x2x32x16xbf16>
  %18 = linalg.transpose ins(%16 : tensor<4x2x16x32xbf16>) outs(%17 : tensor<4x2x32x16xbf16>) permutation = [0, 1, 3, 2]
  %19 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<4x2x16x32xbf16> into tensor<8x16x32xbf16>
  %20 = tensor.collapse_shape %18 [[0, 1], [2], [3]] : tensor<4x2x32x16xbf16> into tensor<8x32x16xbf16>
  %21 = tensor.empty() : tensor<8x16x16xf32>
  %22 = linalg.fill ins(%zero : f32) outs(%21 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %23 = linalg.batch_matmul ins(%19, %20 : tensor<8x16x32xbf16>, tensor<8x32x16xbf16>) outs(%22 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %24 = tensor.empty() : tensor<8x16x16xbf16>
  %25 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<8x16x16xf32>) outs(%24 : tensor<8x16x16xbf16>) {
  ^bb0(%l: f32, %acc: bf16):
    %n = arith.truncf %l : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<8x16x16xbf16>
  %26 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [4, 2, 16, 16] : tensor<8x16x16xbf16> into tensor<4x2x16x16xbf16>
  %27 = tensor.empty() : tensor<16xi64>
  %28 = linalg.generic {indexing_maps = [affine_map<(s) -> (s)>], iterator_types = ["parallel"]} outs(%27 : tensor<16xi64>) {
  ^bb0(%acc: i64):
    %p = linalg.index 0 : index
    %n = arith.index_cast %p : index to i64
    linalg.yield %n : i64
  } -> tensor<16xi64>
  %29 = tensor.empty() : tensor<4x16xi1>
  %30 = linalg.generic {indexing_maps = [affine_map<(b, s) -> (s)>, affine_map<(b, s) -> (b)>, affine_map<(b, s) -> (b, s)>], iterator_types = ["parallel", "parallel"]} ins(%28, %lengths : tensor<16xi64>, tensor<4xi64>) outs(%29 : tensor<4x16xi1>) {
  ^bb0(%l: i64, %r: i64, %acc: i1):
    %k = arith.cmpi slt, %l, %r : i64
    linalg.yield %k : i1
  } -> tensor<4x16xi1>
  %31 = tensor.empty() : tensor<4x16xf32>
  %32 = linalg.generic {indexing_maps = [affine_map<(b, s) -> (b, s)>, affine_map<(b, s) -> (b, s)>], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<4x16xi1>) outs(%31 : tensor<4x16xf32>) attrs = {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "right", absent = "neg_inf"}} {
  ^bb0(%l: i1, %acc: f32):
    %v = arith.select %l, %zero, %infinity : f32
    linalg.yield %v : f32
  } -> tensor<4x16xf32>
  %33 = tensor.expand_shape %32 [[0, 1, 2], [3]] output_shape [4, 1, 1, 16] : tensor<4x16xf32> into tensor<4x1x1x16xf32>
  %34 = tensor.empty() : tensor<4x2x16x16xf32>
  %35 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<4x2x16x16xbf16>) outs(%34 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: bf16, %acc: f32):
    %w = arith.extf %l : bf16 to f32
    %d = arith.mulf %w, %per_root : f32
    linalg.yield %d : f32
  } -> tensor<4x2x16x16xf32>
  %36 = tensor.empty() : tensor<4x2x16x16xf32>
  %37 = linalg.generic {indexing_maps = [#id4, affine_map<(b, h, i, j) -> (b, 0, 0, j)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %33 : tensor<4x2x16x16xf32>, tensor<4x1x1x16xf32>) outs(%36 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<4x2x16x16xf32>
  %38 = tensor.empty() : tensor<4x2x16x1xf32>
  %39 = linalg.fill ins(%infinity : f32) outs(%38 : tensor<4x2x16x1xf32>) -> tensor<4x2x16x1xf32>
  %40 = linalg.generic {indexing_maps = [#id4, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<4x2x16x16xf32>) outs(%39 : tensor<4x2x16x1xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %m = arith.maximumf %l, %acc : f32
    linalg.yield %m : f32
  } -> tensor<4x2x16x1xf32>
  %41 = tensor.empty() : tensor<4x2x16x16xf32>
  %42 = linalg.generic {indexing_maps = [#id4, #row, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %40 : tensor<4x2x16x16xf32>, tensor<4x2x16x1xf32>) outs(%41 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %d = arith.subf %l, %r : f32
    linalg.yield %d : f32
  } -> tensor<4x2x16x16xf32>
  %43 = tensor.empty() : tensor<4x2x16x16xf32>
  %44 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<4x2x16x16xf32>) outs(%43 : tensor<4x2x16x16xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %e = math.exp2 %l : f32
    linalg.yield %e : f32
  } -> tensor<4x2x16x16xf32>
  %45 = tensor.empty() : tensor<4x2x16x1xf32>
  %46 = linalg.fill ins(%zero : f32) outs(%45 : tensor<4x2x16x1xf32>) -> tensor<4x2x16x1xf32>
  %47 = linalg.generic {indexing_maps = [#id4, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<4x2x16x16xf32>) outs(%46 : tensor<4x2x16x1xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %l, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4x2x16x1xf32>
  %48 = tensor.empty() : tensor<4x2x16x16xbf16>
  %49 = linalg.generic {indexing_maps = [#id4, #row, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %47 : tensor<4x2x16x16xf32>, tensor<4x2x16x1xf32>) outs(%48 : tensor<4x2x16x16xbf16>) {
  ^bb0(%l: f32, %r: f32, %acc: bf16):
    %q = arith.divf %l, %r : f32
    %n = arith.truncf %q : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<4x2x16x16xbf16>
  %50 = tensor.expand_shape %10 [[0], [1], [2, 3]] output_shape [4, 16, 2, 32] : tensor<4x16x64xbf16> into tensor<4x16x2x32xbf16>
  %51 = tensor.empty() : tensor<4x2x16x32xbf16>
  %52 = linalg.transpose ins(%50 : tensor<4x16x2x32xbf16>) outs(%51 : tensor<4x2x16x32xbf16>) permutation = [0, 2, 1, 3]
  %53 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<4x2x16x16xbf16> into tensor<8x16x16xbf16>
  %54 = tensor.collapse_shape %52 [[0, 1], [2], [3]] : tensor<4x2x16x32xbf16> into tensor<8x16x32xbf16>
  %55 = tensor.empty() : tensor<8x16x32xf32>
  %56 = linalg.fill ins(%zero : f32) outs(%55 : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  %57 = linalg.batch_matmul ins(%53, %54 : tensor<8x16x16xbf16>, tensor<8x16x32xbf16>) outs(%56 : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  %58 = tensor.empty() : tensor<8x16x32xbf16>
  %59 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<8x16x32xf32>) outs(%58 : tensor<8x16x32xbf16>) {
  ^bb0(%l: f32, %acc: bf16):
    %n = arith.truncf %l : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<8x16x32xbf16>
  %60 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [4, 2, 16, 32] : tensor<8x16x32xbf16> into tensor<4x2x16x32xbf16>
  %61 = tensor.empty() : tensor<4x16x2x32xbf16>
  %62 = linalg.transpose ins(%60 : tensor<4x2x16x32xbf16>) outs(%61 : tensor<4x16x2x32xbf16>) permutation = [0, 2, 1, 3]
  %63 = tensor.collapse_shape %62 [[0], [1], [2, 3]] : tensor<4x16x2x32xbf16> into tensor<4x16x64xbf16>
  return %63 : tensor<4x16x64xbf16>
}
