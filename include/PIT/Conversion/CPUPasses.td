//===- CPUPasses.td - From ops on buffers to loops for the CPU -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CPUPASSES_TD
#define PIT_CONVERSION_CPUPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertContractionsToCPU : Pass<"convert-contractions-to-cpu", "::mlir::func::FuncOp"> {
  let summary = "Lower contractions on buffers to blocked, packed loops around a vector micro-kernel";
  let description = [{
    Finds contractions by structure: two inputs and one output accessed through projected permutations, and a body that
    adds the product of the inputs, each possibly extended, to the output. Any strides and any number of batch, row,
    column and reduction loops are taken. Blocks of both inputs are packed into scratch buffers that are allocated once,
    outside the outermost loop around the op. Rows that are read for few columns are read where they are.

    Each element of the output takes exactly one multiply-add per point of the reduction, in lexicographic order of the
    op's reduction loops, whatever the extents and wherever the element lies. So leaving out points whose product is
    zero leaves the result bit for bit the same. Floating-point products and sums are fused (one rounding).

    Products of narrow numbers take several steps of the sum at once where `features` has an instruction for that. Results are
    the same. Added up in i32, where sums wrap: four bytes of which one operand at least is signed with `avx512vnni` or
    `avxvnni` (vpdpbusd), else two bytes, or two signed i16, with these (vpdpwssd) or with `avx2` (vpmaddwd). Added up in f32:
    two bf16 with `avx512bf16` (vpdpbf16ps), which rounds behind each product, as the multiply-adds of f32 do, but takes
    numbers below 2^-126 as zero. With `strict`, it is not used.

    Where the result is filled with a number before, and nothing between may read or write it, sums start from that number
    and the fill is removed; it stays for sums of no steps.

    With `thread-work`, large products are cut into tasks, each with scratch buffers of its own.

    Restrictions: memrefs of the default memory space; f32, f64 or integers of 8 to 64 bits as the type that is
    accumulated. Other ops are left as they are.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"0",
           "Bits of a vector register: 128, 256 or 512; 0 for 512 with the feature avx512f, else 256">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "LLVM's names of the features that the CPU has, such as avx2,avx512vnni">,
    Option<"strict", "strict", "bool", /*default=*/"false", "Take subnormal numbers of bf16 as they are, not as zero">,
    Option<"threadWork", "thread-work", "int64_t", /*default=*/"-1",
           "Cut ops of this much work, in units of pit.parallel_range, into parts for threads; -1 for none">
  ];
  let statistics = [Statistic<"numContractions", "num-contractions", "Contractions lowered">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::pit::PITDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ConvertLinalgToCPULoops : Pass<"convert-linalg-to-cpu-loops", "::mlir::func::FuncOp"> {
  let summary = "Lower structured ops on buffers to loops that vectorise";
  let description = [{
    Lowers every linalg op on buffers, and copies between buffers that are not contiguous, to `scf.for`. Loops are
    ordered so that the innermost one walks memory contiguously where some order allows that; reduction loops keep their
    order among each other. Where reductions stay innermost, accumulators are carried in registers, and several rows are
    reduced side by side.

    Long sums and products of floats, of more than 256 elements along a loop, are formed of partial ones, so that they have
    about the error of pairwise sums (Higham, "The accuracy of floating point summation", 1993) and vectorise; with `strict`,
    each element of the output is computed exactly as written.

    With `thread-work`, one loop over results is cut into parts, so that results have the same bits with any number of threads.
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false", "Keep the order of float sums and products">,
    Option<"threadWork", "thread-work", "int64_t", /*default=*/"-1",
           "Cut ops of this much work, in units of pit.parallel_range, into parts for threads; -1 for none">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::pit::PITDialect", "::mlir::scf::SCFDialect"];
}

def ApproximateMathForCPU : Pass<"approximate-math-for-cpu", "::mlir::func::FuncOp"> {
  let summary = "Replace f32 math functions by polynomials that vectorise";
  let description = [{
    `exp`, `erf`, `tanh`, `log` and the like on f32 become straight-line arithmetic, accurate to a few units in the last
    place, that gives the same bits in scalar and in vector code. `sin` and `cos` are so up to 2^28; larger arguments
    lose digits. Narrower floats are computed in f32. Functions of f64 are left for the math library. `arith.truncf` from
    f64 to bf16 goes through f32, and is rounded as if at once.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def PITBoolsAsBytes : Pass<"pit-bools-as-bytes", "::mlir::ModuleOp"> {
  let summary = "Load and store truth values as bytes";
  let description = [{
    An `i1` in memory is a byte, but LLVM makes no vectors of loops that load or store `i1`. Loads become loads of `i8` that are
    compared with 0, stores those of `i8` that are 0 or 1. Vectors of `i1`, and volatile accesses, stay.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def PITCheckCPUCode : Pass<"pit-check-cpu-code", "::mlir::ModuleOp"> {
  let summary = "Report ops without code for the CPU";
  let description = [{
    The last step of `--pit-to-cpu`, and of `--pit-to-cuda` for code of the host. An op that is neither of the LLVM
    dialect nor a module is an error that names the op, its types and its place. Only the first such op is reported.
    Casts between types are reported only if no other op is left.
  }];
}

#endif // PIT_CONVERSION_CPUPASSES_TD
