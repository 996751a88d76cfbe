//===- CommKernels.c - Kernels of communicators ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Order, by the PTX ISA's memory consistency model: what came before in the
// stream happens before the barrier's kernel. Its release at the scope of the
// system hands that to the acquire of the peer's thread, behind which the
// peer's stream goes on.
//
//===----------------------------------------------------------------------===//

#include "CommKernels.h"

const char pitCommKernels[] =
    ".version 6.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
    // A thread for each rank stores a word in the peer's memory, waits for the
    // peer's word in its own, and takes that back. One block. `signals` are
    // those of the first rank, `pitch` bytes before those of the next.
    ".visible .entry " PIT_COMM_BARRIER_KERNEL "(\n"
    "  .param .u64 signals, .param .u64 pitch, .param .u32 ranks,\n"
    "  .param .u32 rank, .param .u32 channel)\n"
    "{\n"
    "  .reg .pred %p<4>;\n"
    "  .reg .b32 %r<9>;\n"
    "  .reg .b64 %rd<9>;\n"
    "  mov.u32 %r0, %tid.x;\n"
    "  ld.param.u32 %r1, [ranks];\n"
    "  ld.param.u32 %r2, [rank];\n"
    "  ld.param.u32 %r3, [channel];\n"
    "  ld.param.u64 %rd0, [signals];\n"
    "  ld.param.u64 %rd1, [pitch];\n"
    "  setp.ge.u32 %p0, %r0, %r1;\n"
    "  @%p0 bra DONE;\n"
    "  setp.eq.u32 %p1, %r0, %r2;\n"
    "  @%p1 bra DONE;\n"
    "  mul.lo.u32 %r4, %r3, %r1;\n"
    "  add.u32 %r5, %r4, %r2;\n"
    "  add.u32 %r6, %r4, %r0;\n"
    "  cvt.u64.u32 %rd2, %r0;\n"
    "  mul.lo.u64 %rd3, %rd2, %rd1;\n"
    "  add.u64 %rd4, %rd0, %rd3;\n"
    "  mul.wide.u32 %rd5, %r5, 4;\n"
    "  add.u64 %rd4, %rd4, %rd5;\n"
    "  cvt.u64.u32 %rd6, %r2;\n"
    "  mul.lo.u64 %rd7, %rd6, %rd1;\n"
    "  add.u64 %rd7, %rd0, %rd7;\n"
    "  mul.wide.u32 %rd8, %r6, 4;\n"
    "  add.u64 %rd7, %rd7, %rd8;\n"
    "  mov.u32 %r7, 1;\n"
    "  st.release.sys.global.u32 [%rd4], %r7;\n"
    "WAIT:\n"
    "  ld.acquire.sys.global.u32 %r8, [%rd7];\n"
    "  setp.eq.u32 %p2, %r8, 0;\n"
    "  @%p2 bra WAIT;\n"
    "  mov.u32 %r7, 0;\n"
    "  st.relaxed.sys.global.u32 [%rd7], %r7;\n"
    "DONE:\n"
    "  ret;\n"
    "}\n"
    // Copies `count` vectors to the same place of each rank's part, `pitch`
    // bytes before that of the next; `to` is that of the first. A rank begins
    // with the one behind it, so that links share the load.
    ".visible .entry " PIT_COMM_PUSH_KERNEL "(\n"
    "  .param .u64 piece, .param .u64 to, .param .u64 pitch,\n"
    "  .param .u32 ranks, .param .u32 rank, .param .u32 count)\n"
    "{\n"
    "  .reg .pred %p<4>;\n"
    "  .reg .b32 %r<16>;\n"
    "  .reg .b64 %rd<10>;\n"
    "  ld.param.u64 %rd0, [piece];\n"
    "  ld.param.u64 %rd1, [to];\n"
    "  ld.param.u64 %rd2, [pitch];\n"
    "  ld.param.u32 %r0, [ranks];\n"
    "  ld.param.u32 %r1, [rank];\n"
    "  ld.param.u32 %r2, [count];\n"
    "  mov.u32 %r3, %tid.x;\n"
    "  mov.u32 %r4, %ntid.x;\n"
    "  mov.u32 %r5, %ctaid.x;\n"
    "  mov.u32 %r6, %nctaid.x;\n"
    "  mad.lo.u32 %r7, %r5, %r4, %r3;\n"
    "  mul.lo.u32 %r8, %r6, %r4;\n"
    "NEXT:\n"
    "  setp.ge.u32 %p0, %r7, %r2;\n"
    "  @%p0 bra DONE;\n"
    "  mul.wide.u32 %rd3, %r7, 16;\n"
    "  add.u64 %rd4, %rd0, %rd3;\n"
    "  add.u64 %rd5, %rd1, %rd3;\n"
    "  ld.global.v4.u32 {%r9, %r10, %r11, %r12}, [%rd4];\n"
    "  mov.u32 %r13, %r1;\n"
    "PEER:\n"
    "  add.u32 %r13, %r13, 1;\n"
    "  setp.eq.u32 %p1, %r13, %r0;\n"
    "  selp.u32 %r13, 0, %r13, %p1;\n"
    "  cvt.u64.u32 %rd6, %r13;\n"
    "  mul.lo.u64 %rd7, %rd6, %rd2;\n"
    "  add.u64 %rd8, %rd5, %rd7;\n"
    "  st.global.v4.u32 [%rd8], {%r9, %r10, %r11, %r12};\n"
    "  setp.ne.u32 %p2, %r13, %r1;\n"
    "  @%p2 bra PEER;\n"
    "  add.u32 %r7, %r7, %r8;\n"
    "  bra NEXT;\n"
    "DONE:\n"
    "  ret;\n"
    "}\n";
