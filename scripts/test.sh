#!/usr/bin/env bash
# Sets up what is missing, builds PIT and runs all tests. Arguments go to lit, as in
#   scripts/test.sh --filter=Analysis
# The last line reads `N passed, N failed, N skipped`; the exit code is 0 only if none failed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

pit_install_packages
pit_build all

results="$pit_build_dir/test-results"
mkdir -p "$results"
rm -f "$results"/*

pit_say "unit tests"
ctest --test-dir "$pit_build_dir" -j "$pit_jobs" --output-on-failure --no-tests=error \
  --output-junit "$results/unit.xml" >"$results/unit.log" 2>&1 || { cat "$results/unit.log"; true; }

pit_say "lit suite"
lit="$(command -v /usr/lib/llvm-22/bin/lit || command -v llvm-lit || command -v lit)" ||
  pit_die "lit is missing (Debian: llvm-22-tools)"
"$lit" -sv -j "$pit_jobs" --show-unsupported -o "$results/lit.json" "$@" "$pit_build_dir/test" || true

python3 "$pit_source_dir/scripts/count_results.py" "$results/unit.xml" "$results/lit.json"
