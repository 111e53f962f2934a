#!/usr/bin/env bash
# The example program, built against Sudar in every way a user may: the installed package through find_package and
# through pkg-config, the build tree, and add_subdirectory; the library static and shared; no network anywhere.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work="$root/build/consumer"
rm -rf "$work"
mkdir -p "$work"
cmake_quietly() { cmake -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >/dev/null; }

expect() {  # expect PROGRAM PRECISION
  local said
  said=$("$1")
  [[ "$said" == "sudar "*" $2" ]] || { echo "$1 said '$said'"; exit 1; }
  echo "ok: ${1#"$root"/}"
}

for kind in static shared; do
  shared=OFF
  [ $kind = shared ] && shared=ON
  tree="$work/$kind"
  build="$tree/build"
  # ./test has a static build already
  if [ $kind = static ] && [ -f "$root/build/ci/sudar/libsudar.a" ]; then
    build="$root/build/ci"
  else
    # How it links is looked at here, not how fast it is
    cmake_quietly -S "$root" -B "$build" -DBUILD_SHARED_LIBS=$shared -DSUDAR_BUILD_TESTS=OFF -DSUDAR_BUILD_CLI=OFF \
      -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1 '-DSUDAR_HIGHWAY_LEAVE_OUT=HWY_SSSE3|HWY_SSE4|HWY_AVX3'
    cmake --build "$build" >/dev/null
  fi
  cmake --install "$build" --prefix "$tree/first" >/dev/null
  mv "$tree/first" "$tree/prefix"  # an installed tree can be moved

  cmake_quietly -S "$root/examples/consumer" -B "$tree/package" -DCMAKE_PREFIX_PATH="$tree/prefix"
  cmake --build "$tree/package" >/dev/null
  expect "$tree/package/consumer" float
  expect "$tree/package/consumer_f64" double

  cmake_quietly -S "$root/examples/consumer" -B "$tree/tree" -Dsudar_DIR="$build"
  cmake --build "$tree/tree" >/dev/null
  expect "$tree/tree/consumer" float

  libdir=$(dirname "$(find "$tree/prefix" -name sudar.pc)")
  export PKG_CONFIG_PATH="$libdir" LD_LIBRARY_PATH="$libdir/.."
  flags=()
  [ $kind = static ] && flags=(--static)
  for name in sudar sudar_f64; do
    g++ -std=c++20 "$root/examples/consumer/main.cpp" -o "$tree/$name" $(pkg-config --cflags --libs "${flags[@]}" $name)
  done
  expect "$tree/sudar" float
  expect "$tree/sudar_f64" double

  # One call into every room: what is meant to be exported is
  g++ -std=c++20 "$root/tests/consumer/exports.cpp" -o "$tree/exports" $(pkg-config --cflags --libs "${flags[@]}" sudar)
  expect "$tree/exports" float

  # A program for one precision does not link against the other
  if g++ -std=c++20 "$root/examples/consumer/main.cpp" -o "$tree/mixed" \
      $(pkg-config --cflags sudar_f64) $(pkg-config --libs "${flags[@]}" sudar) 2>/dev/null; then
    echo "a mix of precisions linked"; exit 1
  fi
  echo "ok: a mix of precisions fails to link ($kind)"
done

# With the flags of ./test's own build, so that ccache knows the library
cmake_quietly -S "$root/examples/consumer" -B "$work/subdirectory" -DSUDAR_SOURCE_DIR="$root" \
  -DCMAKE_CXX_FLAGS=-DSUDAR_ASSERTS -DSUDAR_WERROR=ON -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
cmake --build "$work/subdirectory" --target consumer >/dev/null
expect "$work/subdirectory/consumer" float

# What the shared library shows to the world is ours and marked so
if nm -DC --defined-only "$work/shared/build/sudar/libsudar.so" |
    grep -E ' [TW] ' | grep -vE ' (sudar::|typeinfo|vtable|guard variable|_init|_fini|std::|operator|non-virtual thunk)'; then
  echo "the shared library exports foreign symbols"; exit 1
fi
echo "consumer: all ways work"
