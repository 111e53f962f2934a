#!/usr/bin/env bash
# Every public header compiles alone, in both precisions.
set -euo pipefail
cd "$(dirname "$0")/.."
check() {
  for precision in "" -DSUDAR_DOUBLE=1; do
    "${CXX:-g++}" -std=c++20 -fsyntax-only -Wall -Wextra -Werror $precision -I. -x c++ - <<<"#include <$1>" ||
      { echo "does not compile alone: $1 $precision"; exit 255; }
  done
}
export -f check
mapfile -t headers < <(git ls-files --cached --others --exclude-standard 'sudar/*.hpp' | grep -v -- '-inl.hpp$')
printf '%s\n' "${headers[@]}" | xargs -P "$(nproc)" -I{} bash -c 'check {}'
echo "headers: ${#headers[@]} compile alone"
