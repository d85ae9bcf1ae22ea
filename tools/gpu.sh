#!/usr/bin/env bash
# Everything that needs a GPU, in one call: check, then measure, then profile.
#   tools/gpu.sh pack   stages the stripped device build in build-gpu/ with the libraries a GPU machine may lack
#   tools/gpu.sh run    runs it and writes JSON and logs to $OUT (default: gpu-results); no clock or power is touched
# All output goes to $OUT/log.txt. STEPS (default: check compare end_to_end reproduce tunings flow huge sanitize counters profile) picks
# the steps of run, OPERATIONS (default: all) what is compared, ROWS (default: all, and all custom ones) what is checked and
# sanitized, TOOLS (default: all four) those of compute-sanitizer.
# STEPS=python is the Python package, and needs nanobind, scikit-build-core, pytest, CuPy and PyTorch there.
set -uo pipefail
cd "$(dirname "$0")/.."

pack() (
  set -e
  rm -rf build-gpu && mkdir build-gpu
  cp build-device/tandem build-device/libtandem.so.? build-device/libtandem_{harness,simt,simt_ranks,simt_tuning,executor}.so build-gpu/
  cp build-device/tandem_tests build-device/libtandem_wrong_simt.so build-gpu/
  cp -r build-device/basics build-device/search build-device/channel_flow build-device/channel_flow_tests build-device/libchannel_flow_simt.so build-gpu/
  ldd build-device/tandem_tests build-device/tandem build-device/libtandem_executor.so | awk '/libtbb|libbenchmark|libfmt|libboost|librapidcheck|libdw|libelf|libroaring/ {print $3}' | sort -u |
    xargs -I{} cp {} build-gpu/
  find build-gpu -type f -exec strip {} + 2>/dev/null || true  # some are no binaries
  # What the Python package is compiled with there.
  mkdir build-gpu/fmt && cp -r --parents /usr/include/fmt /usr/lib/*/cmake/fmt /usr/lib/*/libfmt* build-gpu/fmt
  du -sh build-gpu
)

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
    local start=$SECONDS name=$1 status=0
    shift
    echo "=== $name: $*" >>"$out/log.txt"
    "$@" >"$out/step.txt" 2>&1 || status=$?
    if [ $status -eq 0 ]; then echo "ok      $name ($((SECONDS - start)) s)"
    else failed=1; echo "FAILED  $name ($((SECONDS - start)) s)"; tail -n 30 "$out/step.txt"; fi
    [ -z "${counted:-}" ] || python3 tools/gpu_counts.py "$out/h200-checks.json" "$name" $status $((SECONDS - start)) "$out/step.txt" "$@"
    cat "$out/step.txt" >>"$out/log.txt" && rm "$out/step.txt"
  }
  # The same, and what it counts is kept in h200-checks.json, as times are.
  counted_step() { counted=yes step "$@"; }
  nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,temperature.gpu --format=csv,noheader | tee "$out/log.txt"
  for s in ${STEPS:-check compare end_to_end reproduce tunings flow huge sanitize counters profile}; do
    case $s in
      check) for rows in ${ROWS:-all}; do
               counted_step "check${ROWS:+-$rows}" $tandem check ${rows#all} --place device --coverage full
             done
             counted_step device-tests env TANDEM_TESTS_NEED_DEVICE=1 build-gpu/tandem_tests --test-suite=device
             counted_step device-repeats env TANDEM_TESTS_NEED_DEVICE=1 build-gpu/tandem_tests --test-suite=device_repeats
             for program in build-gpu/basics/*; do step "basics-$(basename "$program")" "$program"; done
             step search env TANDEM_TESTS_NEED_DEVICE=1 python3 examples/search/test.py build-gpu/search ;;
      huge) for plan in bench/plans/*; do
              counted_step "huge-$(basename "$plan")" $tandem check "$(basename "$plan")/" --place device --coverage huge
            done ;;
      compare) for plan in bench/plans/*; do  # an operation each: what is measured under which name
                 operation=$(basename "$plan")
                 [[ -z ${OPERATIONS:-} || " $OPERATIONS " == *" $operation "* ]] || continue
                 while read -r name arguments; do
                   [[ $name != *-end-to-end ]] || continue
                   # shellcheck disable=SC2086  # several arguments
                   step "compare-$name" $tandem compare "$operation" $arguments --place device --json "$out/h200-$name.json"
                 done <"$plan"
               done ;;
      end_to_end) for plan in bench/plans/*; do  # the CPU's rows, too, which it is to overtake
                    operation=$(basename "$plan")
                    [[ -z ${OPERATIONS:-} || " $OPERATIONS " == *" $operation "* ]] || continue
                    while read -r name arguments; do
                      [[ $name == *-end-to-end ]] || continue
                      # shellcheck disable=SC2086  # several arguments
                      step "compare-$name" $tandem compare "$operation" $arguments --method pageable,pinned,managed --repetitions 3 \
                        --json "$out/h200-$name.json"
                    done <"$plan"
                  done ;;
      reproduce) for table in $($tandem reproduce --list | awk 'NR > 1 { print $1 }'); do
                   step "reproduce-$table" $tandem reproduce $table --json "$out/reproduce-$table.json"
                 done ;;
      tunings) for tuning in $($tandem list --tunings); do
                operation=${tuning%/*} name=${tuning#*/}
                step "tuning-$name" $tandem compare "$operation" --tuning "$name" --repetitions 5 --json "$out/$operation-$name.json" \
                  --svg "$out/tuning_$name.svg"
              done ;;
      flow) counted_step flow-tests env TANDEM_TESTS_NEED_DEVICE=1 build-gpu/channel_flow_tests --test-suite=device
            step flow-verify build-gpu/channel_flow verify --full --on gpu
            step flow-bench build-gpu/channel_flow bench --json "$out/channel_flow.json"
            step flow-bench-256 build-gpu/channel_flow bench systems-per-second --on gpu --nodes 256 --json "$out/channel_flow-256.json" ;;
      sanitize) for tool in ${TOOLS:-memcheck racecheck initcheck synccheck}; do
                  for rows in ${ROWS:-custom}; do
                    counted_step "$tool${ROWS:+-$rows}" timeout 240 compute-sanitizer --tool $tool --error-exitcode 3 \
                      $tandem check $rows --place device --coverage "${SANITIZE_COVERAGE:-brief}"
                  done
                done ;;
      counters) ncu --clock-control none --csv --page raw --print-units base --metrics "$(counters | sed "s/,$//")" \
                 $tandem trace $(python3 tools/trace_tables.py --patterns) --launch-only --n 16K >"$out/counters.csv" 2>"$out/counters.log" &&
                 sed -i '/^==/d' "$out/counters.csv" &&  # the profiler's remarks, with paths of this machine
                 echo "ok      counters" || { failed=1; echo "FAILED  counters"; tail -n 5 "$out/counters.csv" "$out/counters.log"; } ;;
      profile) step profile ncu --clock-control none --section SpeedOfLight --section Occupancy --section LaunchStats \
                 -k 'regex:one_pass_blocks|lookback_tile' --launch-skip 1 --launch-count 4 \
                 $tandem compare --place device --n 64M --repetitions 1 ;;
      python) step python-package python3 -m pip install -q --no-deps --no-build-isolation --upgrade --target build-gpu/site \
                --config-settings=cmake.define.TANDEM_LIBRARY="$PWD/build-gpu/libtandem.so.0" \
                --config-settings=cmake.define.fmt_DIR="$(echo "$PWD"/build-gpu/fmt/usr/lib/*/cmake/fmt)" .
              export PYTHONPATH=$PWD/build-gpu/site
              step python-tests python3 -m pytest -q -p no:cacheprovider python/tests
              for library in cupy torch; do
                step python-$library python3 python/examples/speed.py --beside $library --seconds 2
              done ;;
    esac
  done
  exit $failed
}

"${1:-run}"
