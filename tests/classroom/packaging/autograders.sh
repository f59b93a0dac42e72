#!/usr/bin/env bash
# Study: each autograder that `lab package` makes, run as its course system would, in a bare Debian 12. Root, mmdebstrap, overlayfs and for the
# set-up a network are needed; status 77 says that one is missing and nothing was tried. FOLDER keeps Debian, the set-ups and the packages; remove
# it after a change. check_result, attack_check and lab-tool of the preset `tests` have to be built.
# gradescope-six: an assignment of all labs, their solutions handed in together.
#   tests/classroom/packaging/autograders.sh FOLDER [gradescope|gradescope-six|autolab|prairielearn|classroom50 ...]
set -euo pipefail

# --- In the namespaces of a container: --inside UPPER LOWER FOLDER set-up|run COMMAND... -----------------------------------
mount_container() {
  mount -t overlay overlay -o "lowerdir=$lower,upperdir=$upper,workdir=$upper.work" "$tree"
  mount -t proc proc "$tree/proc"
  mount -t tmpfs tmpfs "$tree/dev"
  local file
  for file in null zero full random urandom tty; do
    touch "$tree/dev/$file"
    mount --bind "/dev/$file" "$tree/dev/$file"
  done
  mkdir "$tree/dev/shm"
  mount -t tmpfs -o size=64m tmpfs "$tree/dev/shm"
}
clean=(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8)
if [[ ${1:-} == --inside ]]; then
  upper=$2 lower=$3 tree=$4/tree kind=$5
  mount_container
  if [[ $kind == set-up ]]; then
    cp /etc/resolv.conf "$tree/etc/resolv.conf"
    mount --bind "$4/archives" "$tree/var/cache/apt/archives"
    chroot "$tree" "${clean[@]}" "${@:6}"
    exit
  fi
  # In a user namespace with all users as they are, where no further one can be made, and without the rights that containers lack.
  mkfifo "$upper.mapped"
  unshare --user --keep-caps bash -c 'read -r _ <"$0.mapped"; echo 0 >"$1/proc/sys/user/max_user_namespaces"; exec "${@:2}"' "$upper" "$tree" \
    setpriv --inh-caps=-all --bounding-set=-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+sys_chroot,+audit_write \
    chroot "$tree" "${clean[@]}" LAB_SECONDS="$seconds" "${@:6}" &
  for map in uid_map gid_map; do
    until [[ -e $tree/proc/$!/$map && ! $tree/proc/$!/ns/user -ef $tree/proc/1/ns/user ]]; do sleep 0.01; done
    echo "0 0 4294967295" >"$tree/proc/$!/$map"
  done
  echo >"$upper.mapped"
  status=0
  wait $! || status=$?
  for process in "$tree"/proc/[0-9]*; do
    [[ ${process##*/} == 1 || ! -e $process/status ]] || echo "$process $(tr '\0' ' ' <"$process/cmdline")"
  done >"$upper.left"
  exit $status
fi

# --- Preparation -------------------------------------------------------------------------------------------------------
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
work=$(realpath -m "${1:?autograders.sh FOLDER [SYSTEM...]}")
shift
systems=("$@")
(($#)) || systems=(gradescope gradescope-six autolab prairielearn classroom50)
lab=lab3 file=shared_tiling.cu folder=lab3_shared_tiling
bin=$root/build/tests/bin
attacks=(compiling_includes_the_test_suite compiling_expands_a_macro_for_hours linking_brings_its_own_main linking_defines_the_launch
  starting_exits_with_success starting_forks_without_end starting_execs_the_reference exiting_prints_a_passed_suite
  exiting_deletes_its_source calling_forges_its_answer device_never_ends)
[[ -z ${LAB_STUDY_ATTACKS:-} ]] || read -ra attacks <<<"$LAB_STUDY_ATTACKS"  # others, for a quick look
not_run() { echo "not run: $*"; exit 77; }
((EUID == 0)) || not_run "only root can make the folders of a container"
command -v mmdebstrap >/dev/null || not_run "no mmdebstrap"
mkdir -p "$work/tree" "$work/archives" "$work/packages"
debian=$work/debian
if [[ ! -e $work/debian-is-made ]]; then
  mmdebstrap --variant=minbase bookworm "$work/debian.tar" >"$work/debian.log" 2>&1 || not_run "no Debian could be loaded: $work/debian.log"
  mkdir -p "$debian"
  tar -C "$debian" -xf "$work/debian.tar" --exclude='./dev/*'
  rm "$work/debian.tar"
  touch "$work/debian-is-made"
fi
# contained NAME LOWER set-up|run COMMAND...: what the command writes is in $work/NAME
contained() {
  local upper=$work/$1 net=()
  [[ $3 == set-up ]] || net=(--net)
  mkdir -p "$upper" "$upper.work"
  unshare --mount --pid --ipc --uts "${net[@]}" --fork --kill-child "${limits[@]}" bash "${BASH_SOURCE[0]}" --inside "$upper" "$2" "$work" "${@:3}"
}
limits=() seconds=540
export seconds

# --- What each system does: its set-up in $image, and one submission as $run -----------------------------------------------
set_up() {
  local package=$1
  case $system in
    gradescope*)
      mkdir -p "$work/$image/autograder/source"
      python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$package" "$work/$image/autograder/source"
      install "$work/$image/autograder/source/run_autograder" "$work/$image/autograder/"
      contained "$image" "$debian" set-up bash /autograder/source/setup.sh
      ;;
    autolab) { sed -n 's/^RUN //p' "$package/Dockerfile"; echo "useradd autograde"; } | contained "$image" "$debian" set-up sh -e ;;
    prairielearn)
      mkdir -p "$work/$image"
      cp -r "$package/grader" "$work/$image/"
      cp "$package/run" "$work/$image/run_grader"
      sed -n 's/^RUN //p' "$package/Dockerfile" | contained "$image" "$debian" set-up sh -e
      ;;
    classroom50)
      mkdir -p "$work/$image/runtime"
      cp -r "$package" "$work/$image/runtime/assignment"
      echo "apt-get update && apt-get install -y --no-install-recommends python3 $(python3 -c \
        'import json, sys; print(*json.load(sys.stdin)["runtime"]["apt"])' <"$package/runtime.json") && useradd runner && chown -R runner /runtime" |
        contained "$image" "$debian" set-up sh -e
      ;;
  esac >"$work/$image.log" 2>&1 || not_run "$system: the set-up failed, without a network? $work/$image.log"
}
# Grades a file, or for Gradescope a folder; the result is the file $result.
grade() {
  local submission=$1 own=$work/$run
  case $system in
    gradescope*)
      mkdir -p "$own/autograder/submission"
      if [[ -d $submission ]]; then cp "$submission"/*/* "$own/autograder/submission/"; else cp "$submission" "$own/autograder/submission/$file"; fi
      contained "$run" "$work/$image:$debian" run bash -c 'cd /autograder && ./run_autograder'
      result=$own/autograder/results/results.json
      ;;
    autolab)
      mkdir -p "$own/home/autograde/autolab"
      cp "$submission" "$own/home/autograde/autolab/$file"
      cp "$package/autograde.tar" "$own/home/autograde/autolab/"
      cp "$package/autograde-Makefile" "$own/home/autograde/autolab/Makefile"
      chown -R --reference="$work/$image/home/autograde" "$own/home/autograde" 2>/dev/null || chown -R 1000:1000 "$own/home/autograde"
      # Its autodriver: another user, 100 processes, files of 100 MB.
      contained "$run" "$work/$image:$debian" run setpriv --reuid=1000 --regid=1000 --clear-groups prlimit --nproc=100 --fsize=104857600 \
        make -s -C /home/autograde/autolab >"$own.result"
      result=$own.result
      ;;
    prairielearn)
      mkdir -p "$own/grade/student"
      cp "$submission" "$own/grade/student/$file"
      contained "$run" "$work/$image:$debian" run /run_grader
      result=$own/grade/results/results.json
      ;;
    classroom50)
      mkdir -p "$own/checkout/labs/$folder"
      cp "$submission" "$own/checkout/labs/$folder/$file"
      chown -R 1000:1000 "$own/checkout"
      contained "$run" "$work/$image:$debian" run setpriv --reuid=1000 --regid=1000 --clear-groups env -C /checkout CLASSROOM=cs101 ASSIGNMENT=lab3 \
        SUBMISSION_TAG=submit/2026-11-28T10-00-00Z-abc COMMIT_URL=https://c RELEASE_URL=https://r REVIEW_URL=https://v \
        python3 /runtime/assignment/autograder.py
      result=$own/checkout/result.json
      [[ -s $own/checkout/report.html ]] || echo "no report.html" >>"$own.left"
      ;;
  esac
}

# --- The limits of Gradescope's smallest container, where control groups can be made ----------------------------------------
groups=()
limit_container() {
  local at
  for at in cpu memory; do
    mkdir -p "/sys/fs/cgroup/$at/lab-autograders" 2>/dev/null || { echo "control groups can't be made: no limits of processor and memory"; return; }
    groups+=("/sys/fs/cgroup/$at/lab-autograders")
  done
  echo 50000 >"${groups[0]}/cpu.cfs_quota_us"
  echo $((768 << 20)) >"${groups[1]}/memory.limit_in_bytes"
  limits=(bash -c 'for group in "$1" "$2"; do echo $$ >"$group/cgroup.procs"; done; exec "${@:3}"' limited "${groups[@]}")
}
remove_groups() { ((${#groups[@]} == 0)) || rmdir "${groups[@]}" 2>/dev/null || true; }
trap remove_groups EXIT

# --- The study ----------------------------------------------------------------------------------------------------------
# Root becomes another user; the others' users can't, and have Landlock.
declare -A strengths=([gradescope]=user [gradescope-six]=user [prairielearn]=user [autolab]=landlock [classroom50]=landlock)
failures=0
expect() { [[ $2 == "$3" ]] || { echo "    $1: $2 in place of $3"; failures=$((failures + 1)); }; }
# Judges a submission: try NAME FILE POINTS
try() {
  run=run-$system
  rm -rf "${work:?}/$run" "${work:?}/$run".*
  local begin=$SECONDS points status=0
  [[ ${#groups[@]} == 0 ]] || echo 0 >"${groups[1]}/memory.max_usage_in_bytes"
  grade "$2" >"$work/$run.log" 2>&1 || status=$?
  points=$("$bin/check_result" "${system%-six}" "$result" 2>&1) || failures=$((failures + 1))
  local took=$((SECONDS - begin)) memory='' strength
  [[ ${#groups[@]} == 0 ]] || memory=", $(($(<"${groups[1]}/memory.max_usage_in_bytes") >> 20)) MiB"
  strength=$(sed -n 's/.*sandbox \([a-z]*\).*/\1/p' "$work/$run.log" | head -n 1)
  printf '  %-42s %s points, %s s%s, sandbox %s\n' "$1" "$points" "$took" "$memory" "$strength"
  expect "points" "$points" "$3"
  expect "status" "$status" 0
  grep -q "of this run were over" "$work/$run.log" || expect "strength" "$strength" "${strengths[$system]}"
  expect "processes left" "$(cat "$work/$run.left")" ""
  expect "files left" "$(cd "$work/$run" && find . \( -path './tmp/*' -o -path './var/tmp/*' -o -path './root/*' -o -path './etc/*' \
    -o -path '*/prebuilt/gradings/*' -o -path '*/prebuilt/class/*' -o -uid +1879048191 \))" ""
  ((took <= 600)) || expect "seconds" "$took" "at most 600"
}
for system in "${systems[@]}"; do
  image=image-$system
  package=$work/packages/$system
  [[ $system != gradescope* ]] || package+=.zip
  labs=(--labs "$lab")
  [[ $system != *-six ]] || labs=()
  [[ -e $package ]] || "$root/lab" --no-install package "${system%-six}" "${labs[@]}" --out "$package" >"$work/$system.log" 2>&1
  limits=() groups=()
  [[ -e $work/$image.log ]] || set_up "$package"
  [[ $system != gradescope* ]] || limit_container
  echo "$system"
  if [[ $system == *-six ]]; then
    try "six solutions" "$root/solutions" 600
    remove_groups
    continue
  fi
  try "the solution" "$root/solutions/$folder/$file" 100
  try "the stub" "$root/common/stubs/$folder/$file" 0
  echo "no C++" >"$work/broken.cu"
  nothing=0
  [[ $system != prairielearn ]] || nothing="not gradable"
  try "a file that does not compile" "$work/broken.cu" "$nothing"
  for attack in "${attacks[@]}"; do
    "$root/build/tests/tests/attacks/attack_check" --file "$root/tests/attacks/${lab}_$attack.attack" --print >"$work/attack.cu"
    expected=0
    grep -q "said:.*does not compile\|said:.*compiler" "$root/tests/attacks/${lab}_$attack.attack" && expected=$nothing
    try "$attack" "$work/attack.cu" "$expected"
  done
  remove_groups
done
((failures == 0)) || { echo "$failures expectations failed"; exit 1; }
echo "all held"
