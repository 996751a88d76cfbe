#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention compiled by PIT from dense programs against what is written by hand, in one process.

    bench_gradients.py [--check] [--reruns N] [--output FILE] DIRECTORY...

DIRECTORY is one of backward.* of build.py. Results are compared with gradients in f64; errors are the largest differences,
relative to the largest element. Times are of one call each after the L2 cache was overwritten, alternating between all, as
CUDA graphs where they can be recorded; the forward is not in them. Peers are torch's backward operations of its backends
and FA4 (flash_attn.cute), as it is and deterministic. One that cannot is given with the reason.
"""
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "gpu"))
import torch  # noqa: E402

import harness  # noqa: E402
import programs  # noqa: E402
from bench import make_mask  # noqa: E402
from timing import capture, time_flushed  # noqa: E402
from torch_program import DTYPES, TorchProgram, check_same_bits  # noqa: E402

aten = torch.ops.aten


class Case:
    def __init__(self, driver, directory):
        self.name = harness.read_json(directory)["name"]
        self.case = case = programs.GRADIENTS[self.name.split(":", 1)[1]]
        torch.manual_seed(0)
        dtype = DTYPES[case.dtype]
        shape = (case.batch, case.heads, case.positions, case.width)
        self.q, self.do = (torch.randn(shape, device="cuda", dtype=dtype) for _ in range(2))
        self.k, self.v = (torch.randn(case.key_shape, device="cuda", dtype=dtype) for _ in range(2))
        if case.cap:
            # Scores beside the cap, not far below it.
            self.q *= case.cap / 4
        self.mask = make_mask(case)
        self.forward()
        wide = case.query_shape
        inputs = [self.q.view(wide), self.k, self.v] + ([self.mask] if case.mask_shape else [])
        inputs += [self.do.view(wide), self.out.view(wide), self.lse.view(wide[:-1])]
        self.program = TorchProgram(driver, directory)
        self.results = self.program.prepare(inputs)

    def mask_of(self, b):
        return None if self.mask is None else self.mask[b][None] if self.case.mask == "lengths" else self.mask

    def forward(self):
        """The result, its logarithms, and exact gradients, in f64, by batch and head, so that little memory is taken."""
        case = self.case
        self.out, self.lse = torch.empty_like(self.q), torch.empty(self.q.shape[:-1], device="cuda")
        self.exact = [torch.zeros(x.shape, device="cuda", dtype=torch.float64) for x in (self.q, self.k, self.v)]
        is_bias = case.mask == "bias"
        if is_bias:
            self.exact.append(torch.zeros((case.heads, case.positions, case.positions), device="cuda", dtype=torch.float64))
        scale = case.width ** -0.5
        for b in range(case.batch):
            mask = self.mask_of(b)
            for h in range(case.heads):
                of_keys = h // case.group
                q, do = (x[b, h].double() for x in (self.q, self.do))
                k, v = (x[b, of_keys].double() for x in (self.k, self.v))
                scores = q @ k.T * scale
                slope = scale
                if case.cap:
                    tanh = (scores / case.cap).tanh_()
                    scores, slope = tanh * case.cap, (1 - tanh * tanh) * scale
                if is_bias:
                    scores += self.mask.view(-1, *self.mask.shape[-2:])[h].double()
                elif mask is not None:
                    scores.masked_fill_(~mask, float("-inf"))
                lse = scores.logsumexp(-1)
                p = (scores - lse[:, None]).exp()
                del scores
                out = p @ v
                self.out[b, h], self.lse[b, h] = out.to(self.out.dtype), lse.float()
                dl = p * (do @ v.T - (do * out).sum(-1, keepdim=True))
                ds = dl * slope
                for target, head, value in zip(self.exact, (h, of_keys, of_keys), (ds @ k, ds.T @ q, p.T @ do)):
                    target[b, head] += value
                if is_bias:
                    self.exact[3][h] += dl

    def errors(self, results):
        return [float((x.reshape(y.shape).double() - y).abs().max() / y.abs().max()) for x, y in zip(results, self.exact)]

    def cudnn(self):
        if self.case.cap or self.case.mask == "bias":
            raise RuntimeError("no soft caps, and no gradients of biases")
        bias = None
        if self.mask is not None and self.case.mask != "causal":
            mask = self.mask[:, None, None] if self.case.mask == "lengths" else self.mask
            bias = torch.zeros(mask.shape, device="cuda", dtype=self.q.dtype).masked_fill_(~mask, float("-inf"))
            bias = bias.expand(self.case.batch, self.case.heads, self.case.positions, self.case.positions)
        causal = self.case.mask == "causal"
        out, lse, cq, ck, mq, mk, seed, offset, _ = aten._scaled_dot_product_cudnn_attention(
            self.q, self.k, self.v, bias, True, 0.0, causal, False)
        return lambda _: aten._scaled_dot_product_cudnn_attention_backward(
            self.do, self.q, self.k, self.v, out, lse, seed, offset, bias, cq, ck, mq, mk, 0.0, causal)

    def efficient(self):
        """The only one of torch with the gradient of a bias, which it has for each sequence."""
        case = self.case
        if case.mask != "bias":
            raise RuntimeError("others are faster")
        bias = self.mask.view(1, case.heads, case.positions, case.positions).expand(case.batch, -1, -1, -1).to(self.q.dtype)
        out, lse, seed, offset = aten._scaled_dot_product_efficient_attention(self.q, self.k, self.v, bias, True)

        def call(_):
            found = aten._scaled_dot_product_efficient_attention_backward(
                self.do, self.q, self.k, self.v, bias, out, lse, seed, offset, 0.0, [True] * 4)
            return [*found[:3], found[3].sum(0)]
        return call

    def flash(self):
        if self.case.cap:
            raise RuntimeError("no soft caps")
        if self.mask is not None and self.case.mask != "causal":
            raise RuntimeError("no mask of data")
        causal = self.case.mask == "causal"
        out, lse, cq, ck, mq, mk, seed, offset, _ = aten._scaled_dot_product_flash_attention(
            self.q, self.k, self.v, 0.0, causal, False)
        return lambda _: aten._scaled_dot_product_flash_attention_backward(
            self.do, self.q, self.k, self.v, out, lse, cq, ck, mq, mk, 0.0, causal, seed, offset)[:3]

    def fa4(self, deterministic):
        from flash_attn.cute.interface import _flash_attn_bwd
        case = self.case
        if case.mask not in ("none", "causal", "window") or case.cap:
            raise RuntimeError("its public function has no mask of data, and no cap in the backward")
        q, k, v, out, do = (x.transpose(1, 2).contiguous() for x in (self.q, self.k, self.v, self.out, self.do))
        options = {"causal": case.mask == "causal", "deterministic": deterministic}
        if case.mask == "window":
            options.update(window_size_left=case.window, window_size_right=case.window)
        return lambda _: [x.transpose(1, 2) for x in _flash_attn_bwd(q, k, v, out, do, self.lse, **options)[:3]]

    def peers(self):
        return {"sdpa-cudnn": self.cudnn, "sdpa-flash": self.flash, "sdpa-efficient": self.efficient, "fa4": lambda: self.fa4(False),
                "fa4-deterministic": lambda: self.fa4(True)}

    def measure(self, options, flush):
        self.program.launch()
        self.program.check_status()
        record = {"case": self.name, "errors": {"pit": self.errors(self.results)}, "launches": len(self.program.calls),
                  "peers": {}}
        if not max(record["errors"]["pit"]) < 0.03:
            raise RuntimeError(f"{self.name}: errors {record['errors']['pit']}")
        if options.reruns:
            for result in self.results:
                check_same_bits(self.name, result, self.program.launch, options.reruns)
        if options.check:
            return record
        functions = {"pit": capture(lambda stream: self.program.launch(stream))}
        for name, make in self.peers().items():
            if options.peers and name not in options.peers.split(","):
                continue
            try:
                call = make()
                record["errors"][name] = self.errors(call(None))
                functions[name] = (lambda call=call: call(None)) if name.startswith("fa4") else capture(call)
            except Exception as why:  # pylint: disable=broad-except
                torch.cuda.synchronize()
                record["peers"][name] = {"missing": str(why).strip().splitlines()[0][:200] or type(why).__name__}
        calls = list(functions.values())
        time_flushed(calls, flush, 2)
        times = dict(zip(functions, time_flushed(calls, flush, options.rounds)))
        record["ms"] = round(statistics.median(times.pop("pit")), 5)
        for name, values in times.items():
            record["peers"][name] = {"ms": round(statistics.median(values), 5)}
        found = [peer["ms"] for peer in record["peers"].values() if "ms" in peer]
        record["ratio"] = round(min(found) / record["ms"], 3) if found else None
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
