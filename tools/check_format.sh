#!/usr/bin/env bash
# Every C++ file is as clang-format would write it, and no literal tolerance or leftover mark stands in the library.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' | sort)
clang-format --dry-run --Werror "${files[@]}"
fail=0
if git grep -nIE 'TODO|FIXME|XXX|HACK' -- '*.cpp' '*.hpp' '*.py' '*.sh' ':!tools/check_format.sh'; then
  echo "leftover marks"; fail=1
fi
if git grep -nIE '[^0-9a-zA-Z_.](1e-[0-9]+f?|[0-9.]+e-(0?[4-9]|[1-9][0-9])f?)\b' -- 'sudar/*.cpp' 'sudar/*.hpp' |
    grep -v 'math/tolerance.hpp' | grep -vE '^[^:]+:[0-9]+: *//'; then
  echo "literal tolerances belong in sudar/math/tolerance.hpp"; fail=1
fi
echo "format: ${#files[@]} files"
exit $fail
