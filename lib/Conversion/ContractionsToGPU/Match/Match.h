//===- Match.h - Contractions that kernels can take -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCH_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCH_H

#include "GPU/Epilogue/Epilogue.h"
#include "MicroTilePatterns.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/IR/PITPieces.h"
#include "PIT/GPU/ChipModel.h"
#include "PIT/Selection/KernelCatalog.h"
#include "PIT/Support/MatchLog.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit::hopper {

/// How rows of a buffer follow from the rows of the product.
enum class RowAccess {
  Same,   ///< There is no list: whatever the op says.
  Whole,  ///< It has no rows.
  Packed, ///< Row i of axis 0 is the i-th that the list names.
  Listed, ///< The list names rows of axis 0.
  Other
};

/// What an operand of a contraction stands for: a buffer, or its slice for a
/// segment or a batch.
struct MatrixSource {
  Value buffer;
  std::optional<unsigned> segmentAxis;
  RowAccess rows = RowAccess::Same;
  /// The axis numbers batches.
  bool isBatched = false;
};

/// What kernels can take, and may expect.
struct MatchRequirements {
  /// Rows and bases are aligned to 16 bytes, columns and listed rows come in
  /// multiples of 8 elements.
  bool aligned = true;
  /// k is listed, so that its extent need not be known.
  bool listedK = false;
  /// The number of columns, k, and distances between rows may be known where
  /// the kernel is launched alone.
  bool dynamic = false;
  /// Segments have few rows where nothing else says how many.
  bool shortSegments = false;
  /// Rows from which on segments are not short, where lists say how many there
  /// are.
  int64_t shortSegmentRows = 256;
  /// Elements of inputs. f32 (TF32) with alignment are multiplied as tf32, if
  /// they lie along k and are not gathered.
  MatrixElement elements = MatrixElement::F16 | MatrixElement::BF16;
  /// Where reasons go for what is not taken.
  MatchLog log = {};
};

/// Where ops are matched.
struct MatchScope {
  /// Says for a buffer what it stands for.
  function_ref<MatrixSource(Value)> resolve;
  /// Ops that are part of other matches.
  const DenseSet<Operation *> &taken;
  MatchRequirements needs = {};
  /// The op in whose region a contraction stands that adds to a buffer outside,
  /// which is filled before this op and read behind it; null if there is none.
  Operation *place = nullptr;
  /// Contractions have batches; otherwise they have none.
  bool batched = false;
  /// The contraction is one of each segment of k, and ops behind the place have
  /// an axis of segments, as the buffer outside has.
  bool raggedK = false;
};

/// A buffer of two axes, one of them contiguous, or of one such matrix per
/// segment or batch.
struct Matrix {
  Value buffer;
  RowAccess rows = RowAccess::Same;
  /// Of the buffer's element 0 from its base, in elements; dynamic if only the
  /// buffer says it.
  int64_t offset = 0;
  /// A number that divides that: 0 divides 0 alone.
  int64_t offsetUnit = 0;
  /// The buffer's axes that are the matrix' two.
  unsigned axes[2] = {0, 1};
  /// Which of the two is contiguous, and the distance along the other.
  unsigned innerAxis = 1;
  int64_t stride = 0; ///< Dynamic if only the buffer says it.
  /// The buffer's axis that numbers segments or batches, and the distance along
  /// it: dynamic where batches of an unknown number of rows, `stride` apart,
  /// lie one behind the other.
  std::optional<unsigned> segmentAxis;
  int64_t segmentStride = 0;

  int64_t getDimSize(unsigned axis) const {
    return cast<MemRefType>(buffer.getType()).getDimSize(axes[axis]);
  }
};

/// Whether both are the same elements in the same order, whichever rows of them
/// are meant.
bool isSameMatrix(const Matrix &a, const Matrix &b);

/// Blocks of the output that a mask names; the others are filled.
struct MaskedPattern {
  SampledPattern blocks;
  Value mask;
  float fill = 0;
};

/// Ops that together compute one product, or a function of two, into a buffer.
struct ContractionMatch {
  /// The ops to erase, in order; the kernel is launched in the last one's
  /// place.
  SmallVector<Operation *> ops;
  /// What sets the sums to zero, if that is not among the ops because others
  /// read the zeros.
  Operation *sharedFill = nullptr;
  Matrix a, b, c;
  /// B of the second product, if there are two.
  std::optional<Matrix> b2;
  /// What happens to the sums, null if nothing; its operands' buffers, with
  /// their first elements.
  std::shared_ptr<EpilogueFunction> epilogue;
  SmallVector<std::pair<Value, int64_t>> epilogueBuffers;
  /// Which rows and columns of the output index the axes of each of them, but
  /// for the one that numbers segments or batches.
  SmallVector<std::pair<AffineMap, std::optional<unsigned>>> epilogueMaps;
  /// Extents; a dynamic m is that of axis 0 of `c`.
  int64_t m = ShapedType::kDynamic, n = 0, k = 0;
  SharedLayout layoutA, layoutB;
  /// Whether integers of A and B are unsigned.
  bool isUnsigned[2] = {false, false};

  /// A list of rows, or null. Row i of the product comes from the i-th listed
  /// row of A if that is gathered, and goes to the i-th listed row of C if that
  /// is scattered.
  Value index;
  bool gathersA = false, scattersC = false;
  /// The list is one of k instead: a point of the sum is at the listed row of
  /// both A and B.
  bool gathersK = false;
  /// There is such a list for each of many segments, of which `c` has an axis.
  /// `a` and `b` are read at the listed rows, or where they lie packed.
  bool raggedK = false;
  /// The rows are those of many segments, each with its own matrix B and, if
  /// `c` has a segment axis, C. Otherwise they are those of all segments.
  bool segmented = false;
  /// Blocks draw tiles of segments from a counter.
  bool drawsTiles = false;
  /// Segments have so few rows that a tile should hold all of one.
  bool hasShortSegments = false;
  /// There is such a product for each batch, of which `c` has an axis, and `a`,
  /// `b` or both: the others are the same for all.
  bool batched = false;

  /// Rows of A are windows of `a`, an axis of which is left out for each of the
  /// window's, and `b` has a matrix for each place in a window; null otherwise.
  WindowAttr window;

  /// A is zero outside of micro-tiles that the index names, along k for each
  /// strip of rows; what detects them, and how many strips a tile shall hold.
  std::optional<BlockPattern> blocks;
  /// The same, of few k each.
  std::optional<PackedPattern> packed;
  /// Of C, only blocks that the index lists are computed; others stay as they
  /// are.
  std::optional<SampledPattern> sampled;
  /// All of C is written, but only blocks that a mask names are computed. What
  /// filled C before is one of the ops.
  std::optional<MaskedPattern> maskedSddmm;
  DetectIntoOp detection;
  /// `a` and `b`, the axes of `c`, and what belongs to them are exchanged: B is
  /// what has dead micro-tiles. What the epilogue knows of is not.
  bool exchanged = false;
  /// What awaits the pieces of A that ranks push; null if nothing does, or if
  /// it is not left to the kernel.
  AwaitPiecesOp pieces;
  /// Whether A is known to hold zeros where it is not live.
  bool isDeadZero = false;
  /// Whether the kernel may have a variant that skips nothing.
  bool mayHaveDenseVariant = true;
  int64_t stripsOfTile = 1;

  /// The op at which the elementwise work ends that the kernel takes in, and
  /// why, if something reads the sums there; for remarks.
  Operation *epilogueEnd = nullptr;
  std::string whyEpilogueEnds;
};

/// Of the match's lists.
SparseIndexType getIndexType(const ContractionMatch &match);

/// Segments of the match's index, if their number is known.
std::optional<int64_t> getNumSegments(const ContractionMatch &match);

/// A buffer as an operand, whichever of its axes is contiguous; `name` is what
/// refusals call it.
FailureOr<Matrix> matchMatrix(MatrixSource source, StringRef name,
                              MatchRequirements needs);

/// A of a contract of windows, with images as its rows and channels as its
/// columns.
FailureOr<Matrix> matchWindows(ContractOp op, MatchRequirements needs);

/// Whether kernels with such needs multiply elements of these types.
LogicalResult checkInputTypes(Type a, Type b, MatchRequirements needs);
LogicalResult checkInputTypes(ContractOp op, MatchRequirements needs);

/// Sets a match's operands, and what follows from them: layouts and extents.
/// Fails where kernels cannot take these.
LogicalResult setOperands(ContractionMatch &match, Matrix a, Matrix b, Matrix c,
                          unsigned axisOfKInA, unsigned axisOfKInB,
                          MatchRequirements needs);

/// Matches a contraction of a block that starts from zero: two inputs of an
/// element type that `needs` has, accumulated in what ContractOp::getSumType
/// says, and an output of two axes. Elementwise ops behind it are part of the
/// match as far as nothing else reads what comes before them, together with a
/// second contraction that they read.
///
/// What the kernels cannot take fails to match: unknown strides, and what they
/// require.
FailureOr<ContractionMatch>
matchDenseContraction(linalg::LinalgOp op, const DenseSet<Operation *> &taken,
                      MatchRequirements needs = {});

/// The same of one with an axis of batches on the result and at least one
/// input, on which elementwise ops and their operands may have it, too.
FailureOr<ContractionMatch>
matchBatchedContraction(linalg::LinalgOp op, const DenseSet<Operation *> &taken,
                        MatchRequirements needs = {});

/// The same where the operands only stand for others, as tiles do.
FailureOr<ContractionMatch> matchContractionThrough(linalg::LinalgOp op,
                                                    const MatchScope &scope);

/// The parts of that which matching elementwise ops needs: operands and layouts
/// of a contraction alone, ...
FailureOr<ContractionMatch> matchBareContraction(linalg::LinalgOp op,
                                                 const MatchScope &scope);
/// ... and a buffer as an output of such sums.
FailureOr<Matrix> matchOutput(MatrixSource source, Type sum,
                              MatchRequirements needs);

/// The op's domain in the field's words: "grouped GEMM".
StringRef getKindName(ContractOp op);

/// Batches of a match, if their number is known.
int64_t getNumBatches(const ContractionMatch &match);

/// Extends a bare match by the elementwise ops behind it.
void matchEpilogue(linalg::LinalgOp contraction, const MatchScope &scope,
                   ContractionMatch &match);

/// Matches a tiled op on buffers over lists of rows, whose region is one such
/// contraction of an A whose rows are gathered or packed into a C whose rows
/// are scattered or packed. B is the same for all rows, or one for each
/// segment. Rows of C must be distinct: where segments scatter, C has one of
/// its own for each.
FailureOr<ContractionMatch> matchTiledContraction(TiledOp op,
                                                  MatchRequirements needs = {});

/// Why wgmma has no such kernel, where k of a segment is listed.
inline constexpr StringLiteral kSegmentsOfFactors =
    "a factor has a matrix for each segment; kernels with wgmma read listed "
    "rows of one that all segments share";

/// Matches a tiled op on buffers over one list of k, or one for each segment,
/// whose region adds the products of a tile of listed rows of A, stored [k, m],
/// and the same rows of B, stored [k, n], to a C that was filled with zeros. Of
/// segments, each has a C of its own, and A and B may be packed, or of each,
/// too.
FailureOr<ContractionMatch> matchListedSum(TiledOp op,
                                           const DenseSet<Operation *> &taken,
                                           MatchRequirements needs = {});

/// Matches a tiled op on buffers over live micro-tiles of A, whichever of its
/// axes they are listed along, whose region adds the products of micro-tiles
/// and the same rows of B to rows of a C that was filled with zeros. If the
/// micro-tiles are B's, the match is exchanged. The lists must come from one
/// detection in the same block.
FailureOr<ContractionMatch> matchSumOfStrips(TiledOp op,
                                             const DenseSet<Operation *> &taken,
                                             MatchLog log = {});

/// Makes the match that of the transposed product, C^T = B^T * A^T, or that of
/// C again.
void exchangeOperands(ContractionMatch &match);

/// The match of micro-tiles as the catalog of kernels sees it, and their
/// extents by the index that names them: rows and k.
SparseProduct getSparseProduct(const ContractionMatch &match);
MicroTile getMicroTile(const ContractionMatch &match, SparseIndexType index);
/// Whether the catalog has the family for it.
LogicalResult checkLimits(SparseFamily family, const ContractionMatch &match,
                          SparseIndexType index, MatchLog log);

/// What makes such a match one for a family of kernels, by the index that names
/// the micro-tiles: those of so many k that bits tell kernels enough, ...
LogicalResult takeAsBlocks(ContractionMatch &match, SparseIndexType index,
                           Operation *op, MatchLog log = {});
/// ... those of A's own values of so few that they are packed, A being stored
/// [m, k], ...
LogicalResult takeAsPacked(ContractionMatch &match, SparseIndexType index,
                           Operation *op, MatchLog log = {});
/// ... and pieces of single rows.
LogicalResult takeAsPieces(ContractionMatch &match, SparseIndexType index,
                           Operation *op, MatchLog log = {});

/// Matches such an op where the one of these that is given takes the match.
/// Only `log` hears of that, `logOfSum` of why there is no match to take.
FailureOr<ContractionMatch>
matchMicroTiles(Operation *op, const DenseSet<Operation *> &taken, MatchLog log,
                function_ref<LogicalResult(ContractionMatch &, SparseIndexType,
                                           Operation *, MatchLog)>
                    take,
                MatchLog logOfSum = {});

/// Matches a tiled op on buffers over blocks of C, of 64 rows and columns or
/// multiples, whose region computes one such block, elementwise work included,
/// from all rows of A and columns of B that belong to it.
FailureOr<ContractionMatch> matchSampledProduct(TiledOp op, MatchLog log = {});

/// The same where a mask says what is sampled, and nothing but a constant is in
/// C before.
FailureOr<ContractionMatch> matchMaskedSddmm(TiledOp op, MatchLog log = {});

/// The op's block's detection that writes the lists of an index, if nothing
/// else does; null otherwise.
DetectIntoOp getDetection(Value index, Operation *op);

/// Sets the detection of a match of micro-tiles, and what it says of A.
void setDetection(ContractionMatch &match, DetectIntoOp detection,
                  Operation *op);

/// Whether the op lets a kernel have a variant that skips nothing.
bool mayHaveDenseVariant(Operation *op);

/// Whether blocks of threads draw tiles of segments from a counter, and whether
/// a tile should hold all of one: what the op asks for, or its lists say.
bool drawsTilesOfSegments(Operation *op);
bool hasShortSegments(Value index, Operation *op, MatchRequirements needs);

/// Whether listed rows of A can be copied; says why not.
LogicalResult canGatherRows(const ContractionMatch &match,
                            MatchRequirements needs);

/// Erases a detection and what names its lists, if nobody reads them.
void eraseIfUnread(DetectIntoOp detection);

/// Whether the op is on buffers, and its index lists single rows, of one or
/// many segments that one axis numbers, in lists that kernels can read.
bool goesThroughListsOfRows(TiledOp op);

/// The structured op that an op's region consists of, if it has one output;
/// null otherwise.
linalg::LinalgOp getOnlySum(TiledOp op);

/// Matches that op as a contraction of what its operands' tiles stand for,
/// which adds to a buffer that is filled before `op` and read behind it.
FailureOr<ContractionMatch> matchSumOfTiles(TiledOp op, linalg::LinalgOp sum,
                                            const DenseSet<Operation *> &taken,
                                            MatchRequirements needs);

/// What a tile of the op's region stands for; other values stand for
/// themselves.
Value getFullBuffer(TiledOp op, Value tile);

/// Whether the block has no effects besides those of the matched ops.
bool isAllThereIs(Block &block, ArrayRef<Operation *> ops);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCH_H
