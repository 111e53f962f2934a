#!/usr/bin/env bash
# Valgrind on a sample of the tests: what reads memory that nobody wrote, and what is not given back. The sample is every
# test that takes less than SUDAR_VALGRIND_MS (150) by itself, so that it grows with the tests and none takes long.
# Usage: tools/valgrind_sample.sh [BUILD [ROOM...]]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/ci}
shift || true
export SUDAR_SOAK=${SUDAR_SOAK:-0.1}
command -v valgrind >/dev/null || { echo "valgrind is not installed (sudo apt-get install valgrind)" >&2; exit 2; }
if [ $# -gt 0 ]; then rooms=("$@"); else rooms=(core math geom bounding broadphase shapes narrowphase continuous sdf queries scene dynamics io scenes); fi
times=$(mktemp)
trap 'rm -f "$times"' EXIT

# The filter of the tests that are short enough
short_tests() {
  python3 - "$times" "${SUDAR_VALGRIND_MS:-150}" <<'PYTHON'
import json, sys
suites = json.load(open(sys.argv[1]))["testsuites"]
print(":".join(f"{test['classname']}.{test['name']}" for suite in suites for test in suite["testsuite"]
               if 1000 * float(test["time"].rstrip("s")) < float(sys.argv[2])))
PYTHON
}

for room in "${rooms[@]}"; do
  program=$build/tests/$room/test_$room
  [ -x "$program" ] || program=${program}_f64
  [ -x "$program" ] || { echo "$program is not built" >&2; exit 2; }
  "$program" --gtest_brief=1 --gtest_output="json:$times" >/dev/null
  filter=$(short_tests)
  [ -n "$filter" ] || { echo "no test of $room is short enough" >&2; exit 2; }
  echo "$room: $(tr ':' '\n' <<<"$filter" | wc -l) tests"
  # Threads of oneTBB live to the end of the process, and what they hold is "possibly lost". Valgrind computes long double
  # with 64 bits, so that tests which compare with it fail (1): answers are looked at elsewhere, here it is memory (99).
  valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
    "$program" --gtest_brief=1 --gtest_filter="$filter" >/dev/null || [ $? -eq 1 ] || { echo "$room: not clean" >&2; exit 1; }
done
echo "valgrind: clean"
