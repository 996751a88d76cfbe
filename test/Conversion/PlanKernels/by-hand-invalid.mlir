// What an op or a chip has not that a plan by hand needs.
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_86 --convert-attention-to-gpu="chip=sm_86 plan=false" --convert-sums-to-gpu="chip=sm_86 plan=false" --convert-rows-to-gpu="chip=sm_86 plan=false" --split-input-file --verify-diagnostics
// RUN: not pit-opt %s --convert-attention-to-gpu=chip=sm_1 --split-input-file 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: {{.*}}sm_1
// RUN: not pit-opt %s --convert-attention-to-gpu=chip=sm_75 --split-input-file 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: chip 'sm_75' is older than sm_80, the first with cp.async and mma.sync of bf16
// RUN: not pit-opt %s --pit-plan-kernels=chip=sm_75 --split-input-file 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: error: 'pit.attend_sequences' op is planned for 'mma_sync', which sm_75 has no kernels with

func.func @shared(%q: memref<64x2x128xbf16>, %offsets: memref<5xi64>) {
  // expected-error @below {{its plan needs 114688 bytes of shared memory, of which a block has 101376}}
  pit.attend_sequences %q, %q, %q sequences(%offsets : memref<5xi64>) outs(%q) plan <engine = mma_sync, tile = [64, 64], warps = 4, stages = 3>
    {extent = 16 : i64, scale = 0.25 : f32} : memref<64x2x128xbf16>, memref<64x2x128xbf16>, memref<64x2x128xbf16>, memref<64x2x128xbf16>
  return
}

// -----

#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
!b = !pit.index_buffer<!pit.index<[64, 256], coordinate = 1, tile = [1, 1], width = 32>>
!tr = memref<?x36xbf16, strided<[?, ?], offset: ?>>
!ty = memref<36xf32, strided<[?], offset: ?>>

func.func @vector(%rows: memref<256x36xbf16>, %o: memref<65xi64>, %c: memref<256xi32>, %y: memref<64x36xf32>) {
  %i = pit.assemble %o, %c : memref<65xi64>, memref<256xi32> -> !b
  // expected-error @below {{its plan has vectors of 8 columns, which rows of its operands are not made up of or not aligned to}}
  pit.tiled tile 64 plan <family = segment_sum, tile = [32, 64], vector = 8> {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
      over(%i : !b) ins(%rows : memref<256x36xbf16>) outs(%y : memref<64x36xf32>) {
  ^bb0(%tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["reduction", "parallel"]} ins(%tr : !tr) outs(%ty : !ty) {
    ^bb1(%r: bf16, %acc: f32):
      %f = arith.extf %r : bf16 to f32
      %s = arith.addf %acc, %f : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  return
}

// -----

#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
!b = !pit.index_buffer<!pit.index<[64, 256], coordinate = 1, tile = [1, 1], width = 32>>
!tr = memref<?x36xbf16, strided<[?, ?], offset: ?>>
!ty = memref<36xf32, strided<[?], offset: ?>>

func.func @family(%rows: memref<256x36xbf16>, %o: memref<65xi64>, %c: memref<256xi32>, %y: memref<64x36xf32>) {
  %i = pit.assemble %o, %c : memref<65xi64>, memref<256xi32> -> !b
  // expected-error @below {{no kernel of the family 'list_map' can take it}}
  pit.tiled tile 64 plan <family = list_map, tile = [64, 1], max_blocks = 1> {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
      over(%i : !b) ins(%rows : memref<256x36xbf16>) outs(%y : memref<64x36xf32>) {
  ^bb0(%tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["reduction", "parallel"]} ins(%tr : !tr) outs(%ty : !ty) {
    ^bb1(%r: bf16, %acc: f32):
      %f = arith.extf %r : bf16 to f32
      %s = arith.addf %acc, %f : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  return
}

// -----

#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
!b = !pit.index_buffer<!pit.index<[64, 256], coordinate = 1, tile = [1, 1], width = 32>>
!tr = memref<?x36xbf16, strided<[?, ?], offset: ?>>
!ty = memref<36xf32, strided<[?], offset: ?>>

func.func @row_wise(%rows: memref<256x36xbf16>, %i: !b, %y: memref<64x36xf32>) {
  // expected-error @below {{no kernel of the family 'row_wise' can take it}}
  pit.tiled tile 64 plan <family = row_wise, tile = [8, 32], max_blocks = 1> {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
      over(%i : !b) ins(%rows : memref<256x36xbf16>) outs(%y : memref<64x36xf32>) {
  ^bb0(%tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["reduction", "parallel"]} ins(%tr : !tr) outs(%ty : !ty) {
    ^bb1(%r: bf16, %acc: f32):
      %f = arith.extf %r : bf16 to f32
      %s = arith.addf %acc, %f : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  return
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

func.func @columns(%x: memref<64x3000xf32>) -> memref<64xf32> {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  // expected-error @below {{its plan has 32 threads for a row, which hold 2048 columns, not 3000}}
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"],
      pit.plan = #pit.row_plan<family = row_wise, tile = [8, 32], max_blocks = 8, group = 0>}
      ins(%x : memref<64x3000xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %n = arith.addf %acc, %l : f32
    linalg.yield %n : f32
  }
  return %sum : memref<64xf32>
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

func.func @start(%x: memref<64x300xf32>, %sum: memref<64xf32>) {
  // expected-error @below {{no kernel of the family 'row_wise' can compute it: it does not start from a constant: nothing fills its result right before}}
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"],
      pit.plan = #pit.row_plan<family = row_wise, tile = [8, 32], max_blocks = 8, group = 0>}
      ins(%x : memref<64x300xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %n = arith.addf %acc, %l : f32
    linalg.yield %n : f32
  }
  return
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

func.func @two_plans(%x: memref<64x300xf32>) -> (memref<64xf32>, memref<64x300xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"],
      pit.plan = #pit.row_plan<family = row_wise, tile = [8, 32], max_blocks = 8, group = 0>}
      ins(%x : memref<64x300xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %n = arith.addf %acc, %l : f32
    linalg.yield %n : f32
  }
  %y = memref.alloc() : memref<64x300xf32>
  // expected-error @below {{is planned otherwise than others of group 0}}
  linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"],
      pit.plan = #pit.row_plan<family = row_wise, tile = [4, 32], max_blocks = 8, group = 0>}
      ins(%x, %sum : memref<64x300xf32>, memref<64xf32>) outs(%y : memref<64x300xf32>) {
  ^bb0(%l: f32, %t: f32, %acc: f32):
    %n = arith.divf %l, %t : f32
    linalg.yield %n : f32
  }
  return %sum, %y : memref<64xf32>, memref<64x300xf32>
}

// -----

func.func @parts(%x: memref<100xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{its plan has vectors of 8 elements, which 'memref<100xf32>' is not made up of}}
  linalg.fill {pit.plan = #pit.row_plan<family = fill, tile = [1, 256], vector = 8, max_blocks = 1>} ins(%zero : f32) outs(%x : memref<100xf32>)
  return
}

// -----

func.func @shape(%x: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{no kernel of the family 'fill' can take it: it fills a contiguous buffer of a known shape with a constant}}
  linalg.fill {pit.plan = #pit.row_plan<family = fill, tile = [1, 256], vector = 8, max_blocks = 1>} ins(%zero : f32) outs(%x : memref<?xf32>)
  return
}

// -----

func.func @joined(%x: memref<128xf32>, %y: memref<128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill {pit.plan = #pit.row_plan<family = fill, tile = [1, 256], vector = 8, max_blocks = 1, group = 0>} ins(%zero : f32) outs(%x : memref<128xf32>)
  // expected-error @below {{no kernel of the family 'fill' can compute it with the others of its group: its buffer is no allocation of this block, or used before}}
  linalg.fill {pit.plan = #pit.row_plan<family = fill, tile = [1, 256], vector = 8, max_blocks = 1, group = 0>} ins(%zero : f32) outs(%y : memref<128xf32>)
  return
}

// -----

func.func @nested(%x: memref<128xf32>, %condition: i1) {
  %zero = arith.constant 0.0 : f32
  scf.if %condition {
    // expected-error @below {{is not at the top level of its function, from which kernels are launched}}
    linalg.fill {pit.plan = #pit.row_plan<family = fill, tile = [1, 256], vector = 8, max_blocks = 1>} ins(%zero : f32) outs(%x : memref<128xf32>)
  }
  return
}

// -----

// A part of a warp for each result.
func.func @reduced_rows(%x: memref<64x300xf32>, %sum: memref<64xf32>) {
  // expected-error @below {{its plan has 16 threads for a result, which is neither a warp nor the block}}
  linalg.generic {indexing_maps = [affine_map<(r, j) -> (r, j)>, affine_map<(r, j) -> (r)>], iterator_types = ["parallel", "reduction"],
      pit.plan = #pit.row_plan<family = reduce, tile = [8, 16], max_blocks = 8>}
      ins(%x : memref<64x300xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %n = arith.addf %acc, %l : f32
    linalg.yield %n : f32
  }
  return
}

// -----

func.func @reduced_vectors(%x: memref<300x70xf32>, %sum: memref<70xf32>) {
  // expected-error @below {{its plan has vectors of 4 elements, which what is contiguous is not made up of or not aligned to}}
  linalg.generic {indexing_maps = [affine_map<(r, j) -> (r, j)>, affine_map<(r, j) -> (j)>], iterator_types = ["reduction", "parallel"],
      pit.plan = #pit.row_plan<family = reduce, tile = [8, 64], vector = 4, max_blocks = 8>}
      ins(%x : memref<300x70xf32>) outs(%sum : memref<70xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %n = arith.addf %acc, %l : f32
    linalg.yield %n : f32
  }
  return
}

// -----

func.func @reduced_room(%x: memref<300x16384xf64>, %sum: memref<16384xf64>) {
  // expected-error @below {{its plan has 1024 threads of 8 columns, more than shared memory has room for}}
  linalg.generic {indexing_maps = [affine_map<(r, j) -> (r, j)>, affine_map<(r, j) -> (j)>], iterator_types = ["reduction", "parallel"],
      pit.plan = #pit.row_plan<family = reduce, tile = [32, 256], vector = 8, max_blocks = 8>}
      ins(%x : memref<300x16384xf64>) outs(%sum : memref<16384xf64>) {
  ^bb0(%l: f64, %acc: f64):
    %n = arith.addf %acc, %l : f64
    linalg.yield %n : f64
  }
  return
}

// -----

func.func @carried(%x: memref<300x70xf32>, %sum: memref<70xf32>) {
  // expected-error @below {{no kernel of the family 'reduce' can take it}}
  linalg.generic {indexing_maps = [affine_map<(r, j) -> (r, j)>, affine_map<(r, j) -> (j)>], iterator_types = ["reduction", "parallel"],
      pit.plan = #pit.row_plan<family = reduce, tile = [8, 32], max_blocks = 8>}
      ins(%x : memref<300x70xf32>) outs(%sum : memref<70xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %n = arith.subf %acc, %l : f32
    linalg.yield %n : f32
  }
  return
}
