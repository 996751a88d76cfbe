# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was run for each file of benchmarks/results: which cases, compiled by which script, measured by which."""
import dataclasses

from build_blocks import MICRO_TILES


@dataclasses.dataclass
class Job:
    builder: str  # the script that makes the cases
    cases: list  # directories, as arguments of that script
    script: str  # the one that measures
    runs: list  # its arguments, {} being the folder of the cases; records of several runs become one file
    peers: tuple = ()  # what torch must have

    def arguments(self, folder):
        return [[argument.replace("{}", folder) for argument in run] for run in self.runs]


def in_folder(names):
    """Arguments for cases; `,` separates directories, and what is behind `:` stays."""
    return [",".join("{}/" + name for name in names.split(",")) for names in names]


def directories(arguments):
    return sorted({name for argument in arguments for name in argument.partition(":")[0].split(",")})


def simple(builder, script, arguments, options=(), peers=()):
    return Job(builder, directories(arguments), script, [[*options, *in_folder(arguments)]], peers)


MATMUL = ["dense-4096", "dense-8192", "plain-4096", "plain-8192", "dense-4096-nk", "dense-4096-km", "dense-4096-f16",
          "dense-4096-f32", "rows-4096:1991", "gathered-4096:4096", "gathered-4096-nk:4096", "gathered-8192:8192",
          "gathered-4096:1991"]
DECODE = [f"decode-{m}-{n}{suffix}" for n in (4096, 14336) for m in (1, 2, 16, 32, 64, 128, 256, 512)
          for suffix in ("", "-nk")]
EPILOGUES = ["plain", "bias", "bias-relu", "bias-silu", "bias-gelu", "bias-residual", "gated", "short-plain",
             "short-bias-gelu", "short-gated", "rows-bias-relu:8192"]
MMA = ["dense-4096", "dense-8192", "dense-4096-nk", "dense-4096-km", "dense-4096-km-nk", "dense-4096-f16",
       "dense-4096-f32", "gathered-4096:4096", "gathered-4096:1991", "dense-4092", "dense-4094", "dense-4095"]
F32 = [kind + name for kind in ("f32-", "tf32-", "simt-")
       for name in ("4096", "4096-nk", "4096-km", "4096-km-nk", "8192", "gathered-4096:4096", "4094", "1024", "512-nk",
                    "128-nk", "100", "deep-16", "deep-256", "deep-65536")]
TF32 = ["tf32-4096", "tf32-8192", *(f"decode-tf32-{m}" for m in (2, 16, 64, 128, 256))]
FP8 = ["fp8-4096", "fp8-8192", "fp8-rows-4096:5000", "fp8-4096-f32", "fp8-llama", "fp8-2048-deep", "fp8-bert",
       *(f"decode-fp8-{m}" for m in (16, 64, 128, 256))]
BATCHES = ["bmm-64x1024x1024x64", "bmm-64x1024x64x1024", "bmm-64x1024x1024x64-nk", "bmm-32x512x512x512",
           "bmm-12x1000x1000x200", "bmm-64x16x128x1024", "bmm-shared-32x512x512x512"]
MOE = ["mixtral:4096", "mixtral,mixtral-short:512", "qwen3:8192", "qwen3,qwen3-short:512", "deepseek-short:4096",
       "olmoe:4096", "switch,switch-short:8192", "switch-64,switch-64-short:8192", "switch-256-short:8192",
       "swin,swin-short:6272", "mixtral-short:1", "mixtral-short:32", "mixtral:16384", "qwen3:1", "qwen3:32",
       "qwen3:2048", "qwen3:32768"]
# Every model from one token to many.
MOE_TOKENS = [f"{model},{model}-short:{tokens}"
              for model in ("mixtral", "qwen3", "deepseek", "olmoe", "switch-64", "switch", "switch-256", "swin")
              for tokens in (1, 32, 512, 4096, 32768)]
MOE_ALONE = ["qwen3:8192", "qwen3:32768", "olmoe:4096", "mixtral:4096", "deepseek-short:4096", "switch-short:8192",
             "mixtral-short:512", "qwen3:512"]
MOE_ZIPF = ["mixtral:4096", "mixtral-short:512", "qwen3:8192", "switch:8192"]
GROUPED = [f"{name},{name}-drawn,{name}-short-drawn:{tokens}:{top_k}"
           for model, tokens, top_k in (("mixtral", 4096, 2), ("mixtral", 512, 2), ("qwen3", 8192, 8),
                                        ("qwen3", 512, 8), ("switch", 8192, 1), ("deepseek", 4096, 8))
           for name in (model + "-up", model + "-down")]
BALANCED = [f"{name},{name}-drawn,{name}-short-drawn:{tokens}:{top_k}:balanced"
            for model, tokens, top_k in (("mixtral", 4096, 2), ("mixtral", 512, 2), ("qwen3", 8192, 8),
                                         ("qwen3", 512, 8), ("deepseek", 4096, 8))
            for name in (model + "-up", model + "-down")]
SUMS = ["qwen3", "qwen3-f32", "qwen3-dynamic", "mixtral", "mixtral-f32", "switch", "deepseek"]
DETECT = ["k-4096:0.1", "k-4096:0.01", "blocks-4096:0.1", "points-4096:0.1", "gate-8192", "m-4096:0.1", "rows-4096:0.1",
          "mask-4096:0.1", "lengths-64", "gate-dynamic", "k-16384:0.05", "blocks-16384:0.05"]
FEED_FORWARD = [f"{model}-{tokens}" for model in ("opt-1.3b", "opt-13b", "opt-30b")
                for tokens in (1, 4, 16, 32, 4096, "4096-blocks")]
MODELS = ["bert-base-32x128", "bert-base-128x128", "bert-base-12-32x128", "bert-large-32x512", "opt-1.3b-4x2048",
          "opt-1.3b-4x2048-relu", "opt-13b-2x2048", "opt-13b-2x2048-relu", "opt-30b-2x2048", "opt-30b-2x2048-relu", "switch-64x128", "switch-32x512"]
# The second product of feed-forward layers.
OPT_SECOND = ["opt-1.3b", "opt-13b", "opt-30b"]
PEERS_MOE = ["switch-short:8192", "mixtral:4096", "mixtral-short:512", "qwen3:8192", "qwen3:512", "deepseek-short:4096"]
GROUPED_MM = ("_grouped_mm",)

# By the name of the file, without the machine in front.
JOBS = {
    "matmul": simple("build_matmul", "bench_matmul", MATMUL),
    "decode": simple("build_matmul", "bench_matmul", DECODE, ["--copy"]),
    "kgather": simple("build_matmul", "bench_listed_sum", ["dense-4096-km", "ksum-4096"]),
    "epilogues": simple("build_epilogues", "bench_epilogues", EPILOGUES),
    "mma": simple("build_mma", "bench_mma", MMA),
    "f32": simple("build_mma", "bench_f32", F32),
    "tf32": simple("build_matmul", "bench_f32", TF32),
    "fp8": simple("build_matmul", "bench_matmul", FP8),
    "batches": simple("build_matmul", "bench_matmul", BATCHES, ["--copy"]),
    "masked-rows": Job("build_masked_rows", ["masked-rows"], "bench_masked_rows",
                       [["{}/masked-rows", "8192", "1.0,0.5,0.25,0.1"]]),
    "encoder": simple("build_encoder", "bench_encoder", [f"{part}-{shape}" for part in ("ffn", "layer")
                                                         for shape in ("128x128", "32x128", "4x2048")]),
    # Other lengths, padding on the left, BERT-large.
    "encoder-lengths": simple("build_encoder", "bench_encoder", [f"layer-{shape}" for shape in (
        "cola-128x128", "qnli-128x128", "rte-128x128", "left-128x128", "large-128x128", "large-left-4x2048")]),
    "moe": Job("build_moe", directories(MOE + MOE_ZIPF), "bench_moe",
               [in_folder(MOE), ["--zipf", *in_folder(MOE_ZIPF)]], GROUPED_MM),
    "moe-tokens": simple("build_moe", "bench_moe", MOE_TOKENS, ["--rounds", "9"], GROUPED_MM),
    "moe-alone": simple("build_moe", "bench_moe", MOE_ALONE, ["--alone", "--rounds", "61"]),
    "grouped": simple("build_grouped", "bench_grouped", GROUPED, ["--rounds", "31"], GROUPED_MM),
    "grouped-balanced": simple("build_grouped", "bench_grouped", BALANCED, ["--rounds", "31"], GROUPED_MM),
    "sums": simple("build_sums", "bench_sums", SUMS),
    "blocks": simple("build_blocks", "bench_blocks", ["32x64,given", "64x64", "32x32", "128x128"],
                     ["--zeros", "0,.3,.5,.7,.8,.9,.95,.99"]),
    "blocks-of-b": simple("build_blocks", "bench_blocks",
                          ["b-32x64,bt-32x64,32x64", "b-given,bt-given,given", "b-64x64,b-128x64,km-32x64"],
                          ["--zeros", "0,.5,.8,.9,.95,.99"]),
    "sampled": simple("build_sampled", "bench_sampled",
                      ["128x128", "64x64", "128x256", "64x128", "64x256", "128x64", "transposed"],
                      ["--zeros", "0,.3,.5,.7,.9,.99"]),
    "packed": Job("build_blocks", ["32x1", "32x1-given", "64x1", "64x1-given", "16x1", "16x1-given", "32x8", *OPT_SECOND],
                  "bench_blocks",
                  [["--zeros", "0,.3,.5,.7,.8,.9,.95,.99", "--rounds", "9",
                    *in_folder(["32x1,32x1-given", "64x1,64x1-given", "16x1,16x1-given", "32x8"])],
                   *(["--zeros", ".9,.95,.99", *in_folder([case])] for case in OPT_SECOND)]),
    "rows": simple("build_blocks", "bench_blocks", ["1x64@1,1x64-given@1,1x64@2,1x64-given@2,32x64,32x1"],
                   ["--zeros", ".5,.8,.9,.95,.99"]),
    # What a mask gives, at 200 points.
    "given": simple("build_blocks", "bench_blocks", [",".join(
        ["16x1-given", "32x1-given", "64x1-given", "32x4-given", "32x16-given", "1x64-given", "16x64-given", "given",
         "64x64-given", "128x128-given"])],
                    ["--zeros", ",".join(f"{share / 100:g}" for share in [*range(0, 85, 5), 90, 95, 99]),
                     "--rounds", "7"]),
    # Masks of micro-tiles that no kernel follows, next to the same zeros found in the values.
    "cleared": simple("build_blocks", "bench_blocks", ["2x1-given,2x1", "4x1-given,4x1", "8x1-given,8x1", "2x2-given,2x2", "4x4-given,4x4"],
                      ["--zeros", ".5,.8,.9,.95,.99"]),
    # Zeros that are not spread at random.
    "structured": Job("build_blocks", ["32x64", "given", "64x64", "32x1", "1x64@1"], "bench_blocks",
                      [["--pattern", pattern, "--zeros", ".5,.8,.9,.95,.99",
                        *in_folder(["32x64,given,64x64,32x1,1x64@1"])] for pattern in ("bands", "strips", "random")]),
    "models": simple("build_models", "bench_models", MODELS, ["--kernels"], GROUPED_MM),
    "feed-forward": simple("build_feed_forward", "bench_feed_forward", FEED_FORWARD),
    # The same with activations of a model that is trained for it.
    "trained": simple("build_feed_forward", "bench_feed_forward",
                      [f"opt-1.3b-{tokens}" for tokens in (1, 8, 32, 4096)], ["--trained", "1500"]),
    # What else a user could run; peers that are not there are part of the results.
    "peers-dense": simple("build_matmul", "bench_peers_dense", ["dense-4096", "dense-8192"]),
    "peers-moe": Job("build_moe", directories(PEERS_MOE), "bench_peers_moe",
                     [in_folder(PEERS_MOE), ["--zipf", *in_folder(PEERS_MOE)]]),
    "peers-sparse": simple("build_blocks", "bench_peers_sparse", ["32x64", "32x1", "1x64"]),
    # For the tile database.
    "micro-tiles": simple("build_blocks", "bench_micro_tiles", MICRO_TILES),
    # All cases that are small are checked, too.
    "detect": Job("build_detect", [], "bench_detect", [["{}", "--check", "--time", *DETECT]]),
}
