#!/usr/bin/env bash
# A class as in handouts/instructors.md, graded on this machine: how long it takes beside a warm `./lab grade --solutions`, how much memory it
# needs, and whether each submission has the points and the messages that it has when graded alone.
#
#   tests/bench/class.sh [STUDENTS [SEED [ALONE]]]   50 students with six labs each, seed 1; ALONE of the submissions, drawn by the seed, are graded
#                                                    alone, all without it
#
# Prints seconds, their quotient for 300 submissions, and MiB; status 1 if a submission's row of `class export csv` differs. Memory is the sum
# of all processes' Pss, so that shared pages count once; after it, the programs that held most of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
students=${1:-50} seed=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests/classroom/make_class.sh "$work/class" "$students" "$seed"
submissions=$((students * $(ls -d labs/*/ | wc -l)))
alone=${3:-$submissions}

seconds() {  # of a command, whose status may say that points are lost
  local TIMEFORMAT=%R
  { time "$@" >"$work/log" 2>&1 || true; } 2>&1
}
resident() {  # of a process and its descendants, MiB; until it ends, and what held most of it at its peak
  local most=0 now
  while kill -0 "$1" 2>/dev/null; do
    ps -eo pid=,ppid=,comm= | awk -v root="$1" '{parent[$1] = $2; name[$1] = $3} END {
      for (p in name) { q = p; while (q > 1 && q != root) q = parent[q]; if (q == root) print p, name[p] }}' |
      while read -r process name; do echo "$(awk '/^Pss:/ {print $2}' "/proc/$process/smaps_rollup" 2>/dev/null) $name"; done |
      awk 'NF == 2 {sum += $1; of[$2] += $1} END {printf "%d", sum / 1024; for (n in of) if (of[n] > 50000) printf " %s %d", n, of[n] / 1024}' >"$work/now"
    now=$(cut -d' ' -f1 "$work/now")
    ((${now:-0} <= most)) || { most=$now && cp "$work/now" "$work/most"; }
    sleep 0.3
  done
  cat "$work/most"
}

./lab grade --solutions >/dev/null
warm=$(seconds ./lab grade --solutions)
./lab class status --results "$work/none.db" >/dev/null 2>&1 || true  # builds
start=$(date +%s.%N)
./lab class "$work/class" --results "$work/class.db" --seed "$seed" >"$work/class.log" 2>&1 &
most=$(resident $!)
wait $! || { status=$?; ((status == 3)) || { cat "$work/class.log"; exit "$status"; }; }
took=$(awk -v start="$start" -v end="$(date +%s.%N)" 'BEGIN {printf "%.1f", end - start}')
awk -v n="$submissions" -v took="$took" -v warm="$warm" -v most="$most" 'BEGIN {
  printf "%d submissions in %.1f s; warm grade of the solutions %.1f s: %.0f times it for 300; at most %s MiB resident\n", n, took, warm, took / warm * 300 / n, most}'

rows() { ./lab class export csv "$@" 2>/dev/null | tail -n +2; }
differ=0
RANDOM=$seed
while read -r student lab file; do
  ./lab grade "$lab" --from "$file" --seed "$seed" --sandbox always --search 0 --json "$work/alone.json" >/dev/null 2>&1 || true
  rows --scores "$work/alone.json" --student "$student" >"$work/alone.csv" || true
  rows --student "$student" --labs "$lab" --results "$work/class.db" >"$work/class.csv" || true
  cmp -s "$work/alone.csv" "$work/class.csv" || { ((++differ)); echo "$student, $lab:"; diff "$work/alone.csv" "$work/class.csv" || true; }
done < <(for file in "$work"/class/*/*; do
  lab=$(basename "$(dirname labs/*/"$(basename "$file")")")
  echo "$RANDOM $(basename "$(dirname "$file")") ${lab%%_*} $file"
done | sort -n | head -n "$alone" | cut -d' ' -f2-)
echo "$alone graded alone: $differ differ"
((differ == 0))
