#!/usr/bin/env bash
# Makes reports, the site, or the page of a class, and opens them in Chromium: run.sh made_up|labs|mutants|site|class BUILD. Ends with status 77 where there is no browser.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
(($# == 2)) || { echo "run.sh made_up|labs|mutants|site|class BUILD" >&2; exit 2; }
kind=$1
build=$(cd "$2" && pwd)
command -v npm >/dev/null || { echo "npm is not installed"; exit 77; }
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { echo "chromium is not installed"; exit 77; }

# The packages of the lock file, once for each of its versions. The kinds run at the same time, and the first one installs.
export LAB_BROWSER_PACKAGES=$build/browser
exec {installing}>"$build/.browser-lock"
flock "$installing"
if ! cmp -s "$here/package-lock.json" "$LAB_BROWSER_PACKAGES/installed-lock.json"; then
  mkdir -p "$LAB_BROWSER_PACKAGES"
  cp "$here/package.json" "$here/package-lock.json" "$LAB_BROWSER_PACKAGES"
  (cd "$LAB_BROWSER_PACKAGES" && npm ci --ignore-scripts --no-audit --no-fund)
  cp "$here/package-lock.json" "$LAB_BROWSER_PACKAGES/installed-lock.json"
fi
exec {installing}>&-

reports=$build/reports/browser/$kind
rm -rf "$reports"
mkdir -p "$reports"
tool=$build/bin/lab-tool
# report NAME ARGUMENTS...: asks for NAME.html. make_all makes what was asked for, as many at a time as there are processors.
report() { printf '%q ' "$@" >>"$reports/asked"; echo >>"$reports/asked"; }
make() {
  local log
  log=$("$tool" report "${@:2}" --out "$reports/$1.html" 2>&1) || { echo "the report of $1 was not made:"; echo "$log"; return 1; }
}
make_all() { xargs -a "$reports/asked" -d '\n' -P "$(nproc)" -I{} bash -c 'make {}'; }
export -f make
export tool reports

options=()
case $kind in
  made_up)
    node "$here/write_examples.mjs" "$reports"
    node "$here/faults.mjs" "$reports/faulty"
    ;;
  labs)
    options=(--hides "$here/shown.json" --two)
    for folder in "$root"/labs/lab*; do
      lab=$(basename "$folder")
      lab=${lab%%_*}
      report "${lab}_stub" "$lab" --from "$root/labs"
      report "${lab}_solution" "$lab" --solution
    done
    report lab3_large lab3 --solution --no-score --size 1024
    ;;
  mutants)
    options=(--shows "$here/shown.json" --two)
    # Of the kernel that the list names, or of all.
    kernels='const quarter = Number(process.env.LAB_QUARTER ?? 0);  // as of_quarter in report.mjs
    for (const [at, [mutant, texts]] of Object.entries(JSON.parse(require("fs").readFileSync(process.argv[1]))).entries())
      if (quarter === 0 || (at % 4) + 1 === quarter) console.log(mutant, (texts.find((text) => text.includes(" » ")) ?? " » ").split(" » ")[0])'
    while read -r mutant kernel; do
      "$tool" sample "$mutant" >"$reports/$mutant.cu"
      report "$mutant" "${mutant%%_*}" ${kernel:+"$kernel"} --from "$reports/$mutant.cu"
    done < <(node -e "$kernels" "$here/shown.json")
    ;;
  site)
    command -v doxygen >/dev/null || { echo "doxygen is not installed"; exit 77; }
    said=$("$tool" docs --out "$reports/site" 2>&1) || { echo "the site was not built:"; echo "$said"; exit 1; }
    echo "$said"
    [[ $said != *"doxygen warns"* ]] || exit 1
    exec node "$here/check_site.mjs" "$reports/site" "$root" "$build" "$HOME/" /tmp/
    ;;
  class)
    # A database is written to disk verdict by verdict: in memory, that takes no time.
    database=$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo "$reports")")
    trap 'rm -rf "$database"' EXIT
    "$build/bin/write-synthetic-class" 300 1 "$database/class.db"
    "$build/bin/lab-class" class report --results "$database/class.db" --out "$reports/named.html"
    "$build/bin/lab-class" class report --results "$database/class.db" --out "$reports/anonymous.html" --without-names
    node "$root/tests/classroom/browser/check_class.mjs" "$reports/named.html" "$reports/anonymous.html" "$reports/faulty"
    exit
    ;;
  *) echo "run.sh made_up|labs|mutants|site|class BUILD"; exit 2 ;;
esac
[[ ! -e $reports/asked ]] || make_all
node "$here/check.mjs" "${options[@]}" "$reports"/*.html
