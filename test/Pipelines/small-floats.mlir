// Programs of 8-bit floats compile, though LLVM has no such type: products, elementwise work, reductions, constants, fills and copies.
// RUN: pit-opt %s --pit-to-cpu | FileCheck %s --check-prefix=CPU
// RUN: pit-opt %s --pit-to-ptx="chip=sm_80" | pit-translate --pit-to-ptx -o %t.80.ptx
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-ptx -o %t.90.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.80.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.90.ptx
// RUN: sed s/f8E4M3FN/f8E5M2/g %s | pit-opt --pit-to-cpu | FileCheck %s --check-prefix=CPU
// RUN: sed s/f8E4M3FN/f8E5M2/g %s | pit-opt --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-ptx -o %t.e5.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.e5.ptx

// CPU-NOT: f8E{{.*}} ->
// CPU-NOT: unrealized
// CPU: llvm.func @main
// PTX: .visible .entry main_

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @main(%a: tensor<64x128xf8E4M3FN>, %b: tensor<128x96xf8E4M3FN>, %n: tensor<64x128xi32>)
    -> (tensor<64x96xf32>, tensor<64x96xf8E4M3FN>, tensor<64xf8E4M3FN>, tensor<66x130xf8E4M3FN>) {
  %zero = arith.constant 0.0 : f32
  %zero8 = arith.constant 0.0 : f8E4M3FN
  %two = arith.constant 2.0 : f8E4M3FN
  %table = arith.constant dense<1.5> : tensor<64x128xf8E4M3FN>

  // f8 + f8, compared, chosen, and functions of it.
  %ex = tensor.empty() : tensor<64x128xf8E4M3FN>
  %x = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %table, %n : tensor<64x128xf8E4M3FN>, tensor<64x128xf8E4M3FN>, tensor<64x128xi32>)
      outs(%ex : tensor<64x128xf8E4M3FN>) {
  ^bb0(%p: f8E4M3FN, %q: f8E4M3FN, %i: i32, %o: f8E4M3FN):
    %0 = arith.addf %p, %q : f8E4M3FN
    %1 = arith.maximumf %0, %zero8 : f8E4M3FN
    %2 = arith.negf %1 : f8E4M3FN
    %3 = arith.cmpf ogt, %0, %two : f8E4M3FN
    %4 = arith.select %3, %2, %two : f8E4M3FN
    %5 = arith.sitofp %i : i32 to f8E4M3FN
    %6 = arith.mulf %4, %5 : f8E4M3FN
    %7 = math.exp %6 : f8E4M3FN
    linalg.yield %7 : f8E4M3FN
  } -> tensor<64x128xf8E4M3FN>

  %e = tensor.empty() : tensor<64x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xf8E4M3FN>, tensor<128x96xf8E4M3FN>) outs(%z : tensor<64x96xf32>) -> tensor<64x96xf32>

  %e8 = tensor.empty() : tensor<64x96xf8E4M3FN>
  %z8 = linalg.fill ins(%zero8 : f8E4M3FN) outs(%e8 : tensor<64x96xf8E4M3FN>) -> tensor<64x96xf8E4M3FN>
  %c8 = linalg.matmul ins(%x, %b : tensor<64x128xf8E4M3FN>, tensor<128x96xf8E4M3FN>) outs(%z8 : tensor<64x96xf8E4M3FN>) -> tensor<64x96xf8E4M3FN>

  %er = tensor.empty() : tensor<64xf8E4M3FN>
  %zr = linalg.fill ins(%zero8 : f8E4M3FN) outs(%er : tensor<64xf8E4M3FN>) -> tensor<64xf8E4M3FN>
  %r = linalg.reduce { arith.maximumf } ins(%x : tensor<64x128xf8E4M3FN>) outs(%zr : tensor<64xf8E4M3FN>) dimensions = [1]

  %pad = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f8E4M3FN
  } : tensor<64x128xf8E4M3FN> to tensor<66x130xf8E4M3FN>
  return %c, %c8, %r, %pad : tensor<64x96xf32>, tensor<64x96xf8E4M3FN>, tensor<64xf8E4M3FN>, tensor<66x130xf8E4M3FN>
}
