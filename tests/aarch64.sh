#!/usr/bin/env bash
# The project on AArch64, on a machine of another kind: compiled by this machine's clang at its full speed, run by qemu's user mode.
#
#   tests/aarch64.sh [--short] [--root FOLDER] [PART...]    all parts if none is named
#
# The headers and libraries are Debian's for arm64, unpacked into FOLDER (build/aarch64/root): common/cmake/aarch64.sh.
# Needs clang, lld, mmdebstrap, qemu-user-static and this system's build in build/tests. LAB_MIRROR names a mirror other than Debian's own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source common/cmake/aarch64.sh

all=(packages labs unit samples programs times pages bundle)
native=$PWD/build/tests
build=$native-aarch64

make_targets() {  # build folder, targets
  ninja -C "$1" -k 0 "${@:2}" >"$work/build.log" 2>&1 || fail "building failed: build/aarch64/build.log"
}

# --- What is compared --------------------------------------------------------------------------------------------------------------
rows=() failed=
row() {  # part, what, as it should be or not, the figure
  rows+=("| $1 | $2 | $4 |")
  [[ $3 == yes ]] || { failed=1; say "$1, $2: $4"; }
}
same() { [[ $1 == "$2" ]] && echo yes || echo no; }
# A JSON file without what a clock measured: all times where the host is judged, otherwise the CPU's beside the modelled ones.
without_clocks() {  # file, all or nothing
  local clocks='s/measured: [0-9.e+-]+ ms; speed-up [0-9.e+]+/measured: # ms; speed-up #/g'
  [[ -z $2 ]] || clocks='s/[0-9.]+(e[-+]?[0-9]+)?( ms| s| %| GFLOP\/s| GB\/s| times as fast| times as long| of its speed)/#\2/g'
  sed -E "/\"(seconds|architecture)\":/d; $clocks" "$1"
}
# Both builds run the program with these words; the file that they write after --json has to be the same.
on_both() {  # name, program, words...
  local name=$1 program=$2 clocks='' where
  shift 2
  [[ " $* " != *" lab1 "* ]] || clocks=all
  for where in native arm64; do
    mkdir -p "$work/$where"
    rm -f "$work/$where/$name".*
    # Points that are lost are a status of 1, and in the file.
    "$(bin_of "$where")/$program" "$@" --json "$work/$where/$name.json" >"$work/$where/$name.log" 2>&1 || [[ -s $work/$where/$name.json ]] ||
      { say "$name: no result; build/aarch64/$where/$name.log"; return 1; }
    without_clocks "$work/$where/$name.json" "$clocks" >"$work/$where/$name.txt"
  done
  diff "$work/native/$name.txt" "$work/arm64/$name.txt" >"$work/$name.diff" || { say "$name: not the same: build/aarch64/$name.diff"; return 1; }
}
bin_of() { [[ $1 == native ]] && echo "$native/bin" || echo "$build/bin"; }
# A number of all labs in the JSON of a grade, without fractions.
total() { sed -n "s/^  \"$1\": \([0-9]*\).*/\1/p" "$2"; }

# What `lab` installs, the containers and the workflows.
run_packages() {
  local package names lacking='' count=0
  names=$(sed -nE 's/.*(missing\+=\(|optional )([a-z0-9.+-]+)\)?$/\2/p' lab
    sed -nE '/^      [a-z]/s/[\\]//p' .devcontainer/Dockerfile | sed 's/[$]{CLANG}/14/'
    sed -nE 's/.*--no-install-recommends ([a-z].*)/\1/p' .github/workflows/tests.yml)
  for package in $(tr -s ' ' '\n' <<<"$names" | sort -u); do
    apt-cache -o "Dir=$root" -o APT::Architecture=arm64 -o APT::Architectures::=arm64 show "$package" >/dev/null 2>&1 || lacking+=" $package"
    count=$((count + 1))
  done
  row packages "that the lab installs exist for arm64" "$(same "$lacking" "")" "${lacking:-all $count}"
}
run_labs() {
  local lab kind words sum of alike
  for kind in solutions stubs; do
    sum=0 of=0 alike=0
    for lab in "${labs[@]}"; do
      words_of "$kind" "$lab"
      ! on_both "$kind-$lab" lab-tool grade "$lab" "${words[@]}" || alike=$((alike + 1))
      sum=$((sum + $(total points "$work/arm64/$kind-$lab.json"))) of=$((of + $(total of "$work/arm64/$kind-$lab.json")))
    done
    row labs "points of the $kind" "$(same "$sum" "$([[ $kind == stubs ]] && echo 0 || echo "$of")")" "$sum of $of"
    row labs "$kind with the messages and times of x86-64" "$(same "$alike" ${#labs[@]})" "$alike of ${#labs[@]}"
  done
}
# Sets the words of a grade. Two tests of lab 1 compare times of this machine's caches, which code that qemu translates hardly shows.
by_a_clock=Lab1.MatmulIkjBeatsIjkAtWidth1024:Lab1.MatvecWalksMemoryInOrder
words_of() {  # solutions or stubs, lab
  words=(--seed 1 --search 0) # a search ends by processor time
  [[ $1 == solutions ]] && words+=(--solutions) || words+=(--from common/stubs --sandbox never)  # no sandbox under qemu
  [[ $2 != lab1 ]] || words+=("--filter=-$by_a_clock")
}
# Runs tests under qemu; the row counts them.
run_ctest() {  # part, what, arguments of ctest
  local part=$1 what=$2 log=$work/$1.log
  shift 2
  ctest --test-dir "$build" -j "$(nproc)" --output-on-failure --repeat after-timeout:3 "$@" >"$log" 2>&1 || say "$part: $(sed -n '/tests FAILED:/,$p' "$log")"
  row "$part" "$what" "$(grep -q '^100% tests passed' "$log" && echo yes || echo no)" \
    "$(sed -nE 's/^([0-9]+)% tests passed, ([0-9]+) tests failed out of ([0-9]+)/\2 of \3 failed/p' "$log")"
}
# Tests that can't run here, as regular expressions, and why.
not_under_qemu=(
  "LargePages[.]: the library in front of the system's would be qemu's own; part pages hands it on"
  "run[.]openmp: links this machine's own library for OpenMP"
  "SuitesMain[.]: they start the file that runs them, which only qemu can start"
  "Child[.]KeepsWhatWasPrintedBeforeACrashInOrder: qemu prints a line of its own after a crash"
)
short_unit='^(InstructionConvert|InstructionFloat|MachineBarrier|MachineDivergence|PtxOperands)[.]'
excluded() { printf '^$'; printf '|^%s' "${not_under_qemu[@]%%: *}"; }
run_unit() {
  run_ctest unit "unit tests" -L 'emulator|grading' -LE 'programs|headers|instructions' -E "$(excluded)" ${short:+-R "$short_unit"}
}
# The samples that are judged: drawn by the commit's hash.
drawn() {  # how many
  local commit file
  commit=$(git rev-parse HEAD 2>/dev/null || true)
  for file in tests/mutants/lab*.diff tests/accepted/lab*.diff; do
    [[ -z $short || $file == *"/${labs[0]}_"* ]] || continue
    [[ $file != tests/accepted/lab1_* ]] || continue  # judged by a clock as well (by_a_clock)
    echo "$(printf '%s %s' "$commit" "$file" | sha1sum) $file"
  done | sort | head -n "$1" | sed -E 's#.* tests/([a-z]+)/lab([0-9])_(.*)\.diff#^\1.Lab\2.\3$#' | paste -sd '|'
}
run_samples() { run_ctest samples "mutants and accepted files" -R "$(drawn "$([[ -n $short ]] && echo 4 || echo 60)")" -FA samples_built; }
run_programs() { run_ctest programs "programs and faulty programs" -R '^(programs|faulty|run)[.]' -E "$(excluded)"; }
run_times() {
  local kernel alike=0 kernels
  eval "$(sed -n '/^kernels=(/,/)$/p' tests/compilers.sh)"
  for kernel in "${kernels[@]}"; do
    ! on_both "times-${kernel#*:}" lab-study profile "${kernel%:*}" "${kernel#*:}" --solution || alike=$((alike + 1))
  done
  row times "kernels with the counters and times of x86-64" "$(same "$alike" ${#kernels[@]})" "$alike of ${#kernels[@]}"
}
# Labs 1 and 2 on systems with larger pages, which a library in front of the system's makes of this one's (tests/emulator/large_pages.cpp).
run_pages() {
  local bytes lab kind where name words shim alike=0 count=0
  for lab in lab1 lab2; do
    for kind in solutions stubs; do
      name=$kind-$lab
      words_of "$kind" "$lab"
      [[ -s $work/arm64/$name.txt ]] || on_both "$name" lab-tool grade "$lab" "${words[@]}" || true
      for bytes in 16384 65536; do
        for where in native arm64; do
          [[ $where == native ]] && shim=LD_PRELOAD=$native/bin/liblarge_pages.so || shim=LAB_GUEST_PRELOAD=$build/bin/liblarge_pages.so
          env "LAB_PAGE_BYTES=$bytes" "$shim" "$(bin_of "$where")/lab-tool" grade "$lab" "${words[@]}" --json "$work/$where/$name-$bytes.json" \
            >"$work/$where/$name-$bytes.log" 2>&1 || true
          count=$((count + 1))
          ! diff "$work/$where/$name.txt" <(without_clocks "$work/$where/$name-$bytes.json" "$([[ $lab != lab1 ]] || echo all)") \
            >"$work/$where/$name-$bytes.diff" || alike=$((alike + 1))
        done
      done
    done
  done
  row pages "labs 1 and 2 with pages of 16 and 64 KiB as without, on both machines" "$(same "$alike" "$count")" "$alike of $count"
}

# Runs a command where the kernel itself starts programs for AArch64 by qemu, as in Docker: here and now, and for nobody else.
in_arm64() {
  unshare --map-root-user --mount bash -c '
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    echo ":arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$0:F" \
      >/proc/sys/fs/binfmt_misc/register
    ulimit -v 16777216
    exec "$@"' "$(command -v qemu-aarch64-static || command -v qemu-aarch64)" env "QEMU_LD_PREFIX=$root" HOSTTYPE=aarch64 "LAB_CLANG=$work/clang++" "$@"
}
newest() { printf '%s\n' "$@" | sort -Vu | tail -n 1; }
# A students' bundle of one lab, used as on a machine of that kind.
run_bundle() {
  local folder=$work/bundle lab=lab6 file points of needed allowed
  rm -rf --one-file-system "$folder" && mkdir "$folder"
  in_arm64 true 2>"$work/bundle.log" || { say "bundle: not run, this kernel has no binfmt_misc for a namespace (Linux 6.7)"; return 0; }
  "$native/bin/lab-tool" package students --labs "$lab" --arch aarch64 --out "$folder/made" >>"$work/bundle.log" 2>&1 ||
    { row bundle "made" no "build/aarch64/bundle.log"; return; }
  # The suite signs the figures of a run of its own.
  in_arm64 "$folder/made/prebuilt-aarch64/bin/${lab}_test" --runner "$build/bin/${lab}_reference" --reference "$build/bin/${lab}_reference" \
    --save-figures "$folder/figures.json" >>"$work/bundle.log" 2>&1 || true
  row bundle "figures and signature as by its own suite" \
    "$(cmp -s "$folder/figures.json" "$folder/made/prebuilt-aarch64/figures/$lab.json" && echo yes || echo no)" "$lab"
  for file in common/stubs solutions; do
    cp "$file/${lab}"_*/* "$folder/made/labs/${lab}"_*/
    in_arm64 "$folder/made/lab" --no-install grade "$lab" --json "$folder/$(basename "$file").json" >>"$work/bundle.log" 2>&1 || true
    points=$(total points "$folder/$(basename "$file").json") of=$(total of "$folder/$(basename "$file").json")
    row bundle "points of $file" "$(same "$points of $of" "$([[ $file == solutions ]] && echo 100 || echo 0) of 100")" "$points of $of"
  done
  # As Package.NeedsNothingThatUbuntu2204Lacks for x86-64.
  needed=$(readelf --wide -V "$folder"/made/prebuilt-aarch64/{bin,lib}/* | grep -oE '\b(GLIBC|GLIBCXX|CXXABI)_[0-9.]+' | sort -u)
  for allowed in GLIBC_2.35 GLIBCXX_3.4.30 CXXABI_1.3.13; do
    file=$(newest $(grep "^${allowed%%_*}_" <<<"$needed"))
    row bundle "symbols no newer than $allowed" "$(same "$(newest "$file" "$allowed")" "$allowed")" "$file"
  done
}

# --- The run -----------------------------------------------------------------------------------------------------------------------
main() {
  short='' wanted=()
  labs=(lab1 lab2 lab3 lab4 lab5 lab6)
  while (($#)); do
    case $1 in
      --short) short=1 labs=(lab6) ;;
      --root) root=$(realpath -m "${2:?--root needs a folder}"); shift ;;
      *) [[ " ${all[*]} " == *" $1 "* ]] || fail "no '$1'; there are: ${all[*]}"; wanted+=("$1") ;;
    esac
    shift
  done
  ((${#wanted[@]})) || wanted=("${all[@]}")
  [[ -z $short || ${#wanted[@]} -lt ${#all[@]} ]] || wanted=(packages labs unit samples bundle)
  wants() { [[ " ${wanted[*]} " == *" $1 "* ]]; }
  command -v qemu-aarch64-static >/dev/null || command -v qemu-aarch64 >/dev/null || fail "needs qemu-user-static"
  mkdir -p "$work"
  targets=(lab-tool)
  ! wants labs && ! wants pages || targets+=("${labs[@]}")
  ! wants pages || targets+=(large_pages)
  ! wants times || targets+=(lab-study labs_solved)
  [[ -e $native/build.ninja ]] || cmake --preset tests >"$work/native.log" 2>&1 || fail "configuring failed: build/aarch64/native.log"
  make_targets "$native" "${targets[@]}" $(! wants bundle || echo lab-class)
  ! wants unit || targets+=(ptx_test instruction_test machine_test)
  ! wants unit || [[ -n $short ]] || targets+=(lab_emulator_tests grading_test findings_test trace_test)
  ! wants samples || targets+=(lab_sample_check "${labs[@]}")
  if wants programs; then
    for program in tests/emulator/programs/*.cu; do targets+=("program_$(basename "$program" .cu)"); done
    targets+=(faulty_programs)
  fi
  make_build_of "$native"
  make_targets "$build" "${targets[@]}"
  for part in "${wanted[@]}"; do
    say "$part, after $SECONDS s"
    "run_$part"
  done
  echo '| part | what | seen |'
  echo '| --- | --- | --- |'
  printf '%s\n' "${rows[@]}"
  [[ -z $failed ]]
}
main "$@"; exit  # one line: the script may be changed while it runs
