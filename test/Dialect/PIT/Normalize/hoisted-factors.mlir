// What a product's body computes of one factor alone is computed by itself, once for each of its elements.
// RUN: pit-opt %s --pit-normalize | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#n = affine_map<(m, n, k) -> (n)>
#m = affine_map<(m, n, k) -> (m)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Weights are dequantised: numbers of f32, and so are the others then.
// CHECK-LABEL: func @dequantised
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<?x64xbf16>) outs({{.*}} : tensor<?x64xf32>)
// CHECK: arith.extf
// CHECK: %[[W:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg2, %arg3 : tensor<64x96xi8>, tensor<96xi8>, tensor<96xf32>)
// CHECK: arith.subi
// CHECK: arith.mulf
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<?x64xf32>, tensor<64x96xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT: arith.addf %[[C]], %[[P]]
// CHECK-NEXT: linalg.yield
func.func @dequantised(%x: tensor<?x64xbf16>, %w: tensor<64x96xi8>, %z: tensor<96xi8>, %s: tensor<96xf32>, %y: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %r = linalg.generic {indexing_maps = [#mk, #kn, #n, #n, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %z, %s : tensor<?x64xbf16>, tensor<64x96xi8>, tensor<96xi8>, tensor<96xf32>) outs(%y : tensor<?x96xf32>) {
  ^bb0(%a: bf16, %b: i8, %zero: i8, %scale: f32, %o: f32):
    %a0 = arith.extf %a : bf16 to f32
    %b0 = arith.extsi %b : i8 to i32
    %z0 = arith.extsi %zero : i8 to i32
    %d = arith.subi %b0, %z0 : i32
    %f = arith.sitofp %d : i32 to f32
    %g = arith.mulf %f, %scale : f32
    %p = arith.mulf %a0, %g : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x96xf32>
  return %r : tensor<?x96xf32>
}

// One of two numbers of bf16 is a number of bf16.
// CHECK-LABEL: func @rectified
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<32x64xbf16>) outs({{.*}} : tensor<32x64xbf16>)
// CHECK: arith.maximumf
// CHECK: arith.truncf
// CHECK: linalg.generic {{.*}} ins(%[[X]], %arg1 : tensor<32x64xbf16>, tensor<64x96xbf16>)
func.func @rectified(%x: tensor<32x64xbf16>, %w: tensor<64x96xbf16>, %y: tensor<32x96xf32>) -> tensor<32x96xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<32x64xbf16>, tensor<64x96xbf16>) outs(%y : tensor<32x96xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %a0 = arith.extf %a : bf16 to f32
    %c = arith.maximumf %a0, %zero : f32
    %b0 = arith.extf %b : bf16 to f32
    %p = arith.mulf %c, %b0 : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<32x96xf32>
  return %r : tensor<32x96xf32>
}

// 0.1 is none.
// CHECK-LABEL: func @clamped
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<32x64xbf16>) outs({{.*}} : tensor<32x64xf32>)
// CHECK: linalg.generic {{.*}} ins(%arg1 : tensor<64x96xbf16>) outs({{.*}} : tensor<64x96xf32>)
func.func @clamped(%x: tensor<32x64xbf16>, %w: tensor<64x96xbf16>, %y: tensor<32x96xf32>) -> tensor<32x96xf32> {
  %least = arith.constant 0.1 : f32
  %r = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<32x64xbf16>, tensor<64x96xbf16>) outs(%y : tensor<32x96xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %a0 = arith.extf %a : bf16 to f32
    %c = arith.maximumf %a0, %least : f32
    %b0 = arith.extf %b : bf16 to f32
    %p = arith.mulf %c, %b0 : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<32x96xf32>
  return %r : tensor<32x96xf32>
}

// Few rows read a weight as often as it would be written; a factor that has a number of each point, or knows where it is, is no factor; nor is one of integers.
// CHECK-LABEL: func @stay
// CHECK-COUNT-4: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @stay(%few: tensor<4x64xf32>, %x: tensor<32x64xf32>, %w: tensor<64x96xf32>, %s: tensor<32xf32>, %yf: tensor<4x96xf32>, %y: tensor<32x96xf32>,
    %i: tensor<32x64xi32>, %j: tensor<64x96xi32>, %z: tensor<32x96xi32>) -> (tensor<4x96xf32>, tensor<32x96xf32>, tensor<32x96xf32>, tensor<32x96xi32>) {
  %a = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%few, %w : tensor<4x64xf32>, tensor<64x96xf32>) outs(%yf : tensor<4x96xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %e = math.exp %r : f32
    %p = arith.mulf %l, %e : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<4x96xf32>
  %b = linalg.generic {indexing_maps = [#mk, #kn, #m, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %s : tensor<32x64xf32>, tensor<64x96xf32>, tensor<32xf32>) outs(%y : tensor<32x96xf32>) {
  ^bb0(%l: f32, %r: f32, %t: f32, %o: f32):
    %d = arith.subf %r, %t : f32
    %p = arith.mulf %l, %d : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<32x96xf32>
  %c = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<32x64xf32>, tensor<64x96xf32>) outs(%y : tensor<32x96xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %k = linalg.index 2 : index
    %n = arith.index_cast %k : index to i32
    %f = arith.sitofp %n : i32 to f32
    %g = arith.addf %r, %f : f32
    %p = arith.mulf %l, %g : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<32x96xf32>
  %d = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%i, %j : tensor<32x64xi32>, tensor<64x96xi32>) outs(%z : tensor<32x96xi32>) {
  ^bb0(%l: i32, %r: i32, %o: i32):
    %e = arith.subi %l, %o : i32
    %p = arith.muli %e, %r : i32
    %q = arith.addi %p, %o : i32
    linalg.yield %q : i32
  } -> tensor<32x96xi32>
  return %a, %b, %c, %d : tensor<4x96xf32>, tensor<32x96xf32>, tensor<32x96xf32>, tensor<32x96xi32>
}

// Numbers that all elements share have no axes.
// CHECK-LABEL: func @shared
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @shared(%w: tensor<64x96xf32>, %y: tensor<32x96xf32>, %s: f32) -> (tensor<32x96xf32>, tensor<32x96xf32>) {
  %one = arith.constant 1.0 : f32
  %r = linalg.generic {indexing_maps = [#kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w : tensor<64x96xf32>) outs(%y : tensor<32x96xf32>) {
  ^bb0(%b: f32, %o: f32):
    %p = arith.mulf %one, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<32x96xf32>
  %t = linalg.generic {indexing_maps = [#kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w : tensor<64x96xf32>) outs(%y : tensor<32x96xf32>) {
  ^bb0(%b: f32, %o: f32):
    %e = math.exp %b : f32
    %p = arith.mulf %e, %s : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<32x96xf32>
  return %r, %t : tensor<32x96xf32>, tensor<32x96xf32>
}
