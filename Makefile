# The two commands of the README are `make compare` and `make test`; both install what is missing, build what this
# machine can run, and run it. `make help` lists the rest.

# nvcc is often installed outside PATH. A GPU that answers decides between the two builds; PRESET=host or
# PRESET=device overrides. Either way the command is build/tandem.
export PATH := $(PATH):/usr/local/cuda/bin
GPU    := $(shell PATH="$$PATH:/usr/local/cuda/bin" command -v nvcc >/dev/null && nvidia-smi -L 2>/dev/null | grep -c GPU)
PRESET ?= $(if $(filter-out 0,$(GPU)),device,host)
BUILD  ?= build
FLAGS  := $(if $(filter-out 0,$(GPU)),-DCMAKE_CUDA_ARCHITECTURES=native)
JOBS   ?= $(shell nproc)

.PHONY: compare test setup configure build command named device asan tsan soak thorough new kernel trace profile sass sanitize mutants gpu-pack gpu-test tables pictures site deb wheel fuzz format clean help

# In stages without a GPU: reduce first, then the six other operations that the project began with, then all. What else the
# command can do is compiled after the tables.
compare: configure  ## Every implementation of every operation, checked and timed side by side
ifeq ($(PRESET),host)
	cmake --build $(BUILD) -j $(JOBS) --target tandem_stage1
	$(BUILD)/tandem_stage1 --json $(BUILD)/stage1.json
	cmake --build $(BUILD) -j $(JOBS) --target tandem_stage2
	$(BUILD)/tandem_stage2 --after $(BUILD)/stage1.json --json $(BUILD)/stage2.json
	@echo "Those were seven operations. The others compile now, and the SIMT executor that runs GPU kernels here: some ten minutes on 2 cores."
	cmake --build $(BUILD) -j $(JOBS) --target tandem_rest
	$(BUILD)/tandem_rest --after $(BUILD)/stage1.json --after $(BUILD)/stage2.json
	@echo "That was the comparison. What else $(BUILD)/tandem can do compiles now: check, trace, audit, tune, run …"
endif
	cmake --build $(BUILD) -j $(JOBS) --target tandem_command
ifneq ($(PRESET),host)
	$(BUILD)/tandem compare --place device --repetitions 5
	@echo "Those were the rows of the GPU; the rows of this CPU follow."
	$(BUILD)/tandem compare --place host --repetitions 3
endif

test: build  ## The tests that this machine can run; the slow ones, too, with TESTS=all
	cd $(BUILD) && ctest -j $(JOBS) --output-on-failure --no-tests=error -LE $(if $(filter all,$(TESTS)),brief,slow)
	@$(if $(filter all,$(TESTS)),,echo "left out: $$(cd $(BUILD) && ctest -N -L slow | sed -n 's/.*Test *#[0-9]*: //p' | paste -sd ' ')";) true
	@grep -hE '^[0-9]+ (cases executed|of [0-9]+ wrong kernels|mutants of)' $(BUILD)/Testing/Temporary/LastTest.log || true

setup:  ## Install what is missing (Debian, Ubuntu); without root it names the packages and stops
	@tools/setup.sh

configure: setup
	@cmake --preset $(PRESET) -B $(BUILD) $(FLAGS) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }

build: configure
	cmake --build $(BUILD) -j $(JOBS)

command: configure
	cmake --build $(BUILD) -j $(JOBS) --target tandem_command

device:  ## Compile the GPU rows too (needs nvcc, not a GPU)
	@$(MAKE) build PRESET=device BUILD=build-device FLAGS="$(FLAGS) -UTANDEM_OPENBLAS -UTANDEM_SIMT -DTANDEM_WARN_SPILLS=ON"

asan:  ## The host's tests under AddressSanitizer, UndefinedBehaviorSanitizer and LeakSanitizer
tsan:  ## The host's tests under ThreadSanitizer, with an OpenMP that it understands
# The libraries that are not instrumented are left alone; Archer, a part of clang's OpenMP, tells how its threads meet.
asan tsan:
	@tools/setup.sh $(if $(filter tsan,$@),clang libomp-dev)
	@cmake --preset $@ >build-$@.log 2>&1 || { cat build-$@.log; exit 1; }
	cmake --build build-$@ -j $(JOBS)
	cd build-$@ && TSAN_OPTIONS=ignore_noninstrumented_modules=1 ctest -j $(JOBS) --output-on-failure --no-tests=error

soak: configure  ## A million operations of all kinds from several threads: no wrong result, no leak
	cmake --build $(BUILD) -j $(JOBS) --target tandem_tests
	TANDEM_SOAK_OPERATIONS=1000000 TANDEM_SOAK_SECONDS=600 $(BUILD)/tandem_tests --test-suite=soak

thorough: configure  ## What CI takes a part of: all pairs of values, 1,000 schedules, 1,000 runs of a call, memory that runs out
	cmake --build $(BUILD) -j $(JOBS) --target tandem_tests tandem_command channel_flow search tandem_out_of_memory
	TANDEM_THOROUGH=1 $(BUILD)/tandem_tests --test-suite=equivalence,schedules,repeats
	python3 tests/program_faults_test.py $(addprefix $(BUILD)/,libtandem_out_of_memory.so tandem channel_flow search) 400

new:  ## A new step of a ladder, from its neighbour: make new OP=scan NAME=mine [FROM=lookback]
	@test -n "$(OP)" -a -n "$(NAME)" || { echo "say which: make new OP=scan NAME=mine"; exit 2; }
	@python3 tools/new_step.py $(OP) $(NAME) $(FROM)

# Targets that take K=OPERATION/custom/STEP; its file.
KERNEL := $(wildcard custom_kernels/$(firstword $(subst /, ,$(K)))/[0-9][0-9]_$(lastword $(subst /, ,$(K))).*)
named:
	@test -n "$(K)" || { echo "say which: make $(firstword $(MAKECMDGOALS)) K=scan/custom/blelloch"; exit 2; }
	@test -n "$(KERNEL)" || { echo "there is no step '$(K)' in custom_kernels/; a name is like scan/custom/blelloch"; exit 2; }

kernel: named command  ## Inner loop of a kernel's author: make kernel K=scan/custom/blelloch builds, checks, times and traces one step
	$(BUILD)/tandem check $(K)
	$(if $(filter %.cpp,$(KERNEL))$(filter-out 0,$(GPU)),$(BUILD)/tandem compare --step $(K))
	$(if $(filter %.cu,$(KERNEL)),$(BUILD)/tandem trace --compare $(K) $(if $(filter all_reduce/%,$(K)),,--predict h200))

trace: named command  ## What each line of a kernel asks of memory: make trace K=scan/custom/blelloch [N=4096]
	$(BUILD)/tandem trace $(K) $(if $(N),--n $(N))

profile: named  ## The same on the GPU, counted by Nsight Compute: make profile K=scan/custom/blelloch [N=16M]
	@test -n "$(filter-out 0,$(GPU))" || { echo "this needs a GPU; without one: make trace K=$(K)"; exit 2; }
	@command -v ncu >/dev/null || { echo "this needs ncu (Nsight Compute, part of the CUDA toolkit)"; exit 2; }
	@$(MAKE) --no-print-directory command
	ncu --set detailed --import-source yes $(BUILD)/tandem trace $(K) --launch-only --n $(or $(N),16M)

sass: named  ## The machine code of a kernel, by nvcc and cuobjdump: make sass K=scan/custom/blelloch [ARCH=90]
	@test -n "$(filter %.cu,$(KERNEL))" || { echo "$(KERNEL) runs on the CPU; its machine code: objdump -d $(BUILD)/libtandem.so"; exit 2; }
	@for tool in nvcc cuobjdump; do command -v $$tool >/dev/null || { echo "this needs $$tool (part of the CUDA toolkit)"; exit 2; }; done
	@mkdir -p $(BUILD)
	nvcc -std=c++20 -O3 -arch=sm_$(or $(ARCH),90)$(if $(findstring .sm90.,$(KERNEL)),a) --diag-suppress=445 -Xptxas=-v -I. -Ilib/include -cubin \
	  -o $(BUILD)/kernel.cubin $(KERNEL)
	cuobjdump -sass $(BUILD)/kernel.cubin

sanitize: named command  ## Races and accesses out of bounds: make sanitize K=scan/custom/blelloch (compute-sanitizer; without a GPU the executor)
ifeq ($(filter-out 0,$(GPU)),)
	@set -e; for schedule in forward reverse random:7; do \
	  echo "$(BUILD)/tandem check $(K) --coverage brief --schedule $$schedule"; \
	  $(BUILD)/tandem check $(K) --coverage brief --schedule $$schedule; done
else
	@command -v compute-sanitizer >/dev/null || { echo "this needs compute-sanitizer (part of the CUDA toolkit)"; exit 2; }
	@set -e; for tool in memcheck racecheck initcheck synccheck; do \
	  echo "compute-sanitizer --tool $$tool"; compute-sanitizer --tool $$tool --error-exitcode 3 \
	    $(BUILD)/tandem check $(K) --place device --coverage brief; done
endif

mutants: command  ## Does tandem check refuse small mistakes? make mutants [SEED=1] [N=300] (docs/testing.md)
	tools/mutate.py --build $(BUILD) --seed $(or $(SEED),1) --mutants $(or $(N),300) --json $(BUILD)/mutants.json

gpu-pack:  ## Stage a stripped GPU build in build-gpu/, to be carried to a machine with a GPU (OpenBLAS is too large)
	@$(MAKE) build PRESET=device BUILD=build-device FLAGS="-DTANDEM_OPENBLAS=0 -UTANDEM_SIMT"
	tools/gpu.sh pack

gpu-test: device  ## Check, measure and profile on this machine's GPU; results in OUT (default: gpu-results)
	tools/gpu.sh pack && tools/gpu.sh run

tables: command  ## Write the tables of README.md and the ladders from bench/results/
	python3 tools/report.py
	python3 tools/operations.py
	python3 tools/scale.py
	$(BUILD)/tandem trace $$(python3 tools/trace_tables.py --patterns) --n 16K --force --json >$(BUILD)/here.json
	mv $(BUILD)/here.json bench/results/trace/here.json
	python3 tools/predictions.py $(BUILD)/tandem >$(BUILD)/predicted.json
	mv $(BUILD)/predicted.json bench/results/predictions/h200.json
	python3 tools/trace_tables.py

pictures: command  ## Draw what each kernel's first warp touches, for the ladders' READMEs
	python3 tools/pictures.py $(BUILD)/tandem

site:  ## A static site of all pages, by MkDocs, in build/site; a link that leads nowhere fails
	@tools/setup.sh mkdocs
	@python3 tools/site.py $(BUILD)/site

deb: command  ## A package of this build for Debian and Ubuntu, in build/ (packaging/ has recipes for vcpkg and Conan)
	cd $(BUILD) && cpack

wheel:  ## The Python package for this machine, compiled anew as pip install . does, in build-wheel/ (docs/python.md)
	@tools/setup.sh python3-pip
	python3 -m pip wheel --no-deps --wheel-dir build-wheel .

fuzz:  ## A parser under libFuzzer, on demand: make fuzz TARGET=npy RUNS=100000000 (tests/fuzz has the targets)
	@test -f tests/fuzz/$(TARGET).cpp || { echo "say which: make fuzz TARGET=npy; there are $(basename $(notdir $(filter-out %driver.cpp,$(wildcard tests/fuzz/*.cpp))))"; exit 2; }
	@cmake --preset fuzz >build-fuzz.log 2>&1 || { cat build-fuzz.log; exit 1; }
	cmake --build build-fuzz -j $(JOBS) --target fuzz_$(TARGET) seeds_$(TARGET)
	build-fuzz/seeds_$(TARGET) --seeds build-fuzz/corpus/$(TARGET)
	build-fuzz/fuzz_$(TARGET) -runs=$(or $(RUNS),100000000) -timeout=1 -rss_limit_mb=1024 build-fuzz/corpus/$(TARGET)

format:  ## clang-format every source file
	git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs clang-format -i

clean:
	rm -rf build build-device build-gpu build-asan build-tsan build-fuzz build-wheel build*.log

help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12
