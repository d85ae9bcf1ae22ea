#!/usr/bin/env bash
# Installs what Tandem builds with on Debian or Ubuntu, and the packages named as arguments. As root it uses apt;
# otherwise it names the packages and stops.
set -euo pipefail

packages=(g++ cmake ninja-build ccache git libtbb-dev libfmt-dev libcli11-dev nlohmann-json3-dev libbenchmark-dev
          doctest-dev librapidcheck-dev libboost-context-dev libdw-dev libopenblas-dev libeigen3-dev libroaring-dev libfftw3-dev libutf8proc-dev
          libopenmpi-dev openmpi-bin pkgconf dpkg-dev python3 python3-dev python3-venv zsh man-db
          "$@")
# Thrust's CPU back ends are headers: from the CUDA toolkit where there is one.
[ -e /usr/local/cuda/include/cccl/thrust/version.h ] || packages+=(libthrust-dev)

command -v dpkg-query >/dev/null || { echo "not Debian or Ubuntu: install the equivalents of: ${packages[*]}" >&2; exit 0; }
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed$' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "Missing packages. Run: sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
