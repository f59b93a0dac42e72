#!/usr/bin/env bash
# A tool-chain for AArch64 on a machine of another kind: this machine's clang, and Debian's arm64 headers and libraries, unpacked into a
# folder; nothing of them is installed. Every linked program NAME is a script that starts NAME.arm64 under qemu, so that a suite can start a
# runner and the tools can start a suite. Needs clang, lld and mmdebstrap; to run programs, qemu-user-static.
#
#   aarch64.sh BUILD    configures BUILD-aarch64 by BUILD's preset and clang
#
# tests/aarch64.sh has the functions. LAB_MIRROR names a mirror other than Debian's own; without a mirror the status is 77.
set -euo pipefail

work=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")/build/aarch64
root=$work/root
say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
fail() { say "$@"; exit 2; }

headers=(libc6-dev libstdc++-12-dev libgtest-dev libgmock-dev nlohmann-json3-dev libfmt-dev libcli11-dev libbenchmark-dev)
make_root() {
  [[ ! -e $root/.unpacked ]] || return 0
  command -v mmdebstrap >/dev/null || fail "needs mmdebstrap: apt-get install mmdebstrap"
  command -v ld.lld >/dev/null || fail "needs lld: apt-get install lld"
  say "unpacking Debian's arm64 headers and libraries (log: build/aarch64/root.log)"
  rm -rf --one-file-system "$root"
  mmdebstrap --variant=extract --arch=arm64 --skip=cleanup/apt "--include=$(IFS=,; echo "${headers[*]}")" bookworm "$root" \
    ${LAB_MIRROR:+"$LAB_MIRROR"} >"$work/root.log" 2>&1 || { say "no arm64 packages here: build/aarch64/root.log"; exit 77; }
  # A link to /lib would lead to this machine's.
  local link
  while read -r link; do ln -sfn "$root$(readlink "$link")" "$link"; done < <(find "$root/usr/lib" -lname '/*')
  touch "$root/.unpacked"
}
# The compiler for arm64. A program becomes a script beside it, but not where CMake reads the program that it has linked.
write_compiler() {  # clang++
  local qemu
  qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
  cat >"$work/clang++" <<CODE
#!/usr/bin/env bash
flags=(--target=aarch64-linux-gnu --sysroot=$root -fuse-ld=lld -Wno-unused-command-line-argument)
words=("\$@") program=
for i in "\${!words[@]}"; do
  case \${words[i]} in
    -c | -S | -E | -M | -MM | -fsyntax-only | -shared) program= ; break ;;
    -o) program=\${words[i + 1]}; words[i + 1]+=.arm64 ;;
  esac
done
[[ -n \$program && \$PWD != */CMakeFiles/CMake* ]] || exec $1 "\${flags[@]}" "\$@"
$1 "\${flags[@]}" "\${words[@]}" || exit
# The script alone may be linked into another folder, or the whole folder moved.
cat >"\$program" <<LINES
#!/bin/sh
program=\$(realpath "\$program.arm64")
[ ! -e "\\\$0.arm64" ] || program=\\\$0.arm64
exec $work/qemu -0 "\\\$0" "\\\$program" "\\\$@"
LINES
chmod +x "\$program"
CODE
  # The emulator reserves terabytes of addresses where it gets them, and qemu writes down each page of them.
  cat >"$work/qemu" <<CODE
#!/bin/sh
ulimit -v 16777216
exec ${qemu:-qemu-aarch64-static} -L $root \${LAB_GUEST_PRELOAD:+-E LD_PRELOAD=\$LAB_GUEST_PRELOAD} "\$@"
CODE
  # The compiler knows the root itself: no command has it, so that a bundle's recipes don't.
  cat >"$work/toolchain.cmake" <<CODE
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER $work/clang++)
set(CMAKE_FIND_ROOT_PATH $root)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
CODE
  chmod +x "$work/clang++" "$work/qemu"
}
# Beside a build of this machine's, by its preset and clang. Programs lose their symbols: this machine's `strip` can't read them.
make_build_of() {  # build
  mkdir -p "$work"
  make_root
  write_compiler "$(sed -n 's/^LAB_CLANG:FILEPATH=//p' "$1/CMakeCache.txt")"
  cmake -S "$work/../.." --preset "$(basename "$1")" -B "$1-aarch64" "-DCMAKE_TOOLCHAIN_FILE=$work/toolchain.cmake" "-DLAB_CLANG=$work/clang++" \
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,-s >"$work/configure.log" 2>&1 || fail "configuring failed: build/aarch64/configure.log"
}

[[ ${BASH_SOURCE[0]} != "$0" ]] || make_build_of "$1"
