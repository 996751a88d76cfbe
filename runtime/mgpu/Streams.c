//===- Streams.c - Streams and events -------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

MgpuStream *mgpuStreamCreate(void) {
  CUstream stream = NULL;
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, StreamCreate, (&stream, CU_STREAM_NON_BLOCKING));
  return stream;
}

void mgpuStreamDestroy(MgpuStream *stream) {
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, StreamDestroy, (stream));
}

void mgpuStreamSynchronize(MgpuStream *stream) {
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, StreamSynchronize, (stream));
}

void mgpuStreamWaitEvent(MgpuStream *stream, MgpuEvent *event) {
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, StreamWaitEvent, (stream, event, 0));
}

MgpuEvent *mgpuEventCreate(void) {
  CUevent event = NULL;
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, EventCreate, (&event, CU_EVENT_DISABLE_TIMING));
  return event;
}

void mgpuEventDestroy(MgpuEvent *event) {
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, EventDestroy, (event));
}

void mgpuEventSynchronize(MgpuEvent *event) {
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, EventSynchronize, (event));
}

void mgpuEventRecord(MgpuEvent *event, MgpuStream *stream) {
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, EventRecord, (event, stream));
}
