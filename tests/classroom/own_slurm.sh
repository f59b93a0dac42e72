#!/usr/bin/env bash
# Runs a command with a Slurm of its own: two nodes of two processors on this machine, without root's rights, systemd, or anything left behind.
# Where there is a GPU, the first node has it (--gres gpu:1).
#   own_slurm.sh FOLDER COMMAND...    FOLDER: a new one, for its files; node1.pid and node2.pid are the nodes' daemons
# The command finds SLURM_CONF in its environment. Status 77: Slurm is not installed here.
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin
command -v slurmctld slurmd sbatch >/dev/null || { echo "slurm-wlm is not installed" >&2; exit 77; }
mkdir -p "$1"
here=$(cd "$1" && pwd)
shift
mkdir -p "$here"/{state,spool_node1,spool_node2}
base=$((20000 + $$ % 20000))
user=$(id -un)
# Nothing here uses control groups; the plugin for version 2 asks for systemd.
echo CgroupPlugin=cgroup/v1 >"$here/cgroup.conf"
gpu=
if [[ -e /dev/nvidia0 ]]; then
  gpu=Gres=gpu:1
  echo 'NodeName=node1 Name=gpu File=/dev/nvidia0' >"$here/gres.conf"
fi
cat >"$here/slurm.conf" <<EOF
ClusterName=lab
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$base
AuthType=auth/none
CredType=cred/none
SlurmUser=$user
SlurmdUser=$user
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1
SlurmdTimeout=10
MinJobAge=10
KillWait=2
StateSaveLocation=$here/state
SlurmctldPidFile=$here/slurmctld.pid
SlurmctldLogFile=$here/slurmctld.log
SlurmdSpoolDir=$here/spool_%n
SlurmdPidFile=$here/%n.pid
SlurmdLogFile=$here/%n.log
GresTypes=gpu
NodeName=node1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((base + 1)) CPUs=2 RealMemory=2000 $gpu
NodeName=node2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((base + 2)) CPUs=2 RealMemory=2000
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=60 State=UP
EOF
export SLURM_CONF=$here/slurm.conf
stop() {  # daemons, and the steps of tasks whose daemon is gone
  scancel --me 2>/dev/null || true
  local process
  for process in /proc/[0-9]*; do
    ! grep -qsz "^SLURM_CONF=$SLURM_CONF\$" "$process/environ" || kill -KILL "${process#/proc/}" 2>/dev/null || true
  done
}
trap stop EXIT
slurmctld -D -c >"$here/out.log" 2>&1 &
slurmd -D -N node1 >>"$here/out.log" 2>&1 &
slurmd -D -N node2 >>"$here/out.log" 2>&1 &
disown -a
for ((i = 0; i < 300; ++i)); do
  [[ $(sinfo -h -N -o %T 2>/dev/null | sort | uniq -c | tr -s ' ') != " 2 idle" ]] || break
  sleep 0.1
done
((i < 300)) || { cat "$here"/*.log >&2; exit 1; }
"$@"
