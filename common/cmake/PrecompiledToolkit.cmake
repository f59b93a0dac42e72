# What every .cu file gets without asking, cuda_runtime.h with the standard library's headers that it brings, is most of what clang
# reads of a short file, twice: once a pass. Here it is read once a build and pass. The PTX and the objects are the same, byte for byte.
#
#   lab_precompiled_device     the file for the device pass; empty: the headers are read as text
#   lab_precompiled_host       the same for the host pass
#   lab_precompiled            the target that makes both
#
# Made again after each update of the packages that the headers are from, as in PrecompiledHeaders.cmake.
option(LAB_PRECOMPILED_TOOLKIT "Read the headers of the emulator's CUDA toolkit once a build" ON)

include(HeaderFolders)
set(lab_precompiled_device "")
set(lab_precompiled_host "")
# The host pass is CMake's own clang: what another compiler leaves to LAB_CLANG is a handful of files.
if(NOT LAB_PRECOMPILED_TOOLKIT OR NOT LAB_BACKEND STREQUAL "emulator" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  return()
endif()

set(source "${CMAKE_BINARY_DIR}/CMakeFiles/lab_precompiled_toolkit.cu")
file(CONFIGURE OUTPUT "${source}" CONTENT "// Nothing: the flags bring cuda_runtime.h.\n")

lab_header_folders(folders)
lab_flags_as_words("${LAB_CLANG_CUDA_FLAGS}" flags)
set(lab_precompiled_device "${CMAKE_BINARY_DIR}/CMakeFiles/lab_precompiled_device.pch")
add_custom_command(
  OUTPUT "${lab_precompiled_device}"
  COMMAND "${LAB_CLANG}" ${flags} ${LAB_DEVICE_PASS_FLAGS} -std=c++${LAB_STUDENT_STANDARD} -Xclang -emit-pch
          -MD -MF "${lab_precompiled_device}.d" -MT "${lab_precompiled_device}" -S "${source}" -o "${lab_precompiled_device}"
  DEPENDS "${source}" ${folders}
  DEPFILE "${lab_precompiled_device}.d"
  COMMENT "Reading the headers of the emulator's CUDA toolkit for the device"
  VERBATIM)

# An object to CMake so that it has the flags of all other host passes.
add_library(lab_precompiled_host OBJECT "${source}")
set_source_files_properties("${source}" PROPERTIES LANGUAGE CXX OBJECT_DEPENDS "${folders}")
set_target_properties(lab_precompiled_host PROPERTIES CXX_STANDARD ${LAB_STUDENT_STANDARD} UNITY_BUILD OFF)
target_compile_options(lab_precompiled_host PRIVATE ${LAB_CLANG_CUDA_FLAGS} ${LAB_HOST_PASS_FLAGS} "SHELL:-Xclang -emit-pch")
set(lab_precompiled_host $<TARGET_OBJECTS:lab_precompiled_host>)

# To depend on a library of objects is not yet to wait for them.
add_custom_target(lab_precompiled DEPENDS "${lab_precompiled_device}" ${lab_precompiled_host})
