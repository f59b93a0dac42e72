# Headers of others, the standard library's among them, that most of our files include: read once a build.
#
#   lab_quick_to_build(TARGET...)    compiles without optimisation, and takes these headers as read
#
# Files still include what they use: each_file/compile_commands.json and the preset tests-single-files know nothing of this.
option(LAB_PRECOMPILED_HEADERS "Read the headers of others once a build (clang only)" ON)

# Whoever takes the headers as read must speak the same language: the emulator's options as well.
set(LAB_QUICK_TO_BUILD_FLAGS "-O0" CACHE STRING "How little is optimised what must be quick to build")
add_library(lab_not_optimised INTERFACE)
target_compile_options(lab_not_optimised INTERFACE ${LAB_QUICK_TO_BUILD_FLAGS} -fopenmp-simd -fno-math-errno)

include(HeaderFolders)
if(LAB_PRECOMPILED_HEADERS AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_UNITY_BUILD)
  set(folder "${CMAKE_BINARY_DIR}/CMakeFiles")
  file(CONFIGURE OUTPUT "${folder}/headers_of_others.cpp" CONTENT "// Nothing: CMake brings the headers.\n")
  add_library(lab_headers_of_others OBJECT EXCLUDE_FROM_ALL "${folder}/headers_of_others.cpp")
  target_link_libraries(lab_headers_of_others PRIVATE lab_not_optimised GTest::gtest nlohmann_json::nlohmann_json fmt::fmt CLI11::CLI11)
  set_target_properties(lab_headers_of_others PROPERTIES UNITY_BUILD OFF)
  target_precompile_headers(lab_headers_of_others PRIVATE
    <algorithm> <array> <chrono> <cstdint> <cstring> <filesystem> <fstream> <functional> <map> <memory> <optional> <random> <set> <sstream>
    <string> <unordered_map> <vector> <fmt/format.h> <gtest/gtest.h> <nlohmann/json.hpp> <CLI/CLI.hpp>)
  lab_header_folders(folders)
  set_source_files_properties("${folder}/lab_headers_of_others.dir/cmake_pch.hxx.cxx" PROPERTIES OBJECT_DEPENDS "${folders}")
endif()

function(lab_quick_to_build)
  foreach(target IN LISTS ARGV)
    target_link_libraries(${target} PRIVATE lab_not_optimised)
    if(TARGET lab_headers_of_others)
      target_precompile_headers(${target} REUSE_FROM lab_headers_of_others)
    endif()
  endforeach()
endfunction()
