//===- Annihilators.cpp - What bodies hold at absent values ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "ScalarValues.h"

#include "PIT/Analysis/RegionAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <chrono>
#include <map>
#include <optional>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::proofs;

namespace {

constexpr unsigned kNumInputs = 2;
constexpr unsigned kNumArguments = 3;
constexpr unsigned kAccumulator = 2;
/// Three arguments and the position on a loop.
constexpr unsigned kNumVariables = 4;

enum class Absent { No, Zero, NegInf, Undef };

/// What the analysis is given.
struct Question {
  Absent inputs[kNumInputs] = {Absent::No, Absent::No};
  bool finite = true;

  std::string str() const {
    std::string text;
    for (unsigned i = 0; i < kNumInputs; ++i)
      if (inputs[i] != Absent::No)
        text += (text.empty() ? "%" : ", %") + std::to_string(i) +
                (inputs[i] == Absent::Zero     ? " = 0"
                 : inputs[i] == Absent::NegInf ? " = -inf"
                                               : " undef");
    return text + (finite ? "" : ", not finite");
  }
};

class AnnihilatorChecker {
public:
  AnnihilatorChecker(Findings &findings, const CheckOptions &options, Type type)
      : findings(findings), options(options), type(type),
        isFloat(isa<FloatType>(type)) {}

  void check(const Body &body);

private:
  using Values = std::array<double, kNumVariables>;

  void ask(const Body &body, Block &block, const Question &question);
  /// Calls `visit` with the values of the variables and of the result, but
  /// where the licences promise nothing.
  void forEachPoint(
      const Body &body, const Question &question, bool dividesByNonZero,
      llvm::function_ref<void(const Values &, const Evaluation &)> visit);
  AbstractScalar getAbstract(Absent absent) const;
  void judge(const Body &body, const Question &question, AbstractScalar claim);
  std::string describe(const Body &body, const Question &question,
                       const AbstractScalar &claim) const;

  Findings &findings;
  const CheckOptions &options;
  Type type;
  bool isFloat;
  uint64_t numAnswers = 0;
};

} // namespace

AbstractScalar AnnihilatorChecker::getAbstract(Absent absent) const {
  if (absent == Absent::Undef)
    return AbstractScalar::getUndef();
  double value =
      absent == Absent::Zero ? 0.0 : -std::numeric_limits<double>::infinity();
  if (isFloat)
    return AbstractScalar::getConstant(
        cast<TypedAttr>(FloatAttr::get(type, value)));
  return AbstractScalar::getConstant(
      cast<TypedAttr>(IntegerAttr::get(type, 0)));
}

std::string AnnihilatorChecker::describe(const Body &body,
                                         const Question &question,
                                         const AbstractScalar &claim) const {
  std::string text = "{ " + body.str() + " } where " + question.str() + ": ";
  llvm::raw_string_ostream os(text);
  claim.print(os);
  return text;
}

void AnnihilatorChecker::check(const Body &body) {
  ++findings.counts["bodies"];
  Block block;
  build(body, block, kNumArguments, type, type.getContext());
  for (bool finite : {true, false}) {
    if (!finite && !isFloat)
      continue;
    Question question;
    question.finite = finite;
    for (Absent first :
         {Absent::No, Absent::Zero, Absent::NegInf, Absent::Undef})
      for (Absent second :
           {Absent::No, Absent::Zero, Absent::NegInf, Absent::Undef}) {
        if (!isFloat && (first == Absent::NegInf || second == Absent::NegInf))
          continue;
        question.inputs[0] = first;
        question.inputs[1] = second;
        ask(body, block, question);
      }
  }
}

void AnnihilatorChecker::ask(const Body &body, Block &block,
                             const Question &question) {
  SmallVector<std::optional<AbstractScalar>> values(kNumInputs);
  for (unsigned i = 0; i < kNumInputs; ++i)
    if (question.inputs[i] != Absent::No)
      values[i] = getAbstract(question.inputs[i]);
  AbstractScalar claim =
      interpretBody(block, kNumInputs, values, question.finite).front();
  ++findings.counts["answers"];
  if (options.fault && ++numAnswers % options.fault == 0)
    claim = AbstractScalar::getAccumulator(0);
  judge(body, question, claim);
}

void AnnihilatorChecker::forEachPoint(
    const Body &body, const Question &question, bool dividesByNonZero,
    llvm::function_ref<void(const Values &, const Evaluation &)> visit) {
  bool used[kNumVariables] = {false, false, false, false};
  auto use = [&](unsigned value) {
    if (value >= body.leaves.size())
      return;
    const Leaf &leaf = body.leaves[value];
    if (leaf.kind == Leaf::Argument)
      used[leaf.number] = true;
    else if (leaf.kind == Leaf::Index)
      used[kNumArguments] = true;
  };
  for (const Node &node : body.nodes)
    for (unsigned i = 0; i < getArity(node.op); ++i)
      use(node.operands[i]);
  use(body.yields[0]);
  // The old value is always there to compare with.
  used[kAccumulator] = true;

  SmallVector<double> domains[kNumVariables];
  for (unsigned i = 0; i < kNumVariables; ++i) {
    if (!used[i])
      domains[i] = {0.0};
    else if (i == kNumArguments)
      domains[i] = {0, 1, 2};
    else if (i < kNumInputs && question.inputs[i] == Absent::Zero)
      domains[i] = {0.0};
    else if (i < kNumInputs && question.inputs[i] == Absent::NegInf)
      domains[i] = {-std::numeric_limits<double>::infinity()};
    else
      llvm::append_range(
          domains[i],
          getDomain(isFloat,
                    question.finite && !(i < kNumInputs &&
                                         question.inputs[i] == Absent::Undef)));
  }
  unsigned position[kNumVariables] = {0, 0, 0, 0};
  while (true) {
    Values values;
    for (unsigned i = 0; i < kNumVariables; ++i)
      values[i] = domains[i][position[i]];
    Evaluation evaluation = evaluate(body, values, isFloat);
    // The sign of a zero is open, and so is what is divided by it.
    bool promised =
        !(question.finite && (evaluation.overflows || evaluation.unlicensed ||
                              evaluation.dividesByZero)) &&
        !(dividesByNonZero && evaluation.dividesByZero);
    if (promised)
      visit(values, evaluation);
    unsigned i = 0;
    while (i < kNumVariables && ++position[i] == domains[i].size())
      position[i++] = 0;
    if (i == kNumVariables)
      return;
  }
}

static bool readsArgument(const Body &body, unsigned argument) {
  auto isIt = [&](unsigned value) {
    return value < body.leaves.size() &&
           body.leaves[value].kind == Leaf::Argument &&
           body.leaves[value].number == argument;
  };
  for (const Node &node : body.nodes)
    for (unsigned i = 0; i < getArity(node.op); ++i)
      if (isIt(node.operands[i]))
        return true;
  return isIt(body.yields[0]);
}

void AnnihilatorChecker::judge(const Body &body, const Question &question,
                               AbstractScalar claim) {
  bool hasUndef = llvm::is_contained(question.inputs, Absent::Undef);
  bool hasAbsent = false;
  for (unsigned i = 0; i < kNumInputs; ++i)
    hasAbsent |= question.inputs[i] != Absent::No && readsArgument(body, i);
  // By the inputs that are not undef, the result, and whether undef inputs have
  // no say in it.
  std::map<Values, std::pair<double, bool>> defined;
  auto getKey = [&](const Values &values) {
    Values key;
    for (unsigned i = 0; i < kNumVariables; ++i)
      key[i] = i < kNumInputs && question.inputs[i] == Absent::Undef
                   ? 0
                   : toKey(values[i]);
    return key;
  };
  bool promised = false, keepsOld = true, constant = true, wrong = false;
  std::optional<double> only;
  std::optional<double> claimed = getNumber(claim.constant);
  forEachPoint(body, question, claim.assumedNonZero.any(),
               [&](const Values &values, const Evaluation &evaluation) {
                 double result = evaluation.result;
                 if (evaluation.undefined) {
                   // So is it for every other value of an undef input.
                   if (hasUndef)
                     defined.try_emplace(getKey(values), result, false)
                         .first->second.second = false;
                   return;
                 }
                 promised = true;
                 keepsOld &= isSame(result, values[kAccumulator]);
                 constant &= isSame(result, only.value_or(result));
                 only = result;
                 if (claim.isAccumulator())
                   wrong |= !isSame(result, values[kAccumulator]);
                 if (claim.isConstant())
                   wrong |= !claimed || !isSame(result, *claimed);
                 // The sign of a zero is open, and that of its reciprocal.
                 if (evaluation.dividesByZero)
                   return;
                 if (!claim.isDepends() && !claim.isUndef())
                   return;
                 auto [it, isNew] =
                     defined.try_emplace(getKey(values), result, true);
                 it->second.second &= isSame(it->second.first, result);
               });
  // What undef inputs leave open may be anything; the rest is a function of
  // what it is said to depend on.
  bool decided = true;
  std::map<Values, double> byDependence;
  for (const auto &[values, result] : defined) {
    decided &= result.second;
    if (!claim.isDepends() || !result.second)
      continue;
    Values key = {0, 0, 0, 0};
    for (unsigned i = 0; i < kNumArguments; ++i)
      if (claim.dependsOn(i))
        key[i] = values[i];
    if (claim.axes.any())
      key[kNumArguments] = values[kNumArguments];
    auto [it, isNew] = byDependence.try_emplace(key, result.first);
    wrong |= !isNew && !isSame(it->second, result.first);
  }
  if (!promised) {
    ++findings.counts["nothing promised"];
    return;
  }
  if (wrong)
    findings.noteWrong(describe(body, question, claim));
  const char *kind = claim.isAccumulator() ? "answered: old value"
                     : claim.isConstant()  ? "answered: constant"
                     : claim.isUndef()     ? "answered: undef"
                                           : "answered: depends";
  ++findings.counts[kind];
  auto note = [&](const std::string &what, const std::string &shape) {
    ++findings.counts[what];
    findings.noteConservative(what + ": " + shape,
                              [&] { return describe(body, question, claim); });
  };
  if (claim.isUndef() && decided)
    note("called undef, but decided", getLastName(body));
  if (!claim.isDepends() || !hasAbsent || hasUndef)
    return;
  if (keepsOld)
    note("keeps the old value, not recognised", getShape(body));
  else if (constant)
    note("constant, not recognised", getLastName(body));
  else
    ++findings.counts["depends: counterexample"];
}

//===----------------------------------------------------------------------===//
// The spaces
//===----------------------------------------------------------------------===//

static Findings checkSpace(StringRef name, StringRef description, Type type,
                           ArrayRef<ScalarOp> ops, ArrayRef<double> constants,
                           const CheckOptions &options) {
  Findings findings;
  findings.space = name.str();
  findings.description = description.str();
  auto start = std::chrono::steady_clock::now();
  BodySpace space;
  space.ops.assign(ops.begin(), ops.end());
  for (unsigned i = 0; i < kNumArguments; ++i)
    space.leaves.push_back({Leaf::Argument, i});
  space.leaves.push_back({Leaf::Index, 0});
  for (double constant : constants)
    space.leaves.push_back({Leaf::Constant, 0, constant});
  AnnihilatorChecker checker(findings, options, type);
  uint64_t count = options.seed;
  for (const Body &body : enumerate(space))
    if (body.nodes.size() < 2 || count++ % options.stride == 0)
      checker.check(body);
  findings.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return findings;
}

void mlir::pit::proofs::checkAnnihilators(bool full,
                                          const CheckOptions &options,
                                          Report report) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<arith::ArithDialect, linalg::LinalgDialect,
                      math::MathDialect>();
  const ScalarOp integerOps[] = {
      ScalarOp::AddI,  ScalarOp::SubI,      ScalarOp::MulI,
      ScalarOp::MaxSI, ScalarOp::MaxUI,     ScalarOp::MinSI,
      ScalarOp::MinUI, ScalarOp::AndI,      ScalarOp::OrI,
      ScalarOp::XOrI,  ScalarOp::DivSI,     ScalarOp::DivUI,
      ScalarOp::RemSI, ScalarOp::CeilDivSI, ScalarOp::FloorDivSI,
      ScalarOp::RemUI, ScalarOp::ShLI,      ScalarOp::ShRSI,
      ScalarOp::ShRUI, ScalarOp::LessSI};
  const ScalarOp floatOps[] = {
      ScalarOp::AddF,     ScalarOp::SubF,     ScalarOp::MulF,
      ScalarOp::DivF,     ScalarOp::MaximumF, ScalarOp::MaxNumF,
      ScalarOp::MinimumF, ScalarOp::MinNumF,  ScalarOp::NegF,
      ScalarOp::AbsF,     ScalarOp::Exp,      ScalarOp::Fma,
      ScalarOp::LessF};
  double inf = std::numeric_limits<double>::infinity();
  CheckOptions slice = options;
  slice.stride = full ? 1 : 97;
  report(checkSpace(
      "annihilators of integers",
      "every body of up to two operations of i3 on two inputs, the old value, "
      "a position, 0 and 1; all values",
      IntegerType::get(&context, 3), integerOps, {0, 1}, slice));
  slice.stride = full ? options.stride : 397;
  report(checkSpace(
      "annihilators of floats",
      "every body of up to two operations of f32 on two inputs, the old value, "
      "a position, 0, 1 and -inf; values of each kind, without `finite` also "
      "infinities, NaN, the largest and the smallest",
      Float32Type::get(&context), floatOps, {0, 1, -inf}, slice));
}
