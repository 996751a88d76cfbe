// Values that are widened are widened where they are read: by sums, and by several readers. Factors of a product keep one type.
// RUN: pit-opt %s --pit-normalize | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a --remarks-filter-passed=.* -o %t 2>&1 | FileCheck %s --check-prefix=KERNELS

#m = affine_map<(i, j) -> (i, j)>
#c = affine_map<(i, j) -> (j)>

// The gradient of a bias: a sum of columns in f32.
// CHECK-LABEL: func @columns
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<512x256xbf16>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: bf16,
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[X]] : bf16 to f32
// CHECK-NEXT: arith.addf {{.*}}%[[W]]
// CHECK: return
func.func @columns(%a: tensor<512x256xbf16>) -> tensor<256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x256xf32>
  %x = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<512x256xbf16>) outs(%e : tensor<512x256xf32>) {
  ^bb0(%i: bf16, %o: f32):
    %0 = arith.extf %i : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<512x256xf32>
  %r = tensor.empty() : tensor<256xf32>
  %f = linalg.fill ins(%z : f32) outs(%r : tensor<256xf32>) -> tensor<256xf32>
  %s = linalg.generic {indexing_maps = [#m, #c], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<512x256xf32>) outs(%f : tensor<256xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.addf %i, %o : f32
    linalg.yield %0 : f32
  } -> tensor<256xf32>
  return %s : tensor<256xf32>
}

// Two readers: no tensor in f32 is left between.
// CHECK-LABEL: func @readers
// CHECK-NOT: tensor<512x256xf32>) outs
// CHECK: linalg.generic {{.*}} ins(%arg0, {{.*}}tensor<512x256xbf16>
// CHECK: return
func.func @readers(%a: tensor<512x256xbf16>) -> (tensor<512xf32>, tensor<512x256xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x256xf32>
  %x = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<512x256xbf16>) outs(%e : tensor<512x256xf32>) {
  ^bb0(%i: bf16, %o: f32):
    %0 = arith.extf %i : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<512x256xf32>
  %r = tensor.empty() : tensor<512xf32>
  %f = linalg.fill ins(%z : f32) outs(%r : tensor<512xf32>) -> tensor<512xf32>
  %s = linalg.generic {indexing_maps = [#m, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<512x256xf32>) outs(%f : tensor<512xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.addf %i, %o : f32
    linalg.yield %0 : f32
  } -> tensor<512xf32>
  %d = linalg.generic {indexing_maps = [#m, affine_map<(i, j) -> (i)>, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<512x256xf32>, tensor<512xf32>) outs(%e : tensor<512x256xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %0 = arith.subf %i, %j : f32
    linalg.yield %0 : f32
  } -> tensor<512x256xf32>
  return %s, %d : tensor<512xf32>, tensor<512x256xf32>
}

// One factor was f32 before: with two types, a thread would compute each element.
// CHECK-LABEL: func @mixed
// CHECK: %[[W:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<256x512xbf16>)
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[W]] : tensor<512x256xf32>, tensor<256x512xf32>)
// KERNELS: Function=mixed | Family="dense GEMM", Instructions="fma of threads"
func.func @mixed(%a: tensor<512x256xf32>, %b: tensor<256x512xbf16>) -> tensor<512x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x512xf32>
  %x = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<256x512xbf16>) outs(%e : tensor<256x512xf32>) {
  ^bb0(%i: bf16, %o: f32):
    %0 = arith.extf %i : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<256x512xf32>
  %r = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%r : tensor<512x512xf32>) -> tensor<512x512xf32>
  %s = linalg.matmul ins(%a, %x : tensor<512x256xf32>, tensor<256x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %s : tensor<512x512xf32>
}
