#!/bin/sh
# Calls over ranks on the GPUs of this machine: tests, `tandem check`, and `tandem compare` of large shapes. Tables and JSON go to $OUT.
# Every step has a limit of time, so that a hang costs a minute.
#
#   OUT=results BUILD=build-device RANKS=2 tools/gpu_ranks.sh
#
# Needs a device build (targets tandem_command, tandem_ranks_tests and tandem_mpi), Open MPI's mpirun, NCCL (TANDEM_NCCL where the loader
# does not find libnccl.so.2), and as many GPUs as ranks.
cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build-device} OUT=${OUT:-$BUILD/gpu_ranks} RANKS=${RANKS:-2} LIMIT=${LIMIT:-60} REPETITIONS=${REPETITIONS:-7}
mkdir -p "$OUT" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export NCCL_NVLS_ENABLE=0                                # no multicast
export NCCL_DEBUG=${NCCL_DEBUG:-WARN}
export TANDEM_TIMEOUT=${TANDEM_TIMEOUT:-$((LIMIT / 2))}  # seconds that a rank may be late: then a line tells which
TANDEM_THREADS=${TANDEM_THREADS:-$(($(nproc) / RANKS))}
export TANDEM_THREADS
if [ -z "$TANDEM_NCCL" ] && ! ldconfig -p 2>/dev/null | grep -q libnccl.so.2; then
  for file in $(python3 -c 'import sys; print("\n".join(p + "/nvidia/nccl/lib/libnccl.so.2" for p in sys.path if p))' 2>/dev/null); do
    [ -e "$file" ] && export TANDEM_NCCL="$file" && break
  done
fi
failed=0
# step NAME RANKS COMMAND …
step() {
  name=$1 ranks=$2
  shift 2
  start=$(date +%s)
  timeout -k 5 "$LIMIT" mpirun --bind-to none -n "$ranks" "$@" > "$OUT/$name.txt" 2>&1
  status=$?
  echo "== $name: exit $status, $(($(date +%s) - start)) s"
  tail -n "${SHOWN:-14}" "$OUT/$name.txt"
  [ $status -eq 0 ] || failed=1
}
compare() {
  name=$1
  shift
  SHOWN=60 step "$name" "$RANKS" "$BUILD/tandem" compare "$@" --place device --repetitions "$REPETITIONS" --json "$OUT/$name.json"
}

nvidia-smi topo -m > "$OUT/topology.txt" 2>&1
step tests_1 1 "$BUILD/tandem_ranks_tests" --test-suite=ranks_device
step "tests_$RANKS" "$RANKS" "$BUILD/tandem_ranks_tests" --test-suite=ranks_device
step check "$RANKS" "$BUILD/tandem" check --place device
compare all_reduce all_reduce --n 2,1K,16K,256K,1M,16M,64M,256M
compare reduce reduce --n "$((RANKS * 256))M"
compare scan scan --n "$((RANKS * 256))M"
compare gemm gemm --n 8K,16K
compare transpose transpose --shape 32Kx32K
compare tridiagonal tridiagonal --shape 4Kx64K --type f64
compare intersect intersect
# Two ranks on one GPU: refused on both, by a line that names them.
before=$failed
step refused "$RANKS" sh -c "OMPI_COMM_WORLD_LOCAL_RANK=0 exec '$BUILD/tandem' check reduce --place device"
grep -q "have one GPU" "$OUT/refused.txt" && failed=$before || failed=1
exit $failed
