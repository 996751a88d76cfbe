//===- Analysis.cpp - C API: the axes of an op ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT-c/Analysis.h"

#include "PIT/Interfaces/PITAxisOpInterface.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;

using AxisList = SmallVector<pit::AxisInfo>;

static const pit::AxisInfo *axisAt(PITAxes axes, intptr_t pos) {
  auto *list = static_cast<const AxisList *>(axes.ptr);
  if (!list || pos < 0 || pos >= static_cast<intptr_t>(list->size()))
    return nullptr;
  return &(*list)[pos];
}

PITAxes pitAxesGet(MlirOperation op, bool strict) {
  pit::AxisOptions options;
  options.strict = strict;
  FailureOr<AxisList> axes = pit::inferPITAxes(unwrap(op), options);
  if (failed(axes))
    return PITAxes{nullptr};
  return PITAxes{new AxisList(std::move(*axes))};
}

bool pitAxesIsNull(PITAxes axes) { return !axes.ptr; }

intptr_t pitAxesGetSize(PITAxes axes) {
  return axes.ptr ? static_cast<AxisList *>(axes.ptr)->size() : 0;
}

PITAxisKind pitAxesGetKind(PITAxes axes, intptr_t pos) {
  const pit::AxisInfo *axis = axisAt(axes, pos);
  if (!axis)
    return PIT_AXIS_REFUSED;
  switch (axis->kind) {
  case pit::AxisKind::Parallel:
    return PIT_AXIS_PARALLEL;
  case pit::AxisKind::Reduction:
    return PIT_AXIS_REDUCTION;
  case pit::AxisKind::Refused:
    break;
  }
  return PIT_AXIS_REFUSED;
}

MlirStringRef pitAxesGetReason(PITAxes axes, intptr_t pos) {
  const pit::AxisInfo *axis = axisAt(axes, pos);
  return wrap(axis ? StringRef(axis->reason) : StringRef());
}

void pitAxesDestroy(PITAxes axes) { delete static_cast<AxisList *>(axes.ptr); }
