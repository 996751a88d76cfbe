// Patterns pass through what only moves data, in both directions, and where they do not a remark says why.
// RUN: pit-opt %s --split-input-file --convert-linalg-to-pit --canonicalize --cse | FileCheck %s
// RUN: pit-opt %s --split-input-file --convert-linalg-to-pit --remarks-filter=pit-rules -o /dev/null 2>&1 | FileCheck %s --check-prefix=ENDS

// Halves of a product, whose rows nobody reads where their product is dead.
// CHECK-LABEL: func.func @chunk
// CHECK: %[[I:.*]] = pit.detect
// CHECK: %[[P:.*]] = pit.generic {{.*}} over(%[[I]]
// CHECK: tensor.extract_slice %[[P]][0, 0] [512, 64] [1, 1]
// CHECK: tensor.extract_slice %[[P]][0, 64] [512, 64] [1, 1]
// CHECK: pit.generic {{.*}} over(%[[I]]
// CHECK-NOT: linalg.matmul
func.func @chunk(%x: tensor<512x64xf32>, %live: tensor<512xi1>, %w: tensor<64x128xf32>) -> tensor<512x64xf32> {
  %c0 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<512x128xf32>
  %z2 = linalg.fill ins(%c0 : f32) outs(%e2 : tensor<512x128xf32>) -> tensor<512x128xf32>
  %p = linalg.matmul ins(%x, %w : tensor<512x64xf32>, tensor<64x128xf32>) outs(%z2 : tensor<512x128xf32>) -> tensor<512x128xf32>
  %g = tensor.extract_slice %p[0, 0] [512, 64] [1, 1] : tensor<512x128xf32> to tensor<512x64xf32>
  %u = tensor.extract_slice %p[0, 64] [512, 64] [1, 1] : tensor<512x128xf32> to tensor<512x64xf32>
  %e = tensor.empty() : tensor<512x64xf32>
  %m = linalg.mul ins(%g, %u : tensor<512x64xf32>, tensor<512x64xf32>) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %s = pit.sparse %m by(%live : tensor<512xi1>) <kind = mask, axes = [0]> : tensor<512x64xf32>
  return %s : tensor<512x64xf32>
}

// -----

// Halves that change places; what is behind them keeps the rows.
// CHECK-LABEL: func.func @rotate
// CHECK: %[[P:.*]] = pit.generic
// CHECK: %[[A:.*]] = tensor.extract_slice %[[P]]
// CHECK: %[[B:.*]] = tensor.extract_slice %[[P]]
// CHECK: %[[C:.*]] = tensor.concat dim(1) %[[B]], %[[A]]
// CHECK: %[[Q:.*]] = pit.generic {{.*}}%[[C]]
// CHECK: pit.swrite %[[Q]]
func.func @rotate(%x: tensor<?x64xf32>, %live: tensor<?xi1>, %w: tensor<64x64xf32>, %v: tensor<64x64xf32>, %n: index) -> tensor<?x64xf32> {
  %c0 = arith.constant 0.0 : f32
  %d0 = arith.constant 0 : index
  %d = tensor.dim %x, %d0 : tensor<?x64xf32>
  %e = tensor.empty(%d) : tensor<?x64xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x64xf32>) outs(%z : tensor<?x64xf32>) -> tensor<?x64xf32>
  %s = pit.sparse %p by(%live : tensor<?xi1>) <kind = mask, axes = [0], absent = undef> : tensor<?x64xf32>
  %lo = tensor.extract_slice %s[0, 0] [%d, 32] [1, 1] : tensor<?x64xf32> to tensor<?x32xf32>
  %hi = tensor.extract_slice %s[0, 32] [%d, 32] [1, 1] : tensor<?x64xf32> to tensor<?x32xf32>
  %r = tensor.concat dim(1) %hi, %lo : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x64xf32>
  %q = linalg.matmul ins(%r, %v : tensor<?x64xf32>, tensor<64x64xf32>) outs(%z : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %q : tensor<?x64xf32>
}

// -----

// Two marked dimensions with one of extent 1 between them and behind them.
// CHECK-LABEL: func.func @units
// CHECK: %[[S:.*]] = pit.generic
// CHECK: %[[V:.*]] = tensor.expand_shape %[[S]] {{\[\[}}0, 1, 2], [3]] output_shape [512, 1, 1, 64]
// CHECK: pit.generic {{.*}}%[[V]]
#id = affine_map<(b, u, m, v, k) -> (b, u, m, v, k)>
func.func @units(%x: tensor<4x128x64xf32>, %len: tensor<4xi64>) -> tensor<4x1x128x1x64xf32> {
  %s = pit.sparse %x by(%len : tensor<4xi64>) <kind = lengths, axes = [0, 1], absent = undef> : tensor<4x128x64xf32>
  %e0 = tensor.empty() : tensor<4x128x64xf32>
  %n = linalg.negf ins(%s : tensor<4x128x64xf32>) outs(%e0 : tensor<4x128x64xf32>) -> tensor<4x128x64xf32>
  %v = tensor.expand_shape %n [[0], [1, 2, 3], [4]] output_shape [4, 1, 128, 1, 64] : tensor<4x128x64xf32> into tensor<4x1x128x1x64xf32>
  %e = tensor.empty() : tensor<4x1x128x1x64xf32>
  %q = linalg.exp ins(%v : tensor<4x1x128x1x64xf32>) outs(%e : tensor<4x1x128x1x64xf32>) -> tensor<4x1x128x1x64xf32>
  return %q : tensor<4x1x128x1x64xf32>
}

// -----

// What a dead row is does not vary with the row: the bias. Its slice is moved as the rows are.
// CHECK-LABEL: func.func @invariant
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: tensor<128xf32>
// CHECK: %[[P:.*]] = pit.generic
// CHECK: %[[H:.*]] = tensor.extract_slice %[[P]][0, 64] [512, 32]
// CHECK: %[[D:.*]] = tensor.extract_slice %{{.*}}[64] [32] [1] : tensor<128xf32> to tensor<32xf32>
// CHECK: %[[B:.*]] = linalg.broadcast ins(%[[D]]
// CHECK: pit.swrite %[[H]] into %[[B]]
func.func @invariant(%x: tensor<512x128xf32>, %live: tensor<512xi1>, %bias: tensor<128xf32>) -> tensor<512x32xf32> {
  %s = pit.sparse %x by(%live : tensor<512xi1>) <kind = mask, axes = [0]> : tensor<512x128xf32>
  %e = tensor.empty() : tensor<512x128xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%s, %bias : tensor<512x128xf32>, tensor<128xf32>) outs(%e : tensor<512x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<512x128xf32>
  %h = tensor.extract_slice %p[0, 64] [512, 32] [1, 1] : tensor<512x128xf32> to tensor<512x32xf32>
  return %h : tensor<512x32xf32>
}

// -----

// What is read whole in parts, which are most of it, is written once, where it is computed.
// CHECK-LABEL: func.func @parts
// CHECK: %[[P:.*]] = pit.generic
// CHECK: %[[W:.*]] = pit.swrite %[[P]]
// CHECK: tensor.extract_slice %[[W]][0, 0] [512, 48]
// CHECK: tensor.extract_slice %[[W]][0, 64] [512, 64]
// CHECK-NOT: pit.swrite
func.func @parts(%x: tensor<512x128xf32>, %live: tensor<512xi1>) -> (tensor<512x6x8xf32>, tensor<512x64xf32>) {
  %s = pit.sparse %x by(%live : tensor<512xi1>) <kind = mask, axes = [0]> : tensor<512x128xf32>
  %e = tensor.empty() : tensor<512x128xf32>
  %p = linalg.negf ins(%s : tensor<512x128xf32>) outs(%e : tensor<512x128xf32>) -> tensor<512x128xf32>
  %g = tensor.extract_slice %p[0, 0] [512, 48] [1, 1] : tensor<512x128xf32> to tensor<512x48xf32>
  %v = tensor.expand_shape %g [[0], [1, 2]] output_shape [512, 6, 8] : tensor<512x48xf32> into tensor<512x6x8xf32>
  %h = tensor.extract_slice %p[0, 64] [512, 64] [1, 1] : tensor<512x128xf32> to tensor<512x64xf32>
  return %v, %h : tensor<512x6x8xf32>, tensor<512x64xf32>
}

// -----

// Where rows themselves are cut, or padded, the pattern ends, and it is said.
// ENDS: Function=cut{{.*}}Op=tensor.extract_slice, Reason="a slice takes a part of the dimension", Remark="pattern 0 (mask at {{.*}}) ends here"
// CHECK-LABEL: func.func @cut
// CHECK: pit.swrite
// CHECK: tensor.extract_slice
func.func @cut(%x: tensor<512x64xf32>, %live: tensor<512xi1>) -> tensor<256x64xf32> {
  %s = pit.sparse %x by(%live : tensor<512xi1>) <kind = mask, axes = [0]> : tensor<512x64xf32>
  %e = tensor.empty() : tensor<512x64xf32>
  %p = linalg.negf ins(%s : tensor<512x64xf32>) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %h = tensor.extract_slice %p[0, 0] [256, 64] [1, 1] : tensor<512x64xf32> to tensor<256x64xf32>
  return %h : tensor<256x64xf32>
}

// -----

// Dead rows of zeros beside a tensor whose rows are not: joined, they are not known.
// ENDS: Function=mixed{{.*}}Op=tensor.concat, Reason="it joins what is dead there with what is not"
// CHECK-LABEL: func.func @mixed
// CHECK: pit.swrite
// CHECK: tensor.concat
func.func @mixed(%x: tensor<512x64xf32>, %live: tensor<512xi1>, %y: tensor<512x32xf32>) -> tensor<512x96xf32> {
  %s = pit.sparse %x by(%live : tensor<512xi1>) <kind = mask, axes = [0]> : tensor<512x64xf32>
  %e = tensor.empty() : tensor<512x64xf32>
  %p = linalg.negf ins(%s : tensor<512x64xf32>) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %h = tensor.concat dim(1) %p, %y : (tensor<512x64xf32>, tensor<512x32xf32>) -> tensor<512x96xf32>
  return %h : tensor<512x96xf32>
}

// -----

// Padding along other dimensions, by the same constant and by another.
// CHECK-LABEL: func.func @padded
// CHECK: %[[P:.*]] = pit.generic
// CHECK: %[[A:.*]] = tensor.pad %[[P]] low[0, 1] high[0, 2]
// CHECK: pit.generic {{.*}}%[[A]]
// CHECK: tensor.insert_slice
func.func @padded(%x: tensor<512x64xf32>, %live: tensor<512xi1>, %w: tensor<67x8xf32>, %d: tensor<512x16xf32>) -> tensor<512x16xf32> {
  %c0 = arith.constant 0.0 : f32
  %s = pit.sparse %x by(%live : tensor<512xi1>) <kind = mask, axes = [0]> : tensor<512x64xf32>
  %e = tensor.empty() : tensor<512x64xf32>
  %p = linalg.negf ins(%s : tensor<512x64xf32>) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %a = tensor.pad %p low[0, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c0 : f32
  } : tensor<512x64xf32> to tensor<512x67xf32>
  %e2 = tensor.empty() : tensor<512x8xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e2 : tensor<512x8xf32>) -> tensor<512x8xf32>
  %q = linalg.matmul ins(%a, %w : tensor<512x67xf32>, tensor<67x8xf32>) outs(%z : tensor<512x8xf32>) -> tensor<512x8xf32>
  %r = tensor.insert_slice %q into %d[0, 4] [512, 8] [1, 1] : tensor<512x8xf32> into tensor<512x16xf32>
  return %r : tensor<512x16xf32>
}
