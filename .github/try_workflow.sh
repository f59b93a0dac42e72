#!/usr/bin/env bash
# Runs steps of a workflow file here, as GitHub's runner does: each in a bash that ends at the first error.
#   .github/try_workflow.sh FILE             lists the steps that run commands
#   .github/try_workflow.sh FILE N...        runs those of these numbers and shows the summary that they wrote
#   .github/try_workflow.sh FILE --print N   prints the commands of one
# Not a YAML parser: it reads the form that the workflows of this repository have, steps indented by six spaces.
set -euo pipefail
fail() { printf 'try_workflow.sh: %s\n' "$*" >&2; exit 2; }

(($#)) || fail "say which workflow: .github/try_workflow.sh .github/workflows/tests.yml"
file=$1
shift
[[ -f $file ]] || fail "$file: no such file"
steps=$(mktemp -d)
trap 'rm -rf "$steps"' EXIT
# Writes each step's commands to $steps/N.sh, and "JOB: NAME" to $steps/N.name.
awk -v folder="$steps" '
  function finish() {
    if (commands != "") {
      ++count
      printf "%s", commands > (folder "/" count ".sh")
      print job ": " name > (folder "/" count ".name")
    }
    commands = ""
    name = "without a name"
    in_block = 0
  }
  /^  [a-z_-]+:$/ { finish(); job = $1; sub(/:$/, "", job) }
  /^      - / { finish(); $0 = "        " substr($0, 9) }
  in_block && /^          / { commands = commands substr($0, 11) "\n"; next }
  { in_block = 0 }
  /^        name: / { name = substr($0, 15) }
  /^        run: \|$/ { in_block = 1; next }
  /^        run: / { commands = substr($0, 14) "\n" }
  END { finish() }
' "$file"
shopt -s nullglob
all=("$steps"/*.sh)
((${#all[@]})) || fail "$file: found no step that runs commands"

known() { [[ -f $steps/$1.sh ]] || fail "$file has no step '$1'; there are 1 to ${#all[@]}"; }
if (($# == 0)); then
  for ((i = 1; i <= ${#all[@]}; ++i)); do echo "$i $(<"$steps/$i.name")"; done
  exit
fi
if [[ $1 == --print ]]; then
  (($# == 2)) || fail "--print needs the number of one step"
  known "$2"
  cat "$steps/$2.sh"
  exit
fi
for step in "$@"; do known "$step"; done
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
export GITHUB_WORKSPACE=$PWD GITHUB_STEP_SUMMARY=$steps/summary.md
: >"$GITHUB_STEP_SUMMARY"
for step in "$@"; do
  echo "--- $(<"$steps/$step.name")"
  start=$SECONDS status=0
  bash --noprofile --norc -eo pipefail "$steps/$step.sh" || status=$?
  echo "--- status $status after $((SECONDS - start)) s"
  ((status == 0)) || break
done
[[ ! -s $GITHUB_STEP_SUMMARY ]] || { echo "--- the summary:"; cat "$GITHUB_STEP_SUMMARY"; }
exit "$status"
