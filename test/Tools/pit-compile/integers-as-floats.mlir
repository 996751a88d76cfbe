// Integers become numbers of every format in code that links with a C compiler alone: its library may know no bf16.
// RUN: pit-compile %s -o %t.so
// RUN: pit-run %s --random bool --random randint:-128:128 --random randint:-30000:30000 --random randint:-300000:300000 --check | FileCheck %s --implicit-check-not=MISMATCH
// CHECK-COUNT-10: check: result {{[0-9]}}: bit-identical (37 elements)

#all = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<37xi1>, %b: tensor<37xi8>, %c: tensor<37xi32>, %d: tensor<37xi64>)
    -> (tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>,
        tensor<37xf16>, tensor<37xf16>, tensor<37xf8E5M2>, tensor<37xf8E4M3FN>, tensor<37xf64>) {
  %e = tensor.empty() : tensor<37xbf16>
  %h = tensor.empty() : tensor<37xf16>
  %q = tensor.empty() : tensor<37xf8E5M2>
  %p = tensor.empty() : tensor<37xf8E4M3FN>
  %w = tensor.empty() : tensor<37xf64>
  %r:10 = linalg.generic {
    indexing_maps = [#all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #all], iterator_types = ["parallel"]}
    ins(%a, %b, %c, %d : tensor<37xi1>, tensor<37xi8>, tensor<37xi32>, tensor<37xi64>)
    outs(%e, %e, %e, %e, %e, %h, %h, %q, %p, %w : tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>,
         tensor<37xf16>, tensor<37xf16>, tensor<37xf8E5M2>, tensor<37xf8E4M3FN>, tensor<37xf64>) {
  ^bb0(%i1: i1, %i8: i8, %i32: i32, %i64: i64, %o0: bf16, %o1: bf16, %o2: bf16, %o3: bf16, %o4: bf16, %o5: f16, %o6: f16, %o7: f8E5M2,
       %o8: f8E4M3FN, %o9: f64):
    %0 = arith.uitofp %i1 : i1 to bf16
    %1 = arith.sitofp %i8 : i8 to bf16
    %2 = arith.uitofp %i8 : i8 to bf16
    %3 = arith.sitofp %i32 : i32 to bf16
    %4 = arith.sitofp %i64 : i64 to bf16
    %5 = arith.uitofp %i1 : i1 to f16
    %6 = arith.sitofp %i32 : i32 to f16
    %7 = arith.uitofp %i1 : i1 to f8E5M2
    %8 = arith.sitofp %i8 : i8 to f8E4M3FN
    %9 = arith.sitofp %i64 : i64 to f64
    linalg.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : bf16, bf16, bf16, bf16, bf16, f16, f16, f8E5M2, f8E4M3FN, f64
  } -> (tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>,
        tensor<37xf16>, tensor<37xf16>, tensor<37xf8E5M2>, tensor<37xf8E4M3FN>, tensor<37xf64>)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9
    : tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>,
      tensor<37xf16>, tensor<37xf16>, tensor<37xf8E5M2>, tensor<37xf8E4M3FN>, tensor<37xf64>
}
