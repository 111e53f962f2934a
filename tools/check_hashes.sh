#!/usr/bin/env bash
# tools/check_hashes.sh [gcc|clang|aarch64]...: the hashes of worlds in tests/golden/worlds.txt as other compilers and
# another processor find them. The latter runs under qemu, without Highway and oneTBB, which are not there for it.
set -euo pipefail
cd "$(dirname "$0")/.."
golden=tests/golden/worlds.txt
[ $# -gt 0 ] || set -- gcc clang aarch64

for kind in "$@"; do
  build=build/hashes-$kind
  options=(-DCMAKE_BUILD_TYPE=Release -DSUDAR_BUILD_HASHES=ON -DSUDAR_BUILD_CLI=OFF -DSUDAR_BUILD_TESTS=OFF
           -DSUDAR_INSTALL=OFF -DSUDAR_PRECISIONS=f32)
  run=()
  case $kind in
    gcc) options+=(-DCMAKE_CXX_COMPILER=g++) ;;
    clang) options+=(-DCMAKE_CXX_COMPILER=clang++) ;;
    aarch64)
      options+=(-DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64
                -DSUDAR_USE_HIGHWAY=OFF -DSUDAR_USE_TBB=OFF -DCMAKE_EXE_LINKER_FLAGS=-static
                -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1 -DSUDAR_PCH=ON -DSUDAR_UNITY=ON -DSUDAR_UNITY_FILES=16)
      run=(qemu-aarch64)
      ;;
    *) echo "usage: tools/check_hashes.sh [gcc|clang|aarch64]..." >&2; exit 2 ;;
  esac
  cmake -S . -B "$build" -G Ninja "${options[@]}" >/dev/null
  cmake --build "$build" --target world_hashes >/dev/null
  if "${run[@]}" "$build/tests/golden/world_hashes" "$golden" >"$build/worlds.txt"; then
    echo "$kind: $(grep -c . "$build/worlds.txt") hashes as in $golden"
  else
    echo "$kind: hashes differ from $golden:" >&2
    diff <(grep -v '^#' "$golden") "$build/worlds.txt" >&2 || true
    exit 1
  fi
done
