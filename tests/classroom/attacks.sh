#!/usr/bin/env bash
# Grades the attacks of tests/attacks as a class, each a student's submission among solutions and stubs: no attack gains a point, every honest
# submission has the points that it has without them, and no process, file or grading's folder is left.
#   tests/classroom/attacks.sh [QUARTER [JOBS]]    1 to 4 as LAB_QUARTER; all without it. By hand: it takes minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export LAB_QUARTER=${1:-0}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check=build/tests/tests/attacks/attack_check
[[ -x $check ]] || { echo "attacks.sh: $check is missing: ./lab test builds it" >&2; exit 2; }

honest() {  # name, folder laid out like labs/
  mkdir -p "$work/class/$1"
  cp "$2"/lab[123]_*/*.c* "$work/class/$1/"
}
honest a_first solutions
honest a_stub common/stubs
for file in tests/attacks/*.attack; do
  name=$(basename "$file" .attack) made=
  for made in labs/"${name%%_*}"_*/*.c*; do :; done
  mkdir -p "$work/class/$name"
  # Status 77: of another quarter.
  "$check" --file "$file" --print >"$work/class/$name/$(basename "$made")" || rm -r "$work/class/$name"
done
honest z_last solutions  # in another text, so that it is graded of its own
for file in "$work"/class/z_last/*; do echo "// z_last" >>"$file"; done

foreign() { find /tmp /dev/shm /var/tmp /dev/mqueue -xdev \( -uid +1879048191 -o -name '*lab_attack*' \) 2>/dev/null | sort || true; }
processes() { ps -eo uid=,pid=,args= | awk '$1 >= 1879048192 && $1 < 1883242496'; }
state() { foreign; git status --porcelain; find labs solutions common tests -type f -newer "$work/class" -not -path "*/build/*"; }
state >"$work/before"
status=0
./lab class "$work/class" --results "$work/class.db" --jobs "${2:-$(nproc)}" --seed 1 >"$work/log" 2>&1 || status=$?
((status == 0 || status == 3)) || { tail -n 20 "$work/log"; exit 1; }
sleep 2  # a process with much memory takes a while to go
faults=0 rows=0
fault() { echo "$1" && ((++faults)); }
while IFS=, read -r student lab points max _; do
  case $student in
    a_first | z_last) [[ $points == "$max" ]] || fault "$student has $points of $max points in $lab" ;;
    *) ((++rows)) && [[ $points == 0 ]] || fault "$student gains $points points in $lab" ;;
  esac
done < <(./lab class export csv --results "$work/class.db" 2>/dev/null | grep -E '^[a-z0-9_]+,lab[0-9]+,[0-9.]+,')
state >"$work/after"
cmp -s "$work/before" "$work/after" || fault "files are left, or have changed: $(comm -13 "$work/before" "$work/after" | paste -sd' ')"
[[ -z $(processes) ]] || fault "processes are left: $(processes)"
left=$(find build/*/gradings -mindepth 1 -maxdepth 1 2>/dev/null | paste -sd' ')
[[ -z $left ]] || fault "gradings' folders are left: $left"
((rows > 3)) || fault "only $rows attacks and stubs were graded"
echo "$rows attacks and stubs among six solutions: $faults faults"
((faults == 0))
