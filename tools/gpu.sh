#!/usr/bin/env bash
# Everything that needs a GPU, in one call: check, then measure, then profile.
#   tools/gpu.sh pack   stages the stripped device build in build-gpu/ with the libraries a GPU machine may lack
#   tools/gpu.sh run    runs it and writes JSON and logs to $OUT (default: gpu-results); no clock or power is touched
# All output goes to $OUT/log.txt. STEPS (default: check compare reproduce sweeps flow huge sanitize counters profile) picks the steps of
# run, OPERATIONS (default: all) what is compared.
set -uo pipefail
cd "$(dirname "$0")/.."

pack() (
  set -e
  rm -rf build-gpu && mkdir build-gpu
  cp build-device/tandem build-device/libtandem.so.? build-device/libtandem_simt.so build-device/libtandem_executor.so build-gpu/
  cp build-device/tandem_tests build-device/libtandem_wrong_simt.so build-gpu/
  cp build-device/search build-device/channel_flow build-device/channel_flow_tests build-device/libchannel_flow_simt.so build-gpu/
  ldd build-device/tandem_tests build-device/tandem build-device/libtandem_executor.so | awk '/libtbb|libbenchmark|libboost|librapidcheck|libdw|libelf|libroaring/ {print $3}' | sort -u |
    xargs -I{} cp {} build-gpu/
  strip build-gpu/* 2>/dev/null
  du -sh build-gpu
)

# The files under bench/results/ and what is in them; their tables and the automatic choice are made from them.
# (h200-intersect_launches.json holds the last steps of intersect as measured apart from the others: remove it when a run of
# `intersect` below has measured all of them.)
results() {
  local sizes=1K,16K,64K,256K,1M,4M,16M,64M,256M sides=512,1K,2K,4K,8K
  cat <<END
reduce reduce --n $sizes --type f32,f64,f16,i8
reduce-graph reduce --n $sizes --method graph
reduce-cold reduce --n 1M,16M --method cold
scan scan --n $sizes --type f32,f64
scan-graph scan --n $sizes --method graph
scan-cold scan --n 1M,16M --method cold
transform transform --n $sizes
transform-graph transform --n $sizes --method graph
transform_f64 transform --n $sizes --type f64
transform_functions transform --n 1M,64M --op negate,axpy,multiply_add,dot2
transpose transpose --n $sides
transpose-graph transpose --n $sides --method graph
transpose_types transpose --n 1K,4K --type f16,f64 --repetitions 7
gemm gemm --n $sides
gemm_f64 gemm --n 512,1K,2K,4K --type f64 --repetitions 7
tridiagonal tridiagonal --shape 64x256K,256x64K,1024x64K --repetitions 5
tridiagonal-f64 tridiagonal --shape 64x256K,256x64K,1024x64K --type f64 --repetitions 5
intersect intersect --type u32 --shape 1000x5x19899x0,64x2x1Kx1000,1000x2x16Kx1,100x2x100Kx8,1x2x16Mx1 --repetitions 5
END
}

# What `tandem trace` counts, as the hardware counts it (docs/trace.md).
counters() {
  local access
  for access in ld st; do
    printf '%s,' l1tex__t_requests_pipe_lsu_mem_global_op_$access.sum l1tex__t_sectors_pipe_lsu_mem_global_op_$access.sum \
      l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$access.sum
  done
}

run() {
  export LD_LIBRARY_PATH=$PWD/build-gpu:/usr/local/cuda/lib64:${LD_LIBRARY_PATH:-}
  out=${OUT:-gpu-results}
  mkdir -p "$out"
  tandem=build-gpu/tandem
  failed=0
  step() {  # name, command…: one line of progress, the output in a log
    local start=$SECONDS name=$1
    shift
    echo "=== $name: $*" >>"$out/log.txt"
    if "$@" >"$out/step.txt" 2>&1; then echo "ok      $name ($((SECONDS - start)) s)"
    else failed=1; echo "FAILED  $name ($((SECONDS - start)) s)"; tail -n 30 "$out/step.txt"; fi
    cat "$out/step.txt" >>"$out/log.txt" && rm "$out/step.txt"
  }
  nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,temperature.gpu --format=csv,noheader | tee "$out/log.txt"
  for s in ${STEPS:-check compare reproduce sweeps flow huge sanitize counters profile}; do
    case $s in
      check) step check $tandem check --place device --extent full
             step device-tests env TANDEM_TESTS_NEED_DEVICE=1 build-gpu/tandem_tests --test-suite=device
             step search env TANDEM_TESTS_NEED_DEVICE=1 python3 examples/search/test.py build-gpu/search ;;
      huge) step huge $tandem check --place device --extent huge ;;
      compare) while read -r name arguments; do
                 [[ -z ${OPERATIONS:-} || " $OPERATIONS " == *" ${arguments%% *} "* ]] || continue
                 # shellcheck disable=SC2086  # several arguments
                 step "compare-$name" $tandem compare $arguments --place device --json "$out/h200-$name.json"
               done < <(results) ;;
      reproduce) for table in intersection managed-memory; do
                   step "reproduce-$table" $tandem reproduce $table --json "$out/reproduce-$table.json"
                 done ;;
      sweeps) for sweep in gemm/tile gemm/inputs intersect/bucket; do
                operation=${sweep%/*} name=${sweep#*/}
                step "sweep-$name" $tandem compare "$operation" --tuning "$name" --repetitions 5 --json "$out/$operation-$name.json" \
                  --svg "$out/tuning_$name.svg"
              done ;;
      flow) step flow-tests env TANDEM_TESTS_NEED_DEVICE=1 build-gpu/channel_flow_tests --test-suite=device
            step flow-verify build-gpu/channel_flow verify --full --on gpu
            step flow-bench build-gpu/channel_flow bench --json "$out/channel_flow.json"
            step flow-bench-256 build-gpu/channel_flow bench systems-per-second --on gpu --nodes 256 --json "$out/channel_flow-256.json" ;;
      sanitize) for tool in memcheck racecheck initcheck synccheck; do
               step "$tool" timeout 240 compute-sanitizer --tool $tool --error-exitcode 3 \
                 $tandem check custom --place device --extent "${SANITIZE_EXTENT:-brief}"
             done ;;
      counters) ncu --clock-control none --csv --page raw --print-units base --metrics "$(counters | sed "s/,$//")" \
                 $tandem trace reduce/custom scan/custom transform/custom --launch-only --n 16K >"$out/counters.csv" 2>"$out/counters.log" &&
                 echo "ok      counters" || { failed=1; echo "FAILED  counters"; tail -n 5 "$out/counters.csv" "$out/counters.log"; } ;;
      profile) step profile ncu --clock-control none --section SpeedOfLight --section Occupancy --section LaunchStats \
                 -k 'regex:one_pass_blocks|lookback_tile' --launch-skip 1 --launch-count 4 \
                 $tandem compare --place device --n 64M --repetitions 1 ;;
    esac
  done
  exit $failed
}

"${1:-run}"
