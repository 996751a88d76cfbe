// What a plan cannot say.
// RUN: pit-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{K1: a tile of 'wgmma' has 2 positive extents}}
func.func private @extents() attributes {test.plan = #pit.plan<family = gemm, tile = [128, 256, 64], stages = 4>}

// -----

// expected-error @below {{K1: 'mma_sync' needs a warp_tile of two positive extents}}
func.func private @warps() attributes {test.plan = #pit.plan<family = gemm, engine = mma_sync, tile = [128, 128, 32], stages = 4>}

// -----

// expected-error @below {{K1: 'stages' must be positive, not 0}}
func.func private @stages() attributes {test.plan = #pit.plan<family = gemm, tile = [128, 256], stages = 0>}

// -----

// expected-error @below {{K2: split_k = 2 needs swap_ab: clusters add up sums of few rows}}
func.func private @split() attributes {test.plan = #pit.plan<family = gemm, tile = [128, 256], stages = 4, split_k = 2>}

// -----

// expected-error @below {{K3: swap_ab already swaps the tiles at the ends of segments, which swap_tails would}}
func.func private @both() attributes {test.plan = #pit.plan<family = grouped_gemm, tile = [160, 256], stages = 3, swap_ab = true, swap_tails = true>}

// -----

// expected-error @below {{K3: extra_rows = 24 needs swap_tails, and must not be negative}}
func.func private @extra() attributes {test.plan = #pit.plan<family = grouped_gemm, tile = [128, 256], stages = 3, extra_rows = 24>}

// -----

// expected-error @below {{K4: wgmma multiplies 64 rows and multiples of 8 columns at a time, which a tile of 96 x 256 is not made of}}
func.func private @rows() attributes {test.plan = #pit.plan<family = gemm, tile = [96, 256], stages = 4>}

// -----

// expected-error @below {{K4: wgmma multiplies 64 rows and multiples of 8 columns at a time, which a tile of 20 x 128 with swap_ab is not made of}}
func.func private @columns() attributes {test.plan = #pit.plan<family = gemm, tile = [20, 128], stages = 4, swap_ab = true>}

// -----

// expected-error @below {{K5: 'dynamic' is for segments, not for 'gemm'}}
func.func private @dynamic() attributes {test.plan = #pit.plan<family = gemm, tile = [128, 256], stages = 4, dynamic = true>}

// -----

// expected-error @below {{K5: 'bits_from' is for blocks, not for 'gemm'}}
func.func private @bits() attributes {test.plan = #pit.plan<family = gemm, tile = [128, 256], stages = 4, bits_from = 0>}

// -----

// expected-error @below {{K6: without a producer there must be three stages and one block per multiprocessor}}
func.func private @producer() attributes {test.plan = #pit.plan<family = gemm, tile = [128, 256], stages = 2, producer = false>}

// -----

// expected-error @below {{K7: variants for fewer rows come behind those for more, not 2048 behind 1024}}
func.func private @order() attributes {test.plan = #pit.plan<family = gather_gemm, tile = [128, 256], stages = 4, variants = [
  #pit.variant<guard = rows, limit = 1024, plan = <family = gather_gemm, tile = [64, 128], stages = 8, swap_ab = true>>,
  #pit.variant<guard = rows, limit = 2048, plan = <family = gather_gemm, tile = [32, 128], stages = 8, swap_ab = true>>]>}

// -----

// expected-error @below {{V1: the limit of a variant must not be negative, not -1}}
func.func private @limit() attributes {test.variant = #pit.variant<guard = rows, limit = -1, plan = <family = gemm, tile = [64, 128], stages = 8>>}

// -----

// expected-error @below {{V2: a variant has the group, 'rows_from' and 'bits_from' of its plan, and none of its own}}
func.func private @group() attributes {test.variant = #pit.variant<guard = live, limit = 9, plan = <family = gemm, tile = [64, 128], stages = 8, group = 1>>}

// -----

// expected-error @below {{K5: 'dynamic' is for segments, not for 'batched_gemm'}}
func.func private @drawn_batches() attributes {test.plan = #pit.plan<family = batched_gemm, tile = [128, 256], stages = 4, consumers = 2, dynamic = true>}

// -----

// expected-error @below {{W1: windows have one to three axes, not 4}}
#w = #pit.window<size = [1, 1, 1, 1], strides = [1, 1, 1, 1], dilations = [1, 1, 1, 1], low = [0, 0, 0, 0], positions = [1, 1, 1, 1]>
func.func @window_axes() attributes {w = #w} { return }

// -----

// expected-error @below {{W1: all arrays need 2 entries, as 'size' has; got 1}}
#w = #pit.window<size = [3, 3], strides = [1], dilations = [1, 1], low = [0, 0], positions = [8, 8]>
func.func @window_entries() attributes {w = #w} { return }

// -----

// expected-error @below {{W2: sizes, strides, dilations and positions must be positive}}
#w = #pit.window<size = [3], strides = [0], dilations = [1], low = [0], positions = [8]>
func.func @window_stride() attributes {w = #w} { return }

// -----

// expected-error @below {{W2: 'low' must not be negative}}
#w = #pit.window<size = [3], strides = [1], dilations = [1], low = [-1], positions = [8]>
func.func @window_low() attributes {w = #w} { return }
