//===- ReportPage.cpp - What the compiler did, as one page ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Support/ReportPage.h"

#include "ReportTemplate.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

/// Writes JSON as the text of a script element, which ends at the first `</`
/// whatever is around it; nothing but strings can hold a `<`.
static void writeInScript(llvm::raw_ostream &os, llvm::StringRef json) {
  while (!json.empty()) {
    size_t end = json.find('<');
    os << json.take_front(end);
    if (end == llvm::StringRef::npos)
      return;
    os << "\\u003c";
    json = json.drop_front(end + 1);
  }
}

void mlir::pit::writeReportPage(llvm::raw_ostream &os,
                                const llvm::json::Object &report) {
  std::string json;
  {
    llvm::raw_string_ostream text(json);
    llvm::json::OStream writer(text);
    writer.object([&] {
      for (const auto &[key, value] : report)
        writer.attribute(key, value);
    });
  }
  os << kReportTemplateHead;
  writeInScript(os, json);
  os << kReportTemplateTail;
}

bool mlir::pit::writeReport(llvm::StringRef path,
                            const llvm::json::Object &report,
                            std::string &error) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code, llvm::sys::fs::OF_Text);
  if (!code) {
    if (path.ends_with(".json"))
      os << llvm::formatv("{0:2}\n",
                          llvm::json::Value(llvm::json::Object(report)));
    else
      writeReportPage(os, report);
    os.close();
    code = os.error();
  }
  if (!code)
    return true;
  os.clear_error();
  error = ("cannot write '" + path + "': " + code.message()).str();
  return false;
}
