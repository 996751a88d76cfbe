//===- Reader.h - From a pattern to a bitmap -------------------*- C++ -*--===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first step of detection. Bit c % 32 of word s * numWords + c / 32 says
// whether micro-tile c of segment s is live; bits behind the last micro-tile
// are 0. Words are counted in chunks: what is live in them, one i32 per chunk,
// in the order of the words.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_DETECTTOGPU_READER_H
#define PIT_LIB_CONVERSION_DETECTTOGPU_READER_H

#include "Problem.h"

#include <memory>

namespace mlir::pit::detect {

/// Which words belong to chunk c: those from
/// `c / perRun * runWords + c % perRun * chunkWords` on.
struct Chunks {
  Value count, perRun, runWords, chunkWords;
};

/// Where the first step leaves what it found; buffers of the host of rank 0.
struct Scratch {
  Value bitmap, counts;
};

class Reader {
public:
  virtual ~Reader() = default;

  const Chunks &getChunks() const { return chunks; }
  /// Blocks that share the work; fewer or more are right, too.
  Value getNumBlocks() const { return numBlocks; }
  int64_t getNumThreads() const { return numThreads; }
  /// Bytes that are read, if the compiler knows.
  std::optional<int64_t> getNumBytes() const { return numBytes; }

  virtual void emit(Kernel &kernel, const Scratch &scratch) = 0;

protected:
  Chunks chunks;
  Value numBlocks;
  int64_t numThreads = 256;
  std::optional<int64_t> numBytes;
};

/// For buffers in which neighbours along the PIT-axis lie next to each other:
/// a load covers several micro-tiles of a segment, or a part of one.
std::unique_ptr<Reader> createCoordinateReader(const Problem &problem,
                                               HostMath &host);

/// For other buffers: a load covers one micro-tile of each of several segments,
/// or a part of one. Threads walk along the PIT-axis and collect its bits.
std::unique_ptr<Reader> createSegmentReader(const Problem &problem,
                                            HostMath &host);

/// For lengths: bits are computed. A length outside its sequence is reported to
/// the status buffer `status`.
std::unique_ptr<Reader> createLengthsReader(const Problem &problem,
                                            HostMath &host, Value status);

} // namespace mlir::pit::detect

#endif // PIT_LIB_CONVERSION_DETECTTOGPU_READER_H
