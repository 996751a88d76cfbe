//===- Tuner.cpp - Measures what a database has not yet -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tuner.h"

#include "PIT/InitAllDialects.h"
#include "PIT/Selection/FitCard.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <thread>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::tune;

/// More than the L2 cache has, whose size the driver may not say.
static size_t getFlushBytes(const CardDatabase &database) {
  return size_t(2 * database.l2Bytes);
}

Tuner::Tuner(const Options &options, CardDatabase &database,
             const ChipModel &chip, ::pit::run::CudaDevice &device)
    : options(options), database(database), chip(chip),
      memoryBytes(device.getInfo().memory_bytes),
      bench(device, getFlushBytes(database)),
      start(std::chrono::steady_clock::now()) {
  mlir::pit::registerAllDialects(registry);
}

double Tuner::getSeconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

bool Tuner::isOver() const { return getSeconds() > options.minutes * 60; }

void Tuner::say(const Twine &line) const {
  llvm::errs() << llvm::formatv("pit-tune: [{0,4:F0} s] ", getSeconds()) << line
               << "\n";
}

TunedFamily &Tuner::getFamily(Family family) {
  return family == Family::Grouped ? database.grouped : database.gemm;
}

llvm::Error Tuner::write() const {
  auto file = llvm::sys::fs::TempFile::create(options.output + ".%%%%%%");
  if (!file)
    return llvm::createStringError("cannot write '" + options.output +
                                   "': " + llvm::toString(file.takeError()));
  {
    llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    database.write(os);
    os.flush();
    if (os.has_error()) {
      std::string why = os.error().message();
      os.clear_error();
      llvm::consumeError(file->discard());
      return llvm::createStringError("cannot write '" + options.output +
                                     "': " + why);
    }
  }
  return file->keep(options.output);
}

//===----------------------------------------------------------------------===//
// Rates
//===----------------------------------------------------------------------===//

llvm::Error Tuner::measureRates() {
  constexpr int64_t kColumns = 4096, kMostRows = 32768, kShareOfMemory = 8;
  constexpr int kCalls = 200;
  const int64_t rows = std::clamp<int64_t>(
      memoryBytes / kShareOfMemory / (kColumns * 4), 1, kMostRows);
  auto kernel = Kernel::compile(registry, writeCopy(), chip.name.str());
  if (!kernel)
    return kernel.takeError();
  Memory from, to;
  if (llvm::Error error = from.reserve(size_t(rows * kColumns * 4)))
    return error;
  if (llvm::Error error = to.reserve(size_t(rows * kColumns * 4)))
    return error;
  auto makeTensors = [&](const int64_t *shape) {
    return std::vector<pit_tensor>{
        {from.get(), PIT_DTYPE_F32, 2, shape, nullptr},
        {to.get(), PIT_DTYPE_F32, 2, shape, nullptr}};
  };
  const int64_t all[] = {rows, kColumns}, one[] = {1, kColumns};
  llvm::Expected<std::vector<double>> copy =
      bench.time(kernel->get(), makeTensors(all), options.rounds);
  if (!copy)
    return copy.takeError();
  llvm::Expected<double> launch =
      bench.timeInRow(**kernel, makeTensors(one), kCalls);
  if (!launch)
    return launch.takeError();
  database.rates.copyRate =
      2. * double(rows) * kColumns * 4 / copy->front() / 1e3;
  database.rates.launchMicroseconds = *launch;
  say(llvm::formatv("memory: {0:F0} GB/s; from launch to launch: {1:F2} us",
                    database.rates.copyRate,
                    database.rates.launchMicroseconds));
  return write();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static bool isSame(const MeasuredProduct &measured, const Product &product) {
  return measured.batches == product.batches && measured.m == product.m &&
         measured.n == product.n && measured.k == product.k;
}

bool Tuner::isMeasured(const Product &product) {
  return llvm::any_of(getFamily(product.family).products,
                      [&](const MeasuredProduct &measured) {
                        return isSame(measured, product);
                      });
}

/// All tilings of a site at a time. What has no code for it is null.
llvm::Expected<std::vector<std::unique_ptr<Kernel>>>
Tuner::compile(const Site &site, ArrayRef<pit_tensor> tensors) {
  const std::vector<Tiling> &tilings = getFamily(site.family).tilings;
  std::vector<std::unique_ptr<Kernel>> kernels(tilings.size());
  std::vector<std::string> errors(tilings.size());
  unsigned threads = options.threads
                         ? unsigned(options.threads)
                         : std::max(std::thread::hardware_concurrency(), 1u);
  forEach(tilings.size(), threads, [&](size_t i) {
    auto kernel = Kernel::compile(
        registry, writeProgram(site, tilings[i], chip.getSharedBytes()),
        chip.name.str());
    llvm::Error error =
        kernel ? bench.warmUp(**kernel, tensors) : kernel.takeError();
    if (error)
      errors[i] = llvm::toString(std::move(error));
    else
      kernels[i] = std::move(*kernel);
  });
  for (auto [tiling, error] : llvm::zip_equal(tilings, errors))
    if (!error.empty())
      say(llvm::formatv("tiles of {0} x {1} do not run: {2}", tiling.rows,
                        tiling.columns, error));
  if (llvm::none_of(kernels, [](const auto &kernel) { return bool(kernel); }))
    return llvm::createStringError("no tile runs: " + errors.front());
  return std::move(kernels);
}

/// What a kernel writes into memory where nothing is.
llvm::Error Tuner::checkKernel(const Product &product, Kernel *kernel) {
  auto tensors = bench.bind(product);
  if (!tensors)
    return tensors.takeError();
  auto once = bench.time(kernel, *tensors, 1);
  if (!once)
    return once.takeError();
  if (llvm::Error error = kernel->check(bench.getStream()))
    return error;
  return bench.checkResult(product);
}

llvm::Error Tuner::measureProduct(const Product &product,
                                  ArrayRef<std::unique_ptr<Kernel>> kernels) {
  SmallVector<Kernel *> right;
  std::string wrong;
  for (auto [tiling, kernel] :
       llvm::zip_equal(getFamily(product.family).tilings, kernels)) {
    right.push_back(kernel.get());
    if (!kernel)
      continue;
    llvm::Error error = checkKernel(product, kernel.get());
    if (!error)
      continue;
    // Nobody shall choose it.
    right.back() = nullptr;
    wrong = llvm::formatv("tiles of {0} x {1} compute wrong results: {2}",
                          tiling.rows, tiling.columns,
                          llvm::toString(std::move(error)))
                .str();
    say(wrong);
  }
  if (llvm::none_of(right, [](Kernel *kernel) { return kernel; }))
    return llvm::createStringError("no tile is right: " + wrong);
  auto tensors = bench.bind(product);
  if (!tensors)
    return tensors.takeError();
  auto times = bench.time(right, *tensors, options.rounds);
  if (!times)
    return times.takeError();
  TunedFamily &family = getFamily(product.family);
  llvm::erase_if(family.products, [&](const MeasuredProduct &measured) {
    return isSame(measured, product);
  });
  family.products.push_back(
      {product.batches, product.m, product.n, product.k, *times, {}});
  const MeasuredProduct &measured = family.products.back();
  size_t best =
      size_t(llvm::find(*times, measured.getLeast()) - times->begin());
  const Tiling &tiling = family.tilings[best];
  say(llvm::formatv("{0} {1}x{2}x{3}x{4}: {5:F1} us in tiles of {6} x {7}{8}",
                    getName(product.family), product.batches, product.m,
                    product.n, product.k, measured.getLeast(), tiling.rows,
                    tiling.columns, tiling.swapped ? ", swapped" : ""));
  return write();
}

llvm::Error Tuner::measureSite(const Site &site, ArrayRef<Product> products) {
  if (llvm::Error error = bench.prepare(products))
    return error;
  auto tensors = bench.bind(products.front());
  if (!tensors)
    return tensors.takeError();
  auto kernels = compile(site, *tensors);
  if (!kernels)
    return kernels.takeError();
  for (const Product &product : products) {
    if (isOver())
      break;
    if (llvm::Error error = measureProduct(product, *kernels))
      return error;
  }
  fitCard(database);
  return write();
}

/// Products of one site after each other, in the order of their first ones.
llvm::Error Tuner::measure(Family family) {
  std::vector<Product> open;
  for (const Product &product :
       options.products.empty() ? getProducts(family) : options.products)
    if (product.family == family && (options.again || !isMeasured(product)))
      open.push_back(product);
  // Times of other tilings do not compare.
  if (!open.empty() && getFamily(family).products.empty())
    getFamily(family).tilings = getTilings(family);
  while (!open.empty() && !isOver()) {
    Site site{family, open.front().batches, open.front().n, open.front().k};
    std::vector<Product> mine;
    llvm::copy_if(open, std::back_inserter(mine), [&](const Product &product) {
      return site.hasProduct(product);
    });
    llvm::erase_if(
        open, [&](const Product &product) { return site.hasProduct(product); });
    if (llvm::Error error = measureSite(site, mine))
      return error;
  }
  if (!open.empty())
    say(llvm::formatv("no time is left for {0} products of {1}", open.size(),
                      getName(family)));
  return llvm::Error::success();
}

llvm::Error Tuner::run() {
  for (Family family : options.families) {
    if (family == Family::Rates) {
      if (options.again || database.rates.copyRate == 0)
        if (llvm::Error error = measureRates())
          return error;
      continue;
    }
    if (llvm::Error error = measure(family))
      return error;
  }
  return llvm::Error::success();
}
