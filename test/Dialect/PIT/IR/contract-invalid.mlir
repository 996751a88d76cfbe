// RUN: pit-opt %s --split-input-file --verify-diagnostics

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @no_index(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C1: the domain 'rows' needs an index}}
  pit.contract rows ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @mask_alone(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %m: memref<1x1xi1>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C1: a mask and what it fills with come together, in the domain 'blocks'}}
  pit.contract dense mask(%m : memref<1x1xi1>) ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>, fill = 0.0 : f32}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
func.func @few_maps(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C2: needs one map for each of 3 operands, got 2}}
  pit.contract dense ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
    {indexing_maps = [#mk, #kn], listed = array<i1: false, false, false>}
  return
}

// -----

#mn = affine_map<(m, n, k) -> (m, n)>
#kn = affine_map<(m, n, k) -> (k, n)>
func.func @wrong_axes(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C2: map 0 of A must have m and k, and not n}}
  pit.contract dense ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
    {indexing_maps = [#mn, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @types(%a: memref<64x64xbf16>, %b: memref<64x64xf16>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C3: A and B must have one element type, got 'bf16' and 'f16'}}
  pit.contract dense ins(%a, %b : memref<64x64xbf16>, memref<64x64xf16>) outs(%c : memref<64x64xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @wide(%a: memref<64x64xf128>, %b: memref<64x64xf128>, %c: memref<64x64xf32>) {
  // expected-error @below {{C3: A and B must have floats of at most 64 bits or i8, not 'f128'}}
  pit.contract dense ins(%a, %b : memref<64x64xf128>, memref<64x64xf128>) outs(%c : memref<64x64xf32>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @integers(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xf32>) {
  // expected-error @below {{C3: without an epilogue, sums of 'i32' are not rounded to 'f32'}}
  pit.contract dense ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xf32>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @wide_integers(%a: memref<64x64xi16>, %b: memref<64x64xi16>, %c: memref<64x64xi32>) {
  // expected-error @below {{C3: A and B must have floats of at most 64 bits or i8, not 'i16'}}
  pit.contract dense ins(%a, %b : memref<64x64xi16>, memref<64x64xi16>) outs(%c : memref<64x64xi32>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @index_c(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi64>) {
  // expected-error @below {{C3: C must have floats of at most 64 bits, i8 or i32, not 'i64'}}
  pit.contract dense ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xi64>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @unsigned(%a: memref<64x64xf64>, %b: memref<64x64xf64>, %c: memref<64x64xf64>) {
  // expected-error @below {{C3: only i8 can be unsigned, not 'f64'}}
  pit.contract dense ins(%a, %b : memref<64x64xf64>, memref<64x64xf64>) outs(%c : memref<64x64xf64>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>, unsigned_b}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @sums(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi8>) {
  // expected-error @below {{C5: the epilogue's arguments must be 1 'i32' and one element of each operand}}
  pit.contract dense ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xi8>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>} epilogue {
  ^bb0(%sum: i8):
    pit.yield %sum : i8
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @yielded(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi8>) {
  // expected-error @below {{C5: the epilogue must yield one 'i8'}}
  pit.contract dense ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xi8>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>} epilogue {
  ^bb0(%sum: i32):
    pit.yield %sum : i32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @wide_c(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xf64>) {
  // expected-error @below {{C3: without an epilogue, sums of 'f32' are not rounded to 'f64'}}
  pit.contract dense ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xf64>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @listed(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C4: operand 0 has no listed rows in the domain 'dense'}}
  pit.contract dense ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @function(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C5: the epilogue must consist of ops of arith and math, not 'memref.load'}}
  pit.contract dense ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>} epilogue {
  ^bb0(%sum: f32):
    %i = arith.constant 0 : index
    %0 = memref.load %a[%i, %i] : memref<64x64xbf16>
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.addf %sum, %1 : f32
    pit.yield %2 : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @two_sums(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C5: two sums need an epilogue that makes one value of them}}
  pit.contract dense ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) second(%b : memref<64x64xbf16>)
    outs(%c : memref<64x64xbf16>) {indexing_maps = [#mk, #kn, #kn, #mn], listed = array<i1: false, false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @mixed(%a: tensor<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C6: mixes tensors and buffers}}
  pit.contract dense ins(%a, %b : tensor<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @family(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C7: the plan's family 'grouped_gemm' does not compute the domain 'dense'}}
  pit.contract dense ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
    plan <family = grouped_gemm, tile = [64, 64], stages = 4>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>
!list = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
func.func @batches_listed(%i: !list, %a: tensor<2x64x64xbf16>, %b: tensor<2x64x64xbf16>, %c: tensor<2x64x64xbf16>) -> tensor<2x64x64xbf16> {
  // expected-error @below {{C1: the domain 'batches' has no index}}
  %0 = pit.contract batches over(%i : !list) ins(%a, %b : tensor<2x64x64xbf16>, tensor<2x64x64xbf16>) outs(%c : tensor<2x64x64xbf16>)
    {indexing_maps = [#bmk, #bkn, #bmn], listed = array<i1: false, false, false>} -> tensor<2x64x64xbf16>
  return %0 : tensor<2x64x64xbf16>
}

// -----

#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#mn = affine_map<(b, m, n, k) -> (m, n)>
func.func @one_result(%a: memref<2x64x64xbf16>, %b: memref<2x64x64xbf16>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C2: map 2 of C must have the axis of batches}}
  pit.contract batches ins(%a, %b : memref<2x64x64xbf16>, memref<2x64x64xbf16>) outs(%c : memref<64x64xbf16>)
    {indexing_maps = [#bmk, #bkn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(b, m, n, k) -> (m, k)>
#kn = affine_map<(b, m, n, k) -> (k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @one_product(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<2x64x64xbf16>) {
  // expected-error @below {{C2: A or B must have the axis of batches}}
  pit.contract batches ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<2x64x64xbf16>)
    {indexing_maps = [#mk, #kn, #bmn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @without_batches(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  // expected-error @below {{C2: map 0 must be over 4 dimensions and have one result per axis}}
  pit.contract batches ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @other_family(%a: memref<2x64x64xbf16>, %b: memref<2x64x64xbf16>, %c: memref<2x64x64xbf16>) {
  // expected-error @below {{C7: the plan's family 'gemm' does not compute the domain 'batches'}}
  pit.contract batches ins(%a, %b : memref<2x64x64xbf16>, memref<2x64x64xbf16>) outs(%c : memref<2x64x64xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 6, consumers = 2>
    {indexing_maps = [#bmk, #bkn, #bmn], listed = array<i1: false, false, false>}
  return
}

// -----

#a = affine_map<(t, m, n, k) -> (m, t, k)>
#b = affine_map<(t, m, n, k) -> (t, k, n)>
#c = affine_map<(t, m, n, k) -> (m, n)>
func.func @without_window(%a: memref<4x14x14x64xbf16>, %b: memref<9x64x128xbf16>, %c: memref<784x128xf32>) {
  // expected-error @below {{C1: the domain 'windows' needs a window}}
  pit.contract windows ins(%a, %b : memref<4x14x14x64xbf16>, memref<9x64x128xbf16>) outs(%c : memref<784x128xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>}
  return
}

// -----

#a = affine_map<(t, m, n, k) -> (m, t, k)>
#b = affine_map<(t, m, n, k) -> (t, k, n)>
#c = affine_map<(t, m, n, k) -> (m, n)>
func.func @axes_of_window(%a: memref<4x14x64xbf16>, %b: memref<9x64x128xbf16>, %c: memref<784x128xf32>) {
  // expected-error @below {{C2: map 0 must be over 4 dimensions and have one result per axis}}
  pit.contract windows ins(%a, %b : memref<4x14x64xbf16>, memref<9x64x128xbf16>) outs(%c : memref<784x128xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>,
     window = #pit.window<size = [3, 3], strides = [1, 1], dilations = [1, 1], low = [1, 1], positions = [14, 14]>}
  return
}

// -----

#a = affine_map<(t, m, n, k) -> (m, t, k)>
#b = affine_map<(t, m, n, k) -> (t, k, n)>
#c = affine_map<(t, m, n, k) -> (m, n)>
func.func @one_matrix(%a: memref<4x14x14x64xbf16>, %b: memref<64x128xbf16>, %c: memref<784x128xf32>) {
  // expected-error @below {{C2: map 1 of B must have the axis of places in a window}}
  pit.contract windows ins(%a, %b : memref<4x14x14x64xbf16>, memref<64x128xbf16>) outs(%c : memref<784x128xf32>)
    {indexing_maps = [#a, affine_map<(t, m, n, k) -> (k, n)>, #c], listed = array<i1: false, false, false>,
     window = #pit.window<size = [3, 3], strides = [1, 1], dilations = [1, 1], low = [1, 1], positions = [14, 14]>}
  return
}

// -----

#a = affine_map<(t, m, n, k) -> (m, t, k)>
#b = affine_map<(t, m, n, k) -> (t, k, n)>
#c = affine_map<(t, m, n, k) -> (m, n)>
func.func @order_of_a(%a: memref<4x14x14x64xbf16>, %b: memref<9x64x128xbf16>, %c: memref<784x128xf32>) {
  // expected-error @below {{C2: map 0 of A must be (m, t, k)}}
  pit.contract windows ins(%a, %b : memref<4x14x14x64xbf16>, memref<9x64x128xbf16>) outs(%c : memref<784x128xf32>)
    {indexing_maps = [affine_map<(t, m, n, k) -> (m, k, t)>, #b, #c], listed = array<i1: false, false, false>,
     window = #pit.window<size = [3, 3], strides = [1, 1], dilations = [1, 1], low = [1, 1], positions = [14, 14]>}
  return
}

// -----

#a = affine_map<(t, m, n, k) -> (m, t, k)>
#b = affine_map<(t, m, n, k) -> (t, k, n)>
#c = affine_map<(t, m, n, k) -> (m, n)>
func.func @groups(%a: memref<4x14x14x64xbf16>, %b: memref<9x48x128xbf16>, %c: memref<784x128xf32>) {
  // expected-error @below {{C2: A has 64 channels, which are no groups of 48 as B has}}
  pit.contract windows ins(%a, %b : memref<4x14x14x64xbf16>, memref<9x48x128xbf16>) outs(%c : memref<784x128xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>,
     window = #pit.window<size = [3, 3], strides = [1, 1], dilations = [1, 1], low = [1, 1], positions = [14, 14]>}
  return
}

// -----

#a = affine_map<(t, m, n, k) -> (m, t, k)>
#b = affine_map<(t, m, n, k) -> (t, k, n)>
#c = affine_map<(t, m, n, k) -> (m, n)>
func.func @more_channels(%a: memref<4x14x14x64xbf16>, %b: memref<9x128x128xbf16>, %c: memref<784x128xf32>) {
  // expected-error @below {{C2: A has 64 channels, which are no groups of 128 as B has}}
  pit.contract windows ins(%a, %b : memref<4x14x14x64xbf16>, memref<9x128x128xbf16>) outs(%c : memref<784x128xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>,
     window = #pit.window<size = [3, 3], strides = [1, 1], dilations = [1, 1], low = [1, 1], positions = [14, 14]>}
  return
}

// -----

#a = affine_map<(t, m, n, k) -> (m, t, k)>
#b = affine_map<(t, m, n, k) -> (t, k, n)>
#c = affine_map<(t, m, n, k) -> (m, n)>
func.func @columns_of_groups(%a: memref<4x14x14x64xbf16>, %b: memref<9x32x129xbf16>, %c: memref<784x129xf32>) {
  // expected-error @below {{C2: C has 129 columns, which are not of 2 groups}}
  pit.contract windows ins(%a, %b : memref<4x14x14x64xbf16>, memref<9x32x129xbf16>) outs(%c : memref<784x129xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>,
     window = #pit.window<size = [3, 3], strides = [1, 1], dilations = [1, 1], low = [1, 1], positions = [14, 14]>}
  return
}

// -----

!ks = !pit.index<[456, 4], coordinate = 0, tile = [1, 1], width = 32>
func.func @segment_depth_without_segments(%i: !pit.index_buffer<!ks>, %a: memref<456x264xbf16>, %b: memref<456x328xbf16>, %c: memref<264x328xbf16>) {
  // expected-error @below {{C2: map 2 of C must have the axis of segments}}
  pit.contract segment_depth over(%i : !pit.index_buffer<!ks>) ins(%a, %b : memref<456x264xbf16>, memref<456x328xbf16>) outs(%c : memref<264x328xbf16>)
    {indexing_maps = [affine_map<(s, m, n, k) -> (k, m)>, affine_map<(s, m, n, k) -> (k, n)>, affine_map<(s, m, n, k) -> (m, n)>], listed = array<i1: true, true, false>}
  return
}

// -----

!ks = !pit.index<[456, 4], coordinate = 0, tile = [1, 1], width = 32>
func.func @segments_of_k(%i: !pit.index_buffer<!ks>, %a: memref<4x456x264xbf16>, %b: memref<456x328xbf16>, %c: memref<4x264x328xbf16>) {
  // expected-error @below {{C2: map 0 must not have the axis of segments, whose k it has packed}}
  pit.contract segment_depth over(%i : !pit.index_buffer<!ks>) ins(%a, %b : memref<4x456x264xbf16>, memref<456x328xbf16>) outs(%c : memref<4x264x328xbf16>)
    {indexing_maps = [affine_map<(s, m, n, k) -> (s, k, m)>, affine_map<(s, m, n, k) -> (k, n)>, affine_map<(s, m, n, k) -> (s, m, n)>], listed = array<i1: false, true, false>}
  return
}

// -----

!ks = !pit.index<[456, 4], coordinate = 0, tile = [1, 1], width = 32>
func.func @listed_result(%i: !pit.index_buffer<!ks>, %a: memref<456x264xbf16>, %b: memref<456x328xbf16>, %c: memref<4x264x328xbf16>) {
  // expected-error @below {{C4: operand 2 has no listed rows in the domain 'segment_depth'}}
  pit.contract segment_depth over(%i : !pit.index_buffer<!ks>) ins(%a, %b : memref<456x264xbf16>, memref<456x328xbf16>) outs(%c : memref<4x264x328xbf16>)
    {indexing_maps = [affine_map<(s, m, n, k) -> (k, m)>, affine_map<(s, m, n, k) -> (k, n)>, affine_map<(s, m, n, k) -> (s, m, n)>], listed = array<i1: true, true, true>}
  return
}
