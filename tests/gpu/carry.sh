#!/usr/bin/env bash
# Fills .carry/ with what a GPU machine without network may lack: JSON, CLI11 and {fmt} as headers, GoogleTest as source, clang with its
# libraries, from this machine's packages. Copy the folder along with the checkout; tests/gpu/on_device.sh finds it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

from=${1:-/usr}
for needed in include/nlohmann include/CLI include/fmt src/googletest; do
  [[ -d $from/$needed ]] || { echo "carry.sh: $from/$needed is missing; install nlohmann-json3-dev libcli11-dev libfmt-dev libgtest-dev" >&2; exit 2; }
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

# The compiler, its headers, and the libraries that it is linked with, but for those that every C++ compiler has.
clang=$(command -v clang++-14 || command -v clang++) || { echo "carry.sh: clang is missing" >&2; exit 2; }
tree=.carry/clang
resources=$("$clang" -print-resource-dir)
mkdir -p "$tree/bin" "$tree/lib/clang/$(basename "$resources")"
cp -L "$clang" "$tree/bin/clang++"
cp -rL "$resources/include" "$tree/lib/clang/$(basename "$resources")/"
if lld=$("$clang" -print-prog-name=ld.lld) && [[ -x $lld ]]; then cp -L "$lld" "$tree/bin/ld.lld"; fi
ldd "$clang" ${lld:+"$lld"} | sed -nE 's/.* => ([^ ]+) .*/\1/p' | sort -u | grep -vE '/(libc|libm|libstdc\+\+|libgcc_s)\.so' | xargs -I{} cp -L {} "$tree/lib/"
strip --strip-unneeded "$tree"/lib/*.so*
tar -C "$tree" -cf - . | xz -T0 -9e >.carry/clang.tar.xz
rm -rf "$tree"
du -sh .carry
