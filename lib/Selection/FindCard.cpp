//===- FindCard.cpp - The card that an option names -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/CardDatabase.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit;

llvm::Expected<CardDatabase> CardDatabase::read(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  llvm::Expected<CardDatabase> database = parse((*buffer)->getBuffer());
  if (!database)
    return llvm::createStringError(path + ": " +
                                   llvm::toString(database.takeError()));
  return database;
}

/// Whether what was measured on one chip says something of the other's kernels.
static bool hasSameKernels(const ChipModel &a, StringRef name) {
  const ChipModel *b = ChipTable::get().find(name);
  return b && a.capability / 10 == b->capability / 10 &&
         a.features == b->features;
}

/// How unlike two cards are, in what tiles depend on.
static double getDistance(const CardModel &a, const CardDatabase &b) {
  auto getDoublings = [](double x, double y) {
    return std::abs(std::log2(x / y));
  };
  return getDoublings(double(a.multiprocessors), double(b.multiprocessors)) +
         getDoublings(double(a.memoryRate), double(b.memoryRate)) +
         getDoublings(double(a.l2Bytes), double(b.l2Bytes));
}

/// Of those of the chip's kernels, that of the card, or the nearest; null if
/// there is none.
static const CardDatabase *findNearest(const ChipModel &chip,
                                       const CardModel &card,
                                       ArrayRef<CardDatabase> databases) {
  const CardDatabase *nearest = nullptr;
  auto getRank = [&](const CardDatabase &database) {
    return database.device == card.device ? -1. : getDistance(card, database);
  };
  for (const CardDatabase &database : databases)
    if (hasSameKernels(chip, database.chip) &&
        (!nearest || getRank(database) < getRank(*nearest)))
      nearest = &database;
  return nearest;
}

/// The databases of a folder, in the order of their names.
static llvm::Expected<std::vector<std::pair<std::string, CardDatabase>>>
readFolder(StringRef folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator i(folder, error), e; i != e && !error;
       i.increment(error))
    if (StringRef(i->path()).ends_with(".json"))
      files.push_back(i->path());
  if (error)
    return llvm::createStringError(folder + ": " + error.message());
  llvm::sort(files);
  std::vector<std::pair<std::string, CardDatabase>> databases;
  for (const std::string &file : files) {
    llvm::Expected<CardDatabase> database = CardDatabase::read(file);
    if (!database)
      return database.takeError();
    databases.emplace_back(file, std::move(*database));
  }
  return databases;
}

std::string Card::describe() const {
  if (!database || isOwn)
    return "";
  return ("kernels are planned by what was measured on " +
          Twine(database->device) + ", as there is nothing of " + model->device)
      .str();
}

llvm::Expected<Card> mlir::pit::findCard(const ChipModel &chip,
                                         StringRef text) {
  Card card;
  if (text.ends_with(".json")) {
    llvm::Expected<CardDatabase> database = CardDatabase::read(text);
    if (!database)
      return database.takeError();
    if (!hasSameKernels(chip, database->chip))
      return llvm::createStringError(
          text + ": it is of chip '" + database->chip +
          "', whose kernels are not those of '" + chip.name + "'");
    card.database = std::make_shared<CardDatabase>(std::move(*database));
    card.storage = std::make_shared<CardModel>(card.database->getCard());
    card.model = card.storage.get();
    card.isOwn = true;
    return card;
  }
  if (llvm::sys::fs::is_directory(text)) {
    card.model = chip.card;
    auto read = readFolder(text);
    if (!read)
      return read.takeError();
    std::vector<CardDatabase> databases;
    for (auto &[file, database] : *read)
      databases.push_back(std::move(database));
    const CardDatabase *nearest = findNearest(chip, *card.model, databases);
    if (nearest)
      card.database = std::make_shared<CardDatabase>(*nearest);
  } else {
    llvm::Expected<const CardModel *> model =
        ChipTable::get().lookupCard(chip, text);
    if (!model)
      return model.takeError();
    card.model = *model;
  }
  if (!card.database)
    if (const CardDatabase *nearest =
            findNearest(chip, *card.model, CardDatabase::getAll()))
      // Those live as long as the process.
      card.database = {std::shared_ptr<void>(), nearest};
  card.isOwn = card.database && card.database->device == card.model->device;
  return card;
}

std::string mlir::pit::chooseCardText(const ChipModel &chip, StringRef text,
                                      StringRef device) {
  if (llvm::sys::fs::is_directory(text)) {
    if (auto databases = readFolder(text)) {
      for (const auto &[file, database] : *databases)
        if (database.device == device)
          return file;
    } else {
      // Whoever takes the folder says what is wrong in it.
      llvm::consumeError(databases.takeError());
    }
    return text.str();
  }
  if (!text.empty())
    return text.str();
  const CardModel *card = ChipTable::get().findCard(device);
  return card && card->capability == chip.capability ? card->name.str() : "";
}

FailureOr<Card> mlir::pit::lookupTunedCard(const ChipModel &chip,
                                           StringRef text,
                                           MLIRContext *context) {
  llvm::Expected<Card> card = findCard(chip, text);
  if (card)
    return *card;
  return emitError(UnknownLoc::get(context))
         << llvm::toString(card.takeError());
}
