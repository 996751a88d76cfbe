//===- XlaTest.cpp - Tests of handlers for XLA ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A caller with XLA's structs and none of its code. test/Python/test_jax.py has
// the same handlers under XLA itself, on the CPU.
//
//===----------------------------------------------------------------------===//

#include "CudaFixture.h"
#include "XlaFfi.h"

#include <string>
#include <vector>

namespace {

/// What the caller saw.
struct Seen {
  std::string message;
  int32_t code = 0, destroyed = 0;
  size_t allocated = 0, released = 0;
  void *stream = nullptr, *workspace = nullptr;
  bool failsToAllocate = false, failsToRelease = false;
};

Seen seen;
int errorMark;
// Memory as XLA gives it: aligned by 16 bytes and no more.
alignas(256) char memory[1024];
char *const scratch = memory + 16;

PitXlaApi makeApi() {
  PitXlaApi api = {};
  api.size = sizeof(api);
  api.version = {sizeof(PitXlaVersion), nullptr, 0, 3};
  api.createError = [](PitXlaErrorCreate *create) -> PitXlaError {
    seen.message = create->message;
    seen.code = create->code;
    return &errorMark;
  };
  api.destroyError = [](void *) { ++seen.destroyed; };
  api.getStream = [](PitXlaStreamGet *get) -> PitXlaError {
    get->stream = seen.stream;
    return nullptr;
  };
  api.allocate = [](PitXlaAllocate *allocate) -> PitXlaError {
    if (seen.failsToAllocate)
      return &seen;
    // XLA refuses more.
    EXPECT_LE(allocate->alignment, 16u);
    seen.allocated = allocate->bytes;
    allocate->data = scratch;
    return nullptr;
  };
  api.release = [](PitXlaFree *release) -> PitXlaError {
    EXPECT_EQ(release->data, scratch);
    seen.released = release->bytes;
    return seen.failsToRelease ? &seen : nullptr;
  };
  return api;
}

const PitXlaApi api = makeApi();

int64_t pair[] = {2};
const int64_t unknown[] = {-1};
const pit_value_type arguments[] = {{PIT_DTYPE_F32, 1, unknown},
                                    {PIT_DTYPE_F32, -1, nullptr}};
const pit_value_type results[] = {{PIT_DTYPE_F32, 1, unknown}};

int32_t shapes(pit_context *, void *const *given, int64_t *extents,
               int64_t *bytes) {
  extents[0] = static_cast<const pit_tensor *>(given[0])->shape[0];
  *bytes = 384;
  return PIT_OK;
}

/// y = x * factor, where the factor is a scalar, if there is one.
int32_t scale(pit_context *context, pit_stream stream, void *const *given,
              void *const *made, void *workspace, int64_t) {
  auto &x = *static_cast<const pit_tensor *>(given[0]);
  auto &y = *static_cast<const pit_tensor *>(made[0]);
  if (x.shape[0] != y.shape[0]) {
    pit_context_set_error(context, PIT_ERROR_BAD_INDEX, "no such place");
    return PIT_ERROR_BAD_INDEX;
  }
  EXPECT_EQ(stream, seen.stream);
  seen.workspace = workspace;
  float factor = workspace ? 2 : *static_cast<const float *>(given[1]);
  for (int64_t i = 0; i < x.shape[0]; ++i)
    static_cast<float *>(y.data)[i] = static_cast<float *>(x.data)[i] * factor;
  return PIT_OK;
}

const pit_entry_point entry = {"scale", 2,      arguments, 1,
                               results, shapes, scale};
const pit_entry_point onDevice = {"scale", 1,      arguments, 1,
                                  results, shapes, scale};

/// A call with x, perhaps a factor, and y.
struct Call {
  explicit Call(bool hasFactor = true) {
    buffers = {makeBuffer(x, 1, pair), makeBuffer(&factor, 0, nullptr),
               makeBuffer(y, 1, pair)};
    values = {&buffers[0], &buffers[1], &buffers[2]};
    frame.size = sizeof(frame);
    frame.api = &api;
    frame.stage = PIT_XLA_STAGE_EXECUTE;
    frame.arguments = {sizeof(PitXlaValues), nullptr, hasFactor ? 2 : 1, kinds,
                       values.data()};
    frame.results = {sizeof(PitXlaValues), nullptr, 1, kinds, &values[2]};
    seen = Seen();
  }
  static PitXlaBuffer makeBuffer(void *data, int64_t rank, int64_t *extents) {
    return {sizeof(PitXlaBuffer), nullptr, 11, data, rank, extents};
  }
  float x[2] = {1, 2}, factor = 3, y[2] = {0, 0};
  int32_t kinds[3] = {PIT_XLA_BUFFER, PIT_XLA_BUFFER, PIT_XLA_BUFFER};
  std::vector<PitXlaBuffer> buffers;
  std::vector<void *> values;
  PitXlaFrame frame = {};
};

TEST(Xla, CallsOnTheHost) {
  Call call;
  EXPECT_EQ(pit_rt_xla_call(&entry, 0, &call.frame), nullptr);
  EXPECT_EQ(call.y[0], 3);
  EXPECT_EQ(call.y[1], 6);
  EXPECT_EQ(seen.allocated, 0u);
}

TEST(Xla, SaysItsVersion) {
  Call call;
  PitXlaMetadata metadata = {};
  metadata.traits = 7;
  PitXlaMetadataExtension extension = {
      {sizeof(extension), PIT_XLA_EXTENSION_METADATA, nullptr}, &metadata};
  call.frame.extensions = &extension.base;
  EXPECT_EQ(pit_rt_xla_call(&entry, 0, &call.frame), nullptr);
  EXPECT_EQ(metadata.version.major, 0);
  EXPECT_EQ(metadata.version.minor, 3);
  EXPECT_EQ(metadata.traits, 0u);
  EXPECT_EQ(call.y[0], 0);
  // Other stages have nothing to do.
  call.frame.extensions = nullptr;
  call.frame.stage = 0;
  EXPECT_EQ(pit_rt_xla_call(&entry, 0, &call.frame), nullptr);
  EXPECT_EQ(call.y[0], 0);
}

TEST(Xla, PassesErrorsOn) {
  Call call;
  int64_t three[] = {3};
  call.buffers[0].extents = three;
  EXPECT_EQ(pit_rt_xla_call(&entry, 0, &call.frame), &errorMark);
  EXPECT_EQ(seen.message, "scale: no such place");
  EXPECT_EQ(seen.code, PIT_XLA_OUT_OF_RANGE);
  // It was that call's.
  EXPECT_EQ(pit_context_status(nullptr), PIT_OK);
}

TEST(Xla, RefusesOtherValues) {
  Call count(/*hasFactor=*/false);
  EXPECT_EQ(pit_rt_xla_call(&entry, 0, &count.frame), &errorMark);
  EXPECT_EQ(seen.message, "scale: expected 2 arguments, got 1");
  EXPECT_EQ(seen.code, PIT_XLA_INVALID_ARGUMENT);
  // A complex number, no buffer, and an array in the place of a number.
  Call type;
  type.buffers[0].type = 15;
  EXPECT_EQ(pit_rt_xla_call(&entry, 0, &type.frame), &errorMark);
  EXPECT_EQ(seen.message,
            "scale: argument 0 is of a type that programs do not have");
  type.buffers[0].type = 1000;
  EXPECT_EQ(pit_rt_xla_call(&entry, 0, &type.frame), &errorMark);
  Call kind;
  kind.kinds[0] = 9;
  EXPECT_EQ(pit_rt_xla_call(&entry, 0, &kind.frame), &errorMark);
  Call rank;
  rank.buffers[1].rank = 1;
  EXPECT_EQ(pit_rt_xla_call(&entry, 0, &rank.frame), &errorMark);
  EXPECT_EQ(seen.message,
            "scale: argument 1 must be an array of rank 0 of f32");
  // A device's memory is not read on the host.
  Call device;
  EXPECT_EQ(pit_rt_xla_call(&entry, 1, &device.frame), &errorMark);
  EXPECT_EQ(seen.code, PIT_XLA_UNIMPLEMENTED);
}

TEST_F(Cuda, XlaGivesStreamAndWorkspace) {
  Call call(/*hasFactor=*/false);
  seen.stream = stream;
  EXPECT_EQ(pit_rt_xla_call(&onDevice, 1, &call.frame), nullptr);
  EXPECT_EQ(call.y[1], 4);
  // Aligned as programs need it, and within what was given.
  EXPECT_EQ(seen.workspace, memory + 256);
  EXPECT_EQ(seen.allocated, 384u + 240u);
  EXPECT_EQ(seen.released, seen.allocated);
}

TEST_F(Cuda, XlaGetsItsOwnErrorsBack) {
  Call call(/*hasFactor=*/false);
  seen.stream = stream;
  seen.failsToAllocate = true;
  EXPECT_EQ(pit_rt_xla_call(&onDevice, 1, &call.frame), &seen);
  EXPECT_EQ(call.y[1], 0);
  seen.failsToAllocate = false;
  seen.failsToRelease = true;
  EXPECT_EQ(pit_rt_xla_call(&onDevice, 1, &call.frame), &seen);
  // The first of two errors.
  int64_t three[] = {3};
  call.buffers[0].extents = three;
  EXPECT_EQ(pit_rt_xla_call(&onDevice, 1, &call.frame), &errorMark);
  EXPECT_EQ(seen.destroyed, 1);
  EXPECT_EQ(pit_context_status(nullptr), PIT_OK);
}

} // namespace
