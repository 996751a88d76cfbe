//===- AddDenseVariants.cpp - Dense where too much is live ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Support/Remarks.h"

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"
#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Utils/DenseVariants.h"
#include "PIT/Selection/SkippingCost.h"

#include "DenseChoice.h"
#include "DenseForm.h"
#include "DenseGroup.h"
#include "LiveShareSample.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITADDDENSEVARIANTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A rule whose dense form gives the same.
struct Candidate {
  GenericOp op;
  /// Where rows are computed packed: the store into a whole tensor.
  SWriteOp write;
  SkippingCost cost;

  /// What computes the whole tensors.
  Operation *getLast() {
    return write ? write.getOperation() : op.getOperation();
  }
};

struct PITAddDenseVariants
    : pit::impl::PITAddDenseVariantsBase<PITAddDenseVariants> {
  using PITAddDenseVariantsBase::PITAddDenseVariantsBase;

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  std::optional<Candidate> match(GenericOp op, DetectOp detect);
  void addVariants(DetectOp detect);
  void addVariant(Candidate candidate, double mostLive);

  /// What was read from the file that is named, if one is.
  std::shared_ptr<TileDatabase> ofFile;
  const TileDatabase *data = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// Whether the dense form gives the same
//===----------------------------------------------------------------------===//

/// Marks by values change nothing.
static Value lookThroughMarksByValues(Value value) {
  while (auto mark = value.getDefiningOp<SparseOp>()) {
    if (mark.getPattern().getKind() != PatternKind::Values)
      break;
    value = mark.getSource();
  }
  return value;
}

/// Whether input `i` holds the absent value wherever the index lists nothing.
static bool isAbsentOutside(GenericOp op, unsigned i, DetectOp detect) {
  PatternAttr pattern = detect.getPattern();
  if (op.getPacked()[i] || pattern.getAbsent() == Absent::Undef)
    return false;
  SmallVector<int64_t> dims =
      mapAxesToDims(op.getIndexingMapsArray()[i], op.getIndexAxes());
  if (dims.empty() || pattern.getAxes().asArrayRef() != ArrayRef<int64_t>(dims))
    return false;
  Value input = op.getInputs()[i];
  if (Value source = detect.getSource())
    return lookThroughMarksByValues(input) == lookThroughMarksByValues(source);
  auto mark = input.getDefiningOp<SparseOp>();
  return mark && mark.getBy() == detect.getBy() && mark.getPattern() == pattern;
}

/// Whether the body yields each output as it was where input `i` is absent.
static bool leavesOutputs(GenericOp op, unsigned i, Absent absent,
                          bool finite) {
  Type element = getElementTypeOrSelf(op.getInputs()[i].getType());
  if (absent == Absent::NegInf && !isa<FloatType>(element))
    return false;
  SmallVector<std::optional<AbstractScalar>> values(i + 1);
  values[i] = AbstractScalar::getConstant(getAbsentConstant(absent, element));
  SmallVector<AbstractScalar> yielded = interpretBody(
      op.getRegion().front(), op.getInputs().size(), values, finite);
  return llvm::all_of(llvm::enumerate(yielded), [](const auto &output) {
    const AbstractScalar &value = output.value();
    return value.isAccumulator() && value.accumulator == output.index() &&
           value.assumedNonZero.none();
  });
}

static bool isSameConstant(Value a, Value b) {
  Attribute ofA, ofB;
  return a == b || (matchPattern(a, m_Constant(&ofA)) &&
                    matchPattern(b, m_Constant(&ofB)) && ofA == ofB);
}

/// The store of an op's packed rows into a tensor of what they start from: the
/// op computes that tensor, as if no row were left out.
static SWriteOp matchStore(GenericOp op) {
  if (op->getNumResults() != 1 || !op->getResult(0).hasOneUse())
    return SWriteOp();
  auto write = dyn_cast<SWriteOp>(*op->user_begin());
  if (!write || write.getSource() != op->getResult(0) ||
      write.getIndex() != op.getIndex() || !write.getTile().empty() ||
      write.getMode() != WriteMode::Store ||
      write->getBlock() != op->getBlock() ||
      write.getDims() !=
          ArrayRef<int64_t>(mapAxesToDims(op.getIndexingMapsArray().back(),
                                          op.getIndexAxes())))
    return SWriteOp();
  auto start = op.getOutputs()[0].getDefiningOp<linalg::FillOp>(),
       around = write.getDest().getDefiningOp<linalg::FillOp>();
  if (!start || !around ||
      !isSameConstant(start.getInputs()[0], around.getInputs()[0]))
    return SWriteOp();
  return write;
}

//===----------------------------------------------------------------------===//
// What it costs
//===----------------------------------------------------------------------===//

std::optional<Candidate> PITAddDenseVariants::match(GenericOp op,
                                                    DetectOp detect) {
  if (auto wish =
          PITDialect::DenseVariantAttrHelper(op->getContext()).getAttr(op))
    if (!wish.getValue())
      return std::nullopt;
  if (op.getIndex() != detect.getIndex() || !op.getFurtherIndexes().empty())
    return std::nullopt;
  ArrayRef<bool> packedOutputs =
      op.getPacked().drop_front(op.getInputs().size());
  SWriteOp write;
  if (llvm::is_contained(packedOutputs, true)) {
    write = matchStore(op);
    if (!write)
      return std::nullopt;
  }
  // Packed inputs have no dense form, nor has a quotient of what is left out.
  if (dividesByElements(op) ||
      llvm::is_contained(op.getPacked().take_front(op.getInputs().size()),
                         true))
    return std::nullopt;
  for (unsigned i = 0, e = op.getInputs().size(); i < e; ++i) {
    if (!isAbsentOutside(op, i, detect) ||
        !leavesOutputs(op, i, detect.getPattern().getAbsent(), finite))
      continue;
    ProductView view = viewAsProduct(op, i);
    // Nothing to compute has no price.
    if (view.shape.getVolume() == 0)
      return std::nullopt;
    return Candidate{op, write, SkippingCost(*data, view.shape, view.tile)};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

static linalg::GenericOp createDense(RewriterBase &rewriter,
                                     Candidate candidate) {
  GenericOp op = candidate.op;
  SWriteOp write = candidate.write;
  SmallVector<Value> outputs(op.getOutputs());
  if (write)
    outputs = {write.getDest()};
  auto dense =
      createDenseForm(rewriter, op, op.getInputs(), outputs,
                      op.getIndexingMapsArray(), op.getIteratorTypesArray());
  if (IntegerAttr rule = op.getRuleAttr())
    PITDialect::DenseVariantOfAttrHelper(rewriter.getContext())
        .setAttr(dense, rule);
  return dense;
}

/// The dense form where a condition holds, else what stands there.
static scf::IfOp createChoice(RewriterBase &rewriter, Candidate candidate,
                              Value isDense) {
  Operation *last = candidate.getLast();
  Location loc = candidate.op.getLoc();
  auto choice =
      scf::IfOp::create(rewriter, loc, last->getResultTypes(), isDense,
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  rewriter.replaceAllUsesWith(last->getResults(), choice.getResults());
  rewriter.setInsertionPointToStart(choice.thenBlock());
  linalg::GenericOp dense = createDense(rewriter, candidate);
  scf::YieldOp::create(rewriter, loc, dense.getResults());
  Block *sparse = choice.elseBlock();
  rewriter.moveOpBefore(candidate.op, sparse, sparse->end());
  if (candidate.write)
    rewriter.moveOpBefore(candidate.write, sparse, sparse->end());
  rewriter.setInsertionPointToEnd(sparse);
  scf::YieldOp::create(rewriter, loc, last->getResults());
  return choice;
}

void PITAddDenseVariants::addVariant(Candidate candidate, double mostLive) {
  setMostLive(candidate.op, mostLive);
  Operation *last = candidate.getLast();
  Location loc = candidate.op.getLoc();
  IRRewriter rewriter(last);
  if (getThousandths(mostLive) == 0) {
    linalg::GenericOp dense = createDense(rewriter, candidate);
    remarks::missed(last, remarks::kSelection, "dense-variant")
        << "computed densely"
        << remarks::reason("detection takes longer than skipping saves");
    rewriter.replaceOp(last, dense);
    if (candidate.write)
      rewriter.eraseOp(candidate.op);
    ++numDense;
    return;
  }
  for (OpOperand &start : candidate.op.getOutputsMutable())
    copyStartingArgument(rewriter, start);
  if (candidate.write)
    copyStartingArgument(rewriter, candidate.write.getDestMutable());
  remarks::passed(last, remarks::kSelection, "dense-variant")
      << "has a dense variant, which runs where more is live"
      << remarks::metric("MostLive", mostLive);
  // Of what nobody else reads, a sample is looked at before it is found.
  auto detect = candidate.op.getIndex().getDefiningOp<DetectOp>();
  Value isSampleLive;
  if (sample && detect->getBlock() == last->getBlock() &&
      llvm::all_of(detect->getUsers(),
                   [&](Operation *user) { return user == candidate.op; }))
    isSampleLive = createIsSampleLive(rewriter, detect, mostLive);
  if (isSampleLive) {
    scf::IfOp look = createChoice(rewriter, candidate, isSampleLive);
    rewriter.moveOpBefore(detect, look.elseBlock(), look.elseBlock()->begin());
    rewriter.setInsertionPoint(last);
  }
  Value isTooMuch =
      createListsMoreThan(rewriter, loc, candidate.op.getIndex(), mostLive);
  createChoice(rewriter, candidate, isTooMuch);
  ++numVariants;
}

void PITAddDenseVariants::addVariants(DetectOp detect) {
  SmallVector<Candidate> candidates;
  SmallVector<SkippingCost> costs;
  llvm::SmallPtrSet<Operation *, 8> covered;
  for (Operation *user : detect->getUsers()) {
    auto op = dyn_cast<GenericOp>(user);
    std::optional<Candidate> candidate;
    if (op)
      candidate = match(op, detect);
    if (!candidate)
      continue;
    covered.insert(op);
    covered.insert(candidate->getLast());
    costs.push_back(candidate->cost);
    candidates.push_back(*candidate);
  }
  if (candidates.empty()) {
    // What is packed for several rules is chosen for all of them.
    numVariants += DenseGroup(detect, *data).run();
    return;
  }
  // A pattern that is given is found without reading what is multiplied, and
  // one that others need is found anyway.
  bool isFoundForNothing =
      detect.getSource() && !paysToFindLive(costs) &&
      llvm::all_of(detect->getUsers(),
                   [&](Operation *user) { return covered.contains(user); });
  for (Candidate &candidate : candidates) {
    double mostLive = isFoundForNothing ? 0 : candidate.cost.getMostLive();
    // What detection reports of the caller's data is reported in any case.
    bool isChecked = detect.getPattern().hasBound() ||
                     detect.getPattern().getKind() == PatternKind::Lengths;
    if (mostLive < 1 && !(isChecked && getThousandths(mostLive) == 0))
      addVariant(candidate, mostLive);
  }
  if (detect.getIndex().use_empty())
    detect.erase();
}

LogicalResult PITAddDenseVariants::initialize(MLIRContext *context) {
  if (database.empty())
    return success();
  llvm::Expected<TileDatabase> parsed = TileDatabase::read(database);
  if (!parsed)
    return emitError(UnknownLoc::get(context))
           << "pit-add-dense-variants: " << llvm::toString(parsed.takeError());
  ofFile = std::make_shared<TileDatabase>(std::move(*parsed));
  return success();
}

void PITAddDenseVariants::runOnOperation() {
  // Ratios of times of f32, which is what is measured, stand for all types.
  data = ofFile ? ofFile.get() : TileDatabase::get("cpu", "f32");
  if (!data)
    return;
  SmallVector<DetectOp> detections;
  getOperation().walk([&](DetectOp op) { detections.push_back(op); });
  for (DetectOp detect : detections)
    addVariants(detect);
}
