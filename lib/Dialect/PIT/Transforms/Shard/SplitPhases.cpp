//===- SplitPhases.cpp - A function for the time between two gathers ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PITPieces.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "Splits.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSPLITPHASES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A function that is being made of a part of another one.
struct Phase {
  func::FuncOp function;
  /// Values of the program in this function.
  IRMapping mapping;
  /// Where arguments come from, and what results are, in order.
  SmallVector<std::string> arguments, results;
  SmallVector<Value> returned;
};

class PhaseSplitter {
public:
  explicit PhaseSplitter(func::FuncOp from) : from(from) {}
  LogicalResult split(llvm::json::Array &programs);

private:
  void findPhases();
  LogicalResult fill(Phase &phase, int64_t number);
  /// The value in a phase; null with an error if it cannot be there.
  Value get(Phase &phase, int64_t number, Value value);
  Value addArgument(Phase &phase, Value value, const Twine &what);
  LogicalResult clone(Phase &phase, int64_t number, Operation &op);
  /// The number of a value that another phase uses.
  int64_t getNumber(Value value);
  std::string describe(Value value);
  shard::GridOp getGrid();
  void awaitPieces(Phase &phase, unsigned argument, int64_t gather);
  void awaitLateGathers();
  void finish(Phase &phase);
  llvm::json::Object print();

  func::FuncOp from;
  DenseMap<Value, int64_t> phaseOf;
  DenseMap<Value, int64_t> numbers;
  SmallVector<shard::AllGatherOp> gathers;
  SmallVector<shard::ShiftOp> shifts;
  SmallVector<shard::AllReduceOp> reduces;
  SmallVector<Phase> phases;
  int64_t numPhases = 1;
};

} // namespace

/// Made anew in each phase. An index is put together from its lists there.
static bool isRemade(Operation *op) {
  return op && (isCheap(op) || isa<AssembleOp, ExtentOp>(op));
}

/// What ranks pass to each other between phases.
static bool isTransfer(Operation *op) {
  return isa_and_nonnull<shard::AllGatherOp, shard::ShiftOp,
                         shard::AllReduceOp>(op);
}

static SmallVector<Value> getUsed(Operation &op) {
  llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), used);
  return used.takeVector();
}

void PhaseSplitter::findPhases() {
  // The phase behind the last transfer, and whether something is computed
  // behind that.
  int64_t current = 0;
  bool computes = false;
  for (Operation &op : from.getBody().front()) {
    int64_t phase = 0;
    for (Value value : getUsed(op))
      phase = std::max(phase, phaseOf.lookup(value));
    if (isTransfer(&op)) {
      phase = std::max(phase + 1, current + computes);
      current = std::max(current, phase);
      computes = false;
      if (auto gather = dyn_cast<shard::AllGatherOp>(op))
        gathers.push_back(gather);
      else if (auto reduce = dyn_cast<shard::AllReduceOp>(op))
        reduces.push_back(reduce);
      else
        shifts.push_back(cast<shard::ShiftOp>(op));
    } else if (!isRemade(&op) && !isa<shard::ProcessLinearIndexOp>(op) &&
               !op.hasTrait<OpTrait::IsTerminator>()) {
      computes = true;
      if (isa<TiledOp>(op))
        phase = std::max(phase, current);
    }
    for (Value result : op.getResults())
      phaseOf[result] = phase;
    numPhases = std::max(numPhases, phase + 1);
  }
}

int64_t PhaseSplitter::getNumber(Value value) {
  return numbers.try_emplace(value, int64_t(numbers.size())).first->second;
}

std::string PhaseSplitter::describe(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ("input " + Twine(argument.getArgNumber())).str();
  return ("value " + Twine(getNumber(value))).str();
}

Value PhaseSplitter::addArgument(Phase &phase, Value value, const Twine &what) {
  Block &block = phase.function.getBody().front();
  Value argument = block.addArgument(value.getType(), value.getLoc());
  phase.arguments.push_back(what.str());
  phase.mapping.map(value, argument);
  return argument;
}

LogicalResult PhaseSplitter::clone(Phase &phase, int64_t number,
                                   Operation &op) {
  for (Value value : getUsed(op))
    if (!get(phase, number, value))
      return failure();
  OpBuilder::atBlockEnd(&phase.function.getBody().front())
      .clone(op, phase.mapping);
  return success();
}

Value PhaseSplitter::get(Phase &phase, int64_t number, Value value) {
  if (Value made = phase.mapping.lookupOrNull(value))
    return made;
  Operation *op = value.getDefiningOp();
  if (!op)
    return addArgument(phase, value, describe(value));
  if (auto gather = dyn_cast<shard::AllGatherOp>(op))
    return addArgument(
        phase, value,
        "gather " + Twine(llvm::find(gathers, gather) - gathers.begin()));
  if (auto shift = dyn_cast<shard::ShiftOp>(op))
    return addArgument(phase, value,
                       "shift " +
                           Twine(llvm::find(shifts, shift) - shifts.begin()));
  if (auto reduce = dyn_cast<shard::AllReduceOp>(op))
    return addArgument(
        phase, value,
        "reduce " + Twine(llvm::find(reduces, reduce) - reduces.begin()));
  if (isa<shard::ProcessLinearIndexOp>(op))
    return addArgument(phase, value, "rank");
  if (isRemade(op))
    return failed(clone(phase, number, *op)) ? Value()
                                             : phase.mapping.lookup(value);
  if (!isa<RankedTensorType>(value.getType())) {
    op->emitError("cannot be passed from one phase to the next: ")
        << value.getType();
    return {};
  }
  // An earlier phase has it.
  Phase &source = phases[phaseOf.lookup(value)];
  std::string what = describe(value);
  if (!llvm::is_contained(source.results, what)) {
    source.results.push_back(what);
    source.returned.push_back(source.mapping.lookup(value));
  }
  return addArgument(phase, value, what);
}

LogicalResult PhaseSplitter::fill(Phase &phase, int64_t number) {
  for (Operation &op : from.getBody().front()) {
    if (op.hasTrait<OpTrait::IsTerminator>() || isRemade(&op) ||
        isTransfer(&op) || isa<shard::ProcessLinearIndexOp>(op))
      continue;
    // Ops without results are in the first phase.
    int64_t of = op.getNumResults() ? phaseOf.lookup(op.getResult(0)) : 0;
    if (of == number && failed(clone(phase, number, op)))
      return failure();
  }
  // What is passed has to leave the phase in which it is made.
  SmallVector<Value> passed;
  for (shard::AllGatherOp gather : gathers)
    passed.push_back(gather.getInput());
  for (shard::ShiftOp shift : shifts)
    passed.push_back(shift.getInput());
  for (shard::AllReduceOp reduce : reduces)
    passed.push_back(reduce.getInput());
  for (Value value : passed) {
    if (isa<BlockArgument>(value) || phaseOf.lookup(value) != number)
      continue;
    Value made = get(phase, number, value);
    if (!made)
      return failure();
    std::string what = describe(value);
    if (!llvm::is_contained(phase.results, what)) {
      phase.results.push_back(what);
      phase.returned.push_back(made);
    }
  }
  return success();
}

shard::GridOp PhaseSplitter::getGrid() {
  return *from->getParentOfType<ModuleOp>().getOps<shard::GridOp>().begin();
}

/// Lets the phase begin before all pieces of its argument are there.
void PhaseSplitter::awaitPieces(Phase &phase, unsigned argument,
                                int64_t gather) {
  Block &block = phase.function.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  auto getArgument = [&](const Twine &what, Type type) -> Value {
    std::string text = what.str();
    auto *known = llvm::find(phase.arguments, text);
    if (known != phase.arguments.end())
      return block.getArgument(known - phase.arguments.begin());
    phase.arguments.push_back(text);
    return block.addArgument(type, from.getLoc());
  };
  Value source = block.getArgument(argument);
  Value own = getArgument("rank", builder.getIndexType());
  Value arrived = getArgument(
      "arrivals " + Twine(gather),
      RankedTensorType::get(getGrid().getShape()[0], builder.getI32Type()));
  auto await = AwaitPiecesOp::create(builder, from.getLoc(), source.getType(),
                                     source, arrived, own);
  source.replaceUsesWithIf(await.getResult(), [&](OpOperand &use) {
    return use.getOwner() != await && !isa<tensor::DimOp>(use.getOwner());
  });
}

/// Arguments that the first phase which gathers some does not need may arrive
/// while later ones run.
void PhaseSplitter::awaitLateGathers() {
  bool isFirst = true;
  llvm::SmallDenseSet<int64_t> seen;
  for (Phase &phase : phases) {
    SmallVector<std::pair<unsigned, int64_t>> found;
    for (auto [number, gather] : llvm::enumerate(gathers)) {
      if (!isa<BlockArgument>(gather.getInput()) || gather.getGatherAxis() != 0)
        continue;
      auto *at = llvm::find(phase.arguments, ("gather " + Twine(number)).str());
      if (at != phase.arguments.end() && seen.insert(int64_t(number)).second)
        found.emplace_back(at - phase.arguments.begin(), number);
    }
    if (!isFirst)
      for (auto [argument, gather] : found)
        awaitPieces(phase, argument, gather);
    isFirst &= found.empty();
  }
}

void PhaseSplitter::finish(Phase &phase) {
  Block &block = phase.function.getBody().front();
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  func::ReturnOp::create(builder, from.getLoc(), phase.returned);
  phase.function.setFunctionType(builder.getFunctionType(
      block.getArgumentTypes(), llvm::to_vector(TypeRange(phase.returned))));
  // Arguments are values: a call must not change what the next one reads.
  StringRef writable = bufferization::BufferizationDialect::kWritableAttrName;
  for (BlockArgument argument : block.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      phase.function.setArgAttr(argument.getArgNumber(), writable,
                                builder.getBoolAttr(false));
}

static llvm::json::Array toJSON(ArrayRef<std::string> texts) {
  llvm::json::Array array;
  for (const std::string &text : texts)
    array.push_back(text);
  return array;
}

static llvm::json::Array toJSON(ArrayAttr texts) {
  llvm::json::Array array;
  for (Attribute text : texts)
    array.push_back(cast<StringAttr>(text).getValue());
  return array;
}

llvm::json::Object PhaseSplitter::print() {
  llvm::json::Array list, gathered, shifted, reduced;
  for (Phase &phase : phases)
    if (phase.function)
      list.push_back(llvm::json::Object{{"entry", phase.function.getName()},
                                        {"arguments", toJSON(phase.arguments)},
                                        {"results", toJSON(phase.results)}});
  for (shard::AllGatherOp gather : gathers)
    gathered.push_back(
        llvm::json::Object{{"of", describe(gather.getInput())},
                           {"dim", gather.getGatherAxis().getSExtValue()},
                           {"in_place", gather->hasAttr("pit.in_place")}});
  for (shard::ShiftOp shift : shifts)
    shifted.push_back(llvm::json::Object{{"of", describe(shift.getInput())},
                                         {"by", int64_t(shift.getOffset())}});
  for (shard::AllReduceOp reduce : reduces)
    reduced.push_back(llvm::json::Object{{"of", describe(reduce.getInput())}});
  llvm::json::Object made{
      {"name", from.getName()},       {"ranks", getGrid().getShape()[0]},
      {"phases", std::move(list)},    {"gathers", std::move(gathered)},
      {"shifts", std::move(shifted)}, {"reduces", std::move(reduced)}};
  if (auto splits = from->getAttrOfType<DictionaryAttr>(
          PITDialect::SplitsAttrHelper::getNameStr()))
    for (StringRef name : {"inputs", "results"})
      made[name] = toJSON(splits.getAs<ArrayAttr>(name));
  return made;
}

LogicalResult PhaseSplitter::split(llvm::json::Array &programs) {
  findPhases();
  // A rank's program that needs nothing of others is one phase.
  if (gathers.empty() && shifts.empty() && reduces.empty() &&
      !from->hasAttr(PITDialect::SplitsAttrHelper::getNameStr()))
    return success();
  for (shard::AllReduceOp reduce : reduces)
    if (reduce.getReduction() != shard::ReductionKind::Sum ||
        isa<BlockArgument>(reduce.getInput()) ||
        reduce.getInput().getType() != reduce.getType())
      return reduce.emitError("only results of the function's ops are added up "
                              "between phases, in their own type");
  for (shard::ShiftOp shift : shifts)
    if (!shift.getRotate() || isa<BlockArgument>(shift.getInput()))
      return shift.emitError("only results of the function's ops can be passed "
                             "on between phases, and only to all ranks");
  phases.resize(numPhases);
  OpBuilder builder(from);
  for (auto [number, phase] : llvm::enumerate(phases)) {
    phase.function = func::FuncOp::create(
        builder, from.getLoc(), (from.getName() + "_" + Twine(number)).str(),
        builder.getFunctionType({}, {}));
    if (Attribute rules = from->getAttr("pit.rules"))
      phase.function->setAttr("pit.rules", rules);
    phase.function.getBody().emplaceBlock();
    if (failed(fill(phase, int64_t(number))))
      return failure();
  }
  auto *end = from.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    int64_t number =
        isa<BlockArgument>(value) || isRemade(value.getDefiningOp())
            ? numPhases - 1
            : phaseOf.lookup(value);
    Phase &phase = phases[number];
    Value made = get(phase, number, value);
    if (!made)
      return failure();
    phase.results.push_back(("result " + Twine(i)).str());
    phase.returned.push_back(made);
  }
  awaitLateGathers();
  for (Phase &phase : phases) {
    finish(phase);
    // Nothing is computed in front of a gather of arguments.
    if (phase.returned.empty()) {
      phase.function.erase();
      phase.function = {};
    }
  }
  programs.push_back(print());
  from.erase();
  return success();
}

namespace {
struct PITSplitPhases : pit::impl::PITSplitPhasesBase<PITSplitPhases> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::json::Array programs;
    // Without a grid, nothing can be passed on.
    if (module.getOps<shard::GridOp>().empty())
      return;
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        functions.push_back(function);
    for (func::FuncOp function : functions) {
      if (!function.getBody().hasOneBlock()) {
        function.emitError("cannot be cut into phases: it has branches");
        return signalPassFailure();
      }
      if (failed(PhaseSplitter(function).split(programs)))
        return signalPassFailure();
    }
    if (programs.empty())
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << llvm::json::Value(std::move(programs));
    module->setAttr("pit.phases", StringAttr::get(&getContext(), text));
    for (auto grid : llvm::make_early_inc_range(module.getOps<shard::GridOp>()))
      grid.erase();
  }
};
} // namespace
