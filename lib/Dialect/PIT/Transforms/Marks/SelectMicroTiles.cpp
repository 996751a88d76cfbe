//===- SelectMicroTiles.cpp - Micro-tiles by what they cost ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern of a tensor's own values may be found in micro-tiles of any
// extents: what they cover in vain is zero. Which are the best depends on the
// kernels and on how much is dead.
//
//===----------------------------------------------------------------------===//

#include "MarkedProducts.h"
#include "SelectBlocks.h"

#include "PIT/Dialect/PIT/Analysis/SkippedBlocks.h"
#include "PIT/Dialect/PIT/Transforms/NormalForm.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Selection/CardDatabase.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/Format.h"

#include <cmath>

namespace mlir::pit {
#define GEN_PASS_DEF_PITSELECTMICROTILES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// What a mark comes to: nothing is known of its kernels, some take it as it is
/// now, or the dense product is faster.
enum class Choice { None, Kernels, Dense };

struct PITSelectMicroTiles
    : pit::impl::PITSelectMicroTilesBase<PITSelectMicroTiles> {
  using PITSelectMicroTilesBase::PITSelectMicroTilesBase;

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  const TileDatabase *findTimes(SparseOp op);
  FailureOr<Choice> select(SparseOp op, bool mayBeInBlocks);
  LogicalResult visit(SparseOp op);
  LogicalResult visitInferred(SparseOp op);
  void drop(SparseOp op);
  void tell(SparseOp op, const Twine &choice);
  void setMicroTile(SparseOp op, MicroTile tile, unsigned axisOfRows);

  /// What was read from the file that is named, if one is.
  std::shared_ptr<TileDatabase> ofFile;
  const ChipModel *model = nullptr;
  Card foundCard;
};

} // namespace

/// Of few rows, reading B takes all the time, and what is dead in all of them
/// saves a row of it: one strip that holds them all, whatever is dead together.
static std::optional<MicroTile>
getStripOfFewRows(const KernelCatalog &catalog, MicroTile granularity,
                  ArrayRef<MarkedProduct> products) {
  constexpr int64_t kLeastRows = 16;
  // The rows of A are those of all of them.
  int64_t rows = products.front().shape.m;
  if (rows > kFewRows)
    return std::nullopt;
  MicroTile strip{std::max(kLeastRows, int64_t(llvm::bit_ceil(uint64_t(rows)))),
                  granularity.depth};
  if (!isPacked(strip))
    strip.depth = 1;
  bool isTaken = llvm::all_of(products, [&](const MarkedProduct &product) {
    return !catalog.check(SparseFamily::Packed, product.product, strip);
  });
  return isTaken ? std::optional(strip) : std::nullopt;
}

/// The dense way first, then micro-tiles that all products have a kernel for.
static SmallVector<Price> priceAll(const KernelCatalog &catalog,
                                   const TileDatabase &database,
                                   ArrayRef<MarkedProduct> products,
                                   const PatternStatistics &pattern) {
  auto isPossible = [&](MicroTile tile) {
    return llvm::all_of(products, [&](const MarkedProduct &product) {
      return hasKernelForMicroTiles(catalog, tile, product,
                                    /*otherwise=*/false) &&
             CostModel(database, product.shape).price(tile, pattern);
    });
  };
  SmallVector<Price> sums;
  for (const MarkedProduct &product : products) {
    CostModel model(database, product.shape);
    for (const Price &price : model.priceAll(pattern, isPossible)) {
      Price *sum = llvm::find_if(
          sums, [&](const Price &other) { return other.tile == price.tile; });
      if (sum == sums.end()) {
        sums.push_back(price);
        continue;
      }
      // Each product has a detection of its own.
      sum->index += price.index;
      sum->product += price.product;
    }
  }
  return sums;
}

/// Why zeros that nobody asked for are not looked for: where there are none,
/// products that look must be as fast as dense ones. Empty if they are. The
/// times are of an H200.
static StringRef findLossOfLooking(const TileDatabase &database,
                                   ArrayRef<MarkedProduct> products) {
  constexpr double kLook = .0006, kMostShare = .01; // ms
  double look = 0, dense = 0;
  for (const MarkedProduct &product : products) {
    if (product.shape.m > kFewRows)
      return "of more than 64 rows, or a number that is not known, products "
             "that skip take 8 % longer than dense ones where nothing is zero; "
             "a written mark asks for them";
    look += kLook;
    dense += CostModel(database, product.shape).priceDense(0).getTotal();
  }
  return look > kMostShare * dense
             ? "a look at a sample would take more than 1 % of its products"
             : "";
}

/// Where nothing says how much is dead.
static SmallVector<Price> averagePrices(const KernelCatalog &catalog,
                                        const TileDatabase &database,
                                        ArrayRef<MarkedProduct> products,
                                        MicroTile granularity) {
  SmallVector<Price> sums;
  for (double share : kUnknownDeadShares) {
    SmallVector<Price> prices =
        priceAll(catalog, database, products, {granularity, share});
    if (sums.empty())
      sums.resize(prices.size());
    for (auto [sum, price] : llvm::zip_equal(sums, prices)) {
      sum.tile = price.tile;
      sum.product += std::log(price.getTotal()) / std::size(kUnknownDeadShares);
    }
  }
  for (Price &sum : sums)
    sum.product = std::exp(sum.product);
  return sums;
}

/// The extents of a micro-tile along the axes of what is marked.
static std::array<int64_t, 2> getExtents(MicroTile tile, unsigned axisOfRows) {
  if (axisOfRows == 1)
    return {tile.depth, tile.rows};
  return {tile.rows, tile.depth};
}

static std::string spell(const std::optional<MicroTile> &tile,
                         unsigned axisOfRows) {
  if (!tile)
    return "dense";
  auto [first, second] = getExtents(*tile, axisOfRows);
  return (Twine(first) + "x" + Twine(second)).str();
}

static std::string formatShare(double share) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f %%", 100 * share);
  return text;
}

static std::string describe(const Price &price, unsigned axisOfRows) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << spell(price.tile, axisOfRows)
     << llvm::format(" %.4f ms", price.getTotal());
  if (price.index > 0)
    os << llvm::format(" (index %.4f, ", price.index)
       << formatShare(1 - price.deadShare) << " live)";
  return text;
}

LogicalResult PITSelectMicroTiles::initialize(MLIRContext *context) {
  FailureOr<const ChipModel *> found = lookupChip(chip, context);
  if (failed(found))
    return failure();
  model = *found;
  FailureOr<Card> named = lookupTunedCard(*model, card, context);
  if (failed(named))
    return failure();
  foundCard = *named;
  if (database.empty())
    return success();
  llvm::Expected<TileDatabase> parsed = TileDatabase::read(database);
  if (!parsed)
    return emitError(UnknownLoc::get(context))
           << "pit-select-micro-tiles: " << llvm::toString(parsed.takeError());
  ofFile = std::make_shared<TileDatabase>(std::move(*parsed));
  return success();
}

void PITSelectMicroTiles::setMicroTile(SparseOp op, MicroTile tile,
                                       unsigned axisOfRows) {
  PatternAttr pattern = op.getPattern();
  // It was the share of other blocks.
  op->removeDiscardableAttr(PITDialect::LiveAttrHelper::getNameStr());
  op.setPatternAttr(PatternAttr::get(
      &getContext(), pattern.getKind(), pattern.getAxes(), pattern.getAbsent(),
      pattern.getPad(),
      DenseI64ArrayAttr::get(&getContext(), getExtents(tile, axisOfRows)),
      pattern.getAtMost()));
  ++numSelected;
}

/// Without the mark, everything that reads it is dense.
void PITSelectMicroTiles::drop(SparseOp op) {
  op.replaceAllUsesWith(op.getSource());
  op.erase();
  ++numDense;
}

/// What was measured for products of the mark's elements; null if nothing was.
const TileDatabase *PITSelectMicroTiles::findTimes(SparseOp op) {
  if (ofFile)
    return ofFile.get();
  std::string element = debugString(op.getType().getElementType());
  DatabaseChoice choice = chooseDatabase(*model, *foundCard.model, element);
  std::string source = choice.describe(*model, *foundCard.model, element);
  if (report && !source.empty())
    op.emitRemark() << source
                    << (choice.database ? "" : "; its micro-tiles stay");
  return choice.database;
}

/// Printing is what `report` asks for, whoever collects remarks.
void PITSelectMicroTiles::tell(SparseOp op, const Twine &choice) {
  if (report)
    op.emitRemark(choice);
  if (remarks::areCollected(op))
    remarks::passed(op, remarks::kSelection, "micro-tile") << choice.str();
}

FailureOr<Choice> PITSelectMicroTiles::select(SparseOp op, bool mayBeInBlocks) {
  std::optional<double> deadShare;
  if (FloatAttr live = PITDialect::LiveAttrHelper(&getContext()).getAttr(op))
    deadShare = 1 - live.getValueAsDouble();
  PatternAttr pattern = op.getPattern();
  auto keep = [&](StringRef reason) {
    remarks::missed(op, remarks::kSelection, "micro-tile")
        << (inferred ? "zeros of data are not looked for"
                     : "the mark's micro-tile stays")
        << remarks::reason(reason);
    return Choice::None;
  };
  // Others are found as they are given.
  if (pattern.getKind() != PatternKind::Values)
    return Choice::None;
  if (!marksZerosOfMatrix(op))
    return keep(
        "it is not a pattern of a matrix' own values, absent ones being "
        "zero");
  FailureOr<SmallVector<MarkedProduct>> matched = matchMarkedProducts(op);
  // What is rows of one product is k of another.
  bool haveOneRole =
      succeeded(matched) && !matched->empty() &&
      llvm::all_equal(llvm::map_range(
          *matched, [](const MarkedProduct &p) { return p.axisOfRows; }));
  if (!haveOneRole && mayBeInBlocks &&
      model->has(ChipFeature::WarpgroupProducts) && suitsBlocks(op)) {
    constexpr MicroTile kBlock{kSkippedBlock, kSkippedBlock};
    tell(op, "products read it as rows and as k, as forward and gradients do; "
             "chosen: " +
                 spell(kBlock, /*axisOfRows=*/0));
    setMicroTile(op, kBlock, /*axisOfRows=*/0);
    return Choice::Kernels;
  }
  if (failed(matched) || matched->empty())
    return keep("it is read by others than products that kernels skip in");
  const TileDatabase *data = findTimes(op);
  if (!data)
    return keep(
        "there are no measured times for the chip and the element type");
  ArrayRef<MarkedProduct> products = *matched;
  if (inferred)
    if (StringRef loss = findLossOfLooking(*data, products); !loss.empty())
      return keep(loss);
  if (!haveOneRole)
    return keep("what is rows of one product is k of another");

  const unsigned axisOfRows = products.front().axisOfRows;
  MicroTile granularity{1, 1};
  if (DenseI64ArrayAttr extents = pattern.getTile())
    granularity = {extents[axisOfRows], extents[1 - axisOfRows]};
  const KernelCatalog catalog(*model);
  // What the program asks for stays unless it says more.
  bool isTaken = llvm::all_of(products, [&](const MarkedProduct &product) {
    return hasKernelForMicroTiles(catalog, granularity, product,
                                  /*otherwise=*/true);
  });
  if (!deadShare && isTaken) {
    if (!inferred)
      (void)keep(
          "kernels take it, and 'pit.live' does not say how much is live");
    return Choice::Kernels;
  }
  if (std::optional<MicroTile> strip =
          getStripOfFewRows(catalog, granularity, products)) {
    tell(op, "micro-tiles for " + spell(granularity, axisOfRows) +
                 ", few rows, all of them one strip; chosen: " +
                 spell(*strip, axisOfRows));
    setMicroTile(op, *strip, axisOfRows);
    return Choice::Kernels;
  }
  SmallVector<Price> prices =
      deadShare ? priceAll(catalog, *data, products, {granularity, *deadShare})
                : averagePrices(catalog, *data, products, granularity);
  if (prices.size() == 1)
    return keep("no kernel takes other micro-tiles for all of its products");
  // A kernel that skips has a dense variant; without an expectation, that
  // decides.
  ArrayRef<Price> candidates(prices);
  const Price chosen =
      CostModel::choose(deadShare ? candidates : candidates.drop_front());
  if (report || remarks::areCollected(op)) {
    std::string text;
    llvm::raw_string_ostream remark(text);
    remark << "micro-tiles for " << spell(granularity, axisOfRows) << ", ";
    if (deadShare)
      remark << formatShare(*deadShare) << " dead: ";
    else
      remark << "50 to 99 % dead, mean: ";
    llvm::interleave(
        prices,
        [&](const Price &price) { remark << describe(price, axisOfRows); },
        [&] { remark << ", "; });
    remark << "; chosen: " << spell(chosen.tile, axisOfRows);
    tell(op, text);
  }
  if (!chosen.tile)
    return Choice::Dense;
  setMicroTile(op, *chosen.tile, axisOfRows);
  return Choice::Kernels;
}

/// Marks of `--pit-infer-values` stay where kernels skip, and it pays.
LogicalResult PITSelectMicroTiles::visitInferred(SparseOp op) {
  if (!op->removeDiscardableAttr(kInferredMark))
    return success();
  op->setDiscardableAttr(kKeptMark, UnitAttr::get(&getContext()));
  FailureOr<Choice> choice = select(op, /*mayBeInBlocks=*/false);
  if (failed(choice))
    return failure();
  if (*choice != Choice::Kernels) {
    drop(op);
    return success();
  }
  remarks::passed(op, remarks::kRules, "inferred mark")
      << "found: data says what is zero here, and a sample of it whether that "
         "is skipped";
  return success();
}

LogicalResult PITSelectMicroTiles::visit(SparseOp op) {
  if (inferred)
    return visitInferred(op);
  bool isCleared = bool(
      op->removeDiscardableAttr(PITDialect::ClearedAttrHelper::getNameStr()));
  // Masks of single elements leave no block dead.
  FailureOr<Choice> choice = select(op, /*mayBeInBlocks=*/!isCleared);
  if (succeeded(choice) &&
      (*choice == Choice::Dense || (*choice == Choice::None && isCleared)))
    drop(op);
  return choice;
}

void PITSelectMicroTiles::runOnOperation() {
  WalkResult result = getOperation().walk([&](SparseOp op) {
    return failed(visit(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
