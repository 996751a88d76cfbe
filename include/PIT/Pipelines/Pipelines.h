//===- Pipelines.h - Whole pipelines ----------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_PIPELINES_PIPELINES_H
#define PIT_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::pit {

struct PITToCPUOptions : PassPipelineOptions<PITToCPUOptions> {
  Option<bool> dense{*this, "dense",
                     llvm::cl::desc("Compile the dense reference: marks become "
                                    "selects, nothing is skipped"),
                     llvm::cl::init(false)};
  Option<bool> finite{*this, "finite",
                      llvm::cl::desc("Live data is finite: 0 * x = 0"),
                      llvm::cl::init(true)};
  Option<bool> strict{*this, "strict",
                      llvm::cl::desc("Do not compact floating-point sums"),
                      llvm::cl::init(false)};
  Option<bool> denseVariants{
      *this, "dense-variants",
      llvm::cl::desc("Compute rules densely where more is live than pays, "
                     "chosen at run time"),
      llvm::cl::init(true)};
  Option<bool> instrument{
      *this, "instrument",
      llvm::cl::desc("Record coverage and times per pattern and rule"),
      llvm::cl::init(false)};
  Option<double> undefFill{*this, "undef-fill",
                           llvm::cl::desc("What undef elements hold"),
                           llvm::cl::init(0.0)};
  Option<bool> undefNaN{
      *this, "undef-nan",
      llvm::cl::desc("NaN in undef elements of results counts as undef"),
      llvm::cl::init(false)};
  Option<int64_t> tileSize{*this, "tile-size",
                           llvm::cl::desc("Packed elements per tile at most"),
                           llvm::cl::init(256)};
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
};

/// Level 1 to level 2: programs as they come to structured sparse ops.
void buildLinalgToPITPipeline(OpPassManager &pm,
                              const PITToCPUOptions &options);

/// Level 2 to buffers. With `tilesOnBuffers`, level 3 is still there; with
/// `keepDetections`, detections that kernels can take stay `pit.detect_into`,
/// and inversions of indexes `pit.invert_into`.
void buildPITToBuffersPipeline(OpPassManager &pm,
                               const PITToCPUOptions &options,
                               bool keepDetections = false);

/// Buffers are allocated outside of loops where they can be, and freed.
void buildBufferOwnershipPipeline(OpPassManager &pm);

/// Level 2 to bufferized loops and linalg on buffers.
void buildPITToLoopsPipeline(OpPassManager &pm, const PITToCPUOptions &options);

/// What the CPU code generator needs to know of the machine.
struct CPUOptions {
  /// Bits of a vector register: 128, 256 or 512.
  int64_t vectorBits = 256;
};

/// Bufferized functions to the LLVM dialect, ready for `mlir::ExecutionEngine`.
/// Best at optimisation level 3, with the host's target machine given both to
/// the engine and to its transformer.
void buildLinalgToLLVMPipeline(OpPassManager &pm,
                               const CPUOptions &options = {});

/// `--pit-to-cpu`: level 1 to the LLVM dialect.
void buildPITToCPUPipeline(OpPassManager &pm, const PITToCPUOptions &options);

struct PITToPTXOptions : PassPipelineOptions<PITToPTXOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("The chip, such as sm_80 or sm_90a"),
                           llvm::cl::init("sm_90a")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc(
          "The PTX version, such as +ptx83; by default the chip's first"),
      llvm::cl::init("")};
  Option<bool> dense{*this, "dense",
                     llvm::cl::desc("Compile the dense reference: marks become "
                                    "selects, nothing is skipped"),
                     llvm::cl::init(false)};
  Option<bool> finite{*this, "finite",
                      llvm::cl::desc("Live data is finite: 0 * x = 0"),
                      llvm::cl::init(true)};
  Option<bool> strict{*this, "strict",
                      llvm::cl::desc("Do not compact floating-point sums, "
                                     "nor reorder those along rows"),
                      llvm::cl::init(false)};
  Option<double> undefFill{*this, "undef-fill",
                           llvm::cl::desc("What undef elements hold"),
                           llvm::cl::init(0.0)};
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
  Option<bool> specialise{
      *this, "specialise",
      llvm::cl::desc("Have a warpgroup of wgmma kernels do nothing but load; "
                     "the other way is a reference"),
      llvm::cl::init(true)};
  Option<bool> report{
      *this, "report",
      llvm::cl::desc("Say what micro-tiles would cost where there is a choice, "
                     "and which was taken, as remarks at the marks"),
      llvm::cl::init(false)};
};

/// What kernels are compiled for.
struct GPUOptions {
  std::string chip = "sm_90a";
  /// Empty for the first PTX version that knows the chip.
  std::string features;
  int64_t blockSize = 256;
  /// Whether something frees the program's buffers later, so that passes leave
  /// those of their own to it.
  bool freesBuffersLater = false;
  /// Whether segments of lists are expected to have less than about 256 rows.
  bool shortSegments = false;
  /// How f32 are multiplied: simt, tf32 or tf32x3.
  std::string f32Products = "simt";
  /// Whether a warpgroup of kernels with wgmma does nothing but load.
  bool specialise = true;
  /// Whether float sums are formed in the order of the program.
  bool strict = false;
};

/// Those of them that say for what is compiled, and how.
GPUOptions getGPUOptions(const PITToPTXOptions &options);

/// Level 3 on buffers: contractions become kernels where the chip has some for
/// them, other tiled ops become loops.
void buildTilesToKernelsPipeline(OpPassManager &pm, const GPUOptions &options);

/// Bufferized functions to host functions that launch the kernels of a
/// `gpu.binary` with PTX.
void buildLinalgToPTXPipeline(OpPassManager &pm,
                              const GPUOptions &options = {});

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
