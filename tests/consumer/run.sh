#!/usr/bin/env bash
# The example program, built against Sudar in every way a user may: the installed package through find_package and
# through pkg-config, the build tree, and add_subdirectory; the library static and shared; no network anywhere.
# The library is compiled once here, shared, as a part of the example (add_subdirectory); the static one is that of ./test.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work="$root/build/consumer"
rm -rf "$work"
mkdir -p "$work"
cmake_quietly() { cmake -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >/dev/null; }

# How it links is looked at here, not how fast it is
quick_to_compile=(-DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0 -DSUDAR_UNITY=ON -DSUDAR_UNITY_FILES=64 -DSUDAR_PCH=ON
                  '-DSUDAR_HIGHWAY_LEAVE_OUT=HWY_SSSE3|HWY_SSE4|HWY_AVX2|HWY_AVX3')

expect() {  # expect PROGRAM PRECISION
  local said
  said=$("$1")
  [[ "$said" == "sudar "*" $2" ]] || { echo "$1 said '$said'"; exit 1; }
  echo "ok: ${1#"$root"/}"
}

# build_static, build_shared TREE: the library in its build tree $build, and installed in TREE/prefix
build_static() {
  build="$root/build/ci"
  if [ ! -f "$build/sudar/libsudar.a" ]; then
    build="$1/build"
    cmake_quietly -S "$root" -B "$build" -DSUDAR_BUILD_TESTS=OFF -DSUDAR_BUILD_CLI=OFF "${quick_to_compile[@]}"
    cmake --build "$build" >/dev/null
  fi
  cmake --install "$build" --prefix "$1/first" >/dev/null
  # As a part of another project it is off what a project of its own has on; that it configures is all that is left to see
  cmake_quietly -S "$root/examples/consumer" -B "$1/subdirectory" -DSUDAR_SOURCE_DIR="$root"
}
build_shared() {
  cmake_quietly -S "$root/examples/consumer" -B "$1/subdirectory" -DSUDAR_SOURCE_DIR="$root" -DBUILD_SHARED_LIBS=ON \
    -DSUDAR_INSTALL=ON "${quick_to_compile[@]}"
  cmake --build "$1/subdirectory" >/dev/null
  expect "$1/subdirectory/consumer" float
  expect "$1/subdirectory/consumer_f64" double
  build="$1/subdirectory/sudar"
  cmake --install "$1/subdirectory" --prefix "$1/first" >/dev/null
}

for kind in static shared; do
  tree="$work/$kind"
  build_$kind "$tree"
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

# What the shared library shows to the world is ours and marked so
nm -DC --defined-only "$build/sudar/libsudar.so" | grep -E ' [TW] ' >"$work/symbols"
if grep -vE ' (sudar::|typeinfo|vtable|guard variable|_init|_fini|std::|__gnu_cxx::|operator|non-virtual thunk)' "$work/symbols"; then
  echo "the shared library exports foreign symbols"; exit 1
fi
echo "consumer: all ways work"
