//===- DrawCalls.cpp - Ways in which arguments do not fit -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrongArguments/Calls.h"

using namespace mlir;
using namespace mlir::pit::fuzz;
using ::pit::run::Random;

namespace {

/// Changes one call at a time.
class CallDrawer {
public:
  CallDrawer(func::FuncOp function, bool hasEntryPoint, Random &random)
      : function(function), hasEntryPoint(hasEntryPoint), random(random) {}

  /// Changes the call in one way. False where it has nothing of that kind.
  bool change(Call &call);

private:
  /// The extents of an argument that may be changed.
  SmallVector<size_t> listDims(unsigned argument);
  bool isNumber(unsigned argument) {
    return function.getArgument(argument).getType().isIndex();
  }
  bool changeExtent(Call &call);
  bool changeTogether(Call &call);
  bool changeNumber(Call &call);
  bool changeElements(Call &call);
  bool changeRank(Call &call);

  int64_t pick(std::initializer_list<int64_t> list) {
    return *(list.begin() + random.integer(0, int64_t(list.size())));
  }
  std::optional<unsigned> pickArgument(llvm::function_ref<bool(unsigned)> fits);

  func::FuncOp function;
  bool hasEntryPoint;
  Random &random;
};

} // namespace

std::optional<unsigned>
CallDrawer::pickArgument(llvm::function_ref<bool(unsigned)> fits) {
  SmallVector<unsigned> fitting;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (fits(i))
      fitting.push_back(i);
  if (fitting.empty())
    return std::nullopt;
  return fitting[size_t(random.integer(0, int64_t(fitting.size())))];
}

/// Static extents are given by callers of entry points alone.
SmallVector<size_t> CallDrawer::listDims(unsigned argument) {
  SmallVector<size_t> dims;
  auto type =
      dyn_cast<RankedTensorType>(function.getArgument(argument).getType());
  for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
    if (hasEntryPoint || type.isDynamicDim(unsigned(dim)))
      dims.push_back(size_t(dim));
  return dims;
}

static std::string name(const char *what, unsigned argument, int64_t before,
                        int64_t after) {
  return std::string(what) + " of argument " + std::to_string(argument) +
         " is " + std::to_string(after) + " instead of " +
         std::to_string(before);
}

bool CallDrawer::changeExtent(Call &call) {
  auto argument =
      pickArgument([&](unsigned i) { return !listDims(i).empty(); });
  if (!argument)
    return false;
  SmallVector<size_t> dims = listDims(*argument);
  size_t dim = dims[size_t(random.integer(0, int64_t(dims.size())))];
  std::vector<int64_t> &shape = call.arguments[*argument].shape;
  if (dim >= shape.size())
    return false;
  int64_t before = shape[dim];
  if (before < -(1 << 20) || before > 1 << 20)
    return false;
  int64_t after = pick({before + 1, before + 1, before - 1, before - 1, 0, 1,
                        2 * before, before + 64, before / 2, before + 1000000,
                        int64_t(1) << 32, int64_t(1) << 40, int64_t(1) << 62});
  if (after < 0 || after == before)
    return false;
  shape[dim] = after;
  call.what += name("an extent", *argument, before, after);
  return true;
}

/// All extents and numbers of some value, which are often one extent: what
/// results may fit.
bool CallDrawer::changeTogether(Call &call) {
  auto argument = pickArgument([&](unsigned i) {
    auto type = dyn_cast<RankedTensorType>(function.getArgument(i).getType());
    return isNumber(i) || (type && !type.hasStaticShape());
  });
  if (!argument)
    return false;
  const DataSpec &given = call.arguments[*argument];
  int64_t before = given.lo;
  if (!isNumber(*argument)) {
    if (given.shape.empty())
      return false;
    before =
        given.shape[size_t(random.integer(0, int64_t(given.shape.size())))];
  }
  if (before < -(1 << 20) || before > 1 << 20)
    return false;
  int64_t after = pick({before + 1, before - 1, 2 * before, 0, 1, before + 3});
  if (after < 0 || after == before)
    return false;
  for (auto [i, spec] : llvm::enumerate(call.arguments)) {
    auto type =
        dyn_cast<RankedTensorType>(function.getArgument(unsigned(i)).getType());
    if (isNumber(unsigned(i)) && spec.lo == before)
      spec.lo = after, spec.hi = after + 1;
    for (size_t dim = 0; type && dim < spec.shape.size(); ++dim)
      if (dim < size_t(type.getRank()) && type.isDynamicDim(unsigned(dim)) &&
          spec.shape[dim] == before)
        spec.shape[dim] = after;
  }
  call.what += "all extents of " + std::to_string(before) + " are " +
               std::to_string(after);
  return true;
}

bool CallDrawer::changeNumber(Call &call) {
  auto argument = pickArgument([&](unsigned i) { return isNumber(i); });
  if (!argument)
    return false;
  DataSpec &spec = call.arguments[*argument];
  int64_t before = spec.lo;
  // What was changed already may be as far off as there are numbers.
  constexpr int64_t kFar = int64_t(1) << 61;
  if (before < -kFar || before > kFar)
    return false;
  int64_t after =
      pick({before + 1, before - 1, 0, -1, 2 * before, -before,
            before + 1000000, int64_t(1) << 40, int64_t(1) << 62,
            -(int64_t(1) << 62), std::numeric_limits<int64_t>::min()});
  if (after == before || after == std::numeric_limits<int64_t>::max())
    return false;
  spec.lo = after;
  spec.hi = after + 1;
  call.what += name("the value", *argument, before, after);
  return true;
}

/// Numbers in tensors: lengths outside of their sequence, indexes outside of
/// their tensor, more that is live than a mark says.
bool CallDrawer::changeElements(Call &call) {
  auto argument = pickArgument([&](unsigned i) {
    auto type = dyn_cast<RankedTensorType>(function.getArgument(i).getType());
    return type && (call.arguments[i].most >= 0 ||
                    (type.getElementType().isIntOrIndex() &&
                     !type.getElementType().isInteger(1)));
  });
  if (!argument)
    return false;
  DataSpec &spec = call.arguments[*argument];
  call.hasWrongData = true;
  if (spec.most >= 0 && random.chance(0.8)) {
    spec.most = random.chance(0.5) ? -1 : spec.most + 1;
    spec.live = 1;
    call.what += "more is live in argument " + std::to_string(*argument);
    return true;
  }
  Type type = getElementTypeOrSelf(function.getArgument(*argument).getType());
  int64_t far = type.isInteger(8)    ? 127
                : type.isInteger(32) ? (int64_t(1) << 31) - 1
                                     : int64_t(1) << 62;
  int64_t before = spec.hi;
  int64_t at = pick({before, before, before + 1, -1, -1, far, -far});
  at = std::clamp(at, -far, far);
  spec.lo = at;
  spec.hi = at + 1;
  // Some elements stay what a tensor without any would have.
  spec.live = random.chance(0.5) ? 1 : 0.5;
  spec.dead = "zero";
  call.what += "elements of argument " + std::to_string(*argument) + " are " +
               std::to_string(at);
  return true;
}

bool CallDrawer::changeRank(Call &call) {
  auto argument = pickArgument([&](unsigned i) {
    return hasEntryPoint &&
           isa<RankedTensorType>(function.getArgument(i).getType());
  });
  if (!argument)
    return false;
  DataSpec &spec = call.arguments[*argument];
  if (!spec.shape.empty() && random.chance(0.5))
    spec.shape.pop_back();
  else
    spec.shape.push_back(pick({1, 1, 2, 0}));
  spec.block.clear();
  call.what += "argument " + std::to_string(*argument) + " has rank " +
               std::to_string(spec.shape.size());
  return true;
}

bool CallDrawer::change(Call &call) {
  double choice = random.uniform();
  if (choice < 0.40)
    return changeExtent(call);
  if (choice < 0.65)
    return changeTogether(call);
  if (choice < 0.80)
    return changeNumber(call);
  if (choice < 0.95)
    return changeElements(call);
  return changeRank(call);
}

//===----------------------------------------------------------------------===//
// As an attribute
//===----------------------------------------------------------------------===//

/// Calls per program, one of which is right.
constexpr size_t kCalls = 12;

static bool hasStaticArguments(func::FuncOp function) {
  return llvm::all_of(function.getArgumentTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
}

void mlir::pit::fuzz::addCalls(ModuleOp program, uint64_t seed,
                               const RunOptions &options, Coverage &coverage) {
  auto function = program.lookupSymbol<func::FuncOp>("main");
  auto texts = function->getAttrOfType<ArrayAttr>(kInputsAttrName);
  if (!texts)
    return;
  // A stream of its own, as other choices have.
  Random random(seed * 2 + 1);
  bool hasEntryPoint = !options.chip.empty();
  if (!hasEntryPoint && (random.chance(0.5) || hasStaticArguments(function))) {
    hasEntryPoint = true;
    addPipelineOptions(program, "entry-points=true");
    ++coverage["entry point"];
  }
  Call right;
  for (auto text : texts.getAsRange<StringAttr>()) {
    auto spec = DataSpec::parse(text.getValue());
    if (!spec)
      return llvm::consumeError(spec.takeError());
    right.arguments.push_back(*spec);
  }
  CallDrawer drawer(function, hasEntryPoint, random);
  std::vector<Call> calls{right};
  calls[0].what = "as it is";
  for (unsigned tries = 0; calls.size() < kCalls && tries < 80; ++tries) {
    Call call = right;
    if (!drawer.change(call))
      continue;
    if (random.chance(0.15)) {
      call.what += ", ";
      if (!drawer.change(call))
        call.what += "and nothing more";
    }
    calls.push_back(std::move(call));
  }
  Builder builder(program.getContext());
  SmallVector<Attribute> list;
  for (const Call &call : calls) {
    SmallVector<Attribute> words{
        builder.getStringAttr((call.hasWrongData ? "data: " : "") + call.what)};
    for (const DataSpec &spec : call.arguments)
      words.push_back(builder.getStringAttr(spec.print()));
    list.push_back(builder.getArrayAttr(words));
  }
  function->setAttr(kCallsAttrName, builder.getArrayAttr(list));
}

llvm::Expected<std::vector<Call>>
mlir::pit::fuzz::readCalls(func::FuncOp function) {
  auto list = function->getAttrOfType<ArrayAttr>(kCallsAttrName);
  if (!list)
    return llvm::createStringError("'" + function.getName() +
                                   "' has no attribute '" + kCallsAttrName +
                                   "' with the calls to make");
  std::vector<Call> calls;
  for (Attribute entry : list) {
    auto words = dyn_cast<ArrayAttr>(entry);
    if (!words || words.size() != function.getNumArguments() + 1 ||
        !llvm::all_of(words, llvm::IsaPred<StringAttr>))
      return llvm::createStringError(
          "a call needs a text of its own and one per argument");
    Call call;
    call.what = cast<StringAttr>(words[0]).getValue().str();
    call.hasWrongData = StringRef(call.what).starts_with("data: ");
    for (Attribute text : words.getValue().drop_front()) {
      auto spec = DataSpec::parse(cast<StringAttr>(text).getValue());
      if (!spec)
        return spec.takeError();
      call.arguments.push_back(*spec);
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

void mlir::pit::fuzz::keepCall(ModuleOp program, size_t number) {
  auto function = program.lookupSymbol<func::FuncOp>("main");
  auto list = function->getAttrOfType<ArrayAttr>(kCallsAttrName);
  if (list && number < list.size())
    function->setAttr(kCallsAttrName,
                      ArrayAttr::get(program.getContext(), list[number]));
}
