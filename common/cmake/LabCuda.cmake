# How student code and other CUDA programs are compiled. One seam, two ways:
#   emulator: clang writes PTX (device pass), then a host object that carries that text (host pass); linked with our runtime. Without clang
#             nvcc writes both (lab_nvcc_object);
#   gpu:      nvcc, the real runtime.
# Source of the two passes' flags: shared knowledge on clang's CUDA driver, tried with clang 14 to 19.
#
#   lab_cuda_object(target SOURCE file.cu [FOR emulator|gpu] [STANDARD 17] [DEFINES a=b ...] [OPTIONS ...] [FOR_OTHERS] [BY_NVCC])
#                       an OBJECT library of one .cu file, for LAB_BACKEND unless FOR says otherwise; FOR_OTHERS: its commands will serve
#                       other files, with flags of their own; BY_NVCC: without clang, even where that is
#   lab_cuda_program(target SOURCE file.cu ...same...)                                     an executable of one .cu file
#   lab_add_runner(target LAB n SOURCE file [FOR emulator|gpu])                            the student's file as a runner; the emulator's
#                                                                                          unless FOR says gpu
#   lab_cuda_runtime_<backend>    link this: lab_device_process under the emulator, cudart on a GPU

add_library(lab_cuda_runtime_emulator INTERFACE)
target_link_libraries(lab_cuda_runtime_emulator INTERFACE lab_device_process)
if(LAB_BACKEND STREQUAL "gpu")
  find_package(CUDAToolkit REQUIRED)
  add_library(lab_cuda_runtime_gpu INTERFACE)
  target_link_libraries(lab_cuda_runtime_gpu INTERFACE CUDA::cudart_static)
endif()

# Student code: C++17, asserts kept, line numbers kept, no warnings as errors. An int that overflows wraps around: a compiler
# that takes it never to happen may hide the mistake today and not tomorrow. A function with a local array checks at its end that nothing
# has written past it (report_stack_smashed in common/runner/crash.h).
set(LAB_STUDENT_OPTIONS -O2 -UNDEBUG -g1 -fwrapv -fstack-protector-strong -Wuninitialized)
set(LAB_STUDENT_STANDARD 17)
# An integer division by zero is no signal on AArch64 (common/process/trap.h).
if(LAB_AARCH64_OPTIONS AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  list(APPEND LAB_STUDENT_OPTIONS -fsanitize=integer-divide-by-zero -fsanitize-trap=integer-divide-by-zero)
endif()

# Flags of both passes. A --cuda-path that is nowhere and a fixed SDK version make the result the same on a machine with
# a CUDA toolkit and on one without: PTX 6.0, launches through cudaLaunchKernel. nvcc takes `register`, and narrowing in
# braces, as in dim3{n / 32}.
set(LAB_CLANG_CUDA_FLAGS -x cuda -Wno-register -Wno-c++11-narrowing -nocudainc -nocudalib --cuda-path=/nonexistent "SHELL:-Xclang -target-sdk-version=11.5"
    "SHELL:-isystem ${CMAKE_SOURCE_DIR}/common/emulator/client/include" "SHELL:-include cuda_runtime.h")
if(LAB_AARCH64_OPTIONS)
  list(APPEND LAB_CLANG_CUDA_FLAGS -fsigned-char)  # a kernel's char is the host's
endif()

# The device pass: file.cu -> PTX. Without -use-unknown-locations, what the compiler moved would have the line of whatever stands
# before it (place_moved_code in common/emulator/ptx/places.h does better). Without -disable-vector-combine a load of 16 bytes of
# which two or three elements are used would be two loads; nvcc makes one.
set(LAB_DEVICE_PASS_FLAGS --cuda-device-only --cuda-gpu-arch=sm_70 -Xclang -target-feature -Xclang +ptx63 -O3 -gline-tables-only
    -mllvm -use-unknown-locations=Enable -mllvm -disable-vector-combine)
# The host pass, but for the PTX that it takes along.
set(LAB_HOST_PASS_FLAGS --cuda-host-only ${LAB_STUDENT_OPTIONS} ${LAB_AARCH64_OPTIONS})

# CMake's "SHELL:a b" as the words a and b, for custom commands.
function(lab_flags_as_words flags result)
  list(TRANSFORM flags REPLACE "^SHELL:" "")
  list(JOIN flags " " flags)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  set(${result} ${flags} PARENT_SCOPE)
endfunction()

include(PrecompiledToolkit)

# Adds the device pass. Sets `result` to the PTX file. `precompiled`: the precompiled headers, empty for none.
function(lab_device_pass target source standard defines options precompiled result)
  set(ptx "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/kernels.ptx")
  lab_flags_as_words("${LAB_CLANG_CUDA_FLAGS}" flags)
  if(precompiled)
    list(APPEND flags -include-pch "${precompiled}")
  endif()
  list(TRANSFORM defines PREPEND -D)
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir")
  file(RELATIVE_PATH shown "${CMAKE_SOURCE_DIR}" "${source}")
  add_custom_command(
    OUTPUT "${ptx}"
    COMMAND "${LAB_CLANG}" ${flags} ${LAB_DEVICE_PASS_FLAGS} -std=c++${standard} ${defines} "-I${CMAKE_SOURCE_DIR}"
            ${options} -MD -MF "${ptx}.d" -MT "${ptx}" -S "${source}" -o "${ptx}"
    COMMAND truncate -s +1 "${ptx}"  # the NUL that ends the text in the program: clang 14 adds one, clang 19 doesn't
    DEPENDS "${source}" ${precompiled}
    DEPFILE "${ptx}.d"
    COMMENT "Compiling the kernels of ${shown}"
    VERBATIM)
  set(${result} "${ptx}" PARENT_SCOPE)
endfunction()

# The emulator's object by nvcc: its host code with the PTX in it, as text, made to call our runtime, compiled by CMake's C++ compiler.
function(lab_nvcc_object target source standard defines options)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir")
  set(client "${CMAKE_SOURCE_DIR}/common/emulator/client")
  set(call_sites "${CMAKE_BINARY_DIR}/CMakeFiles/lab_call_sites.h")
  if(NOT TARGET lab_call_sites)
    add_custom_target(lab_call_sites)
    file(STRINGS "${client}/calls.inc" calls REGEX "^LAB_CALL")
    list(TRANSFORM calls REPLACE "^LAB_CALL\\(([A-Za-z0-9]+),.*" "#define \\1(...) (lab_note_call(__FILE__, __LINE__)@comma@ \\1(__VA_ARGS__))")
    list(JOIN calls "\n" calls)
    string(REPLACE "@comma@" "," calls "${calls}")
    configure_file("${client}/nvcc/call_sites.h.in" "${call_sites}" @ONLY)
    # The oldest architecture that this nvcc knows and the emulator's instructions are of.
    execute_process(COMMAND "${CMAKE_CUDA_COMPILER}" --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
    string(REGEX MATCH "compute_(7[0-9]|[89][0-9])" oldest "${known}")
    set_target_properties(lab_call_sites PROPERTIES LAB_ARCHITECTURE "${oldest}")
  endif()
  get_target_property(architecture lab_call_sites LAB_ARCHITECTURE)
  list(TRANSFORM defines PREPEND -D)
  list(TRANSFORM options REPLACE "^-Wno-error=.*" "-w")
  file(RELATIVE_PATH shown "${CMAKE_SOURCE_DIR}" "${source}")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${folder}/host.o"
    COMMAND "${CMAKE_CUDA_COMPILER}" --cuda -std=c++${standard} -lineinfo -gencode arch=${architecture},code=${architecture} -Xfatbin=--compress=false
            ${defines} "-I${CMAKE_SOURCE_DIR}" -include "${call_sites}" ${options} -MD -MF "${folder}/host.o.d" -MT "${folder}/host.o"
            "${source}" -o "${folder}/host.ii"
    COMMAND sed -i -E -f "${client}/nvcc/call_sites.sed" "${folder}/host.ii"
    COMMAND "${CMAKE_CXX_COMPILER}" -std=c++${standard} ${LAB_STUDENT_OPTIONS} -w -x c++ -c "${folder}/host.ii" -o "${folder}/host.o"
    DEPENDS "${source}" "${call_sites}" "${client}/nvcc/call_sites.sed"
    DEPFILE "${folder}/host.o.d"
    COMMENT "Compiling ${shown} by nvcc for the emulator"
    VERBATIM)
  add_custom_target(${target} DEPENDS "${folder}/host.o")
  set_target_properties(${target} PROPERTIES LAB_OBJECTS "${folder}/host.o")
endfunction()

function(lab_cuda_object target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FOR_OTHERS;BY_NVCC" "SOURCE;STANDARD;FOR" "DEFINES;OPTIONS")
  if(NOT arg_FOR)
    set(arg_FOR ${LAB_BACKEND})
  endif()
  get_filename_component(source "${arg_SOURCE}" ABSOLUTE)
  set(CMAKE_UNITY_BUILD OFF)  # it is one file, with an object of its own name
  if(NOT arg_STANDARD)
    set(arg_STANDARD ${LAB_STUDENT_STANDARD})
  endif()
  if(arg_FOR STREQUAL "gpu")
    # To CMake a file has one language, and this one may be compiled for the emulator as well.
    get_filename_component(name "${source}" NAME)
    set(unit "${CMAKE_CURRENT_BINARY_DIR}/for_gpu/${target}/${name}")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"${source}\"\n" @ONLY)
    add_library(${target} OBJECT "${unit}")
    set_source_files_properties("${unit}" PROPERTIES LANGUAGE CUDA)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD ${arg_STANDARD} CUDA_EXTENSIONS OFF)
    # Lines of a solution's kernels and their folder are not for others.
    target_compile_options(${target} PRIVATE -UNDEBUG $<$<NOT:$<BOOL:${LAB_RELOCATABLE}>>:-lineinfo> ${arg_OPTIONS})
  elseif(arg_BY_NVCC OR LAB_CLANG STREQUAL "none")
    lab_nvcc_object(${target} "${source}" ${arg_STANDARD} "${arg_DEFINES}" "${arg_OPTIONS}")
    return()
  else()
    if(arg_FOR_OTHERS)  # nvcc takes a function that returns no value
      list(APPEND arg_OPTIONS -Wno-error=return-type)
    endif()
    # Precompiled headers are of one standard, and macros or options of a file's own may mean something to them.
    set(precompiled_device "")
    set(precompiled_host "")
    if(arg_STANDARD EQUAL LAB_STUDENT_STANDARD AND NOT arg_DEFINES AND NOT arg_OPTIONS AND NOT arg_FOR_OTHERS)
      set(precompiled_device "${lab_precompiled_device}")
      set(precompiled_host "${lab_precompiled_host}")
    endif()
    lab_device_pass(${target} "${source}" ${arg_STANDARD} "${arg_DEFINES}" "${arg_OPTIONS}" "${precompiled_device}" ptx)
    add_custom_target(${target}_ptx DEPENDS "${ptx}")
    file(RELATIVE_PATH ptx_in_build "${CMAKE_BINARY_DIR}" "${ptx}")  # as Ninja knows it
    set(host_flags ${LAB_CLANG_CUDA_FLAGS} ${LAB_HOST_PASS_FLAGS} "SHELL:-Xclang -fcuda-include-gpubinary" "SHELL:-Xclang ${ptx}" ${arg_OPTIONS})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      add_library(${target} OBJECT "${source}")
      set_source_files_properties("${source}" PROPERTIES LANGUAGE CXX)
      # The depfile names the PTX, so that new kernels mean a new host object.
      target_compile_options(${target} PRIVATE ${host_flags} "SHELL:-Xclang -fdepfile-entry=${ptx_in_build}")
      add_dependencies(${target} ${target}_ptx)
      if(precompiled_host)
        target_compile_options(${target} PRIVATE "SHELL:-include-pch ${precompiled_host}")
        add_dependencies(${target} lab_precompiled)
      endif()
    else()
      # Our own code is being compiled by another compiler; the kernels' host half still needs clang.
      set(object "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/host.o")
      lab_flags_as_words("${host_flags}" host_flags)
      set(defines ${arg_DEFINES})
      list(TRANSFORM defines PREPEND -D)
      add_custom_command(OUTPUT "${object}"
                         COMMAND "${LAB_CLANG}" ${host_flags} -std=c++${arg_STANDARD} ${defines} "-I${CMAKE_SOURCE_DIR}" -c "${source}" -o "${object}"
                         DEPENDS "${source}" "${ptx}" VERBATIM)
      add_custom_target(${target} DEPENDS "${object}")
      set_target_properties(${target} PROPERTIES LAB_OBJECTS "${object}")
      return()
    endif()
    set_target_properties(${target} PROPERTIES CXX_STANDARD ${arg_STANDARD})
  endif()
  target_compile_definitions(${target} PRIVATE ${arg_DEFINES})
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
  set_target_properties(${target} PROPERTIES LAB_OBJECTS $<TARGET_OBJECTS:${target}>)
endfunction()

# An executable of one unit made by lab_cuda_object (in the same directory), with the libraries that follow.
function(lab_link_unit target unit)
  get_target_property(objects ${unit} LAB_OBJECTS)
  add_executable(${target} ${objects})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE ${ARGN})
endfunction()

function(lab_cuda_program target)
  lab_cuda_object(${target}_unit ${ARGN})
  lab_link_unit(${target} ${target}_unit lab_cuda_runtime_${LAB_BACKEND})
  # Each variable in pages of its own: the runtime reports host code that uses a __device__ variable.
  if(LAB_BACKEND STREQUAL "emulator" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target}_unit PRIVATE -fdata-sections)
    target_link_options(${target} PRIVATE "-Wl,-T,${CMAKE_SOURCE_DIR}/common/emulator/client/shadows.ld")
  endif()
endfunction()

# The child process that holds one student file of lab n: that file's object, and lab_runner_<n> (common/runner), which
# brings main(), the protocol and the calls of lab n's functions. All objects of one student lie under
# CMakeFiles/<target>_unit.dir: `lab grade --from` relies on it (common/tools/recipe.h).
function(lab_add_runner target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LAB;SOURCE;FOR" "DEFINES")
  set(library lab_runner_${arg_LAB})
  if(arg_FOR STREQUAL "gpu")
    string(APPEND library _gpu)
  else()
    set(arg_FOR emulator)
  endif()
  get_filename_component(unit "${arg_SOURCE}" ABSOLUTE)
  set(defines ${arg_DEFINES})
  set(CMAKE_UNITY_BUILD OFF)
  if(unit MATCHES "\\.cu$")
    lab_cuda_object(${target}_unit SOURCE "${unit}" FOR ${arg_FOR} DEFINES ${defines})
  else()
    add_library(${target}_unit OBJECT "${unit}")
    set_target_properties(${target}_unit PROPERTIES CXX_STANDARD 17)
    target_compile_options(${target}_unit PRIVATE ${LAB_STUDENT_OPTIONS})
    target_compile_definitions(${target}_unit PRIVATE ${defines})
    target_include_directories(${target}_unit PRIVATE "${CMAKE_SOURCE_DIR}")
    set_target_properties(${target}_unit PROPERTIES LAB_OBJECTS $<TARGET_OBJECTS:${target}_unit>)
  endif()
  lab_link_unit(${target} ${target}_unit ${library})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
endfunction()
