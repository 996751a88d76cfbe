//===- InsertUnit.cpp - A dimension of extent 1 in every tensor -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitExtents/UnitExtents.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::fuzz;

namespace {

class UnitInserter {
public:
  UnitInserter(func::FuncOp function, bool isFirst)
      : function(function), isFirst(isFirst), builder(function.getContext()) {}

  OwningOpRef<ModuleOp> run(std::string &why);

private:
  /// False where the op has no such form.
  bool visit(Operation *op);
  bool addArguments(func::FuncOp into);
  void insertInto(linalg::GenericOp op);
  void insertInto(SparseOp op);
  void insertInto(tensor::PadOp op);
  void insertIntoAccess(Operation *op, unsigned firstIndex);

  template <typename T> void insert(SmallVectorImpl<T> &list, T unit) {
    list.insert(isFirst ? list.begin() : list.end(), unit);
  }
  Type getType(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return type;
    SmallVector<int64_t> shape(tensor.getShape());
    insert(shape, int64_t(1));
    return tensor.clone(shape);
  }
  Value get(Value value) { return mapping.lookupOrDefault(value); }
  SmallVector<OpFoldResult> get(ArrayRef<OpFoldResult> numbers,
                                std::optional<int64_t> unit) {
    SmallVector<OpFoldResult> all;
    for (OpFoldResult number : numbers)
      all.push_back(isa<Value>(number) ? OpFoldResult(get(cast<Value>(number)))
                                       : number);
    if (unit)
      insert(all, OpFoldResult(builder.getIndexAttr(*unit)));
    return all;
  }
  int64_t getDim(int64_t dim) { return dim + (isFirst ? 1 : 0); }
  SmallVector<ReassociationIndices>
  getGroups(ArrayRef<ReassociationIndices> groups, int64_t rank);

  func::FuncOp function;
  bool isFirst;
  OpBuilder builder;
  IRMapping mapping;
  /// What marks read of tensors that have the unit elsewhere.
  DenseMap<Value, Value> collapsed;
};

} // namespace

/// Whether the value is an argument that only says what is live: it stays as it
/// is.
static bool isOnlyPattern(Value value) {
  return isa<BlockArgument>(value) && !value.use_empty() &&
         llvm::all_of(value.getUses(), [](OpOperand &use) {
           auto mark = dyn_cast<SparseOp>(use.getOwner());
           return mark && mark.getBy() == use.get() &&
                  mark.getSource() != use.get();
         });
}

/// Groups of a reshape, the unit in one of its own; of a scalar, all in one.
SmallVector<ReassociationIndices>
UnitInserter::getGroups(ArrayRef<ReassociationIndices> groups, int64_t rank) {
  if (groups.empty())
    return {llvm::to_vector<2>(llvm::seq<int64_t>(0, rank + 1))};
  SmallVector<ReassociationIndices> all;
  for (const ReassociationIndices &group : groups)
    all.push_back(ReassociationIndices(
        llvm::map_range(group, [&](int64_t dim) { return getDim(dim); })));
  insert(all, ReassociationIndices{isFirst ? 0 : rank});
  return all;
}

void UnitInserter::insertInto(linalg::GenericOp op) {
  Location loc = op.getLoc();
  unsigned numLoops = op.getNumLoops();
  AffineExpr unit = builder.getAffineDimExpr(isFirst ? 0 : numLoops);
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (isFirst)
      map = map.shiftDims(1);
    SmallVector<AffineExpr> results(map.getResults());
    if (isa<RankedTensorType>(operand.get().getType()))
      insert(results, unit);
    maps.push_back(
        AffineMap::get(numLoops + 1, 0, results, builder.getContext()));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  insert(iterators, utils::IteratorType::parallel);
  SmallVector<Value> inputs, outputs;
  SmallVector<Type> types;
  for (Value input : op.getInputs())
    inputs.push_back(get(input));
  for (Value output : op.getOutputs())
    outputs.push_back(get(output));
  for (Type type : op.getResultTypes())
    types.push_back(getType(type));
  auto generic = linalg::GenericOp::create(builder, loc, types, inputs, outputs,
                                           maps, iterators);
  op.getRegion().cloneInto(&generic.getRegion(), mapping);
  Block *body = &generic.getRegion().front();
  body->walk([&](linalg::IndexOp index) {
    index.setDim(uint64_t(getDim(int64_t(index.getDim()))));
  });
  OpBuilder inside = OpBuilder::atBlockBegin(body);
  body->walk([&](tensor::ExtractOp extract) {
    SmallVector<Value> indices(extract.getIndices());
    insert(indices, arith::ConstantIndexOp::create(inside, loc, 0).getResult());
    extract.getIndicesMutable().assign(indices);
  });
  mapping.map(op->getResults(), generic->getResults());
}

void UnitInserter::insertInto(SparseOp op) {
  Operation *mark = builder.clone(*op, mapping);
  auto sparse = cast<SparseOp>(mark);
  sparse.getResult().setType(cast<RankedTensorType>(getType(op.getType())));
  PatternAttr pattern = op.getPattern();
  SmallVector<int64_t> axes;
  for (int64_t axis : pattern.getAxes().asArrayRef())
    axes.push_back(getDim(axis));
  sparse.setPatternAttr(PatternAttr::get(
      builder.getContext(), pattern.getKind(),
      builder.getDenseI64ArrayAttr(axes), pattern.getAbsent(), pattern.getPad(),
      pattern.getTile(), pattern.getAtMost()));
  Value by = op.getBy();
  if (!by || isOnlyPattern(by))
    return;
  Value &whole = collapsed[by];
  if (!whole) {
    // The unit goes into the dimension beside it.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(get(by));
    auto type = cast<RankedTensorType>(by.getType());
    SmallVector<ReassociationIndices> groups;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      groups.push_back({getDim(dim)});
    if (isFirst)
      groups.front().insert(groups.front().begin(), 0);
    else
      groups.back().push_back(type.getRank());
    whole = tensor::CollapseShapeOp::create(builder, op.getLoc(), type, get(by),
                                            groups);
  }
  sparse.getByMutable().assign(whole);
}

void UnitInserter::insertInto(tensor::PadOp op) {
  Value padding = op.getConstantPaddingValue();
  Operation *maker = padding.getDefiningOp();
  Value outside = maker && op->isAncestor(maker->getParentOp())
                      ? builder.clone(*maker)->getResult(0)
                      : get(padding);
  auto pad = tensor::PadOp::create(
      builder, op.getLoc(), getType(op.getType()), get(op.getSource()),
      get(op.getMixedLowPad(), 0), get(op.getMixedHighPad(), 0), outside);
  mapping.map(op.getResult(), pad.getResult());
}

void UnitInserter::insertIntoAccess(Operation *op, unsigned firstIndex) {
  Operation *access = builder.clone(*op, mapping);
  Value zero = arith::ConstantIndexOp::create(builder, op->getLoc(), 0);
  zero.getDefiningOp()->moveBefore(access);
  access->insertOperands(isFirst ? firstIndex : access->getNumOperands(), zero);
  access->getResult(0).setType(getType(op->getResult(0).getType()));
}

bool UnitInserter::visit(Operation *op) {
  Location loc = op->getLoc();
  auto map = [&](Value from, Value to) {
    mapping.map(from, to);
    return true;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](linalg::GenericOp op) {
        insertInto(op);
        return true;
      })
      .Case([&](SparseOp op) {
        insertInto(op);
        return true;
      })
      .Case([&](tensor::EmptyOp op) {
        return map(op, tensor::EmptyOp::create(builder, loc,
                                               get(op.getMixedSizes(), 1),
                                               op.getType().getElementType()));
      })
      .Case([&](tensor::DimOp op) {
        std::optional<int64_t> dim = op.getConstantIndex();
        if (!dim)
          return false;
        return map(
            op,
            isOnlyPattern(op.getSource())
                ? tensor::DimOp::create(builder, loc, get(op.getSource()), *dim)
                : tensor::DimOp::create(builder, loc, get(op.getSource()),
                                        getDim(*dim)));
      })
      .Case([&](tensor::CastOp op) {
        return map(op,
                   tensor::CastOp::create(builder, loc, getType(op.getType()),
                                          get(op.getSource())));
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return map(
            op, tensor::ExtractSliceOp::create(
                    builder, loc, cast<RankedTensorType>(getType(op.getType())),
                    get(op.getSource()), get(op.getMixedOffsets(), 0),
                    get(op.getMixedSizes(), 1), get(op.getMixedStrides(), 1)));
      })
      .Case([&](tensor::InsertSliceOp op) {
        return map(op,
                   tensor::InsertSliceOp::create(
                       builder, loc, get(op.getSource()), get(op.getDest()),
                       get(op.getMixedOffsets(), 0), get(op.getMixedSizes(), 1),
                       get(op.getMixedStrides(), 1)));
      })
      .Case([&](tensor::PadOp op) {
        if (!op.getConstantPaddingValue())
          return false;
        insertInto(op);
        return true;
      })
      .Case([&](tensor::ConcatOp op) {
        SmallVector<Value> inputs;
        for (Value input : op.getInputs())
          inputs.push_back(get(input));
        return map(op, tensor::ConcatOp::create(
                           builder, loc, getType(op.getType()),
                           uint64_t(getDim(int64_t(op.getDim()))), inputs));
      })
      .Case([&](tensor::ExpandShapeOp op) {
        return map(op,
                   tensor::ExpandShapeOp::create(
                       builder, loc, getType(op.getType()), get(op.getSrc()),
                       getGroups(op.getReassociationIndices(),
                                 op.getResultType().getRank()),
                       get(op.getMixedOutputShape(), 1)));
      })
      .Case([&](tensor::CollapseShapeOp op) {
        return map(op,
                   tensor::CollapseShapeOp::create(
                       builder, loc, getType(op.getType()), get(op.getSrc()),
                       getGroups(op.getReassociationIndices(),
                                 op.getSrcType().getRank())));
      })
      .Case([&](tensor::ExtractOp op) {
        insertIntoAccess(op, 1);
        return true;
      })
      .Case([&](tensor::InsertOp op) {
        insertIntoAccess(op, 2);
        return true;
      })
      .Default([&](Operation *op) {
        auto isTensor = [](Type type) { return isa<TensorType>(type); };
        if (op->getNumRegions() ||
            llvm::any_of(op->getOperandTypes(), isTensor) ||
            llvm::any_of(op->getResultTypes(), isTensor))
          return false;
        builder.clone(*op, mapping);
        return true;
      });
}

/// Arguments hold the same elements in the same order.
bool UnitInserter::addArguments(func::FuncOp into) {
  Block *block = into.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  auto specs = function->getAttrOfType<ArrayAttr>(kInputsAttrName);
  SmallVector<Attribute> changed;
  for (auto [from, to, text] :
       llvm::zip_equal(function.getArguments(), block->getArguments(), specs)) {
    mapping.map(from, to);
    auto spec = DataSpec::parse(cast<StringAttr>(text).getValue());
    if (!spec) {
      llvm::consumeError(spec.takeError());
      return false;
    }
    if (from.getType() != to.getType()) {
      // That many of each index of the first dimension.
      if (spec->most >= 0)
        return false;
      spec->shape.insert(isFirst ? spec->shape.begin() : spec->shape.end(), 1);
      if (!spec->block.empty())
        spec->block.insert(isFirst ? spec->block.begin() : spec->block.end(),
                           1);
    }
    changed.push_back(builder.getStringAttr(spec->print()));
  }
  into->setAttr(kInputsAttrName, builder.getArrayAttr(changed));
  if (Attribute words = function->getAttr(kPipelineAttrName))
    into->setAttr(kPipelineAttrName, words);
  return true;
}

OwningOpRef<ModuleOp> UnitInserter::run(std::string &why) {
  Block &block = function.getBody().front();
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  SmallVector<Type> arguments, results;
  for (BlockArgument argument : function.getArguments())
    arguments.push_back(isOnlyPattern(argument) ? argument.getType()
                                                : getType(argument.getType()));
  for (Type type : function.getResultTypes())
    results.push_back(getType(type));
  builder.setInsertionPointToEnd(module->getBody());
  auto into =
      func::FuncOp::create(builder, function.getLoc(), function.getName(),
                           builder.getFunctionType(arguments, results));
  if (!addArguments(into)) {
    why = "an argument";
    return nullptr;
  }
  for (Operation &op : block.without_terminator())
    if (!visit(&op)) {
      why = op.getName().getStringRef().str();
      return nullptr;
    }
  builder.clone(*block.getTerminator(), mapping);
  return module;
}

OwningOpRef<ModuleOp>
mlir::pit::fuzz::insertUnit(ModuleOp program, bool isFirst, std::string &why) {
  auto function = program.lookupSymbol<func::FuncOp>("main");
  return UnitInserter(function, isFirst).run(why);
}
