# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which small cases stand for each family of kernels, and what makes and feeds them."""
import dataclasses
import math
import os
import subprocess
import sys

from build_detect import CASES as DETECTIONS


@dataclasses.dataclass
class Family:
    """What check_sanitizers.py runs as one."""

    builder: str  # the script that makes the cases
    cases: list  # its arguments; none if it takes none
    shapes: str  # the function of small_shapes.py that draws their data
    large: bool = True  # whether there are shapes of many tiles
    options: list = dataclasses.field(default_factory=list)  # more arguments of the script


def detections():
    """All that are small, and three that are large."""
    return ["k-4096", "m-4096", "gate-8192"] + [name for name, case in DETECTIONS.items()
                                                if math.prod(case["shape"]) <= 1 << 18]


FAMILIES = {
    "dense": Family("build_matmul", ["tails", "tails-nk", "tails-f16", "tails-f32", "tails-km", "tails-km-nk", "tiny",
                                     "tails-tf32", "tails-tf32-rounded", "tails-tf32-shallow", "tiny-tf32", "tails-fp8",
                                     "tails-fp8-f32", "tails-fp8-shallow", "tiny-fp8"], "dense"),
    # A product for each batch.
    "batched": Family("build_matmul", ["bmm-tails", "bmm-tails-nk", "bmm-tails-f16", "bmm-tails-f32", "bmm-tails-km", "bmm-tails-km-nk",
                                       "bmm-panels", "bmm-narrow", "bmm-heads", "bmm-plain", "bmm-one", "bmm-tiny", "bmm-between", "bmm-shared-a",
                                       "bmm-shared-a-km", "bmm-shared-b", "bmm-bias", "bmm-residual", "bmm-rows",
                                       "bmm-rows-f32", "bmm-gated", "bmm-tf32", "bmm-fp8", "bmm-pairs", "bmm-pairs-f32",
                                       "bmm-few-1", "bmm-few-2", "bmm-few-9", "bmm-few-16", "bmm-few-20", "bmm-few-24",
                                       "bmm-few-33", "bmm-few-40", "bmm-few-64", "bmm-few-80", "bmm-few-tf32",
                                       "bmm-few-fp8"], "batched"),
    # Without a warpgroup that only loads.
    "unspecialised": Family("build_matmul", ["plain-tails", "plain-tails-f16", "plain-tails-nk", "plain-tails-km",
                                             "plain-tails-tf32", "plain-few", "plain-shallow"], "dense"),
    # Smaller tiles with operands swapped.
    "few-rows": Family("build_matmul", ["few-2", "few-2-nk-456", "few-3-72", "few-9-200", "few-15-264", "few-16-1032",
                                        "few-17-nk-520", "few-20", "few-20-nk", "few-31-136", "few-32-nk-200",
                                        "few-48-136", "few-63-328", "few-65-456", "few-97-nk-200", "few-100",
                                        "few-100-nk", "few-128-200", "few-129-nk-1048", "few-191-456", "few-tiny",
                                        "few-tiny-64", "few-tf32", "few-tf32-tall", "few-tf32-rounded", "few-fp8", "few-fp8-tall",
                                        "few-fp8-f32"], "dense", large=False),
    # The same in pairs of blocks along k.
    "pairs": Family("build_matmul", ["few-2-4096", "few-2-nk-4104", "few-5-3080", "few-16-2056", "few-17-nk-2056",
                                     "few-24-4096", "few-31-4096", "few-32-nk-2560", "few-33-f16", "few-40-4168",
                                     "few-48-3072", "few-64-nk-2048", "few-65-2312", "few-80-nk-4096",
                                     "few-97-nk-4096", "few-100-3000", "few-112-5000", "few-128-4096",
                                     "few-129-nk-4096", "few-130", "few-160-2568",
                                     "few-tf32-pairs", "few-tf32-pairs-rounded", "few-fp8-pairs", "few-fp8-pairs-f32"], "dense", large=False),
    "epilogues": Family("build_epilogues", ["tails", "tails-nk", "tails-f32", "tails-f16", "tails-gated",
                                            "tails-gated-nk", "tails-gated-f32", "tails-rows", "tails-rows-gated",
                                            "few-tails", "few-pairs", "few-gated-pairs", "tiny", "tails-tf32",
                                            "tails-tf32-gated"],
                        "epilogues"),
    "gathered": Family("build_matmul", ["gathered-tails", "gathered-tails-nk", "gathered-tails-f32",
                                        "gathered-tails-f16"], "gathered"),
    "listed-k": Family("build_matmul", ["ksum-tails", "ksum-tails-f32", "ksum-tails-f16", "ksum-even",
                                        "ksum-large"],
                       "listed_sum"),
    "segments": Family("build_grouped", ["tails", "tails-nk", "tails-packed", "tails-packed-nk", "tails-f16",
                                         "tails-f32", "tails-scattered", "tails-scattered-f32", "even", "even-packed",
                                         "tails-tf32", "tails-tf32-scattered", "tails-tf32-rounded"],
                       "segments"),
    "segments-drawn": Family("build_grouped", ["tails-drawn", "tails-drawn-packed", "tails-drawn-nk",
                                               "tails-drawn-scattered-f32"], "segments"),
    "segments-short": Family("build_grouped", ["tails-short", "tails-short-nk", "tails-short-packed",
                                               "tails-short-f16", "tails-short-scattered", "tails-tf32-short"],
                             "segments"),
    "blocks": Family("build_blocks", ["one", "dynamic", "tails", "tails@1", "tails-f16", "tails-64x64", "tails-32x32",
                                      "tails-8x16", "tails-16x256", "tails-128x64", "tails-96x64"], "blocks"),
    # By a mask; where little is dead, it comes as zeros.
    "given": Family("build_blocks", ["given-tails", "given-16x64", "given-128x128", "km-given-64x64", "b-given-64x64",
                                     "bt-given-32x64", "bt-given-16x128", "long-16x64"], "blocks"),
    # By a mask that no kernel follows: what is dead becomes zeros first.
    "cleared": Family("build_blocks", ["tails-4x2-given", "rows-2x1-given", "b-2x2-given", "bt-4x4-given"], "blocks"),
    # Pieces of rows, gathered.
    "rows": Family("build_blocks", ["one-1x64", "dynamic-1x64", "tails-1x64", "tails-1x64@2", "tails-1x64-f16",
                                    "tails-1x64-f16@2", "long-1x64@1", "rows-1x64", "wide-1x64", "wide-1x64-given",
                                    "rows-1x64-given"], "blocks"),
    # The same of B, or of an A stored [k, m].
    "blocks-of-b": Family("build_blocks", ["b-one", "b-dynamic", "b-tails", "b-tails-f16", "b-tails-16x64",
                                           "b-tails-64x128", "b-tails-128x64", "b-wide", "bt-dynamic", "bt-tails",
                                           "bt-tails-8x16", "bt-tails-64x64", "bt-tails-128x256", "km-tails",
                                           "km-given"], "blocks"),
    # The first product says what is live of its output.
    "feed-forward": Family("build_feed_forward", ["tails-200-blocks", "tails-513-blocks", "tails-1000-blocks", "tiny-128-blocks",
                                                  "tiny-4096-blocks"], "feed_forward"),
    # Of few tokens, whose products clusters share.
    "feed-forward-few": Family("build_feed_forward", ["opt-125m-1", "opt-125m-2", "opt-125m-8", "opt-125m-16",
                                                       "opt-125m-32"], "feed_forward"),
    # Blocks of the output.
    "sampled": Family("build_sampled", ["one", "dynamic", "tails-128x128", "tails-64x64", "tails-256x64",
                                        "tails-64x512", "many"], "sampled"),
    # Micro-tiles of few k, with what packs them; where much is live, nothing is skipped.
    "packed": Family("build_blocks", ["one-16x1", "dynamic-32x1", "tails-32x1", "tails-16x2", "tails-64x4",
                                      "tails-32x16", "small-32x1", "small-64x1", "long-32x1", "few-16x1", "few-4x1",
                                      "few-2x1", "few-32x1", "few-64x2", "few-of-70"], "blocks"),
    # The same by a mask, that the dense product applies in registers; and with a look at some of A before anything is packed.
    "packed-given": Family("build_blocks", ["tails-32x1-given", "tails-16x2-given", "tails-64x4-given",
                                            "tails-32x8-given", "tails-32x16-given", "few-16x1-given",
                                            "wide-32x1-given", "wide-16x2-given", "wide-64x16-given"], "blocks"),
    "packed-wide": Family("build_blocks", ["wide-32x1", "wide-16x2", "wide-32x4", "wide-64x16"], "blocks"),
    # Attention by sequence, and rows: a whole layer.
    "attention": Family("build_encoder", ["layer-small", "layer-small-64", "layer-small-128"], "encoder", large=False),
    "detect": Family("build_detect", detections(), "detections"),
    # The inverse of an index, and sums through it.
    "sums": Family("build_sums", ["tails", "tails-f32", "tails-f16", "tails-odd", "tails-columns", "tails-long",
                                  "tails-added", "tails-wide"], "sums"),
    "router": Family("build_router", ["tails-5", "tails-8", "tails-32", "tails-40", "tails-128", "tails-250", "tails-2056"], "router"),
    "experts": Family("build_moe", ["tiny", "tiny-relu", "tiny-short", "tiny-relu-short", "tiny-biases", "tiny-biases-2",
                                     "tiny-biases-short", "tiny-biases-2-short"], "experts"),
    # The second product starts before the first one ends.
    "experts-handed": Family("build_moe", ["tiny-handed", "tiny-handed-relu", "tiny-handed-short",
                                           "tiny-handed-relu-short"], "experts"),
    "mma": Family("build_mma", ["tails", "tails-nk", "tails-f16", "tails-f32", "tails-km", "tails-km-nk", "narrow",
                                "narrow-km-nk", "tiny", "by-8", "by-8-km-nk", "by-4", "by-4-km-nk", "by-2",
                                "by-2-km-nk", "by-2-f32", "gathered-tails", "gathered-tails-nk", "gathered-tails-f32",
                                "gathered-by-4", "gathered-by-2", "segments", "segments-nk", "segments-packed",
                                "segments-f32", "segments-scattered", "segments-by-2", "segments-narrow-short"],
                  "mma", options=["--device", "sm_90a"]),
    "mma-f32": Family("build_mma", ["f32-" + name for name in (
        "tails", "tails-nk", "tails-km", "tails-km-nk", "narrow", "narrow-km-nk", "tiny", "by-8", "by-8-km-nk", "by-4",
        "by-4-nk", "by-4-km", "by-4-km-nk", "gathered-tails", "gathered-by-4", "segments", "segments-nk",
        "segments-scattered", "segments-packed-by-4", "rounded")], "mma", options=["--device", "sm_90a"]),
    # Threads multiply f32 as they are.
    "simt": Family("build_mma", ["simt-" + name for name in (
        "wide", "wide-km-nk", "tails", "tails-nk", "tails-km", "tails-km-nk", "narrow", "narrow-km-nk", "tiny", "by-8", "by-8-km-nk", "by-4",
        "by-4-nk", "by-4-km", "by-4-km-nk", "gathered-tails", "gathered-by-4", "segments", "segments-nk",
        "segments-scattered", "segments-packed-by-4", "rounded")], "mma", options=["--device", "sm_90a"]),
    "simt-epilogues": Family("build_epilogues", ["simt-gated", "simt-gated-nk", "simt-tails-gated"], "epilogues"),
    # Tiles without matrix units, one thread per element.
    "examples": Family("build_examples", [], "example", options=["--kinds", "sparse"], large=False),
}


# All cases of these are assembled by test/Conversion.
ASSEMBLED = ("build_blocks", "build_detect", "build_epilogues", "build_matmul", "build_sums")


def build(binaries, out, name, for_device=True):
    """Compiles the cases of a family, each to a directory of OUT/NAME, which it returns. Not for a device, they are assembled only to
    see whether that says anything that is not seen elsewhere."""
    family, folder = FAMILIES[name], os.path.join(out, name)
    options, environment = family.options, dict(os.environ, PIT_PIPELINE_OPTIONS="least-us=0")
    if not for_device:
        options = [] if "--device" in options else options
        if family.builder in ASSEMBLED:
            environment["PIT_PTXAS"] = "none"
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), family.builder + ".py")
    subprocess.run([sys.executable, script, binaries, folder, *family.cases, *options], check=True, env=environment,
                   stdout=subprocess.DEVNULL)
    return folder
