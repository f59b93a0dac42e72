#!/usr/bin/env bash
# What people wait for, in an empty clone of this commit beside one of another: first grades, grades of a built tree, tests.
#
#   tests/bench/waiting.sh BASE [ROW...]     BASE: a commit; rows: grade cmake solutions warm edited test ci full; grade to edited if none
#   tests/bench/waiting.sh stated [ROW...]   CPU minutes beside those that the pages state; rows: solutions docs test; the first two if none.
#                                            Status 1 if one takes more than 1.5 times as long, machines compared by a reference
#
# Prints wall and processor seconds of both and their quotient. The two are measured one after the other, row by row; run it on a quiet
# machine. Needs the packages that ./lab installs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
(($# > 0)) || { echo "waiting.sh: say which commit to measure beside this one: tests/bench/waiting.sh BASE [ROW...]" >&2; exit 2; }
mode=compare
[[ $1 != stated ]] || { mode=stated; set -- HEAD "${@:2}"; }
base=$(git rev-parse --verify --quiet "$1^{commit}") || { echo "waiting.sh: no commit $1 here" >&2; exit 2; }
shift
rows=("$@")
((${#rows[@]})) || rows=(grade cmake solutions warm edited)
[[ $mode != stated || ${rows[0]} != grade ]] || rows=(solutions docs)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A commit=([base]=$base [head]=$(git rev-parse HEAD))

fresh() {  # name of a tree: an empty clone of its commit
  rm -rf "${work:?}/$1"
  git clone --quiet . "$work/$1"
  git -C "$work/$1" -c advice.detachedHead=false checkout --quiet "${commit[$1]}"
}
ready() {  # a tree in which everything that grading needs is built
  [[ -e $work/$1/built ]] || { fresh "$1"; (cd "$work/$1" && ./lab --yes grade --solutions >/dev/null 2>&1 && ./lab grade >/dev/null 2>&1) || true; touch "$work/$1/built"; }
}
# Times a command in a tree: "wall processor". Its status is not looked at: stubs lose points.
timed() {
  local tree=$1
  shift
  local TIMEFORMAT='%R %U %S' out
  out=$( { time (cd "$work/$tree" && "$@" >"$work/$tree.log" 2>&1) || true; } 2>&1)
  awk '{printf "%.1f %.1f", $1, $2 + $3}' <<<"$(tail -n 1 <<<"$out")"
}
show() {  # row, base's times, head's times
  awk -v row="$1" '{printf "%-34s %7.1f s %8.1f s CPU   %7.1f s %8.1f s CPU   %.2f %.2f\n", row, $1, $2, $3, $4, $3 / $1, $4 / $2}' <<<"$2 $3"
}
compare() {  # title, preparation, command...
  local title=$1 prepare=$2 tree
  shift 2
  local -A took
  for tree in base head; do
    "$prepare" "$tree"
    took[$tree]=$(timed "$tree" "$@")
  done
  show "$title" "${took[base]}" "${took[head]}"
}
cmake_alone() { cmake --preset emulator && cmake --build --preset emulator && ctest --preset emulator -R lab3; }
# A solved lab's file, one line longer.
edit_and_grade() {
  local file
  file=$(echo "labs/$1"_*/*.c*)
  { cat "solutions/${file#labs/}"; echo "// edited"; } >"$file"
  ./lab grade "$1"
}
export -f cmake_alone edit_and_grade

# The reference: CPU seconds of compiling a fixed text, before and after; on the machine of the stated times, reference_then (2026-11-29,
# clang 14, the mean of four).
reference_then=7.4
reference() {
  printf '#include <nlohmann/json.hpp>\n#include <regex>\nbool f(const char* s) { return nlohmann::json::parse(s) && std::regex_match(s, std::regex("a+b")); }\n' >"$work/head.cpp"
  mkdir -p "$work/head"
  timed head "${LAB_CLANG:-clang++}" -std=c++20 -O2 -c ../head.cpp -o ../head.o | cut -d' ' -f2
}
# The CPU minutes that a page states in the sentence that matches.
stated_in() { tr '\n' ' ' <"$1" | sed -nE "s/.*$2[^.]*about ([0-9.]+) CPU minutes.*/\1/p"; }
check_stated() {  # row, page, sentence, command...
  local minutes took before after
  minutes=$(stated_in "$2" "$3")
  [[ -n $minutes ]] || { echo "waiting.sh: $2 states no CPU minutes for $1" >&2; exit 2; }
  fresh head
  before=$(reference)
  fresh head
  took=$(timed head "${@:4}" | cut -d' ' -f2)
  after=$(reference)
  awk -v row="$1" -v minutes="$minutes" -v took="$took" -v before="$before" -v after="$after" -v then="$reference_then" 'BEGIN {
    scaled = took / 60 * then / ((before + after) / 2)
    printf "%-12s stated %5.1f CPU minutes, took %5.1f, %5.1f on the machine of the statement\n", row, minutes, took / 60, scaled
    exit scaled > 1.5 * minutes }'
}
if [[ $mode == stated ]]; then
  status=0
  for row in "${rows[@]}"; do
    case $row in
      solutions) check_stated solutions README.md 'The first command' ./lab --yes grade --solutions || status=1 ;;
      test) check_stated test README.md 'The second' ./lab --yes test || status=1 ;;
      docs) check_stated docs handouts/README.md 'needs Doxygen' ./lab --yes docs || status=1 ;;
      *) echo "waiting.sh: unknown row $row; there are: solutions docs test" >&2; exit 2 ;;
    esac
  done
  exit "$status"
fi

printf '%-34s %22s   %24s   %s\n' '' "${commit[base]:0:9}" "${commit[head]:0:9}" 'quotients: wall, CPU'
for row in "${rows[@]}"; do
  case $row in
    grade) compare 'empty clone, grade lab2' fresh ./lab --yes grade lab2 ;;
    cmake) compare 'empty clone, CMake alone, lab3' fresh bash -c cmake_alone ;;
    solutions) compare 'empty clone, grade --solutions' fresh ./lab --yes grade --solutions ;;
    warm) compare 'built tree, grade --solutions' ready ./lab grade --solutions ;;
    edited) for lab in lab1 lab2 lab3 lab4 lab5 lab6; do compare "edited file, grade $lab" ready bash -c "edit_and_grade $lab"; done ;;
    test) compare 'empty clone, lab test' fresh ./lab --yes test ;;
    ci) compare 'empty clone, CI' fresh bash .ci/run ;;
    full) compare 'empty clone, full tier' fresh ./lab --yes test --full ;;
    *) echo "waiting.sh: unknown row $row; there are: grade cmake solutions warm edited test ci full" >&2; exit 2 ;;
  esac
done
