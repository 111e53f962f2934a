# What Sudar needs from Debian, and how to get it. Sourced by ./run and ./test; prints to stderr only.

# The command itself with its lab; its benchmarks' peers; the tests with their oracles and checks
sudar_packages_run="cmake ninja-build g++ pkg-config ccache libhwy-dev libtbb-dev nlohmann-json3-dev libcli11-dev
  libglfw3-dev libimgui-dev libstb-dev libegl-dev libgl-dev libegl-mesa0 libgl1-mesa-dri fonts-dejavu-core"
sudar_packages_peers="libqhull-dev libcgal-dev libembree-dev libgmp-dev libmpfr-dev libbullet-dev libfcl-dev libbox2d-dev libode-dev libbenchmark-dev"
sudar_packages_test="libgtest-dev librapidcheck-dev libboost-dev libgmp-dev clang clang-format python3 valgrind xvfb xdotool"
# Of ./test --soak alone: another processor, another standard library, static checks, line coverage
sudar_packages_soak="g++-aarch64-linux-gnu qemu-user clang-19 libc++-19-dev libc++abi-19-dev clang-tidy cppcheck"

# ensure_packages STAMP PACKAGE...: install what is missing. The stamp makes the next call free.
ensure_packages() {
  local stamp=$1 wanted missing=() package
  shift
  wanted="$*"
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && return 0
  if ! command -v dpkg-query >/dev/null; then
    echo "sudar: not a Debian system; make sure that these are installed: $wanted" >&2
    return 0
  fi
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
      if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
        as_root=(sudo)
      else
        echo "sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
        exit 2
      fi
    fi
    echo "sudar: installing ${missing[*]}" >&2
    if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update &&
           "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
             apt-get install -y --no-install-recommends "${missing[@]}"; } </dev/null >&2; then
      echo "sudar: could not install the packages; by hand: sudo apt-get install -y ${missing[*]}" >&2
      exit 2
    fi
  fi
  mkdir -p "$(dirname "$stamp")"
  printf '%s' "$wanted" >"$stamp"
}
