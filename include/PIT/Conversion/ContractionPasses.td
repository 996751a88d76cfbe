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
    Takes contractions on buffers, recognised by structure. They start from a zero fill, multiply bf16 or f16 and accumulate in
    f32. The elementwise ops behind them are taken as well, as far as nothing else reads what comes before: bias, activation,
    residual, scale and rounding. Those may read a second product with the same A (a gated activation), which is then computed
    side by side, and buffers that vary along rows, columns, both, or the rows of a list. Where the result has 16 bits,
    quotients and functions are computed to about the last bit of f32 (`arcp`, `afn`).

    Each contraction becomes a launch of a persistent kernel: one warpgroup loads tiles of both operands with the copy engine
    (TMA), two multiply tiles of 128 x 256 x 64 with `wgmma`. Products of one kind share a kernel. The kernels are functions of
    the LLVM dialect; the host creates their tensor maps with `nvgpu.tma.create.descriptor`, and those of tf32 with
    `pit.rounded_tensor_map`.

    Such tiles may be too few to occupy the chip. If the number of rows is known, the pass then chooses smaller tiles by
    an estimate of the time: 128 x 128, or, for a k-major A, 16 to 128 rows by 64 or 128 columns, with A and B swapped:
    columns of B are the rows of the matrix instructions. Clusters of two blocks may share such a tile along k
    (split-K). They add their sums in a fixed order.

    **Lists of rows.** A `pit.tiled` over a list of rows becomes a gather GEMM: A is gathered or packed, C is scattered
    or packed. If the lists are segments with one B each, it becomes a grouped GEMM (experts with their tokens). Blocks
    read the lengths of segments on the device, so that no host waits, and empty segments cost nothing. A segment is cut
    into tiles of 128 rows. The rest of up to 24 rows is added to its last one or two tiles; a longer rest is a tile of
    its own. Both kinds of tiles swap A and B, unless tiles may be larger and one lacks less than a quarter of its rows.
    Larger last tiles are for epilogues that load nothing and compute little. Rows of C must be distinct: a C that
    segments share is scattered only if the `pit.detect_into` in front makes them so (`at_most = 1`). A list of k, in a
    tiled op that adds to a C filled with zeros, needs A stored [k, m] and B [k, n]: listed rows of both are gathered.

    Two attributes of the op choose among kernels for segments:

    * `pit.draw_tiles` (default true): dynamic tile scheduling. Blocks draw tiles from a counter, which an earlier
      launch clears. Otherwise tiles have a fixed stride.
    * `pit.short_segments` (default: by the extents of the lists, or the option of that name): for segments of less than
      about 256 rows. A and B are swapped, and one tile holds up to 160 rows, so that B is read once.

    **Two products in a row (producer and consumer kernels).** The second product may read packed rows that the first
    one writes packed, over the same segments. If the first one writes nothing else, each tile of the second waits for
    its rows only, not for the end of the first kernel. The first kernel counts finished rows in flags. Both launches
    take these buffers through `pit.signaled`.

    **Live blocks, as bits (SpMM).** Micro-tiles of an A stored [m, k] have 8 to 128 rows (a multiple of 8) and a multiple of 64
    k. Their lists come from one `pit.detect_into` in the same block, which becomes, or is joined by, a `pit.detect_bits_into`.
    The kernel walks its bits. Tiles hold as many strips of rows as fit into 128, eight at most (`pit.strips_of_tile` asks for
    fewer), by 256 columns. B is loaded where one strip is live, A where the strip itself is, and nothing else is multiplied.
    With strips of 32 or 64 rows, all blocks look at the same few words of bits first. Where more than 17 or 27 % of the
    micro-tiles are live, they take tiles of 256 rows by 128 columns; where no more than 7 % are, with strips of 32 rows, tiles
    of 64 by 256. Micro-tiles of 2 to 32 k (a power of two) are taken where the pattern is that of A's own values; what shares a
    step of 64 k with a live one is multiplied, too. Strips of rows that are not a multiple of 16 go in pairs. Bits have no
    capacity: more live micro-tiles than `at_most` are multiplied, and not reported. The output has 16 bits.

    A may be what a product before has just written, in tiles of 128 rows. If micro-tiles then have a multiple of 16 rows, and
    64, 128 or another such power of two of k, that product's kernel sets the bits of what it writes, and no launch looks for
    them.

    **Packed micro-tiles of few k (SpMM).** Micro-tiles of 16, 32 or 64 rows by 1, 2, 4, 8 or 16 k are packed instead, where
    they are A's own values or a contiguous mask names them. The detection becomes, or is joined by, a `pit.detect_packed_into`.
    The kernel's tiles are one strip by up to 1024 columns, and rows of B are gathered through the lists. B is stored [k, n], n
    is a multiple of 64, k is a multiple of 8 and at least 512. Lists have room for all k; `at_most` limits nothing there
    either. If there are too few tiles, clusters of up to eight blocks share the parts of k, and add up in a fixed order. With
    tiles of 128 columns, a multiprocessor has room for two blocks; as many columns are taken as let all clusters of eight run
    in few rounds.

    **Pieces of single rows (SpMM).** Micro-tiles of one row by 64 k of an A stored [m, k], found as bits in the same way, have
    a kernel of their own. B is stored [k, n], n and k are multiples of 64, and the output is only rounded. A block keeps sums
    of 512 rows by 64 columns in shared memory, gathers the live rows of each 64 k, and adds what they make in a fixed order.
    Its blocks have 640 threads. `pit.pieces_of_group` (1 or 2) asks it to gather the rows of two neighbouring pieces of 64 k
    together, which pays where 99 % are dead.

    **Dense variants.** Where A is known to hold zeros outside of live micro-tiles, each of these kernels has the dense product,
    too, and takes it where too little is dead. All blocks look at the same few hundred counts, or words of bits, and compare
    their sum with where the times of the tile database (`lib/Selection/Data`) cross. For pieces of rows, the dense product has
    its operands swapped and tiles of 256 x 128.

    * What is dead may hold anything, as under a mask. A kernel that walks bits then loads dead micro-tiles as zeros into its
      dense product, if those whose rows are not contiguous along k are at least 64 wide. What a mask says is dead of few k is
      cleared in registers on the way to the matrix units. Of single rows, warps that do not load clear it in shared memory;
      where it is more than 45 %, lanes read a row of zeros instead.
    * Where a sample of a few places says that more of A is live, A is not packed to begin with. By a mask, the sample alone
      decides.
    * Packed micro-tiles of one strip of at most 32 rows, without a mask, have a dense variant with the same tiles. Clusters
      share its steps. At least three of its stages must fit, and B must not be so large that the variant would pay only with
      nearly everything live. The sample decides before anything is packed.
    * There is no dense variant with `pit.dense_variant = false` on the op, nor where the dense tiles would occupy less than
      half of the chip, except with clusters.

    **Blocks of C (SDDMM).** Blocks of a sampled product are multiples of 64 rows and columns; tiles are those of listed blocks.
    A mask of a known number of blocks may name them, with nothing but a constant in the output before. One launch then does
    everything: its thread blocks read the mask, and each computes its share of the live blocks and fills its share of the rest.
    Where the tile database says that it takes less time, they compute the dense product and replace the other blocks.

    **tf32.** With `f32-products=tf32`, inputs of f32 are taken, too, as tf32. The copy engine rounds them to 11 bits, to
    nearest, ties to even, as it loads them, in tiles half as deep. The instructions read tf32 along k alone: A is stored [m, k]
    and B [n, k]. Rows of A may be packed. Gathered ones do not come through the copy engine, and are left to
    `--convert-contractions-to-mma`, as are the other layouts. Micro-tiles and lists of k are of 16 bits alone.

    Either axis of an operand may be the contiguous one. The number of rows may be dynamic, and no extent needs to be a multiple
    of its tile. Sums are reassociated.

    Left for `--convert-linalg-to-gpu`, which runs next, are:

    * batches and other element types;
    * dynamic columns or depth, and numbers of columns that are not a multiple of 8;
    * rows or bases that are not aligned to 16 bytes;
    * sums that start from something else, and contractions amid code of the device.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip for which kernels are made; it has wgmma">,
    Option<"card", "card", "std::string", /*default=*/"\"\"",
           "Card with the chip: a name such as h100, a database FILE.json of pit-tune, or a folder of those; by default the chip's">,
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
           "How products of f32 are computed: simt, tf32 or tf32x3; this pass converts those of tf32">,
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
    Takes the contractions that `--convert-contractions-to-hopper` takes, dense and over lists of rows and segments, with the
    elementwise ops behind them. It is for chips without `wgmma`, and for what that pass leaves of f32. Blocks multiply tiles of
    128 x 256 x 32 with `mma.sync`; tiles are 128 x 128 x 32 for up to 128 columns, and smaller where there are few of them.
    Operands come into a ring of stages in shared memory with `cp.async`, and from there into registers with `ldmatrix`.
    Products of one kind share a kernel. Segments are found on the device, and no host waits. The attributes that choose among
    schedules there change nothing here.

    The matrix units take no f32. `f32-products` says what becomes of such inputs:

    * `tf32x3` splits each into two numbers of 11 bits and adds up three products, with errors close to those of f32. An
      infinite input, or one that rounds to infinity (from 2^128 - 2^116 on), makes NaN of what it is multiplied with, as a NaN
      would.
    * `tf32` rounds each to 11 bits, which is three times as fast.
    * `simt` multiplies f32 as they are, outside of the matrix units. Each thread has the sums of 8 rows by 8 or 16 columns, in
      the order of k. Tiles are 128 x 128 or 128 x 256, and have 64 rows or 64 columns where the product has few tiles or columns, its
      number of rows is dynamic, or two products share A.

    All tiles of f32 are half as deep.

    In contrast to that pass, rows and bases may be aligned to any number of bytes, and the number of columns need not
    be a multiple of 8. Rows aligned to 8 or 4 bytes are copied in such pieces; otherwise elements are loaded one by one,
    which is much slower. Results are stored 16 bytes at a time where their rows and columns allow it.

    Either axis of an operand may be the contiguous one. The number of rows may be dynamic, and no extent needs to be a
    multiple of its tile. Sums are reassociated.

    What the kernels cannot take is left for `--convert-linalg-to-gpu`, which runs next: batches; other element types; dynamic
    columns, depth or strides; listed rows that are not contiguous; sums that start from something else; and contractions amid
    code of the device. So is everything if the shared memory does not hold two stages.
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
           "How products of f32 are computed: simt, tf32 or tf32x3">
  ];
  let statistics = [
    Statistic<"numContractions", "num-contractions", "Contractions converted">,
    Statistic<"numKernels", "num-kernels", "Kernels made">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

#endif // PIT_CONVERSION_CONTRACTIONPASSES_TD
