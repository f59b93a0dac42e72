#!/usr/bin/env bash
# Fills .carry/ with what a GPU machine without network may lack: JSON, CLI11 and {fmt} as headers, GoogleTest as source, and what
# the sandbox needs, from this machine's packages. Copy the folder along with the checkout; tests/gpu/on_device.sh finds it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

from=${1:-/usr}
for needed in include/nlohmann include/CLI include/fmt src/googletest include/seccomp.h; do
  [[ -e $from/$needed ]] || { echo "carry.sh: $from/$needed is missing; install nlohmann-json3-dev libcli11-dev libfmt-dev libgtest-dev libseccomp-dev bubblewrap" >&2; exit 2; }
done
rm -rf .carry
mkdir -p .carry/include
cp -rL "$from"/include/{nlohmann,CLI,fmt} .carry/include/
cp -rL "$from/src/googletest" .carry/googletest

# One interface target each, where find_package(... CONFIG) looks.
package() {  # name, target, a definition or nothing
  mkdir -p ".carry/lib/cmake/$1"
  cat >".carry/lib/cmake/$1/$1Config.cmake" <<CMAKE
if(NOT TARGET $2)
  add_library($2 INTERFACE IMPORTED)
  set_target_properties($2 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "\${CMAKE_CURRENT_LIST_DIR}/../../../include" INTERFACE_COMPILE_DEFINITIONS "${3:-}")
endif()
CMAKE
}
package nlohmann_json nlohmann_json::nlohmann_json
package CLI11 CLI11::CLI11
package fmt fmt::fmt FMT_HEADER_ONLY=1

# The sandbox: libseccomp as header and library, bubblewrap as program.
mkdir -p .carry/bin
cp -L "$from/include/seccomp.h" "$from/include/seccomp-syscalls.h" .carry/include/
cp -L "$(gcc -print-file-name=libseccomp.a)" .carry/lib/
cp -L "$(command -v bwrap)" .carry/bin/
du -sh .carry
