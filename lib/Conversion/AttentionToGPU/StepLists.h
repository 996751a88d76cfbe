//===- StepLists.h - What lives of a mask that is data ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PIT's cover of a mask by micro-tiles. Queries and keys may be permuted, so
// that what lives need not lie in tiles to be computed in tiles:
//   - queries with far more live keys than their neighbours leave their tile,
//     and are packed into tiles of their own;
//   - of what remains, steps with few live keys are not computed: these keys,
//     from all such steps of a tile of queries, are packed into steps;
//   - the other steps are read as they lie.
// A tile does so only where it is fewer steps. Lists are made on the device,
// from the mask's bits, by integer sums alone: they are the same in each run.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_STEPLISTS_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_STEPLISTS_H

#include "Summaries.h"

namespace mlir::pit::attention {

class StepLists {
public:
  /// The modifier that decides by itself which logits live, where logits ask
  /// for nothing else by key; nothing if there is none, or no list of it. Tiles
  /// are of `queries` queries, and steps of `keys` keys.
  static std::optional<unsigned> findModifier(Problem &problem,
                                              const Guards &guards,
                                              int64_t queries, int64_t keys);

  StepLists(Problem &problem, Summaries &summaries, const Guards &guards,
            unsigned modifier, int64_t queries, int64_t keys);

  /// Launches the kernels that make the lists, behind those that make bits.
  void launch(gpu::GPUModuleOp module, StringRef name);

  /// Packed steps of a tile are at most 32, which are one word of its list.
  static constexpr int64_t kPackedSteps = 32;
  /// At most so many queries leave a tile: a quarter.
  int64_t getMostPacked() const { return queries / 4; }
  int64_t getMostColumns() const { return kPackedSteps * keys; }

  unsigned getModifier() const { return modifier; }
  /// Numbers of the host: tiles of queries as they lie, and of packed ones at
  /// most, for each point of the mask's batch; how many such points.
  Value getTiles();
  Value getPackedTiles();
  Value getPoints();
  /// Steps as they lie, and words of their bits.
  Value getSteps();
  Value getWordsOfSteps();

  /// In a kernel: the number of the mask's point of a point of the batch.
  Value getPoint(detect::Kernel &b, ArrayRef<Value> batch);
  /// Addresses of words in a kernel. Of a tile, packed ones being numbered
  /// behind all others: bits of steps that live, with one word more, of packed
  /// steps; bits of those that live as a whole.
  Value getLive(detect::Kernel &b, Value point, Value tile);
  Value getFull(detect::Kernel &b, Value point, Value tile);
  /// Of a tile that is not packed: keys of its packed steps; their bits of a
  /// query, a word for 32; and bits of queries that have left it.
  Value getColumns(detect::Kernel &b, Value point, Value tile);
  Value getBitsOfColumns(detect::Kernel &b, Value point, Value tile,
                         Value query);
  Value getMoved(detect::Kernel &b, Value point, Value tile);
  /// Of a packed tile: its queries; of a point, how many queries are packed.
  Value getRows(detect::Kernel &b, Value point, Value tile);
  Value getNumPacked(detect::Kernel &b, Value point);
  /// Bits of a query's keys as they lie.
  Value getBits(detect::Kernel &b, Value point, Value query);

  /// Unions and intersections of rows by word, for the kernels that make lists.
  Value getUnions(detect::Kernel &b, Value point, Value tile);
  Value getWordsOfRow() { return summaries.getWordsOfRow(); }
  bool liveIf() const { return livesIf; }

  Problem &problem;
  const int64_t queries, keys;

private:
  Value allocate(Value words);
  Value getSlot(detect::Kernel &b, Value point, Value tile);

  Summaries &summaries;
  unsigned modifier;
  bool livesIf;
  Value steps, columns, bitsOfColumns, moved, rows, numPacked, unions;
};

/// Emits the kernel that makes the lists of tiles of queries, a block each, and
/// the one that packs queries; return how many blocks there are to be. Kernels
/// have kListThreads threads.
constexpr int64_t kListThreads = 256;
Value emitListsOfTiles(StepLists &lists, detect::Kernel &b);
Value emitPackedTiles(StepLists &lists, detect::Kernel &b);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_STEPLISTS_H
