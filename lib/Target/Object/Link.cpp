//===- Link.cpp - Shared objects of object files --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/Object/Object.h"

#include "llvm/Support/EndianStream.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::pit;

static std::string findLinker(StringRef wanted) {
  if (!wanted.empty()) {
    auto found = llvm::sys::findProgramByName(wanted);
    return found && llvm::sys::fs::can_execute(*found) ? *found : "";
  }
  for (StringRef name : {"cc", "gcc", "clang"})
    if (auto found = llvm::sys::findProgramByName(name))
      return *found;
  return "";
}

/// The first line of what the linker has to say, where it says that it is an
/// error.
static std::string readComplaint(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return "";
  StringRef text = (*buffer)->getBuffer().trim();
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    if (line.contains("error") || line.contains("undefined"))
      return line.str();
  return lines.front().str();
}

/// Puts a sum behind what the linker wrote, as runtime/src/ProgramFile.h says,
/// by which the runtime knows a damaged file.
static LogicalResult appendSum(StringRef path, Location loc) {
  uint64_t size = 0, sum = 0xcbf29ce484222325u;
  {
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return emitError(loc, "cannot read '")
             << path << "' again: " << buffer.getError().message();
    size = (*buffer)->getBufferSize();
    for (char c : (*buffer)->getBuffer())
      sum = (sum ^ uint8_t(c)) * 0x100000001b3u;
  }
  std::error_code error;
  llvm::raw_fd_ostream os(path, error, llvm::sys::fs::CD_OpenExisting,
                          llvm::sys::fs::FA_Write, llvm::sys::fs::OF_Append);
  if (!error) {
    os << "PIT-SUM\n";
    llvm::support::endian::write(os, size, llvm::endianness::little);
    llvm::support::endian::write(os, sum, llvm::endianness::little);
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return emitError(loc, "cannot write '") << path << "': " << error.message();
  return success();
}

LogicalResult mlir::pit::linkSharedObject(StringRef object, StringRef path,
                                          const LinkOptions &options,
                                          Location loc) {
  std::string linker = findLinker(options.linker);
  if (linker.empty())
    return options.linker.empty()
               ? emitError(loc, "no C compiler to link with: none of cc, gcc "
                                "and clang is in PATH; an output that ends in "
                                ".o needs none")
               : emitError(loc, "cannot link with '")
                     << options.linker << "': there is no such program";
  if (!llvm::sys::fs::exists(options.runtime))
    return emitError(loc, "cannot link with '")
           << options.runtime << "': there is no such runtime";
  SmallString<128> output;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("pit-link", "txt", output))
    return emitError(loc, "cannot make a temporary file: ") << error.message();
  llvm::FileRemover remover(output);
  // The folder of the program is where its runtime may lie, too.
  SmallVector<StringRef> arguments{
      linker,        "-shared",           "-o",  path,
      object,        options.runtime,     "-lm", "-Wl,--as-needed",
      "-Wl,-z,defs", "-Wl,-rpath,$ORIGIN"};
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(output),
                                          StringRef(output)};
  std::string why;
  int code = llvm::sys::ExecuteAndWait(linker, arguments, std::nullopt,
                                       redirects, 0, 0, &why);
  if (code == 0)
    return appendSum(path, loc);
  if (why.empty())
    why = readComplaint(output);
  return emitError(loc, "'") << linker << "' cannot link the program: " << why;
}
