#!/usr/bin/env bash
# clang-tidy (.clang-tidy: the chosen set) and cppcheck on sudar/. Usage: tools/static_checks.sh [FILES...]
# Clean means no output of either but the last line.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(if [ $# -gt 0 ]; then printf '%s\n' "$@"; else git ls-files 'sudar/*.cpp'; fi)
failed=0
if command -v clang-tidy >/dev/null; then
  cmake --preset dev -DSUDAR_PRECISIONS=f32 -DCMAKE_CXX_COMPILER=clang++ -B build/tidy >/dev/null
  printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet --warnings-as-errors='*' 2>/dev/null || failed=1
fi
if command -v cppcheck >/dev/null; then
  # Templates are instantiated elsewhere, so that what is used or constant is not known to it
  cppcheck --quiet --std=c++20 --language=c++ --enable=warning,performance,portability --inline-suppr -j "$(nproc)" -I . \
    -DSUDAR_API= --suppress=missingInclude --suppress=missingIncludeSystem --suppress=unknownMacro --suppress=internalAstError \
    --suppress=syntaxError --error-exitcode=1 "${files[@]}" || failed=1
fi
echo "static checks: ${#files[@]} files, $([ $failed = 0 ] && echo clean || echo faults)"
exit $failed
