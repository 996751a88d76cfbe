// RUN: pit-opt %s --pit-to-cpu="entry-points features=avx512f" --mlir-print-ir-after=convert-contractions-to-cpu -o /dev/null 2>&1 \
// RUN:   | FileCheck %s

// In an entry point of the C ABI, a result lies with the caller, apart from arguments.

// CHECK-LABEL: func @pit_main(
// CHECK-NOT:     linalg.fill
// CHECK:         scf.if {{.*}} -> (vector<16xf32>
func.func @main(%a: tensor<50x60xf32>, %b: tensor<60x70xf32>) -> tensor<50x70xf32> {
  %start = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<50x70xf32>
  %filled = linalg.fill ins(%start : f32) outs(%empty : tensor<50x70xf32>) -> tensor<50x70xf32>
  %c = linalg.matmul ins(%a, %b : tensor<50x60xf32>, tensor<60x70xf32>) outs(%filled : tensor<50x70xf32>) -> tensor<50x70xf32>
  return %c : tensor<50x70xf32>
}
