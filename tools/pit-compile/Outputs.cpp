//===- Outputs.cpp - Files that appear together ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outputs.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

#include <sys/stat.h>

using namespace mlir::pit::compile;
namespace fs = llvm::sys::fs;

static llvm::Error cannotWrite(const std::string &path, std::error_code error) {
  return llvm::createStringError("cannot write '" + path +
                                 "': " + error.message());
}

Outputs::~Outputs() {
  for (const File &file : files) {
    fs::remove(file.temporary);
    llvm::sys::DontRemoveFileOnSignal(file.temporary);
  }
}

llvm::Expected<std::string> Outputs::stage(const std::string &path, bool keep) {
  if (fs::is_directory(path))
    return cannotWrite(path, std::make_error_code(std::errc::is_a_directory));
  llvm::SmallString<128> temporary;
  int descriptor;
  if (std::error_code error =
          fs::createUniqueFile(path + ".%%%%%%%%.tmp", descriptor, temporary,
                               fs::OF_None, fs::all_read | fs::all_write))
    return cannotWrite(path, error);
  fs::file_t handle = fs::convertFDToNativeFile(descriptor);
  fs::closeFile(handle);
  files.push_back({temporary.str().str(), keep ? path : ""});
  llvm::sys::RemoveFileOnSignal(temporary);
  return files.back().temporary;
}

llvm::Error
Outputs::stageText(const std::string &path,
                   llvm::function_ref<void(llvm::raw_ostream &)> write) {
  auto temporary = stage(path);
  if (!temporary)
    return temporary.takeError();
  std::error_code error;
  llvm::raw_fd_ostream file(*temporary, error, fs::OF_Text);
  if (error)
    return cannotWrite(path, error);
  write(file);
  file.close();
  if (!file.has_error())
    return llvm::Error::success();
  error = file.error();
  file.clear_error();
  return cannotWrite(path, error);
}

llvm::Error Outputs::commit() {
  std::vector<std::string> renamed;
  for (File &file : files) {
    if (file.path.empty())
      continue;
    if (std::error_code error = fs::rename(file.temporary, file.path)) {
      for (const std::string &path : renamed)
        fs::remove(path);
      return cannotWrite(file.path, error);
    }
    renamed.push_back(file.path);
  }
  return llvm::Error::success();
}
