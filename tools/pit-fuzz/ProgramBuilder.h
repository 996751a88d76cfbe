//===- ProgramBuilder.h - A program that grows ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_PROGRAMBUILDER_H
#define PIT_TOOLS_PIT_FUZZ_PROGRAMBUILDER_H

#include "Data.h"
#include "Random.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

#include <list>
#include <map>
#include <string>

namespace mlir::pit::fuzz {

/// The number of an extent that dimensions of several tensors may share.
using Dims = SmallVector<unsigned>;

/// A tensor that later ops may read.
struct Operand {
  Value value;
  Dims dims;
  Type element;
  /// No element is larger, roughly: keeps sums exact, or at least finite.
  double magnitude = 1;
};

/// How often something was generated, for the report.
using Coverage = std::map<std::string, int64_t>;

/// A function under construction, with ops that are well typed however they are
/// chosen. Everything follows from the seed.
class ProgramBuilder {
public:
  ProgramBuilder(MLIRContext *context, uint64_t seed);

  /// Returns what nothing reads yet, and ends the program.
  OwningOpRef<ModuleOp> finish();
  /// Returns these values. Some marks of arguments become attributes, if that
  /// is allowed.
  OwningOpRef<ModuleOp> finish(ArrayRef<Value> results,
                               bool mayHaveAttributes = true);

  //===--------------------------------------------------------------------===//
  // Choices
  //===--------------------------------------------------------------------===//

  bool chance(double probability) { return random.chance(probability); }
  /// In [0, count).
  size_t pickIndex(size_t count) {
    return size_t(random.integer(0, int64_t(count)));
  }
  template <typename Range> auto pick(const Range &range) {
    return *std::next(range.begin(), std::ptrdiff_t(pickIndex(range.size())));
  }
  template <typename T> T pick(std::initializer_list<T> list) {
    return *(list.begin() + pickIndex(list.size()));
  }
  template <typename T> void shuffle(SmallVectorImpl<T> &list) {
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[pickIndex(i)]);
  }

  //===--------------------------------------------------------------------===//
  // Extents
  //===--------------------------------------------------------------------===//

  struct Extent {
    int64_t value;
    bool isDynamic;
    /// The extent at run time, once something needs it.
    Value size;
  };
  unsigned addExtent(int64_t value, bool isDynamic, Value size = {});
  /// One of those that the program started with.
  unsigned pickExtent() { return unsigned(pickIndex(numFirstExtents)); }
  int64_t extentOf(unsigned extent) const { return extents[extent].value; }
  bool isDynamic(unsigned extent) const { return extents[extent].isDynamic; }
  int64_t countElements(ArrayRef<unsigned> dims) const;
  OpFoldResult mixedSize(unsigned extent);
  Value sizeOf(unsigned extent);

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  RankedTensorType typeOf(ArrayRef<unsigned> dims, Type element) const;
  /// A new argument. Completes the description, and draws its seed where that
  /// is 0.
  Operand addArgument(ArrayRef<unsigned> dims, Type element, DataSpec spec);
  /// A new argument of numbers, sometimes with zeros, sometimes marked.
  Operand addNumbers(ArrayRef<unsigned> dims, Type element);
  Value constant(Type type, double value);
  Value empty(ArrayRef<unsigned> dims, Type element);
  Value filled(ArrayRef<unsigned> dims, Type element, double value);
  /// A destination that is only written.
  Value destination(ArrayRef<unsigned> dims, Type element);

  /// A tensor to read, later ones more likely, of that element type if given;
  /// makes one where there is none.
  Operand pickOperand(Type element = {}, size_t minRank = 0,
                      size_t maxRank = 5);
  /// A tensor of these dimensions: one that is there, or a new argument.
  Operand operandOf(ArrayRef<unsigned> dims, Type element);
  /// Adds a result, which later ops may read, and marks it now and then.
  Operand add(Operand operand);
  Operand add(Value value, ArrayRef<unsigned> dims, Type element,
              double magnitude) {
    return add(Operand{value, Dims(dims), element, magnitude});
  }

  /// Whether so many elements or points are few enough.
  bool isSmall(ArrayRef<unsigned> dims) const {
    return countElements(dims) <= 8000;
  }
  /// Above which sums and products stop being exact.
  double largest(Type element) const;

  void count(const std::string &what) { ++coverage[what]; }

  /// Puts a mark on a tensor. Null where none fits it.
  std::optional<Operand> mark(const Operand &operand);
  /// A mark of a kind, as `pit.sparse` or as an attribute.
  std::optional<Operand> markBy(const Operand &operand, PatternKind kind);

  /// How a program says that elements do not count: 0 or -inf in their place,
  /// the lowest finite number, that number added, or a product with 0.
  enum class Masking { Zero, NegInf, Least, LeastAdded, Product };
  /// The tensor with its elements along `axes` masked by truth values that are
  /// there, or new ones.
  Operand writeMasked(const Operand &operand, ArrayRef<int64_t> axes,
                      Masking masking);

  /// Truth values along these dimensions that are there, or new ones, perhaps
  /// several of them joined.
  Value truthOver(ArrayRef<unsigned> dims);

  ::pit::run::Random random;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  /// The type that most tensors have.
  Type element;
  /// Whether only ops that are exact on small integers are used.
  bool isExact;
  /// Whether the program computes what marks would say, and has none.
  bool writesMarks;
  SmallVector<Operand> pool;
  Coverage coverage;

private:
  struct Pattern {
    PatternKind kind;
    Dims dims;
    SmallVector<int64_t> tile;
    Value by;
    int64_t atMost;
  };
  const Pattern &patternOver(PatternKind kind, ArrayRef<unsigned> dims);
  SmallVector<int64_t> pickTile(ArrayRef<unsigned> dims);
  DataSpec numbers(Type element);
  /// Truth values along these dimensions, in one of the ways in which programs
  /// make them.
  Value writeTruth(ArrayRef<unsigned> dims);
  /// What a mark means, as ops. Null where there is nothing like it.
  std::optional<Operand> writeMark(const Operand &operand, PatternKind kind,
                                   ArrayRef<int64_t> axes, Absent absent);
  /// New numbers, and where they are not zero.
  Value nonZeroNumbers(ArrayRef<unsigned> dims, DataSpec spec);
  /// Whether a mark of what `producer` computes, or of an argument where that
  /// is null, may be an attribute.
  bool canBeAttribute(Value by, Operation *producer) const;
  /// The mark as an attribute. Its pattern is an argument's, or that of an op
  /// that gets a name where that is in front.
  DictionaryAttr markAttribute(SparseOp mark, bool isNamed);

  Block *block;
  SmallVector<Extent> extents;
  size_t numFirstExtents;
  SmallVector<Attribute> specs;
  /// Patterns that are there, for tensors to share. Stable addresses.
  std::list<Pattern> patterns;
  /// Patterns that say where arguments are not zero, and these arguments.
  DenseMap<Value, BlockArgument> numbersOf;
  unsigned numSources = 0;
  /// What marks are read from, in a stream of its own.
  ::pit::run::Random sourceRandom;
  double markProbability;
};

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_PROGRAMBUILDER_H
