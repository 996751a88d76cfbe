//===- ExplainJSON.cpp - Remarks of ops, and the levels, as JSON ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Support/Explain.h"
#include "PIT/Support/Remarks.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

namespace {
struct Level {
  StringLiteral name;
  /// What takes a program there; the last of them counts.
  SmallVector<StringLiteral, 3> passes;
};
} // namespace

static ArrayRef<Level> getLevels() {
  static const Level levels[] = {
      {"program", {""}},
      {"rules", {"convert-linalg-to-pit"}},
      {"tiles", {"pit-tile-rules", "pit-fuse-tiles", "pit-fuse-rows"}},
      {"kernels", {"pit-plan-kernels"}},
  };
  return levels;
}

/// All places that a location names, as remarks spell them.
static void collectPlaces(Location loc, SmallVectorImpl<std::string> &places) {
  loc->walk([&](Location part) {
    if (isa<FileLineColLoc>(part)) {
      std::string place = remarks::spell(part);
      if (!llvm::is_contained(places, place))
        places.push_back(std::move(place));
    }
    return WalkResult::advance();
  });
}

void Explanation::noteLevel(Operation *root, StringRef pass) {
  if (!hasLevels)
    return;
  ArrayRef<Level> all = getLevels();
  const Level *level = llvm::find_if(all, [&](const Level &candidate) {
    return llvm::is_contained(candidate.passes, pass);
  });
  if (level == all.end())
    return;
  // Weights are as long as the rest of a model.
  constexpr int64_t kMostElements = 16;
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(kMostElements)
      .elideLargeResourceString(kMostElements)
      .useLocalScope();
  AsmState::LocationMap lines;
  LevelText text;
  {
    AsmState state(root, flags, &lines);
    llvm::raw_string_ostream os(text.text);
    root->print(os, state);
  }
  std::lock_guard<std::mutex> lock(mutex);
  for (auto [op, position] : lines) {
    SmallVector<std::string> found;
    collectPlaces(op->getLoc(), found);
    for (std::string &place : found)
      // Which places there are in the end, other threads may find later.
      if (position.first > 0)
        text.places.emplace_back(position.first - 1, std::move(place));
  }
  llvm::sort(text.places);
  text.places.erase(llvm::unique(text.places), text.places.end());
  auto function = dyn_cast<FunctionOpInterface>(root);
  levels[level - all.begin()]
        [function ? SymbolTable::getSymbolName(function).str() : ""] =
            std::move(text);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

template <typename Range> static llvm::json::Array toArray(const Range &texts) {
  llvm::json::Array array;
  for (const std::string &text : texts)
    array.push_back(llvm::json::fixUTF8(text));
  return array;
}

static llvm::json::Object toJSON(const Explanation::Work &work) {
  llvm::json::Object object{{"bytes_text", work.bytesText}};
  if (work.bytes)
    object["bytes"] = *work.bytes;
  if (!work.multiplied.empty()) {
    object["flops_text"] = work.flopsText;
    object["multiplies"] = work.multiplied;
    if (work.flops)
      object["flops"] = *work.flops;
  }
  if (work.bound) {
    object["bound_ms"] = *work.bound;
    object["bound_by"] = work.isBoundByProducts ? "products" : "memory";
  }
  return object;
}

llvm::json::Object Explanation::toJSON() const {
  std::lock_guard<std::mutex> lock(mutex);
  using llvm::json::fixUTF8;
  llvm::json::Array ops;
  llvm::StringMap<int64_t> numbers;
  for (const auto &[spelled, place] : places) {
    llvm::json::Array notes;
    for (const Note &note : place.notes) {
      StringRef stage = note.category;
      stage.consume_front("pit-");
      llvm::json::Object metrics;
      for (const auto &[key, value] : note.metrics)
        metrics[fixUTF8(key)] = fixUTF8(value);
      notes.push_back(llvm::json::Object{
          {"kind", note.mark == '+'   ? "done"
                   : note.mark == '-' ? "missed"
                                      : "found"},
          {"stage", stage.str()},
          {"text", fixUTF8(note.text)},
          {"family", fixUTF8(note.family)},
          {"metrics", std::move(metrics)},
          {"reasons", toArray(note.reasons)},
          {"suggestions", toArray(note.suggestions)},
          {"copy", note.isCopy},
          {"count", int64_t(note.count)},
      });
    }
    StringRef fate = place.ops.empty()          ? "made"
                     : !place.hasFate()         ? "unexplained"
                     : place.goneBehind.empty() ? "stays"
                     : place.isTaken()          ? "kernel"
                                                : "merged";
    numbers[spelled] = int64_t(ops.size());
    llvm::json::Object entry{
        {"place", fixUTF8(spelled)},
        {"function", fixUTF8(place.function)},
        {"ops", toArray(place.ops)},
        {"fate", fate.str()},
        {"gone_behind", fixUTF8(place.goneBehind)},
        {"notes", std::move(notes)},
    };
    if (place.work)
      entry["work"] = ::toJSON(*place.work);
    ops.push_back(std::move(entry));
  }
  llvm::json::Array texts;
  for (const auto &[number, functions] : levels) {
    std::string text;
    llvm::json::Array links;
    int64_t first = 0;
    for (const auto &[name, function] : functions) {
      for (const auto &[line, place] : function.places)
        if (auto it = numbers.find(place); it != numbers.end())
          links.push_back(llvm::json::Array{first + line, it->second});
      text += function.text;
      if (!StringRef(text).ends_with("\n"))
        text += '\n';
      first = int64_t(StringRef(text).count('\n'));
    }
    texts.push_back(llvm::json::Object{
        {"name", getLevels()[number].name.str()},
        {"text", fixUTF8(text)},
        {"links", std::move(links)},
    });
  }
  llvm::json::Object report{{"ops", std::move(ops)},
                            {"levels", std::move(texts)}};
  if (!machine.empty())
    report["bounds_of"] = fixUTF8(machine);
  return report;
}
