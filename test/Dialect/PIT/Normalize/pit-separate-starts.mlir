// RUN: pit-opt %s --pit-separate-starts --split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-separate-starts=convolutions --split-input-file | FileCheck %s --check-prefixes=CHECK,WINDOWS

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @adds(
// CHECK-SAME: %[[C:[a-z0-9]*]]: tensor<?x96xf32>)
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<?x96xf32>)
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} outs(%[[ZEROS]] : tensor<?x96xf32>)
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[PRODUCT]], %[[C]] : tensor<?x96xf32>, tensor<?x96xf32>)
// CHECK-NEXT: ^bb0(%[[P:.*]]: f32, %[[START:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: arith.addf %[[START]], %[[P]] : f32
// CHECK: return %[[SUM]]
func.func @adds(%x: tensor<?x48xbf16>, %w: tensor<48x96xbf16>, %c: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x48xbf16>, tensor<48x96xbf16>) outs(%c : tensor<?x96xf32>) {
  ^bb0(%l: bf16, %r: bf16, %o: f32):
    %lf = arith.extf %l : bf16 to f32
    %rf = arith.extf %r : bf16 to f32
    %p = arith.mulf %lf, %rf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x96xf32>
  return %s : tensor<?x96xf32>
}

// -----

// Threads multiply f32, and start from zeros, too.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @threads(
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} outs(%[[ZEROS]] : tensor<4x96xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[PRODUCT]], %arg2 : tensor<4x96xf32>, tensor<4x96xf32>)
func.func @threads(%x: tensor<4x48xf32>, %w: tensor<48x96xf32>, %c: tensor<4x96xf32>) -> tensor<4x96xf32> {
  %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x48xf32>, tensor<48x96xf32>) outs(%c : tensor<4x96xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x96xf32>
  return %s : tensor<4x96xf32>
}

// -----

// One that starts from zeros, one by a vector, which is a reduction,
// and one in a loop, which may add to what it computed before.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#ik = affine_map<(m, k) -> (m, k)>
#k = affine_map<(m, k) -> (k)>
#i = affine_map<(m, k) -> (m)>
// CHECK-LABEL: func @stay(
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
func.func @stay(%x: tensor<4x48xbf16>, %w: tensor<48x96xbf16>, %e: tensor<4x96xf32>, %y: tensor<4x48xf32>, %v: tensor<48xf32>, %d: tensor<4xf32>, %f: tensor<4x96xf32>, %n: index)
    -> (tensor<4x96xf32>, tensor<4xf32>, tensor<4x96xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x96xf32>) -> tensor<4x96xf32>
  %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x48xbf16>, tensor<48x96xbf16>) outs(%z : tensor<4x96xf32>) {
  ^bb0(%l: bf16, %r: bf16, %o: f32):
    %lf = arith.extf %l : bf16 to f32
    %rf = arith.extf %r : bf16 to f32
    %p = arith.mulf %lf, %rf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x96xf32>
  %t = linalg.generic {indexing_maps = [#ik, #k, #i], iterator_types = ["parallel", "reduction"]}
      ins(%y, %v : tensor<4x48xf32>, tensor<48xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  %u = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %f) -> tensor<4x96xf32> {
    %q = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<4x48xbf16>, tensor<48x96xbf16>) outs(%acc : tensor<4x96xf32>) {
    ^bb0(%l: bf16, %r: bf16, %o: f32):
      %lf = arith.extf %l : bf16 to f32
      %rf = arith.extf %r : bf16 to f32
      %p = arith.mulf %lf, %rf : f32
      %q2 = arith.addf %o, %p : f32
      linalg.yield %q2 : f32
    } -> tensor<4x96xf32>
    scf.yield %q : tensor<4x96xf32>
  }
  return %s, %t, %u : tensor<4x96xf32>, tensor<4xf32>, tensor<4x96xf32>
}

// -----

// What the sum starts from is not a summand here: it is negated at every step.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @negates(
// CHECK-NOT: linalg.fill
func.func @negates(%x: tensor<4x8xbf16>, %w: tensor<8x6xbf16>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%l: bf16, %r: bf16, %o: f32):
    %lf = arith.extf %l : bf16 to f32
    %rf = arith.extf %r : bf16 to f32
    %p = arith.mulf %lf, %rf : f32
    %n = arith.negf %o : f32
    %q = arith.addf %n, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x6xf32>
  return %s : tensor<4x6xf32>
}

// -----

// A bias that was broadcast in front of a convolution is read as it was, where there are kernels of convolutions.
// CHECK-LABEL: func @bias(
// CHECK-SAME: %{{.*}}: tensor<2x16x9xbf16>, %{{.*}}: tensor<24x16x3xbf16>, %[[BIAS:.*]]: tensor<24xbf16>)
// WINDOWS: %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<2x24x7xf32>)
// WINDOWS: %[[SUMS:.*]] = linalg.generic {{.*}} outs(%[[ZEROS]] : tensor<2x24x7xf32>)
// WINDOWS: linalg.generic {{.*}} ins(%[[SUMS]], %[[BIAS]] : tensor<2x24x7xf32>, tensor<24xbf16>)
// WINDOWS: arith.extf
// WINDOWS: arith.addf
func.func @bias(%x: tensor<2x16x9xbf16>, %w: tensor<24x16x3xbf16>, %bias: tensor<24xbf16>) -> tensor<2x24x7xf32> {
  %e = tensor.empty() : tensor<2x24x7xbf16>
  %b = linalg.broadcast ins(%bias : tensor<24xbf16>) outs(%e : tensor<2x24x7xbf16>) dimensions = [0, 2]
  %f = tensor.empty() : tensor<2x24x7xf32>
  %start = linalg.generic {indexing_maps = [affine_map<(n, f, p) -> (n, f, p)>, affine_map<(n, f, p) -> (n, f, p)>],
                           iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<2x24x7xbf16>) outs(%f : tensor<2x24x7xf32>) {
  ^bb0(%v: bf16, %o: f32):
    %0 = arith.extf %v : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<2x24x7xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, f, p, t, c) -> (n, c, p + t)>, affine_map<(n, f, p, t, c) -> (f, c, t)>,
                                        affine_map<(n, f, p, t, c) -> (n, f, p)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x16x9xbf16>, tensor<24x16x3xbf16>) outs(%start : tensor<2x24x7xf32>) {
  ^bb0(%l: bf16, %r: bf16, %o: f32):
    %lf = arith.extf %l : bf16 to f32
    %rf = arith.extf %r : bf16 to f32
    %p = arith.mulf %lf, %rf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<2x24x7xf32>
  return %s : tensor<2x24x7xf32>
}

// -----

// What matrix units add up in f64 and i32.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @wide(
// CHECK-SAME: %[[C:[a-z0-9]*]]: tensor<?x96xf64>, %[[D:[a-z0-9]*]]: tensor<?x96xi32>)
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<?x96xf64>)
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} outs(%[[ZEROS]] : tensor<?x96xf64>)
// CHECK: linalg.generic {{.*}} ins(%[[PRODUCT]], %[[C]] : tensor<?x96xf64>, tensor<?x96xf64>)
// CHECK: arith.addf %{{.*}}, %{{.*}} : f64
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<?x96xi32>)
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} outs(%[[ZEROS]] : tensor<?x96xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[PRODUCT]], %[[D]] : tensor<?x96xi32>, tensor<?x96xi32>)
// CHECK-NEXT: ^bb0(%[[P:.*]]: i32, %[[START:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT: arith.addi %[[START]], %[[P]] : i32
func.func @wide(%x: tensor<?x48xf64>, %w: tensor<48x96xf64>, %y: tensor<?x48xi8>, %v: tensor<48x96xi8>, %c: tensor<?x96xf64>, %d: tensor<?x96xi32>)
    -> (tensor<?x96xf64>, tensor<?x96xi32>) {
  %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x48xf64>, tensor<48x96xf64>) outs(%c : tensor<?x96xf64>) {
  ^bb0(%l: f64, %r: f64, %o: f64):
    %p = arith.mulf %l, %r : f64
    %q = arith.addf %o, %p : f64
    linalg.yield %q : f64
  } -> tensor<?x96xf64>
  %t = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %v : tensor<?x48xi8>, tensor<48x96xi8>) outs(%d : tensor<?x96xi32>) {
  ^bb0(%l: i8, %r: i8, %o: i32):
    %li = arith.extsi %l : i8 to i32
    %ri = arith.extui %r : i8 to i32
    %p = arith.muli %li, %ri : i32
    %q = arith.addi %o, %p : i32
    linalg.yield %q : i32
  } -> tensor<?x96xi32>
  return %s, %t : tensor<?x96xf64>, tensor<?x96xi32>
}

// -----

// A product by a vector is a reduction, which starts from anything.
#a = affine_map<(m, k) -> (m, k)>
#b = affine_map<(m, k) -> (k)>
#c = affine_map<(m, k) -> (m)>
// CHECK-LABEL: func @vector(
// CHECK-NOT: linalg.fill
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @vector(%x: tensor<?x48xf64>, %v: tensor<48xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "reduction"]}
      ins(%x, %v : tensor<?x48xf64>, tensor<48xf64>) outs(%c : tensor<?xf64>) {
  ^bb0(%l: f64, %r: f64, %o: f64):
    %p = arith.mulf %l, %r : f64
    %q = arith.addf %o, %p : f64
    linalg.yield %q : f64
  } -> tensor<?xf64>
  return %s : tensor<?xf64>
}
