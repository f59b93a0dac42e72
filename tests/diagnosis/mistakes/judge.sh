#!/usr/bin/env bash
# For a person to judge: grades mistakes and lists, for each, its cause beside the first message that a student would read.
#
#     tests/diagnosis/mistakes/judge.sh [FOLDER] [FILE...]     # a folder beside this script, open if none; all its files if none is named
#     tests/diagnosis/mistakes/judge.sh --print FILE           # the whole program, not graded
#
# The table goes to build/mistakes/FOLDER.tsv, one line a file: file, cause, first line of the first message, and the
# columns "verdict" and "note", empty. The whole output of each grade is in build/mistakes/FOLDER/NAME.txt. A file that the table has is
# skipped, so a run that was interrupted goes on where it was; remove the table to begin anew, or name files to grade them again.
# A file takes 10 to 60 s on two busy cores, a few take 4 minutes, so a folder takes 30 to 80 minutes; before that the first call builds,
# for minutes.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=$(cd "$here/../../.." && pwd)

# The right program that a file differs from: the solution that its name belongs to, or for a folder terse_... that lab's in programs/terse.
solution_of() {
  local name solution own
  name=$(basename "$1")
  solution=$(echo "$root"/solutions/"${name%%_*}"_*/*.c*)
  own=$(basename "$(dirname "$(readlink -f "$1")")")
  own=$here/programs/${own%%_*}/$(basename "$solution")
  if [[ -e $own ]]; then echo "$own"; else echo "$solution"; fi
}

# The whole program: the solution with the file's hunks (common/tools/sample.h has the form), without the line that names the cause.
splice() {
  # shellcheck disable=SC2016
  awk '
    function code(text) {
      sub(/\/\/.*/, "", text)
      gsub(/[ \t]/, "", text)
      return text
    }
    function refuse(why) {
      print FILENAME ":" FNR ": " why >"/dev/stderr"
      failed = 1
      exit 1
    }
    # The lines of the function that a hunk names; of the whole file if it names none.
    function find_function(name, i) {
      from = 1
      to = count
      if (name == "") return
      for (i = 1; i <= count; ++i) {
        if (line[i] ~ "^[A-Za-z_].*[ *]" name "\\(" && line[i] !~ /;$/) {
          from = i
          for (to = i; line[to] !~ /^}/ && !(to == i && line[to] ~ /}$/); ++to) if (to > count) refuse("no end of " name)
          return
        }
      }
      refuse("no function " name)
    }
    # Where the lines of the hunk that stay or go are in the solution, as numbers of lines in at[1], at[2] ...
    function find_place(i, j, k, places) {
      places = 0
      for (i = from; i <= to; ++i) {
        if (code(line[i]) != old[1]) continue
        k = i
        for (j = 1; j <= olds; ++j) {
          while (k <= to && code(line[k]) == "") ++k
          if (k > to || code(line[k]) != old[j]) break
          found[j] = k++
        }
        if (j <= olds) continue
        ++places
        for (j = 1; j <= olds; ++j) at[j] = found[j]
      }
      if (places != 1) refuse("lines of the hunk before are " places " times in the solution")
    }
    function apply(i, passed) {
      if (!hunk) return
      find_function(name)
      find_place()
      passed = 0
      for (i = 1; i <= hunk; ++i) {
        if (mark[i] == "+") {
          if (passed) after[at[passed]] = after[at[passed]] text[i] "\n"
          else before[at[1]] = before[at[1]] text[i] "\n"
        } else if (mark[i] == "-") gone[at[++passed]] = 1
        else ++passed
      }
      hunk = olds = 0
    }
    NR == FNR { line[++count] = $0; next }
    /^@@/ { apply(); name = $2; next }
    /^[-+ ]/ {
      mark[++hunk] = substr($0, 1, 1)
      text[hunk] = substr($0, 2)
      if (mark[hunk] != "+") old[++olds] = code(text[hunk])
    }
    END {
      if (failed) exit 1
      apply()
      if (failed) exit 1
      for (i = 1; i <= count; ++i) printf "%s%s%s", before[i], gone[i] ? "" : line[i] "\n", after[i]
    }' "$(solution_of "$1")" "$1"
}

# The first line of the first failure in what a grade printed: the one below the first test's name, unwrapped; and the likely cause, where a
# search has found one.
first_message() {
  awk '
    / tests pass/ { graded = 1; if (!result) result = $0; next }
    graded && /^  Lab[0-9]+\.[A-Za-z0-9]+ .*points?\)/ { named = 1; next }
    found && /^ +likely cause: / { sub(/^ +/, ""); line = line " · " $0; exit }
    found && !/^ +[0-9]* *\|/ && !/^ +> / && ++past > 8 { exit }
    named && !found && /^ +[^ ]/ { sub(/^ +/, ""); line = $0; found = 1 }
    !/^lab: / && NF && !first { first = $0 }
    END { print found ? line : "(no failed test) " (result ? result : first) }' "$1"
}

if [[ ${1:-} == --print ]]; then
  splice "${2:?FILE}"
  exit
fi

folder=open
if [[ -n ${1:-} && -d $here/$1 ]]; then
  folder=$1
  shift
fi
again=
files=("$here/$folder"/*.diff)
if (($#)); then
  again=1
  files=("$@")
fi

out=$root/build/mistakes
table=$out/$folder.tsv
mkdir -p "$out/$folder"
[[ -s $table ]] || printf 'file\tcause\tfirst message\tverdict\tnote\n' >"$table"

for file in "${files[@]}"; do
  [[ -e $file ]] || file=$here/$folder/$(basename "$file" .diff).diff
  name=$(basename "$file" .diff)
  if [[ -z $again ]] && cut -f 1 "$table" | grep -qxF "$name"; then
    continue
  fi
  cause=$(sed -n '1s/.*· cause: \(.*\) · line: .*/\1/p' "$file")
  solution=$(solution_of "$file")
  programs=$out/programs/$name
  mkdir -p "$programs"
  # As a student's file is named, so that no message shows the name of the mistake.
  splice "$file" >"$programs/$(basename "$solution")"
  shown=$out/$folder/$name.txt
  COLUMNS=1000 "$root/lab" --color never grade "${name%%_*}" --from "$programs/$(basename "$solution")" --sandbox never >"$shown" 2>&1 || true
  message=$(first_message "$shown")
  grep -v "^$name"$'\t' "$table" >"$table.new" || true
  printf '%s\t%s\t%s\t\t\n' "$name" "$cause" "${message//$'\t'/ }" >>"$table.new"
  mv "$table.new" "$table"
  printf '%s\n  cause:   %s\n  message: %s\n' "$name" "$cause" "$message"
done
printf '%s files in %s\n' "$(($(wc -l <"$table") - 1))" "$table"
