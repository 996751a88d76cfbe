// Programs that the abuse of the runtime is tried on: C = A * B, where each kind
// of pattern says which elements of A count. Rows are those of A flattened to
// two dimensions.

func.func @mask(%a: tensor<?x8xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<?xi1>, %b: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x8xf32>
  %empty = tensor.empty(%m) : tensor<?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x4xf32>) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}

// The mask is along the reduction.
func.func @mask_k(%a: tensor<?x8xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 1>, absent = "zero"}},
    %live: tensor<8xi1>, %b: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x8xf32>
  %empty = tensor.empty(%m) : tensor<?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x4xf32>) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}

func.func @blocks(%a: tensor<8x8xf32> {pit.sparse = {source = "blocks", from = 1 : i64, axes = array<i64: 0, 1>,
      granularity = array<i64: 2, 4>, absent = "zero"}},
    %bits: tensor<4x2xi1>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %c : tensor<8x4xf32>
}

// Lengths of 64 bits, padded on the right.
#x = affine_map<(b, l, n, k) -> (b, l, k)>
#w = affine_map<(b, l, n, k) -> (k, n)>
#y = affine_map<(b, l, n, k) -> (b, l, n)>
func.func @lengths(%a: tensor<?x?x8xf32> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, absent = "zero"}},
    %lengths: tensor<?xi64>, %b: tensor<8x4xf32>) -> tensor<?x?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %a, %c0 : tensor<?x?x8xf32>
  %length = tensor.dim %a, %c1 : tensor<?x?x8xf32>
  %empty = tensor.empty(%batch, %length) : tensor<?x?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?x8xf32>, tensor<8x4xf32>) outs(%init : tensor<?x?x4xf32>) {
  ^bb0(%av: f32, %bv: f32, %acc: f32):
    %p = arith.mulf %av, %bv : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?x4xf32>
  return %c : tensor<?x?x4xf32>
}

// Lengths of 32 bits, padded on the left.
func.func @lengths_left(%a: tensor<?x?x8xf32> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "left",
      absent = "zero"}},
    %lengths: tensor<?xi32>, %b: tensor<8x4xf32>) -> tensor<?x?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %a, %c0 : tensor<?x?x8xf32>
  %length = tensor.dim %a, %c1 : tensor<?x?x8xf32>
  %empty = tensor.empty(%batch, %length) : tensor<?x?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?x8xf32>, tensor<8x4xf32>) outs(%init : tensor<?x?x4xf32>) {
  ^bb0(%av: f32, %bv: f32, %acc: f32):
    %p = arith.mulf %av, %bv : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?x4xf32>
  return %c : tensor<?x?x4xf32>
}

// A gate says which of four experts a token goes to.
func.func @routing(%a: tensor<?x4x8xf32> {pit.sparse = {source = "routing", from = 1 : i64, axes = array<i64: 0, 1>, absent = "zero"}},
    %gate: tensor<?x4xf32>, %b: tensor<8x4xf32>) -> tensor<?x4x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.dim %a, %c0 : tensor<?x4x8xf32>
  %empty = tensor.empty(%tokens) : tensor<?x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4x4xf32>) -> tensor<?x4x4xf32>
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x4x8xf32>, tensor<8x4xf32>) outs(%init : tensor<?x4x4xf32>) {
  ^bb0(%av: f32, %bv: f32, %acc: f32):
    %p = arith.mulf %av, %bv : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x4x4xf32>
  return %c : tensor<?x4x4xf32>
}

// At most two of four experts per token: more than that has no room.
func.func @bounded(%a: tensor<?x4x8xf32> {pit.sparse = {source = "routing", from = 1 : i64, axes = array<i64: 0, 1>, absent = "zero",
      at_most = 2 : i64}},
    %gate: tensor<?x4xf32>, %b: tensor<8x4xf32>) -> tensor<?x4x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.dim %a, %c0 : tensor<?x4x8xf32>
  %empty = tensor.empty(%tokens) : tensor<?x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4x4xf32>) -> tensor<?x4x4xf32>
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x4x8xf32>, tensor<8x4xf32>) outs(%init : tensor<?x4x4xf32>) {
  ^bb0(%av: f32, %bv: f32, %acc: f32):
    %p = arith.mulf %av, %bv : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x4x4xf32>
  return %c : tensor<?x4x4xf32>
}

// What is not zero counts.
func.func @values(%a: tensor<?x8xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero"}},
    %b: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x8xf32>
  %empty = tensor.empty(%m) : tensor<?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x4xf32>) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}

// Lists that the caller brings along: of each of two segments, the rows that count.
!rows = !pit.index<[2, ?], coordinate = 1, tile = [1, 1], width = 32>
func.func @listed(%a: tensor<2x?x8xf32>, %offsets: tensor<?xi64>, %coords: tensor<?xi32>, %b: tensor<8x4xf32>) -> tensor<2x?x4xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c1 : tensor<2x?x8xf32>
  %i = pit.assemble %offsets, %coords extents(%m) : tensor<?xi64>, tensor<?xi32> -> !rows
  %empty = tensor.empty(%m) : tensor<2x?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  %c = pit.generic {indexing_maps = [#x, #w, #y], index_axes = array<i64: 0, 1>, packed = array<i1: false, false, false>,
      iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>,
                        #linalg.iterator_type<reduction>]}
      over(%i : !rows) ins(%a, %b : tensor<2x?x8xf32>, tensor<8x4xf32>) outs(%init : tensor<2x?x4xf32>) {
  ^bb0(%av: f32, %bv: f32, %acc: f32):
    %p = arith.mulf %av, %bv : f32
    %s = arith.addf %acc, %p : f32
    pit.yield %s : f32
  } -> tensor<2x?x4xf32>
  return %c : tensor<2x?x4xf32>
}

// The same, of an index whose rows are counted by another tensor than the one that it is followed into.
func.func @listed_elsewhere(%a: tensor<2x?x8xf32>, %like: tensor<?xi8>, %offsets: tensor<?xi64>, %coords: tensor<?xi32>,
    %b: tensor<8x4xf32>) -> tensor<2x?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c1 : tensor<2x?x8xf32>
  %n = tensor.dim %like, %c0 : tensor<?xi8>
  %i = pit.assemble %offsets, %coords extents(%n) : tensor<?xi64>, tensor<?xi32> -> !rows
  %empty = tensor.empty(%m) : tensor<2x?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  %c = pit.generic {indexing_maps = [#x, #w, #y], index_axes = array<i64: 0, 1>, packed = array<i1: false, false, false>,
      iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>,
                        #linalg.iterator_type<reduction>]}
      over(%i : !rows) ins(%a, %b : tensor<2x?x8xf32>, tensor<8x4xf32>) outs(%init : tensor<2x?x4xf32>) {
  ^bb0(%av: f32, %bv: f32, %acc: f32):
    %p = arith.mulf %av, %bv : f32
    %s = arith.addf %acc, %p : f32
    pit.yield %s : f32
  } -> tensor<2x?x4xf32>
  return %c : tensor<2x?x4xf32>
}
