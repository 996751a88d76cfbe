//===- Pipelines.h - Whole pipelines ----------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_PIPELINES_PIPELINES_H
#define PIT_PIPELINES_PIPELINES_H

#include "PIT/GPU/ChipModel.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::pit {

/// Options about a program, whatever the target. Each option is declared once:
/// here, or in the struct of the pipeline that reads it. Tools parse the text
/// `NAME=VALUE ...` with `createFromString`.
struct ProgramOptions : public virtual ::mlir::detail::PassOptions {
  Option<bool> dense{*this, "dense",
                     llvm::cl::desc("Compile the dense reference: marks become "
                                    "selects, nothing is skipped"),
                     llvm::cl::init(false)};
  Option<bool> finite{*this, "finite",
                      llvm::cl::desc("Live data is finite: 0 * x = 0"),
                      llvm::cl::init(true)};
  Option<bool> strict{*this, "strict",
                      llvm::cl::desc("Do not compact floating-point sums, "
                                     "nor reorder long ones"),
                      llvm::cl::init(false)};
  Option<double> undefFill{*this, "undef-fill",
                           llvm::cl::desc("What undef elements hold"),
                           llvm::cl::init(0.0)};
  Option<bool> infer{
      *this, "infer",
      llvm::cl::desc("Find what is sparse in functions without marks"),
      llvm::cl::init(true)};
  Option<bool> uncheckedExtents{
      *this, "unchecked-extents",
      llvm::cl::desc("Do not check what arguments' extents must be: wrong ones "
                     "read and write outside of tensors"),
      llvm::cl::init(false)};

  void copyProgramOptions(const ProgramOptions &other) {
    dense = other.dense.getValue();
    finite = other.finite.getValue();
    strict = other.strict.getValue();
    undefFill = other.undefFill.getValue();
    infer = other.infer.getValue();
    uncheckedExtents = other.uncheckedExtents.getValue();
  }
};

/// Two threads gain from there on: twice what the runtime gives one at least.
inline constexpr int64_t kDefaultThreadWork = 2 << 16;

struct PITToCPUOptions : PassPipelineOptions<PITToCPUOptions>, ProgramOptions {
  Option<bool> denseVariants{
      *this, "dense-variants",
      llvm::cl::desc("Compute rules densely where more is live than pays, "
                     "chosen at run time"),
      llvm::cl::init(true)};
  Option<bool> instrument{
      *this, "instrument",
      llvm::cl::desc("Record coverage and times per pattern and rule"),
      llvm::cl::init(false)};
  Option<bool> undefNaN{
      *this, "undef-nan",
      llvm::cl::desc("NaN in undef elements of results counts as undef"),
      llvm::cl::init(false)};
  Option<int64_t> tileSize{*this, "tile-size",
                           llvm::cl::desc("Packed elements per tile at most"),
                           llvm::cl::init(256)};
  Option<int64_t> threadWork{
      *this, "thread-work",
      llvm::cl::desc("Let the runtime's threads compute parts of ops of at "
                     "least this much work, in units of pit.parallel_range; -1 "
                     "for none. Results have the same bits with any number of "
                     "threads"),
      llvm::cl::init(kDefaultThreadWork)};
  Option<bool> tilesOnBuffers{
      *this, "tiles-on-buffers",
      llvm::cl::desc("Keep tiled ops whole through bufferization and expand "
                     "them there, as for GPUs"),
      llvm::cl::init(false)};
  Option<bool> widenSums{
      *this, "widen-sums",
      llvm::cl::desc("Keep sums of products of 16 bits in f32, as for GPUs"),
      llvm::cl::init(false)};
  Option<bool> entryPoints{
      *this, "entry-points",
      llvm::cl::desc("Make entry points of the C ABI and their table"),
      llvm::cl::init(false)};
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("What the table says that the code is made for"),
      llvm::cl::init("")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("LLVM's names of features that code may use where they "
                     "pay, such as avx2,avx512vnni. Results are the same "
                     "without; tools set those of the CPU they compile for"),
      llvm::cl::init("")};
};

struct PITToPTXOptions;

/// Level 1 to level 2: input programs to structured sparse ops. If `gpu` is not
/// null, ops in regions of control flow stay dense, and only patterns for which
/// there are fast kernels are inferred.
void buildLinalgToPITPipeline(OpPassManager &pm, const PITToCPUOptions &options,
                              const PITToPTXOptions *gpu = nullptr);

/// Level 2 to buffers. With `tilesOnBuffers`, level 3 is kept on buffers. If
/// `gpu` is not null, contractions that kernels can compute become
/// `pit.contract`, detections stay `pit.detect_into`, and inversions of indexes
/// stay `pit.invert_into`.
void buildPITToBuffersPipeline(OpPassManager &pm,
                               const PITToCPUOptions &options,
                               const PITToPTXOptions *gpu = nullptr);

/// Hoists allocations out of loops where possible, and inserts deallocations.
void buildBufferOwnershipPipeline(OpPassManager &pm);

/// Level 2 to bufferized loops and linalg on buffers.
void buildPITToLoopsPipeline(OpPassManager &pm, const PITToCPUOptions &options);

/// What the CPU code generator needs to know of the machine.
struct CPUOptions {
  /// Bits of a vector register: 128, 256 or 512; 0 for what `features` allow.
  int64_t vectorBits = 0;
  /// LLVM's names of features that code may use, separated by commas.
  std::string features;
  /// Sums and products of floats keep their order.
  bool strict = false;
  /// The runtime's threads compute parts of ops of at least this much work, in
  /// units of `pit.parallel_range`; of none if negative.
  int64_t threadWork = -1;
};

/// Bufferized functions to the LLVM dialect, ready for `mlir::ExecutionEngine`.
/// For fast code, use optimisation level 3, and give the host's target machine
/// both to the engine and to its transformer.
void buildLinalgToLLVMPipeline(OpPassManager &pm,
                               const CPUOptions &options = {});

/// `--pit-to-cpu`: level 1 to the LLVM dialect.
void buildPITToCPUPipeline(OpPassManager &pm, const PITToCPUOptions &options);

struct PITToPTXOptions : PassPipelineOptions<PITToPTXOptions>, ProgramOptions {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("The chip, such as sm_80 or sm_90a"),
                           llvm::cl::init(kDefaultChip.str())};
  Option<std::string> card{
      *this, "card",
      llvm::cl::desc("The card with the chip that kernels are planned for: a "
                     "name such as h100, a database FILE.json that pit-tune "
                     "wrote, or a folder of those; by default the chip's"),
      llvm::cl::init("")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc(
          "The PTX version, such as +ptx83; by default the chip's first"),
      llvm::cl::init("")};
  Option<int64_t> tileSize{*this, "tile-size",
                           llvm::cl::desc("Packed elements per tile at most"),
                           llvm::cl::init(64)};
  Option<int64_t> blockSize{*this, "block-size",
                            llvm::cl::desc("Threads per block"),
                            llvm::cl::init(256)};
  Option<bool> shortSegments{
      *this, "short-segments",
      llvm::cl::desc("Expect segments (experts, sequences) of less than about "
                     "256 rows"),
      llvm::cl::init(false)};
  Option<std::string> f32Products{
      *this, "f32-products",
      llvm::cl::desc("How f32 are multiplied where a contraction has a kernel "
                     "of its own: simt, tf32 or tf32x3"),
      llvm::cl::init("simt")};
  Option<bool> attention{
      *this, "attention",
      llvm::cl::desc("Recognise attention in dense programs; not with strict, "
                     "as sums are added up in another order"),
      llvm::cl::init(true)};
  Option<bool> denseVariants{
      *this, "dense-variants",
      llvm::cl::desc("Leave ops dense that no kernel skips in faster"),
      llvm::cl::init(true)};
  Option<double> leastMicroseconds{
      *this, "least-us",
      llvm::cl::desc(
          "With dense-variants: the least mean time of products that "
          "a list is made for, in microseconds; where only the caller knows "
          "extents, the host decides"),
      llvm::cl::init(5.0)};
  Option<int64_t> ranks{
      *this, "shard-experts",
      llvm::cl::desc("Split rows and experts over so many ranks; 0 for as many "
                     "as the program's shard.grid has, or none, -1 "
                     "for none in any case"),
      llvm::cl::init(0)};
  Option<std::string> rankSums{
      *this, "shard-sums",
      llvm::cl::desc("What ranks pass on of the results that a row adds up: "
                     "rows, which keeps the bits of one rank, or one sum of "
                     "each rank, partial or rounded to the type of rows"),
      llvm::cl::init("rows")};
  Option<std::string> rankCuts{
      *this, "shard-inputs",
      llvm::cl::desc("Arguments that ranks have parts of, where the program "
                     "does not say it by the shard dialect: "
                     "ARGUMENT:DIMENSION,..., with -1 for the whole"),
      llvm::cl::init("")};
  Option<std::string> rankReduce{
      *this, "shard-reduce",
      llvm::cl::desc("Who adds up partial results of dense ops of ranks: "
                     "ordered, each rank in the order of ranks, or nccl"),
      llvm::cl::init("ordered")};
  Option<bool> report{
      *this, "report",
      llvm::cl::desc("Say what micro-tiles would cost where there is a choice, "
                     "and which was taken, as remarks at the marks"),
      llvm::cl::init(false)};
};

/// Level 3 on buffers to kernels and loops. Contractions become kernels if the
/// chip has one for them; other tiled ops become loops. With
/// `freesBuffersLater`, no pass frees the buffers that it allocates: a later
/// pass frees all buffers of the program.
void buildTilesToKernelsPipeline(OpPassManager &pm,
                                 const PITToPTXOptions &options = {},
                                 bool freesBuffersLater = false);

/// Bufferized functions to host functions that launch the kernels of a
/// `gpu.binary` with PTX.
void buildLinalgToPTXPipeline(OpPassManager &pm,
                              const PITToPTXOptions &options = {});

/// `--pit-to-ptx`: level 1 to PTX.
void buildPITToPTXPipeline(OpPassManager &pm, const PITToPTXOptions &options);

/// Functions that launch the kernels of a `gpu.binary` to entry points in the
/// LLVM dialect that call the runtime.
void buildLaunchesToLLVMPipeline(OpPassManager &pm);

/// `--pit-to-cuda`: level 1 to PTX and the entry points that launch it.
void buildPITToCUDAPipeline(OpPassManager &pm, const PITToPTXOptions &options);

/// Registers the pipelines with the global registry.
void registerPITPipelines();

} // namespace mlir::pit

#endif // PIT_PIPELINES_PIPELINES_H
