#!/bin/sh
# Installs the build into a prefix, builds tests/consumer and examples/channel_flow against it with the host compiler
# alone, and runs them.
# Usage: consumer_test.sh CMAKE BUILD_DIRECTORY CXX_COMPILER [CXX_FLAGS]
set -eu
cmake=$1 build=$2 compiler=$3 flags=${4-}
here=$(cd "$(dirname "$0")" && pwd)
work=$build/consumer
rm -rf "$work"
"$cmake" --install "$build" --prefix "$work/prefix" >"$build/consumer_install.log"
env PATH=/usr/bin:/bin "$cmake" -S "$here/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_BUILD_TYPE=Release
"$cmake" --build "$work/build"
"$work/build/consumer"

# The example is such a project, too.
launcher=$(command -v ccache || true)
env PATH=/usr/bin:/bin "$cmake" -S "$here/../../examples/channel_flow" -B "$work/channel_flow" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_BUILD_TYPE=Debug
"$cmake" --build "$work/channel_flow"
"$work/channel_flow/channel_flow" run --nodes 8x8x8 --steps 2 --on cpu
"$work/prefix/bin/tandem" list >/dev/null

# The search engine is such a project, too.
launcher=$(command -v ccache || true)
env PATH=/usr/bin:/bin "$cmake" -S "$here/../../examples/search" -B "$work/search" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_BUILD_TYPE=Debug
"$cmake" --build "$work/search"
"$work/search/search" index "$here/consumer" --out "$work/index"
"$work/search/search" query "$work/index" tandem consumer
