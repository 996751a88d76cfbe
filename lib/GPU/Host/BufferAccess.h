//===- BufferAccess.h - Which ops access which buffer -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_HOST_BUFFERACCESS_H
#define PIT_LIB_GPU_HOST_BUFFERACCESS_H

#include "mlir/IR/Value.h"

namespace mlir::pit::hopper {

/// The buffer that a chain of views starts from, or that a tensor map is of.
Value getRootBuffer(Value buffer);

/// Whether two values may stand for the same buffer of the function: as it is,
/// as a view or a tensor map of it, as a list of an index, or as one of several
/// that are chosen from or carried through a region.
bool mayShareMemory(Value a, Value b);

/// Whether the op or anything in it may access the buffer. Ops that only name
/// it (views, extents) do not.
bool mayAccess(Operation *op, Value buffer);

/// Whether the op or anything in it may write the buffer.
bool mayWrite(Operation *op, Value buffer);

/// The last op of the block before this one that may access the buffer; null if
/// none may.
Operation *findAccessBefore(Operation *op, Value buffer);

/// Whether something strictly between two ops of a block may access the buffer,
/// ...
bool isAccessedBetween(Operation *first, Operation *last, Value buffer);
/// ... or write it.
bool isWrittenBetween(Operation *first, Operation *last, Value buffer);

/// Whether that may change what the buffer holds, even if buffers that come
/// from elsewhere, as arguments do, are the same memory.
bool mayChangeBetween(Operation *first, Operation *last, Value buffer);

/// Erases what is written to buffers of the block that nobody reads, and the
/// buffers.
void eraseUnreadBuffers(Block &block);

/// Whether the buffer is allocated in the op's block and nothing uses it, or a
/// view of it, behind the op, but to free it.
bool isDeadAfter(Value buffer, Operation *op);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_HOST_BUFFERACCESS_H
