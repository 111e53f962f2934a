#!/usr/bin/env bash
# tools/check_hashes.sh [gcc|clang|libcxx|scalar|aarch64|neon][-O1|-O2|-O3]...: the golden hashes of worlds and scenes
# (tests/golden) as other compilers, other levels of optimisation, another standard library and another processor find them,
# in the library of float and in that of double. Without arguments: gcc clang scalar aarch64.
#   libcxx   clang 19 with LLVM's standard library, which orders equal elements otherwise; without oneTBB, which has the other
#   scalar   gcc without Highway
#   aarch64  under qemu, without Highway and oneTBB, whose libraries are not there for it
#   neon     the same with Highway's headers and a stand-in for its library, for NEON alone
#   SUDAR_COMBINATIONS  how many combinations of broad phase, threads (1 to 8) and instruction set each value is computed with,
#                       in turn, beside the plain one: a number, `once` (as many as it takes for each to come up for some
#                       value, the default) or `all` (each for every value: ten minutes of processor time, hours under qemu)
#   SUDAR_JOBS          how many compile at once
set -euo pipefail
cd "$(dirname "$0")/.."
golden=(tests/golden/worlds.txt tests/golden/scenes.txt)
[ $# -gt 0 ] || set -- gcc clang scalar aarch64
cross=aarch64-linux-gnu failed=0

# highway_stand_in LEAVE_OUT: Highway for another processor. Its headers are for all; of its library Sudar needs three
# functions, which say here that the processor has every instruction set that is compiled.
highway_stand_in() {
  highway=$PWD/$build/highway
  options+=("-DSUDAR_HIGHWAY_LEAVE_OUT=$1")
  mkdir -p "$highway/include"
  ln -sfn /usr/include/hwy "$highway/include/hwy"
  cat >"$highway/stand_in.cpp" <<'END'
#include <hwy/targets.h>
namespace hwy {
static int64_t held = 0;
int64_t SupportedTargets() { return held != 0 ? held : HWY_TARGETS; }
void SetSupportedTargetsForTest(int64_t targets) { held = targets; }
ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}
}  // namespace hwy
END
  "$cross-g++" -O2 -I"$highway/include" "-DHWY_DISABLED_TARGETS=($1)" -c "$highway/stand_in.cpp" -o "$highway/stand_in.o"
  "$cross-ar" rcs "$highway/libhwy.a" "$highway/stand_in.o"
  printf '%s\n' 'Name: libhwy' 'Description: headers of Highway, and a stand-in' 'Version: 1' 'Libs: -L${pcfiledir} -lhwy' \
    'Cflags: -I${pcfiledir}/include' >"$highway/libhwy.pc"
}

for cell in "$@"; do
  kind=${cell%-O*}
  level=O${cell##*-O}
  build=build/hashes-$cell
  # One level for the whole build, and files of a room compiled together: this is about bits, not about time
  options=(-DCMAKE_BUILD_TYPE=None -DSUDAR_BUILD_HASHES=ON -DSUDAR_BUILD_CLI=OFF -DSUDAR_BUILD_TESTS=OFF
           -DSUDAR_INSTALL=OFF "-DSUDAR_PRECISIONS=f32;f64" -DSUDAR_PCH=ON -DSUDAR_UNITY=ON -DSUDAR_UNITY_FILES=16)
  flags= run=() highway=
  mkdir -p "$build"
  case $kind in
    gcc) options+=(-DCMAKE_CXX_COMPILER=g++); default=O3 ;;
    clang) options+=(-DCMAKE_CXX_COMPILER=clang++); default=O2 ;;
    libcxx)
      options+=(-DCMAKE_CXX_COMPILER=clang++-19 -DSUDAR_USE_TBB=OFF)
      flags=-stdlib=libc++
      default=O2
      ;;
    scalar) options+=(-DCMAKE_CXX_COMPILER=g++ -DSUDAR_USE_HIGHWAY=OFF); default=O2 ;;
    aarch64 | neon)
      options+=("-DCMAKE_CXX_COMPILER=$cross-g++" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64
                -DSUDAR_USE_TBB=OFF -DCMAKE_EXE_LINKER_FLAGS=-static)
      # Highway's NEON is that of processors with AES: without it gcc finds constructors that cannot be inlined
      [ "$kind" != neon ] || flags=-march=armv8-a+crypto
      run=(qemu-aarch64)
      default=O2
      ;;
    *) echo "usage: tools/check_hashes.sh [gcc|clang|libcxx|scalar|aarch64|neon][-O1|-O2|-O3]..." >&2; exit 2 ;;
  esac
  [ "$cell" != "$kind" ] || level=$default
  case $kind in
    aarch64) options+=(-DSUDAR_USE_HIGHWAY=OFF) ;;
    neon) highway_stand_in "HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128" ;;
  esac
  env ${highway:+PKG_CONFIG_LIBDIR="$highway"} cmake -S . -B "$build" -G Ninja "${options[@]}" \
    -DCMAKE_CXX_FLAGS="-$level${flags:+ $flags}" >/dev/null
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
      failed=1
    fi
  done
done
exit $failed
