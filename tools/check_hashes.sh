#!/usr/bin/env bash
# tools/check_hashes.sh [gcc|clang|scalar|aarch64][-O1|-O2|-O3]...: the golden hashes of worlds and scenes (tests/golden) as
# other compilers, other levels of optimisation and another processor find them, in the library of float and in that of double.
# `scalar` is gcc without Highway; aarch64 runs under qemu, without Highway and oneTBB, which are not there for it. Without
# arguments: gcc clang scalar aarch64.
#   SUDAR_COMBINATIONS  how many combinations of broad phase, threads (1 to 8) and instruction set each value is computed with,
#                       in turn, beside the plain one: a number, `once` (as many as it takes for each to come up for some
#                       value, the default) or `all` (each for every value: ten minutes of processor time, hours under qemu)
#   SUDAR_JOBS          how many compile at once
set -euo pipefail
cd "$(dirname "$0")/.."
golden=(tests/golden/worlds.txt tests/golden/scenes.txt)
[ $# -gt 0 ] || set -- gcc clang scalar aarch64

for cell in "$@"; do
  kind=${cell%-O*}
  level=O${cell##*-O}
  build=build/hashes-$cell
  # One level for the whole build, and files of a room compiled together: this is about bits, not about time
  options=(-DCMAKE_BUILD_TYPE=None -DSUDAR_BUILD_HASHES=ON -DSUDAR_BUILD_CLI=OFF -DSUDAR_BUILD_TESTS=OFF
           -DSUDAR_INSTALL=OFF "-DSUDAR_PRECISIONS=f32;f64" -DSUDAR_PCH=ON -DSUDAR_UNITY=ON -DSUDAR_UNITY_FILES=16)
  run=()
  case $kind in
    gcc) options+=(-DCMAKE_CXX_COMPILER=g++); default=O3 ;;
    clang) options+=(-DCMAKE_CXX_COMPILER=clang++); default=O2 ;;
    scalar) options+=(-DCMAKE_CXX_COMPILER=g++ -DSUDAR_USE_HIGHWAY=OFF); default=O2 ;;
    aarch64)
      options+=(-DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64
                -DSUDAR_USE_HIGHWAY=OFF -DSUDAR_USE_TBB=OFF -DCMAKE_EXE_LINKER_FLAGS=-static)
      run=(qemu-aarch64)
      default=O2
      ;;
    *) echo "usage: tools/check_hashes.sh [gcc|clang|scalar|aarch64][-O1|-O2|-O3]..." >&2; exit 2 ;;
  esac
  [ "$cell" != "$kind" ] || level=$default
  cmake -S . -B "$build" -G Ninja "${options[@]}" -DCMAKE_CXX_FLAGS="-$level" >/dev/null
  nice cmake --build "$build" --target golden_hashes golden_hashes_f64 ${SUDAR_JOBS:+-j "$SUDAR_JOBS"} >"$build/build.log" ||
    { tail -40 "$build/build.log" >&2; exit 2; }
  for program in golden_hashes golden_hashes_f64; do
    if nice "${run[@]}" "$build/tests/golden/$program" "${SUDAR_COMBINATIONS:-once}" "${golden[@]}" \
         >"$build/golden.txt" 2>"$build/said.txt"; then
      echo "$kind -$level: $(grep -c . "$build/golden.txt") hashes as in ${golden[*]}; $(tail -n 1 "$build/said.txt")"
    else
      cat "$build/said.txt" >&2
      echo "$kind -$level: hashes differ from ${golden[*]}:" >&2
      diff <(grep -hv '^#' "${golden[@]}") "$build/golden.txt" >&2 || true
      exit 1
    fi
  done
done
