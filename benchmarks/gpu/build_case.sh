#!/usr/bin/env bash
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes a directory that run_manifest.py runs on a machine without LLVM: PTX, manifest, inputs, and what
# the CPU computes from them.
#   build_case.sh BIN FILE.mlir DIRECTORY [pit-run options: --random, --shape, --seed, --input ...]
# PIT_PTX_OPTIONS goes to --pit-to-ptx, for example "chip=sm_90a features=+ptx83 dense=true".
set -euo pipefail
bin="$1" program="$2" out="$3"
shift 3
mkdir -p "$out"
"$bin/pit-opt" "$program" --pit-to-ptx="${PIT_PTX_OPTIONS:-chip=sm_90a}" -o "$out/module.mlir"
"$bin/pit-translate" --pit-to-ptx "$out/module.mlir" -o "$out/kernels.ptx"
"$bin/pit-translate" --pit-to-manifest "$out/module.mlir" -o "$out/manifest.json"
"$bin/pit-run" "$program" "$@" --save-inputs "$out/input" --output "$out/expected" >/dev/null
