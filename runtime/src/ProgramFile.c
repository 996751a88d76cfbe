//===- ProgramFile.c - The file of a compiled program ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loader maps what the headers say, whether the file has it or not: a file
// that was cut ends the process, one with another bit runs other code. So both
// are looked for before.
//
//===----------------------------------------------------------------------===//

#include "ProgramFile.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/// FNV-1a. Each step is a bijection of the sum, so that a change of one byte
/// always shows.
static uint64_t addToSum(uint64_t sum, const unsigned char *bytes,
                         size_t count) {
  for (size_t i = 0; i < count; ++i)
    sum = (sum ^ bytes[i]) * 0x100000001b3u;
  return sum;
}

static uint64_t readNumber(const unsigned char *bytes, int size) {
  uint64_t number = 0;
  for (int i = size; i-- > 0;)
    number = number << 8 | bytes[i];
  return number;
}

/// What a linker writes ends with the table of sections, or has it before.
static const char *checkHeader(const unsigned char *header, size_t given,
                               uint64_t size) {
  if (given < 64 || memcmp(header, "\177ELF", 4) != 0)
    return "it is no shared object";
  // Others than 64-bit little-endian ones are the loader's to refuse.
  if (header[4] != 2 || header[5] != 1)
    return NULL;
  uint64_t start = readNumber(header + 40, 8);
  uint64_t bytes = readNumber(header + 58, 2) * readNumber(header + 60, 2);
  return start > size || bytes > size - start ? "the file was cut" : NULL;
}

/// Compares with the sum behind the object, where there is one.
static const char *checkSum(FILE *file, uint64_t size) {
  unsigned char last[24], buffer[4096];
  if (size < sizeof(last) || fseek(file, -(long)sizeof(last), SEEK_END) != 0 ||
      fread(last, 1, sizeof(last), file) != sizeof(last))
    return "it cannot be read";
  if (memcmp(last, PIT_SUM_MAGIC, 8) != 0)
    return NULL;
  uint64_t left = size - sizeof(last), sum = 0xcbf29ce484222325u;
  if (readNumber(last + 8, 8) != left)
    return "its size is not the one that was written";
  rewind(file);
  while (left > 0) {
    size_t wanted = left < sizeof(buffer) ? (size_t)left : sizeof(buffer);
    if (fread(buffer, 1, wanted, file) != wanted)
      return "it cannot be read";
    sum = addToSum(sum, buffer, wanted);
    left -= wanted;
  }
  return readNumber(last + 16, 8) == sum ? NULL : "its contents were changed";
}

const char *pitFindDamage(const char *path) {
  // Without a slash, the loader looks in folders that it knows.
  FILE *file = strchr(path, '/') ? fopen(path, "rb") : NULL;
  if (!file)
    return NULL;
  unsigned char header[64];
  size_t given = fread(header, 1, sizeof(header), file);
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  const char *damage = size < 0 ? "it cannot be read"
                                : checkHeader(header, given, (uint64_t)size);
  if (!damage)
    damage = checkSum(file, (uint64_t)size);
  fclose(file);
  return damage;
}
