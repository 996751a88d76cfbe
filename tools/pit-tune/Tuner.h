//===- Tuner.h - Measures what a database has not yet -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_TUNE_TUNER_H
#define PIT_TOOLS_PIT_TUNE_TUNER_H

#include "Bench.h"

#include <chrono>

namespace mlir::pit::tune {

/// Measures, and writes the database after every product, so that what is
/// there is kept when the tool is stopped.
class Tuner {
public:
  Tuner(const Options &options, CardDatabase &database, const ChipModel &chip,
        ::pit::run::CudaDevice &device);

  /// All that the options ask for, as far as there is time.
  llvm::Error run();
  /// Writes the file.
  llvm::Error write() const;

private:
  TunedFamily &getFamily(Family family);
  bool isMeasured(const Product &product);
  bool isOver() const;
  double getSeconds() const;
  void say(const Twine &line) const;

  llvm::Error measureRates();
  llvm::Error measure(Family family);
  llvm::Error measureSite(const Site &site, ArrayRef<Product> products);
  llvm::Expected<std::vector<std::unique_ptr<Kernel>>>
  compile(const Site &site, ArrayRef<pit_tensor> tensors);
  llvm::Error checkKernel(const Product &product, Kernel *kernel);
  llvm::Error measureProduct(const Product &product,
                             ArrayRef<std::unique_ptr<Kernel>> kernels);

  const Options &options;
  CardDatabase &database;
  const ChipModel &chip;
  DialectRegistry registry;
  /// Of the device.
  int64_t memoryBytes;
  Bench bench;
  std::chrono::steady_clock::time_point start;
};

} // namespace mlir::pit::tune

#endif // PIT_TOOLS_PIT_TUNE_TUNER_H
