//===- FakeNccl.c - NCCL between threads ----------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of NCCL that the runtime calls, on memory of the fake CUDA
// driver, for ranks that are threads. Calls return when all ranks have made
// them, or one has aborted.
//
//===----------------------------------------------------------------------===//

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
enum { MAX_RANKS = 8, INVALID = 4, REMOTE = 6 };

typedef struct Group {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int ranks, arrived, aborted;
  long round;
  const char *from[MAX_RANKS];
  char *to[MAX_RANKS];
  struct Member *members;
  struct Group *next;
} Group;
typedef struct Member {
  Group *group;
  int rank;
} Member;
/// All, which stay.
static Group *groups;

/// Makes the communicators of all ranks, which are never freed.
EXPORT void fake_nccl_create(int ranks, void **members) {
  Group *group = calloc(1, sizeof(Group));
  pthread_mutex_init(&group->lock, NULL);
  pthread_cond_init(&group->changed, NULL);
  group->ranks = ranks;
  group->members = calloc((size_t)ranks, sizeof(Member));
  group->next = groups;
  groups = group;
  for (int i = 0; i < ranks; ++i) {
    group->members[i] = (Member){group, i};
    members[i] = &group->members[i];
  }
}

typedef struct Work {
  int kind; // 0 broadcast, 1 gather, 2 sum of i32, 3 sum of f32
  size_t bytes;
  int root;
} Work;

static void compute(Group *group, const Work *work) {
  const size_t bytes = work->bytes;
  char *made = calloc(1, bytes * (size_t)group->ranks + 1);
  for (int i = 0; i < group->ranks; ++i) {
    if (work->kind == 1)
      memcpy(made + (size_t)i * bytes, group->from[i], bytes);
    if (work->kind == 0 && i == work->root)
      memcpy(made, group->from[i], bytes);
    for (size_t at = 0; work->kind >= 2 && at < bytes / 4; ++at)
      if (work->kind == 2)
        ((int32_t *)made)[at] += ((const int32_t *)group->from[i])[at];
      else
        ((float *)made)[at] += ((const float *)group->from[i])[at];
  }
  for (int i = 0; i < group->ranks; ++i)
    memcpy(group->to[i], made,
           work->kind == 1 ? bytes * (size_t)group->ranks : bytes);
  free(made);
}

static int meet(Member *member, const void *from, void *to, Work work) {
  Group *group = member->group;
  pthread_mutex_lock(&group->lock);
  long round = group->round;
  group->from[member->rank] = from;
  group->to[member->rank] = to;
  if (++group->arrived == group->ranks && !group->aborted) {
    compute(group, &work);
    group->arrived = 0;
    ++group->round;
    pthread_cond_broadcast(&group->changed);
  }
  while (round == group->round && !group->aborted)
    pthread_cond_wait(&group->changed, &group->lock);
  int result = round == group->round ? REMOTE : 0;
  pthread_mutex_unlock(&group->lock);
  return result;
}

EXPORT int ncclCommCount(Member *member, int *count) {
  *count = member->group->ranks;
  return 0;
}
EXPORT int ncclCommUserRank(Member *member, int *rank) {
  *rank = member->rank;
  return 0;
}
EXPORT int ncclCommAbort(Member *member) {
  pthread_mutex_lock(&member->group->lock);
  member->group->aborted = 1;
  pthread_cond_broadcast(&member->group->changed);
  pthread_mutex_unlock(&member->group->lock);
  return 0;
}
EXPORT const char *ncclGetErrorString(int result) {
  return result == REMOTE ? "remote process exited" : "invalid argument";
}
EXPORT int ncclBroadcast(const void *from, void *to, size_t count, int type,
                         int root, Member *member, void *stream) {
  (void)stream;
  Work work = {0, count, root};
  return type == 1 ? meet(member, from, to, work) : INVALID;
}
EXPORT int ncclAllGather(const void *from, void *to, size_t count, int type,
                         Member *member, void *stream) {
  (void)stream;
  Work work = {1, count, 0};
  return type == 1 ? meet(member, from, to, work) : INVALID;
}
EXPORT int ncclAllReduce(const void *from, void *to, size_t count, int type,
                         int operation, Member *member, void *stream) {
  (void)stream;
  Work work = {type == 2 ? 2 : 3, 4 * count, 0};
  return operation == 0 && (type == 2 || type == 7)
             ? meet(member, from, to, work)
             : INVALID;
}
