//===- Explain.cpp - What remarks say of a program's ops ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Support/Explain.h"
#include "PIT/Support/Remarks.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Ops and their places
//===----------------------------------------------------------------------===//

/// Ops of the two dialects that are not part of another one's region body.
static bool isExplained(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "linalg" && dialect != "pit")
    return false;
  return !op->hasTrait<OpTrait::IsTerminator>() &&
         op->getName().getStringRef() != "linalg.index";
}

static std::string getFunction(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return function ? SymbolTable::getSymbolName(function).str() : std::string();
}

void Explanation::noteOps(Operation *root) {
  std::lock_guard<std::mutex> lock(mutex);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isExplained(op))
      return;
    Place &place = places[remarks::spell(op->getLoc())];
    place.function = getFunction(op);
    place.ops.push_back(op->getName().getStringRef().str());
  });
}

void Explanation::noteWork(Operation *op, Work work) {
  if (!isExplained(op))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  auto it = places.find(remarks::spell(op->getLoc()));
  // Of several ops at one place, a product says most.
  if (it != places.end() &&
      (!it->second.work ||
       (it->second.work->multiplied.empty() && !work.multiplied.empty())))
    it->second.work = std::move(work);
}

const Explanation::Work *Explanation::findWork(StringRef spelled) const {
  std::lock_guard<std::mutex> lock(mutex);
  for (const auto &[known, place] : places) {
    StringRef rest = known;
    if (place.work && rest.consume_back(spelled) &&
        (rest.empty() || llvm::sys::path::is_separator(rest.back())))
      return &*place.work;
  }
  return nullptr;
}

void Explanation::noteGone(Operation *root, StringRef pass) {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::StringSet<> present;
  root->walk([&](Operation *op) {
    if (isExplained(op))
      present.insert(remarks::spell(op->getLoc()));
  });
  auto function = dyn_cast<FunctionOpInterface>(root);
  StringRef name =
      function ? SymbolTable::getSymbolName(function).getValue() : StringRef();
  for (auto &[spelled, place] : places) {
    if (place.ops.empty() || !place.goneBehind.empty() ||
        present.contains(spelled) || (function && place.function != name))
      continue;
    place.goneBehind = pass.str();
    // What such passes take, they have to speak of.
    place.isMerged = !pass.starts_with("convert-");
  }
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

bool Explanation::Note::isSame(const Note &other) const {
  return mark == other.mark && category == other.category &&
         isCopy == other.isCopy && text == other.text &&
         reasons == other.reasons;
}

/// Whether a kernel, or another op, has taken the ops.
bool Explanation::Place::isTaken() const {
  return llvm::any_of(notes, [](const Note &note) {
    return note.mark == '+' && (note.category == remarks::kKernels ||
                                note.category == remarks::kFusion);
  });
}

/// Whether it is known what became of the ops, or why.
bool Explanation::Place::hasFate() const {
  return isMerged || isTaken() || goneBehind.empty();
}

static char getMark(const remark::detail::Remark &remark) {
  StringRef kind = remark.getRemarkTypeString();
  return kind == "Passed" ? '+' : kind == "Analysis" ? '.' : '-';
}

void Explanation::note(const remark::detail::Remark &remark) {
  std::lock_guard<std::mutex> lock(mutex);
  Note note;
  note.mark = getMark(remark);
  note.category = remark.getCategoryName().str();
  note.name = remark.getRemarkName().str();
  SmallVector<std::string> metrics;
  for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
    StringRef key = arg.key;
    if (key == "Reason")
      note.reasons.push_back(arg.val);
    else if (key == "Suggestion")
      note.suggestions.push_back(arg.val);
    else if (key == "Family")
      note.family = arg.val;
    else if (key == "Copies")
      note.isCopy = arg.val == "true";
    else if (key == "Remark")
      note.text += (note.text.empty() ? "" : " ") + arg.val;
    else if (key != "Op") {
      metrics.push_back((key + " " + arg.val).str());
      note.metrics.emplace_back(key.str(), arg.val);
    }
  }
  if (note.name == "alternative")
    for (const auto &[key, value] : note.metrics)
      if (key == "Version")
        versions.insert(value);
  if (versions.contains(remark.getFunction())) {
    // What is found in the function itself is not said again.
    if (note.mark == '.')
      return;
    note.text = "of short inputs" + (note.text.empty() ? "" : ": " + note.text);
  }
  metrics.insert(metrics.begin(), {note.family, note.text});
  llvm::erase_if(metrics, [](const std::string &part) { return part.empty(); });
  note.text = llvm::join(metrics, ", ");
  Place &place = places[remarks::spell(remark.getLocation())];
  if (place.function.empty())
    place.function = remark.getFunction().str();
  for (Note &known : place.notes)
    if (known.isSame(note)) {
      ++known.count;
      return;
    }
  place.notes.push_back(std::move(note));
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void Explanation::print(raw_ostream &os, const Note &note) const {
  constexpr size_t kWidth = 10;
  StringRef stage = note.category;
  stage.consume_front("pit-");
  // Where a person looks at it, what was done and what was not stand out.
  bool isColoured = os.has_colors() && !std::getenv("NO_COLOR");
  os << "  ";
  if (isColoured && note.mark != '.')
    os.changeColor(note.mark == '+' ? raw_ostream::GREEN : raw_ostream::YELLOW);
  os << note.mark << ' ' << stage;
  if (isColoured && note.mark != '.')
    os.resetColor();
  os.indent(kWidth - std::min(kWidth - 1, stage.size()));
  os << note.text;
  if (note.count > 1)
    os << " (" << note.count << " times)";
  os << '\n';
  for (StringRef reason : note.reasons)
    os.indent(4 + kWidth) << "because " << reason << '\n';
  for (StringRef suggestion : note.suggestions)
    os.indent(4 + kWidth) << "to change it: " << suggestion << '\n';
}

void Explanation::print(raw_ostream &os, const Work &work) const {
  constexpr double kMicroseconds = 1000;
  os << "  . work      ";
  if (!work.multiplied.empty())
    os << work.flopsText << " of " << work.multiplied << ", ";
  os << (work.bytesText.empty() ? "unknown bytes" : work.bytesText);
  if (work.bound)
    os << "; bound " << llvm::format("%.3f", *work.bound * kMicroseconds)
       << " us by " << (work.isBoundByProducts ? "products" : "memory")
       << " of " << machine;
  os << '\n';
}

unsigned Explanation::getNumUnexplained() const {
  unsigned number = 0;
  for (const auto &[spelled, place] : places)
    if (!place.hasFate())
      number += place.ops.size();
  return number;
}

void Explanation::printKernels(raw_ostream &os, StringRef prefix,
                               unsigned most) const {
  std::lock_guard<std::mutex> lock(mutex);
  unsigned numProducts = 0;
  for (const auto &[spelled, place] : places) {
    if (place.ops.empty())
      continue;
    SmallVector<StringRef> families, reasons;
    for (const Note &note : place.notes) {
      if (note.category != remarks::kKernels || note.isCopy)
        continue;
      if (note.mark == '+')
        families.push_back(note.text);
      for (StringRef reason : note.reasons)
        if (!llvm::is_contained(reasons, reason))
          reasons.push_back(reason);
    }
    bool isProduct = llvm::any_of(families, [](StringRef family) {
      return family.contains("GEMM") || family.contains("MM of");
    });
    if (!isProduct && reasons.empty())
      continue;
    if (++numProducts > most)
      continue;
    os << prefix << spelled << ' ';
    llvm::interleaveComma(place.ops, os);
    os << ": " << llvm::join(families, "; ") << '\n';
    for (StringRef reason : reasons)
      os << prefix << "  because " << reason << '\n';
  }
  if (numProducts > most)
    os << prefix << "kernels of " << numProducts - most << " more products\n";
}

bool Explanation::wasDone(StringRef place, StringRef name) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = places.find(place.str());
  return it != places.end() &&
         llvm::any_of(it->second.notes, [&](const Note &note) {
           return note.mark == '+' && note.name == name;
         });
}

SmallVector<StringRef> Explanation::getFamilies(StringRef spelled) const {
  SmallVector<StringRef> families;
  auto it = places.find(spelled.str());
  if (it != places.end())
    for (const Note &note : it->second.notes)
      if (!note.family.empty() && !note.isCopy)
        families.push_back(note.family);
  return families;
}

void Explanation::print(raw_ostream &os) const {
  std::lock_guard<std::mutex> lock(mutex);
  // Nothing was parsed.
  if (places.empty())
    return;
  auto printPlace = [&](StringRef spelled, const Place &place) {
    os << spelled << ' ';
    if (place.ops.empty())
      os << "made by passes";
    else
      llvm::interleaveComma(place.ops, os);
    if (!place.function.empty() && place.function.front() != '<')
      os << " in @" << place.function;
    os << '\n';
    // What is merged moves no memory of its own.
    bool isItsOwn = llvm::any_of(place.notes, [](const Note &note) {
      return note.mark == '+' && note.category == remarks::kKernels;
    });
    if (place.work && (isItsOwn || place.goneBehind.empty() ||
                       !place.work->multiplied.empty()))
      print(os, *place.work);
    // Data on their way to a kernel say little where there is one.
    bool hasWork = llvm::any_of(place.notes, [](const Note &note) {
      return !note.isCopy && !note.family.empty();
    });
    for (const Note &note : place.notes)
      if (!note.isCopy || !hasWork)
        print(os, note);
    if (place.ops.empty())
      return;
    if (!place.hasFate())
      os << "  ? no remark says what became of it behind '" << place.goneBehind
         << "'\n";
    else if (place.goneBehind.empty())
      os << "  = stays     for passes that come later\n";
    else if (!place.isTaken())
      os << "  + merged    into other ops, or unread, behind '"
         << place.goneBehind << "'\n";
  };
  // The program's ops come first, in their order.
  unsigned numOps = 0;
  for (const auto &[spelled, place] : places)
    if (!place.ops.empty()) {
      printPlace(spelled, place);
      numOps += place.ops.size();
    }
  for (const auto &[spelled, place] : places)
    if (place.ops.empty())
      printPlace(spelled, place);
  unsigned unexplained = 0;
  for (const auto &[spelled, place] : places)
    if (!place.hasFate())
      unexplained += place.ops.size();
  os << numOps << " ops, " << unexplained << " unexplained\n";
}

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

namespace {

class ExplanationStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  ExplanationStreamer(std::shared_ptr<Explanation> explanation,
                      std::function<void(const Explanation &)> done)
      : explanation(std::move(explanation)), done(std::move(done)) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    explanation->note(remark);
  }
  void finalize() override {
    if (done)
      done(*explanation);
  }

private:
  std::shared_ptr<Explanation> explanation;
  std::function<void(const Explanation &)> done;
};

/// Sees which ops there are before the first pass and behind each.
class ExplanationInstrumentation : public PassInstrumentation {
public:
  explicit ExplanationInstrumentation(std::shared_ptr<Explanation> explanation)
      : explanation(std::move(explanation)) {}

  void runBeforePass(Pass *, Operation *op) override {
    if (std::exchange(hasStarted, true))
      return;
    while (Operation *parent = op->getParentOp())
      op = parent;
    explanation->noteOps(op);
    explanation->noteLevel(op, "");
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    // Adaptors, which run others, have no argument.
    if (pass->getArgument().empty())
      return;
    explanation->noteGone(op, pass->getArgument());
    explanation->noteLevel(op, pass->getArgument());
  }

private:
  std::shared_ptr<Explanation> explanation;
  bool hasStarted = false;
};

} // namespace

void mlir::pit::explainPasses(PassManager &passes,
                              std::shared_ptr<Explanation> explanation,
                              std::function<void(const Explanation &)> done) {
  std::string all = "pit-.*";
  remark::RemarkCategories categories{all, all, all, all, all};
  (void)remark::enableOptimizationRemarks(
      *passes.getContext(),
      std::make_unique<ExplanationStreamer>(explanation, std::move(done)),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
  passes.addInstrumentation(
      std::make_unique<ExplanationInstrumentation>(std::move(explanation)));
}
