// Two products with one A, whose sums are multiplied: of i8 into i8, through mma.sync, and into f32, through wgmma; functions of sums in f64.
// UNSUPPORTED: sanitizer
// RUN: split-file %s %t
// RUN: pit-opt %t/words.mlir --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=WGMMA
// RUN: %emulated-cuda pit-run %t/bytes.mlir --target=cuda --chip=sm_90a --random randint:-100:100 --check | FileCheck %s --check-prefix=SAME
// RUN: %emulated-cuda pit-run %t/words.mlir --target=cuda --chip=sm_90a --random randint:-100:100 --check | FileCheck %s --check-prefix=SAME
// RUN: %emulated-cuda pit-run %t/functions.mlir --target=cuda --chip=sm_90a --random normal --check | FileCheck %s
// SAME: check: result 0: bit-identical
// CHECK: check: result 0: agrees
// WGMMA: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k32.s32.s8.s8

//--- bytes.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%a: tensor<70x48xi8>, %b: tensor<48x40xi8>, %d: tensor<48x40xi8>) -> tensor<70x40xi8> {
  %f = tensor.empty() : tensor<70x40xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<70x40xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<70x40xi32>) -> tensor<70x40xi32>
  %r = linalg.matmul ins(%a, %b : tensor<70x48xi8>, tensor<48x40xi8>) outs(%z : tensor<70x40xi32>) -> tensor<70x40xi32>
  %s = linalg.matmul ins(%a, %d : tensor<70x48xi8>, tensor<48x40xi8>) outs(%z : tensor<70x40xi32>) -> tensor<70x40xi32>
  %t = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%r, %s : tensor<70x40xi32>, tensor<70x40xi32>) outs(%f : tensor<70x40xi8>) {
  ^bb0(%x: i32, %y: i32, %o: i8):
    %q = arith.muli %x, %y : i32
    %h = arith.trunci %q : i32 to i8
    linalg.yield %h : i8
  } -> tensor<70x40xi8>
  return %t : tensor<70x40xi8>
}

//--- words.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%a: tensor<300x48xi8>, %b: tensor<200x48xi8>, %d: tensor<200x48xi8>) -> tensor<300x200xf32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<300x200xi32>
  %g = tensor.empty() : tensor<300x200xf32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<300x200xi32>) -> tensor<300x200xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<300x48xi8>, tensor<200x48xi8>) outs(%z : tensor<300x200xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %v = arith.extsi %x : i8 to i32
    %w = arith.extsi %y : i8 to i32
    %p = arith.muli %v, %w : i32
    %q = arith.addi %o, %p : i32
    linalg.yield %q : i32
  } -> tensor<300x200xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %d : tensor<300x48xi8>, tensor<200x48xi8>) outs(%z : tensor<300x200xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %v = arith.extsi %x : i8 to i32
    %w = arith.extsi %y : i8 to i32
    %p = arith.muli %v, %w : i32
    %q = arith.addi %o, %p : i32
    linalg.yield %q : i32
  } -> tensor<300x200xi32>
  %t = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%r, %s : tensor<300x200xi32>, tensor<300x200xi32>) outs(%g : tensor<300x200xf32>) {
  ^bb0(%x: i32, %y: i32, %o: f32):
    %q = arith.muli %x, %y : i32
    %h = arith.sitofp %q : i32 to f32
    linalg.yield %h : f32
  } -> tensor<300x200xf32>
  return %t : tensor<300x200xf32>
}

//--- functions.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%a: tensor<70x48xf64>, %b: tensor<48x40xf64>) -> tensor<70x40xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<70x40xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<70x40xf64>) -> tensor<70x40xf64>
  %r = linalg.matmul ins(%a, %b : tensor<70x48xf64>, tensor<48x40xf64>) outs(%z : tensor<70x40xf64>) -> tensor<70x40xf64>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<70x40xf64>) outs(%e : tensor<70x40xf64>) {
  ^bb0(%x: f64, %o: f64):
    %q = math.exp %x : f64
    %u = math.tanh %q : f64
    %v = math.erf %u : f64
    linalg.yield %v : f64
  } -> tensor<70x40xf64>
  return %t : tensor<70x40xf64>
}
