// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file | FileCheck %s

// Ops on whole rows that must not be one kernel, or not stand where the last of them does.

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// What stands between two reductions and reads the first, or writes what the first reads, keeps them apart.
// CHECK-LABEL: func.func @apart
// CHECK: gpu.launch_func @apart_kernels::@apart_rows_0
// CHECK: memref.copy
// CHECK: gpu.launch_func @apart_kernels::@apart_rows_1
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : memref<8x64xf32>)
// CHECK: gpu.launch_func @apart_kernels::@apart_rows_2
func.func @apart(%out: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<8x64xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<8x64xf32>)
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x64xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x64xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.maximumf %acc, %l : f32
    linalg.yield %s : f32
  }
  linalg.fill ins(%zero : f32) outs(%x : memref<8x64xf32>)
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x, %a : memref<8x64xf32>, memref<8xf32>) outs(%c : memref<8xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %d = arith.subf %l, %m : f32
    %s = arith.addf %acc, %d : f32
    linalg.yield %s : f32
  }
  return %b, %c : memref<8xf32>, memref<8xf32>
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>
#id1 = affine_map<(r) -> (r)>

// An op that names one buffer twice has its own number of rows.
// CHECK-LABEL: func.func @inplace
// CHECK: gpu.launch_func @inplace_kernels::@inplace_rows_0
// CHECK: linalg.generic
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @inplace(%x: memref<8x64xf32>, %z: memref<1000xf32>) -> (memref<8xf32>, memref<1000xf32>) {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<1000xf32>
  memref.copy %z, %b : memref<1000xf32> to memref<1000xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x64xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%b : memref<1000xf32>) outs(%b : memref<1000xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.mulf %l, %l : f32
    linalg.yield %s : f32
  }
  return %a, %b : memref<8xf32>, memref<1000xf32>
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// The first sums may be what the copy reads.
// CHECK-LABEL: func.func @alias
// CHECK: gpu.launch_func @alias_kernels::@alias_rows_0
// CHECK: memref.copy
// CHECK: gpu.launch_func @alias_kernels::@alias_rows_1
func.func @alias(%in: memref<8x64xf32>, %o: memref<8xf32>, %c: i1) -> (memref<8xf32>, memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %out = memref.alloc() : memref<8xf32>
  %x = memref.alloc() : memref<8x64xf32>
  memref.copy %in, %x : memref<8x64xf32> to memref<8x64xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x64xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  %sel = arith.select %c, %a, %o : memref<8xf32>
  memref.copy %sel, %out : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x, %a : memref<8x64xf32>, memref<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %d = arith.subf %l, %m : f32
    %s = arith.addf %acc, %d : f32
    linalg.yield %s : f32
  }
  return %b, %out : memref<8xf32>, memref<8xf32>
}

// -----

!i = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
!b = !pit.index_buffer<!i>
!tile = memref<?x512xbf16, strided<[?, ?], offset: ?>>
#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// Lists are read by whoever has the index, here an op that no kernel of listed rows takes: it asks for the place in the list.
// CHECK-LABEL: func.func @lists
// CHECK: gpu.launch_func @lists_kernels::@lists_rows_0
// CHECK: pit.tiled
// CHECK: gpu.launch_func @lists_kernels::@lists_rows_1
func.func @lists(%offsets: memref<2xi64>, %in: memref<64x64xi32>, %x: memref<64x512xbf16>) -> (memref<64x512xbf16>, memref<64xi32>) {
  %zero = arith.constant 0 : i32
  %l = memref.alloc() : memref<64x64xi32>
  memref.copy %in, %l : memref<64x64xi32> to memref<64x64xi32>
  %coords = memref.alloc() : memref<64xi32>
  linalg.fill ins(%zero : i32) outs(%coords : memref<64xi32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%l : memref<64x64xi32>) outs(%coords : memref<64xi32>) {
  ^bb0(%v: i32, %acc: i32):
    %n = arith.addi %acc, %v : i32
    linalg.yield %n : i32
  }
  %y = memref.alloc() : memref<64x512xbf16>
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<64xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, false>}
      over(%i : !b) ins(%x : memref<64x512xbf16>) outs(%y : memref<64x512xbf16>) {
  ^bb0(%a: !tile, %o: !tile):
    linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
        ins(%a : !tile) outs(%o : !tile) {
    ^bb0(%w: bf16, %acc: bf16):
      %j = linalg.index 0 : index
      %k = arith.index_cast %j : index to i32
      %f = arith.sitofp %k : i32 to bf16
      %m = arith.mulf %w, %f : bf16
      linalg.yield %m : bf16
    }
  }
  %d = memref.alloc() : memref<64xi32>
  linalg.fill ins(%zero : i32) outs(%d : memref<64xi32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%l : memref<64x64xi32>) outs(%d : memref<64xi32>) {
  ^bb0(%v: i32, %acc: i32):
    %n = arith.maxsi %acc, %v : i32
    linalg.yield %n : i32
  }
  return %y, %d : memref<64x512xbf16>, memref<64xi32>
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// What the second sum reads may be what the first one writes.
// CHECK-LABEL: func.func @chosen
// CHECK: gpu.launch_func @chosen_kernels::@chosen_rows_0
// CHECK: gpu.launch_func @chosen_kernels::@chosen_rows_1
func.func @chosen(%x: memref<8x64xf32>, %o: memref<8xf32>, %c: i1) -> (memref<8xf32>, memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x64xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  %sel = arith.select %c, %a, %o : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sel : memref<8x64xf32>, memref<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %d = arith.subf %l, %m : f32
    %s = arith.addf %acc, %d : f32
    linalg.yield %s : f32
  }
  return %a, %b : memref<8xf32>, memref<8xf32>
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// What the first sum reads may be what is overwritten.
// CHECK-LABEL: func.func @overwritten
// CHECK: gpu.launch_func @overwritten_kernels::@overwritten_rows_0
// CHECK: memref.copy
// CHECK: gpu.launch_func @overwritten_kernels::@overwritten_rows_1
func.func @overwritten(%in: memref<8x64xf32>, %in2: memref<8x64xf32>, %c: i1) -> (memref<8xf32>, memref<8xf32>, memref<8x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<8x64xf32>
  %q = memref.alloc() : memref<8x64xf32>
  memref.copy %in, %p : memref<8x64xf32> to memref<8x64xf32>
  memref.copy %in2, %q : memref<8x64xf32> to memref<8x64xf32>
  %sel = arith.select %c, %p, %q : memref<8x64xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%sel : memref<8x64xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  memref.copy %in2, %p : memref<8x64xf32> to memref<8x64xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]}
      ins(%in, %a : memref<8x64xf32>, memref<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %d = arith.subf %l, %m : f32
    %s = arith.addf %acc, %d : f32
    linalg.yield %s : f32
  }
  return %a, %b, %p : memref<8xf32>, memref<8xf32>, memref<8x64xf32>
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// A loop writes what it carries.
// CHECK-LABEL: func.func @loop
// CHECK: gpu.launch_func @loop_kernels::@loop_rows_0
// CHECK: scf.for
// CHECK: gpu.launch_func @loop_kernels::@loop_rows_1
func.func @loop(%in: memref<8x64xf32>, %n: index) -> (memref<8xf32>, memref<8xf32>, memref<8x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() : memref<8x64xf32>
  %q = memref.alloc() : memref<8x64xf32>
  memref.copy %in, %p : memref<8x64xf32> to memref<8x64xf32>
  memref.copy %in, %q : memref<8x64xf32> to memref<8x64xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%p : memref<8x64xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %p, %k = %q) -> (memref<8x64xf32>, memref<8x64xf32>) {
    linalg.fill ins(%zero : f32) outs(%m : memref<8x64xf32>)
    scf.yield %k, %m : memref<8x64xf32>, memref<8x64xf32>
  }
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]}
      ins(%in, %a : memref<8x64xf32>, memref<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %d = arith.subf %l, %m : f32
    %s = arith.addf %acc, %d : f32
    linalg.yield %s : f32
  }
  return %a, %b, %p : memref<8xf32>, memref<8xf32>, memref<8x64xf32>
}
