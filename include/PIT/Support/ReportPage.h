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

/// Writes an HTML page that shows the report. The page needs no other file and
/// no network. Text of the report is never interpreted as HTML.
void writeReportPage(llvm::raw_ostream &os, const llvm::json::Object &report);

/// Writes the report as JSON if the path ends in ".json", otherwise as a page.
/// Returns false and sets `error` if the file cannot be written.
bool writeReport(llvm::StringRef path, const llvm::json::Object &report,
                 std::string &error);

/// Whether the path names a page or JSON, rather than a text file.
inline bool isReportPath(llvm::StringRef path) {
  return path.ends_with(".html") || path.ends_with(".json");
}

} // namespace mlir::pit

#endif // PIT_SUPPORT_REPORTPAGE_H
