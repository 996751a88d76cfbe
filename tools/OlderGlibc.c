//===- OlderGlibc.c - What keeps tools from running on an older C library -===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Self-contained tools are copied to other machines. LLVM's Process.cpp asks
// for one function of glibc 2.36, for names of temporary files; without that,
// 2.34 is enough.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <sys/random.h>

__attribute__((visibility("hidden"))) uint32_t arc4random(void);

uint32_t arc4random(void) {
  uint32_t number = 0;
  // Up to 256 bytes are never cut short, and an early boot is the only wait.
  if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
    number = (uint32_t)(uintptr_t)&number;
  return number;
}
