// What plans of attention and of rows cannot say.
// RUN: pit-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{P1: 'tile' has two positive extents, queries and keys}}
func.func private @queries() attributes {test.plan = #pit.attention_plan<engine = mma_sync, tile = [64], warps = 4, stages = 2>}

// -----

// expected-error @below {{P1: 'stages' must be of 1 to 8, not 9}}
func.func private @stages() attributes {test.plan = #pit.attention_plan<engine = mma_sync, tile = [64, 64], warps = 4, stages = 9>}

// -----

// expected-error @below {{P1: 'warps' must be of 1 to 32, not 0}}
func.func private @warps() attributes {test.plan = #pit.attention_plan<engine = mma_sync, tile = [64, 64], warps = 0, stages = 2>}

// -----

// expected-error @below {{P2: attention has kernels with 'mma_sync' and 'wgmma', none with 'simt'}}
func.func private @engine() attributes {test.plan = #pit.attention_plan<engine = simt, tile = [64, 64], warps = 4, stages = 2>}

// -----

// expected-error @below {{P3: a warp has 16 queries, so 8 warps have 128, or a part of these that as many warps share, not 96}}
func.func private @rows_of_warps() attributes {test.plan = #pit.attention_plan<engine = mma_sync, tile = [96, 64], warps = 8, stages = 2>}

// -----

// expected-error @below {{P3: warpgroups of 64 queries each, and one that loads, have 128 queries with 12 warps, not 8}}
func.func private @warpgroups() attributes {test.plan = #pit.attention_plan<engine = wgmma, tile = [128, 64], warps = 8, stages = 2>}

// -----

// expected-error @below {{P3: keys of a step must be a multiple of 16 up to 256, not 24}}
func.func private @keys() attributes {test.plan = #pit.attention_plan<engine = mma_sync, tile = [64, 24], warps = 4, stages = 2>}

// -----

// expected-error @below {{P3: keys of a step must be a multiple of 16 up to 256, not 272}}
func.func private @many_keys() attributes {test.plan = #pit.attention_plan<engine = mma_sync, tile = [64, 272], warps = 4, stages = 2>}

// -----

// expected-error @below {{P3: keys of a step must be a multiple of 64 up to 256, not 32}}
func.func private @keys_of_shares() attributes {test.plan = #pit.attention_plan<engine = mma_sync, tile = [16, 32], warps = 4, stages = 2>}

// -----

// expected-error @below {{P4: 'parts' must be of 1 to 1024, not 0}}
func.func private @no_parts() attributes {test.plan = #pit.attention_plan<engine = mma_sync, tile = [64, 64], warps = 4, stages = 2, parts = 0>}

// -----

// expected-error @below {{P4: 'parts' is for 'mma_sync'}}
func.func private @parts_of_wgmma() attributes {test.plan = #pit.attention_plan<engine = wgmma, tile = [128, 64], warps = 12, stages = 2, parts = 2>}

// -----

// expected-error @below {{P4: 'groups' is for 'mma_sync'}}
func.func private @groups_of_wgmma() attributes {test.plan = #pit.attention_plan<engine = wgmma, tile = [128, 64], warps = 12, stages = 2, groups = true>}

// -----

// expected-error @below {{P1: 'tile' has two positive extents, rows and columns}}
func.func private @tile() attributes {test.plan = #pit.row_plan<family = row_wise, tile = [8, 0], max_blocks = 1>}

// -----

// expected-error @below {{P1: 'vector' must be a power of two up to 16, not 3}}
func.func private @vector() attributes {test.plan = #pit.row_plan<family = row_wise, tile = [8, 96], vector = 3, max_blocks = 1>}

// -----

// expected-error @below {{P1: 'unroll' must be a power of two up to 16, not 32}}
func.func private @unroll() attributes {test.plan = #pit.row_plan<family = segment_sum, tile = [8, 32], unroll = 32>}

// -----

// expected-error @below {{P1: 'max_blocks' must not be negative, not -1}}
func.func private @blocks() attributes {test.plan = #pit.row_plan<family = row_wise, tile = [8, 32], max_blocks = -1>}

// -----

// expected-error @below {{P2: vectors of 8 columns do not make up a tile of 36}}
func.func private @parts() attributes {test.plan = #pit.row_plan<family = row_wise, tile = [8, 36], vector = 8, max_blocks = 1>}

// -----

// expected-error @below {{P2: a block has whole warps, 1024 threads at most, not 64 x 32}}
func.func private @threads() attributes {test.plan = #pit.row_plan<family = row_wise, tile = [64, 32], max_blocks = 1>}

// -----

// expected-error @below {{P2: a block has whole warps, 1024 threads at most, not 9 x 4}}
func.func private @part_of_warp() attributes {test.plan = #pit.row_plan<family = segment_sum, tile = [9, 4]>}

// -----

// expected-error @below {{P3: a row of 'row_wise' has a power of two of threads up to a warp, or a whole block, not 64 of 256 threads}}
func.func private @warps_of_row() attributes {test.plan = #pit.row_plan<family = row_wise, tile = [4, 64], max_blocks = 1>}

// -----

// expected-error @below {{P3: a row of 'row_wise' has a power of two of threads up to a warp, or a whole block, not 12 of 96 threads}}
func.func private @part_of_row() attributes {test.plan = #pit.row_plan<family = row_wise, tile = [8, 12], max_blocks = 1>}

// -----

// expected-error @below {{P3: a row of 'segment_sum' has a power of two of threads, not 96}}
func.func private @power() attributes {test.plan = #pit.row_plan<family = segment_sum, tile = [1, 96]>}

// -----

// expected-error @below {{P3: threads of a row and of a block of 'reduce' are powers of two, not 96 of 288}}
func.func private @power_of_columns() attributes {test.plan = #pit.row_plan<family = reduce, tile = [3, 96], max_blocks = 1>}

// -----

// expected-error @below {{P3: threads of a row and of a block of 'scan' are powers of two, not 96 of 288}}
func.func private @power_of_scan() attributes {test.plan = #pit.row_plan<family = scan, tile = [3, 96], max_blocks = 1>}

// -----

// expected-error @below {{P7: a block of 'scan' has at least the 8 rows that lie side by side, not 4}}
func.func private @rows_of_scan() attributes {test.plan = #pit.row_plan<family = scan, tile = [4, 64], unroll = 8, max_blocks = 1>}

// -----

// expected-error @below {{P5: 'group' is not for 'reduce'}}
func.func private @reduced_group() attributes {test.plan = #pit.row_plan<family = reduce, tile = [1, 32], max_blocks = 1, group = 0>}

// -----

// expected-error @below {{P4: a tile of 'list_map' has one column, not 2}}
func.func private @column() attributes {test.plan = #pit.row_plan<family = list_map, tile = [32, 2], max_blocks = 1>}

// -----

// expected-error @below {{P4: a tile of 'fill' has one row, not 2}}
func.func private @row() attributes {test.plan = #pit.row_plan<family = fill, tile = [2, 32], max_blocks = 1>}

// -----

// expected-error @below {{P5: 'unroll' is not for 'row_wise'}}
func.func private @unrolled_rows() attributes {test.plan = #pit.row_plan<family = row_wise, tile = [8, 32], unroll = 4, max_blocks = 1>}

// -----

// expected-error @below {{P5: 'evict_first' is not for 'fill'}}
func.func private @evicted() attributes {test.plan = #pit.row_plan<family = fill, tile = [1, 32], evict_first = true, max_blocks = 1>}

// -----

// expected-error @below {{P5: 'group' is not for 'segment_sum'}}
func.func private @group() attributes {test.plan = #pit.row_plan<family = segment_sum, tile = [8, 32], group = 0>}

// -----

// expected-error @below {{P5: 'group' must not be negative, not -2}}
func.func private @negative() attributes {test.plan = #pit.row_plan<family = row_wise, tile = [8, 32], max_blocks = 1, group = -2>}

// -----

// expected-error @below {{P5: 'max_blocks' must be 0 for 'segment_sum', not 4}}
func.func private @persistent_sums() attributes {test.plan = #pit.row_plan<family = segment_sum, tile = [8, 32], max_blocks = 4>}

// -----

// expected-error @below {{P5: 'max_blocks' must be positive for 'row_wise', not 0}}
func.func private @no_blocks() attributes {test.plan = #pit.row_plan<family = row_wise, tile = [8, 32]>}

// -----

// expected-error @below {{P6: a thread of 'windows' has at most 16 results along an axis, and 64 elements, not 17 x 1 x 1}}
func.func private @long_windows() attributes {test.plan = #pit.row_plan<family = windows, tile = [17, 256], max_blocks = 1, group = 0>}

// -----

// expected-error @below {{P6: a thread of 'windows' has at most 16 results along an axis, and 64 elements, not 4 x 4 x 8}}
func.func private @large_windows() attributes {test.plan = #pit.row_plan<family = windows, tile = [4, 256], vector = 8, unroll = 4, max_blocks = 1, group = 0>}

// -----

// expected-error @below {{P2: a block has whole warps, 1024 threads at most, not 1 x 2048}}
func.func private @threads_of_windows() attributes {test.plan = #pit.row_plan<family = windows, tile = [4, 2048], max_blocks = 1, group = 0>}

// -----

!i = !pit.index<[64], coordinate = 0, tile = [1], width = 32>

func.func @on_tensors(%i: !i, %x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  // expected-error @below {{T6: a plan is for an op on buffers}}
  %r = pit.tiled tile 64 plan <family = row_wise, tile = [8, 32], max_blocks = 1> {dims = [array<i64: 0>], packed = array<i1: false>}
      over(%i : !i) outs(%x : tensor<64x32xf32>) {
  ^bb0(%o: tensor<?x32xf32>):
    pit.yield %o : tensor<?x32xf32>
  } -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

// -----

!i = !pit.index_buffer<!pit.index<[64], coordinate = 0, tile = [1], width = 32>>

func.func @fill(%i: !i, %x: memref<64x32xf32>) {
  // expected-error @below {{T6: is planned as 'fill', which is for structured ops}}
  pit.tiled tile 64 plan <family = fill, tile = [1, 32], max_blocks = 1> {dims = [array<i64: 0>], packed = array<i1: false>}
      over(%i : !i) outs(%x : memref<64x32xf32>) {
  ^bb0(%o: memref<?x32xf32>):
    pit.yield
  }
  return
}

// -----

!i = !pit.index_buffer<!pit.index<[64], coordinate = 0, tile = [1], width = 32>>

func.func @group(%i: !i, %x: memref<64x32xf32>) {
  // expected-error @below {{T6: is planned as 'row_wise' of a group, which is for structured ops}}
  pit.tiled tile 64 plan <family = row_wise, tile = [8, 32], max_blocks = 1, group = 0> {dims = [array<i64: 0>], packed = array<i1: false>}
      over(%i : !i) outs(%x : memref<64x32xf32>) {
  ^bb0(%o: memref<?x32xf32>):
    pit.yield
  }
  return
}
