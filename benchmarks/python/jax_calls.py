#!/usr/bin/env python3
# ===- jax_calls.py - Compiled functions inside jax.jit, against XLA ---------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Functions of JAX inside `jax.jit`, compiled by PIT as calls of XLA, against `jax.jit` alone, where JAX's arrays are.

    jax_calls.py [--json FILE] [--rounds N] [--tf32]

Both sides multiply in f32; with `--tf32`, on a GPU, both may use its tensor cores for that, as JAX does by default. Each case is called in turn with its peer; times are medians of rounds. `difference` is the largest one, relative to
the largest element. `call` is what a call costs: a program of one addition of 8 x 8.
"""

import argparse
import json
import statistics
import time

import jax
import jax.numpy as jnp
import numpy as np

import pit_mlir.jax


def normal(*shape, seed=0):
    return jnp.asarray(np.random.default_rng(seed).normal(size=shape), jnp.float32)


def experts(choose):
    """Experts as they are written for dense arrays: a gate for each token and expert, zero for most."""

    def f(x, router, up, down):
        hidden = jax.nn.relu(jnp.einsum("td,edf->tef", x, up))
        return jnp.einsum("te,tef,efd->td", choose(jax.nn.softmax(x @ router)), hidden, down)

    return f


def top_1(p):
    return jax.nn.one_hot(p.argmax(-1), p.shape[1]) * p


def top_2(p):
    values, places = jax.lax.top_k(p, 2)
    return (jax.nn.one_hot(places, p.shape[1]) * (values / values.sum(-1, keepdims=True))[..., None]).sum(-2)


def attention(q, k, v, lengths):
    positions = jnp.arange(k.shape[1])
    live = (positions < lengths[:, None])[:, None, :] & (positions <= jnp.arange(q.shape[1])[:, None])
    scores = jnp.where(live, q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5, -jnp.inf)
    return jax.nn.softmax(scores) @ v


def squared(f):
    return lambda *args: (f(*args) ** 2).sum()


def cases():
    weights = normal(512, 256), normal(256, 16, seed=1), normal(16, 256, 512, seed=2) * 0.05, normal(16, 512, 256, seed=3) * 0.05
    heads = tuple(normal(8, 512, 64, seed=seed) for seed in range(3)) + (jnp.asarray([512, 100, 300, 64, 512, 200, 1, 400]),)
    yield "call", lambda a, b: a + b, (normal(8, 8), normal(8, 8, seed=1)), False
    yield "experts-16-top-1", experts(top_1), weights, False
    yield "experts-16-top-2", experts(top_2), weights, False
    yield "experts-16-top-1-gradients", experts(top_1), weights, True
    yield "attention-causal-lengths", attention, heads, False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--tf32", action="store_true", help="products of f32 by tensor cores")
    options = parser.parse_args()
    jax.config.update("jax_default_matmul_precision", None if options.tf32 else "highest")
    products = {"f32_products": "tf32"} if options.tf32 else {}
    found = []
    for name, function, arguments, has_gradients in cases():
        compiled = pit_mlir.jax.jit(function, fallback="error", **products)

        def wrap(f):
            return jax.jit(jax.grad(squared(f), argnums=(0, 1, 2, 3)) if has_gradients else lambda *args: f(*args))

        calls = {"pit": wrap(compiled), "xla": wrap(function)}
        results = {key: jax.tree_util.tree_leaves(call(*arguments)) for key, call in calls.items()}
        difference = max(float(jnp.abs(a - b).max() / jnp.abs(b).max()) for a, b in zip(results["pit"], results["xla"]))
        times, repeat = {key: [] for key in calls}, 200 if name == "call" else 1
        for _ in range(options.rounds):
            for key, call in calls.items():
                began = time.perf_counter()
                for _ in range(repeat):
                    jax.block_until_ready(call(*arguments))
                times[key].append((time.perf_counter() - began) / repeat * 1e3)
        pit, xla = (statistics.median(times[key]) for key in ("pit", "xla"))
        found.append({"case": name, "ms": pit, "difference": difference, "peers": {"xla": {"ms": xla}}})
        print(f"{name}: {pit:.3f} ms; XLA {xla:.3f} ms, {xla / pit:.2f}x; difference {difference:.0e}", flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"device": str(jax.devices()[0].device_kind), "jax": jax.__version__, "pit_mlir": pit_mlir.__version__, "cases": found}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
