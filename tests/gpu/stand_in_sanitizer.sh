#!/bin/sh
# Stands in for compute-sanitizer where there is no GPU: runs the program, and reports a race of its own when asked for racecheck.
tool=$2
shift 4  # --tool TOOL --error-exitcode N
echo "========= COMPUTE-SANITIZER"
"$@" || exit
[ "$tool" = racecheck ] || exit 0
echo "========= Error: Race reported between Write access at kernel+0x10 in some.cu:7"
echo "=========     and Read access at kernel+0x20 in some.cu:9 [128 hazards]"
echo "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)"
exit 9
