//===- ContractionPasses.td - From contractions to kernels for matrix units -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONPASSES_TD
#define PIT_CONVERSION_CONTRACTIONPASSES_TD

include "mlir/Pass/PassBase.td"

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
    host creates their tensor maps with `nvgpu.tma.create.descriptor`, of tf32 with `pit.rounded_tensor_map`.

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
    waits for the rows of each of its tiles, which the first counts in flags, and not for the end of the first. Both launches take
    these buffers through `pit.signaled`.

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

    Of a sampled product (SDDMM), whose blocks are multiples of 64 rows and columns, tiles are those of listed blocks. Where a mask of a known number of blocks
    names them, and a constant is all that is in the output before, one launch does all of it: its blocks of threads read the mask, each computes its share of the live blocks, and fills
    its share of the rest; or the dense product, with the other blocks replaced, where the tile database says that this takes less time.

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
    Option<"plan", "plan", "bool", /*default=*/"true",
           "Form and plan what is not planned yet; otherwise only what has a plan is converted">,
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
                           "::mlir::NVVM::NVVMDialect", "::mlir::pit::PITDialect", "::mlir::scf::SCFDialect"];
}

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
    Option<"plan", "plan", "bool", /*default=*/"true",
           "Form and plan what is not planned yet; otherwise only what has a plan is converted">,
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

#endif // PIT_CONVERSION_CONTRACTIONPASSES_TD
