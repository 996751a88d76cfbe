//===- ElementValues.h - Elements of tensors as scalars ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ELEMENTVALUES_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ELEMENTVALUES_H

#include "AttentionAxes.h"
#include "ScalarBuilder.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace mlir::pit {

/// The axes of a structured op's loops, from those of one operand's
/// dimensions. Fails where loops stay without, but for reductions.
FailureOr<Places> getLoopsOfOperand(linalg::LinalgOp op, OpOperand *operand,
                                    const Places &places);
/// The axes of an operand's dimensions, from those of the loops.
FailureOr<Places> getPlacesOfOperand(linalg::LinalgOp op, OpOperand *operand,
                                     const Places &loops);

/// A sum of products of two operands along one axis: those operands, in the
/// order of the op's, or null. Factors may be widened, and the sum be rounded
/// at each step.
struct SumOfProducts {
  /// With at most so many loops that reduce, of which `reductionLoop` is one.
  static std::optional<SumOfProducts> match(linalg::LinalgOp op,
                                            unsigned mostReductions = 1);

  linalg::LinalgOp op;
  unsigned reductionLoop;
};

/// An element of a tensor of the program, or a scalar of it.
struct Leaf {
  Value source;
  Places places;
};

/// A result of a reduction along keys.
struct RowReduction {
  enum class Kind { Max, Sum, All, Any };
  Kind kind;
  /// What is reduced, and what it starts from.
  Value operand, start;
  /// What is reduced of one more column behind the keys, if there is one.
  Value tail;
};

/// Follows the element of a tensor at given places back through the program:
/// elementwise ops, views, transposes, broadcasts, and reductions along keys.
/// What is behind is a leaf, but for one product along both queries and keys,
/// which is the scores. Tensors may have one more column behind those of the
/// keys, which stands for itself: a sink.
class ElementValues {
public:
  /// `tailAxis`, of one place, is that of the column behind the keys.
  ElementValues(AttentionAxes &axes, MLIRContext *context, Location loc,
                unsigned keyAxis, unsigned tailAxis, const AxisList &rowAxes);
  /// Says that elements may depend on so many products, and that what is the
  /// same for all keys is not followed to them.
  void allowProducts(unsigned count) {
    mostProducts = count;
    rowsAreLeaves = true;
  }

  /// The element, as a scalar; null where `axes` are to be split, or the scores
  /// are not followed.
  Value get(Value tensor, const Places &places);
  /// Says what an element of a tensor is.
  Value define(Value tensor, const Places &places, Type type);

  ScalarBuilder &getScalars() { return scalars; }
  /// A sum of products that was reached: the axes of its loops, the root of
  /// the one that it reduces, and the sum, in scalars.
  struct Product {
    linalg::LinalgOp op;
    Places loops;
    unsigned root;
    Value value;
  };
  ArrayRef<Product> getProducts() const { return products; }
  /// The product with this sum, or null.
  const Product *getProduct(Value sum) const {
    auto *it = llvm::find_if(
        products, [&](const Product &product) { return product.value == sum; });
    return it == products.end() ? nullptr : it;
  }
  // The first one, of scores. Null if no product was reached.
  linalg::LinalgOp getScoresOp() const {
    return products.empty() ? linalg::LinalgOp() : products[0].op;
  }
  const Places &getScoresLoops() const { return products[0].loops; }
  unsigned getScoresLoop() const { return products[0].root; }
  Value getScore() const { return products[0].value; }
  /// Where the elements of a tensor that was followed lie, if it was once.
  std::optional<Places> getPlacesOf(Value tensor) const;
  const llvm::MapVector<Value, Leaf> &getLeaves() const { return leaves; }
  const llvm::MapVector<Value, AxisList> &getPositions() const {
    return positions;
  }
  const RowReduction *getReduction(Value value) const {
    auto it = reductions.find(value);
    return it == reductions.end() ? nullptr : &it->second;
  }
  /// Ops of the program that compute with scores.
  const llvm::SetVector<Operation *> &getChain() const { return chain; }
  /// Whether the chain is under a mark of lengths.
  bool hasLengths() const { return lengths; }
  /// The reason why the scores are not followed.
  StringRef getReason() const { return reason; }

private:
  Value follow(Value tensor, const Places &places);
  Value followConstant(DenseElementsAttr constant, const Places &places);
  Value followOp(linalg::LinalgOp op, unsigned result, const Places &places);
  Value followReduction(linalg::LinalgOp op, unsigned result,
                        const Places &loops);
  Value followScores(SumOfProducts product, const Places &loops);
  Value followSoftmax(linalg::SoftmaxOp op, const Places &places);
  Value followMark(SparseOp op, const Places &places);
  Value followConcat(tensor::ConcatOp op, const Places &places);
  Value followSlice(tensor::ExtractSliceOp op, const Places &places);
  Value followSlice(tensor::InsertSliceOp op, const Places &places);
  /// Whether an extent is that of the keys and one more column.
  bool hasTail(int64_t extent);
  Value followExtract(tensor::ExtractOp op, linalg::LinalgOp around,
                      const Places &loops, DenseMap<Value, Value> &known);
  /// A value of an op's region.
  Value followInside(Value value, linalg::LinalgOp op, const Places &loops,
                     DenseMap<Value, Value> &known);
  Value getLeaf(Value source, const Places &places);
  Value getPosition(const AxisList &list);
  Value getReduced(RowReduction::Kind kind, Value operand, Value start,
                   Value tail = Value());
  Value refuse(StringRef why) {
    if (reason.empty())
      reason = why.str();
    return Value();
  }
  bool usesScores(Value value);
  bool isRow(Value tensor, const Places &places);

  using Key = std::pair<void *, SmallVector<unsigned>>;
  static Key getKey(Value tensor, const Places &places);

  AttentionAxes &axes;
  MLIRContext *context;
  ScalarBuilder scalars;
  unsigned keyAxis, tailAxis;
  AxisList rowAxes;
  std::map<Key, Value> known;
  llvm::MapVector<Value, Leaf> leaves;
  llvm::MapVector<Value, AxisList> positions;
  DenseMap<Value, RowReduction> reductions;
  DenseMap<Value, bool> scoreUsers;
  llvm::SetVector<Operation *> chain;
  SmallVector<Product, 2> products;
  unsigned mostProducts = 1;
  bool rowsAreLeaves = false;
  bool lengths = false;
  std::string reason;
  unsigned depth = 0;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ELEMENTVALUES_H
