#!/usr/bin/env bash
# Grades everything that has a known verdict with each supported clang, in Debian 12 and Debian 13: solutions, stubs, mutants, accepted
# files, faulty programs. Compares verdicts, first lines and counters with those of clang 14. The table stands in tests/README.md.
#
#   tests/compilers.sh [--again] [--whole] [--table] [SYSTEM-VERSION...]    e.g. tests/compilers.sh debian12-14 debian13-18; all if none is named
#
# The kernels are compiled by that version; what runs on the host is compiled once in each system, by the system's own clang. With --whole
# everything is compiled by that version, in a build of its own, and the unit tests run as well: an hour and more on two processors.
# A system and version that was finished for these sources is not run again without --again. --table only prints what was found so far.
# LAB_MIRROR names a Debian mirror other than debootstrap's own. Needs root, debootstrap, and 5 GB below build/compilers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

all=(debian12-14 debian12-15 debian12-16 debian12-19 debian13-17 debian13-18 debian13-19)
declare -A host_clang=([debian12]=14 [debian13]=19)
declare -A suites=([debian12]=bookworm [debian13]=trixie)
packages=(cmake ninja-build g++ libgtest-dev nlohmann-json3-dev libfmt-dev libcli11-dev libbenchmark-dev git)
work=$PWD/build/compilers

say() { printf 'compilers.sh: %s\n' "$*" >&2; }
fail() { say "$@"; exit 2; }

# --- Inside a system ---------------------------------------------------------------------------------------------------------------
# One line for each thing judged, "kind name: verdict", the same for every compiler if all is well.
kernels=(lab2:matmul_global lab3:matmul_tiled lab4:matvec_static lab4:matvec_dynamic lab4:matvec_any lab4:matvec_constant lab4:matmul_any
  lab4:matmul_constant lab5:copy_row lab5:copy_col lab5:naive_row lab5:naive_col lab5:unroll4_row lab5:unroll4_col lab5:smem lab5:smem_pad
  lab5:smem_unroll_pad lab6:diagonal_row lab6:diagonal_col lab6:diagonal_smem_pad)

# Points of each test and the first lines of its failures, from the JSON of `lab grade`. Times, measured or modelled, become "#".
verdicts() {  # kind, file
  awk -v kind="$1" '
    /^ *"failures": \[$/ { inside = 1; next }
    inside && /^ *\],?$/ { inside = 0; next }
    inside { sub(/^ *"/, ""); sub(/\\n.*/, ""); sub(/",?$/, ""); first = first " · " $0; next }
    /^ *"name": "Lab/ { sub(/^ *"name": "/, ""); sub(/",$/, ""); name = $0 }
    /^ *"points": / && name != "" { sub(/^ *"points": /, ""); sub(/,$/, ""); print kind " " name ": " $0 first; name = first = "" }
  ' "$2" | sed -E 's/[0-9.]+(e[-+]?[0-9]+)?( ms| s| GFLOP\/s| GB\/s| times as fast| times as long| of its speed)/#\2/g'
}
# What a kernel asks of memory and where it synchronises, from the JSON of `lab profile`: the program decides it, and not the compiler. How
# many instructions that takes is the compiler's choice, and the modelled time depends on it: lines of their own.
counters() {  # kernel, file
  awk -v kernel="$1" '
    /^ *"(constant|global|mapped|shared)_(load|store)": \{$/ { section = $1; gsub(/[":]/, "", section); next }
    section != "" && /}/ { section = "" }
    section != "" { gsub(/[ ",]/, ""); print "counters " kernel ": " section "." $0 }
    /^ *"(barriers|divergent)": / && !($1 in seen) { seen[$1]; gsub(/[ ",]/, ""); print "counters " kernel ": " $0 }
    /^ *"(inst_executed|modelled_ms)": / { gsub(/[ ",]/, ""); print "chosen " kernel ": " $0 }
  ' "$2"
}
inside() {  # version of the kernels' compiler, that of the host's, what else to build
  local build=build/tests-clang$2 lab kernel status=0
  local found=$build/found.txt
  CXX=clang++-$2 cmake --preset tests -B "$build" -DLAB_WARNINGS_ARE_ERRORS=OFF "-DLAB_CLANG=$(command -v "clang++-$1")"
  ninja -C "$build" sample_checks labs labs_solved faulty_programs lab-tool lab-study ${3:+"$3"}
  : >"$found"
  # A grade costs points where something is wrong, which is a verdict here and no failure of this script.
  for lab in 1 2 3 4 5 6; do
    "$build/bin/lab-tool" grade "lab$lab" --solutions --seed 1 --json "$build/graded.json" || status=$?
    verdicts solution "$build/graded.json" >>"$found"
    "$build/bin/lab-tool" grade "lab$lab" --from labs --seed 1 --json "$build/graded.json" || status=$?
    verdicts stub "$build/graded.json" >>"$found"
  done
  ctest --test-dir "$build" -L 'mutants|accepted' -LE slow -j "$(nproc)" --output-on-failure || status=$?
  ctest --test-dir "$build" -R '^faulty[.]' -j "$(nproc)" --output-on-failure || status=$?
  [[ -z ${3:-} ]] || ctest --test-dir "$build" -L 'emulator|grading|tools' -E '^faulty[.]' -j "$(nproc)" --output-on-failure || status=$?
  for kernel in "${kernels[@]}"; do
    "$build/bin/lab-study" profile "${kernel%:*}" "${kernel#*:}" --solution --json "$build/counters-${kernel#*:}.json" >/dev/null || status=$?
    counters "${kernel#*:}" "$build/counters-${kernel#*:}.json" >>"$found"
  done
  return 0
}
if [[ ${1:-} == --inside ]]; then
  inside "${@:2}"
  exit
fi

# --- Systems -----------------------------------------------------------------------------------------------------------------------
# In a mount namespace of its own, so that nothing stays mounted however this ends.
in_system() {  # system, command...
  local root=$work/$1
  shift
  unshare --mount --propagation private bash -c '
    set -e
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    exec chroot "$0" "$@"' "$root" env -C "/${tree:-}" LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
make_system() {  # system
  local root=$work/$1
  if [[ ! -e $root/.installed ]]; then
    command -v debootstrap >/dev/null || fail "needs debootstrap: apt-get install debootstrap"
    say "installing $1 in build/compilers/$1"
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase "${suites[$1]}" "$root" ${LAB_MIRROR:+"$LAB_MIRROR"} >"$work/$1-install.log" 2>&1 ||
      fail "debootstrap failed: build/compilers/$1-install.log"
    tree= in_system "$1" apt-get install -y --no-install-recommends "${packages[@]}" >>"$work/$1-install.log" 2>&1 ||
      fail "apt-get failed: build/compilers/$1-install.log"
    touch "$root/.installed"
  fi
}
add_clang() {  # system, version
  [[ -e $work/$1/usr/bin/clang++-$2 ]] && return
  tree= in_system "$1" apt-get install -y --no-install-recommends "clang-$2" >>"$work/$1-install.log" 2>&1 ||
    fail "clang-$2 can't be installed in $1: build/compilers/$1-install.log"
}
# The tracked files as they are here; what they have built there stays, and files that did not change keep their time.
copy_tree() {  # system
  mkdir -p "$work/$1/lab"
  git ls-files -z | xargs -0 cp --parents --update -t "$work/$1/lab"
}

# --- What is found -----------------------------------------------------------------------------------------------------------------
count_of() {  # kind of test as ctest names it, log
  awk -v kind="$1" '$0 ~ ("Test +#[0-9]+: " kind) { all++; if (/ Passed /) passed++ } END { printf "%d/%d", passed, all }' "$2"
}
# Labs whose lines agree with clang 14's, of six; "solution" or "stub".
same_labs() {  # kind, found, reference
  local lab same=0
  for lab in 1 2 3 4 5 6; do
    cmp -s <(grep "^$1 Lab$lab[.]" "$2" | sort) <(grep "^$1 Lab$lab[.]" "$3" | sort) && grep -q "^$1 Lab$lab[.]" "$2" && same=$((same + 1))
  done
  echo "$same/6"
}
same_counters() {  # found, reference
  local kernel same=0
  for kernel in "${kernels[@]}"; do
    cmp -s <(grep "^counters ${kernel#*:}:" "$1" || true) <(grep "^counters ${kernel#*:}:" "$2" || true) && same=$((same + 1))
  done
  echo "$same/${#kernels[@]}"
}
# The largest deviation of a kernel's modelled time, in percent, and that kernel.
time_deviation() {  # found, reference
  awk '/^chosen .*modelled_ms/ { split($3, word, ":"); if (NR == FNR) { time[$2] = word[2]; next }
      off = 100 * (word[2] / time[$2] - 1); if (off * off > most * most) { most = off; which = $2 } }
    END { sub(/:/, "", which); printf "%+.1f %% (%s)", most, which == "" ? "all" : which }' "$2" "$1"
}
table() {
  local name found log reference=$work/found/debian12-14.txt
  echo '| system | clang | solutions | stubs | mutants | accepted | faulty programs | kernels with equal counters | largest change of a modelled time |'
  echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- |'
  for name in "${all[@]}"; do
    found=$work/found/$name.txt
    log=$work/found/$name.log
    if [[ ! -e $found || ! -e $reference ]]; then
      echo "| ${name%-*} | ${name#*-} | not run | | | | | | |"
      continue
    fi
    echo "| ${name%-*} | ${name#*-} | $(same_labs solution "$found" "$reference") | $(same_labs stub "$found" "$reference") |" \
      "$(count_of '(mutants|all_passes)[.]' "$log") | $(count_of 'accepted[.]' "$log") | $(count_of 'faulty[.]' "$log") |" \
      "$(same_counters "$found" "$reference") | $(time_deviation "$found" "$reference") |"
  done
}

again= whole= wanted=()
for word in "$@"; do
  case $word in
    --again) again=1 ;;
    --whole) whole=1 ;;
    --table) table; exit ;;
    *) [[ " ${all[*]} " == *" $word "* ]] || fail "no '$word'; there are: ${all[*]}"; wanted+=("$word") ;;
  esac
done
((${#wanted[@]})) || wanted=("${all[@]}")
(($(id -u) == 0)) || fail "has to be run as root: it installs systems to run in"
mkdir -p "$work/found"
# What verdicts depend on: all tracked files as they are here, but for texts and this script.
state=$(git ls-files -z -- ':!*.md' ':!tests/compilers.sh' | xargs -0 sha1sum | sha1sum)
for name in "${wanted[@]}"; do
  system=${name%-*} version=${name#*-} result=$work/found/$name
  [[ -z $again && -e $result.txt && -e $result.state && $state == "$(cat "$result.state")" ]] && continue
  make_system "$system"
  add_clang "$system" "$version"
  copy_tree "$system"
  rm -f "$result.state" "$result.txt"
  say "$name (log: build/compilers/found/$name.log)"
  host=${host_clang[$system]}
  [[ -z $whole ]] || host=$version
  add_clang "$system" "$host"
  tree=lab in_system "$system" tests/compilers.sh --inside "$version" "$host" ${whole:+lab_unit_tests} >"$result.log" 2>&1 ||
    fail "$name was not finished: $(tail -n 3 "$result.log")"
  cp "$work/$system/lab/build/tests-clang$host/found.txt" "$result.txt"
  echo "$state" >"$result.state"
done
table
