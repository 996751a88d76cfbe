//===- AddDamage.cpp - Attributes of every kind in every place ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrongMarks/Damage.h"

#include "PIT/Dialect/PIT/IR/PITDialect.h"

using namespace mlir;
using namespace mlir::pit::fuzz;
using ::pit::run::Random;

namespace {

class Damager {
public:
  Damager(ModuleOp program, Random &random)
      : program(program), random(random), builder(program.getContext()) {}

  void run(Coverage &coverage);

private:
  template <typename T> T pick(ArrayRef<T> list) {
    return list[size_t(random.integer(0, int64_t(list.size())))];
  }
  StringRef pickWord(ArrayRef<StringRef> list) { return pick(list); }

  std::string pickName();
  Attribute pickValue(StringRef name, Type type);
  Attribute pickAny();
  /// A mark, of which some field is wrong half of the time.
  Attribute pickMark(Type type);
  Attribute pickField(StringRef key);
  DenseI64ArrayAttr pickNumbers();

  ModuleOp program;
  Random &random;
  Builder builder;
};

} // namespace

/// Names that PITDialect.td declares.
static constexpr StringLiteral kNames[] = {
    "pit.dense",      "pit.dense_variant",  "pit.dense_variant_of",
    "pit.rule",       "pit.rules",          "pit.axes",
    "pit.facts",      "pit.restricted",     "pit.live",
    "pit.checks",     "pit.cleared",        "pit.draw_tiles",
    "pit.plan",       "pit.short_segments", "pit.strips_of_tile",
    "pit.status",     "pit.waits",          "pit.pieces_of_group",
    "pit.waits_last", "pit.entry",          "pit.program",
    "pit.source"};

std::string Damager::pickName() {
  std::string name = "pit.sparse";
  if (random.chance(0.4))
    name = kNames[random.integer(0, int64_t(std::size(kNames)))].str();
  if (random.chance(0.1))
    name.erase(size_t(random.integer(4, int64_t(name.size()))), 1);
  else if (random.chance(0.05))
    name += "s";
  return name == "pit." ? "pit.x" : name;
}

DenseI64ArrayAttr Damager::pickNumbers() {
  SmallVector<int64_t> numbers;
  for (int64_t i = random.integer(0, 4); i > 0; --i)
    numbers.push_back(random.integer(-1, 4));
  return builder.getDenseI64ArrayAttr(numbers);
}

Attribute Damager::pickAny() {
  switch (random.integer(0, 12)) {
  case 0:
    return builder.getUnitAttr();
  case 1:
    return builder.getBoolAttr(random.chance(0.5));
  case 2:
    return builder.getI64IntegerAttr(random.integer(-2, 10));
  case 3:
    return builder.getI32IntegerAttr(1);
  case 4:
    return builder.getF64FloatAttr(random.uniform() * 2);
  case 5:
    return builder.getStringAttr(pickWord({"parallel", "values", "", "x"}));
  case 6:
    return builder.getStrArrayAttr({"parallel", "reduction"});
  case 7:
    return builder.getArrayAttr({});
  case 8:
    return builder.getDictionaryAttr({});
  case 9:
    return FlatSymbolRefAttr::get(program.getContext(),
                                  pickWord({"main", "nothing"}));
  case 10:
    return TypeAttr::get(builder.getF32Type());
  default:
    return pickNumbers();
  }
}

/// Values that the field may have, for the most part.
Attribute Damager::pickField(StringRef key) {
  if (random.chance(0.1))
    return pickAny();
  auto word = [&](ArrayRef<StringRef> list) -> Attribute {
    return builder.getStringAttr(pickWord(list));
  };
  if (key == "source")
    return word({"values", "mask", "lengths", "routing", "blocks", "valuez"});
  if (key == "absent")
    return word({"zero", "neg_inf", "undef", "one"});
  if (key == "pad")
    return word({"left", "right", "both"});
  if (key == "from" && random.chance(0.15))
    return word({"x", "live", ""});
  if (key == "from")
    return builder.getI64IntegerAttr(random.integer(-1, 6));
  if (key == "at_most")
    return builder.getI64IntegerAttr(
        pick<int64_t>({-1, 0, 1, 2, 1000, int64_t(1) << 62}));
  if (key == "live")
    return builder.getF64FloatAttr(pick<double>({-.5, 0., .25, 1., 2.}));
  return pickNumbers();
}

Attribute Damager::pickMark(Type type) {
  NamedAttrList fields;
  auto tensor = dyn_cast_or_null<RankedTensorType>(type);
  if (tensor && tensor.getRank() > 0 && random.chance(0.5)) {
    fields.set("source", builder.getStringAttr("values"));
    SmallVector<int64_t> axes;
    for (int64_t axis = 0; axis < tensor.getRank(); ++axis)
      if (axes.empty() || random.chance(0.5))
        axes.push_back(axis);
    fields.set("axes", builder.getDenseI64ArrayAttr(axes));
    if (random.chance(0.3)) {
      StringRef key = pickWord({"absent", "pad", "granularity", "at_most"});
      fields.set(key, pickField(key));
    }
    return fields.getDictionary(program.getContext());
  }
  for (StringRef key : {"source", "axes"})
    if (random.chance(0.95))
      fields.set(key, pickField(key));
  // What most marks on arguments are.
  if (random.chance(0.5)) {
    SmallVector<int64_t> axes{random.integer(0, 2)};
    fields.set("axes", builder.getDenseI64ArrayAttr(axes));
  }
  auto source = dyn_cast_or_null<StringAttr>(fields.get("source"));
  if (source && source.getValue() != "values" && random.chance(0.9))
    fields.set("from", pickField("from"));
  for (StringRef key : {"absent", "pad", "granularity", "at_most", "live"})
    if (random.chance(0.2))
      fields.set(key, pickField(key));
  if (random.chance(0.05))
    fields.set(pickWord({"sorce", "axis", "atmost", "tile", "from_"}),
               pickAny());
  return fields.getDictionary(program.getContext());
}

Attribute Damager::pickValue(StringRef name, Type type) {
  if (name.starts_with("pit.spars") && random.chance(0.85))
    return pickMark(type);
  if (random.chance(0.4))
    return pickAny();
  auto unit = builder.getUnitAttr();
  auto number = builder.getI64IntegerAttr(random.integer(0, 4));
  return llvm::StringSwitch<Attribute>(name)
      .Cases({"pit.dense", "pit.cleared", "pit.status", "pit.waits",
              "pit.waits_last"},
             unit)
      .Cases({"pit.dense_variant", "pit.draw_tiles", "pit.short_segments"},
             builder.getBoolAttr(random.chance(0.5)))
      .Cases({"pit.dense_variant_of", "pit.rule", "pit.strips_of_tile",
              "pit.pieces_of_group"},
             number)
      .Cases({"pit.axes", "pit.facts"},
             builder.getStrArrayAttr({"parallel", "parallel"}))
      .Cases({"pit.restricted", "pit.source"}, builder.getStringAttr("x"))
      .Case("pit.live", builder.getF64FloatAttr(0.5))
      .Case("pit.checks", FlatSymbolRefAttr::get(program.getContext(), "main"))
      .Default(pickAny());
}

void Damager::run(Coverage &coverage) {
  auto function = program.lookupSymbol<func::FuncOp>("main");
  std::string name = pickName();
  unsigned arguments = function.getNumArguments();
  unsigned results = function.getNumResults();
  SmallVector<Operation *> ops;
  function.getBody().walk([&](Operation *op) { ops.push_back(op); });
  double choice = random.uniform();
  const char *place = "an op";
  if (choice < 0.04) {
    place = "the module";
    program->setAttr(name, pickValue(name, {}));
  } else if (choice < 0.14) {
    place = "a function";
    function->setAttr(name, pickValue(name, {}));
  } else if (choice < 0.5 && arguments) {
    place = "an argument";
    auto number = unsigned(random.integer(0, arguments));
    function.setArgAttr(
        number, name, pickValue(name, function.getArgument(number).getType()));
  } else if (choice < 0.58 && results) {
    place = "a result";
    function.setResultAttr(unsigned(random.integer(0, results)), name,
                           pickValue(name, {}));
  } else {
    auto *op = pick<Operation *>(ops);
    Type type = op->getNumResults() == 1 ? op->getResult(0).getType() : Type();
    op->setDiscardableAttr(name, pickValue(name, type));
  }
  ++coverage[std::string("attribute on ") + place];
  function->setAttr(kDamageAttrName, builder.getStringAttr(name));
}

void mlir::pit::fuzz::addDamage(ModuleOp program, uint64_t seed,
                                Coverage &coverage) {
  // A stream of its own, as other choices have.
  Random random(seed * 2 + 1);
  Damager(program, random).run(coverage);
}
