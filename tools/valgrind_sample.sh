#!/usr/bin/env bash
# Valgrind on a sample of the tests: what reads memory that nobody wrote. Usage: tools/valgrind_sample.sh [BUILD]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/ci}
export SUDAR_SOAK=${SUDAR_SOAK:-0.02}
sample=(math:'Predicates.Signs*:Interval*' geom:'Hull3.*Flat*:MeshWeld*' broadphase:'Broadphase.*' narrowphase:'Sat3.Trace*:Collide3.*'
        scene:'Scene.Damaged*' dynamics:'World.Long*' io:'*')
for each in "${sample[@]}"; do
  room=${each%%:*}
  program=$(ls "$build/tests/$room/test_${room}" "$build/tests/$room/test_${room}_f64" 2>/dev/null | head -1)
  valgrind --quiet --error-exitcode=1 --leak-check=full "$program" --gtest_brief=1 --gtest_filter="${each#*:}"
done
echo "valgrind: clean"
