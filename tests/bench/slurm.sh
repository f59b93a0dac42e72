#!/usr/bin/env bash
# What gathering costs: a class of STUDENTS, whose verdicts a stand-in for Slurm writes at once as 1000 tasks would, goes into the database,
# which is then asked.
#   tests/bench/slurm.sh [STUDENTS]    100,000 without it
# Prints wall seconds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
students=${1:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/class"
file=$(basename labs/lab3_*/*.cu)
for ((i = 0; i < students; ++i)); do echo "// student $i" >"$work/class/student${i}_$file"; done
./lab grade lab3 --solutions --json "$work/score.json" >/dev/null
# The last two words are the folder and the round.
cat >"$work/bin/sbatch" <<'EOF'
#!/usr/bin/env bash
[[ $1 != --version ]] || exit 0
folder=${*: -2:1} round=${*: -1}
date +%s.%N >"$folder/submitted"
mkdir -p "$folder/made"
cat "$folder/tasks/$round"/* | perl -ne '
  BEGIN { local $/; open F, "<", $ENV{SCORE}; ($score) = <F> =~ /"labs":\s*\[(.*)\]/s; $folder = shift @ARGV; }
  my ($lab, $hash) = split; open F, ">", "$folder/made/$hash.json";
  print F "{\"version\":\"$ENV{VERSION}\",\"device\":\"\",\"graded_at\":1,\"score\":$score}"; close F;' "$folder"
rmdir "$folder/verdicts" 2>/dev/null
mv "$folder/made" "$folder/verdicts"
date +%s.%N >"$folder/../written"
echo 1
EOF
printf '#!/bin/sh\nexit 0\n' | tee "$work/bin/squeue" >"$work/bin/scancel"
chmod +x "$work"/bin/*
export PATH=$work/bin:$PATH SCORE=$work/score.json
VERSION=$(sed -n 's/^project(cuda_teaching_lab VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
export VERSION
start=$(date +%s.%N)
./lab class "$work/class" --labs lab3 --results "$work/class.db" --slurm --tasks 1000 >/dev/null 2>&1
end=$(date +%s.%N)
awk -v n="$students" -v start="$start" -v written="$(<"$work/written")" -v end="$end" \
  'BEGIN {printf "%d verdicts gathered in %.1f s\n", n, end - written}'
TIMEFORMAT='%R s'
for question in status stats "report --out $work/class.html"; do
  echo -n "class ${question%% *}: "
  time ./lab class $question --results "$work/class.db" >/dev/null
done
