//===- ProgramFile.h - The file of a compiled program -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Behind the shared object that a linker wrote, pit-compile puts 24 bytes: the
// letters below, the object's size and a sum over it, both little-endian. What
// loads shared objects does not look there.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_PROGRAMFILE_H
#define PIT_RUNTIME_PROGRAMFILE_H

#define PIT_SUM_MAGIC "PIT-SUM\n"

/// Says why the file at `path` is not what was written, or NULL. NULL as well
/// where no file lies there, which the loader tells, and where nothing of a
/// shared object is missing but it has no sum, as when another linker made it.
const char *pitFindDamage(const char *path);

#endif /* PIT_RUNTIME_PROGRAMFILE_H */
