#!/usr/bin/env bash
# Makes a class of STUDENTS students in FOLDER, each with a file of every lab: solutions, stubs, mutants and accepted files, mixed by SEED. Each
# file ends with the student's name, so that no two are equal.
#   tests/classroom/make_class.sh FOLDER STUDENTS SEED
set -euo pipefail
(($# == 3)) || { echo "make_class.sh FOLDER STUDENTS SEED" >&2; exit 2; }
folder=$1 students=$2
RANDOM=$3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$folder"
samples=$("$root/lab" sample | cut -d' ' -f1)
for ((i = 1; i <= students; ++i)); do
  mkdir -p "$folder/student$i"
  for file in "$root"/labs/*/*.c*; do
    lab=$(basename "$(dirname "$file")")
    mapfile -t its < <(grep "^${lab%%_*}_" <<<"$samples")
    made=$folder/student$i/$(basename "$file")
    case $((RANDOM % 8)) in
      0 | 1) cp "$root/solutions/$lab/$(basename "$file")" "$made" ;;
      2) cp "$file" "$made" ;;
      *) "$root/lab" sample "${its[RANDOM % ${#its[@]}]}" >"$made" ;;
    esac
    echo "// student$i" >>"$made"
  done
done
