//===- Graphs.c - The fake driver's graphs --------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream that is captured records launches, copies and fills instead of doing
// them; a graph does them again, in their order. What may not be called while
// streams are captured fails, unless the thread has asked for leave.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

enum { MOST_STREAMS = 8 };

struct Graph {
  Node *first, *last;
  Stream *followers[MOST_STREAMS]; // that waited for the captured one
  int numFollowers;
};

enum { GLOBAL = 0, RELAXED = 2 };

static int numGlobal; // captures that hold for all threads
static _Thread_local int mode = GLOBAL;

int fakeMayNotWait(void) { return numGlobal && mode != RELAXED; }

Node *fakeRecord(Stream *stream, int (*run)(Node *node)) {
  if (!stream || !stream->graph)
    return NULL;
  Node *node = calloc(1, sizeof(Node));
  node->run = run;
  Graph *graph = stream->graph;
  *(graph->last ? &graph->last->next : &graph->first) = node;
  graph->last = node;
  return node;
}

void fakeFollow(Stream *stream, Graph *graph) {
  if (!stream || !graph || stream->graph || graph->numFollowers == MOST_STREAMS)
    return;
  stream->graph = graph;
  graph->followers[graph->numFollowers++] = stream;
}

FAKE(cuStreamBeginCapture_v2, Stream *stream, int captureMode) {
  CALL(cuStreamBeginCapture_v2, stream, captureMode);
}
static int cuStreamBeginCapture_v2Body(Stream *stream, int captureMode) {
  if (!stream || stream->graph)
    return CAPTURE_UNSUPPORTED;
  stream->graph = calloc(1, sizeof(Graph));
  stream->isGlobal = captureMode == GLOBAL;
  numGlobal += stream->isGlobal;
  return 0;
}

FAKE(cuStreamEndCapture, Stream *stream, Graph **graph) {
  CALL(cuStreamEndCapture, stream, graph);
}
static int cuStreamEndCaptureBody(Stream *stream, Graph **graph) {
  if (!stream || !stream->graph)
    return CAPTURE_UNSUPPORTED;
  *graph = stream->graph;
  stream->graph = NULL;
  for (int i = 0; i < (*graph)->numFollowers; ++i)
    (*graph)->followers[i]->graph = NULL;
  numGlobal -= stream->isGlobal;
  return 0;
}

EXPORT int cuThreadExchangeStreamCaptureMode(int *next) {
  int previous = mode;
  mode = *next;
  *next = previous;
  return 0;
}

/// An executable graph is the graph; who uses them keeps both until the end.
EXPORT int cuGraphInstantiateWithFlags(Graph **executable, Graph *graph,
                                       unsigned long long flags) {
  (void)flags;
  *executable = graph;
  return 0;
}

FAKE(cuGraphLaunch, Graph *graph, Stream *stream) {
  CALL(cuGraphLaunch, graph, stream);
}
static int cuGraphLaunchBody(Graph *graph, Stream *stream) {
  (void)stream;
  int result = 0;
  for (Node *node = graph->first; node && result == 0; node = node->next)
    result = node->run(node);
  return result;
}

EXPORT int cuGraphExecDestroy(Graph *executable) {
  (void)executable;
  return 0;
}

EXPORT int cuGraphDestroy(Graph *graph) {
  for (Node *node = graph->first; node;) {
    Node *next = node->next;
    free(node->memory);
    free(node);
    node = next;
  }
  free(graph);
  return 0;
}
