//===- Passes.td - Passes that take one level of the IR to the next --*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_PASSES_TD
#define PIT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Level 1 to level 2
//===----------------------------------------------------------------------===//

def ConvertLinalgToPIT : Pass<"convert-linalg-to-pit", "::mlir::func::FuncOp"> {
  let summary = "Restrict structured ops to the live points of sparsity patterns";
  let description = [{
    Runs the two-way sparsity propagation and turns every structured op that may skip points into a
    `pit.generic` over an index. One `pit.detect` is made per pattern and shared by all ops it governs. Results
    that keep the pattern stay packed until an op needs them whole; then they are written with `pit.swrite` into
    what the dead elements hold.

    Ops that no rule fits stay as they are; a remark says why when a pattern reached them.

    Restrictions: marks and ops of the function's top-level block only; one pattern per op; structured ops must be
    on tensors and their maps must use the restricted axes as plain dimensions.

    With `number-only` nothing is restricted: each op that would be gets the attribute `pit.rule` with the number of its
    rule, so that the dense program can be measured rule by rule.

    `finite` takes live data to be finite, so that `0 * x` may be skipped; `strict` refuses to compact
    floating-point sums even though the compacted sum keeps the order of the remaining terms.
  }];
  let options = [
    Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">,
    Option<"strict", "strict", "bool", /*default=*/"false", "Do not compact floating-point sums">,
    Option<"numberOnly", "number-only", "bool", /*default=*/"false", "Only number the rules, restrict nothing">
  ];
  let dependentDialects = ["::mlir::pit::PITDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numRestricted", "num-restricted", "Structured ops restricted to a pattern">,
    Statistic<"numIndexes", "num-indexes", "Indexes built">
  ];
}

//===----------------------------------------------------------------------===//
// Structured ops on buffers to CPU loops
//===----------------------------------------------------------------------===//

def ConvertContractionsToCPU : Pass<"convert-contractions-to-cpu", "::mlir::func::FuncOp"> {
  let summary = "Lower contractions on buffers to blocked, packed loops around a vector micro-kernel";
  let description = [{
    Finds contractions by structure: two inputs and one output accessed through projected permutations, and a body that
    adds the product of the inputs, each possibly extended, to the output. Any strides and any number of batch, row,
    column and reduction loops are taken. Blocks of both inputs are packed into scratch buffers that are allocated once,
    outside the outermost loop around the op.

    Each element of the output takes exactly one multiply-add per point of the reduction, in lexicographic order of the
    op's reduction loops, whatever the extents and wherever the element lies. So leaving out points whose product is
    zero leaves the result bit for bit the same. Floating-point products and sums are fused (one rounding).

    Restrictions: memrefs of the default memory space; f32, f64 or integers of 8 to 64 bits as the type that is
    accumulated. Other ops are left as they are.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"256", "Bits of a vector register: 128, 256 or 512">
  ];
  let statistics = [Statistic<"numContractions", "num-contractions", "Contractions lowered">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertLinalgToCPULoops : Pass<"convert-linalg-to-cpu-loops", "::mlir::func::FuncOp"> {
  let summary = "Lower structured ops on buffers to loops that vectorise";
  let description = [{
    Lowers every linalg op on buffers, and copies between buffers that are not contiguous, to `scf.for`. Loops are
    ordered so that the innermost one walks memory contiguously where some order allows that; reduction loops keep their
    order among each other, so that each element of the output is computed exactly as written. Where reductions stay
    innermost, accumulators are carried in registers, and several rows are reduced side by side.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ApproximateMathForCPU : Pass<"approximate-math-for-cpu", "::mlir::func::FuncOp"> {
  let summary = "Replace f32 math functions by polynomials that vectorise";
  let description = [{
    `exp`, `erf`, `tanh`, `log` and the like on f32 become straight-line arithmetic, accurate to a few units in the last
    place, that gives the same bits in scalar and in vector code. Narrower floats are computed in f32. Functions of f64
    are left for the math library.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

//===----------------------------------------------------------------------===//
// Detection on buffers to GPU kernels
//===----------------------------------------------------------------------===//

def ConvertDetectToGPU : Pass<"convert-detect-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn detection into kernels that run at the speed of memory";
  let description = [{
    Each `pit.detect_into` on buffers becomes two launches. The first reads the pattern once, with loads of 16 bytes where
    extents and strides allow it, ORs each micro-tile in registers, and writes a bitmap of 32 micro-tiles per word, segment
    after segment, and the number of live ones per group of words. The second adds up the groups before its own and
    writes offsets and coordinates in order. Small patterns take one launch of one block. No position comes from an
    atomic, so the lists are the same in every run. What the lists cannot hold is not written, and reported in the status buffer (see docs/RuntimeABI.md); so are
    lengths outside their sequence.

    Each `pit.detect_bits_into` becomes the first launch alone, with the bitmap where it is wanted.

    Any strides are taken. Bitmap and counts are buffers that the host allocates.

    Restrictions: ops of the function's top level; element types of `--pit-detect-into-lists`; extents below 2^31 each.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip whose multiprocessors say how many blocks a launch has">
  ];
  let statistics = [
    Statistic<"numDetections", "num-detections", "Detections converted">,
    Statistic<"numKernels", "num-kernels", "Kernels made">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Sums over segments on buffers to GPU kernels
//===----------------------------------------------------------------------===//

def ConvertInvertToGPU : Pass<"convert-invert-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn inversions of indexes into kernels";
  let description = [{
    Each `pit.invert_into` on buffers becomes one launch. A block makes the lists of 32 coordinates: it searches every segment
    for where they begin, which also says how many positions are listed before, gathers a bit per coordinate and
    segment in registers, and writes positions in order. Blocks share nothing, and there are no atomics. Positions that
    the list has no room for are dropped. Nothing is read back by the host.

    Restrictions: ops of the function's top level whose lists are contiguous; extents below 2^31 each.
  }];
  let statistics = [Statistic<"numInversions", "num-inversions", "Inversions converted">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

def ConvertAttentionToGPU : Pass<"convert-attention-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn attention by sequences into kernels for the matrix units";
  let description = [{
    Each `pit.attend` on buffers becomes one launch. A block has 64 rows of a sequence and one head, four warps 16 rows each;
    rows of K and V come in steps of 64 through shared memory, the next ones while the last ones are multiplied (`mma.sync`).
    Scores stay in registers: the softmax is computed step by step with a running maximum and sum (Milakov and Gimelshein,
    "Online normalizer calculation for softmax", 2018; Dao et al., "FlashAttention", 2022). Blocks behind the end of their
    sequence leave at once.

    Restrictions: ops of the function's top level; 32, 64 or 128 elements per head; contiguous buffers; sm_80 and newer.
  }];
  let statistics = [Statistic<"numAttentions", "num-attentions", "Ops converted">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

def ConvertRowsToGPU : Pass<"convert-rows-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn ops that compute rows from rows into kernels with a warp per row";
  let description = [{
    Takes `pit.tiled` on buffers, at the top of a function, over a list of rows, whose region computes each row of its
    outputs from the same row of packed or listed operands and from vectors that all rows share: elementwise ops and
    reductions along the row, in any number (see `--pit-fuse-rows`). A warp, or a block where there are more than 2048
    elements, has a row in registers from the loads to the stores; reductions go through the lanes, so float sums are reassociated. A fill of an output with a constant before the op, whose rows
    the op lists, is done by the same kernel where nobody reads the output between them.

    The same becomes of reductions along the rows of a whole matrix of at least 32 columns, at the top of a function, that
    start from a fill with a constant, and of what is computed from the same rows behind them: a softmax, or the largest
    weight of an expert and where it is. What nobody else reads is in no memory.

    Rows have up to 16384 elements. What does not fit is left as it is, for `--pit-expand-tiles`. Other fills of a MiB and
    more with a constant become kernels that store 16 bytes at a time.
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Leave float sums along rows of whole matrices as they are, in their order">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip whose multiprocessors say how many blocks a launch has">
  ];
  let statistics = [Statistic<"numRows", "num-rows", "Ops on rows converted">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

def ConvertSumsToGPU : Pass<"convert-sums-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn sums of listed rows, and what they read per listed element, into kernels";
  let description = [{
    Takes two kinds of `pit.tiled` on buffers, at the top of a function, recognised by structure, whose region is one
    `linalg.generic`:

    * Sums of listed rows (see `--pit-split-sums`): each segment owns one row of the output, the operands are rows listed
      by the coordinate, numbers per listed element, rows per segment, and rows for all, and nothing but the coordinate is
      summed over. Neighbouring threads take neighbouring columns, 16 bytes of the widest operand each where rows allow
      it; several listed rows are loaded before the first is added. Sums are formed in the order of the list. A fill of the
      output before it is taken into the kernel, and so is an elementwise op behind it that alone reads the sums. With
      `cache-hints`, rows that are listed no more often than they are rows, as those of an inverse are, leave the L2 cache
      first; the loads that say so need `sm_80` and PTX 7.4.
    * Numbers per listed element: all operands have one number per listed element, packed or not. Each thread computes
      one.

    What does not fit is left as it is, for `--pit-expand-tiles`.
  }];
  let options = [
    Option<"cacheHints", "cache-hints", "bool", /*default=*/"false", "The chip has loads that say how caches treat what they read">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip whose multiprocessors say how many blocks a launch has">
  ];
  let statistics = [
    Statistic<"numSums", "num-sums", "Sums of listed rows converted">,
    Statistic<"numLists", "num-lists", "Ops with one number per listed element converted">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Contractions on buffers to kernels for Hopper
//===----------------------------------------------------------------------===//

def ConvertContractionsToHopper : Pass<"convert-contractions-to-hopper", "::mlir::ModuleOp"> {
  let summary = "Turn contractions of bf16, f16 and tf32 into kernels for the matrix units of sm_90a";
  let description = [{
    Takes contractions on buffers, recognised by structure, that start from a zero fill, multiply bf16 or f16 and
    accumulate in f32, together with the elementwise ops behind them as far as nothing else reads what comes before: the
    bias, activation, residual, scale and rounding. Those may read a second product with the same A (a gated activation),
    which is then computed side by side, and buffers that vary along rows, columns, both, or the rows of a list. Where
    the result has 16 bits, quotients and functions are computed to about the last bit of f32 (`arcp`, `afn`). Each
    becomes a launch of a persistent kernel: one warpgroup loads tiles of both operands with the copy engine, two multiply tiles of
    128 x 256 x 64 with `wgmma`. Products of one kind share a kernel. The kernels are functions of the LLVM dialect; the
    host creates their tensor maps with `nvgpu.tma.create.descriptor`.

    Where the number of rows is known and such tiles are too few to occupy the chip, smaller ones are chosen, by an
    estimate of the time: 128 x 128, or, for a k-major A, 16 to 128 rows by 64 or 128 columns,
    with columns of B as the rows of the matrix instructions. Pairs of blocks (clusters) may share such a tile along k;
    they add up their sums in a fixed order.

    Tiled ops (`pit.tiled`) over lists of rows are taken whole: A gathered or packed, C scattered or packed. Where the
    lists are segments with one B each (experts with their tokens), a block reads how long they are on the device, and
    no host waits for it; empty segments cost nothing. What tiles of 128 rows leave of a segment goes into its last one or
    two, up to 24 rows each, or else into a tile of its own, both with columns of B as the rows of the matrix instructions
    unless, of tiles that may be larger, one lacks less than a quarter of its rows; the former where the epilogue loads
    nothing and computes little. Rows of C must be distinct: a C that segments share is only
    scattered if the `pit.detect_into` in front sees to that (`at_most = 1`). A list of k, in a tiled op that adds to a C filled with zeros, is taken where A is stored [k, m] and B [k,
    n]: listed rows of both are gathered. Two attributes of the op choose among kernels for segments. `pit.draw_tiles`
    (default true) has blocks draw tiles from a counter, which a launch before clears, instead of taking them in turn.
    `pit.short_segments` (default: whether the extents of the lists say so, or the option of that name) is for segments
    of less than about 256 rows: columns of B become the rows of the matrix instructions, and one tile holds up to 160
    rows, so that B is read once.

    Of two products over the same segments, one of which only writes the rows that the other one reads, packed both times, the second
    waits for the rows of each of its tiles, which the first counts in flags, and not for the end of the first.

    A tiled op over micro-tiles of an A stored [m, k], of 8 to 128 rows (a multiple of 8) and a multiple of 64 k, is taken
    where its lists come from one `pit.detect_into` in the same block: that becomes, or is joined by, a `pit.detect_bits_into`,
    whose bits the kernel walks. Tiles hold as many strips of rows as fit into 128, eight at most (`pit.strips_of_tile` asks
    for fewer), by 256 columns; B is loaded where one of them is live, A where the strip itself is, and nothing else is multiplied. Of
    strips of 32 or 64 rows, all blocks look at the same few words of bits, and take tiles of 256 rows by 128 columns where more than 17
    or 27 % of the micro-tiles are live, and, of 32 rows, tiles of 64 by 256 where no more than 7 % are. Micro-tiles
    of 2 to 32 k (a power of two) are taken where the pattern is that of A's own values; what shares a step of 64 k with a live one is
    multiplied, too. Strips of rows that are not a multiple of 16 go in pairs. Bits have no capacity: more live micro-tiles than
    `at_most` are multiplied, and not reported. The output has 16 bits.

    Where A is what a product before has just written, in tiles of 128 rows, and micro-tiles have a multiple of 16 rows and
    64, 128 or another such power of two of k, that product's kernel sets the bits of what it writes, and no
    launch looks for them.

    Where such micro-tiles are A's own values, or those that a contiguous mask names, of 16, 32 or 64 rows by 1, 2, 4, 8 or 16 k, they are packed instead: the detection
    becomes, or is joined by, a `pit.detect_packed_into`. The kernel's tiles are one strip by up to 1024 columns, and rows of B
    are gathered through the lists. B is stored [k, n], n is a multiple of 64, k is a multiple of 8 and at least 512. Lists have room
    for all k; `at_most` limits nothing there either.

    Micro-tiles of one row by 64 k of an A stored [m, k], found as bits in the same way, have a kernel of their own, for a B stored [k, n] and an
    output that is only rounded, n and k multiples of 64: a block keeps sums of 512 rows by 64 columns in shared memory, gathers the rows that are live
    of each 64 k, and adds what they make in a fixed order. Its blocks have 640 threads. `pit.pieces_of_group`
    (1 or 2) asks it to gather the rows of two neighbouring pieces of 64 k together, which pays where 99 % are dead.

    Of any kind, where A is known to hold zeros outside of live micro-tiles, the kernel has the dense product, too, and its
    blocks take that where too little is dead (of pieces of rows, with operands swapped and tiles of 256 x 128): all look at the same
    few hundred counts, or words of bits, and compare their sum with where the times of the tile database
    (`lib/Selection/Data`) cross. So has a kernel that walks bits where what is dead may hold anything, as where a mask is given: dead
    micro-tiles come into its dense product as zeros, if those whose rows are not contiguous along k are at least 64 wide. Where a few places say that more of A is live, it is not packed to begin with; by a mask, these places alone decide. What a mask says is
    dead of few k passes through registers on the way to the matrix units, where it is cleared. Of single rows, warps that do not load clear it in
    shared memory, or, where it is more than 45 %, lanes read a row of zeros instead. `pit.dense_variant = false` on the op asks for none. There is
    none where the dense tiles would occupy less than half of the chip, except of clusters.
    Of packed micro-tiles whose tiles are too few, clusters of up to eight
    blocks share the parts of k, and add up in a fixed order; of tiles of 128 columns, a multiprocessor has room for two blocks, and as many columns are
    taken as let all clusters of eight find room in few rounds. Of one strip of at most 32 rows that no mask names, they have a dense variant with the same
    tiles, of which clusters share the steps, if at least three of its stages find room, and unless B is so large that it would pay with nearly all live
    alone; the sample decides before anything is packed.

    Of an output of which blocks are wanted, in multiples of 64 rows and columns, tiles are those of listed blocks. Where a mask of a known number of blocks
    names them, and a constant is all that is in the output before, one launch does all of it: its blocks of threads read the mask, each computes its share of what is wanted, and fills
    its share of the rest; or the dense product, with what nobody wants replaced, where the tile database says that this takes less time.

    With `f32-products=tf32`, inputs of f32 are taken, too, as tf32: the copy engine rounds them to 11 bits, to nearest,
    ties to even, as it loads them, in tiles half as deep. The instructions read tf32 along k alone: A is stored [m, k]
    and B [n, k]. Rows of A may be packed; gathered ones do not come through the copy engine, and are left to
    `--convert-contractions-to-mma`, as are the other layouts. Micro-tiles and lists of k are of 16 bits alone.

    Either axis of an operand may be the contiguous one. The number of rows may be dynamic, and no extent needs to be a
    multiple of its tile. Sums are reassociated.

    What the kernels cannot take is left as it is, for `--convert-linalg-to-gpu`, which runs next: batches, other element
    types, dynamic columns or depth, numbers of columns that are not a multiple of 8, rows or bases that are not aligned
    to 16 bytes, sums that start from something else, and contractions amid code of the device.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip for which kernels are made; it has wgmma">,
    Option<"card", "card", "std::string", /*default=*/"\"\"",
           "Card with the chip whose memory counts, such as h100; by default the one that tiles were measured on">,
    Option<"multiprocessors", "multiprocessors", "int64_t", /*default=*/"0",
           "Multiprocessors of the device, each of which runs one block at a time; 0 for those of the card. Results depend "
           "on it only by the order of sums">,
    Option<"freeBuffers", "free-buffers", "bool", /*default=*/"true",
           "Free the buffers that launches need; not where ownership-based deallocation comes later">,
    Option<"shortSegments", "short-segments", "bool", /*default=*/"false",
           "Expect segments of less than about 256 rows where nothing else says how long they are">,
    Option<"f32Products", "f32-products", "std::string", /*default=*/"\"simt\"",
           "How f32 are multiplied: simt, tf32 or tf32x3, of which this pass takes tf32">,
    Option<"specialise", "specialise", "bool", /*default=*/"true",
           "Have a warpgroup that does nothing but load; without one, which products of whole matrices can do, loads "
           "of a tile wait for the tile before: a reference">
  ];
  let statistics = [
    Statistic<"numContractions", "num-contractions", "Contractions converted">,
    Statistic<"numKernels", "num-kernels", "Kernels made">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::nvgpu::NVGPUDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Contractions on buffers to kernels for sm_80 and newer
//===----------------------------------------------------------------------===//

def ConvertContractionsToMMA : Pass<"convert-contractions-to-mma", "::mlir::ModuleOp"> {
  let summary = "Turn contractions of bf16, f16 and f32 into kernels of tiles for sm_80 and newer";
  let description = [{
    Takes the contractions that `--convert-contractions-to-hopper` takes, dense and over lists of rows and segments, with
    the elementwise ops behind them, for chips without `wgmma`, and what that pass leaves of f32. Blocks multiply tiles of 128 x 256 x 32
    (128 x 128 x 32 for up to 128 columns, and smaller ones where there are few of them) with `mma.sync`; operands come
    into a ring of stages in shared memory with `cp.async`, from there into registers with `ldmatrix`. Products of one
    kind share a kernel. Segments are found on the device, and no host waits for it; the attributes that choose among
    schedules there change nothing here.

    The matrix units take no f32. `f32-products` says what becomes of such inputs: `tf32x3` splits each into two numbers
    of 11 bits and adds up three products, with errors close to those of f32; an infinite input, or one that rounds to
    infinity (from 2^128 - 2^116 on), makes NaN of what it is multiplied with, as if it were NaN. `tf32` rounds each to 11 bits, which is three times as fast.
    `simt` multiplies f32 as they are, outside of the matrix units: each thread has the sums of 4 rows by 8 columns, in the order
    of k; tiles are 128 x 128, or 64 x 128 where the number of rows is dynamic or two products share A. All tiles of f32 are half as deep.

    In contrast to that pass, rows and bases may be aligned to any number of bytes, and the number of columns need not
    be a multiple of 8. Rows aligned to 8 or 4 bytes are copied in such pieces; otherwise elements are loaded one by one,
    which is much slower. Results are stored 16 bytes at a time where their rows and columns allow it.

    Either axis of an operand may be the contiguous one. The number of rows may be dynamic, and no extent needs to be a
    multiple of its tile. Sums are reassociated.

    What the kernels cannot take is left as it is, for `--convert-linalg-to-gpu`, which runs next: batches, other element
    types, dynamic columns, depth or strides, listed rows that are not contiguous, sums that start from something else,
    and contractions amid code of the device. So is everything if the shared memory does not hold two stages.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_86\"",
           "Chip for which kernels are made; those of the default fit into the shared memory of all that have such kernels">,
    Option<"sharedMemory", "shared-memory", "int64_t", /*default=*/"0",
           "Bytes of shared memory that a block may have; 0 for those of the chip">,
    Option<"maxBlocks", "max-blocks", "int64_t", /*default=*/"65536",
           "Blocks of a launch at most; results do not depend on it">,
    Option<"f32Products", "f32-products", "std::string", /*default=*/"\"simt\"",
           "How f32 are multiplied: simt, tf32 or tf32x3">
  ];
  let statistics = [
    Statistic<"numContractions", "num-contractions", "Contractions converted">,
    Statistic<"numKernels", "num-kernels", "Kernels made">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Code on buffers to GPU kernels
//===----------------------------------------------------------------------===//

def MergeClearsIntoKernels : Pass<"merge-clears-into-kernels", "::mlir::ModuleOp"> {
  let summary = "Have kernels that run anyway clear small buffers";
  let description = [{
    A fill of up to 32 integers of a buffer, allocated by the function, with zero becomes work of the first kernel that is launched: the
    first threads of its first block store the zeros. The kernel takes the buffer as one more argument.

    Restrictions: the kernel is a function of the LLVM dialect that is launched once, in a block of the function's top
    level; nothing uses the buffer before the fill. Other fills are left as they are.
  }];
  let statistics = [Statistic<"numClears", "num-clears", "Fills merged into kernels">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def ConvertLinalgToGPU : Pass<"convert-linalg-to-gpu", "::mlir::func::FuncOp"> {
  let summary = "Turn everything that touches memory into GPU kernels";
  let description = [{
    Takes functions on buffers (linalg, scf, memref, arith, math) and leaves the host with allocations, extents and
    `gpu.launch` ops, which run in order.

    A structured op of the function's top level becomes a grid with one point of the output per thread; neighbouring
    threads walk the output's contiguous axis, reductions run in order inside a thread. Everything else (loops, loads,
    and scalars that depend on memory) is run by one block: structured ops inside are spread over its threads, scalar
    stores are done by its first thread, barriers keep dependent steps apart. Values that depend on memory never reach
    the host.

    Kernels take base pointers (memrefs of rank 0), integers and floats only; see docs/RuntimeABI.md. Buffers that
    loops allocate are allocated once by the host, with sizes it can bound. Where code reports errors to the runtime,
    the function gets a last argument with the attribute `pit.status`: four i64 (status code, rule, value, bound) which
    the caller clears and reads. Calls that count or time are dropped.

    Restrictions: one block per function, strided buffers, no calls, no results that are scalars read from memory.
  }];
  let options = [
    Option<"blockSize", "block-size", "int64_t", /*default=*/"256", "Threads per block, a multiple of 32 up to 1024">
  ];
  let statistics = [
    Statistic<"numGridKernels", "num-grid-kernels", "Kernels that are spread over a grid">,
    Statistic<"numBlockKernels", "num-block-kernels", "Kernels that one block runs">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ApproximateMathForGPU : Pass<"approximate-math-for-gpu", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Replace math functions by what the device computes without a library";
  let description = [{
    Other functions of f32 become the same polynomials as on the CPU, so that both give the same bits up to fusion; narrower
    floats are computed in f32. What the device has instructions for becomes a call of the LLVM intrinsic; `exp`,
    `exp2`, `rsqrt` and `erf` of f32 that allow an approximation (`afn`) use the instructions for it, and `x / 2 (1 + erf(c x))`
    with such an `erf` becomes one polynomial and one power of two, shorter if the result is rounded to 16 bits. `exp`, `log`,
    `tanh` and `erf` of f64 become arithmetic of f64 with errors of at most 4 units in the last place; `sinh`, `cosh`, `asinh`,
    `acosh`, `atanh`, `exp2` and `powf` of f32 and narrower floats are computed through those. Anything else, such as `sin` or
    `powf` of f64 or a remainder of floats, is an error that names the op.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

//===----------------------------------------------------------------------===//
// Views of buffers
//===----------------------------------------------------------------------===//

def PITExpandStridedMetadata : Pass<"pit-expand-strided-metadata"> {
  let summary = "Expand views of buffers into offsets, sizes and strides";
  let description = [{
    Upstream's `--expand-strided-metadata`, which in MLIR 22 crashes on a `memref.expand_shape` that has several dynamic
    extents in one group, with a pattern for those.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"];
}

#endif // PIT_CONVERSION_PASSES_TD
