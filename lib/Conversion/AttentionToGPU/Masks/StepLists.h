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
// Numbers that are added to logits are such a mask where all are 0 or as low as
// -inf, which the kernel that reads them finds out. A tile that has others
// packs nothing, and reads them once more; steps of it whose keys are all dead
// are skipped all the same.
//
// A tile does so only where it is fewer steps. Lists are made on the device,
// from the mask's bits, by integer sums alone: they are the same in each run.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_MASKS_STEPLISTS_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_MASKS_STEPLISTS_H

#include "Conversion/AttentionToGPU/Problem/Guards.h"
#include "Conversion/AttentionToGPU/Problem/Problem.h"

namespace mlir::pit::attention {

class StepLists {
public:
  /// Tiles that can be packed, and keys of a step, which may be twice as many.
  static constexpr int64_t kQueries = 128, kLeastKeys = 64;

  /// The modifier that decides by itself which logits live, where logits ask
  /// for nothing else by key; nothing if there is none, or no list of it. Then
  /// `reason` says why, if a modifier is read. Tiles are of `queries` queries,
  /// and steps of `keys` keys.
  static std::optional<unsigned> findModifier(Problem &problem,
                                              const Guards &guards,
                                              int64_t queries, int64_t keys,
                                              StringRef &reason);

  /// A remark on that, if there is a reason.
  static void reportUnpacked(AttendOp op, StringRef reason);

  StepLists(Problem &problem, const Guards &guards, unsigned modifier,
            int64_t queries, int64_t keys);

  /// Launches the kernels that make the lists.
  void launch(gpu::GPUModuleOp module, StringRef name);

  /// Packed steps of a tile are at most 32, which are one word of its list.
  static constexpr int64_t kPackedSteps = 32;
  /// At most so many queries leave a tile.
  int64_t getMostPacked() const { return queries / 8; }
  int64_t getMostColumns() const { return kPackedSteps * keys; }
  /// Packed queries meet all keys: their steps are cut into so many parts, a
  /// block each, about as long as other tiles.
  int64_t getParts() const { return parts; }

  /// Numbers of the host: tiles of queries as they lie, and of packed ones at
  /// most, for each point of the mask's batch; how many such points.
  Value getTiles();
  Value getPackedTiles();
  Value getPoints();
  /// Steps as they lie, and words of their bits; words of a query's keys, in
  /// whole steps.
  Value getSteps();
  Value getWordsOfSteps();
  Value getWordsOfRow();

  /// In a kernel: the number of the mask's point of a point of the batch.
  Value getPoint(detect::Kernel &b, ArrayRef<Value> batch);
  /// Addresses of words in a kernel. Of a tile: bits of steps that live, with
  /// one word more, of packed steps; and bits of those that live as a whole.
  Value getLive(detect::Kernel &b, Value point, Value tile);
  Value getFull(detect::Kernel &b, Value point, Value tile);
  /// Keys of its packed steps; their bits of a query, a word for 32; and bits
  /// of queries that have left it.
  Value getColumns(detect::Kernel &b, Value point, Value tile);
  Value getBitsOfColumns(detect::Kernel &b, Value point, Value tile,
                         Value query);
  Value getMoved(detect::Kernel &b, Value point, Value tile);
  /// Of numbers that are added: not 0 if some are neither 0 nor dead.
  Value getOthers(detect::Kernel &b, Value point, Value tile);
  /// How many steps it has; and the tile that has the n-th most of them.
  Value getNumSteps(detect::Kernel &b, Value point, Value tile);
  Value getOrder(detect::Kernel &b, Value point, Value n);
  /// The queries of a packed tile, and how many queries of a point are packed.
  Value getRows(detect::Kernel &b, Value point, Value packedTile);
  Value getNumPacked(detect::Kernel &b, Value point);
  /// Bits of a query's keys as they lie, and how many of them live; kOthers if
  /// numbers are added that are neither 0 nor dead. Bits behind the last key
  /// are dead.
  static constexpr int64_t kOthers = -1;
  Value getBits(detect::Kernel &b, Value point, Value query);
  Value getNumKeys(detect::Kernel &b, Value point, Value query);
  /// Unions and intersections of a tile's queries by word.
  Value getUnions(detect::Kernel &b, Value point, Value tile);
  /// Counts of blocks that are done: of those that list the tiles of a point,
  /// and of those that have a part of a packed tile, by point of the batch.
  Value getNumCounts();
  Value getListed(detect::Kernel &b, Value point);
  Value getDone(detect::Kernel &b, Value pointOfBatch, Value packedTile);
  /// What a part leaves of a packed tile's queries, of f32: sums of values of
  /// the query, then its largest logit and the sum of its weights.
  Value getPartial(detect::Kernel &b, Value pointOfBatch, Value packedTile,
                   Value part, Value query);

  Problem &problem;
  const int64_t queries, keys;
  const unsigned modifier;
  /// The value of the mask where logits live.
  const bool liveIf;
  /// Whether numbers are added, of which those up to `deadUpTo` kill.
  const bool isAdded;
  const double deadUpTo;

private:
  Value allocate(Value words);
  Value getPlace(detect::Kernel &b, Value point, Value tile);
  Value getPlaceOfBatch(detect::Kernel &b, Value pointOfBatch,
                        Value packedTile);

  int64_t parts;
  Value others, bits, numKeys, steps, columns, bitsOfColumns, moved, numSteps,
      order, rows, numPacked, unions, counts, partials;
};

/// Emits the kernel that makes bits of the mask, a block for each query, and
/// the one that makes the lists, a block for each tile; return how many blocks
/// there are to be.
constexpr int64_t kBitsThreads = 128, kListThreads = 1024;
Value emitBits(StepLists &lists, detect::Kernel &b);
Value emitLists(StepLists &lists, detect::Kernel &b);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_MASKS_STEPLISTS_H
