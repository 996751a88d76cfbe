#!/usr/bin/env bash
# Sets up what is missing, builds PIT, and runs two layers exported from PyTorch, each sparse and dense:
# a mixture of experts (8 experts, each token at one) and a BERT encoder layer whose batch is two thirds padding.
# Each is compared with its dense program; the reports say what was skipped and what that bought.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

pit_install_packages
pit_build pit-run

pit_run="$pit_build_dir/bin/pit-run"
examples="$pit_source_dir/examples"
status=0

# demo TITLE pit-run-arguments...
demo() {
  printf '\n'
  pit_say "$1"
  shift
  printf '   pit-run %s\n' "${*/#$pit_source_dir\//}"
  "$pit_run" "$@" --check --bench=5 --report || status=1
}

demo "Mixture of experts, 8 experts, top-1, 512 tokens" \
  "$examples/torch/moe_gate_arg.mlir" \
  --random=normal --random=topk-gate:1 --random=normal:0.05
demo "BERT encoder layer, 8 x 128 tokens, about a third of them live" \
  "$examples/torch/bert_encoder_layer.mlir" \
  --random=normal --random=lengths:20:64 --random=normal:0.05

exit "$status"
