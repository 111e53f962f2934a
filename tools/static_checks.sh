#!/usr/bin/env bash
# clang-tidy (.clang-tidy: the chosen set) on sudar/, scenes/ and cli/, cppcheck on these, lab/ and bench/.
# Usage: tools/static_checks.sh [FILES...]. Clean means no output of either but the last two lines. A file that cppcheck cannot
# parse is a fault as any other: it would pass unread.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${SUDAR_JOBS:-$(nproc)}
if [ $# -gt 0 ]; then
  files=("$@") fronts=()
else
  mapfile -t files < <(git ls-files 'sudar/*.cpp' 'scenes/*.cpp' 'cli/*.cpp')
  mapfile -t fronts < <(git ls-files 'lab/*.cpp' 'bench/*.cpp')
fi
failed=0
told=$(mktemp)
trap 'rm -f "$told"' EXIT
for tool in clang-tidy cppcheck; do
  command -v $tool >/dev/null || { echo "$tool is not installed (sudo apt-get install $tool)" >&2; exit 2; }
done
# One of the kernels of each file will do
cmake --preset dev -DSUDAR_PRECISIONS=f32 -DCMAKE_CXX_COMPILER=clang++ \
  "-DSUDAR_HIGHWAY_LEAVE_OUT=HWY_SSSE3|HWY_SSE4|HWY_AVX3" -B build/tidy >/dev/null
printf '%s\n' "${files[@]}" | xargs -P "$jobs" -n 1 clang-tidy -p build/tidy --quiet --warnings-as-errors='*' 2>/dev/null || failed=1
# Templates are instantiated elsewhere, so that what is used or constant is not known to it, nor what an assertion is; the size
# of std::array<T, 2 * D> is 2 to it. What was looked at and is meant: arrays that are left open until they are written
# (exact integers, simplices, polytopes), members with initialisers, columns of floats behind those of doubles in one block, a
# horizon of three edges at least, a choice between a reference and a local that outlives it, lambdas that return what a
# noexcept door catches, formats that name one number of two.
cppcheck --std=c++20 --language=c++ --enable=warning,performance,portability --inline-suppr -j "$jobs" -I . \
  -DSUDAR_API= --suppress=incorrectStringBooleanError --suppress=missingInclude --suppress=missingIncludeSystem \
  --suppress=containerOutOfBounds --suppress=uninitMemberVar \
  --suppress=useInitializationList --suppress=throwInNoexceptFunction --suppress=uninitvar:sudar/core/handle.hpp \
  --suppress=uninitvar:lab/case_file.cpp --suppress=legacyUninitvar:sudar/broadphase/column_bins.cpp \
  --suppress=negativeIndex:sudar/narrowphase/epa3.cpp --suppress=invalidPointerCast:sudar/shapes/vertex_columns.hpp \
  --suppress=operatorEqVarError:sudar/math/big_integer.hpp --suppress=danglingTempReference:sudar/continuous/mesh_frames.cpp \
  --suppress=AssignmentIntegerToAddress:sudar/sdf/triangle_rows.cpp --suppress=wrongPrintfScanfArgNum:lab/trouble.cpp \
  --suppress=CastIntegerToAddressAtReturn:bench/peers/embree_collide.cpp --error-exitcode=1 "${files[@]}" ${fronts[@]+"${fronts[@]}"} \
  2>&1 >"$told" | tee "$told.faults" || failed=1
# Each file is named when it is begun; those that it gave up on are among the faults
begun=$(grep -c '^Checking .*[.][ch]pp [.][.][.]$' "$told" || true)
unread=$(grep -cE '\[(syntaxError|internalAstError|unknownMacro|cppcheckError|preprocessorErrorDirective)\]$' "$told.faults" || true)
rm -f "$told.faults"
if [ "$begun" -lt $((${#files[@]} + ${#fronts[@]})) ]; then
  echo "cppcheck began $begun files only" >&2
  failed=1
fi
echo "cppcheck: $((begun - unread)) of $((${#files[@]} + ${#fronts[@]})) files read"
echo "static checks: ${#files[@]} files of the library, the scenes and the command, ${#fronts[@]} of the lab and the benchmarks (cppcheck alone), $([ $failed = 0 ] && echo clean || echo faults)"
exit $failed
