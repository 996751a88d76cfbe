#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense attention compiled by PIT against what is written by hand, in one process.

    bench.py [--check] [--reruns N] [--output FILE] DIRECTORY...

DIRECTORY is one of build.py. Results are compared with f64. Times are of one call each after the L2 cache was
overwritten, alternating between all, as CUDA graphs (FA4, which cannot be recorded, by its Python function); what finds the live tiles of a mask is inside PIT's. Peers are those
that are there: torch's SDPA by its backends (with the mask as a tensor where there is one), FlexAttention with its block
mask made before, FA4 (flash_attn.cute) where it can express the mask. One that cannot is given with the reason.
"""
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "gpu"))
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: E402

import harness  # noqa: E402
import programs  # noqa: E402
from timing import capture, time_flushed  # noqa: E402
from torch_program import DTYPES, TorchProgram, check_same_bits  # noqa: E402


def make_mask(case):
    """Truth values of a case's mask, or of the one that its comparisons of positions make, of [.., position, position];
    of a bias, its numbers."""
    n, m = case.positions, case.num_keys
    i, j = torch.arange(n, device="cuda")[:, None], torch.arange(m, device="cuda")[None]
    if case.mask == "causal":
        return j <= i
    if case.mask in ("window", "longformer"):
        mask = (i - j).abs() <= case.window
        if case.mask == "longformer":
            seen = torch.randperm(n, device="cuda")[:case.tokens]
            mask[seen, :] = True
            mask[:, seen] = True
        return mask
    if case.mask == "blocks":
        rows, columns = -(-n // case.block), -(-m // case.block)
        live = torch.rand(rows, columns, device="cuda") < case.share
        live[torch.arange(rows), torch.arange(rows) % columns] = True
        return live.repeat_interleave(case.block, 0).repeat_interleave(case.block, 1)[:n, :m].contiguous()
    if case.mask == "bias":
        return torch.randn(case.mask_shape, device="cuda", dtype=DTYPES[case.added])
    if case.mask == "lengths":
        return torch.arange(m, device="cuda")[None] < torch.randint(m // 8, m // 2, (case.batch, 1), device="cuda")
    return None


class Case:
    def __init__(self, driver, directory):
        self.name = harness.read_json(directory)["name"]
        self.case = case = programs.make(self.name)
        torch.manual_seed(0)
        dtype = DTYPES[case.dtype]
        q = torch.randn(case.query_shape, device="cuda", dtype=dtype)
        k, v = (torch.randn(case.key_shape, device="cuda", dtype=dtype) for _ in range(2))
        self.mask = make_mask(case)
        if case.by_batch and case.mask != "bias":
            self.mask = torch.stack([make_mask(case) for _ in range(case.batch)])
        self.added = None
        if case.added:
            self.added = self.mask if case.mask == "bias" else torch.zeros(
                self.mask.shape, device="cuda", dtype=DTYPES[case.added]).masked_fill_(~self.mask, float("-inf"))
        self.inputs = [q, k, v] + ([self.mask if self.added is None else self.added] if case.mask_shape else [])
        # As those who call kernels have them: [batch, head, position, element].
        self.q = q.view(case.batch, case.heads, case.positions, case.width)
        self.k, self.v = k, v
        self.program = TorchProgram(driver, directory)
        self.out = self.program.prepare(self.inputs)[0]

    def exact(self, dtype=torch.float64):
        """By batch and head, so that little memory is taken."""
        case = self.case
        out = torch.empty(self.q.shape, device="cuda", dtype=torch.float64)
        for b in range(case.batch):
            mask = self.mask
            if mask is not None and case.mask == "lengths":
                mask = self.mask[b][None]
            elif case.by_batch:
                mask = self.mask[b]
            for h in range(case.heads):
                k, v = self.k[b, h // case.group].to(dtype), self.v[b, h // case.group].to(dtype)
                scores = self.q[b, h].to(dtype) @ k.T * case.width ** -0.5
                if case.mask == "bias":
                    ofhead = mask.view(case.heads, *mask.shape[-2:])[h] if case.by_head else mask
                    scores = scores + ofhead.to(dtype)
                elif mask is not None:
                    scores = scores.masked_fill(~mask, float("-inf"))
                out[b, h] = scores.softmax(-1) @ v
        return out

    def sdpa(self, backend):
        mask = self.mask if self.case.mask not in ("none", "causal") else None
        if mask is not None and self.added is not None:
            # Its kernels want numbers of the queries' type. Graphs read them later.
            self.narrowed = mask = self.added.to(self.q.dtype)
        if mask is not None and self.case.mask == "lengths":
            mask = mask[:, None, None]
        elif mask is not None and self.case.by_batch:
            mask = mask[:, None]
        elif mask is not None and self.case.by_head:
            mask = mask.view(1, self.case.heads, *mask.shape[-2:])
        causal, gqa = self.case.mask == "causal", self.case.group > 1

        def call(_):
            with sdpa_kernel(backend):
                return F.scaled_dot_product_attention(self.q, self.k, self.v, attn_mask=mask, is_causal=causal,
                                                      enable_gqa=gqa)
        return call

    def flex(self):
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention
        case, mask = self.case, self.mask
        if mask is None:
            raise RuntimeError("no mask")
        if case.mask == "bias":
            raise RuntimeError("no mask")
        if case.by_batch:
            def allowed(b, h, i, j):
                return mask[b, i, j]
        elif case.mask == "lengths":
            def allowed(b, h, i, j):
                return mask[b, j]
        else:
            def allowed(b, h, i, j):
                return mask[i, j]
        blocks = create_block_mask(allowed, case.batch if case.mask == "lengths" or case.by_batch else None, None, case.positions,
                                   case.num_keys, device="cuda")
        compiled = torch.compile(flex_attention, dynamic=False)
        return lambda _: compiled(self.q, self.k, self.v, block_mask=blocks, enable_gqa=case.group > 1)

    def fa4(self):
        from flash_attn.cute.interface import flash_attn_func
        case = self.case
        if case.mask not in ("none", "causal", "window"):
            raise RuntimeError("its public function has no mask of data")
        q, k, v = (x.transpose(1, 2) for x in (self.q, self.k, self.v))
        window = (case.window, case.window) if case.mask == "window" else (None, None)

        def call(_):
            out = flash_attn_func(q, k, v, causal=case.mask == "causal", window_size=window)
            return (out[0] if isinstance(out, tuple) else out).transpose(1, 2)
        return call

    def peers(self):
        made = {"sdpa-flash": lambda: self.sdpa(SDPBackend.FLASH_ATTENTION),
                "sdpa-cudnn": lambda: self.sdpa(SDPBackend.CUDNN_ATTENTION),
                "sdpa-efficient": lambda: self.sdpa(SDPBackend.EFFICIENT_ATTENTION),
                "flex": self.flex, "fa4": self.fa4}
        return made

    def measure(self, options, flush):
        self.program.launch()
        self.program.check_status()
        out, exact = self.out.view(self.q.shape).double(), self.exact()
        error = float((out - exact).abs().max())
        record = {"case": self.name, "error": error, "launches": len(self.program.calls), "peers": {}}
        if not error < 0.05:
            raise RuntimeError(f"{self.name}: largest error {error}")
        if options.reruns:
            check_same_bits(self.name, self.out, self.program.launch, options.reruns)
        if options.check:
            return record
        functions = {"pit": capture(lambda stream: self.program.launch(stream))}
        for name, make in self.peers().items():
            if options.peers and name not in options.peers.split(","):
                continue
            try:
                call = make()
                theirs = call(None)
                record.setdefault("errors", {})[name] = float((theirs.double() - exact).abs().max())
                # What it launches does not follow the stream that is recorded.
                functions[name] = (lambda call=call: call(None)) if name == "fa4" else capture(call)
            except Exception as why:  # pylint: disable=broad-except
                torch.cuda.synchronize()
                record["peers"][name] = {"missing": str(why).strip().splitlines()[0][:200] or type(why).__name__}
        calls = list(functions.values())
        time_flushed(calls, flush, 2)
        times = dict(zip(functions, time_flushed(calls, flush, options.rounds)))
        record["ms"] = round(statistics.median(times.pop("pit")), 5)
        for name, values in times.items():
            record["peers"][name] = {"ms": round(statistics.median(values), 5)}
        best = min(peer["ms"] for peer in record["peers"].values() if "ms" in peer)
        record["ratio"] = round(best / record["ms"], 3)
        return record


def main():
    parser = harness.parser(__doc__, "DIRECTORY", rounds=15)
    parser.add_argument("--reruns", type=int, default=0, help="launches that must give the same bits")
    parser.add_argument("--peers", help="only these, with commas between them")
    options = parser.parse_args()
    driver, flush = harness.start(), harness.flush_buffer(options)
    return harness.run(options, options.cases, lambda name: Case(driver, name).measure(options, flush))


if __name__ == "__main__":
    sys.exit(main())
