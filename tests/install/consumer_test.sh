#!/bin/sh
# Installs the build into a prefix and uses it as others would, with the host compiler alone: by find_package (a
# small program and the examples) and by pkg-config; then the tree as a folder of another project. Checks what
# is installed, too.
# Usage: consumer_test.sh CMAKE BUILD_DIRECTORY CXX_COMPILER [CXX_FLAGS]
set -eu
cmake=$1 build=$2 compiler=$3 flags=${4-}
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
work=$build/consumer prefix=$build/consumer/prefix
launcher=$(command -v ccache || true)

fail() {
  echo "$*" >&2
  exit 1
}
# project NAME FOLDER [OPTION …]: configures and builds a project in $work/NAME, without nvcc in its PATH.
# Unoptimised, without debug information: it is the build that takes the time.
project() {
  name=$1 folder=$2
  shift 2
  env PATH=/usr/bin:/bin "$cmake" -S "$folder" -B "$work/$name" -G Ninja -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" -DCMAKE_CXX_FLAGS="$flags" \
    -DCMAKE_PREFIX_PATH="$prefix" "$@"
  "$cmake" --build "$work/$name"
}

rm -rf "$work"
"$cmake" --install "$build" --prefix "$prefix" >"$build/consumer_install.log"
"$prefix/bin/tandem" list >/dev/null

echo "--- what is installed"
cmp "$tree/LICENSE" "$(find "$prefix/share" -name LICENSE)"
for page in man/man1/tandem.1 bash-completion/completions/tandem zsh/site-functions/_tandem; do
  [ -s "$prefix/share/$page" ] || fail "share/$page is missing"
done
if grep -rnE '^[[:space:]]*#[[:space:]]*define' "$prefix/include" | grep -vE 'define[[:space:]]+TANDEM_'; then
  fail "an installed header defines a macro without TANDEM_"
fi
lines=$(echo '#include <tandem/tandem.h>' | "$compiler" -std=c++20 -I "$prefix/include" -E -x c++ - | wc -l)
[ "$lines" -le 50000 ] || fail "<tandem/tandem.h> has $lines lines when preprocessed; 50000 are promised"

echo "--- find_package"
project find_package "$here/consumer"
"$work/find_package/consumer"
project basics "$tree/examples/basics"
(cd "$work/basics" && "${cmake%cmake}ctest" --output-on-failure --no-tests=error)
project channel_flow "$tree/examples/channel_flow"
"$work/channel_flow/channel_flow" run --nodes 8x8x8 --steps 2 --on cpu
project search "$tree/examples/search"
"$work/search/search" index "$here/consumer" --out "$work/index"
"$work/search/search" query "$work/index" tandem consumer

echo "--- pkg-config"
if command -v pkg-config >/dev/null; then
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tandem.pc)")
  export PKG_CONFIG_PATH
  # Word splitting is meant: both are lists of options.
  # shellcheck disable=SC2046,SC2086
  "$compiler" $flags "$here/consumer/main.cpp" -o "$work/by_pkg_config" $(pkg-config --cflags --libs tandem)
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir tandem) "$work/by_pkg_config"
else
  echo "skipped: there is no pkg-config (pkgconf) on this machine"
fi

echo "--- add_subdirectory: the library alone, here with two implementations"
project subproject "$here/subproject" -DTANDEM_TREE="$tree" -DTANDEM_ONLY='/(reduce|scan)/00_'
"$work/subproject/subproject"
if "$cmake" --build "$work/subproject" --target help | grep -E 'tandem_|basics|channel_flow|search'; then
  fail "as part of another project more than the library is built"
fi
