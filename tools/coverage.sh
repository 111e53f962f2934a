#!/usr/bin/env bash
# Line coverage of sudar/ by the tests (preset coverage; lcov). Usage: tools/coverage.sh [ROOM...]: only the tests of these rooms
set -euo pipefail
cd "$(dirname "$0")/.."
command -v lcov >/dev/null || { echo "lcov is not installed (sudo apt-get install lcov)" >&2; exit 2; }
cmake --preset coverage >/dev/null
if [ $# -gt 0 ]; then
  cmake --build --preset coverage -- "${@/#/test_}"
  labels=(-L "$(IFS='|'; echo "$*")")
else
  cmake --build --preset coverage
  labels=()
fi
find build/coverage -name '*.gcda' -delete
SUDAR_SOAK=${SUDAR_SOAK:-0.1} ctest --test-dir build/coverage -j "$(nproc)" "${labels[@]}" --output-on-failure
lcov --quiet --capture --directory build/coverage --output-file build/coverage/all.info --ignore-errors source,gcov 2>/dev/null
lcov --quiet --extract build/coverage/all.info "$PWD/sudar/*" --output-file build/coverage/sudar.info
lcov --summary build/coverage/sudar.info 2>&1 | grep lines
lcov --list build/coverage/sudar.info | awk -F'|' '$2 + 0 < 80 && $1 ~ /pp/ {print "below 80 %:", $1, $2}'
