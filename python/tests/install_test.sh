#!/bin/sh
# Installs the package with pip, around the libtandem of a build tree, into an environment of its own there, and
# runs its tests. Exit status 77: Python's headers are missing, or pip cannot have the packages (no network).
# Usage: install_test.sh PYTHON LIBRARY WORK_DIRECTORY [RUNTIME LIBRARY_ON_IT]
# With a CUDA runtime that computes nothing, and libtandem linked with it: the tests of arrays on a GPU.
set -eu
python=$1 library=$2 work=$3 runtime=${4-} on_runtime=${5-}
tree=$(cd "$(dirname "$0")/../.." && pwd)
packages="scikit-build-core nanobind numpy pytest"

skip() {
  echo "skipped: $*"
  exit 77
}

"$python" -c '
import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' ||
  skip "there is no Python.h for $python (install python3-dev)"
[ -x "$work/env/bin/pip" ] || "$python" -m venv "$work/env" || skip "$python cannot make environments (install python3-venv)"
export PATH="$work/env/bin:$PATH"
# Word splitting is meant: it is a list of packages.
# shellcheck disable=SC2086
pip install -q --no-compile --timeout 20 --retries 1 $packages || skip "pip cannot have $packages"

# The long names of options: Debian 12's pip does not know -C.
pip install -q --no-deps --no-build-isolation --config-settings=build-dir="$work/build" \
  --config-settings=cmake.define.TANDEM_LIBRARY="$library" \
  --config-settings=cmake.define.CMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)" "$tree"
cd "$work"
if [ -n "$runtime" ]; then
  exec env TANDEM_CUDA_FAULTS="$runtime" LD_PRELOAD="$runtime:$on_runtime" python -m pytest -q -p no:cacheprovider \
    "$tree/python/tests/test_gpu.py"
fi
exec python -m pytest -q -p no:cacheprovider "$tree/python/tests"
