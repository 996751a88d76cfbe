//===- pit-tune.cpp - Measures tiles on the card that is there ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Compiles products in many ways, runs and times them, and writes a database by
// which the compiler chooses tiles on this card. What a file has already is not
// measured again.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Tuner.h"

#include "PIT/Selection/FitCard.h"
#include "PIT/Support/ShortHelp.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::tune;
using ::pit::run::CudaDevice;

static constexpr llvm::StringLiteral kHelp =
    R"(Measures tiles of kernels on the card that is there, and writes a database by
which the compiler chooses them.

USAGE: pit-tune [options]

OPTIONS that are used most:
  -o FILE.json        The database; what it has already is not measured again
  --minutes=10        Stop after about so long, with what is there
  --families=NAME,... What to measure: rates, gemm, grouped_gemm
  --product=gemm:MxNxK, --product=grouped_gemm:SEGMENTSxROWSxNxK
                      Measure this one instead of the usual ones

EXAMPLES:
  pit-tune -o my-card.json
  pit-run examples/relu_ffn.mlir --card my-card.json --random=normal --bench=9

--help-all lists all options.
)";

static int fail(llvm::Error error) {
  return fail(llvm::toString(std::move(error)));
}

/// The chip that the options name, or the best one for the device.
static llvm::Expected<const ChipModel *>
findChip(const Options &options, const pit_cuda_device_info &info) {
  const ChipModel *chip = nullptr;
  if (options.chip.empty()) {
    chip = ChipTable::get().findBest(info.major, info.minor);
    if (!chip)
      return llvm::createStringError(
          "no known chip fits '%s' of compute capability %d.%d; --chip names "
          "one",
          info.name, info.major, info.minor);
  } else {
    auto named = ChipTable::get().lookup(options.chip);
    if (!named)
      return named.takeError();
    chip = *named;
  }
  if (!chip->has(ChipFeature::WarpgroupProducts))
    return llvm::createStringError(
        "chip '" + chip->name +
        "' has no wgmma; tiles of its kernels do not follow from measurements");
  return chip;
}

/// What is known of the card without measuring it: by the table of cards, or
/// else by the device and the chip's card.
static llvm::Expected<CardDatabase>
describeCard(const ChipModel &chip, const pit_cuda_device_info &info) {
  const CardModel *known = ChipTable::get().findCard(info.name);
  llvm::Expected<Card> nearest =
      findCard(chip, known ? known->name : StringRef());
  if (!nearest)
    return nearest.takeError();
  if (!nearest->database)
    return llvm::createStringError("chip '" + chip.name +
                                   "' has no database to begin with");
  CardDatabase database = *nearest->database;
  const CardModel &card = known ? *known : *chip.card;
  database.device = info.name;
  database.chip = chip.name.str();
  database.multiprocessors = info.multiprocessors;
  database.l2Bytes = card.l2Bytes;
  database.memory = known
                        ? known->memory
                        : std::max<int64_t>(1, info.memory_bytes / 1000000000);
  database.memoryRate = card.memoryRate;
  database.rates = {};
  database.source = "pit-tune";
  // Those are times of another card, or of other tilings.
  database.gemm.products.clear();
  database.grouped.products.clear();
  return database;
}

static std::string getDefaultOutput(StringRef device) {
  const CardModel *known = ChipTable::get().findCard(device);
  std::string name = known ? known->name.str() : device.lower();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '-';
  return name + ".json";
}

/// The file's database, if it is there, else an empty one of the card.
static llvm::Expected<CardDatabase> begin(Options &options,
                                          const ChipModel &chip,
                                          const pit_cuda_device_info &info) {
  if (options.output.empty())
    options.output = getDefaultOutput(info.name);
  if (!llvm::sys::fs::exists(options.output))
    return describeCard(chip, info);
  llvm::Expected<CardDatabase> database = CardDatabase::read(options.output);
  if (!database)
    return database.takeError();
  if (database->device != info.name || database->chip != chip.name)
    return llvm::createStringError(
        options.output + ": it is of " + database->device + ", chip '" +
        database->chip + "', and not of " + info.name + ", chip '" +
        chip.name.str() + "'; -o names another file");
  return database;
}

/// How good choices are where a product was measured, and where it was not.
static void reportQuality(const CardDatabase &database) {
  using Named = std::pair<const char *, const TunedFamily *>;
  for (auto [name, family] : {Named("gemm", &database.gemm),
                              Named("grouped_gemm", &database.grouped)}) {
    if (family->products.empty())
      continue;
    ChoiceQuality own = rateChoices(database, *family, *family, false),
                  other = rateChoices(database, *family, *family, true);
    llvm::errs() << llvm::formatv(
        "pit-tune: {0}: {1} products; tiles that are chosen take {2:F3} times "
        "the fastest ones', {3:F3} at most; each as if it had not been "
        "measured, {4:F3} and {5:F3}\n",
        name, own.products, own.mean, own.worst, other.mean, other.worst);
  }
}

static llvm::Error tuneCard(Options &options) {
  std::string why;
  std::unique_ptr<CudaDevice> device = CudaDevice::open(why);
  if (!device)
    return llvm::createStringError("there is nothing to measure: " + why);
  const pit_cuda_device_info &info = device->getInfo();
  llvm::Expected<const ChipModel *> chip = findChip(options, info);
  if (!chip)
    return chip.takeError();
  llvm::Expected<CardDatabase> database = begin(options, **chip, info);
  if (!database)
    return database.takeError();
  Tuner tuner(options, *database, **chip, *device);
  // Whether the file can be written, before anything takes long.
  if (llvm::Error error = tuner.write())
    return error;
  if (llvm::Error error = tuner.run())
    return error;
  reportQuality(*database);
  llvm::errs() << "pit-tune: wrote '" << options.output << "'\n";
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  if (mlir::pit::printShortHelp(argc, argv, kHelp))
    return 0;
  llvm::InitLLVM init(argc, argv);
  std::optional<Options> options = parseOptions(argc, argv);
  if (!options)
    return 1;
  if (llvm::Error error = tuneCard(*options))
    return fail(std::move(error));
  return 0;
}
