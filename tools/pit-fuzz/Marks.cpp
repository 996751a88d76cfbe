//===- Marks.cpp - Where the sparsity of a program comes from -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "PIT/Dialect/PIT/IR/PITDialect.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

SmallVector<int64_t> ProgramBuilder::pickTile(ArrayRef<unsigned> dims) {
  SmallVector<int64_t> tile;
  for (unsigned dim : dims)
    tile.push_back(
        pick({int64_t(1), int64_t(1), int64_t(2), int64_t(3), int64_t(4),
              int64_t(8), std::max<int64_t>(extentOf(dim), 1)}));
  return tile;
}

Value ProgramBuilder::nonZeroNumbers(ArrayRef<unsigned> dims, DataSpec spec) {
  Type types[] = {builder.getI64Type(),      builder.getI32Type(),
                  builder.getIntegerType(8), builder.getF32Type(),
                  builder.getF64Type(),      builder.getBF16Type()};
  Type type = types[sourceRandom.integer(0, int64_t(std::size(types)))];
  spec.hi = 3;
  if (spec.lo == 0 && sourceRandom.chance(0.5))
    spec.lo = -2;
  if (isa<FloatType>(type) && sourceRandom.chance(0.3))
    spec.dead = "signed_zero";
  count("source of numbers");
  Operand numbers = addArgument(dims, type, spec);
  AffineMap identity = builder.getMultiDimIdentityMap(unsigned(dims.size()));
  Value destination = empty(dims, builder.getI1Type());
  Value zero = constant(type, 0);
  Value live =
      linalg::GenericOp::create(
          builder, loc, TypeRange(destination.getType()), numbers.value,
          destination, ArrayRef<AffineMap>{identity, identity},
          SmallVector<utils::IteratorType>(dims.size(),
                                           utils::IteratorType::parallel),
          [&](OpBuilder &b, Location loc, ValueRange args) {
            Value differs;
            if (isa<FloatType>(type))
              differs = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE,
                                              args[0], zero);
            else
              differs = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                              args[0], zero);
            linalg::YieldOp::create(b, loc, differs);
          })
          .getResult(0);
  numbersOf[live] = cast<BlockArgument>(numbers.value);
  return live;
}

/// Whether an op that may be named computes `by` in front of `producer`, or at
/// all where that is null.
static bool isInFront(Value by, Operation *producer) {
  Operation *source = by ? by.getDefiningOp() : nullptr;
  if (!source || source->getNumResults() != 1 ||
      !isa<func::FuncOp>(source->getParentOp()))
    return false;
  return !producer || (source->getBlock() == producer->getBlock() &&
                       source->isBeforeInBlock(producer));
}

bool ProgramBuilder::canBeAttribute(Value by, Operation *producer) const {
  return !by || isa<BlockArgument>(by) || numbersOf.contains(by) ||
         isInFront(by, producer);
}

/// A pattern that is there already, or one with a new argument.
const ProgramBuilder::Pattern &
ProgramBuilder::patternOver(PatternKind kind, ArrayRef<unsigned> dims) {
  SmallVector<const Pattern *> fitting;
  for (const Pattern &pattern : patterns)
    if (pattern.kind == kind && pattern.dims == Dims(dims))
      fitting.push_back(&pattern);
  if (!fitting.empty() && chance(0.7)) {
    count("shared pattern");
    return *pick(fitting);
  }

  Pattern pattern{kind, Dims(dims), {}, {}, 0};
  Type type = builder.getI1Type();
  DataSpec spec;
  spec.hi = 2;
  spec.live = pick({0.0, 0.05, 0.25, 0.5, 0.8, 1.0});
  if (chance(0.5) && kind != PatternKind::Lengths)
    for (size_t i = 0; i < dims.size(); ++i)
      spec.block.push_back(pick<int64_t>({1, 2, 4, 64}));
  spec.lo = chance(0.5);
  if (kind == PatternKind::Lengths) {
    type = pick({builder.getI64Type(), builder.getI32Type()});
    spec = DataSpec();
    spec.hi = extentOf(dims[1]) + 1;
    if (chance(0.3)) {
      spec.live = 0.6;
    } else if (chance(0.2)) {
      spec.lo = extentOf(dims[1]);
    }
  } else if (kind == PatternKind::Routing) {
    type = chance(0.8) ? element : Type(builder.getI32Type());
    spec.hi = 4;
    if (chance(0.2))
      spec.dead = "signed_zero";
  }
  if (kind != PatternKind::Lengths &&
      (kind == PatternKind::Blocks || chance(0.4)))
    pattern.tile = pickTile(dims);

  Dims byDims(dims);
  if (kind == PatternKind::Lengths)
    byDims.resize(1);
  if (kind == PatternKind::Blocks)
    for (auto [dim, tile] : llvm::zip_equal(byDims, pattern.tile))
      dim = addExtent(llvm::divideCeil(extentOf(dim), tile), isDynamic(dim));
  bool isBounded = pattern.tile.empty() && dims.size() > 1 &&
                   kind != PatternKind::Lengths && chance(0.15);
  if (isBounded)
    pattern.atMost = spec.most = random.integer(1, 4);

  // A pattern may be computed, too.
  if (kind == PatternKind::Routing && !isBounded)
    for (const Operand &operand : pool)
      if (operand.dims == byDims && operand.element == type && chance(0.5)) {
        count("computed pattern");
        pattern.by = operand.value;
      }
  bool isTruth = kind == PatternKind::Mask || kind == PatternKind::Blocks;
  if (isTruth && sourceRandom.chance(0.25))
    pattern.by = nonZeroNumbers(byDims, spec);
  if (!pattern.by) {
    Operand argument = addArgument(byDims, type, spec);
    pattern.by = argument.value;
    if (kind == PatternKind::Routing)
      pool.push_back(argument);
    // Others may read the bits as data.
    else if (kind == PatternKind::Mask && chance(0.5))
      pool.push_back(argument);
  }
  if (kind == PatternKind::Mask && !isBounded && chance(0.2)) {
    // The mask's complement, computed.
    count("computed pattern");
    AffineMap identity =
        builder.getMultiDimIdentityMap(unsigned(byDims.size()));
    Value destination = empty(byDims, type);
    pattern.by =
        linalg::GenericOp::create(
            builder, loc, TypeRange(destination.getType()), pattern.by,
            destination, ArrayRef<AffineMap>{identity, identity},
            SmallVector<utils::IteratorType>(byDims.size(),
                                             utils::IteratorType::parallel),
            [](OpBuilder &b, Location loc, ValueRange args) {
              Value one =
                  arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
              Value flipped = arith::XOrIOp::create(b, loc, args[0], one);
              linalg::YieldOp::create(b, loc, flipped);
            })
            .getResult(0);
  }
  patterns.push_back(pattern);
  return patterns.back();
}

DictionaryAttr ProgramBuilder::markAttribute(SparseOp mark, bool isNamed) {
  PatternAttr pattern = mark.getPattern();
  NamedAttrList fields;
  auto set = [&](StringRef key, StringRef value) {
    fields.set(key, builder.getStringAttr(value));
  };
  set("source", stringifyPatternKind(pattern.getKind()));
  set("absent", stringifyAbsent(pattern.getAbsent()));
  set("pad", stringifyPadding(pattern.getPad()));
  fields.set("axes", pattern.getAxes());
  if (pattern.getTile())
    fields.set("granularity", pattern.getTile());
  auto by = dyn_cast_or_null<BlockArgument>(mark.getBy());
  if (BlockArgument numbers = numbersOf.lookup(mark.getBy());
      numbers && (sourceRandom.chance(0.7) || !isNamed)) {
    count("mark reads numbers");
    by = numbers;
  }
  if (by) {
    fields.set("from", builder.getI64IntegerAttr(by.getArgNumber()));
  } else if (mark.getBy()) {
    // By a name, which several marks may use.
    count("mark reads a named source");
    StringRef key = mlir::pit::PITDialect::SourceAttrHelper::getNameStr();
    Operation *source = mark.getBy().getDefiningOp();
    auto name = source->getAttrOfType<StringAttr>(key);
    if (!name)
      name = builder.getStringAttr("source" + std::to_string(numSources++));
    source->setAttr(key, name);
    fields.set("from", name);
  }
  if (pattern.getAtMost())
    fields.set("at_most", builder.getI64IntegerAttr(pattern.getAtMost()));
  return fields.getDictionary(builder.getContext());
}

std::optional<Operand> ProgramBuilder::markBy(const Operand &operand,
                                              PatternKind kind) {
  size_t rank = operand.dims.size();
  if (rank == 0)
    return std::nullopt;
  size_t numAxes = kind == PatternKind::Lengths
                       ? 2
                       : size_t(random.integer(1, int64_t(rank) + 1));
  if (rank < numAxes)
    return std::nullopt;
  if (kind == PatternKind::Values && chance(0.5))
    numAxes = rank;
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, int64_t(rank)));
  shuffle(axes);
  axes.resize(numAxes);
  if (chance(0.85))
    llvm::sort(axes);
  Dims dims;
  for (int64_t axis : axes)
    dims.push_back(operand.dims[size_t(axis)]);

  Absent absent = Absent::Zero;
  if (isa<FloatType>(operand.element) && chance(0.25))
    absent = Absent::NegInf;
  else if (kind != PatternKind::Values && chance(0.2))
    absent = Absent::Undef;
  if (writesMarks)
    return writeMark(operand, kind, axes, absent);
  Padding pad = chance(0.3) ? Padding::Left : Padding::Right;

  Pattern pattern{kind, dims, {}, {}, 0};
  auto argument = dyn_cast<BlockArgument>(operand.value);
  if (kind != PatternKind::Values)
    pattern = patternOver(kind, dims);
  else if (chance(0.5))
    pattern.tile = pickTile(dims);
  // What makes a program is what its marks say: they are never untrue here.
  if (kind == PatternKind::Values && argument && pattern.tile.empty() &&
      numAxes == rank && rank > 1 && absent == Absent::Zero &&
      llvm::is_sorted(axes) && chance(0.15)) {
    unsigned number = argument.getArgNumber();
    auto text = cast<StringAttr>(specs[number]);
    auto spec = llvm::cantFail(DataSpec::parse(text));
    pattern.atMost = spec.most = random.integer(1, 4);
    specs[number] = builder.getStringAttr(spec.print());
  }

  count(("source " + stringifyPatternKind(kind)).str());
  count(("absent " + stringifyAbsent(absent)).str());
  count(pattern.tile.empty() ? "micro-tile of one" : "wider micro-tile");
  if (pattern.atMost)
    count("at_most");
  count("pattern rank " + std::to_string(numAxes));

  DenseI64ArrayAttr axesAttr = builder.getDenseI64ArrayAttr(axes), tile;
  if (!pattern.tile.empty())
    tile = builder.getDenseI64ArrayAttr(pattern.tile);

  // As an attribute where the pattern is an argument's, or in front.
  auto by = dyn_cast_or_null<BlockArgument>(pattern.by);
  Operation *producer = operand.value.getDefiningOp();
  bool isFresh =
      operand.value.use_empty() &&
      (argument
           ? argument != by
           : producer && producer->getNumResults() == 1 &&
                 !producer->hasAttr(
                     mlir::pit::PITDialect::SparseAttrHelper::getNameStr()) &&
                 !producer->hasAttr(
                     mlir::pit::PITDialect::SourceAttrHelper::getNameStr()));
  // The entry function's own arguments are marked when it is complete.
  bool isAttribute = false;
  if (isFresh && !argument && canBeAttribute(pattern.by, producer) &&
      chance(0.4)) {
    count("mark as attribute");
    isAttribute = true;
  }
  auto attribute = PatternAttr::get(builder.getContext(), kind, axesAttr,
                                    absent, pad, tile, pattern.atMost);
  auto result = SparseOp::create(builder, loc, operand.value.getType(),
                                 operand.value, pattern.by, attribute);
  if (isAttribute) {
    producer->setAttr(mlir::pit::PITDialect::SparseAttrHelper::getNameStr(),
                      markAttribute(result, isInFront(pattern.by, producer)));
    result.erase();
    return operand;
  }
  return Operand{result, operand.dims, operand.element, operand.magnitude};
}

std::optional<Operand> ProgramBuilder::mark(const Operand &operand) {
  PatternKind kind =
      pick({PatternKind::Values, PatternKind::Values, PatternKind::Mask,
            PatternKind::Lengths, PatternKind::Routing, PatternKind::Blocks});
  return markBy(operand, kind);
}
