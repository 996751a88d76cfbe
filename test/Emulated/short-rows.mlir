// Rows of a few columns, several of which a warp has: the largest with its place, as an arg-max or as a comparison and a
// choice, sums, and what is computed of them. Rows that are no multiple of those of a block, types of 16 bits, numbers of
// 32 bits, equal values, and NaNs, beside which a place is not specified: all of a row's columns see the same one.
// UNSUPPORTED: sanitizer
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --random=normal --check --quiet
// RUN: %{run} --entry=five | FileCheck %s
// RUN: %{run} --entry=halves | FileCheck %s
// RUN: %{run} --entry=ties | FileCheck %s
// RUN: %{run} --entry=nans | FileCheck %s
// RUN: %{run} --entry=long_choice | FileCheck %s
// RUN: %{run} --entry=many_columns | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" | grep -o "gpu.launch_func *@[a-z_0-9:@]*" | FileCheck %s --check-prefix=KERNELS
// KERNELS: @five_rows_0
// KERNELS-NEXT: @halves_rows_0
// KERNELS-NEXT: @ties_rows_0
// KERNELS-NEXT: @nans_rows_0
// KERNELS-NEXT: @long_choice_reduce_0
// KERNELS-NEXT: @many_columns_rows_0

#row = affine_map<(i, e) -> (i, e)>
#one = affine_map<(i, e) -> (i)>

func.func @five(%x: tensor<301x5xf32>) -> (tensor<301xi32>, tensor<301x5xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i32
  %er = tensor.empty() : tensor<301xf32>
  %ei = tensor.empty() : tensor<301xi32>
  %s = linalg.fill ins(%least : f32) outs(%er : tensor<301xf32>) -> tensor<301xf32>
  %si = linalg.fill ins(%c0 : i32) outs(%ei : tensor<301xi32>) -> tensor<301xi32>
  %t:2 = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<301x5xf32>) outs(%s, %si : tensor<301xf32>, tensor<301xi32>) {
  ^bb0(%l: f32, %a: f32, %b: i32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %g = arith.cmpf ogt, %l, %a : f32
    %m = arith.select %g, %l, %a : f32
    %p = arith.select %g, %n, %b : i32
    linalg.yield %m, %p : f32, i32
  } -> (tensor<301xf32>, tensor<301xi32>)
  %eo = tensor.empty() : tensor<301x5xf32>
  %o = linalg.generic {indexing_maps = [#row, #one, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%x, %t#0, %t#1 : tensor<301x5xf32>, tensor<301xf32>, tensor<301xi32>) outs(%eo : tensor<301x5xf32>) {
  ^bb0(%l: f32, %m: f32, %k: i32, %out: f32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %is = arith.cmpi eq, %n, %k : i32
    %d = arith.subf %l, %m : f32
    %r = arith.select %is, %l, %d : f32
    linalg.yield %r : f32
  } -> tensor<301x5xf32>
  return %t#1, %o : tensor<301xi32>, tensor<301x5xf32>
}

// The smallest, by a comparison the other way round.
func.func @halves(%x: tensor<70x24xf16>) -> (tensor<70xf16>, tensor<70x24xf16>) {
  %most = arith.constant 0x7C00 : f16
  %er = tensor.empty() : tensor<70xf16>
  %s = linalg.fill ins(%most : f16) outs(%er : tensor<70xf16>) -> tensor<70xf16>
  %t = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<70x24xf16>) outs(%s : tensor<70xf16>) {
  ^bb0(%l: f16, %a: f16):
    %g = arith.cmpf ogt, %a, %l : f16
    %m = arith.select %g, %l, %a : f16
    linalg.yield %m : f16
  } -> tensor<70xf16>
  %eo = tensor.empty() : tensor<70x24xf16>
  %o = linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%x, %t : tensor<70x24xf16>, tensor<70xf16>) outs(%eo : tensor<70x24xf16>) {
  ^bb0(%l: f16, %m: f16, %out: f16):
    %d = arith.subf %l, %m : f16
    linalg.yield %d : f16
  } -> tensor<70x24xf16>
  return %t, %o : tensor<70xf16>, tensor<70x24xf16>
}

// Integers of which several are the largest: the first one wins.
func.func @ties(%x: tensor<45x13xf32>) -> tensor<45xi64> {
  %least = arith.constant -100 : i32
  %c0 = arith.constant 0 : i64
  %er = tensor.empty() : tensor<45xi32>
  %ei = tensor.empty() : tensor<45xi64>
  %s = linalg.fill ins(%least : i32) outs(%er : tensor<45xi32>) -> tensor<45xi32>
  %si = linalg.fill ins(%c0 : i64) outs(%ei : tensor<45xi64>) -> tensor<45xi64>
  %t:2 = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<45x13xf32>) outs(%s, %si : tensor<45xi32>, tensor<45xi64>) {
  ^bb0(%f: f32, %a: i32, %b: i64):
    %l = arith.fptosi %f : f32 to i32
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %m = arith.maxsi %l, %a : i32
    %g = arith.cmpi sgt, %l, %a : i32
    %p = arith.select %g, %n, %b : i64
    linalg.yield %m, %p : i32, i64
  } -> (tensor<45xi32>, tensor<45xi64>)
  return %t#1 : tensor<45xi64>
}

// How many columns are at the place: one, whichever it is.
func.func @nans(%x: tensor<90x24xf32>) -> tensor<90xi32> {
  %least = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : i32
  %er = tensor.empty() : tensor<90xf32>
  %ei = tensor.empty() : tensor<90xi32>
  %s = linalg.fill ins(%least : f32) outs(%er : tensor<90xf32>) -> tensor<90xf32>
  %si = linalg.fill ins(%c0 : i32) outs(%ei : tensor<90xi32>) -> tensor<90xi32>
  %t:2 = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<90x24xf32>) outs(%s, %si : tensor<90xf32>, tensor<90xi32>) {
  ^bb0(%l: f32, %a: f32, %b: i32):
    %q = arith.addf %l, %one : f32
    %r = math.sqrt %q : f32
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %m = arith.maximumf %r, %a : f32
    %g = arith.cmpf ogt, %r, %a : f32
    %p = arith.select %g, %n, %b : i32
    linalg.yield %m, %p : f32, i32
  } -> (tensor<90xf32>, tensor<90xi32>)
  %c = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%x, %t#1 : tensor<90x24xf32>, tensor<90xi32>) outs(%si : tensor<90xi32>) {
  ^bb0(%l: f32, %k: i32, %a: i32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %is = arith.cmpi eq, %n, %k : i32
    %d = arith.extui %is : i1 to i32
    %r = arith.addi %d, %a : i32
    linalg.yield %r : i32
  } -> tensor<90xi32>
  return %c : tensor<90xi32>
}

// A comparison and a choice over a whole tensor, by the kernel of other reductions.
func.func @long_choice(%x: tensor<7000xf32>) -> tensor<f32> {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %s = linalg.fill ins(%least : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<7000xf32>) outs(%s : tensor<f32>) {
  ^bb0(%l: f32, %a: f32):
    %g = arith.cmpf ogt, %l, %a : f32
    %m = arith.select %g, %l, %a : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %t : tensor<f32>
}

// A block a row: places go through shared memory.
func.func @many_columns(%x: tensor<3x2500xf32>) -> (tensor<3xi64>, tensor<3xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i64
  %er = tensor.empty() : tensor<3xf32>
  %ei = tensor.empty() : tensor<3xi64>
  %s = linalg.fill ins(%least : f32) outs(%er : tensor<3xf32>) -> tensor<3xf32>
  %si = linalg.fill ins(%c0 : i64) outs(%ei : tensor<3xi64>) -> tensor<3xi64>
  %t:2 = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x2500xf32>) outs(%s, %si : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%l: f32, %a: f32, %b: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %m = arith.maximumf %l, %a : f32
    %g = arith.cmpf ogt, %l, %a : f32
    %p = arith.select %g, %n, %b : i64
    linalg.yield %m, %p : f32, i64
  } -> (tensor<3xf32>, tensor<3xi64>)
  return %t#1, %t#0 : tensor<3xi64>, tensor<3xf32>
}
