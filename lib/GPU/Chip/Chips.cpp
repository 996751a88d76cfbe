//===- Chips.cpp - The chips and cards that PIT knows ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits of chips are from NVIDIA's CUDA C++ Programming Guide, appendix
// "Compute Capabilities", tables "Feature Support" and "Technical
// Specifications per Compute Capability"; instructions and PTX versions from
// the PTX ISA, "Target ISA Notes" of each instruction and "Release Notes".
//
// Of cards: NVIDIA's white papers on the Turing, A100, GA102, Ada, H100 and RTX
// Blackwell architectures, the tuning guides for Ampere, Hopper and Blackwell,
// and the data sheets of the T4, A40, L40S, H200, B200, B300, RTX PRO 6000,
// Jetson AGX Orin, Jetson T5000 and DGX Spark.
//
//===----------------------------------------------------------------------===//

#include "PIT/GPU/ChipModel.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Cards
//===----------------------------------------------------------------------===//

/// Name, as the driver says it, compute capability, multiprocessors, L2 cache,
/// memory in GB and its rate in GB/s.
// clang-format off
static constexpr CardModel kT4{"t4", "Tesla T4", 75, 40, 4 << 20, 16, 320};
static constexpr CardModel kA100{
    "a100", "NVIDIA A100-SXM4-80GB", 80, 108, 40 << 20, 80, 2039};
static constexpr CardModel kA40{"a40", "NVIDIA A40", 86, 84, 6 << 20, 48, 696};
static constexpr CardModel kOrin{"orin", "Orin", 87, 16, 4 << 20, 64, 205};
static constexpr CardModel kL40S{"l40s", "NVIDIA L40S", 89, 142, 96 << 20, 48, 864};
static constexpr CardModel kH100{
    "h100", "NVIDIA H100 80GB HBM3", 90, 132, 50 << 20, 80, 3350};
static constexpr CardModel kH200{
    "h200", "NVIDIA H200", 90, 132, 50 << 20, 141, 4800};
static constexpr CardModel kB200{
    "b200", "NVIDIA B200", 100, 148, 126 << 20, 180, 8000};
static constexpr CardModel kB300{
    "b300", "NVIDIA B300", 103, 148, 126 << 20, 288, 8000};
static constexpr CardModel kThor{"thor", "NVIDIA Thor", 110, 20, 32 << 20, 128, 273};
static constexpr CardModel kPRO6000{
    "rtx-pro-6000", "NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 120,
    188, 128 << 20, 96, 1792};
static constexpr CardModel kSpark{
    "spark", "NVIDIA GB10", 121, 48, 24 << 20, 128, 273};
// clang-format on

static constexpr const CardModel *kCards[] = {
    &kT4,   &kA100, &kA40,  &kOrin, &kL40S,    &kH100,
    &kH200, &kB200, &kB300, &kThor, &kPRO6000, &kSpark};

//===----------------------------------------------------------------------===//
// Architectures
//===----------------------------------------------------------------------===//

// clang-format off
static constexpr ChipFeature
    kTuring = ChipFeature::None,
    kAmpere = ChipFeature::AsyncCopies | ChipFeature::CachePolicies,
    kHopper = kAmpere | ChipFeature::DependentLaunches |
              ChipFeature::Clusters | ChipFeature::TensorCopies |
              ChipFeature::TallF64Products,
    kHopperAlone = kHopper | ChipFeature::WarpgroupProducts,
    kBlackwell = kHopper,
    kBlackwellAlone = kBlackwell | ChipFeature::TensorMemoryProducts;

static constexpr MatrixElement
    kTuringElements = MatrixElement::F16,
    kAmpereElements = MatrixElement::F16 | MatrixElement::BF16 |
                      MatrixElement::TF32 | MatrixElement::F64 |
                      MatrixElement::I8,
    kAdaElements = kAmpereElements | MatrixElement::FP8;
// clang-format on

/// Bytes.
static constexpr int64_t operator""_KiB(unsigned long long number) {
  return int64_t(number) << 10;
}

//===----------------------------------------------------------------------===//
// Chips
//===----------------------------------------------------------------------===//

/// A new chip is one more line: name, compute capability, first PTX version,
/// instructions, elements of matrix units, and bytes along k of `mma.sync`;
/// shared memory of a block and of a multiprocessor, threads of a
/// multiprocessor, card. Older chips come first.
// clang-format off
static constexpr ChipModel kChips[] = {
    {"sm_75",   75, 63, kTuring,         kTuringElements, 16,
     64_KiB,  64_KiB,  1024, &kT4},
    {"sm_80",   80, 70, kAmpere,         kAmpereElements, 32,
     163_KiB, 164_KiB, 2048, &kA100},
    {"sm_86",   86, 71, kAmpere,         kAmpereElements, 32,
     99_KiB,  100_KiB, 1536, &kA40},
    {"sm_87",   87, 74, kAmpere,         kAmpereElements, 32,
     163_KiB, 164_KiB, 1536, &kOrin},
    {"sm_89",   89, 78, kAmpere,         kAdaElements,    32,
     99_KiB,  100_KiB, 1536, &kL40S},
    {"sm_90",   90, 78, kHopper,         kAdaElements,    32,
     227_KiB, 228_KiB, 2048, &kH200},
    {"sm_90a",  90, 80, kHopperAlone,    kAdaElements,    32,
     227_KiB, 228_KiB, 2048, &kH200},
    {"sm_100",  100, 86, kBlackwell,      kAdaElements,    32,
     227_KiB, 228_KiB, 2048, &kB200},
    {"sm_100a", 100, 86, kBlackwellAlone, kAdaElements,    32,
     227_KiB, 228_KiB, 2048, &kB200},
    {"sm_103",  103, 88, kBlackwell,      kAdaElements,    32,
     227_KiB, 228_KiB, 2048, &kB300},
    {"sm_103a", 103, 88, kBlackwellAlone, kAdaElements,    32,
     227_KiB, 228_KiB, 2048, &kB300},
    {"sm_110",  110, 90, kBlackwell,      kAdaElements,    32,
     227_KiB, 228_KiB, 1536, &kThor},
    {"sm_110a", 110, 90, kBlackwellAlone, kAdaElements,    32,
     227_KiB, 228_KiB, 1536, &kThor},
    {"sm_120",  120, 87, kBlackwell,      kAdaElements,    32,
     99_KiB,  100_KiB, 1536, &kPRO6000},
    {"sm_120a", 120, 87, kBlackwell,      kAdaElements,    32,
     99_KiB,  100_KiB, 1536, &kPRO6000},
    {"sm_121",  121, 88, kBlackwell,      kAdaElements,    32,
     99_KiB,  100_KiB, 1536, &kSpark},
    {"sm_121a", 121, 88, kBlackwell,      kAdaElements,    32,
     99_KiB,  100_KiB, 1536, &kSpark},
};
// clang-format on

const ChipTable &ChipTable::get() {
  static const ChipTable table{ArrayRef(kChips), ArrayRef(kCards)};
  return table;
}
