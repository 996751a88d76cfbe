//===- BlockLoader.h - Block SpMM: loads of live blocks ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One warp walks the bits of a tile's strips. With every stage it leaves a note
// for the threads that multiply: which strips are live, and where the tile lies
// and ends. So tiles of all lengths follow each other through the ring, and
// nobody else reads the bitmap. As tiles take unequal times, blocks draw them.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_BLOCKLOADER_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_BLOCKLOADER_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "GPU/Pipeline/Ring.h"

namespace mlir::pit::hopper {

/// What a stage's note says. Its flags have a bit for every live strip, and
/// these.
struct StageNote {
  enum Word : unsigned { Flags, Row, Column };
  static constexpr int64_t kLastStep = int64_t(1) << 30,
                           kNoMoreTiles = int64_t(1) << 29;

  /// Where it lies in shared memory: four i32.
  static Value getPointer(KernelBuilder &builder,
                          const ContractionKernel &kernel,
                          const KernelState &state, Value stage);
  /// One of its words, known to be the same in a whole warp.
  static Value read(KernelBuilder &builder, const ContractionKernel &kernel,
                    const KernelState &state, Value stage, Word word);
};

/// How many words there are for each strip, or, where words go across strips,
/// for each place along k.
Value getWordsOfLine(KernelBuilder &builder, const ContractionKernel &kernel,
                     const KernelState &state);
/// How many words there are.
Value countWords(KernelBuilder &builder, const ContractionKernel &kernel,
                 const KernelState &state);

/// The bits of a word that begin a step along k, of which each is set if any of
/// the step's micro-tiles is live.
Value foldSteps(KernelBuilder &builder, const BlockPattern &pattern,
                Value word);

class BlockLoader {
public:
  BlockLoader(Ring &ring, const ContractionKernel &kernel,
              const KernelState &state)
      : ring(ring), b(ring.b), kernel(kernel), state(state),
        rows(kernel.blocks->rows), strips(kernel.tileM / rows) {}

  /// Emits, in one warp, the loop over the block's tiles and, last, a note that
  /// there are no more.
  void emit();

private:
  TilePosition getPosition(Value tile);
  SmallVector<Value> readWords(Value tile, Value chunk);
  Value readWord(Value exists, Value line, Value wordsOfLine, Value word);
  SmallVector<Value> getWordsOfStrips(ValueRange held, Value word);
  Value draw();
  void copyStep(Value stage, TilePosition tile, Value k, Value live,
                Value fullBarrier);
  SmallVector<Value> issueStep(ValueRange place, TilePosition tile, Value k,
                               Value live, Value flags);
  SmallVector<Value> issueBlock(ValueRange place, TilePosition tile, Value k,
                                Value live, Value flags);
  SmallVector<Value> walkWord(SmallVector<Value> words, Value firstBit,
                              TilePosition tile, ValueRange carried);
  SmallVector<Value> loadTile(TilePosition tile, ValueRange words, Value number,
                              Value next, ValueRange place,
                              SmallVector<Value> &ahead);

  int64_t getStripBytes() const {
    return rows * ContractionKernel::kTileKOf16Bits * 2;
  }
  bool areWordsAcross() const { return kernel.blocks->wordsAcross; }
  /// How many words each lane holds, ...
  int64_t getNumHeld() const { return areWordsAcross() ? 2 : 1; }
  /// ... and how many of those that all lanes hold are a strip's.
  int64_t getWordsOfChunk() const {
    return areWordsAcross() ? getNumHeld() : 32 / strips;
  }

  Ring &ring;
  KernelBuilder &b;
  const ContractionKernel &kernel;
  const KernelState &state;
  const int64_t rows, strips;
  Value tilesM, numTiles, numStrips, numChunks, counter;
  /// Of words across strips: how many places along k there are.
  Value numPlaces;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_BLOCKLOADER_H
