//===- WordProduct.cpp - Several steps of a sum in one instruction --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WordProduct.h"

#include "GemmBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pit;

WordProduct mlir::pit::chooseWords(Type a, Extension ofA, Type b, Extension ofB,
                                   Type sum, const CPUTarget &target) {
  WordProduct word;
  if (a.isBF16() && b.isBF16() && sum.isF32() && target.hasBF16Products) {
    word.steps = 2;
    word.isBF16 = true;
    return word;
  }
  auto isExtended = [](Extension extension) {
    return extension == Extension::Signed || extension == Extension::Unsigned;
  };
  if (!sum.isInteger(32) || !isExtended(ofA) || !isExtended(ofB))
    return word;
  bool areBytes = a.isInteger(8) && b.isInteger(8);
  if (areBytes && target.hasDotProducts &&
      (ofA == Extension::Signed || ofB == Extension::Signed)) {
    word.steps = 4;
    word.flipsA = ofA == ofB;
    word.isSignedA = ofA == Extension::Signed && !word.flipsA;
    return word;
  }
  auto isOfPairs = [](Type type, Extension extension) {
    return type.isInteger(8) ||
           (type.isInteger(16) && extension == Extension::Signed);
  };
  if (!isOfPairs(a, ofA) || !isOfPairs(b, ofB) ||
      !(target.hasPairProducts || target.hasDotProducts))
    return word;
  word.steps = 2;
  word.addsPairs = target.hasDotProducts;
  return word;
}

/// Adds to each element of `acc` the products of the narrow numbers in the
/// words of A and B at its place.
Value GemmBuilder::multiplyAddWords(Value a, Value b, Value acc) {
  bool areBytes = word.steps == 4;
  Type element = word.isBF16 ? Type(builder.getBF16Type())
                             : builder.getIntegerType(word.getBits());
  auto narrow = VectorType::get({lanes * word.steps}, element);
  a = vector::BitCastOp::create(builder, loc, narrow, a);
  b = vector::BitCastOp::create(builder, loc, narrow, b);
  int64_t bits = lanes * 32;
  auto call = [&](const Twine &name, ValueRange operands) -> Value {
    return LLVM::CallIntrinsicOp::create(builder, loc, vectorType,
                                         builder.getStringAttr(name), operands)
        .getResult(0);
  };
  if (word.isBF16)
    return call("llvm.x86.avx512bf16.dpbf16ps." + Twine(bits), {acc, a, b});
  if (areBytes) {
    if (word.isSignedA)
      std::swap(a, b);
    return call("llvm.x86.avx512.vpdpbusd." + Twine(bits), {acc, a, b});
  }
  if (word.addsPairs)
    return call("llvm.x86.avx512.vpdpwssd." + Twine(bits), {acc, a, b});
  Value pairs = call(bits == 512 ? "llvm.x86.avx512.pmaddw.d.512"
                                 : "llvm.x86.avx2.pmadd.wd",
                     {a, b});
  return arith::AddIOp::create(builder, loc, acc, pairs);
}
