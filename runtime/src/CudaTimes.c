//===- CudaTimes.c - Times of launches ------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each launch between two events. The array and the count are under the lock of
// the context's CUDA state; events belong to the CUDA context of their launch.
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "pit_runtime_times.h"

#include <stdlib.h>
#include <string.h>

static void forget(PitCudaState *state) {
  for (size_t i = 0; i < state->numTimed; ++i) {
    PitCudaTimedLaunch *launch = &state->timed[i];
    CUcontext popped;
    if (launch->driver->CtxPushCurrent(launch->context) != CUDA_SUCCESS)
      continue;
    launch->driver->EventDestroy(launch->start);
    launch->driver->EventDestroy(launch->stop);
    launch->driver->CtxPopCurrent(&popped);
  }
  free(state->timed);
  state->timed = NULL;
  state->numTimed = state->timedCapacity = 0;
}

int32_t pit_cuda_time_launches(pit_context *context, int32_t on) {
  PitCudaState *state = &pitResolve(context)->cuda;
  pthread_mutex_lock(&state->lock);
  forget(state);
  atomic_store(&state->timesLaunches, on != 0);
  pthread_mutex_unlock(&state->lock);
  return PIT_OK;
}

void pitCudaForgetTimes(PitCudaState *state) { forget(state); }

static PitCudaTimedLaunch *addLaunch(PitCudaState *state) {
  if (state->numTimed == state->timedCapacity) {
    size_t capacity = state->timedCapacity ? 2 * state->timedCapacity : 64;
    PitCudaTimedLaunch *grown =
        realloc(state->timed, capacity * sizeof(PitCudaTimedLaunch));
    if (!grown)
      return NULL;
    state->timed = grown;
    state->timedCapacity = capacity;
  }
  return &state->timed[state->numTimed];
}

int32_t pitCudaStartTime(pit_context *context, PitCudaDevice *device,
                         CUstream stream, CUevent events[2]) {
  const PitCudaDriver *driver = device->driver;
  events[0] = events[1] = NULL;
  int32_t status = PIT_CUDA(context, driver, EventCreate, (&events[0], 0));
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, EventCreate, (&events[1], 0));
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, EventRecord, (events[0], stream));
  return status;
}

int32_t pitCudaStopTime(pit_context *context, PitCudaDevice *device,
                        CUstream stream, CUevent events[2], int32_t status,
                        const char *kernel) {
  const PitCudaDriver *driver = device->driver;
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, EventRecord, (events[1], stream));
  if (status == PIT_OK) {
    PitCudaState *state = &pitResolve(context)->cuda;
    pthread_mutex_lock(&state->lock);
    PitCudaTimedLaunch *launch = addLaunch(state);
    if (launch) {
      *launch = (PitCudaTimedLaunch){driver, device->context, events[0],
                                     events[1], kernel};
      ++state->numTimed;
    }
    pthread_mutex_unlock(&state->lock);
    if (launch)
      return PIT_OK;
    status = PIT_ERROR_OUT_OF_MEMORY;
    pit_context_set_error(context, status,
                          "out of host memory while timing launches");
  }
  for (int i = 0; i < 2; ++i)
    if (events[i])
      driver->EventDestroy(events[i]);
  return status;
}

int32_t pit_cuda_launch_times(pit_context *context, pit_cuda_launch_time *times,
                              size_t capacity, size_t *count) {
  if (!count)
    return PIT_ERROR_INVALID_ARGUMENT;
  PitCudaState *state = &pitResolve(context)->cuda;
  pthread_mutex_lock(&state->lock);
  *count = state->numTimed;
  int32_t status = PIT_OK;
  for (size_t i = 0; times && i < state->numTimed && i < capacity; ++i) {
    const PitCudaTimedLaunch *launch = &state->timed[i];
    const PitCudaTimedLaunch *first = &state->timed[0];
    times[i] = (pit_cuda_launch_time){launch->kernel, 0, 0};
    status = pit_cuda_event_elapsed(context, launch->start, launch->stop,
                                    &times[i].milliseconds);
    // Events of two devices have no time between them.
    if (status == PIT_OK && first->context == launch->context)
      status = pit_cuda_event_elapsed(context, first->start, launch->start,
                                      &times[i].start_milliseconds);
    if (status != PIT_OK)
      break;
  }
  pthread_mutex_unlock(&state->lock);
  return status;
}
