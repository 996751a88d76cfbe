//===- DeclaredAttributes.cpp - Where which may stand ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of type and value allow what the dialect's description allows.
//
//===----------------------------------------------------------------------===//

#include "DeclaredAttributes.h"

#include "PIT/Dialect/PIT/IR/Marks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static bool isOp(const Subject &subject) {
  return !subject.argument && !isa<FunctionOpInterface, ModuleOp>(subject.op);
}

static bool isOpWithResults(const Subject &subject) {
  return isOp(subject) && subject.op->getNumResults() > 0;
}

static bool isStructured(const Subject &subject) {
  return isOp(subject) &&
         (isa<linalg::LinalgOp>(subject.op) ||
          isa_and_present<linalg::LinalgDialect>(subject.op->getDialect()));
}

static bool isStructuredOnBuffers(const Subject &subject) {
  auto structured =
      subject.argument ? nullptr : dyn_cast<linalg::LinalgOp>(subject.op);
  return structured && structured.hasPureBufferSemantics();
}

static bool isIterated(const Subject &subject) {
  return isStructured(subject) || isa<GenericOp>(subject.op);
}

static bool isRuleOrTiled(const Subject &subject) {
  return isIterated(subject) || isa<TiledOp, ContractOp>(subject.op);
}

/// A product of which C has all elements.
static bool isWholeProduct(const Subject &subject) {
  auto contract = dyn_cast<ContractOp>(subject.op);
  return contract && contract.isOnBuffers() &&
         (contract.getDomain() == ContractDomain::Dense ||
          contract.hasBatches());
}

/// What kernels are made of: the one becomes the other.
static bool isTiledOrContract(const Subject &subject) {
  return isa<TiledOp, ContractOp>(subject.op);
}

static bool isMark(const Subject &subject) { return isa<SparseOp>(subject.op); }

static bool isMarkByValues(const Subject &subject) {
  auto mark = dyn_cast<SparseOp>(subject.op);
  return mark && mark.getPattern().getKind() == PatternKind::Values;
}

static bool isModule(const Subject &subject) {
  return isa<ModuleOp>(subject.op);
}

static bool isFunction(const Subject &subject) {
  return !subject.argument && isa<FunctionOpInterface>(subject.op);
}

static bool isArgument(const Subject &subject) {
  return subject.argument.has_value();
}

static bool isOfKernel(Operation *op) {
  return isa_and_present<gpu::GPUModuleOp>(op->getParentOp());
}

static bool isKernel(const Subject &subject) {
  return isFunction(subject) && isOfKernel(subject.op);
}

static bool isArgumentOfKernel(const Subject &subject) {
  return isArgument(subject) && isOfKernel(subject.op);
}

static bool isArgumentOrOp(const Subject &subject) {
  return isArgument(subject) || isOp(subject);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static LogicalResult verifyUnit(const Subject &subject) {
  if (isa<UnitAttr>(subject.getValue()))
    return success();
  return subject.refuse("a unit attribute");
}

static LogicalResult verifyBool(const Subject &subject) {
  if (isa<BoolAttr>(subject.getValue()))
    return success();
  return subject.refuse("true or false");
}

static LogicalResult verifyString(const Subject &subject) {
  if (isa<StringAttr>(subject.getValue()))
    return success();
  return subject.refuse("a string");
}

static bool areStrings(ArrayAttr array) {
  return array && llvm::all_of(array, llvm::IsaPred<StringAttr>);
}

static LogicalResult verifyStrings(const Subject &subject) {
  if (areStrings(dyn_cast<ArrayAttr>(subject.getValue())))
    return success();
  return subject.refuse("an array of strings");
}

/// Whether it is an i64 or index from `least` to `most`.
static bool isInteger(Attribute attr, int64_t least,
                      int64_t most = std::numeric_limits<int64_t>::max()) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attr);
  if (!integer || (!integer.getType().isSignlessInteger(64) &&
                   !integer.getType().isIndex()))
    return false;
  return integer.getInt() >= least && integer.getInt() <= most;
}

static LogicalResult verifyNumber(const Subject &subject) {
  if (isInteger(subject.getValue(), 0))
    return success();
  return subject.refuse("an i64 of 0 or more");
}

static LogicalResult verifyStrips(const Subject &subject) {
  if (isInteger(subject.getValue(), 1, 8))
    return success();
  return subject.refuse("an i64 of 1 to 8");
}

static LogicalResult verifyPieces(const Subject &subject) {
  if (isInteger(subject.getValue(), 1, 2))
    return success();
  return subject.refuse("1 or 2, an i64");
}

/// Whole rows are computed in groups; a fill and other reductions are kernels
/// of their own.
static LogicalResult verifyPlan(const Subject &subject) {
  auto plan = dyn_cast<RowPlanAttr>(subject.getValue());
  bool isFill = isa<linalg::FillOp>(subject.op);
  bool fits = plan && (isFill ? plan.getFamily() == RowFamily::Fill
                              : plan.getFamily() == RowFamily::Reduce ||
                                    ((plan.getFamily() == RowFamily::RowWise ||
                                      plan.getFamily() == RowFamily::Windows ||
                                      plan.getFamily() == RowFamily::Scan) &&
                                     plan.getGroup() >= 0));
  if (fits)
    return success();
  return subject.refuse(isFill ? "a #pit.row_plan of the family 'fill'"
                               : "a #pit.row_plan of the family 'reduce', or "
                                 "of 'row_wise', 'windows' or 'scan' with a "
                                 "group");
}

/// Of which the host launches one (function multiversioning).
static LogicalResult verifyVersion(const Subject &subject) {
  auto version = dyn_cast<DictionaryAttr>(subject.getValue());
  auto alignment =
      version ? version.getAs<StringAttr>("alignment") : StringAttr();
  auto expected = version ? version.getAs<DenseI64ArrayAttr>("expected")
                          : DenseI64ArrayAttr();
  constexpr int64_t kExtents = 4;
  if (alignment &&
      llvm::is_contained({"any", "aligned", "unaligned"},
                         alignment.getValue()) &&
      isInteger(version.get("least"), 0) && isInteger(version.get("most"), 0) &&
      expected && expected.size() == kExtents &&
      llvm::all_of(expected.asArrayRef(),
                   [](int64_t extent) { return extent > 0; }))
    return success();
  return subject.refuse(
      "a dictionary with 'alignment', \"any\", \"aligned\" or "
      "\"unaligned\", i64 of 0 or more 'least' and 'most', "
      "and 'expected', an array of four positive i64");
}

static LogicalResult verifyShare(const Subject &subject) {
  if (readShare(subject.getValue()))
    return success();
  return subject.refuse("a share, a float of 0 to 1");
}

static LogicalResult verifyMark(const Subject &subject) {
  auto emitError = [&] { return subject.emitError(); };
  if (subject.argument)
    return readMark(subject.getValue(), subject.getArgumentType(),
                    cast<FunctionOpInterface>(subject.op), emitError);
  if (subject.op->getNumResults() != 1)
    return emitError() << "has " << subject.op->getNumResults()
                       << " results; 'pit.sparse' marks an op with one";
  return readMark(subject.getValue(), subject.op->getResult(0).getType(),
                  subject.op->getParentOfType<FunctionOpInterface>(),
                  emitError);
}

static LogicalResult verifySource(const Subject &subject) {
  return verifySourceNames(subject.op, subject.getValue(),
                           [&] { return subject.emitError(); });
}

static LogicalResult verifyAxes(const Subject &subject) {
  auto axes = dyn_cast<ArrayAttr>(subject.getValue());
  auto isKnown = [](Attribute attr) {
    StringRef text = cast<StringAttr>(attr).getValue();
    return text == "parallel" || text == "reduction" ||
           text.starts_with("refused: ");
  };
  if (!areStrings(axes) || !llvm::all_of(axes, isKnown))
    return subject.refuse("an array of \"parallel\", \"reduction\" and "
                          "\"refused: <reason>\"");
  size_t count = axes.size();
  if (auto structured = dyn_cast<linalg::LinalgOp>(subject.op))
    count = structured.getNumLoops();
  else if (auto generic = dyn_cast<GenericOp>(subject.op))
    count = generic.getIteratorTypesArray().size();
  if (axes.size() == count)
    return success();
  return subject.emitError()
         << "'" << subject.getName() << "' has " << axes.size()
         << " entries for " << count << " iteration axes";
}

static LogicalResult verifyRules(const Subject &subject) {
  auto isRule = [](Attribute attr) {
    auto facts = dyn_cast<DictionaryAttr>(attr);
    return facts && isInteger(facts.get("id"), 0) &&
           isInteger(facts.get("pattern"), 0);
  };
  auto rules = dyn_cast<ArrayAttr>(subject.getValue());
  if (rules && llvm::all_of(rules, isRule))
    return success();
  return subject.refuse("an array of dictionaries with integers 'id' and "
                        "'pattern'");
}

static LogicalResult verifyStatus(const Subject &subject) {
  // Lowering to LLVM takes buffers apart, and leaves the attribute on all
  // parts.
  if (failed(verifyUnit(subject)))
    return failure();
  if (isa<LLVM::LLVMFuncOp>(subject.op))
    return success();
  auto type = dyn_cast<MemRefType>(subject.getArgumentType());
  if (!type || type.getShape() != ArrayRef<int64_t>{4} ||
      !type.getElementType().isSignlessInteger(64))
    return subject.emitError()
           << "'" << subject.getName() << "' stands on a memref<4xi64>, not on "
           << subject.getArgumentType();
  auto function = cast<FunctionOpInterface>(subject.op);
  for (unsigned other = 0; other < *subject.argument; ++other)
    if (function.getArgAttr(other, subject.getName()))
      return subject.emitError()
             << "a function has one status buffer, and argument " << other
             << " is it";
  return success();
}

static LogicalResult verifyWaitsLast(const Subject &subject) {
  if (failed(verifyUnit(subject)))
    return failure();
  if (subject.getArgumentType().isSignlessInteger(32))
    return success();
  return subject.emitError()
         << "'" << subject.getName() << "' stands on an i32, not on "
         << subject.getArgumentType();
}

/// The function is verified where it is used: it may be gone already, or be
/// made later.
static LogicalResult verifyChecks(const Subject &subject) {
  if (isa<FlatSymbolRefAttr>(subject.getValue()))
    return success();
  return subject.refuse("the symbol of a function");
}

static LogicalResult verifyEntry(const Subject &subject) {
  auto entry = dyn_cast<DictionaryAttr>(subject.getValue());
  auto type = entry ? entry.getAs<TypeAttr>("type") : TypeAttr();
  if (type && isa<FunctionType>(type.getValue()) &&
      entry.getAs<StringAttr>("name"))
    return success();
  return subject.emitError() << "has a malformed '" << subject.getName()
                             << "': expected a name and a function's type";
}

static LogicalResult verifyProgram(const Subject &subject) {
  auto program = dyn_cast<DictionaryAttr>(subject.getValue());
  auto target = program ? program.getAs<StringAttr>("target") : StringAttr();
  if (target && llvm::is_contained({"cpu", "cuda"}, target.getValue()) &&
      program.getAs<StringAttr>("chip"))
    return success();
  return subject.refuse("a dictionary with 'target', \"cpu\" or \"cuda\", and "
                        "'chip', a string");
}

static LogicalResult verifySplits(const Subject &subject) {
  auto splits = dyn_cast<DictionaryAttr>(subject.getValue());
  if (splits && areStrings(splits.getAs<ArrayAttr>("inputs")) &&
      areStrings(splits.getAs<ArrayAttr>("results")))
    return success();
  return subject.refuse("a dictionary with 'inputs' and 'results', arrays of "
                        "strings");
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static constexpr Declared kDeclared[] = {
    {PITDialect::AxesAttrHelper::getNameStr(),
     "a structured op or a pit.generic", isIterated, verifyAxes},
    {PITDialect::ChecksAttrHelper::getNameStr(), "a function", isFunction,
     verifyChecks, /*hasMeaning=*/true},
    {PITDialect::ClearedAttrHelper::getNameStr(), "a pit.sparse by values",
     isMarkByValues, verifyUnit},
    {PITDialect::DenseAttrHelper::getNameStr(), "an op in a function", isOp,
     verifyUnit},
    {PITDialect::DenseVariantAttrHelper::getNameStr(),
     "a structured op, a pit.generic, a pit.tiled or a pit.contract",
     isRuleOrTiled, verifyBool},
    {PITDialect::DenseVariantOfAttrHelper::getNameStr(), "a structured op",
     isStructured, verifyNumber},
    {PITDialect::DrawTilesAttrHelper::getNameStr(),
     "a pit.tiled or a pit.contract", isTiledOrContract, verifyBool},
    {PITDialect::EntryAttrHelper::getNameStr(), "a function", isFunction,
     verifyEntry, /*hasMeaning=*/true},
    {PITDialect::FactsAttrHelper::getNameStr(), "an op in a function", isOp,
     verifyStrings},
    {PITDialect::InPlaceAttrHelper::getNameStr(), "an op in a function", isOp,
     verifyUnit},
    {PITDialect::LiveAttrHelper::getNameStr(), "a pit.sparse", isMark,
     verifyShare},
    {PITDialect::PhasesAttrHelper::getNameStr(), "a module", isModule,
     verifyString},
    {PITDialect::PiecesOfGroupAttrHelper::getNameStr(),
     "a pit.tiled or a pit.contract", isTiledOrContract, verifyPieces},
    {PITDialect::PlanAttrHelper::getNameStr(), "a structured op on buffers",
     isStructuredOnBuffers, verifyPlan},
    {PITDialect::ProgramAttrHelper::getNameStr(), "a module", isModule,
     verifyProgram, /*hasMeaning=*/true},
    {PITDialect::RestrictedAttrHelper::getNameStr(), "an op in a function",
     isOp, verifyString},
    {PITDialect::RuleAttrHelper::getNameStr(), "a structured op", isStructured,
     verifyNumber},
    {PITDialect::RulesAttrHelper::getNameStr(), "a function", isFunction,
     verifyRules},
    {PITDialect::ShortSegmentsAttrHelper::getNameStr(),
     "a pit.tiled or a pit.contract", isTiledOrContract, verifyBool},
    {PITDialect::SourceAttrHelper::getNameStr(),
     "an op with ranked tensors as results", isOpWithResults, verifySource,
     /*hasMeaning=*/true},
    {PITDialect::SplitsAttrHelper::getNameStr(), "a function", isFunction,
     verifySplits},
    {PITDialect::SparseAttrHelper::getNameStr(),
     "an argument of a function, or an op with one tensor as result",
     isArgumentOrOp, verifyMark, /*hasMeaning=*/true},
    {PITDialect::StatusAttrHelper::getNameStr(), "an argument of a function",
     isArgument, verifyStatus, /*hasMeaning=*/true},
    {PITDialect::StripsOfTileAttrHelper::getNameStr(),
     "a pit.tiled or a pit.contract", isTiledOrContract, verifyStrips},
    {"pit.version",
     "a pit.contract of whole buffers, in the domain 'dense' or 'batches'",
     isWholeProduct, verifyVersion},
    {PITDialect::WaitsAttrHelper::getNameStr(), "a function of a gpu.module",
     isKernel, verifyUnit, /*hasMeaning=*/true},
    {PITDialect::WaitsLastAttrHelper::getNameStr(),
     "an argument of a function of a gpu.module", isArgumentOfKernel,
     verifyWaitsLast, /*hasMeaning=*/true},
};

ArrayRef<Declared> mlir::pit::getDeclaredAttributes() { return kDeclared; }

const Declared *mlir::pit::findDeclared(StringRef name) {
  const Declared *found = llvm::find_if(
      kDeclared, [&](const Declared &entry) { return entry.name == name; });
  return found == std::end(kDeclared) ? nullptr : found;
}
