//===- ReportPage.h - What the compiler did, as one page --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SUPPORT_REPORTPAGE_H
#define PIT_SUPPORT_REPORTPAGE_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::pit {

/// The version of docs/report.schema.json.
inline constexpr int64_t kReportVersion = 1;

/// Writes a page that shows the report and needs nothing else: no other file,
/// no network. What the report has as text stays text.
void writeReportPage(llvm::raw_ostream &os, const llvm::json::Object &report);

/// Writes the report as a page, or as JSON if the path ends so. Returns false
/// with a message where the file cannot be written.
bool writeReport(llvm::StringRef path, const llvm::json::Object &report,
                 std::string &error);

/// Whether a path is that of a report, and not of a text.
inline bool isReportPath(llvm::StringRef path) {
  return path.ends_with(".html") || path.ends_with(".json");
}

} // namespace mlir::pit

#endif // PIT_SUPPORT_REPORTPAGE_H
