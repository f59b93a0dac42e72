# `./lab doctor`: what is installed here and what it means, as text for a report. `lab` sources this file; it ends the script with status 0
# if grading can work here and 1 if something has to be installed first. Nothing is installed or built.

as_json=
for word in "${arguments[@]:1}"; do
  case $word in
    --json) as_json=1 ;;
    -h | --help)
      cat <<'HELP'
Say what is installed here and what it means: text to paste into a report
Usage: lab doctor [OPTIONS]

Options:
  -h,--help                   Print this help message and exit
  --json                      the same as JSON

The status is 0 if grading works here, 1 if something has to be installed.
HELP
      exit 0
      ;;
    *) fail "doctor: unknown option '$word'; there is: --json" ;;
  esac
done

names=()
texts=()
fact() {
  names+=("$1")
  texts+=("$2")
}
obstacles=()  # why grading can't work, besides missing packages

first_match() { sed -n "$1" "$2" 2>/dev/null | head -n 1 || true; }
# The version that a library's CMake package names; nothing if it has none.
package_version() {
  local file prefix=${LAB_INCLUDE_ROOT:-/usr}
  for file in "$prefix"/lib/*/cmake/"$1"/*onfigVersion.cmake "$prefix"/{share,lib,local/lib}/cmake/"$1"/*onfigVersion.cmake \
    "$prefix"/{share,lib}/cmake/"$1"/*-config-version.cmake "$prefix"/lib/*/cmake/"$1"/*-config-version.cmake; do
    [[ -e $file ]] || continue
    first_match 's/^set(PACKAGE_VERSION "\{0,1\}\([0-9.]*\)"\{0,1\})/\1/p' "$file"
    return
  done
}
library() {
  has_header "$2" || { echo "$1 missing"; return; }
  local version
  version=$(package_version "$3")
  echo "$1${version:+ $version}"
}
gib() { echo "$(($1 / 1048576)).$(($1 % 1048576 * 10 / 1048576)) GiB"; }  # of KiB

project_fact() {
  local id changed
  id=$(commit)
  changed=$([[ -z $id ]] || git -C "$root" status --porcelain --untracked-files=no 2>/dev/null | grep -c . || true)
  [[ -z $id ]] || id=", commit $id"
  [[ ${changed:-0} == 0 ]] || id+=", $changed files changed"
  fact project "CUDA teaching lab $(project_version)${id:-, no git checkout}"
}
system_fact() {
  local name kernel
  name=$(first_match 's/^PRETTY_NAME="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' /etc/os-release)
  kernel=$(uname -srm 2>/dev/null || true)
  [[ $kernel != *[Mm]icrosoft* ]] || kernel+=" (WSL)"
  [[ $HOSTTYPE != aarch64 ]] || kernel+=" (the lab was tried on AArch64 under emulation only)"
  fact system "${name:-unknown}, ${kernel:-unknown kernel}"
}
machine_fact() {
  local total available
  total=$(first_match 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo)
  available=$(first_match 's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo)
  local cores text
  cores=$(nproc 2>/dev/null || echo 1)
  text="$cores processors, $(gib "${total:-0}") of memory, $(gib "${available:-0}") of it available"
  ((${available:-0} >= cores * compile_kib)) || text+=": a build may need $(gib $((cores * compile_kib)))"
  fact machine "$text"
}
compile_kib=419430  # a clang++ takes at most 0.36 GiB for one batch of files (clang 14, /usr/bin/time)
# Whether this clang makes PTX here and finds a C++ library; Compiler.cmake asks the same.
makes_ptx() {
  "$1" -x cuda -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-device-only --cuda-gpu-arch=sm_70 -std=c++17 -S -o /dev/null - \
    >/dev/null 2>&1 <<'CODE'
#include <vector>
__attribute__((global)) void kernel(int* x) { *x = 1; }
CODE
}
# The first option of Optimisation.cmake's LAB_MACHINE_OPTIONS that asks this clang for all that this processor has; nothing if it has none.
machine_option() {
  local option
  for option in -march= -mcpu=; do
    ! "$1" -x c++ "${option}native" -c -o /dev/null - </dev/null >/dev/null 2>&1 || { echo "${option}native"; return; }
  done
}
# Whether it compiles for this machine as the emulator's inner loops are compiled.
compiles_here() {  # clang++, its machine option or nothing
  "$1" -x c++ -std=c++20 -O3 ${2:+"$2"} -c -o /dev/null - >/dev/null 2>&1 <<'CODE'
#include <vector>
float sum(const std::vector<float>& x) { return x.empty() ? 0 : x.front() + x.back(); }
CODE
}
compiler_fact() {
  local program text major option
  if ! program=$(clang_program); then
    local instead="none makes PTX for the emulator"
    [[ $backend == emulator ]] || instead="nvcc makes PTX for the emulator"
    fact compiler "no clang++ of the tested versions, ${tested_clangs[*]}: $instead"
    return
  fi
  text="$program, version $("$program" -dumpversion 2>/dev/null || echo unknown)"
  major=$(major_of "$program")
  option=$(machine_option "$program")
  if ! makes_ptx "$program" || ! compiles_here "$program" "$option"; then
    text+=": makes no PTX here, or no program for it"
    [[ $backend == gpu ]] || obstacles+=("$program can't compile a kernel (is a C++ library there? libstdc++-12-dev, say)")
  elif [[ " ${tested_clangs[*]} " == *" $major "* ]]; then
    text+=": one of the tested versions, ${tested_clangs[*]}"
  else
    text+=": none of the tested versions, ${tested_clangs[*]}; LAB_CLANG asks for it"
  fi
  text+="; inner loops with ${option:-no option for this processor}"
  fact compiler "$text"
}
build_fact() {
  local have text
  have=$(cmake_version || true)
  text="CMake ${have:-missing}"
  if [[ -n $have ]] && ! at_least "$least_cmake" "$have"; then
    text+=" (too old)"
    obstacles+=("CMake $have is too old, $least_cmake is needed: pip install --user cmake")
  fi
  fact build "$text, Ninja $(ninja --version 2>/dev/null || echo missing)"
}
libraries_fact() {
  fact libraries "$(library GoogleTest gtest/gtest.h GTest), $(library nlohmann/json nlohmann/json.hpp nlohmann_json), $(
    library fmt fmt/format.h fmt
  ), $(library CLI11 CLI/CLI.hpp CLI11)"
}
gpu_facts() {
  local gpu=none nvcc
  ! has_gpu || gpu=$(gpu_in_words)
  [[ $gpu != none ]] || gpu="none: the emulator runs the kernels"
  fact GPU "$gpu"
  if nvcc=$(find_nvcc); then
    fact nvcc "$nvcc, version $("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
  else
    fact nvcc "none: needed only to run kernels on a GPU"
    [[ $backend != gpu ]] || obstacles+=("the gpu backend needs nvcc: install the CUDA toolkit 12 or 13, or give --backend emulator")
  fi
}
# What could confine a student's program here.
sandbox_fact() {
  local bwrap=no spaces=no seccomp=no
  ! command -v bwrap >/dev/null || bwrap="yes, but it can't start"
  ! bwrap --ro-bind / / --unshare-all true 2>/dev/null || bwrap=yes
  ! unshare --user --map-root-user true 2>/dev/null || spaces=yes
  ! grep -q '^Seccomp:' /proc/self/status 2>/dev/null || seccomp=yes
  fact sandbox "bubblewrap: $bwrap; user namespaces: $spaces; seccomp: $seccomp"
}
grading_fact() {
  if ((${#missing[@]})); then
    obstacles+=("install ${missing[*]}: $( (($(id -u) == 0)) || echo 'sudo ')apt-get install ${missing[*]} (or ./lab --yes grade)")
  fi
  if ((${#obstacles[@]})); then
    local all
    printf -v all '%s; ' "${obstacles[@]}"
    fact grading "doesn't work yet: ${all%; }"
  else
    fact grading "works here, on the $backend backend"
  fi
}

quoted() {
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}
show_json() {
  local i package packages=
  for package in "${missing[@]}"; do packages+="${packages:+, }$(quoted "$package")"; done
  printf '{\n  "works": %s,\n  "backend": %s,\n  "missing": [%s]' "$1" "$(quoted "$backend")" "$packages"
  for i in "${!names[@]}"; do printf ',\n  %s: %s' "$(quoted "${names[i]}")" "$(quoted "${texts[i]}")"; done
  printf '\n}\n'
}

find_missing 2>/dev/null
project_fact
system_fact
machine_fact
compiler_fact
if ! is_bundle; then
  build_fact
  libraries_fact
fi
gpu_facts
is_bundle || sandbox_fact
grading_fact
works=true
((${#obstacles[@]} == 0)) || works=false
if [[ -n $as_json ]]; then
  show_json $works
else
  for i in "${!names[@]}"; do printf '%-11s%s\n' "${names[i]}" "${texts[i]}"; done
fi
[[ $works == true ]] && exit 0 || exit 1
