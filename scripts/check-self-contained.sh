#!/usr/bin/env bash
# Checks that tools built with the preset `self-contained` run where neither LLVM nor CUDA is installed.
#   scripts/check-self-contained.sh [BUILD FOLDER]      (default: build-self-contained)
set -euo pipefail
source_dir="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="${1:-$source_dir/build-self-contained}"
limit=$((60 * 1024 * 1024))
for tool in pit-fuzz pit-run pit-opt; do
  binary="$build/bin/$tool"
  foreign="$(ldd "$binary" | awk '{print $1}' |
    grep -vE '^(linux-vdso|/lib.*/ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so)' || true)"
  if [ -n "$foreign" ]; then
    echo "$tool needs: $foreign" >&2
    exit 1
  fi
  bytes="$(gzip -1 -c "$binary" | wc -c)"
  echo "$tool: $(stat -c %s "$binary") bytes, $bytes compressed; needs $(objdump -T "$binary" |
    grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -1)"
  if [ "$bytes" -gt "$limit" ]; then
    echo "$tool is larger than $limit bytes compressed" >&2
    exit 1
  fi
done
env -i PIT_CUDA_DRIVER=none "$build/bin/pit-run" "$source_dir/examples/sparse_matmul_m.mlir" \
  --random=normal@100x256 --random=bool:0.3@100 --random=normal --check
env -i "$build/bin/pit-opt" "$source_dir/examples/sparse_matmul_m.mlir" --pit-to-cuda="chip=sm_90a" -o /dev/null
env -i PIT_CUDA_DRIVER=none "$build/bin/pit-fuzz" --seeds 0:20
env -i PIT_CUDA_DRIVER=none "$build/bin/pit-fuzz" --target cuda --compile-only --seeds 0:20
