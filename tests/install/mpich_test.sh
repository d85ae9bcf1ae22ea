#!/bin/sh
# The plugin for ranks, compiled with MPICH: the library, built beside another MPI, loads it as it is.
# Arguments: the source tree, the program of tests. Skipped where there is no MPICH (mpich, libmpich-dev).
set -eu
source=$1 tests=$2
command -v mpicxx.mpich >/dev/null && command -v mpiexec.mpich >/dev/null || { echo "skipped: no MPICH (mpich, libmpich-dev)"; exit 77; }
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
mpicxx.mpich -std=c++20 -shared -fPIC -fvisibility=hidden -I "$source" -I "$source/lib/include" "$source/lib/dist/mpi/mpi.cpp" -o "$folder/libtandem_mpi.so"
TANDEM_MPI=$folder/libtandem_mpi.so mpiexec.mpich -n 2 "$tests" --test-suite=ranks
