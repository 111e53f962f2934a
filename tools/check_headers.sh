#!/usr/bin/env bash
# Every public header compiles alone in float, and all of them together in double.
set -euo pipefail
cd "$(dirname "$0")/.."
compile() {  # compile FLAGS...: what comes on standard input
  "${CXX:-g++}" -std=c++20 -fsyntax-only -Wall -Wextra -Werror "$@" -I. -x c++ -
}
check() { compile <<<"#include <$1>" || { echo "does not compile alone: $1"; exit 1; }; }
export -f compile check
mapfile -t headers < <(git ls-files --cached --others --exclude-standard 'sudar/*.hpp' | grep -v -- '-inl.hpp$')
printf '%s\n' "${headers[@]}" | xargs -P "$(nproc)" -I{} bash -c 'check {}'
printf '#include <%s>\n' "${headers[@]}" | compile -DSUDAR_DOUBLE=1 || { echo "do not compile together in double"; exit 1; }
echo "headers: ${#headers[@]} compile alone"
