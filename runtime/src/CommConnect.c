//===- CommConnect.c - Sockets between ranks ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every rank listens under a name that is made of the communicator's id and
// its rank, and connects to all ranks below it. Names are of Linux's abstract
// kind: they are no files and go with the process. A listener takes none but
// processes of its own user.
//
//===----------------------------------------------------------------------===//

// For struct ucred, accept4 and getrandom.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "Comm.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

int64_t pitCommNow(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

int32_t pit_comm_make_id(pit_context *context, pit_comm_id *id) {
  if (!id)
    return PIT_ERROR_INVALID_ARGUMENT;
  if (getrandom(id->bytes, sizeof(id->bytes), 0) == sizeof(id->bytes))
    return PIT_OK;
  pit_context_set_error(context, PIT_ERROR_UNSUPPORTED,
                        "the system has no random numbers for an id");
  return PIT_ERROR_UNSUPPORTED;
}

int32_t pit_comm_name_id(pit_context *context, const char *text,
                         pit_comm_id *id) {
  (void)context;
  if (!text || !id)
    return PIT_ERROR_INVALID_ARGUMENT;
  // FNV-1a, twice: it has to keep apart, not to be secret.
  for (int half = 0; half < 2; ++half) {
    uint64_t hash = UINT64_C(14695981039346656037) + (uint64_t)half;
    for (const char *at = text; *at; ++at)
      hash = (hash ^ (uint8_t)*at) * UINT64_C(1099511628211);
    memcpy(id->bytes + 8 * half, &hash, sizeof(hash));
  }
  return PIT_OK;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

int pitCommSend(int socket, const PitCommMessage *message, int file) {
  struct iovec data = {(void *)message, sizeof(*message)};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  memset(&control, 0, sizeof(control));
  struct msghdr all = {.msg_iov = &data, .msg_iovlen = 1};
  if (file >= 0) {
    all.msg_control = &control;
    all.msg_controllen = sizeof(control.bytes);
    struct cmsghdr *header = CMSG_FIRSTHDR(&all);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &file, sizeof(int));
  }
  ssize_t sent;
  do
    sent = sendmsg(socket, &all, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)sizeof(*message);
}

int pitCommReceive(int socket, PitCommMessage *message, int *file) {
  struct iovec data = {message, sizeof(*message)};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr all = {.msg_iov = &data,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof(control.bytes)};
  ssize_t received;
  // A reset says that the peer did not read all; what it sent is still there.
  do
    received = recvmsg(socket, &all, MSG_CMSG_CLOEXEC);
  while (received < 0 && (errno == EINTR || errno == ECONNRESET));
  *file = -1;
  for (struct cmsghdr *header = received > 0 ? CMSG_FIRSTHDR(&all) : NULL;
       header; header = CMSG_NXTHDR(&all, header))
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
      memcpy(file, CMSG_DATA(header), sizeof(int));
  if (received == (ssize_t)sizeof(*message)) {
    message->payload[PIT_COMM_PAYLOAD - 1] = '\0';
    return 1;
  }
  if (*file >= 0)
    close(*file);
  *file = -1;
  return 0;
}

//===----------------------------------------------------------------------===//
// Connections
//===----------------------------------------------------------------------===//

static socklen_t nameOf(const pit_comm_id *id, int32_t rank,
                        struct sockaddr_un *name) {
  memset(name, 0, sizeof(*name));
  name->sun_family = AF_UNIX;
  // A zero in front makes the name abstract.
  char *text = name->sun_path + 1;
  const size_t room = sizeof(name->sun_path) - 1;
  size_t length = (size_t)snprintf(text, room, "pit-comm-");
  for (size_t i = 0; i < sizeof(id->bytes); ++i)
    length +=
        (size_t)snprintf(text + length, room - length, "%02x", id->bytes[i]);
  length += (size_t)snprintf(text + length, room - length, "-%d", rank);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

static int openSocket(void) {
  return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
}

static int isOfThisUser(int socket) {
  struct ucred peer;
  socklen_t size = sizeof(peer);
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == geteuid();
}

/// Waits until there is something to read, or the time is over.
static int waitFor(int socket, int64_t until) {
  for (;;) {
    int64_t left = until - pitCommNow();
    if (left <= 0)
      return 0;
    struct pollfd entry = {.fd = socket, .events = POLLIN};
    int found = poll(&entry, 1, (int)(left < 1000 ? left : 1000));
    if (found > 0)
      return 1;
    if (found < 0 && errno != EINTR)
      return 0;
  }
}

/// Says who this is, and hears whether both ranks mean the same.
static int greet(pit_comm *comm, int socket, int64_t until,
                 PitCommMessage *answer) {
  PitCommMessage hello = {.kind = PIT_COMM_HELLO,
                          .rank = comm->rank,
                          .sequence = (uint64_t)comm->ranks};
  int file = -1;
  if (!pitCommSend(socket, &hello, -1) || !waitFor(socket, until) ||
      !pitCommReceive(socket, answer, &file))
    return 0;
  if (file >= 0)
    close(file);
  return 1;
}

static int32_t disagree(pit_comm *comm, int32_t rank, uint64_t ranks) {
  pitCommFail(comm, PIT_ERROR_INVALID_ARGUMENT,
              "rank %d joins %d ranks, rank %d joins %d", comm->rank,
              comm->ranks, rank, (int)ranks);
  return pitCommStatus(comm);
}

static int32_t connectTo(pit_comm *comm, const pit_comm_id *id, int32_t rank,
                         int64_t until) {
  struct sockaddr_un name;
  socklen_t length = nameOf(id, rank, &name);
  while (pitCommNow() < until) {
    int to = openSocket();
    PitCommMessage answer;
    if (to >= 0 && connect(to, (struct sockaddr *)&name, length) == 0 &&
        isOfThisUser(to) && greet(comm, to, until, &answer)) {
      if (answer.kind == PIT_COMM_WELCOME && answer.rank == rank) {
        comm->links[rank].socket = to;
        return PIT_OK;
      }
      if (answer.kind == PIT_COMM_ABORT) {
        close(to);
        return disagree(comm, rank, answer.sequence);
      }
    }
    // It is not there yet, or was about to go.
    if (to >= 0)
      close(to);
    struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
  }
  pitCommFail(comm, PIT_ERROR_DEVICE, "rank %d is not there after %lld ms",
              rank, (long long)comm->limit);
  return pitCommStatus(comm);
}

/// Takes one rank that connects; what is none is turned away.
static int32_t acceptOne(pit_comm *comm, int listener, int64_t until,
                         int *joined) {
  *joined = 0;
  int from = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  PitCommMessage hello, answer = {.kind = PIT_COMM_WELCOME,
                                  .rank = comm->rank,
                                  .sequence = (uint64_t)comm->ranks};
  int file = -1;
  if (from < 0)
    return PIT_OK;
  int isKnown = isOfThisUser(from) && waitFor(from, until) &&
                pitCommReceive(from, &hello, &file) &&
                hello.kind == PIT_COMM_HELLO;
  if (file >= 0)
    close(file);
  if (isKnown && hello.sequence != (uint64_t)comm->ranks) {
    answer.kind = PIT_COMM_ABORT;
    pitCommSend(from, &answer, -1);
    close(from);
    return disagree(comm, hello.rank, hello.sequence);
  }
  if (isKnown && hello.rank > comm->rank && hello.rank < comm->ranks &&
      comm->links[hello.rank].socket < 0 && pitCommSend(from, &answer, -1)) {
    comm->links[hello.rank].socket = from;
    *joined = 1;
    return PIT_OK;
  }
  close(from);
  return PIT_OK;
}

static int32_t acceptAll(pit_comm *comm, int listener, int64_t until) {
  for (int32_t missing = comm->ranks - 1 - comm->rank; missing > 0;) {
    int joined;
    if (!waitFor(listener, until)) {
      pitCommFail(comm, PIT_ERROR_DEVICE,
                  "rank %d: %d ranks above it are not there after %lld ms",
                  comm->rank, missing, (long long)comm->limit);
      return pitCommStatus(comm);
    }
    int32_t status = acceptOne(comm, listener, until, &joined);
    if (status != PIT_OK)
      return status;
    missing -= joined;
  }
  return PIT_OK;
}

int32_t pitCommConnect(pit_comm *comm, const pit_comm_id *id) {
  const int64_t until = pitCommNow() + comm->limit;
  struct sockaddr_un name;
  socklen_t length = nameOf(id, comm->rank, &name);
  int listener = openSocket();
  if (listener < 0 || bind(listener, (struct sockaddr *)&name, length) != 0 ||
      listen(listener, PIT_COMM_MAX_RANKS) != 0) {
    if (errno == EADDRINUSE)
      pitCommFail(comm, PIT_ERROR_INVALID_ARGUMENT,
                  "rank %d of this communicator is there already", comm->rank);
    else
      pitCommFail(comm, PIT_ERROR_UNSUPPORTED,
                  "the system has no local sockets: %s", strerror(errno));
    if (listener >= 0)
      close(listener);
    return pitCommStatus(comm);
  }
  int32_t status = PIT_OK;
  for (int32_t rank = 0; rank < comm->rank && status == PIT_OK; ++rank)
    status = connectTo(comm, id, rank, until);
  if (status == PIT_OK)
    status = acceptAll(comm, listener, until);
  close(listener);
  return status;
}
