//===- Buffers.h - Buffers and tensor maps of launches ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_HOST_BUFFERS_H
#define PIT_LIB_GPU_HOST_BUFFERS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit::hopper {

/// A buffer of rank 1, of static length where `length` is constant.
Value allocateBuffer(ImplicitLocOpBuilder &builder, Value length, Type element);

/// How far a view's first element is behind its base: `known`, or, if that is
/// dynamic, what the view says.
OpFoldResult getOffset(ImplicitLocOpBuilder &builder, Value buffer,
                       int64_t known);

/// The address of an element, as a buffer of rank 0. The element is numbered
/// from the base; if its number is dynamic, it is the view's first one.
Value createPointer(ImplicitLocOpBuilder &builder, Value buffer,
                    int64_t element);

/// A tensor map of all of a buffer's view, for boxes with the swizzle of their
/// inner extent. `promotion` is what the L2 cache fetches at a time, `copied`
/// the type that copies turn elements into if it is another: tf32, to which f32
/// are rounded.
///
/// Of a box that is 128 bytes wide, 256 bytes at a time are half from beside
/// it, where another box is read only 64 rows later. That slows down what is
/// read from memory once: weights for few rows by up to 7 % (H200, bf16; see
/// docs/Performance.md).
Value createTensorMapOf(ImplicitLocOpBuilder &builder, Value view,
                        ArrayRef<int64_t> box,
                        nvgpu::TensorMapL2PromoKind promotion =
                            nvgpu::TensorMapL2PromoKind::L2PROMO_128B,
                        Type copied = Type());

/// A tensor map of windows of a buffer [image, position ..., channel], with a
/// row of so many channels for each of so many windows.
Value createWindowMapOf(ImplicitLocOpBuilder &builder, Value buffer,
                        int64_t windows, int64_t channels, WindowAttr window);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_HOST_BUFFERS_H
