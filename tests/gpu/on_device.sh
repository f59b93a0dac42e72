#!/usr/bin/env bash
# All measurements and checks that need a GPU, in one run of a few minutes: the suites with solutions, stubs and every sample, the speeds,
# the hardware's own counters (ncu) and compute-sanitizer. Prints short tables last.
#
#   tests/gpu/on_device.sh [RESULTS [SECONDS [PART...]]]     from anywhere; RESULTS is build/on_device unless given
#
# PART: counters, times, figures (which the model of times is made from), rows (which it is compared with), studies, profiles, grades, sandboxes,
# samples, sanitizer; all of them unless given. Only if named: traffic (what L1, L2 and DRAM forward for the transposes among the rows, by
# ncu), class (solutions and stubs as a class on a Slurm of its own, whose first node has the GPU, and without Slurm; needs slurm-wlm,
# SQLite, libarchive and libmd) and attacks (tests/attacks on labs 2 and 3, whose programs then run on the GPU too, at the best strength;
# LAB_QUARTER=1 to 4). After SECONDS (450) no step is begun or continued, so that the tables still come out where time is lent.
# LAB_TRAFFIC in the environment: further options of that ncu, "--launch-skip 438 --launch-count 292" say.
# LAB_SAMPLES=REGEX in the environment: only those samples, "Lab[45]" say.
# Needs nvcc, CMake, Ninja and a GPU; ncu, cuobjdump and compute-sanitizer where they are to be used. Libraries that are not
# installed come from .carry/ (tests/gpu/carry.sh makes it where there is network), so that it works without network.
# Afterwards, where clang is: ./lab counters --hardware RESULTS/ncu.csv --ptx RESULTS/counter_cases.ptx
set -uo pipefail
export COLUMNS=1000  # lines are searched below
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2

results=${1:-build/on_device}
deadline=${2:-450}
parts=" ${*:3} "
[[ -n ${parts// /} ]] || parts=" counters times figures rows studies profiles grades sandboxes samples sanitizer "
wanted() { [[ $parts == *" $1 "* ]]; }
build=build/gpu
logs=build/on_device/logs
rm -rf build/on_device/logs
mkdir -p "$results" "$logs" build/on_device || exit 2
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "on_device.sh: nvcc is neither on PATH nor in /usr/local/cuda/bin; install the CUDA toolkit 12 or 13" >&2; exit 2; }
has_gpu=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU 0')
((has_gpu)) || echo "on_device.sh: no GPU answers: everything is compiled and linked, nothing is run on a GPU"
jobs=$(nproc)

started=$SECONDS
timings=$logs/timings.txt
: >"$timings"
# Runs a command under a time limit into a log, and notes how long it took and how it ended.
step() {  # name, limit in seconds, command...
  local name=$1 limit=$2 begin=$SECONDS status left=$((deadline - SECONDS + started))
  shift 2
  ((left > 0)) || { printf '%-28s not run: out of time\n' "$name" | tee -a "$timings"; return 1; }
  timeout --kill-after=5 "$((limit < left ? limit : left))" "$@" >"$logs/$name.log" 2>&1
  status=$?
  printf '%-28s %4d s   status %d\n' "$name" $((SECONDS - begin)) "$status" | tee -a "$timings"
  return "$status"
}
needs() { command -v "$1" >/dev/null || { echo "$1 is not installed: not run" | tee -a "$timings"; return 1; }; }

# --- The hardware's counters: the program, the PTX and the SASS that belong together ------------------------------
metrics=smsp__inst_executed.sum
for access in ld st; do
  metrics+=,l1tex__t_requests_pipe_lsu_mem_global_op_$access.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_$access.sum
done
more_metrics=$metrics
for access in ld st; do
  more_metrics+=,smsp__inst_executed_op_shared_$access.sum
  more_metrics+=,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_$access.sum
done
count() {  # metrics, CSV
  ncu --clock-control none --csv --page raw --print-units base --metrics "$1" --log-file "$2" build/on_device/counters/counter_cases
}
launches_in() { grep -cE '^"[0-9]+"' "$1" 2>/dev/null; }
export -f count
counters() {
  local folder=build/on_device/counters cc=90
  rm -rf "$folder" && mkdir -p "$folder"
  ((has_gpu)) && cc=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0 | tr -d .)
  step counters.compile 120 nvcc -std=c++17 -O3 -lineinfo -gencode "arch=compute_$cc,code=sm_$cc" -I. --keep --keep-dir "$folder" \
    tests/gpu/counter_cases.cu -o "$folder/counter_cases" || return
  cp "$folder/counter_cases.ptx" "$results/"
  if needs cuobjdump; then cuobjdump -sass "$folder/counter_cases" >"$results/counter_cases.sass"; fi
  ((has_gpu)) || return 0
  step counters.run 60 "$folder/counter_cases"
  if needs ncu; then
    step counters.ncu 200 bash -c "count $more_metrics $folder/ncu.csv"
    step counters.instructions.compile 120 nvcc -std=c++17 -O3 --extended-lambda -gencode "arch=compute_$cc,code=sm_$cc" -I. \
      tests/gpu/instruction_counts.cu -o "$folder/instruction_counts"
    step counters.instructions 100 ncu --clock-control none --csv --page raw --print-units base \
      --metrics smsp__inst_executed.sum,smsp__inst_executed_pipe_xu.sum,smsp__inst_executed_pipe_fp64.sum \
      --log-file "$results/instructions.csv" "$folder/instruction_counts"
    # One metric that this ncu doesn't know and it counts nothing: then at least what has to be equal.
    (($(launches_in "$folder/ncu.csv"))) || step counters.ncu.fewer 120 bash -c "count $metrics $folder/ncu.csv"
    cp "$folder/ncu.csv" "$results/"
  fi
  if needs compute-sanitizer; then
    local tool
    for tool in memcheck racecheck initcheck synccheck; do
      step "sanitizer.$tool" 60 compute-sanitizer --tool "$tool" --error-exitcode 9 "$folder/counter_cases" small
    done
  fi
}

# --- Traffic that the levels of memory forward, to explain a transpose's time --------------------------------------------------
traffic_metrics=(
  gpu__time_duration.sum sm__cycles_elapsed.max lts__cycles_elapsed.max smsp__inst_executed.sum
  l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
  l1tex__data_pipe_lsu_wavefronts.sum l1tex__data_bank_conflicts_pipe_lsu.sum
  l1tex__m_xbar2l1tex_read_sectors.sum l1tex__m_l1tex2xbar_write_sectors.sum l1tex__m_l1tex2xbar_write_bytes.sum l1tex__m_l1tex2xbar_req_cycles_active.sum
  lts__t_requests_srcunit_tex_op_read.sum lts__t_requests_srcunit_tex_op_write.sum
  lts__t_sectors_srcunit_tex_op_read.sum lts__t_sectors_srcunit_tex_op_write.sum
  lts__t_sectors_srcunit_tex_lookup_miss.sum lts__t_sectors_srcunit_ltcfabric.sum lts__t_tag_requests.sum lts__t_sectors.sum
  lts__d_sectors.sum lts__d_sectors_fill_device.sum lts__t_sectors_op_write_lookup_miss.sum lts__t_sectors_op_read_lookup_miss.sum
  dram__bytes_read.sum dram__bytes_write.sum dram__sectors_read.sum dram__sectors_write.sum
)
traffic() {
  local folder=build/on_device/traffic cc metric known=()
  rm -rf "$folder" && mkdir -p "$folder"
  needs ncu || return
  cc=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0 | tr -d .)
  step traffic.compile 120 nvcc -std=c++17 -O3 -gencode "arch=compute_$cc,code=sm_$cc" -I. tests/model/kernels_of_labs.cu -o "$folder/kernels_of_labs" || return
  # One that this GPU doesn't have, and ncu counts none.
  ncu --query-metrics >"$folder/metrics.txt" 2>&1
  for metric in "${traffic_metrics[@]}"; do
    if grep -q "^${metric%.*} " "$folder/metrics.txt"; then known+=("$metric"); else echo "ncu doesn't know $metric here" | tee -a "$timings"; fi
  done
  ((${#known[@]})) || known=("${traffic_metrics[@]}")
  # shellcheck disable=SC2086
  step traffic.ncu 450 ncu --clock-control none --cache-control none --csv --page raw --print-units base --metrics "$(IFS=,; echo "${known[*]}")" \
    --kernel-name 'regex:^(copy|naive|unroll4|smem|diagonal)_?' ${LAB_TRAFFIC:-} --log-file "$results/traffic.csv" "$folder/kernels_of_labs" 4096
}

# --- The suites -----------------------------------------------------------------------------------------------------------
own=(-DLAB_TESTS=ON)
if [[ -d .carry ]]; then
  # The sandbox looks for bubblewrap among the system's programs.
  command -v bwrap >/dev/null || cp .carry/bin/bwrap /usr/local/bin/
  own+=(-DCMAKE_PREFIX_PATH="$PWD/.carry" -DLAB_SECCOMP="$PWD/.carry/lib/libseccomp.a" -DFETCHCONTENT_SOURCE_DIR_GTEST="$PWD/.carry/googletest")
fi
configure() {
  step configure 120 cmake --preset gpu "${own[@]}"
}
compile() {
  local targets=(all lab_more_programs)
  if wanted rows; then targets+=(lab-fidelity); fi
  if wanted class; then targets+=(lab-class); fi
  if wanted samples || wanted sanitizer; then targets+=(sample_checks); fi
  step compile 400 cmake --build --preset gpu -j "$jobs" -- -k 0 "${targets[@]}"
  if wanted samples || wanted sanitizer; then
    step compile.samples 400 xargs -P "$jobs" -I{} "$build/bin/lab_sample_check" --compile-only --file {} < <(ls tests/{mutants,accepted}/lab*.diff)
  fi
}

grade() { step "grade.$1" 150 "$build/bin/lab-tool" grade "${@:2}" --json "build/on_device/$1.json"; cp "build/on_device/$1.json" "$results/" 2>/dev/null; }

# lab's studies of the GPU itself, and the solutions' occupancy on it.
studies() {
  local capability lab
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0)
  step studies.bandwidth 150 "$build/bin/lab-tool" bandwidth --json "$results/bandwidth.json"
  step studies.latency 90 "$build/bin/lab-tool" latency --json "$results/latency.json"
  for lab in lab{2..6}; do
    step "studies.occupancy.$lab" 60 "$build/bin/lab-tool" occupancy "$lab" --solution --cc "$capability" --threads 256 --json "$results/occupancy_$lab.json"
  done
}

# The studies of kernels as a student calls them, on the solutions: measured times, and ncu's counters where it is.
profiles() {
  local tool=$build/bin/lab-tool hardware=()
  if command -v ncu >/dev/null; then hardware=(--hardware); fi
  step profiles.product 200 "$tool" profile lab3 matmul_tiled --solution --size 1024 --compare lab2/matmul_global "${hardware[@]}" --json "$logs/profile.product.json"
  step profiles.transposes 200 "$tool" profile lab5 copy_row --solution --size 2048 --compare copy_col naive_row naive_col unroll4_row unroll4_col smem smem_pad \
    smem_unroll_pad lab6/diagonal_smem_pad "${hardware[@]}" --json "$logs/profile.transposes.json"
  if command -v ncu >/dev/null; then step profiles.program 60 "$tool" profile tests/emulator/programs/transpose.cu; fi
  step profiles.sweep.unroll4_col 60 "$tool" sweep lab5 unroll4_col --solution --size 2048 --json "$logs/sweep.unroll4_col.json"
  step profiles.sweep.diagonal_col 60 "$tool" sweep lab6 diagonal_col --solution --size 2048 --json "$logs/sweep.diagonal_col.json"
  step profiles.sweep.global 100 "$tool" sweep lab2 matmul_global --solution --size 512 --json "$logs/sweep.global.json"
  step profiles.sweep.tiled 60 "$tool" sweep lab3 matmul_tiled --solution --size 800 --json "$logs/sweep.tiled.json"
  step profiles.demo 200 "$tool" demo --json "$logs/demo.json"
}

# Each sample against the claim in its first line, judged in the emulator and, as far as values and speed go, on the GPU; those that fail
# once more alone, since others may have disturbed them. The accepted ones are judged by time as well, so one ctest would take one at a
# time; several ctests side by side do here.
run=(ctest --test-dir "$build" --no-tests=error --timeout 120 --output-on-failure)
names() { ctest --test-dir "$build" -N -L "$1" -R "${LAB_SAMPLES:-.}" | sed -nE 's/^ *Test +#[0-9]+: ((mutants|accepted)\..*)/\1/p'; }
export build
each_accepted() {
  xargs -P 3 -I{} ctest --test-dir "$build" --timeout 120 --output-on-failure -FA . -R '^{}$'
}
export -f each_accepted
samples() {
  local failed
  names 'mutants|accepted' >"$logs/samples.txt"
  if grep -q '^mutants' "$logs/samples.txt"; then step samples 400 "${run[@]}" -L mutants -R "${LAB_SAMPLES:-.}" -j 6; fi
  if grep -q '^accepted' "$logs/samples.txt"; then step samples.accepted 400 bash -c "grep '^accepted' $logs/samples.txt | each_accepted"; fi
  failed=$(verdicts | sed -n 's/ \(Failed\|Timeout\|Exception\)$//p' | paste -sd'|')
  [[ -z $failed ]] || step samples.again 120 "${run[@]}" -R "^(${failed//./\\.})\$" -j 1
}
# "mutants.Lab2.no_guard Passed" a line; the second run's verdict replaces the first's.
verdicts() { cat "$logs"/samples{,.accepted,.again}.log 2>/dev/null | sed -nE 's/^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: ((mutants|accepted)\.[^ ]+) \.*[ *]*(Passed|Failed|Timeout|Not Run|Exception|Skipped).*/\1 \3/p' | awk '{v[$1]=$2}END{for(t in v)print t,v[t]}' | sort; }
# A mutant whose own test let it pass: does any other test of its suite reject it?
others() {
  local name verdict lab runner
  verdicts | while read -r name verdict; do
    [[ $name == mutants.* && $verdict != Passed && $verdict != Skipped ]] || continue
    lab=$(sed -E 's/mutants\.Lab([0-9]+)\..*/lab\1/' <<<"$name")
    runner=$build/samples/${lab}_${name##*.}/program
    step "others.$name" 60 "$build/bin/${lab}_test" --runner "$runner" --reference "$build/bin/${lab}_reference" --gtest_color=no >/dev/null
    echo "$name: $(sed -nE 's/^\[  FAILED  \] ([A-Za-z0-9]+\.[A-Za-z0-9]+) .*/\1/p' "$logs/others.$name.log" | sort -u | tr '\n' ' ')"
  done >"$logs/others.txt"
}

# The solutions as files of others, in each sandbox that this machine allows.
sandboxes() {
  local strength
  for strength in namespaces user landlock; do
    grade "sandbox.$strength" --from solutions --sandbox "$strength" --verbose
  done
}

# Attacks, one at a time, since each looks for what others leave.
attacks() { step attacks 600 xargs -I{} sh -c "echo \"== {}\"; LAB_QUARTER=${LAB_QUARTER:-1} $build/tests/attacks/attack_check --file {}; echo \"status \$?\"" < <(ls tests/attacks/lab[23]_*.attack); }

# Solutions and stubs as two students of a class: the same points on Slurm's node and without Slurm, times measured by both.
class() {
  needs sbatch || return
  local folder=build/on_device/class grade=("$build/bin/lab-class" class build/on_device/class/students --labs lab2,lab3 --jobs 1)
  rm -rf "$folder" && mkdir -p "$folder/students"
  cp -r solutions "$folder/students/solution"
  cp -r labs "$folder/students/stub"
  step class.slurm 300 tests/classroom/own_slurm.sh "$folder/slurm" "${grade[@]}" --slurm --gres gpu:1 --tasks 2 --results "$results/class_slurm.db"
  step class.alone 300 "${grade[@]}" --results "$results/class_alone.db"
  local of
  for of in slurm alone; do
    step "class.$of.show" 30 "$build/bin/lab-class" class show solution --results "$results/class_$of.db"
    step "class.$of.stub" 30 "$build/bin/lab-class" class show stub --results "$results/class_$of.db"
  done
}

# `ctest -L sanitizer` on the solutions, which has nothing to report, and on mutants, each of which one tool has to catch.
suites_under_sanitizer() {
  needs compute-sanitizer || return
  step sanitizer.configure 120 cmake --preset gpu-solutions "${own[@]}" || return
  step sanitizer.compile 240 cmake --build --preset gpu-solutions -j "$jobs" --target lab{2..6} lab_sanitizer_check
  step sanitizer.solutions 300 ctest --preset gpu-solutions -L sanitizer --verbose
  local mutant lab
  for mutant in memcheck:lab2_no_guard initcheck:lab2_adds_to_fresh_memory racecheck:lab3_no_barriers synccheck:lab3_barrier_not_for_all \
    racecheck:lab5_no_barrier; do
    lab=${mutant#*:lab} lab=${lab%%_*}
    step "sanitizer.mutant.${mutant#*:}" 90 "$build/tests/gpu/lab_sanitizer_check" --lab "$lab" --tool "${mutant%%:*}" \
      --suite "$build/bin/lab${lab}_test" --runner "$build/bin/lab${lab}_reference" --reference "$build/bin/lab${lab}_reference" \
      --replayer "$build/samples/${mutant#*:}/gpu/program" --sanitizer "$(command -v compute-sanitizer)" --folder "build/on_device/sanitizer/${mutant#*:}"
  done
}

if wanted counters; then counters & fi
if wanted traffic && ((has_gpu)); then
  wait  # one ncu at a time
  traffic
fi
if [[ ${parts// /} == traffic ]]; then
  :  # needs nothing of the project's own build
elif configure && { compile; ((has_gpu)); }; then  # what did not compile is one verdict among others
  wait  # the suites measure time: nothing else may run
  if wanted times; then
    step times 60 "$build/tests/gpu/handout_times" 50
    step times.transposes 60 "$build/tests/gpu/transpose_times" 101
    if [[ -x $build/tests/gpu/transpose_geam ]]; then step times.geam 60 "$build/tests/gpu/transpose_geam"; fi
    step times.inexact 60 "$build/tests/gpu/inexact_times" 50
    step diagonal_times 60 "$build/tests/gpu/diagonal_times" 50
    step transposes_of_2009 60 "$build/tests/gpu/transposes_of_2009" 50
  fi
  if wanted figures; then
    for of in device access; do
      step "figures.$of" 120 "$build/tests/gpu/${of}_figures"
      cp "$logs/figures.$of.log" "$results/${of}_figures.jsonl" 2>/dev/null
    done
  fi
  if wanted rows; then
    step rows.others 100 "$build/bin/lab-tool" fidelity --measure --kernels others --rows "$results/other_rows.jsonl"
    step rows 560 "$build/bin/lab-tool" fidelity --measure --rows "$results/kernel_rows.jsonl"
  fi
  if wanted studies; then studies; fi
  if wanted profiles; then profiles; fi
  if wanted grades; then
    for lab in lab{1..6}; do grade "solutions.$lab" "$lab" --solutions --verbose; done
    grade stubs
  fi
  if wanted sandboxes; then sandboxes; fi
  if wanted samples; then
    samples
    others
  fi
  if wanted class; then class; fi
  if wanted attacks; then attacks; fi
  if wanted sanitizer; then suites_under_sanitizer; fi
fi
wait

# --- The tables -----------------------------------------------------------------------------------------------------------
report() {
  echo "== machine"
  nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader 2>/dev/null || echo "no GPU"
  nvcc --version | sed -n 's/.*release/nvcc release/p'
  date -u +%Y-%m-%d
  echo "== steps"
  cat "$timings"
  ((has_gpu)) || return
  local of
  if wanted grades; then
    for of in solutions.lab{1..6} stubs; do
      echo "== $of"
      sed -n '/^lab .*points/,$p' "$logs/grade.$of.log"
    done
    echo "== what the solutions fail, if anything"
    grep -E '^  Lab[0-9]+\.[A-Za-z0-9]+ \(' "$logs"/grade.solutions.*.log
    echo "== what the solutions measured"
    grep -E '^  Lab[0-9]+\.[A-Za-z0-9]+: ' "$logs"/grade.solutions.*.log
  fi
  if wanted sandboxes; then
    for of in namespaces user landlock; do
      echo "== the solutions in the sandbox: $of"
      sed -n '/^lab .*points/,$p;/^lab: /p' "$logs/grade.sandbox.$of.log"
    done
  fi
  if wanted class; then
    for of in slurm alone; do
      echo "== the class: $of"
      tail -n 5 "$logs/class.$of.log"
      cat "$logs/class.$of.show.log"
      tail -n 4 "$logs/class.$of.stub.log"
    done
  fi
  if wanted attacks; then
    echo "== attacks: held, not held, of another quarter: $(for of in 0 1 77; do grep -c "^status $of$" "$logs/attacks.log"; done | paste -sd' ')"
    sed -n '/^== /{h;d};/^status \(0\|77\)$/d;/^status /{x;p;x;p}' "$logs/attacks.log"
  fi
  if wanted times; then
    echo "== the times of the handouts' tables (tests/gpu/handout_times.cu, inexact_times.cu, transpose_times.cu, transpose_geam.cu, diagonal_times.cu, transposes_of_2009.cu)"
    cat "$logs"/times{,.inexact,.transposes,.geam}.log "$logs/diagonal_times.log" "$logs/transposes_of_2009.log" 2>/dev/null
  fi
  if wanted figures; then
    echo "== device figures"
    cat "$results"/{device,access}_figures.jsonl
  fi
  if wanted rows; then
    echo "== $(wc -l <"$results/kernel_rows.jsonl") lines of kernel_rows.jsonl, $(grep -c counts "$results/kernel_rows.jsonl") with counts"
    tail -n 3 "$logs/rows.log"
  fi
  if wanted traffic; then echo "== traffic.csv: $(launches_in "$results/traffic.csv") launches counted"; fi
  if wanted studies; then
    echo "== lab bandwidth, lab latency, lab occupancy"
    cat "$logs"/studies.*.log
  fi
  if wanted profiles; then
    echo "== lab profile, sweep and demo on the solutions"
    cat "$logs"/profiles.*.log
  fi
  if wanted samples; then
    echo "== samples: $(wc -l <"$logs/samples.txt") asked for, $(verdicts | wc -l) reached: $(verdicts | grep -c ' Passed$') as their first lines claim; the others:"
    verdicts | grep -v ' Passed$'
    echo "== which of those another test rejects (nothing after the colon: none)"
    cat "$logs/others.txt"
  fi
  if wanted counters; then
    echo "== ncu: $(launches_in "$results/ncu.csv") launches counted; the counted programs under compute-sanitizer:"
    grep -hE 'ERROR SUMMARY|RACECHECK SUMMARY' "$logs"/sanitizer.{memcheck,racecheck,initcheck,synccheck}.log
  fi
  if wanted sanitizer; then
    echo "== ctest -L sanitizer on the solutions"
    grep -E 'nothing to report|Test +#|tests passed|where:' "$logs/sanitizer.solutions.log"
    echo "== mutants under the tool that has to catch them (status 1 above)"
    head -n 4 "$logs"/sanitizer.mutant.*.log
  fi
  echo "== $((SECONDS - started)) s in all"
}
report >"$results/report.txt"
tar -czf "$results/logs.tar.gz" -C "$logs" .
cat "$results/report.txt"
