//===- MatchEpilogue.cpp - Epilogue fusion: elementwise ops ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the contraction on, the ops that access its sums are followed as long as
// each computes, element by element, what the next one reads alone. Their
// bodies become one scalar function.
//
//===----------------------------------------------------------------------===//

#include "GPU/Epilogue/Rounding.h"
#include "GPU/Host/BufferAccess.h"
#include "Match.h"
#include "MatchOperand.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

class EpilogueMatcher {
public:
  EpilogueMatcher(linalg::LinalgOp contraction, const MatchScope &scope,
                  ContractionMatch &match);

  void run();

private:
  /// What an elementwise op reads at a place.
  struct Source {
    enum Kind { Constant, Sums, SecondSums, Operand } kind;
    /// The constant.
    Value value;
    MatchedOperand operand;
  };
  /// A contraction whose sums are in a buffer.
  struct Second {
    linalg::LinalgOp op;
    ContractionMatch match;
  };

  Operation *findNextAccess();
  bool extend(linalg::LinalgOp op);
  /// Of C: rows, columns, and perhaps batches.
  unsigned getNumAxes() const { return match.batched || match.raggedK ? 3 : 2; }
  /// Notes why the op at hand does not become part of the match.
  bool refuse(const Twine &reason) {
    if (scope.needs.log)
      obstacle = reason.str();
    return false;
  }
  std::optional<Source> getSource(linalg::LinalgOp op, OpOperand &operand,
                                  std::optional<Second> &second);
  std::optional<Second> matchSecond(Value sums, linalg::LinalgOp reader);
  bool areUnchanged(Operation *from, const ContractionMatch &product,
                    Operation *to);
  OpBuilder getBuilder();
  Type getSumType() {
    return ContractOp::getSumType(getElementTypeOrSelf(match.a.buffer));
  }
  Value addInput(EpilogueFunction::Input input, Type type);
  Value getInput(const Source &source);
  void takeSharedFill(Operation *fill, Operation *product, Value sums);
  void finish();

  const MatchScope &scope;
  ContractionMatch &match;
  linalg::LinalgOp contraction;
  std::optional<Second> second;
  /// Where the values are that the function computes so far, the last op that
  /// wrote them, and the result in the function's body.
  Value current;
  Operation *last;
  Value result;
  /// Buffers that ops read, which must stay until the kernel is launched.
  SmallVector<std::pair<Operation *, Value>> reads;
  std::shared_ptr<EpilogueFunction> function;
  std::string obstacle;
};

} // namespace

EpilogueMatcher::EpilogueMatcher(linalg::LinalgOp contraction,
                                 const MatchScope &scope,
                                 ContractionMatch &match)
    : scope(scope), match(match), contraction(contraction),
      current(contraction.getDpsInits()[0]), last(contraction),
      function(std::make_shared<EpilogueFunction>()) {
  if (scope.place) {
    current = scope.resolve(current).buffer;
    last = scope.place;
  }
  function->region = std::make_unique<Region>();
  function->region->push_back(new Block());
  result = addInput({/*isProduct=*/true, 0}, getSumType());
}

/// A builder at the end of the function's body, which has no op around it.
OpBuilder EpilogueMatcher::getBuilder() {
  OpBuilder b(contraction->getContext());
  b.setInsertionPointToEnd(&function->getBody());
  return b;
}

Value EpilogueMatcher::addInput(EpilogueFunction::Input input, Type type) {
  function->inputs.push_back(input);
  return function->getBody().addArgument(type, contraction->getLoc());
}

/// The next op behind the last one that accesses the values.
Operation *EpilogueMatcher::findNextAccess() {
  Value root = getRootBuffer(current);
  for (Operation *op = last->getNextNode(); op; op = op->getNextNode())
    if (mayAccess(op, root))
      return op;
  return nullptr;
}

/// Whether the inputs of a product are at `to` what they were at `from`.
bool EpilogueMatcher::areUnchanged(Operation *from,
                                   const ContractionMatch &product,
                                   Operation *to) {
  SmallVector<Value> inputs = {product.a.buffer, product.b.buffer};
  if (scope.place)
    from = scope.place;
  else
    inputs = cast<linalg::LinalgOp>(from).getDpsInputs();
  return llvm::none_of(
      inputs, [&](Value input) { return isWrittenBetween(from, to, input); });
}

//===----------------------------------------------------------------------===//
// What an op reads
//===----------------------------------------------------------------------===//

/// A product of the same A, of another B with the same layout, whose sums
/// nobody else reads.
std::optional<EpilogueMatcher::Second>
EpilogueMatcher::matchSecond(Value sums, linalg::LinalgOp reader) {
  bool isOverwritten = reader.getDpsInits()[0] == sums;
  if (second || scope.place || (!isOverwritten && !isDeadAfter(sums, reader)))
    return std::nullopt;
  auto op = dyn_cast_or_null<linalg::LinalgOp>(findAccessBefore(reader, sums));
  if (!op || scope.taken.contains(op))
    return std::nullopt;
  // Most operands are no products, of which there is nothing to say.
  MatchScope quiet = scope;
  quiet.needs.log = {};
  FailureOr<ContractionMatch> product = matchBareContraction(op, quiet);
  if (failed(product) || op.getDpsInits()[0] != sums)
    return std::nullopt;
  auto isSame = [](const Matrix &a, const Matrix &b) {
    // Of two buffers, distances that are not known may be two.
    return a.offset == b.offset &&
           (!ShapedType::isDynamic(a.offset) || a.buffer == b.buffer) &&
           a.innerAxis == b.innerAxis && a.stride == b.stride &&
           a.axes[0] == b.axes[0] && a.axes[1] == b.axes[1];
  };
  const Matrix &a = product->a, &b = product->b;
  if (a.buffer != match.a.buffer || !isSame(a, match.a) ||
      a.segmentAxis != match.a.segmentAxis || a.rows != match.a.rows ||
      product->layoutA != match.layoutA || product->layoutB != match.layoutB ||
      !llvm::equal(product->isUnsigned, match.isUnsigned) ||
      product->n != match.n || product->k != match.k ||
      b.rows != match.b.rows ||
      b.segmentAxis.has_value() != match.b.segmentAxis.has_value() ||
      (getNumAxes() == 3 && product->c.segmentAxis != match.c.segmentAxis) ||
      getElementTypeOrSelf(b.buffer) != getElementTypeOrSelf(match.b.buffer))
    return std::nullopt;
  return Second{op, std::move(*product)};
}

std::optional<EpilogueMatcher::Source>
EpilogueMatcher::getSource(linalg::LinalgOp op, OpOperand &operand,
                           std::optional<Second> &newSecond) {
  Value value = operand.get();
  if (!isa<MemRefType>(value.getType())) {
    if (!value.getDefiningOp<arith::ConstantOp>())
      return std::nullopt;
    return Source{Source::Constant, value, {}};
  }
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (value == current)
    return map.isIdentity() ? std::optional(Source{Source::Sums, value, {}})
                            : std::nullopt;
  if (mayShareMemory(value, current))
    return std::nullopt;
  if (map.isIdentity())
    if (std::optional<Second> matched = matchSecond(value, op)) {
      if (newSecond)
        return std::nullopt;
      newSecond = std::move(matched);
      return Source{Source::SecondSums, value, {}};
    }
  auto [source, axes] = resolveOnOutput(scope.resolve(value), map, match);
  std::optional<MatchedOperand> matched = matchOperand(source, axes);
  if (!matched)
    return std::nullopt;
  return Source{Source::Operand, value, *matched};
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

Value EpilogueMatcher::getInput(const Source &source) {
  switch (source.kind) {
  case Source::Constant: {
    OpBuilder b = getBuilder();
    return b.clone(*source.value.getDefiningOp())->getResult(0);
  }
  case Source::Sums:
    return result;
  case Source::SecondSums:
    return addInput({/*isProduct=*/true, 1}, getSumType());
  case Source::Operand:
    break;
  }
  unsigned number = function->operands.size();
  const MatchedOperand &matched = source.operand;
  function->operands.push_back(matched.operand);
  match.epilogueBuffers.emplace_back(matched.buffer, matched.offset);
  match.epilogueMaps.emplace_back(matched.map, matched.segmentAxis);
  return addInput({/*isProduct=*/false, number}, matched.operand.type);
}

/// Whether the body is made of scalar ops that kernels have, and of constants
/// from outside.
static bool isScalarBody(Block &body) {
  return llvm::all_of(
             body.without_terminator(),
             [&](Operation &op) {
               return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
                   op.getDialect());
             }) &&
         llvm::all_of(body, [&](Operation &op) {
           return llvm::all_of(op.getOperands(), [&](Value operand) {
             return operand.getParentBlock() == &body ||
                    operand.getDefiningOp<arith::ConstantOp>();
           });
         });
}

/// Makes the op part of the match if it can be.
bool EpilogueMatcher::extend(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  if (scope.taken.contains(op))
    return refuse("another kernel has it");
  if (!op.hasPureBufferSemantics() || op->getBlock() != last->getBlock() ||
      op.getNumDpsInits() != 1 || op.getNumLoops() != getNumAxes() ||
      op.getNumParallelLoops() != getNumAxes())
    return refuse("it is not elementwise on rows and columns, or has several "
                  "results");
  if (!isScalarBody(body))
    return refuse("its region has other ops than those of arith and math");
  OpOperand *init = op.getDpsInitOperand(0);
  Value target = init->get();
  if (!op.getMatchingIndexingMap(init).isIdentity())
    return refuse("it writes its result transposed");
  // Its output takes the place of what it reads, which nobody else may.
  FailureOr<Matrix> output = match.c;
  if (target != current) {
    MatchRequirements quiet = scope.needs;
    quiet.log = {};
    AffineMap map = op.getMatchingIndexingMap(init);
    output =
        matchOutput(resolveOnOutput(scope.resolve(target), map, match).first,
                    getSumType(), quiet);
    if (failed(output))
      return refuse("kernels cannot write its result: its type or strides do "
                    "not fit");
    if (!isDeadAfter(current, op))
      return refuse("what it reads of the product is read again behind it");
  }
  Value written = output->buffer;
  for (const Matrix *input : {&match.a, &match.b})
    if (mayShareMemory(input->buffer, written))
      return refuse("its result may share memory with an input of the product");

  std::optional<Second> newSecond;
  SmallVector<std::pair<OpOperand *, Source>> sources;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!op.payloadUsesValueFromOperand(&operand))
      continue;
    std::optional<Source> source = getSource(op, operand, newSecond);
    if (!source)
      return refuse("operand " + Twine(operand.getOperandNumber()) +
                    " cannot be loaded by row and column");
    // In the buffer that it writes, an op may only read the place it writes.
    if (source->kind == Source::Operand &&
        mayShareMemory(source->operand.buffer, written) &&
        (operand.get() != target ||
         !op.getMatchingIndexingMap(&operand).isIdentity()))
      return refuse("operand " + Twine(operand.getOperandNumber()) +
                    " may share memory with its result");
    sources.emplace_back(&operand, *source);
  }
  const std::optional<Second> &products = newSecond ? newSecond : second;
  if (products && mayShareMemory(products->match.b.buffer, written))
    return refuse("its result may share memory with an input of the second "
                  "product");
  if (!areUnchanged(contraction, match, op) ||
      (products && !areUnchanged(products->op, products->match, op)) ||
      llvm::any_of(reads, [&](const std::pair<Operation *, Value> &read) {
        return isWrittenBetween(read.first, op, read.second);
      }))
    return refuse("an operand of the product, or of elementwise work before, "
                  "is overwritten before it");

  if (newSecond) {
    second = std::move(newSecond);
    match.b2 = second->match.b;
    llvm::append_range(match.ops, second->match.ops);
  }
  IRMapping mapping;
  for (auto &[operand, source] : sources) {
    mapping.map(op.getMatchingBlockArgument(operand), getInput(source));
    if (source.kind == Source::Operand)
      reads.emplace_back(op, operand->get());
  }
  OpBuilder b = getBuilder();
  auto cloneConstants = [&](Operation &nested) {
    for (Value operand : nested.getOperands())
      if (operand.getParentBlock() != &body && !mapping.contains(operand))
        mapping.map(operand, b.clone(*operand.getDefiningOp())->getResult(0));
  };
  for (Operation &nested : body) {
    cloneConstants(nested);
    if (!nested.hasTrait<OpTrait::IsTerminator>())
      b.clone(nested, mapping);
  }
  result = mapping.lookup(body.getTerminator()->getOperand(0));
  current = target;
  last = op;
  match.c = *output;
  match.ops.push_back(op);
  return true;
}

/// The writers round to nearest even themselves.
void EpilogueMatcher::finish() {
  Block &body = function->getBody();
  OpBuilder b = getBuilder();
  Location loc = contraction->getLoc();
  Type output = getElementTypeOrSelf(match.c.buffer);
  if (ContractOp::getValueType(output).isF32())
    result = dropRounding(b, loc, result);
  linalg::YieldOp::create(b, loc, result);
  if (result == body.getArgument(0) && !second) {
    match.epilogueBuffers.clear();
    match.epilogueMaps.clear();
    return;
  }
  if (isa<FloatType>(output) && output.getIntOrFloatBitWidth() <= 16)
    allowApproximation(body);
  // The last pair would reach behind the last column.
  if (ShapedType::isDynamic(match.n) || match.n % 2 != 0)
    for (EpilogueOperand &operand : function->operands)
      operand.hasPairs = false;
  match.epilogue = std::move(function);
}

/// Takes a fill that only other ops of the match read.
void EpilogueMatcher::takeSharedFill(Operation *fill, Operation *product,
                                     Value sums) {
  Value root = getRootBuffer(sums);
  for (Operation *op = fill->getNextNode(); op != product;
       op = op->getNextNode())
    if (mayAccess(op, root) && !llvm::is_contained(match.ops, op))
      return;
  match.ops.push_back(fill);
}

void EpilogueMatcher::run() {
  Operation *first = last;
  Value sums = current;
  while (Operation *next = findNextAccess()) {
    auto op = dyn_cast<linalg::LinalgOp>(next);
    if (op && extend(op))
      continue;
    // Sums along rows, or other products, are no work for an epilogue.
    if (op && op.getNumReductionLoops() == 0 && scope.needs.log) {
      match.epilogueEnd = op;
      match.whyEpilogueEnds = obstacle;
    }
    break;
  }
  if (match.sharedFill)
    takeSharedFill(match.sharedFill, first, sums);
  if (second && second->match.sharedFill)
    takeSharedFill(second->match.sharedFill, second->op,
                   second->op.getDpsInits()[0]);
  llvm::sort(match.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  finish();
}

void mlir::pit::hopper::matchEpilogue(linalg::LinalgOp contraction,
                                      const MatchScope &scope,
                                      ContractionMatch &match) {
  EpilogueMatcher(contraction, scope, match).run();
}
